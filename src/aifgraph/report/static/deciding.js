// Deciding: one card at a time; decisions are kept, exported as the TSV file that merge takes, and read again.
// -- decisions ------------------------------------------------------------------------------------------------------

const FIELDS = ["decision", "note", "by", "when"];
const fileName = `${data.name.replace(/[^\w.-]+/g, "-") || "decisions"}.tsv`;
const storage = `aifgraph decisions ${data.maps}`;
// Decisions are kept in this browser, or by the server (served.js); it says what stands there now.
const server = data.served && servedDecisions(data.served, { name: (row, decision) => labelled(byId.get(row), choiceOf(byId.get(row), decision)), change: changed });
let decisions = {};
let undone = [];
let reader = "";
try {
  if (!server) decisions = JSON.parse(localStorage.getItem(storage) ?? "{}");
  reader = localStorage.getItem("aifgraph reader") ?? "";
} catch { /* a browser that keeps nothing: decisions last as long as the page */ }

function save() {
  try {
    if (!server) localStorage.setItem(storage, JSON.stringify(decisions));
    localStorage.setItem("aifgraph reader", reader);
  } catch { /* as above */ }
}
function mark(row) {
  const decided = decisions[row.id]?.decision;
  cardOf(row).classList.toggle("done", Boolean(decided));
  $("h2", cardOf(row)).dataset.d = decided ? named(row, decided) : "";
}

// A row of what one side has is decided for the side that has it, or for the other.
const choices = (row) => row.s !== "both" ? ["first", "second"] : row.content ? ["first", "second", "neither"]
  : ["first", "second", "both", "neither"];
const KEYS = { 1: "first", 2: "second", 3: "both", 4: "neither" };
const SIDES = { first: [0], second: [1], both: [0, 1], neither: [] };
const labelled = (row, choice) => named(row, choice) + (row.s === "both" || !(choice in SIDES) ? "" : row.s === choice ? ": keep it" : ": leave it out");
const named = (row, choice) => ({ first: data.names[0], second: data.names[1] })[choice] ?? choice;

// One change after the other; whether it is kept.
let pending = Promise.resolve(true);
const put = (row, change) => (pending = pending.then(async () => {
  const before = decisions[row.id];
  const wanted = { decision: "", note: "", ...before, ...change, by: reader, when: new Date().toISOString().slice(0, 19) + "Z" };
  const now = server ? await server.put(row.id, wanted) : wanted;
  if (now && !change.undo) undone.push([row.id, before]);
  const kept = now && keep(row.id, now);
  save();
  return kept === wanted.decision;
}));
// Files say "keep" and "drop" of what one side has.
const choiceOf = (row, decision) => ({ keep: row.s, drop: row.s === "first" ? "second" : "first" })[decision] ?? decision;
function keep(id, now) {
  const decision = choiceOf(byId.get(id), now.decision);
  if (decision || now.note) decisions[id] = { decision, note: now.note ?? "", by: now.by ?? "", when: now.when ?? "" };
  else delete decisions[id];
  mark(byId.get(id));
  return decision;
}
// What others have decided meanwhile, but for the card that is being looked at.
function changed(id, now) {
  if (!byId.has(id) || (!deciding.hidden && asked()[at]?.id === id)) return false;
  keep(id, now);
  save();
  return true;
}

// What a choice takes along, and which decisions it contradicts.
function consequences(row, choice) {
  const also = row.also[row.s === "both" ? choice : row.s === choice ? "keep" : "drop"];
  const before = decisions[row.id];
  decisions[row.id] = { ...before, decision: choice };
  const against = contradictions().flatMap(([one, others]) => one === row ? others : others.includes(row) ? [one] : []);
  if (before) decisions[row.id] = before;
  else delete decisions[row.id];
  const cards = [...new Set(against.map((other) => other.n))];
  return [also, cards.length && `contradicts ${cards.length > 1 ? "cards" : "card"} ${cards.join(", ")}`].filter(Boolean).join("; ");
}

// Whether a unit is decided to be cut as the other side does: of what it joins there nobody knows the part that is meant.
const recut = (row, side) => SIDES[decisions[row.id]?.decision]?.[0] === 1 - side;

