// The page of a pair: what is chosen in one place is shown in all: the list, the text, the maps, the panel.
import { readAddress, writeAddress } from "./address.js";
import { adjudicate } from "./decisions.js";
import { Details } from "./details.js";
import { showKeys } from "./keys.js";
import { mapsOfPage } from "./map_controls.js";
import { readModel } from "./model.js";
import { linkNeighbours } from "./neighbours.js";
import { Search } from "./search.js";
import { numbersOf, TextView } from "./text_view.js";
import { themeChoice } from "./theme.js";

linkNeighbours();
const byId = (id) => document.getElementById(id);

const model = readModel();
const rows = [...document.querySelectorAll("li.row[data-row]")];
const buttons = rows.map((row) => row.querySelector("button.difference"));
const details = new Details(model, byId("details"), (...given) => choose(...given));
let chosen = [];
let current = -1;

const text = new TextView(model, { choose: (numbers) => choose(inThisView(numbers), { fit: true }), difference: (id) => chooseDifference(rowOf(id)) });
const maps = mapsOfPage(model, { choose: (...given) => choose(...given), step, clear: () => choose([]), chosen: () => chosen });
const search = new Search(model, byId("search"), byId("found"), {
  found(numbers) {
    maps.mark(numbers);
    text.mark("found", numbers);
    writeAddress(search?.wanted ? { search: search.wanted } : {});
  },
  go: (number) => choose([number], { fit: true, address: { search: search.wanted } }),
});

function rowOf(id) {
  return rows.find((row) => row.dataset.row === id) ?? rows.find((row) => row.dataset.number === id);
}

function follows(button) {
  return button.dataset.follows.split(" ").filter(Boolean).map(Number);
}

// Shows these elements everywhere. `leading` are those that the text and the maps are moved to.
function choose(numbers, { fit, view, scroll, fromMap, keep, difference, leading = numbers, address } = /** @type {Choosing} */ ({})) {
  if (view) maps.show({ view });
  const all = fromMap ? withCounterparts(numbers) : numbers;
  chosen = all;
  if (!fromMap && fit) maps.reveal(leading);
  maps.choose(all, !fromMap);
  details.show(leading);
  text.choose(all, leading, difference);
  buttons.forEach((each, at) => each.classList.toggle("chosen", rows[at].dataset.row === difference));
  for (const row of document.querySelectorAll("button.row")) {
    const own = numbersOf(row);
    row.classList.toggle("chosen", numbers.length > 0 && own.length === numbers.length && own.every((number) => numbers.includes(number)));
  }
  if (scroll) byId("workbench").scrollIntoView({ block: "start" });
  if (!keep) document.querySelectorAll(".cell[aria-pressed]").forEach((each) => each.removeAttribute("aria-pressed"));
  const first = model.elements[all[0]]?.sides.find(Boolean);
  writeAddress(address ?? (difference ? { difference } : first ? { node: first.id } : {}));
}

function chooseDifference(row, { scroll = true } = {}) {
  if (!row) return;
  current = rows.indexOf(row);
  const button = buttons[current];
  const own = numbersOf(button);
  row.closest("details").open = true;
  choose([...own, ...follows(button)], { fit: true, view: button.dataset.view, difference: row.dataset.row, leading: own });
  inside(byId("chapters"), row);
  // Where list, text and maps have a window of their own, all of it is brought into view.
  if (scroll && getComputedStyle(byId("workbench")).gridTemplateColumns.includes(" ")) byId("workbench").scrollIntoView({ block: "start" });
  else if (scroll) byId("text").scrollIntoView({ block: "nearest" });
}

// Scrolls a box, not the page.
function inside(box, node) {
  const own = node.getBoundingClientRect(), around = box.getBoundingClientRect();
  if (own.top < around.top) box.scrollTop -= around.top - own.top + 8;
  else if (own.bottom > around.bottom) box.scrollTop += Math.min(own.bottom - around.bottom + 8, own.top - around.top);
}

// Of what stands in these words, what the maps show; where there is none, all.
function inThisView(numbers) {
  const shown = numbers.filter((number) => maps.view === "dialogue" || model.elements[number].kind === "I");
  return shown.length ? shown : numbers;
}

