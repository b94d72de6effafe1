"use strict";
// Tables are sorted by a click on a head, descending and ascending in turn; n opens the next pair to decide.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = Object.assign(document.createElement("button"), { textContent: head.textContent });
    head.replaceChildren(button);
    const value = ({ cells: { [column]: cell } }) => cell.dataset.v ?? cell.textContent.trim().toLowerCase();
    button.onclick = () => {
      const up = head.ariaSort ? head.ariaSort === "descending" : column < 2;
      for (const sorted of heads) sorted.ariaSort = null;
      head.ariaSort = up ? "ascending" : "descending";
      const order = (name, next) => name.localeCompare(next, undefined, { numeric: column === 0 });
      const compare = ([a], [b]) => a === "" || b === "" ? (a === "") - (b === "") : (up ? 1 : -1) * (column ? a - b : order(a, b));
      body.append(...[...body.rows].map((row) => [value(row), row]).sort(compare).map(([, row]) => row));
    };
  });
}
addEventListener("keydown", ({ key, target }) => {
  if (key === "n" && !target.matches("input, textarea, select")) document.querySelector("[data-open]")?.closest("tr").querySelector("a").click();
});
