// Where decisions are kept: in the browser's own storage for a page from a file, on disk by the service that serves the
// page. A decision is { decision, note, by, when }; a row without one is open.
import { remembered } from "./remembered.js";

export const OPEN = Object.freeze({ decision: "", note: "", by: "", when: "" });
const same = (one, other) => one.decision === other.decision && one.note === other.note && one.when === other.when;

// `changed(rows)` is called with the ids of rows that others have changed, `told(text, bad)` with what to say.
export function storeOf(given, changed, told) {
  return given.served ? new Service(given, changed, told) : new Browser(given, changed, told);
}

class Browser {
  constructor(given, changed, told) {
    this.key = `aifgraph-decisions-${given.maps}`;
    this.rows = new Map();
    this.told = told;
    this.last = Promise.resolve();
    this.ready = this.last;
    this.take(this.read());
    told(this.rows.size ? "Your decisions of before are here again." : "Decisions are kept in this browser; export them to be safe.", false);
    // Another tab with the same two maps.
    addEventListener("storage", (event) => {
      if (event.key === this.key) changed(this.take(this.read()));
    });
  }

  get name() {
    return remembered.get("aifgraph-name") ?? "";
  }

  set name(value) {
    remembered.set("aifgraph-name", value);
  }

  read() {
    try {
      const found = JSON.parse(remembered.get(this.key) ?? "{}");
      return Object.entries(found).filter(([, each]) => each && Object.keys(OPEN).every((name) => typeof each[name] === "string"));
    } catch {
      return [];
    }
  }

  // The rows as they are in the storage now; gives the ids of those that are others than before.
  take(entries) {
    const now = new Map(entries);
    const ids = [...new Set([...now.keys(), ...this.rows.keys()])].filter((id) => !same(now.get(id) ?? OPEN, this.get(id)));
    this.rows = now;
    return ids;
  }

  get(id) {
    return this.rows.get(id) ?? OPEN;
  }

  async put(id, decision, note) {
    // Other tabs write there too: one row is changed, the others stay as they are.
    this.take([...this.rows, ...this.read()]);
    const empty = !decision && !note;
    if (empty) this.rows.delete(id);
    else this.rows.set(id, { decision, note, by: this.name, when: new Date().toISOString() });
    const kept = remembered.set(this.key, JSON.stringify(Object.fromEntries(this.rows)));
    this.told(kept ? "Kept in this browser." : "This browser keeps nothing for this page: export the decisions before you close it.", !kept);
    return true;
  }
}

class Service {
  constructor(given, changed, told) {
    this.address = given.served.decisions;
    this.changed = changed;
    this.told = told;
    this.name = given.served.by;
    this.state = "";
    this.token = "";
    this.last = Promise.resolve();
    // What the service has said, and what was clicked and not answered yet.
    this.known = new Map();
    this.waiting = new Map();
    this.answered = new Map();
    // Nothing is decided before it is known what is decided already.
    this.ready = new Promise((resolve) => { this.isReady = () => resolve(undefined); });
    this.poll();
    setInterval(() => document.hidden || this.poll(), 2000);
  }

  get(id) {
    return this.waiting.get(id)?.at(-1) ?? this.known.get(id) ?? OPEN;
  }

  // Requests go one after the other, as they were clicked.
  queue(work) {
    this.last = this.last.then(work).catch((error) =>
      this.told(error instanceof TypeError ? "The service does not answer; is it still running?" : error.message, true));
    return this.last;
  }

  // What others have decided meanwhile.
  poll() {
    return this.queue(() => this.read());
  }

  async read() {
    const answer = await fetch(`${this.address}?state=${encodeURIComponent(this.state)}`);
    const found = await answer.json();
    if (!answer.ok) throw new Error(said(found.error));
    this.state = found.state;
    this.token = found.token;
    this.isReady();
    if (!found.rows) return;
    const now = new Map(Object.entries(found.rows));
    const ids = [...new Set([...now.keys(), ...this.known.keys()])].filter((id) => !same(now.get(id) ?? OPEN, this.known.get(id) ?? OPEN));
    this.known = now;
    if (ids.length) this.changed(ids);
  }

  put(id, decision, note) {
    const seen = this.known.get(id) ?? OPEN;
    const mine = { decision, note, by: this.name, when: "" };
    this.waiting.set(id, [...(this.waiting.get(id) ?? []), mine]);
    return this.queue(() => this.send(id, mine, seen));
  }

  post(body) {
    return fetch(this.address, { method: "POST", headers: { "Content-Type": "application/json", "X-Aifgraph-Token": this.token }, body });
  }

  async send(id, mine, seen) {
    // An earlier click on the same row has been answered since this one.
    const base = this.answered.get(id) ?? seen;
    let saved = false;
    try {
      const body = JSON.stringify({ row: id, decision: mine.decision, note: mine.note, seen: { decision: base.decision, when: base.when } });
      let answer = await this.post(body);
      if (answer.status === 403) { // the service was started anew, with another token
        await this.read();
        answer = await this.post(body);
      }
      const found = await answer.json();
      saved = answer.ok;
      if (saved || found.current) this.known.set(id, saved ? found : found.current);
      if (saved) this.answered.set(id, found);
      this.told(saved ? "Written to disk." : `Not saved: ${said(found.error)}`, !saved);
    } catch {
      this.told("Not saved: the service does not answer; is it still running?", true);
    }
    const rest = this.waiting.get(id).slice(1);
    if (rest.length) this.waiting.set(id, rest);
    else {
      this.waiting.delete(id);
      this.answered.delete(id);
    }
    this.changed([id]);
    return saved;
  }
}

function said(error) {
  return [error?.what ?? "the service answered with an error", error?.remedy].filter(Boolean).join("; ");
}