// A part and what it is part of belong together.
function withCounterparts(numbers) {
  const found = new Set(numbers);
  for (const element of model.elements) {
    if (element.partOf === null) continue;
    if (found.has(element.number)) found.add(element.partOf);
    else if (found.has(element.partOf)) found.add(element.number);
  }
  return [...found];
}

function step(by) {
  if (!rows.length) return;
  const next = current < 0 ? (by > 0 ? 0 : -1) : current + by;
  chooseDifference(rows[(next + rows.length) % rows.length]);
}

// What the pointer or the focus is on, marked in the text and in the maps.
let hinted;
function hint(target) {
  const button = target?.closest?.("button.difference") ?? rowOf(target?.closest?.(".chip")?.dataset.difference)?.querySelector("button.difference");
  const numbers = button ? numbersOf(button) : [];
  text.mark("hinted", numbers);
  maps.hint(numbers);
}

themeChoice();
document.querySelector(".keys-help").addEventListener("click", showKeys);
byId("next").addEventListener("click", () => step(1));
byId("previous").addEventListener("click", () => step(-1));
for (const name of /** @type {const} */ (["mouseover", "focusin"])) {
  document.addEventListener(name, (event) => {
    const target = event.target.closest?.("button.difference, .chip");
    if (target === hinted) return;
    hinted = target;
    hint(target);
  });
}
document.addEventListener("click", (event) => {
  const difference = event.target.closest("button.difference");
  if (difference) return chooseDifference(difference.closest(".row"));
  const row = event.target.closest("button.row");
  if (row) return choose(numbersOf(row), { fit: true, view: row.dataset.view, scroll: true });
  const cell = event.target.closest("button.cell");
  if (cell) return openCell(cell);
  const group = event.target.closest(".group-counts a");
  if (group) {
    event.preventDefault();
    const list = document.querySelector(String(group.getAttribute("href")));
    list.open = true;
    byId("workbench").scrollIntoView({ block: "start" });
    byId("chapters").scrollTop = list.offsetTop;
    list.querySelector("summary").focus({ preventScroll: true });
  }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog, .canvas")) return;
  const act = { n: () => step(1), p: () => step(-1), "/": () => byId("search").focus(), Escape: () => choose([]) }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

function openCell(button) {
  const { calculation, first, second } = button.dataset;
  const items = model.cells[calculation]?.find((each) => each.first === first && each.second === second)?.items ?? [];
  const article = button.closest("article");
  article.querySelector(".behind")?.remove();
  const open = button.getAttribute("aria-pressed") === "true";
  document.querySelectorAll(".cell[aria-pressed]").forEach((each) => each.removeAttribute("aria-pressed"));
  if (open) {
    choose([]);
    return;
  }
  button.setAttribute("aria-pressed", "true");
  const behind = details.cell(items, button.getAttribute("aria-label"));
  article.querySelector(".scroll").after(behind);
  choose([...new Set(items.flatMap(({ elements }) => elements))], { keep: true });
}

// What the address names, when the page opens and when a link in it is followed.
function followAddress() {
  const { difference, node, search: words, view } = readAddress();
  if (view === "argument" || view === "dialogue") maps.show({ view });
  if (difference) chooseDifference(rowOf(difference));
  else if (words) {
    byId("search").value = words;
    search.look(words);
    search.step(1);
  } else if (node) {
    const found = model.elements.find((element) => element.sides.some((member) => member?.id === node));
    if (found) choose([found.number], { fit: true, scroll: true });
  }
}
addEventListener("hashchange", followAddress);

// On paper every difference is listed, and what lines mean is said; the rest is folded as it is on the screen.
addEventListener("beforeprint", () => {
  document.querySelectorAll(".chapters details:not([open]), .map-key:not([open])").forEach((each) => {
    each.open = true;
    each.dataset.printed = "";
  });
});
addEventListener("afterprint", () => {
  document.querySelectorAll("details[data-printed]").forEach((each) => {
    each.open = false;
    delete each.dataset.printed;
  });
});

followAddress();
// Where the page is one column, its first screen has the place that the sentence is about.
const lead = document.querySelector(".lead a")?.getAttribute("href")?.split("=")[1];
if (lead && !location.hash && matchMedia("(max-width: 62rem)").matches) text.begin(lead);
document.body.classList.add("ready");
adjudicate(model);
