// The gold map as decided so far, beside the two maps: what the library makes of the decisions, and which of them cannot
// stand together. Only the service has it; a page from a file exports decisions.
import { make } from "./elements.js";

// After so many milliseconds without a decision.
const REST = 700;

export class Gold {
  // `go(id)` shows a row, `nameOf(id)` names it, `problem(nodes)` says what cannot stand together (nothing: all can).
  constructor(address, { go, nameOf, problem }) {
    this.address = address;
    this.on = { go, nameOf, problem };
    this.figure = make("figure", { class: "gold", id: "gold-figure", hidden: "" },
      this.caption = make("figcaption", { role: "status" }), this.picture = make("div", { class: "canvas gold-map", tabindex: "0", role: "region", "aria-label": "The gold map as decided so far" }));
    document.getElementById("canvases")?.append(this.figure);
  }

  get shown() {
    return !this.figure.hidden;
  }

  toggle() {
    this.figure.hidden = this.shown;
    document.getElementById("canvases")?.classList.toggle("with-gold", this.shown);
    dispatchEvent(new Event("resize"));
    if (this.shown) this.ask();
    return this.shown;
  }

  // When the decisions before have reached the disk, and no further one comes.
  soon(last) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => last.then(() => this.ask()), REST);
  }

  async ask() {
    this.asked?.abort(); // the service ends what nobody waits for
    const asked = this.asked = new AbortController();
    this.caption.textContent = "gold so far: being made …";
    try {
      const answer = await fetch(this.address, { signal: asked.signal });
      const found = await answer.json();
      if (answer.ok) this.show(found);
      else this.refused(found.error);
    } catch {
      if (!asked.signal.aborted) this.caption.textContent = "gold so far: the service does not answer";
    }
  }

  show({ propositions, relations, open, notices, picture }) {
    this.on.problem([]);
    const state = open ? `${open} still open, with what either has` : "everything is decided";
    this.caption.textContent = `gold so far: ${propositions} propositions, ${relations} relations; ${state}`;
    const drawn = picture && new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
    const map = drawn?.nodeName === "svg" ? document.importNode(drawn, true) : make("p", {}, "There is no picture of it; the button “merged map” saves it.");
    this.picture.replaceChildren(map, ...notices.map((text) => make("p", { class: "note" }, make("bdi", {}, text))));
  }

  refused({ what, remedy, rows = [] }) {
    const links = rows.map((id) => {
      const link = make("button", { type: "button" }, make("bdi", {}, this.on.nameOf(id)));
      link.addEventListener("click", () => this.on.go(id));
      return link;
    });
    this.caption.textContent = "gold so far: none, as some decisions cannot stand together";
    this.picture.replaceChildren();
    this.on.problem([`${what}; ${remedy ?? ""} `, ...links]);
  }
}
