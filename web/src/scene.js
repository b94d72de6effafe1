// The boxes and lines of one map as elements of the page: all of them, or those that meet a rectangle.
import { nameOf, paragraphs } from "./boxes.js";
import { make, svg } from "./elements.js";

const HEADS = {
  RA: "M0,0L-11,-5.5L-11,5.5Z", CA: "M0,-8L0,8M-5,-8L-5,8", MA: "M0,0L-11,-5.5L-11,5.5Z", PA: "M0,0L-7,-5L-14,0L-7,5Z",
  TA: "M-9,-5L0,0L-9,5", YA: "M-7,-4L0,0L-7,4",
};

export class Scene {
  // `side` is 0, 1, or null for both.
  constructor(model, side) {
    this.model = model;
    this.side = side;
    this.boxes = [];
    this.lines = [];
    this.take([], { places: new Map(), paths: new Map(), lanes: [], width: 0, height: 0 });
  }

  take(shown, layout) {
    const { model, side } = this;
    this.layout = layout;
    const here = shown.filter((each) => side === null || each.sides[side]);
    const there = new Set(here.map((each) => each.number));
    this.boxes = here.map((element) => ({ element, place: layout.places.get(element.number) }));
    this.lines = [];
    model.lines.forEach((line, key) => {
      const path = layout.paths.get(key);
      if (path && there.has(line.source) && there.has(line.target) && (side === null || line.in[side])) {
        this.lines.push({ key, source: line.source, target: line.target, status: line.status, kind: this.kindOf(line), headed: model.elements[line.source].scheme, path });
      }
    });
    for (const { number, partOf } of here) {
      if (partOf !== null && there.has(partOf)) {
        const key = `p${number}`;
        this.lines.push({ key, source: number, target: partOf, status: "agreed", kind: "part", headed: false, path: layout.paths.get(key) });
      }
    }
  }

  member(element) {
    return (this.side === null ? null : element.sides[this.side]) || element.sides[0] || element.sides[1];
  }

  // What a line is part of: an illocution, else the relation or transition at its end.
  kindOf({ source, target }) {
    const ends = [this.model.elements[source], this.model.elements[target]].filter((each) => each.scheme);
    const scheme = ends.find((each) => each.kind === "YA") ?? ends[0];
    return scheme ? this.member(scheme).kind : "part";
  }

  box({ element, place }) {
    const member = this.member(element);
    const speaker = member.speaker ? ` speaker${this.model.speakers.indexOf(member.speaker) % 6}` : "";
    const classes = `box ${member.kind} ${element.status}${element.scheme ? " scheme" : ""}${speaker}`;
    const node = make("div", { class: classes, "data-element": element.number }, ...paragraphs(this.model, element, this.side).map(written));
    Object.assign(node.style, { left: `${place.x}px`, top: `${place.y}px`, width: `${place.w}px`, height: `${place.h}px` });
    return node;
  }

  line({ key, status, kind, headed, path }, parent) {
    const { x, y, dx, dy } = path.tip;
    const turn = Math.round((Math.atan2(dy, dx) * 180) / Math.PI);
    const part = (name) => svg("path", { class: name, d: path.d });
    const group = svg("g", { class: `line ${kind} ${status}`, "data-line": key }, part("halo"), part("core"));
    if (kind === "MA") group.append(part("inner"));
    if (headed && HEADS[kind]) group.append(svg("path", { class: "head", d: HEADS[kind], transform: `translate(${x} ${y}) rotate(${turn})` }));
    parent.append(group);
    return group;
  }

  within({ left, top, right, bottom }) {
    const boxes = this.boxes.filter(({ place }) => place.x < right && place.x + place.w > left && place.y < bottom && place.y + place.h > top);
    const lines = this.lines.filter(({ path }) => path.left <= right && path.right >= left && path.top <= bottom && path.bottom >= top);
    return { boxes, lines };
  }

  // The lanes behind everything, as far as they reach.
  stripes() {
    return this.layout.lanes.map((lane) => {
      const speaker = lane.names.length === 1 ? ` speaker${this.model.speakers.indexOf(lane.names[0]) % 6}` : "";
      const node = make("div", { class: `stripe${speaker}` });
      Object.assign(node.style, { left: `${lane.x - 6}px`, width: `${lane.w + 12}px`, top: "0px", height: `${this.layout.height}px` });
      return node;
    });
  }
}

export function written({ sign, who, pieces }) {
  const line = make("p", { dir: "auto" });
  if (sign) line.append(make("b", { class: "sign" }, `${sign} `));
  if (who) line.append(make("span", { class: "who" }, `${who}: `));
  pieces.forEach(({ text, changed }, i) => line.append(i ? " " : "", changed ? make("mark", {}, text) : text));
  return line;
}

// A layer for lines: it takes no room and shows what lies beyond it.
export function lineLayer(parent) {
  const layer = svg("svg", { class: "lines", width: 1, height: 1, "aria-hidden": "true" });
  parent.append(layer);
  return layer;
}

export function laneName({ names }) {
  if (names.length > 1) return `${names.length} other speakers`;
  return names.length ? nameOf(names[0]) || "(no speaker)" : "said by nobody";
}
