// Deciding: decisions are kept row by row, in this browser or by a server (served.js), and shown as Python worked them out.
const isDecided = (row) => Boolean(state.decisions[row.id]?.decision);
const isDone = (card) => rowsOf(card).every(isDecided);
const needs = new Map(); // by node: the schemes that need it or another one, each with all its groups
for (const [scheme, groups] of Object.entries(data.needs)) {
  const need = [scheme, groups.map(numbers)];
  for (const near of need[1].flat()) if (!needs.get(near)?.push(need)) needs.set(near, [need]);
}

// -- keeping --------------------------------------------------------------------------------------------------------
const storageKey = (row) => `aifgraph ${server ? "waiting " : ""}${data.maps} ${row.id}`;
const choiceName = (id, decision) => $(`[data-row="${id}"] [data-choice="${plainChoice(data.rows[id], decision)}"]`)?.textContent ?? decision;
const server = data.served && servedDecisions(data.served, { name: choiceName, change: changedElsewhere, away: refresh });
// Files may say "first" of what one side has, too; older pages did.
const plainChoice = (row, decision) => ({ first: row.sides[0], second: row.sides[1] })[decision] ?? decision;

// A browser that keeps nothing has decisions as long as the page is open.
function kept(key) {
  try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
}
function keep(key, value) {
  try { value ? localStorage.setItem(key, JSON.stringify(value)) : localStorage.removeItem(key); } catch { /* as above */ }
}
function load() {
  state.reader = $("#reader").value = kept("aifgraph reader") ?? "";
  for (const row of rows) {
    const decided = kept(storageKey(row));
    if (decided) accept(row, decided);
    if (decided && server) state.waiting.add(row.id);
  }
}
// Take what a row says now.
function accept(row, { decision = "", note = "", by = "", when = "" }) {
  if (decision || note) state.decisions[row.id] = { decision: plainChoice(row, decision), note, by, when };
  else delete state.decisions[row.id];
}
// Another tab has decided.
addEventListener("storage", (event) => {
  const row = rows.find((known) => storageKey(known) === event.key);
  if (!row || server) return;
  accept(row, kept(event.key) ?? {});
  refresh();
});
// Others have decided by the server; the card that is being looked at stays, and so does what waits.
function changedElsewhere(id, now) {
  const row = data.rows[id];
  if (!row || state.waiting.has(id) || (state.deciding && `${row.n}` === numberOf(state.current))) return false;
  accept(row, now);
  refresh();
  return true;
}

// One step after the other; gives whether all of it is kept. What a server has not answered for outlives a reload.
let waiting = Promise.resolve(true);
let sending = 0;
function put(changes, { undoable = true } = {}) {
  const when = `${new Date().toISOString().slice(0, 19)}Z`;
  const before = changes.map(([row]) => [row, state.decisions[row.id] ?? {}]);
  const steps = changes.map(([row, change]) => [row, { decision: "", note: "", ...state.decisions[row.id], by: state.reader, when, ...change }]);
  for (const [row, wanted] of steps) {
    accept(row, wanted);
    if (server) state.waiting.add(row.id);
    keep(storageKey(row), server ? { replaces: server.known(row.id), ...wanted } : wanted);
  }
  if (undoable) state.undoable.push(before);
  sending++;
  waiting = waiting.then(async () => {
    let whole = true;
    for (const [row, wanted] of server ? steps : []) {
      const now = await server.put(row.id, wanted) ?? server.known(row.id);
      state.waiting.delete(row.id);
      keep(storageKey(row), null);
      accept(row, now);
      whole &&= plainChoice(row, now.decision) === wanted.decision;
    }
    sending--;
    refresh();
    return whole;
  });
  return waiting;
}

