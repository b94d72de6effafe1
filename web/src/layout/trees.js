// The argument view. A conclusion stands left of what speaks for or against it, in the order of the text; a relation
// stands above its premises. Columns have free strips between them, and so has each column between its boxes. Lines keep
// to these strips: none crosses a box.
import { bow, cornered, curved } from "./paths.js";

const ABOVE = 16;
const CLOSE = 8;
const STRIP = 40;
const APART = 34;
// A chain that is longer goes on in the first column, below.
const COLUMNS = 8;

// Places by element, paths by line (its number, or `p` and the number of a part).
export function layOutTrees(model, shown, sizes, room) {
  const there = new Set(shown.map((each) => each.number));
  const links = [];
  model.lines.forEach((line, key) => {
    if (there.has(line.source) && there.has(line.target)) links.push({ key, source: line.source, target: line.target });
  });
  for (const { number, partOf } of shown) {
    if (partOf !== null && there.has(partOf)) links.push({ key: `p${number}`, source: number, target: partOf });
  }
  const order = shown.map((each) => each.number).sort((a, b) => model.elements[a].order - model.elements[b].order || a - b);
  const trees = new Forest(order, links).components().map((each) => layOutTree(model, each, sizes));
  return packed(trees, room);
}

// Everything that leads to a root hangs below it, by the shortest way.
class Forest {
  constructor(order, links) {
    this.order = order;
    this.links = links;
    this.children = new Map(order.map((number) => [number, []]));
    const into = new Map(order.map((number) => [number, []]));
    const out = new Map(order.map((number) => [number, 0]));
    for (const { source, target } of links) {
      into.get(target).push(source);
      out.set(source, out.get(source) + 1);
    }
    const rank = new Map(order.map((number, i) => [number, i]));
    for (const list of into.values()) list.sort((a, b) => rank.get(a) - rank.get(b));
    this.seen = new Set();
    this.roots = order.filter((number) => !out.get(number));
    this.grow(this.roots, into);
    for (const number of order) {
      // A circle has no root: its first in the text serves as one.
      if (this.seen.has(number)) continue;
      this.roots.push(number);
      this.grow([number], into);
    }
  }

  grow(roots, into) {
    let front = roots;
    front.forEach((number) => this.seen.add(number));
    while (front.length) {
      const next = [];
      for (const number of front) {
        for (const source of into.get(number)) {
          if (this.seen.has(source)) continue;
          this.seen.add(source);
          this.children.get(number).push(source);
          next.push(source);
        }
      }
      front = next;
    }
  }

  // Trees that a line joins are laid out together.
  components() {
    const near = new Map(this.order.map((number) => [number, []]));
    for (const { source, target } of this.links) {
      near.get(source).push(target);
      near.get(target).push(source);
    }
    const of = new Map();
    const found = [];
    for (const first of this.order) {
      if (of.has(first)) continue;
      const component = { roots: [], links: [], children: this.children };
      found.push(component);
      for (const waiting = [first]; waiting.length; ) {
        const number = waiting.pop();
        if (of.has(number)) continue;
        of.set(number, component);
        waiting.push(...near.get(number));
      }
    }
    for (const root of this.roots) of.get(root).roots.push(root);
    for (const link of this.links) of.get(link.source).links.push(link);
    return found;
  }
}

