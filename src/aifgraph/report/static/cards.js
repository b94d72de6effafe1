// The page of a pair. In one block with map.js and deciding.js: text and cards, with the one that is looked at.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const data = JSON.parse($("#data").textContent);
const rows = Object.entries(data.rows).map(([id, row]) => Object.assign(row, { id }));
const cards = $$(".card");
const numberOf = (card) => card.id.slice(1);
const rowsByCard = new Map(cards.map((card) => [numberOf(card), []]));
const numbers = (text) => (text ?? "").split(" ").filter(Boolean);
for (const row of rows) {
  const part = $(`[data-row="${row.id}"]`);
  row.lost = $(".lost", part);
  row.nodes = $$(".said", part).flatMap((said) => numbers(said.dataset.nodes));
  for (const choice of Object.keys(row.gone)) row.gone[choice] = new Set(numbers(row.gone[choice]));
  rowsByCard.get(`${row.n}`).push(row);
}
for (const card of cards) Object.assign(card, { state: $(".state", card), tick: $(`#ruler a[href="#${card.id}"]`) });
// What stands there already is left alone: to write it would lay out the page anew.
const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const rowsOf = (card) => rowsByCard.get(numberOf(card));

const state = {
  current: null, // the card that is looked at
  deciding: false,
  decisions: {}, // by row: decision, note, by, when
  waiting: new Set(), // rows whose decision a server has not answered
  gone: new Set(), // nodes that go by what is decided
  absent: new Set(), // nodes that the merged map does not have as things are: of open wordings and cuts it has the first's
  undoable: [], // the decisions that each step replaced
  reader: "",
};

const shownCards = () => cards.filter((card) => !card.hidden);
function passageOf(card) {
  let before = card.previousElementSibling;
  while (before && !before.matches(".p")) before = before.previousElementSibling;
  return before;
}

function filter() {
  const shown = new Set($$(".filter input:checked").map((box) => box.value));
  for (const passage of $$(".p.has")) passage.classList.remove("has");
  for (const card of cards) {
    card.hidden = card.tick.hidden = !numbers(card.dataset.g).some((group) => shown.has(group));
    if (!card.hidden) passageOf(card)?.classList.add("has");
  }
  showProgress();
}
function reveal(card) {
  if (card.hidden) {
    for (const group of numbers(card.dataset.g)) $(`.filter input[value="${group}"]`).checked = true;
    filter();
  }
  card.closest("details")?.setAttribute("open", "");
}

// Everything that belongs to a card: itself, its passage, its tick, its parts of the map and the claims that they join.
function light(card, name, on) {
  for (const part of [card, passageOf(card), card.tick, ...mapPartsOf(card)]) part?.classList.toggle(name, on);
  for (const claim of claimsOf(card)) claim.classList.toggle("end", on);
}
function select(card, { scroll = false, map = true } = {}) {
  if (!card) return;
  if (state.current) {
    light(state.current, "on", false);
    state.current.tabIndex = -1;
  }
  state.current = card;
  reveal(card);
  light(card, "on", true);
  card.tabIndex = 0;
  showCard(card);
  if (scroll) scrollTo(card);
  if (scroll) card.focus({ preventScroll: true });
  if (map) nextFrame("show", () => mapView.show([...mapPartsOf(card), ...claimsOf(card)]));
  nextFrame("address", () => history.replaceState(null, "", `#${card.id}`));
}
// The passage stands below the head, its card after it; a card that is seen whole stays where it is while reading.
function scrollTo(card) {
  const top = (passageOf(card) ?? card).getBoundingClientRect().top;
  const [upper, lower] = [head.offsetHeight, innerHeight - dock.offsetHeight];
  const headFixed = getComputedStyle(head).position === "sticky" ? upper : 0;
  if (top < headFixed || card.getBoundingClientRect().bottom > lower) scrollBy({ top: top - headFixed - 12, behavior: "instant" });
}

// The next card after the current one; where that is out of sight, the first one that is seen.
function step(by) {
  const list = shownCards();
  const seen = (card) => { const box = card.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight; };
  const place = list.indexOf(state.current);
  const next = place >= 0 && seen(state.current) ? list[place + by] : list.find(seen) ?? list[place + by] ?? list[0];
  select(next, { scroll: true });
}

const [head, dock] = [$("header"), $("#dock")];
const sizes = new ResizeObserver(() => {
  document.body.style.setProperty("--head", `${head.offsetHeight}px`);
  document.body.style.setProperty("--dock", `${dock.offsetHeight}px`);
});
for (const bar of [head, dock]) sizes.observe(bar);

for (const card of cards) {
  $(".tomap", card).onclick = (event) => { event.stopPropagation(); document.body.classList.add("map-open"); select(card); };
  card.onclick = () => { if (getSelection().isCollapsed) select(card); };
  card.onmouseenter = () => light(card, "hot", true);
  card.onmouseleave = () => light(card, "hot", false);
  card.tick.onclick = (event) => { event.preventDefault(); select(card, { scroll: true }); };
}
// A passage shows its claims on the map, and its card.
for (const passage of $$(".p")) {
  passage.onclick = () => {
    if (!getSelection().isCollapsed) return;
    const card = shownCards().find((shown) => passageOf(shown) === passage);
    if (card) select(card);
    else mapView.show(claimsOf(passage), true);
  };
}
$("#closemap").onclick = () => document.body.classList.remove("map-open");
for (const box of $$(".filter input")) box.onchange = filter;
function followAddress() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.matches(".card")) select(target, { scroll: true });
  if (target?.matches("#numbers")) target.open = true;
}
addEventListener("hashchange", followAddress);
addEventListener("beforeprint", () => $$("#numbers, #text .quiet").forEach((folded) => { folded.open = true; }));
