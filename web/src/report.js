import { adjudicate } from "./decisions.js";
import { Details } from "./details.js";
import { Maps } from "./maps.js";
import { readModel } from "./model.js";
import { dark } from "./theme.js";

const byId = (id) => document.getElementById(id);
const numbersOf = (node) => node.dataset.elements.split(" ").filter(Boolean).map(Number);

const model = readModel();
const maps = new Maps(model, ["first-map", "second-map", "both-map"].map(byId), (numbers) => choose(numbers, { fromMap: true }));
const details = new Details(model, byId("details"), (...given) => choose(...given));
const differences = [...document.querySelectorAll("button.difference")];
let current = -1;

const remembered = { get: (key) => { try { return localStorage.getItem(key); } catch { return null; } },
  set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* a page from a file may not remember */ } } };

function setTheme(choice) {
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  maps.theme(dark(choice));
}

function redraw() {
  const status = byId("status");
  status.textContent = "Laying out …";
  // One turn of the event loop, so that the message is seen before a long layout.
  return new Promise((done) => setTimeout(() => {
    const count = maps.draw();
    const view = maps.view === "dialogue" ? "propositions, locutions and what joins them" : "propositions and their relations";
    status.textContent = count ? `${count} ${view} are drawn${maps.only ? " (only differences, with what they join)" : ""}.`
      : maps.only ? "There is no difference in this view." : "There is nothing to draw in this view.";
    maps.resize();
    maps.start();
    document.body.dataset.drawn = `${maps.view} ${maps.only}`;
    done();
  }, 20));
}

async function show(view) {
  if (maps.view === view) return;
  maps.view = byId("view").value = view;
  await redraw();
}

