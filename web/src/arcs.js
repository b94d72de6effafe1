// Relations as arcs beside the text: the first's at the left, the second's at the right, premise to conclusion.
import { svg } from "./elements.js";
import { inTracks } from "./layout/tracks.js";
import { RELATIONS } from "./model.js";

const WIDE = 52;
// Where more arcs than this run side by side, lanes are shared.
const LANES = 12;

// For each side: the relations with their premises and conclusions, as numbers of elements.
function relationsOf(model) {
  const ends = new Map();
  const of = (number) => ends.get(number) ?? ends.set(number, { in: [[], []], out: [[], []] }).get(number);
  for (const line of model.lines) {
    for (const side of [0, 1]) {
      if (!line.in[side]) continue;
      if (RELATIONS.has(model.elements[line.target].kind)) of(line.target).in[side].push(line.source);
      if (RELATIONS.has(model.elements[line.source].kind)) of(line.source).out[side].push(line.target);
    }
  }
  // An attacked relation stands where its premise is.
  const unit = (number, side, depth = 0) => {
    if (!model.elements[number].scheme) return number;
    const inside = depth > 3 ? [] : ends.get(number)?.in[side] ?? [];
    return inside.length ? unit(inside[0], side, depth + 1) : null;
  };
  /** @type {Relation[][]} */
  const found = [[], []];
  for (const [number, { in: from, out: to }] of ends) {
    for (const side of [0, 1]) {
      for (const one of from[side]) {
        if (model.elements[one].kind !== "I") continue;
        for (const other of to[side]) {
          const end = unit(other, side);
          if (end !== null) found[side].push({ number, from: one, to: end, kind: model.elements[number].sides[side]?.kind ?? model.elements[number].kind, status: model.elements[number].status });
        }
      }
    }
  }
  return found;
}

// What an arc ends with: a triangle supports, a cross bar attacks, a diamond rephrases or is preferred.
const HEADS = {
  RA: (x, y, d) => `M${x} ${y}l${8 * d} -4.5v9z`,
  CA: (x, y, d) => `M${x + 3 * d} ${y - 6}v12M${x + 7 * d} ${y - 6}v12`,
  MA: (x, y, d) => `M${x} ${y}l${6 * d} -5l${6 * d} 5l${-6 * d} 5z`,
  PA: (x, y, d) => `M${x} ${y}l${4 * d} -4l${4 * d} 4l${-4 * d} 4z`,
};

export class Arcs {
  // `pieces` gives the pieces of an element on a side; `choose` is called with the numbers of a clicked relation.
  constructor(model, sheet, pieces, choose) {
    this.model = model;
    this.sheet = sheet;
    this.pieces = pieces;
    this.relations = relationsOf(model);
    this.layers = [0, 1].map((side) => {
      const layer = svg("svg", { class: `arcs ${side ? "second" : "first"}`, "aria-hidden": "true" });
      layer.addEventListener("click", (event) => {
        const arc = event.target.closest(".arc");
        if (arc) choose([arc.dataset.number, arc.dataset.from, arc.dataset.to].map(Number));
      });
      sheet.append(layer);
      return layer;
    });
    this.marked = { chosen: new Set(), hinted: new Set() };
    new ResizeObserver(() => this.later()).observe(sheet);
  }

  later() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = null;
      this.draw();
    });
  }

  draw() {
    if (!this.layers[0].getClientRects().length) return;
    const top = this.sheet.getBoundingClientRect().top;
    const known = new Map();
    const place = (number, side) => {
      const key = number * 2 + side;
      if (!known.has(key)) known.set(key, this.place(number, side, top));
      return known.get(key);
    };
    // All is measured before anything is drawn.
    const drawn = this.relations.map((list, side) => list.flatMap((relation) => {
      const from = place(relation.from, side), to = place(relation.to, side);
      return from === null || to === null || (from === to && !relation.number) ? [] : [{ ...relation, y: from, end: to, top: Math.min(from, to), bottom: Math.max(from, to), track: 0 }];
    }));
    const lanes = drawn.map((list) => inTracks(list, 8, LANES));
    drawn.forEach((list, side) => this.layers[side].replaceChildren(...list.sort((a, b) => (a.status === "agreed" ? 0 : 1) - (b.status === "agreed" ? 0 : 1)).map((each) => this.arc(each, side, lanes[side]))));
    this.remark();
  }

  place(number, side, top) {
    const piece = this.pieces(number, side);
    if (!piece) return null;
    const seen = piece.getClientRects().length ? piece : piece.closest("details:not([open])")?.querySelector("summary");
    const box = seen?.getClientRects()[0];
    return box ? Math.round(box.top - top + box.height / 2) : null;
  }

  arc({ number, from, to, kind, status, y, end, track }, side, lanes) {
    // At the left x falls away from the text, at the right it grows.
    const edge = side ? 4 : WIDE, d = side ? 1 : -1;
    const one = y === end ? y - 5 : y, other = y === end ? y + 5 : end;
    const out = edge + d * (12 + (track * (WIDE - 16)) / Math.max(lanes, 4));
    const bend = Math.sign(other - one) * Math.min(8, Math.abs(other - one) / 2), near = out - d * Math.min(8, Math.abs(out - edge));
    const path = `M${edge} ${one}H${near}Q${out} ${one} ${out} ${one + bend}V${other - bend}Q${out} ${other} ${near} ${other}H${edge + 6 * d}`;
    const title = `${this.model.verbs[kind] ?? kind} (${side ? "second" : "first"})`;
    return svg("g", { class: `arc ${kind} ${status}`, "data-number": number, "data-from": from, "data-to": to },
      svg("path", { class: "core", d: path }), svg("path", { class: "head", d: (HEADS[kind] ?? HEADS.RA)(edge, other, d) }),
      svg("path", { class: "hit", d: path }), svg("title", {}, title));
  }

  mark(name, numbers) {
    this.marked[name] = new Set(numbers);
    this.remark();
  }

  remark() {
    for (const layer of this.layers) {
      for (const arc of layer.children) {
        for (const [name, numbers] of Object.entries(this.marked)) arc.classList.toggle(name, numbers.has(Number(arc.dataset.number)));
      }
    }
  }
}
