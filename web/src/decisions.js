// Decisions about the differences: a panel at the foot of the page, one difference at a time, by mouse and by keys.
import { make } from "./elements.js";
import { decisionsTable, download } from "./decision_export.js";
import { listKeys, showKeys } from "./keys.js";
import { smallMaps } from "./printed.js";
import { OPEN, storeOf } from "./decision_store.js";
import { Gold } from "./gold.js";

const KEYS = [["x", "open again"], ["a", "the next decision is for all open ones of this kind"], ["m", "note"],
  ["u", "undo"], ["g", "the gold map so far, in the service"], ["j or ↓", "next difference"], ["k or ↑", "previous difference"], ["o", "next open difference"], ["v", "show it in the maps"], ["Esc", "out of a field"]];
// In larger maps the maps follow only when they are asked to: drawing would hold up the next key.
const FOLLOWS = 1500;

export function adjudicate(model) {
  if (!model.decisions?.count) return;
  const heading = document.getElementById("differences-h") ?? document.querySelector("h2");
  const start = make("button", { type: "button", class: "decide" }, "Decide these differences …");
  heading.after(start);
  let panel;
  const open = async () => {
    panel ??= unpacked(model.decisions.packed).then((given) => new Panel(model, given, model.elements.length <= FOLLOWS));
    (await panel).open();
  };
  start.addEventListener("click", async () => {
    await open();
    heading.scrollIntoView();
  });
  if (model.decisions.served) open();
}

// What only deciding needs is in the page in a small form.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

class Panel {
  constructor(model, given, follows) {
    const rows = given.rows.map((row, number) => ({ ...row, number, decision: "" }));
    this.model = model;
    this.given = given;
    this.rows = rows;
    this.follows = follows;
    this.current = 0;
    this.undone = [];
    this.remark = "";
    this.all = false;
    this.isReady = false;
    this.buttons = new Map();
    this.byId = new Map(rows.map((row) => [row.id, row]));
    listKeys("Keys, while you decide", [...given.kinds.map(({ name, key, free }) => [key, free ? "another wording or label" : name]), ...KEYS]);
    this.lines = new Map([...document.querySelectorAll("li[data-row]")].map((line) => [line.dataset.row, line]));
    this.build();
    this.store = storeOf(given, (ids) => this.changed(ids), (text, bad) => this.tell([this.remark, text].filter(Boolean).join(" "), bad));
    if (given.served) {
      this.gold = new Gold(given.served.gold, { go: (id) => this.go(this.byId.get(id).number), nameOf: (id) => this.nameOf(id), problem: (nodes) => this.problem.replaceChildren(...nodes) });
    }
    this.name.value = this.store.name ?? "";
    this.changed(rows.map((row) => row.id));
    // Before the maps, which have keys of their own: whoever decides means a decision.
    document.addEventListener("keydown", (event) => this.key(event), { capture: true });
    document.addEventListener("click", (event) => {
      const row = this.byId.get(event.target.closest?.("li[data-row]")?.dataset.row);
      if (row && this.isOpen && row.number !== this.current) this.go(row.number, { show: false });
    });
  }