// Whether a side's nodes of a row are in the merged map, and which decisions ask for what others leave out.
function judge() {
  const lost = new Set();
  // What both have in two ways is in the map once, whichever is chosen.
  const once = (row) => row.content || row.k === "scheme";
  const keeps = (row, side) => {
    const decided = decisions[row.id]?.decision;
    if (!decided || !(decided in SIDES)) return true;
    if (row.s !== "both") return row.s === decided;
    return once(row) ? decided !== "neither" : SIDES[decided].includes(side);
  };
  const stays = (row, side) => keeps(row, side) && !lost.has(`${row.id} ${side}`);
  const present = ([id, side, only]) => {
    const row = byId.get(id);
    if (only) return !recut(row, side);
    return (row.s === "both" && !once(row) ? [0, 1] : [side]).some((each) => stays(row, each));
  };
  const found = new Map();
  for (let before = -1; before !== lost.size;) {
    before = lost.size;
    for (const row of rows) {
      for (const side of [0, 1]) {
        const group = keeps(row, side) && row.needs[side].find((needed) => !needed.some(present));
        if (group && !lost.has(`${row.id} ${side}`)) {
          lost.add(`${row.id} ${side}`);
          if (isOpen(row)) continue;
          found.set(row, [...new Set([...(found.get(row) ?? []), ...group.map(([id]) => byId.get(id))])]);
        }
      }
    }
  }
  return { troubles: [...found], stays };
}
const contradictions = () => judge().troubles;

// -- deciding: one card fills the screen ------------------------------------------------------------------------------

const deciding = $("#deciding");
const [main, map] = [$("#read"), $("#map")];
let at = 0;
const asked = () => { const groups = shownGroups(); return rows.filter((row) => groups.has(groupOf(row))); };
const isOpen = (row) => !decisions[row.id]?.decision;
const button = (text, onclick, more = {}) => element("button", { onclick, ...more }, ...[text].flat());
const key = (text) => element("kbd", { textContent: text });

function bar(list) {
  const done = list.filter((row) => !isOpen(row)).length;
  const troubles = contradictions().length;
  // A narrow screen has these on the last card only.
  const late = { className: at < list.length ? "late" : "" };
  const name = element("input", { ...late, type: "text", value: reader, placeholder: "your name", ariaLabel: "decided by" });
  name.onchange = () => { reader = name.value.trim(); save(); };
  const file = element("input", { type: "file", accept: ".tsv,.txt,.csv", hidden: true });
  file.onchange = async () => file.files[0] && read(await file.files[0].text());
  return element("div", { className: "bar" },
    button("← reading", close, { ariaKeyShortcuts: "Escape" }),
    element("progress", { max: list.length, value: done, ariaLabel: "decided" }),
    element("span", { role: "status" }, `${done} of ${list.length} decided`,
      troubles ? element("b", { textContent: ` ⚠ ${troubles} contradict${troubles > 1 ? "" : "s"}` }) : ""),
    button([key("k"), "back"], () => move(-1)), button([key("j"), "on"], () => move(1)),
    button([key("n"), "next open"], next), button([key("u"), "undo"], undo, { disabled: !undone.length }),
    drawing ? button([key("g"), "gold map"], gold, late) : "",
    name, element("span", { className: "push" }), button("export TSV", write, late), button("import", () => file.click(), late), file);
}

function draw() {
  const list = asked();
  at = Math.max(0, Math.min(at, list.length));
  const row = list[at];
  leaveGold();
  fill(bar(list), row ? oneCard(row, list) : end(list), row ? buttons(row) : element("div"));
  if (!row) main.append(map);
  if (row) {
    select(cardOf(row), { map: false });
    if (map.parentNode !== deciding) deciding.append(map);
    // A long card is set smaller, and without its passage, until it is whole.
    const card = $(".one-card", deciding);
    for (const size of ["small", "smaller", "smallest"]) if (card.scrollHeight > card.clientHeight + 1) card.classList.add(size);
    centre([...partsOf(selected), ...endsOf(selected)]);
  }
  $("h1", deciding).focus();
}

// What stands above the map, which stays: moving it costs as much as drawing it.
function fill(...parts) {
  for (const part of [...deciding.children]) if (part !== map) part.remove();
  deciding.prepend(...parts);
}