// -- showing --------------------------------------------------------------------------------------------------------
// The nodes that go by a decision; a new wording is that of a node.
const nothing = new Set();
const goneWith = (row) => (isDecided(row) ? row.gone[state.decisions[row.id].decision] ?? row.gone.other : nothing);
// The nodes that go by what is decided; of what needs one of some nodes, several decisions may take all.
function goneBy(choices) {
  const gone = new Set(rows.flatMap((row) => [...choices(row)]));
  for (const node of gone) { // also of those that are added on the way
    for (const [scheme, groups] of needs.get(node) ?? []) if (groups.some((group) => group.every((near) => gone.has(near)))) gone.add(scheme);
  }
  return gone;
}
function refresh() {
  state.gone = goneBy(goneWith);
  state.absent = goneBy((row) => (isDecided(row) ? goneWith(row) : row.gone.open));
  for (const card of cards) {
    const cardRows = rowsOf(card);
    const decided = cardRows.filter(isDecided).length;
    card.tick.classList.toggle("done", isDone(card));
    const waits = cardRows.some((row) => state.waiting.has(row.id));
    write(card.state, waits ? "waits for the server" : !decided ? "" : isDone(card) ? "✓ decided" : `${decided} of ${cardRows.length} decided`);
    markLost(card);
  }
  nextFrame("paint", paintMap);
  showProgress();
  if (state.current) showCard(state.current);
}
// A part that is decided to be kept and goes with another card says with which.
function markLost(card) {
  for (const row of rowsOf(card)) {
    const nodes = row.nodes.filter((node) => !goneWith(row).has(node));
    const lost = isDecided(row) && nodes.length && nodes.every((node) => state.gone.has(node));
    const by = lost ? rows.filter((taking) => taking !== row && nodes.some((node) => goneWith(taking).has(node))) : [];
    const named = [...new Set(by.map((taking) => taking.n))].join(", ");
    write(row.lost, lost ? `left out${named ? ` with card ${named}` : ": nothing is left that it joins"}` : "");
  }
}
function showCard(card) {
  for (const part of $$(".part", card)) {
    const decision = state.decisions[part.dataset.row]?.decision ?? "";
    for (const button of $$("[data-choice]", part)) button.ariaPressed = String(button.dataset.choice === decision);
    for (const said of $$(".said", part)) {
      const nodes = numbers(said.dataset.nodes);
      said.classList.toggle("gone", nodes.length > 0 && nodes.every((node) => state.gone.has(node)));
      said.classList.toggle("kept", nodes.length > 0 && Boolean(decision) && !said.matches(".gone"));
    }
  }
  // The passage as it comes out.
  const stays = new Map($$("[data-row] .said:not(.gone, .none) > span", card).map((said) => [said.textContent.trim(), said]));
  const result = $(".result", card);
  result.hidden = !state.deciding || !rowsOf(card).some(isDecided);
  result.replaceChildren("Merged: ", ...[...stays.values()].flatMap((said, n) => [n ? "; " : "", ...said.cloneNode(true).childNodes]), stays.size ? "" : "nothing of this");
  if (!state.deciding) return;
  for (const button of $$("#dock [data-side]")) {
    const side = +button.dataset.side;
    [$("b", button).textContent, $("small", button).textContent] = data.cards[numberOf(card)][side];
    button.disabled = !rowsOf(card).length;
    button.ariaPressed = String(!button.disabled && rowsOf(card).every((row) => state.decisions[row.id]?.decision === row.sides[side]));
  }
  const note = $("#note");
  note.disabled = !rowsOf(card).length;
  if (document.activeElement !== note) note.value = state.decisions[noted(card)?.id]?.note ?? "";
}
const noted = (card) => rowsOf(card).find((row) => state.decisions[row.id]?.note) ?? rowsOf(card)[0];

function showProgress() {
  const needed = cards.filter((card) => rowsOf(card).length);
  const open = needed.filter((card) => !isDone(card));
  const unseen = open.filter((card) => card.hidden);
  Object.assign($("progress"), { max: needed.length, value: needed.length - open.length });
  const all = `${needed.length} card${needed.length === 1 ? "" : "s"} decided`;
  $("#status").textContent = open.length ? `${needed.length - open.length} of ${all}` : `All ${all}`;
  const show = () => { unseen.forEach(reveal); select(unseen[0], { scroll: true }); };
  Object.assign($("#hiddenopen"), { hidden: !unseen.length, textContent: `${unseen.length} hidden: show`, onclick: show });
}

// -- deciding -------------------------------------------------------------------------------------------------------
function setDeciding(on) {
  state.deciding = on;
  document.body.classList.toggle("deciding", on);
  dock.hidden = !on;
  $("#decide").ariaPressed = String(on);
  const start = state.current ?? shownCards().find((card) => !isDone(card)) ?? cards[0];
  if (start) select(start, { scroll: true });
}
async function decide(changes, onwards) {
  if (sending || (changes.length && !(await put(changes)))) return;
  if (onwards) step(1);
}
const wholeOf = (card, side) => rowsOf(card).map((row) => [row, { decision: row.sides[side] }]);
function decideRest(side) {
  const paragraph = state.current.closest(".para") ?? document;
  const list = shownCards();
  const rest = list.slice(list.indexOf(state.current)).filter((card) => paragraph.contains(card));
  decide(rest.flatMap((card) => wholeOf(card, side)).filter(([row]) => !isDecided(row)), false);
}
function decidePart(row, choice) {
  decide([[row, { decision: state.decisions[row.id]?.decision === choice ? "" : choice }]], false);
}
function nextOpen() {
  const list = shownCards();
  const open = (card) => !isDone(card);
  select(list.slice(list.indexOf(state.current) + 1).find(open) ?? list.find(open), { scroll: true });
}
async function undo() {
  if (sending || !state.undoable.length) return;
  const before = state.undoable.pop();
  await put(before.map(([row, { decision = "", note = "" }]) => [row, { decision, note }]), { undoable: false });
  select(document.getElementById(`c${before[0][0].n}`), { scroll: true });
}

