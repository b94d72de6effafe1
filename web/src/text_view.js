// The text with both analyses in place: what is chosen, hinted at or found is marked, and arrow keys go through it.
import { Arcs } from "./arcs.js";

export const numbersOf = (node) => node.dataset.elements.split(" ").filter(Boolean).map(Number);

export class TextView {
  // `on` has: choose(numbers) for a unit, difference(id) for what is marked beside it.
  constructor(model, on) {
    this.view = document.getElementById("text-view");
    this.sheet = document.getElementById("sheet");
    this.pieces = [...this.sheet.querySelectorAll(".piece")];
    this.of = new Map();
    for (const piece of this.pieces) {
      const side = piece.closest(".side").classList;
      for (const number of numbersOf(piece)) {
        const sides = this.of.get(number) ?? this.of.set(number, [[], []]).get(number);
        if (!side.contains("second")) sides[0].push(piece);
        if (!side.contains("first")) sides[1].push(piece);
      }
      const shown = numbersOf(piece).map((number) => model.elements[number].status).find((status) => status === "first" || status === "second");
      if (shown) piece.classList.add(shown);
      piece.setAttribute("role", "button");
      piece.tabIndex = -1;
    }
    if (this.pieces.length) this.pieces[0].tabIndex = 0;
    this.arcs = new Arcs(model, this.sheet, (number, side) => this.of.get(number)?.[side][0], on.choose);
    this.sheet.addEventListener("click", (event) => {
      const chip = event.target.closest(".chip");
      if (chip) return on.difference(chip.dataset.difference);
      const piece = event.target.closest(".piece");
      if (piece) on.choose(numbersOf(piece));
    });
    this.view.addEventListener("keydown", (event) => this.key(event));
    this.view.addEventListener("focusin", (event) => this.rove(event.target));
    document.getElementById("fold").addEventListener("change", (event) => this.fold(event.target.checked));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const seen = this.pieces.filter((piece) => piece.getClientRects().length);
    const at = seen.findIndex((piece) => piece === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: seen.length - 1 }[event.key];
    if (next !== undefined && seen[next]) {
      event.preventDefault();
      seen[next].focus();
    } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
      event.preventDefault();
      seen[at].click();
    }
  }

  // One stop for the tab key: the unit that had the focus last.
  rove(target) {
    if (!target.matches(".piece")) return;
    this.pieces.forEach((piece) => { piece.tabIndex = -1; });
    target.tabIndex = 0;
  }

  fold(folded) {
    this.sheet.querySelectorAll("details.stretch").forEach((each) => { each.open = !folded; });
  }

  piecesOf(numbers) {
    return new Set(numbers.flatMap((number) => (this.of.get(number) ?? []).flat()));
  }

  mark(name, numbers) {
    const marked = this.piecesOf(numbers);
    for (const piece of this.sheet.querySelectorAll(`.piece.${name}`)) if (!marked.has(piece)) piece.classList.remove(name);
    for (const piece of marked) piece.classList.add(name);
    if (this.arcs.marked[name]) this.arcs.mark(name, numbers);
    return marked;
  }

  // Marks these elements and brings the first of `leading` (else of all) into view.
  choose(numbers, leading = numbers, difference = "") {
    const marked = this.mark("chosen", numbers);
    for (const chip of this.sheet.querySelectorAll(".chip")) chip.classList.toggle("chosen", chip.dataset.difference === difference);
    // Where the difference is named beside the text comes first, then what it is about.
    const named = this.sheet.querySelector(".chip.chosen")?.closest(".text-row");
    const led = this.piecesOf(leading);
    const seen = this.pieces.filter((piece) => led.has(piece));
    const first = (named && seen.find((piece) => named.contains(piece))) ?? seen[0] ?? this.pieces.find((piece) => marked.has(piece));
    if (first) this.show(seen.length ? seen : [first], first);
  }

  // Opens at what a difference is about, without choosing it.
  begin(difference) {
    const row = [...this.sheet.querySelectorAll(".chip")].find((chip) => chip.dataset.difference === difference)?.closest(".text-row");
    if (row) this.view.scrollTop += row.getBoundingClientRect().top - this.sheet.querySelector(".heads").getBoundingClientRect().bottom;
  }

  // All of the pieces where they fit into the window of the text, else the first in its upper third.
  show(pieces, first) {
    for (const piece of pieces) {
      const folded = piece.closest("details.stretch:not([open])");
      if (folded) folded.open = true;
    }
    const top = this.view.getBoundingClientRect().top - this.view.scrollTop;
    const rows = pieces.map((piece) => piece.closest(".text-row").getBoundingClientRect());
    const start = Math.min(...rows.map((row) => row.top)) - top, end = Math.max(...rows.map((row) => row.bottom)) - top;
    const height = this.view.clientHeight - 40;
    const own = first.closest(".text-row").getBoundingClientRect().top - top;
    this.view.scrollTop = end - start <= height ? (start + end) / 2 - height / 2 - 34 : own - height / 3;
  }
}