// The map as it is decided: what is left out is hidden, what is open stays dashed or dotted.
let inGold = false;
function gold() {
  if (!drawing) return;
  inGold = true;
  if (selected) light(selected, "on", false);
  const open = asked().filter(isOpen).length;
  deciding.classList.add("gold");
  fill(element("div", { className: "bar" }, button(["← cards ", key("g")], draw), element("h1", { tabIndex: -1, textContent: "The gold map" }),
    element("span", { role: "status", textContent: open ? `${open} differences open, with both sides` : "all decided" })));
  deciding.append(map);
  paint();
  zoomBy.fit();
  $("h1", deciding).focus();
}
function leaveGold() {
  inGold = false;
  deciding.classList.remove("gold");
  for (const part of $$(".out, .sure", drawing ?? view)) part.classList.remove("out", "sure");
}
function paint() {
  const { stays } = judge();
  const byNumber = new Map(rows.map((row) => [`${row.n}`, row]));
  const rowOf = (n) => byNumber.get(n);
  const numbers = (text, at) => (text ?? "").split(at).filter(Boolean);
  const sidesOf = (part) => part.classList.contains("one") ? [0] : part.classList.contains("two") ? [1] : [0, 1];
  // A relation that follows from a claim goes with its ends, one that follows from a cut with its side.
  const follows = (row, side) => row.k === "missing" || (SIDES[decisions[row.id]?.decision] ?? [0, 1]).includes(side);
  // A line stands for nodes, each with its row (0: none) and the cuts that it needs.
  const left = (node) => numbers(node, "+").every((place, n) => {
    const [row, side] = [rowOf(place.split(".")[0]), +place.split(".")[1]];
    return !row || (n ? !recut(row, side) : ["propositions", "locutions"].includes(row.g) ? follows(row, side) : stays(row, side));
  });
  const parts = $$("[data-e], [data-n]", drawing);
  for (const part of parts) {
    const own = numbers(part.dataset.c, " ").map(rowOf);
    const here = part.dataset.e ? numbers(part.dataset.kept, " ").some(left)
      : !own.length || own.some((row) => sidesOf(part).some((side) => stays(row, side)));
    if (!here) part.classList.add("out");
    else if (own.every((row) => !isOpen(row))) part.classList.add("sure");
    const kept = own.length === 1 && SIDES[decisions[own[0].id]?.decision];
    if (kept) for (const side of [0, 1]) for (const line of $$(`.s${side}`, part)) line.classList.toggle("out", !kept.includes(side));
  }
  for (const row of rows) {
    if (row.content && decisions[row.id]?.decision === "neither") $(`.b[data-p="${cardOf(row).dataset.p.trim()}"]`, drawing)?.classList.add("out");
  }
  // A line goes with either end, the hub of a relation with all its premises or all it leads to.
  const lines = parts.filter((part) => part.dataset.e && part.matches("path"));
  for (let before = -1, count = 0; before !== count;) {
    before = count;
    const left = lines.filter((line) => !line.classList.contains("out")).map((line) => line.dataset.e.split(" "));
    for (const hub of parts.filter((part) => part.matches(".h"))) {
      const name = hub.dataset.n;
      if (!left.some(([from]) => from === name) || !left.some(([, to]) => to === name)) hub.classList.add("out");
    }
    const gone = new Set(parts.filter((part) => part.dataset.n && part.classList.contains("out")).map((part) => part.dataset.n));
    for (const part of parts) if (part.dataset.e?.split(" ").some((end) => gone.has(end))) part.classList.add("out");
    count = parts.filter((part) => part.classList.contains("out")).length;
  }
}

