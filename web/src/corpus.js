// The table of a corpus page: sorted by a click on a heading, filtered by name and by score.
import { themeChoice } from "./theme.js";

themeChoice();
const table = document.querySelector("#pairs");
const body = table.tBodies[0], head = table.querySelector("thead");
const rows = [...body.rows];
const value = (row, column) => {
  const cell = row.querySelector(`[data-column="${column}"]`);
  return cell.dataset.value ?? cell.textContent;
};

head.addEventListener("click", (event) => {
  const heading = event.target.closest("th");
  if (!heading) return;
  const { column } = heading.dataset;
  const up = heading.getAttribute("aria-sort") !== "ascending";
  for (const each of head.querySelectorAll("th")) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", up ? "ascending" : "descending");
  const numeric = heading.dataset.numeric !== undefined;
  // CASS cuts off at 0, M does not: equal values go by the column of M.
  const tie = heading.dataset.tie ?? column;
  rows.sort((one, other) => {
    const [a, b] = [value(one, column), value(other, column)];
    // What is undefined stands last, either way.
    if (numeric && (a === "" || b === "")) return Number(a === "") - Number(b === "");
    return (up ? 1 : -1) * (numeric ? Number(a) - Number(b) || Number(value(one, tie)) - Number(value(other, tie)) : a.localeCompare(b));
  });
  body.append(...rows);
});

// The examples behind a cell are folded away: following a link to them opens them.
function unfold() {
  const cell = location.hash.startsWith("#cell-") && document.getElementById(location.hash.slice(1));
  if (!cell) return;
  cell.closest("details").open = true;
  cell.scrollIntoView({ block: "center" });
  cell.focus({ preventScroll: true });
}
addEventListener("hashchange", unfold);
unfold();

const filter = document.getElementById("filter");
const below = document.getElementById("below");
function apply() {
  const wanted = filter.value.trim().toLocaleLowerCase();
  const most = below.value === "" ? Infinity : Number(below.value);
  let shown = 0;
  for (const row of rows) {
    const score = value(row, below.dataset.column);
    const fits = value(row, "name").toLocaleLowerCase().includes(wanted) && (most === Infinity || (score !== "" && Number(score) <= most));
    row.hidden = !fits;
    shown += Number(fits);
  }
  document.getElementById("shown").textContent = `${shown} of ${rows.length} pairs`;
}
filter.addEventListener("input", apply);
below.addEventListener("input", apply);
apply();