function layOutTree(model, { roots, links, children }, sizes) {
  const columns = [];
  const places = new Map();
  const waiting = [...roots];
  const free = (column) => {
    const last = columns[column]?.[columns[column].length - 1];
    return last ? last.y + last.h + ABOVE : 0;
  };
  // A premise stands below its relation, and a part below what it is part of; everything else one column further.
  const below = (number, child) => !model.elements[child].scheme && (model.elements[number].scheme || model.elements[child].partOf === number);
  while (waiting.length) {
    for (const stack = [[waiting.shift(), 0, null]]; stack.length; ) {
      const [number, column, above] = /** @type {any[]} */ (stack.pop());
      if (column >= COLUMNS) {
        waiting.push(number);
        continue;
      }
      const [w, h] = sizes[number];
      const last = columns[column]?.[columns[column].length - 1];
      // Level with the first of what leads to it, and that with the first of that: so low that all of these have room.
      let middle = (above !== null && last === places.get(above) ? last.y + last.h + CLOSE : free(column)) + h / 2;
      for (let each = number, at = column, offset = 0; at < COLUMNS; ) {
        const next = children.get(each)[0];
        if (next === undefined) break;
        if (below(each, next)) offset += sizes[each][1] / 2 + CLOSE + sizes[next][1] / 2;
        else middle = Math.max(middle, free(++at) + sizes[next][1] / 2 - offset);
        each = next;
      }
      const place = { x: 0, y: middle - h / 2, w, h, column };
      (columns[column] ??= []).push(place);
      places.set(number, place);
      const list = children.get(number);
      for (let i = list.length - 1; i >= 0; i--) {
        const under = below(number, list[i]);
        stack.push([list[i], under ? column : column + 1, under ? number : null]);
      }
    }
  }
  let x = 0;
  const bands = columns.map((list) => {
    const w = Math.max(...list.map((place) => place.w));
    const band = { left: x, right: x + w, list };
    for (const place of list) place.x = x;
    x += w + STRIP;
    return band;
  });
  const paths = route(model, links, places, bands);
  const reach = [...paths.values()].reduce((found, path) => [Math.min(found[0], path.left), Math.max(found[1], path.right)], [0, x - STRIP]);
  const height = Math.max(...columns.map((list) => list[list.length - 1].y + list[list.length - 1].h)) + ABOVE / 2;
  return { places, paths, single: places.size === 1, left: -reach[0], width: reach[1] - reach[0], height };
}

function route(model, links, places, bands) {
  const kinds = new Map(links.map((link) => [link.key, kindOf(model, link, places, bands)]));
  const ports = portsOf(links, places, kinds);
  const used = new Map();
  const paths = new Map();
  for (const { key, source, target } of links) {
    const [a, b] = [places.get(source), places.get(target)];
    const [from, to] = ports.get(key);
    const kind = kinds.get(key);
    if (kind === "straight") {
      const x = Math.min(a.x + 24, b.x + b.w / 2);
      paths.set(key, cornered(a.y > b.y ? [{ x, y: a.y }, { x, y: b.y + b.h }] : [{ x, y: a.y + a.h }, { x, y: b.y }]));
      continue;
    }
    const band = bands[a.column];
    if (kind !== "across") {
      const deep = Math.min(STRIP * 0.7, 10 + Math.abs(to - from) / 12);
      const [start, edge, end] = kind === "left" ? [a.x, band.left, b.x] : [a.x + a.w, band.right, b.x + b.w];
      paths.set(key, bow([{ x: start, y: from }, { x: edge, y: from }, { x: edge, y: to }, { x: end, y: to }], kind === "left" ? -deep : deep));
      continue;
    }
    const step = Math.sign(b.column - a.column);
    const near = (each) => (step > 0 ? each.left : each.right);
    const far = (each) => (step > 0 ? each.right : each.left);
    const points = [{ x: step > 0 ? a.x + a.w : a.x, y: from }, { x: far(band), y: from }];
    let y = from;
    for (let column = a.column + step; column !== b.column; column += step) {
      y = freeStrip(bands[column].list, y + (to - y) / Math.abs(b.column - column + step), column, used);
      points.push({ x: near(bands[column]), y }, { x: far(bands[column]), y });
    }
    points.push({ x: near(bands[b.column]), y: to }, { x: step > 0 ? b.x : b.x + b.w, y: to });
    paths.set(key, curved(points));
  }
  return paths;
}

// From column to column; straight between neighbours in a column; else a bow: left to a relation, right to its conclusion.
function kindOf(model, { source, target }, places, bands) {
  const [a, b] = [places.get(source), places.get(target)];
  if (a.column !== b.column) return "across";
  const { list } = bands[a.column];
  const apart = Math.abs(list.indexOf(a) - list.indexOf(b));
  if (apart === 1) return "straight";
  return model.elements[target].scheme || model.elements[source].partOf === target ? "left" : "right";
}