function oneCard(row, list) {
  const card = cardOf(row);
  const decided = decisions[row.id]?.decision;
  const passage = passageOf(card)?.closest(".para").cloneNode(true);
  for (const other of passage ? $$(".card", passage) : []) other.remove();
  const near = passage ? $$(".p", passage) : [];
  const own = near.findIndex((other) => other.id === passageOf(card).id);
  for (const [n, other] of near.entries()) {
    other.classList.toggle("on", n === own);
    other.removeAttribute("id");
    if (Math.abs(n - own) > 1) other.replaceWith(n === own - 2 || n === own + 2 ? "… " : "");
  }
  const sides = $$(".side", card).map((side, n) => {
    const copy = side.cloneNode(true);
    copy.classList.toggle("kept", decided in SIDES && (row.s === "both" ? SIDES[decided].includes(n) : SIDES[decided][0] === n));
    return copy;
  });
  const note = element("textarea", { value: decisions[row.id]?.note ?? "", id: "note" });
  note.onchange = () => put(row, { note: note.value.trim() });
  const title = $("h2", card).cloneNode(true);
  for (const extra of $$("button", title)) extra.remove();
  return element("section", { className: "one-card" },
    element("h1", { tabIndex: -1 }, ...title.childNodes, element("small", { textContent: `${at + 1} of ${list.length}` })),
    passage ?? "", element("div", { className: "two" }, ...sides),
    decided && !(decided in SIDES) ? element("p", {}, `Decided: “${decided}”`) : "",
    element("label", { className: "note-field" }, "Note ", key("m"), note));
}

function buttons(row) {
  const decided = decisions[row.id]?.decision;
  return element("div", { className: "choices", role: "group", ariaLabel: "Decision" }, ...choices(row).map((choice) => {
    const n = Object.keys(KEYS).find((each) => KEYS[each] === choice);
    const more = consequences(row, choice);
    return button([key(n), element("b", { textContent: labelled(row, choice) }), more ? element("small", { textContent: more }) : ""], () => decide(choice), { ariaPressed: String(decided === choice) });
  }));
}

function end(list) {
  const goTo = (row) => button(titleOf(row), () => { reveal(cardOf(row)); at = asked().indexOf(row); draw(); });
  const goToAll = (some) => some.flatMap((row, n) => [n ? ", " : "", goTo(row)]);
  const open = list.filter(isOpen);
  const troubles = contradictions();
  // What is left out, with all that needs it.
  const causes = Map.groupBy(troubles, ([, others]) => others.map((other) => other.id).join());
  const sentence = (group) => element("li", {}, ...goToAll(group[0][1]), " removes a node that is kept in ", ...goToAll(group.map(([row]) => row)));
  return element("section", { className: "one-card" },
    element("h1", { tabIndex: -1, textContent: open.length ? `${open.length} still open` : "All decided" }),
    troubles.length ? element("div", { className: "trouble" }, element("p", {}, element("b", { textContent: troubles.length > 1 ? `${troubles.length} decisions contradict other decisions. Change one of each two:` : "One decision contradicts another. Change one of the two:" })),
      element("ul", {}, ...[...causes.values()].map(sentence))) : element("p", { textContent: "No decisions contradict each other." }),
    open.length ? element("ul", {}, ...open.map((row) => element("li", {}, goTo(row)))) : "",
    server ? element("p", {}, "The decisions are on the disk of the server. ", element("a", { href: "/", textContent: "All pairs" }))
      : element("p", {}, "Export the decisions, then: ", element("code", { textContent: `aifgraph merge FIRST SECOND --decisions ${fileName} -o gold.json` })),
    element("p", {}, button("export TSV", write), " ", drawing ? button(["gold map ", key("g")], gold) : ""));
}
function titleOf(row) {
  const words = $(row.s === "second" ? ".s1" : ".s0", cardOf(row)).textContent.replace(/^[^:]*:/, "").trim();
  return `${row.n} ${$("h2 span:not(.no)", cardOf(row)).textContent}: ${words.length > 90 ? `${words.slice(0, 90)}…` : words}`;
}

