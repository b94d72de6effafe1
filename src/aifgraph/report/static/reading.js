// Reading: text, cards and map, linked both ways. It stands in one block of the page with deciding.js.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const data = JSON.parse($("#data").textContent);
const rows = data.rows;
const byId = new Map(rows.map((row) => [row.id, row]));
const cardOf = (row) => (row.card ??= document.getElementById(`c${row.n}`));

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== "" && child != null));
  return made;
}

// -- reading ------------------------------------------------------------------------------------------------------

const shownGroups = () => new Set($$(".filter input:checked").map((box) => box.value));
const groupOf = (row) => cardOf(row).dataset.g;

function filter() {
  const groups = shownGroups();
  for (const passage of $$(".p.has")) passage.classList.remove("has");
  for (const card of $$(".card")) {
    card.hidden = !groups.has(card.dataset.g);
    if (!card.hidden) passageOf(card)?.classList.add("has");
  }
}

// Parts of the map and passages that belong to a card.
const partsOf = (card) => $$(`.view [data-c~="${card.dataset.n}"]`);
const endsOf = (card) => card.dataset.p.split(" ").filter(Boolean).flatMap((n) => $$(`.view .b[data-p="${n}"]`));
const passageOf = (card) => {
  let before = card.previousElementSibling;
  while (before && !before.matches(".p")) before = before.previousElementSibling;
  return before;
};

function light(card, name, on) {
  for (const part of partsOf(card)) part.classList.toggle(name, on);
  for (const end of endsOf(card)) end.classList.toggle("end", on);
  passageOf(card)?.classList.toggle(name, on);
  card.classList.toggle(name, on);
}

function reveal(card) {
  if (!card.hidden) return;
  $(`.filter input[value="${card.dataset.g}"]`).checked = true;
  filter();
}

let selected = null;
function select(card, { scroll = false, map = true } = {}) {
  if (selected) light(selected, "on", false);
  selected = card;
  if (!card) return;
  reveal(card);
  light(card, "on", true);
  card.closest("details")?.setAttribute("open", "");
  if (scroll) card.scrollIntoView({ block: "center" });
  if (map) centre([...partsOf(card), ...endsOf(card)]);
  history.replaceState(null, "", `#c${card.dataset.n}`);
}

// -- map: a box that scrolls, and a drawing that is made larger or smaller ------------------------------------------

const view = $(".view");
const drawing = $("svg", view);
const natural = drawing ? { w: +drawing.dataset.w, h: +drawing.dataset.h } : { w: 1, h: 1 };
let zoom = 1;

function setZoom(to) {
  if (!drawing) return;
  const x = (view.scrollLeft + view.clientWidth / 2) / (natural.w * zoom);
  const y = (view.scrollTop + view.clientHeight / 2) / (natural.h * zoom);
  zoom = Math.min(3, Math.max(0.05, to));
  drawing.style.width = `${natural.w * zoom}px`;
  drawing.style.height = `${natural.h * zoom}px`;
  view.scrollTo(x * natural.w * zoom - view.clientWidth / 2, y * natural.h * zoom - view.clientHeight / 2);
}
const fitting = () => Math.min(1.3, (view.clientWidth - 16) / natural.w, (view.clientHeight - 16) / natural.h);

function centre(parts) {
  if (!parts.length) return;
  const outer = view.getBoundingClientRect();
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((b) => b.left)), Math.min(...boxes.map((b) => b.top))];
  const [right, bottom] = [Math.max(...boxes.map((b) => b.right)), Math.max(...boxes.map((b) => b.bottom))];
  const fits = right - left < outer.width && bottom - top < outer.height;
  const at = fits ? { x: (left + right) / 2, y: (top + bottom) / 2 } : middle(boxes[boxes.length > 1 ? 1 : 0]);
  if (fits && left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom) return;
  view.scrollBy({ left: at.x - outer.left - outer.width / 2, top: at.y - outer.top - outer.height / 2, behavior: "instant" });
}
const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

const zoomBy = { fit: () => setZoom(fitting()), "+": () => setZoom(zoom * 1.25), "-": () => setZoom(zoom / 1.25) };
for (const button of $$("[data-zoom]")) button.onclick = () => zoomBy[button.dataset.zoom]();
view.addEventListener("keydown", (event) => {
  const by = { "+": "+", "=": "+", "-": "-", 0: "fit" }[event.key];
  if (by && !event.ctrlKey && !event.metaKey) zoomBy[by]();
});
view.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  setZoom(zoom * Math.exp(-event.deltaY / 300));
}, { passive: false });

view.addEventListener("click", (event) => {
  const part = event.target.closest("[data-c], .b");
  if (!part) return;
  event.preventDefault();
  document.body.classList.remove("map-open");
  if (part.dataset.c) select(document.getElementById(`c${part.dataset.c.split(" ")[0]}`), { scroll: true, map: false });
  else $(`.p[data-p~="${part.dataset.p}"]`)?.scrollIntoView({ block: "center" });
});
for (const type of ["mouseover", "mouseout"]) {
  view.addEventListener(type, (event) => {
    const part = event.target.closest("[data-c], .b");
    if (!part) return;
    const on = type === "mouseover";
    for (const n of (part.dataset.c ?? "").split(" ").filter(Boolean)) light(document.getElementById(`c${n}`), "hot", on);
    if (part.dataset.p) for (const p of $$(`.p[data-p~="${part.dataset.p}"]`)) p.classList.toggle("hot", on);
  });
}

for (const card of $$(".card")) {
  const button = element("button", { className: "tomap", textContent: "map" });
  button.onclick = (event) => {
    event.stopPropagation();
    document.body.classList.add("map-open");
    setZoom(Math.max(fitting(), 0.8));
    select(card);
  };
  $("h2", card).append(button);
  card.onclick = () => { if (getSelection().isCollapsed) select(card); };
  card.onkeydown = (event) => { if (event.key === "Enter" && event.target === card) select(card); };
  card.onmouseenter = () => light(card, "hot", true);
  card.onmouseleave = () => light(card, "hot", false);
}
$("#closemap").onclick = () => document.body.classList.remove("map-open");
for (const box of $$(".filter input")) box.onchange = filter;
function follow() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.matches(".card")) select(target, { scroll: true });
  if (target?.matches("#numbers")) target.open = true;
}
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => {
  $("#numbers").open = true;
  for (const quiet of $$("#text .quiet")) quiet.open = true;
});
