"use strict";
// Tables are sorted by a click on a head, descending and ascending in turn, and so when one comes back to the page;
// n opens the next pair to decide.
const place = `aifgraph order ${location.pathname}`;
let kept = null;
try { kept = JSON.parse(sessionStorage.getItem(place)); } catch { /* a browser that keeps nothing */ }
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = Object.assign(document.createElement("button"), { textContent: head.textContent });
    head.replaceChildren(button);
    const value = ({ cells: { [column]: cell } }) => cell.dataset.v ?? cell.textContent.trim().toLowerCase();
    const sort = (up) => {
      for (const sorted of heads) sorted.ariaSort = null;
      head.ariaSort = up ? "ascending" : "descending";
      const order = (name, next) => name.localeCompare(next, undefined, { numeric: column === 0 });
      const compare = ([a], [b]) => a === "" || b === "" ? (a === "") - (b === "") : (up ? 1 : -1) * (column ? a - b : order(a, b));
      body.append(...[...body.rows].map((row) => [value(row), row]).sort(compare).map(([, row]) => row));
      try { sessionStorage.setItem(place, JSON.stringify([column, up])); } catch { /* as above */ }
    };
    button.onclick = () => sort(head.ariaSort ? head.ariaSort === "descending" : column < 2);
    if (kept?.[0] === column) sort(kept[1]);
  });
}
addEventListener("keydown", ({ key, target }) => {
  if (key === "n" && !target.matches("input, textarea, select")) document.querySelector("[data-open]")?.closest("tr").querySelector("a").click();
});