// Until a decision is kept, the page stays where it is.
let sending = false;
async function alone(work) {
  if (sending) return;
  sending = true;
  try { await work(); } finally { sending = false; }
}
const decide = (choice) => alone(async () => {
  const row = asked()[at];
  if (!row || !choices(row).includes(choice)) return;
  if (await put(row, { decision: choice })) move(1, true);
  else draw();
});
function move(by, decided = false) {
  if (sending && !decided) return;
  at += by;
  draw();
}
function next() {
  if (sending) return;
  const list = asked();
  const found = [...list.keys()].find((n) => n > at && isOpen(list[n])) ?? list.findIndex(isOpen);
  at = found < 0 ? list.length : found;
  draw();
}
const undo = () => alone(async () => {
  const [id, before] = undone.pop() ?? [];
  if (!id) return;
  await put(byId.get(id), { decision: "", note: "", ...before, undo: true });
  const place = asked().indexOf(byId.get(id));
  if (place >= 0) at = place;
  draw();
});
function open() {
  const list = asked();
  const start = selected ? list.findIndex((row) => cardOf(row) === selected) : list.findIndex(isOpen);
  at = start < 0 ? 0 : start;
  document.body.classList.add("deciding");
  deciding.hidden = false;
  main.hidden = true;
  draw();
}
function close() {
  if (sending) return;
  leaveGold();
  const row = asked()[at];
  document.body.classList.remove("deciding");
  deciding.hidden = true;
  main.hidden = false;
  main.append(map);
  if (row) select(cardOf(row), { scroll: true });
}

// -- the file ---------------------------------------------------------------------------------------------------------

const COLUMNS = ["row", "text", "group", "kind", "first wording", "second wording", "maps", ...FIELDS];
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
    const [first, second] = $$(".side", cardOf(row)).map((side) => side.textContent.replace(/^[^:]*:/, ""));
    const values = { row: row.id, text: data.name, group: row.g, kind: row.k, "first wording": first, "second wording": second, maps: data.maps, ...decisions[row.id] };
    if (values.decision && !values.by) values.by = reader;
    return COLUMNS.map((column) => cell(values[column])).join("\t");
  });
  return [COLUMNS.join("\t"), ...lines].join("\n") + "\n";
}
function write() {
  const link = element("a", { download: fileName, href: URL.createObjectURL(new Blob([tsv()], { type: "text/tab-separated-values" })) });
  link.click();
  URL.revokeObjectURL(link.href);
}
async function read(text) {
  const [head, ...lines] = text.replace(/^\ufeff/, "").split(/\r?\n/).filter((line) => line.trim()).map((line) => line.split("\t").map((value) => uncell(value.trim())));
  const found = lines.map((cells) => Object.fromEntries(head.map((column, n) => [column, cells[n] ?? ""])));
  const own = found.filter((row) => row.maps === data.maps && byId.has(row.row));
  if (!own.length) return alert("These decisions are about other maps.");
  undone = [];
  for (const row of own) {
    if (server) await put(byId.get(row.row), { decision: row.decision, note: row.note ?? "" });
    else keep(row.row, row);
  }
  save();
  draw();
}

// -- keys and start -----------------------------------------------------------------------------------------------------

const actions = { j: () => move(1), k: () => move(-1), n: next, u: undo, m: () => $("#note")?.focus(), g: gold, Escape: close };
addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest?.("textarea, input:not([type=checkbox])");
  if (typing) return void (event.key === "Escape" && typing.blur());
  if (deciding.hidden) {
    if (event.key === "d") open();
    else if (event.key === "Escape") document.body.classList.remove("map-open");
    else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
    else return;
  } else if (inGold) {
    if (event.key !== "g" && event.key !== "Escape") return;
    draw();
  } else if (KEYS[event.key]) decide(KEYS[event.key]);
  else if (actions[event.key]) actions[event.key]();
  else return;
  event.preventDefault();
});
function step(by) {
  const cards = $$(".card:not([hidden])");
  const to = cards[selected ? cards.indexOf(selected) + by : 0];
  if (to) { select(to, { scroll: true }); to.focus({ preventScroll: true }); }
}
$("#decide").onclick = open;
// The map takes what the head leaves of the window.
const head = $("header");
const stretch = () => { map.style.height = `${innerHeight - Math.max(0, head.getBoundingClientRect().bottom)}px`; };
addEventListener("scroll", stretch, { passive: true });
addEventListener("resize", stretch);
stretch();
rows.forEach(mark);
setZoom(fitting() < 0.7 ? 0.8 : fitting());
const largest = document.getElementById(`c${data.largest}`);
if (largest) centre([...partsOf(largest), ...endsOf(largest)]);
follow();
server?.load();
Object.assign(window, { aifgraphPage: { tsv, read, contradictions } });
