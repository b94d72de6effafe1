// The boxes and lines of one map as elements of the page: all of them, or those that meet a rectangle.
import { nameOf, paragraphs } from "./boxes.js";

const SVG = "http://www.w3.org/2000/svg";
const HEADS = {
  RA: "M0,0L-11,-5.5L-11,5.5Z", CA: "M0,-8L0,8M-5,-8L-5,8", MA: "M0,0L-11,-5.5L-11,5.5Z", PA: "M0,0L-7,-5L-14,0L-7,5Z",
  TA: "M-9,-5L0,0L-9,5", YA: "M-7,-4L0,0L-7,4",
};

function make(tag, classes, parent) {
  const node = document.createElement(tag);
  node.className = classes;
  parent?.append(node);
  return node;
}

function draw(tag, classes, attributes, parent) {
  const node = document.createElementNS(SVG, tag);
  node.setAttribute("class", classes);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
}

export class Scene {
  // `side` is 0, 1, or null for both.
  constructor(model, side) {
    this.model = model;
    this.side = side;
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
      if (there.has(line.source) && there.has(line.target) && (side === null || line.in[side])) {
        this.lines.push({ key, source: line.source, target: line.target, status: line.status, kind: this.kindOf(line), headed: model.elements[line.source].scheme, path: layout.paths.get(key) });
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
    const node = make("div", `box ${member.kind} ${element.status}${element.scheme ? " scheme" : ""}${speaker}`);
    node.dataset.element = element.number;
    Object.assign(node.style, { left: `${place.x}px`, top: `${place.y}px`, width: `${place.w}px`, height: `${place.h}px` });
    for (const paragraph of paragraphs(this.model, element, this.side)) node.append(written(paragraph));
    return node;
  }

  line({ key, status, kind, headed, path }, parent) {
    const group = draw("g", `line ${kind} ${status}`, { "data-line": key }, parent);
    draw("path", "halo", { d: path.d }, group);
    draw("path", "core", { d: path.d }, group);
    if (kind === "MA") draw("path", "inner", { d: path.d }, group);
    const { x, y, dx, dy } = path.tip;
    const turn = dx < 0 ? 180 : dx > 0 ? 0 : dy > 0 ? 90 : -90;
    if (headed && HEADS[kind]) draw("path", "head", { d: HEADS[kind], transform: `translate(${x} ${y}) rotate(${turn})` }, group);
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
      const node = make("div", `stripe${lane.names.length === 1 ? ` speaker${this.model.speakers.indexOf(lane.names[0]) % 6}` : ""}`);
      Object.assign(node.style, { left: `${lane.x - 6}px`, width: `${lane.w + 12}px`, top: "0px", height: `${this.layout.height}px` });
      return node;
    });
  }
}

export function written({ sign, who, pieces }) {
  const line = document.createElement("p");
  line.dir = "auto";
  if (sign) make("b", "sign", line).textContent = `${sign} `;
  if (who) make("span", "who", line).textContent = `${who}: `;
  pieces.forEach(({ text, changed }, i) => {
    if (i) line.append(" ");
    if (changed) make("mark", "", line).textContent = text;
    else line.append(text);
  });
  return line;
}

// A layer for lines: it takes no room and shows what lies beyond it.
export function lineLayer(parent) {
  return draw("svg", "lines", { width: 1, height: 1, "aria-hidden": "true" }, parent);
}

export function laneName({ names }) {
  if (names.length > 1) return `${names.length} other speakers`;
  return names.length ? nameOf(names[0]) || "(no speaker)" : "said by nobody";
}