  build() {
    const button = (text, does, more = {}) => {
      const made = make("button", { type: "button", ...more }, text);
      made.addEventListener("click", does);
      return made;
    };
    this.progress = make("progress", { max: String(this.rows.length), value: "0", "aria-label": "decided" });
    this.count = make("span", { class: "decided-count" });
    this.status = make("p", { role: "status", class: "saved" });
    this.about = make("div", { class: "about" });
    this.buttons = new Map(this.given.kinds.map(({ name, key, free }) => [name,
      button(free ? `${name} …` : name, () => this.choose(name), { class: "choice", "data-choice": name, "aria-keyshortcuts": key, title: `key ${key}` })]));
    this.allButton = button("", () => this.toggleAll(), { class: "all-alike", "aria-pressed": "false", title: "key a" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.again = button("open again", () => this.decide("", undefined, { stay: true }), { "data-choice": "", title: "key x" });
    this.note = make("input", { type: "text", "aria-label": "Note", placeholder: "note (m)", maxlength: "2000", autocomplete: "off", class: "note-field" });
    this.note.addEventListener("change", () => this.noted());
    this.other = make("input", { type: "text", autocomplete: "off", class: "other-field", maxlength: "20000", list: "decision-labels" });
    this.labels = make("datalist", { id: "decision-labels" });
    this.take = button("take it", () => this.taken());
    this.otherLine = make("form", { class: "other-line", hidden: "" }, make("label", {}, this.otherName = make("span"), " ", this.other), this.labels, this.take);
    this.otherLine.addEventListener("submit", (event) => { event.preventDefault(); this.taken(); });
    this.name = make("input", { type: "text", "aria-label": "Who decides", placeholder: "your name", maxlength: "100", autocomplete: "name" });
    this.name.addEventListener("change", () => { this.store.name = this.name.value.trim(); });
    const { served } = this.given;
    const links = served ? [["list of pairs", "/"], ["previous pair", served.previous], ["next pair", served.next]].filter(([, address]) => address)
      .map(([text, address]) => make("a", { href: address }, text)) : [make("label", {}, "decided by ", this.name)];
    this.undoButton = button("undo", () => this.undo(), { title: "key u" });
    this.box = make("section", { class: "decisions", "aria-label": "Decisions", tabindex: "-1" },
      make("div", { class: "bar" }, this.progress, this.count,
        make("span", { class: "group" }, button("←", () => this.step(-1), { "aria-label": "Previous difference", title: "key k" }),
          button("→", () => this.step(1), { "aria-label": "Next difference", title: "key j" }), button("next open", () => this.nextOpen(), { title: "key o" })),
        this.undoButton, button("show", () => this.show(), { title: "key v" }),
        button("export decisions", () => this.exportDecisions(), { class: "export-decisions" }),
        ...(served ? [this.goldButton = button("gold so far", () => this.toggleGold(), { class: "gold-so-far", "aria-pressed": "false", title: "key g" }), button("merged map", () => this.fetchMap(served.map), { class: "merged-map" })] : []), ...links,
        button("? keys", showKeys), button("close", () => this.close())),
      this.about,
      make("div", { class: "foot" },
        make("div", { class: "choices", role: "group", "aria-label": "Decision" }, ...this.buttons.values(), this.allButton, this.again, this.note),
        this.otherLine, this.problem, this.status));
    document.body.append(this.box);
  }

  get row() {
    return this.rows[this.current];
  }

  // In the list, the maps and the text.
  show() {
    this.lines.get(this.row.id)?.querySelector("button.difference")?.click();
  }

  get isOpen() {
    return !this.box.hidden;
  }

  open() {
    this.box.hidden = false;
    document.body.classList.add("deciding");
    this.box.focus({ preventScroll: true });
    this.begin();
  }

  // At the first open difference, when it is known what is decided: before that, no key decides anything.
  async begin() {
    if (!this.isReady) {
      this.box.setAttribute("aria-busy", "true");
      this.tell("Reading what is decided …");
      await this.store.ready;
      this.isReady = true;
      this.box.removeAttribute("aria-busy");
      const decided = this.rows.filter((row) => row.decision).length;
      if (decided) this.tell(decided < this.rows.length ? `${decided} were decided before; here is the first that is open.` : "Every difference is decided.");
      else if (this.given.served) this.tell("");
      this.gold?.ask();
    }
    this.go(Math.max(this.rows.findIndex((row) => !row.decision), 0));
  }

  close() {
    this.box.hidden = true;
    document.body.classList.remove("deciding");
  }

  tell(text, bad = false) {
    this.status.textContent = text;
    this.status.classList.toggle("bad", bad);
  }

  // The rows have other decisions than before: in the list, and here.
  changed(ids) {
    for (const id of ids) {
      const row = this.byId.get(id);
      if (!row) continue;
      const { decision } = this.store.get(id);
      row.decision = decision;
      const line = this.lines.get(id);
      if (line) {
        line.classList.toggle("decided", Boolean(decision));
        let badge = line.querySelector(".badge");
        if (!badge && decision) line.prepend(badge = make("span", { class: "badge" }));
        if (badge) badge.textContent = decision ? `✓ ${decision}` : "";
      }
    }
    this.countUp();
    if (ids.includes(this.row.id)) this.tellRow();
  }

  countUp() {
    const decided = this.rows.filter((row) => row.decision).length;
    const worded = this.rows.filter((row) => !row.decision && row.cells.kind === "reworded").length;
    const open = this.rows.length - decided - worded;
    this.progress.value = decided;
    // Where only the wording differs nobody has to decide: one of the two stands.
    this.count.textContent = `${decided} of ${this.rows.length} decided, ${open} open${worded ? `, ${worded} in wording only` : ""}`;
    this.undoButton.disabled = !this.undone.length;
  }

  go(number, { show = this.follows } = {}) {
    this.lines.get(this.row.id)?.classList.remove("current");
    this.current = (number + this.rows.length) % this.rows.length;
    this.lines.get(this.row.id)?.classList.add("current");
    this.otherLine.hidden = true;
    this.all = false;
    this.tellRow();
    clearTimeout(this.following);
    if (show) this.following = setTimeout(() => this.show(), 120);
  }

  step(by) {
    this.go(this.current + by);
  }

  nextOpen() {
    const { rows } = this;
    for (let by = 1; by <= rows.length; by += 1) {
      const number = (this.current + by) % rows.length;
      if (!rows[number].decision) return this.go(number);
    }
    this.tell("Every difference is decided.");
  }

  tellRow() {
    const { row } = this;
    const { decision, note, by, when } = this.store.get(row.id);
    const { relations } = row.cells;
    this.about.replaceChildren(
      make("p", {}, make("b", {}, `${row.number + 1} of ${this.rows.length} · ${row.heading}`), ` (row ${row.id})`),
      ...(row.maps.length ? [smallMaps(this.model, row.maps, this.given.layouts, this.about.clientWidth)] : this.wordings(row)));
    if (relations && !row.maps.length) this.about.append(make("p", { class: "wording" }, make("b", {}, "used in: "), make("bdi", {}, relations)));
    const free = this.given.kinds.find((each) => each.free)?.name;
    const chosen = !decision || row.choices.includes(decision) ? decision : free;
    for (const [name, button] of this.buttons) {
      button.hidden = !row.choices.includes(name);
      button.setAttribute("aria-pressed", String(name === chosen));
    }
    if (chosen === free) this.about.append(make("p", { class: "wording" }, make("b", {}, "decided: "), make("bdi", {}, decision)));
    if (decision && (by || when)) this.about.append(make("p", { class: "who" }, `decided${by ? ` by ${by}` : ""}${when ? ` on ${when.slice(0, 16).replace("T", " at ")}` : ""}`));
    this.again.disabled = !decision;
    const alike = this.alike().length;
    this.allButton.hidden = alike < 2;
    this.allButton.textContent = `all ${alike} open: ${row.heading}`;
    this.allButton.setAttribute("aria-pressed", String(this.all));
    this.note.value = note;
  }

  // Where nothing lays maps out.
  wordings({ cells }) {
    const sides = ["first", "second"].filter((side) => cells[`${side} wording`]);
    return sides.map((side) => make("p", { class: "wording" }, make("span", { class: `mark ${side}`, "aria-hidden": "true" }),
      make("b", {}, `${side}: `), make("bdi", {}, cells[`${side} wording`])));
  }

  // A row in a few words, as a link to it says it.
  nameOf(id) {
    const { cells, heading } = this.byId.get(id);
    const words = cells["first wording"] || cells["second wording"];
    return `${heading}, ${words.length > 90 ? `${words.slice(0, 89)}…` : words}`;
  }

  // The open rows that differ in the same way.
  alike() {
    return this.rows.filter((row) => row.heading === this.row.heading && !row.decision);
  }

  toggleAll() {
    if (this.alike().length < 2) return this.tell("No other open difference is of this kind.");
    this.all = !this.all;
    this.tellRow();
    this.tell(this.all ? `The next decision is for all ${this.alike().length} open ones of this kind; “a” takes that back.` : "");
  }

  toggleGold() {
    if (this.gold) this.goldButton.setAttribute("aria-pressed", String(this.gold.toggle()));
  }

  choose(name) {
    if (!this.isReady) return;
    if (!this.row.choices.includes(name)) return this.tell(`This difference cannot be decided as ${name}.`, true);
    if (this.given.kinds.some((each) => each.free && each.name === name)) this.askOther();
    else if (this.all) this.decideAll(name);
    else this.decide(name);
  }

  askOther() {
    const { row } = this;
    const labels = this.given.labels[row.cells.group];
    this.otherLine.hidden = false;
    this.otherName.textContent = labels ? "another label:" : "another wording:";
    this.labels.replaceChildren(...(labels ?? []).map((label) => make("option", { value: label })));
    const { decision } = this.store.get(row.id);
    this.other.value = decision && !row.choices.includes(decision) ? decision : labels ? "" : plain(row.cells["first wording"] || row.cells["second wording"]);
    this.other.focus();
    this.other.select();
  }

  taken() {
    const text = this.other.value.split(/\s+/u).filter(Boolean).join(" ");
    const labels = this.given.labels[this.row.cells.group];
    const letters = (name) => [...name].filter((each) => /[\p{L}\p{N}]/u.test(each)).join("").toLocaleLowerCase();
    if (!text) return this.tell("Write a wording or a label first.", true);
    if (labels && !labels.some((label) => letters(label) === letters(text))) return this.tell(`No label is called “${text}”; choose one of the list.`, true);
    this.otherLine.hidden = true;
    this.box.focus({ preventScroll: true });
    this.decide(text);
  }

  noted() {
    const { decision, note } = this.store.get(this.row.id);
    if (this.note.value.trim() !== note) this.decide(decision, this.note.value.trim(), { stay: true });
  }

  // A decision with its note; the next open difference is shown at once, whatever the disk does.
  decide(decision, note = this.note.value.trim(), { stay = false, row = this.row } = {}) {
    const before = this.store.get(row.id);
    if (before.decision === decision && before.note === note) {
      if (!stay) this.nextOpen();
      return;
    }
    this.undone.push([{ row, decision: before.decision, note: before.note }]);
    const by = before.by && before.by !== this.store.name ? ` by ${before.by}` : "";
    const changes = before.decision && before.decision !== decision;
    this.remark = changes ? `Difference ${row.number + 1}: “${before.decision}”${by} is now ${decision ? `“${decision}”` : "open"}; u takes that back.` : "";
    if (changes) this.tell(this.remark);
    this.put(row, decision, note);
    if (!stay) this.nextOpen();
  }

  put(row, decision, note) {
    this.store.put(row.id, decision, note);
    this.changed([row.id]);
    this.gold?.soon(this.store.last);
  }

  decideAll(name) {
    const rows = this.alike().filter((row) => row.choices.includes(name));
    this.undone.push(rows.map((row) => ({ row, decision: "", note: this.store.get(row.id).note })));
    this.remark = `${rows.length} differences: “${name}”; u takes them all back.`;
    for (const row of rows) this.put(row, name, this.store.get(row.id).note);
    this.nextOpen();
  }

  undo() {
    const last = this.undone.pop();
    if (!last) return this.tell("There is nothing to undo.");
    this.remark = last.length > 1 ? `${last.length} decisions are taken back.` : "";
    this.go(last[0].row.number);
    for (const { row, decision, note } of last) this.put(row, decision, note);
    this.tellRow();
    this.countUp();
  }

  exportDecisions() {
    download(`${this.given.file}-decisions.tsv`, decisionsTable(this.given, (id) => this.store.get(id) ?? OPEN), "text/tab-separated-values");
  }

  // What `aifgraph merge` makes of the decisions so far, or why it makes nothing of them.
  async fetchMap(address) {
    await this.store.last;
    const answer = await fetch(address);
    if (answer.ok) return download(`${this.given.file}-merged.json`, await answer.text(), "application/json");
    const { error } = await answer.json();
    this.tell(`Not merged: ${[error.what, error.remedy].filter(Boolean).join("; ")}`, true);
  }

  key(event) {
    if (!this.isOpen || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target.closest?.(".decisions input")) {
      this.otherLine.hidden = true;
      this.box.focus({ preventScroll: true });
      return;
    }
    if (event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog[open]")) {
      if (event.key === "Enter" && event.target === this.note) this.box.focus({ preventScroll: true });
      return;
    }
    const inList = !event.target.closest?.(".scroll, .text, .details, .canvas, [role=region]");
    const kind = this.given.kinds.find(({ key, name }) => key === event.key && this.row.choices.includes(name)) ?? this.given.kinds.find(({ key }) => key === event.key);
    const act = kind ? () => this.choose(kind.name) : {
      x: () => this.decide("", undefined, { stay: true }), a: () => this.toggleAll(), g: () => this.toggleGold(), m: () => this.note.focus(), u: () => this.undo(), j: () => this.step(1), k: () => this.step(-1),
      ArrowDown: inList && (() => this.step(1)), ArrowUp: inList && (() => this.step(-1)), o: () => this.nextOpen(), v: () => this.show(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.isReady) act();
  }
}

// A wording without the quotation marks that the list puts around it.
function plain(wording) {
  return wording.replace(/^“|”$/gu, "");
}