// Lines that meet a side of a box arrive apart from each other, in the order of their other ends.
function portsOf(links, places, kinds) {
  const sides = new Map();
  const ports = new Map(links.map(({ key }) => [key, [0, 0]]));
  for (const link of links) {
    const kind = kinds.get(link.key);
    if (kind === "straight") continue;
    [link.source, link.target].forEach((number, end) => {
      const place = places.get(number), other = places.get(end ? link.source : link.target);
      const side = kind === "across" ? (other.column < place.column ? "left" : "right") : kind;
      const name = `${number} ${side}`;
      if (!sides.has(name)) sides.set(name, { place, list: [] });
      sides.get(name).list.push({ key: link.key, end, y: other.y });
    });
  }
  for (const { place, list } of sides.values()) {
    list.sort((a, b) => a.y - b.y);
    const step = Math.min(14, (place.h - 14) / list.length);
    list.forEach(({ key, end }, i) => (ports.get(key)[end] = place.y + place.h / 2 + (i - (list.length - 1) / 2) * step));
  }
  return ports;
}

// The free height of a column that is nearest to the wanted one; lines in one strip lie apart from each other.
function freeStrip(list, wanted, column, lanes) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].y + list[middle].h / 2 < wanted) low = middle + 1;
    else high = middle;
  }
  const strips = [low, low - 1, low + 1].filter((i) => i >= 0 && i <= list.length).map((i) => {
    const top = i ? list[i - 1].y + list[i - 1].h : -ABOVE, bottom = i < list.length ? list[i].y : Infinity;
    return { i, top: top + 4, bottom: Math.min(bottom - 4, Math.max(top + 12, wanted)), y: 0 };
  });
  for (const strip of strips) strip.y = Math.min(Math.max(wanted, strip.top), strip.bottom);
  const best = strips.reduce((one, other) => (Math.abs(other.y - wanted) < Math.abs(one.y - wanted) ? other : one));
  const name = `${column} ${best.i}`;
  const used = lanes.get(name) ?? 0;
  lanes.set(name, used + 1);
  const room = best.bottom - best.top;
  return room > 3 ? best.top + ((best.y - best.top + used * 4) % room) : best.y;
}

// Trees beside and below each other, in the order of the text; what has no relation comes last.
function packed(trees, room) {
  const wide = Math.max(room, ...trees.map((tree) => tree.width));
  const grain = 20;
  const skyline = new Float64Array(Math.ceil((wide + APART) / grain) + 1);
  const all = { places: new Map(), paths: new Map(), width: 0, height: 0, lanes: [] };
  for (const tree of [...trees.filter((each) => !each.single), ...trees.filter((each) => each.single)]) {
    const span = Math.min(skyline.length, Math.ceil((tree.width + APART) / grain));
    let best = 0, top = Infinity;
    for (let start = 0; start + span <= skyline.length; start++) {
      let y = 0;
      for (let i = start; i < start + span && y < top; i++) y = Math.max(y, skyline[i]);
      if (y < top) [best, top] = [start, y];
    }
    const x = best * grain, y = top + ABOVE;
    skyline.fill(y + tree.height + APART - ABOVE, best, best + span);
    for (const [number, place] of tree.places) all.places.set(number, { x: x + tree.left + place.x, y: y + place.y, w: place.w, h: place.h });
    for (const [key, path] of tree.paths) all.paths.set(key, moved(path, x + tree.left, y));
    all.width = Math.max(all.width, x + tree.width);
    all.height = Math.max(all.height, y + tree.height);
  }
  return all;
}

function moved(path, x, y) {
  const d = path.d.replace(/(-?[\d.]+),(-?[\d.]+)/g, (_, a, b) => `${Math.round((Number(a) + x) * 10) / 10},${Math.round((Number(b) + y) * 10) / 10}`);
  const { tip } = path;
  return { d, tip: { ...tip, x: tip.x + x, y: tip.y + y }, left: path.left + x, right: path.right + x, top: path.top + y, bottom: path.bottom + y };
}