for (const part of $$(".part")) {
  for (const button of $$("[data-choice]", part)) {
    button.onclick = (event) => { event.stopPropagation(); select(part.closest(".card")); decidePart(data.rows[part.dataset.row], button.dataset.choice); };
  }
}
for (const button of $$("#dock [data-side]")) button.onclick = () => decide(wholeOf(state.current, +button.dataset.side), true);
for (const button of $$("#dock [data-key]")) button.onclick = () => actions[button.dataset.key]();
for (const button of $$("#dock [data-rest]")) button.onclick = () => decideRest(+button.dataset.rest);
$("#decide").onclick = () => setDeciding(!state.deciding);
$("#reader").onchange = (event) => {
  state.reader = event.target.value.trim();
  keep("aifgraph reader", state.reader);
};
let typing = 0;
$("#note").oninput = (event) => {
  const [row, note] = [noted(state.current), event.target.value];
  clearTimeout(typing);
  typing = setTimeout(() => put([[row, { note }]], { undoable: false }), server ? 500 : 0);
};

// -- the file -------------------------------------------------------------------------------------------------------
const COLUMNS = ["row", "text", "group", "kind", "first wording", "second wording", "maps", "decision", "note", "by", "when"];
// As aifgraph writes cells: one line, no formula, a text in quotes quoted once more.
function cell(value) {
  const line = String(value ?? "").split(/\s+/).filter(Boolean).join(" ");
  const safe = /^'*[=+\-@]/.test(line) ? `'${line}` : line;
  return /^".*"$/.test(safe) && safe.length > 1 ? `"${safe.replaceAll('"', '""')}"` : safe;
}
function uncell(value) {
  const plain = /^".*"$/.test(value) && value.length > 1 ? value.slice(1, -1).replaceAll('""', '"') : value;
  return /^'+[=+\-@]/.test(plain) ? plain.slice(1) : plain;
}
function tsv() {
  const lines = rows.map((row) => {
    const [first, second] = $$(`[data-row="${row.id}"] .said > span`).map((said) => said.textContent);
    const values = { row: row.id, text: data.name, group: row.g, kind: row.k, "first wording": first, "second wording": second, maps: data.maps, ...state.decisions[row.id] };
    if (values.decision && !values.by) values.by = state.reader;
    return COLUMNS.map((column) => cell(values[column])).join("\t");
  });
  return `${[COLUMNS.join("\t"), ...lines].join("\n")}\n`;
}
$("#export").onclick = () => {
  const href = URL.createObjectURL(new Blob([tsv()], { type: "text/tab-separated-values" }));
  Object.assign(document.createElement("a"), { download: `${data.name.replace(/[^\w.-]+/g, "-") || "decisions"}.tsv`, href }).click();
  URL.revokeObjectURL(href);
};
async function read(text) {
  const [columns, ...lines] = text.replace(/^\ufeff/, "").split(/\r?\n/).filter((line) => line.trim()).map((line) => line.split("\t").map((value) => uncell(value.trim())));
  const found = lines.map((cells) => Object.fromEntries(columns.map((column, n) => [column, cells[n] ?? ""])));
  const read = found.filter((row) => row.maps === data.maps && data.rows[row.row]);
  if (!read.length) return alert("These decisions are about other maps.");
  if (server) return put(read.map((row) => [data.rows[row.row], { decision: row.decision, note: row.note ?? "" }]));
  for (const row of read) { accept(data.rows[row.row], row); keep(storageKey(data.rows[row.row]), row); }
  state.undoable = [];
  return refresh();
}
$("#import").onclick = () => $("#file").click();
$("#file").onchange = async (event) => event.target.files[0] && read(await event.target.files[0].text());

// -- keys and start -------------------------------------------------------------------------------------------------
const actions = {
  j: () => step(1), k: () => step(-1), n: nextOpen, u: undo, g: toggleMerged,
  d: () => cards.length && setDeciding(!state.deciding), m: () => state.deciding && $("#note").focus(),
  Escape: () => (document.body.matches(".map-open") ? document.body.classList.remove("map-open") : state.deciding && setDeciding(false)),
};
addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest?.("textarea, input:not([type=checkbox], [type=radio])");
  if (field) return void (event.key === "Escape" && field.blur());
  const side = ["Digit1", "Digit2", "1", "2"].findIndex((digit) => digit === event.code || digit === event.key) % 2;
  if (state.deciding && side >= 0) {
    if (event.shiftKey) decideRest(side);
    else decide(wholeOf(state.current, side), true);
  } else if (actions[event.key]) actions[event.key]();
  else return;
  event.preventDefault();
});

load();
refresh();
mapView.fit(mapView.READABLE);
followAddress();
server?.load().then(() => {
  const waited = rows.filter((row) => state.waiting.has(row.id));
  if (waited.length) put(waited.map((row) => [row, kept(storageKey(row))]), { undoable: false });
});
Object.assign(window, { aifgraphPage: { tsv, read, state, sending: () => sending, painting: () => inFrame.size } });