async function choose(numbers, { fit = false, view = null, scroll = false, fromMap = false, keep = false } = {}) {
  if (view) await show(view);
  if (numbers.length && !fromMap) {
    const hidden = numbers.filter((n) => !maps.shown.has(n));
    if (hidden.length) {
      const dialogue = hidden.some((n) => ["L", "TA", "YA"].includes(model.elements[n].kind));
      if (maps.only) maps.only = byId("only").checked = false;
      if (dialogue) maps.view = byId("view").value = "dialogue";
      await redraw();
    }
  }
  const all = fromMap ? withCounterparts(numbers) : numbers;
  maps.choose(all, !fromMap);
  if (fit) maps.fit(all);
  details.show(all);
  lightUp(all);
  if (scroll) byId("maps").scrollIntoView({ block: "nearest", behavior: "smooth" });
  if (!keep) document.querySelectorAll(".cell[aria-pressed]").forEach((each) => each.removeAttribute("aria-pressed"));
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

// The words in the text: of the chosen contents, and of what is anchored in them.
function lightUp(numbers) {
  const chosen = new Set(numbers);
  let first = null;
  for (const piece of document.querySelectorAll(".piece")) {
    const on = numbersOf(piece).some((n) => chosen.has(n));
    piece.classList.toggle("chosen", on);
    if (on && !first) first = piece;
  }
  for (const box of document.querySelectorAll(".text")) {
    const piece = box.querySelector(".piece.chosen");
    if (piece) box.scrollTop = piece.offsetTop - box.offsetTop - box.clientHeight / 3;
  }
  document.querySelectorAll("button.difference, button.row").forEach((each) =>
    each.classList.toggle("chosen", numbers.length > 0 && numbersOf(each).length === chosen.size && numbersOf(each).every((n) => chosen.has(n))));
}

function step(by) {
  if (!differences.length) return;
  current = (current + by + differences.length) % differences.length;
  const button = differences[current];
  button.closest("details").open = true;
  button.scrollIntoView({ block: "nearest" });
  button.click();
}

function search(text) {
  const wanted = text.trim().toLocaleLowerCase();
  const hits = !wanted ? [] : model.elements.filter((e) => maps.shown.has(e.number) && e.sides.some((m) => m
    && (m.id.toLocaleLowerCase() === wanted || m.text.toLocaleLowerCase().includes(wanted) || m.speaker.toLocaleLowerCase().includes(wanted))));
  const numbers = hits.map((e) => e.number);
  maps.mark(numbers);
  byId("found").textContent = wanted ? `${numbers.length} found` : "";
  if (numbers.length) maps.fit(numbers.slice(0, 1));
  return numbers;
}

byId("theme").value = remembered.get("aifgraph-theme") || "auto";
byId("theme").addEventListener("change", (event) => {
  remembered.set("aifgraph-theme", event.target.value);
  setTheme(event.target.value);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme(byId("theme").value));
byId("view").addEventListener("change", (event) => show(event.target.value));
byId("only").addEventListener("change", (event) => {
  maps.only = event.target.checked;
  redraw();
});
byId("layout").addEventListener("change", (event) => {
  byId("canvases").dataset.layout = event.target.value;
  maps.resize();
  maps.start();
});
byId("fit").addEventListener("click", () => maps.fit());
byId("in").addEventListener("click", () => maps.zoom(1.3));
byId("out").addEventListener("click", () => maps.zoom(1 / 1.3));
byId("next").addEventListener("click", () => step(1));
byId("previous").addEventListener("click", () => step(-1));
byId("search").addEventListener("input", (event) => search(event.target.value));
byId("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter") choose(search(event.target.value).slice(0, 1), { fit: true });
});
for (const canvas of document.querySelectorAll(".canvas")) {
  canvas.addEventListener("keydown", (event) => {
    const act = { ArrowLeft: () => maps.pan(60, 0), ArrowRight: () => maps.pan(-60, 0), ArrowUp: () => maps.pan(0, 60), ArrowDown: () => maps.pan(0, -60),
      "+": () => maps.zoom(1.3), "=": () => maps.zoom(1.3), "-": () => maps.zoom(1 / 1.3), 0: () => maps.fit(), n: () => step(1), p: () => step(-1), Escape: () => choose([]) }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("button.difference, button.row");
  if (button) {
    if (button.matches(".difference")) current = differences.indexOf(button);
    choose(numbersOf(button), { fit: true, view: button.dataset.view, scroll: button.matches(".row") });
    return;
  }
  const piece = event.target.closest(".piece");
  if (piece) chooseWords(numbersOf(piece));
  const cell = event.target.closest("button.cell");
  if (cell) openCell(cell);
});

// Of what stands in these words, what this view can show.
function chooseWords(numbers) {
  const shown = numbers.filter((n) => maps.view === "dialogue" || model.elements[n].kind === "I");
  choose(shown.length ? shown : numbers, { fit: true });
}

function openCell(button) {
  const { calculation, cell } = button.dataset;
  const article = button.closest("article");
  article.querySelector(".behind")?.remove();
  const open = button.getAttribute("aria-pressed") === "true";
  document.querySelectorAll(".cell[aria-pressed]").forEach((each) => each.removeAttribute("aria-pressed"));
  if (open) {
    choose([]);
    return;
  }
  button.setAttribute("aria-pressed", "true");
  const behind = details.cell(calculation, cell, button.getAttribute("aria-label"));
  article.querySelector(".scroll").after(behind);
  const items = model.cells[calculation]?.[cell] ?? [];
  choose([...new Set(items.flatMap(([, elements]) => elements))], { keep: true });
}

addEventListener("resize", () => maps.resize());
// On paper everything is open. A canvas cannot be drawn anew before the sheet is taken: the maps are printed as they
// stand, made small enough for it.
const SHEET = 620;
addEventListener("beforeprint", () => {
  document.querySelectorAll("details:not([open])").forEach((each) => {
    each.open = true;
    each.dataset.printed = "";
  });
  for (const { container } of maps.visible()) {
    const { clientWidth, clientHeight } = container;
    Object.assign(container.style, { width: `${clientWidth}px`, height: `${clientHeight}px`, zoom: Math.min(1, SHEET / clientWidth), background: maps.palette.page });
  }
});
addEventListener("afterprint", () => {
  for (const { container } of maps.canvases) Object.assign(container.style, { width: "", height: "", zoom: "", background: "" });
  maps.resize();
  document.querySelectorAll("details[data-printed]").forEach((each) => {
    each.open = false;
    delete each.dataset.printed;
  });
});

setTheme(byId("theme").value);
if (!model.elements.some((e) => e.kind === "I" || ["RA", "CA", "MA", "PA"].includes(e.kind))) maps.view = byId("view").value = "dialogue";
// A large map is read from its differences; the checkbox brings the rest.
const large = model.elements.filter((e) => e.kind === "I").length > 60;
if (large && model.elements.some((e) => e.status !== "agreed")) maps.only = byId("only").checked = true;
// Beside each other where both are wide enough to read, else overlaid.
if (byId("maps").clientWidth < 1000) byId("canvases").dataset.layout = byId("layout").value = "over";
redraw().then(() => document.body.classList.add("ready"));
adjudicate(model);
