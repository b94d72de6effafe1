// The dialogue view. Every speaker has a lane, and time runs downwards. A locution has a row of its own: in its lane,
// below it, the illocutions and what they say; above it, each on a level of its own, the transitions that lead to it,
// with the relation that they anchor. Between the lanes are strips, between the rows channels, and lines keep to them.
import { RELATIONS } from "../model.js";
import { cornered } from "./paths.js";
import { Tracks } from "./tracks.js";

const WIDTH = 220;
const MOST = 8;
const CLOSE = 10;
const CHANNEL = 20;
const BESIDE = 12;
const STAIR = 10;
const TRANSITION = 70;

const speakerOf = (element) => (element.sides[0] || element.sides[1]).speaker;

// The lane of each speaker, at most eight: those who say least share the last.
export function lanesOf(shown) {
  const said = new Map();
  const order = shown.filter((each) => each.kind === "L").sort((a, b) => a.order - b.order);
  for (const each of order) said.set(speakerOf(each), (said.get(speakerOf(each)) ?? 0) + 1);
  const names = [...said.keys()];
  const kept = names.length <= MOST ? names : [...names].sort((a, b) => said.get(b) - said.get(a)).slice(0, MOST - 1);
  const own = new Set(kept);
  const lanes = names.filter((name) => own.has(name)).map((name) => ({ names: [name], said: said.get(name) }));
  const rest = names.filter((name) => !own.has(name));
  if (rest.length) lanes.push({ names: rest, said: rest.reduce((sum, name) => sum + said.get(name), 0) });
  return lanes;
}

export function layOutLanes(model, shown, sizes, lanes) {
  const rows = new Rows(model, shown, lanes);
  return new Drawing(model, shown, rows, sizes).finished();
}

// What stands where, before anything has a size: rows with bands, a band with its members from left to right.
class Rows {
  constructor(model, shown, lanes) {
    this.model = model;
    this.lanes = [...lanes];
    this.there = new Set(shown.map((each) => each.number));
    this.laneOf = new Map(lanes.flatMap((lane, i) => lane.names.map((name) => [name, i])));
    this.out = new Map();
    this.into = new Map();
    for (const { number } of shown) {
      this.out.set(number, []);
      this.into.set(number, []);
    }
    for (const { source, target } of model.lines) {
      if (!this.there.has(source) || !this.there.has(target)) continue;
      this.out.get(source).push(target);
      this.into.get(target).push(source);
    }
    // Element → its row and band.
    this.spots = new Map();
    this.rows = [];
    const ordered = [...shown].sort((a, b) => a.order - b.order || a.number - b.number);
    this.locutions(ordered);
    this.near(ordered.filter((each) => each.kind === "I"), (row) => row.below);
    this.relations(ordered);
    this.near(ordered, (row) => row.above);
    for (const row of this.rows) {
      row.bands = [...row.above, ...(row.locution ? [row.locution] : []), ...row.below];
      this.stairs(row);
    }
  }

  kind(number) {
    return this.model.elements[number].kind;
  }

  row(lane) {
    const row = { lane, above: [], locution: /** @type {any} */ (null), below: [], number: this.rows.length, stairs: 0, bands: [] };
    this.rows.push(row);
    return row;
  }

  band(row, list) {
    const band = { members: [], stair: 0, y: 0, h: 0 };
    list?.push(band);
    return band;
  }

  put(number, row, band) {
    this.spots.set(number, { row, band });
    band.members.push(number);
  }

  locutions(ordered) {
    const said = ordered.filter((each) => each.kind === "L");
    for (const each of said) {
      const row = this.row(this.laneOf.get(speakerOf(each)));
      row.locution = this.band(row);
      this.put(each.number, row, row.locution);
    }
    for (const { number } of ordered.filter((each) => each.kind === "TA")) {
      const end = [...this.out.get(number), ...this.into.get(number)].find((n) => this.kind(n) === "L" && this.spots.has(n));
      if (end === undefined) continue;
      const { row } = this.spots.get(end);
      const band = this.band(row, row.above);
      this.put(number, row, band);
      // Beside a transition there is room for what comes from it alone.
      const acts = this.out.get(number).filter((n) => this.kind(n) === "YA" && !this.spots.has(n));
      acts.forEach((act, i) => this.act(act, row, i || this.into.get(act).length > 1 ? this.band(row, row.above) : band, row.above));
    }
    for (const { number } of said) {
      const { row } = this.spots.get(number);
      for (const act of this.out.get(number)) {
        if (this.kind(act) === "YA" && !this.spots.has(act)) this.act(act, row, this.band(row, row.below), row.below);
      }
    }
  }

  // An illocution, with what it leads to if that has no place yet: a relation beside it, a proposition below it.
  act(act, row, band, list) {
    this.put(act, row, band);
    const ends = this.out.get(act).filter((n) => !this.spots.has(n));
    const relation = ends.find((n) => RELATIONS.has(this.kind(n)));
    if (relation !== undefined) this.put(relation, row, this.out.get(act).length === 1 ? band : this.band(row, list));
    const content = ends.find((n) => this.kind(n) === "I");
    if (content !== undefined && list === row.below) this.put(content, row, this.band(row, list));
  }

  // Transitions to one locution stand like stairs: from each a line goes down beside all that stands below it.
  stairs(row) {
    for (const band of row.above) {
      if (this.kind(band.members[0]) === "TA") band.stair = ++row.stairs;
      else if (row.stairs) band.stair = row.stairs + 1;
    }
  }

  neighbours(number) {
    const near = [...this.out.get(number), ...this.into.get(number)];
    const { partOf } = this.model.elements[number];
    const further = near.filter((n) => this.model.elements[n].scheme).flatMap((n) => [...this.out.get(n), ...this.into.get(n)]);
    return [...near, ...further, ...(partOf === null ? [] : [partOf])];
  }

  // What has no place yet stands with what it is joined to; what is joined to nothing has a row in a lane of its own.
  near(elements, list) {
    const settle = () => {
      let some = false;
      for (const { number } of elements) {
        if (this.spots.has(number)) continue;
        const other = this.neighbours(number).find((n) => this.spots.has(n));
        if (other === undefined) continue;
        const { row } = this.spots.get(other);
        this.put(number, row, this.band(row, list(row)));
        some = true;
      }
      return some;
    };
    while (settle());
    for (const { number } of elements) {
      if (this.spots.has(number)) continue;
      if (this.unsaid === undefined) this.unsaid = this.lanes.push({ names: [], said: 0, agreement: "" }) - 1;
      const row = this.row(this.unsaid);
      this.put(number, row, this.band(row, list(row)));
      while (settle());
    }
  }

  // A relation that no transition anchors stands above the later of what it joins.
  relations(ordered) {
    let left = ordered.filter((each) => RELATIONS.has(each.kind) && !this.spots.has(each.number));
    for (let before = -1; left.length !== before; ) {
      before = left.length;
      left = left.filter(({ number }) => {
        const rows = [...this.out.get(number), ...this.into.get(number)].map((n) => this.spots.get(n)?.row).filter(Boolean);
        if (!rows.length) return true;
        const row = rows.reduce((one, other) => (other.number > one.number ? other : one));
        this.put(number, row, this.band(row, row.above));
        return false;
      });
    }
  }
}

// Places and lines. Strip `i` is left of lane `i`; channel `i` is above row `i`.
class Drawing {
  constructor(model, shown, rows, sizes) {
    this.model = model;
    this.shown = shown;
    this.rows = rows;
    this.sizes = sizes;
    this.strips = new Tracks(rows.lanes.length + 1);
    this.channels = new Tracks(rows.rows.length + 1);
    this.ports = new Map();
    this.lefts = [];
    this.starts = [];
  }

  finished() {
    const drafts = this.links().map((link) => [link.key, this.draft(link)]);
    const gaps = this.channels.settle(CHANNEL);
    const height = this.heights(gaps);
    for (const [, draft] of drafts) this.uprights(draft);
    const { lanes } = this.rows;
    const widths = lanes.map(() => WIDTH);
    for (const row of this.rows.rows) for (const band of row.bands) widths[row.lane] = Math.max(widths[row.lane], this.width(row, band));
    const strips = this.strips.settle(28);
    let x = 0;
    lanes.forEach((_, i) => {
      this.starts.push(x);
      x += strips[i];
      this.lefts.push(x);
      x += widths[i];
    });
    this.starts.push(x);
    const places = new Map([...this.rows.spots.keys()].map((number) => [number, this.place(number)]));
    const paths = new Map(drafts.map(([key, draft]) => [key, this.path(draft, places)]));
    return { places, paths, width: x + strips[lanes.length], height, lanes: lanes.map((lane, i) => ({ ...lane, x: this.lefts[i], w: widths[i] })) };
  }

  links() {
    const { there } = this.rows;
    const lines = this.model.lines.map((line, key) => ({ key, ...line })).filter((line) => there.has(line.source) && there.has(line.target));
    const parts = this.shown.filter((each) => each.partOf !== null && there.has(each.partOf))
      .map((each) => ({ key: `p${each.number}`, source: each.number, target: each.partOf }));
    return [...lines, ...parts];
  }

  heights(gaps) {
    let y = 0;
    this.rows.rows.forEach((row, i) => {
      row.channel = y;
      y += gaps[i];
      for (const band of row.bands) {
        band.h = Math.max(...band.members.map((n) => this.sizes[n][1]));
        band.y = y;
        y += band.h + CLOSE;
      }
    });
    return y + CHANNEL;
  }

  stair(row) {
    return Math.min(STAIR, (WIDTH - TRANSITION) / (row.stairs + 1));
  }

  width(row, band) {
    const indent = band.stair ? this.stair(row) * band.stair : 0;
    return indent + band.members.reduce((sum, n) => sum + this.sizes[n][0] + BESIDE, -BESIDE);
  }

  place(number) {
    const { row, band } = this.rows.spots.get(number);
    let x = this.lefts[row.lane] + (band.stair ? this.stair(row) * band.stair : 0);
    for (const other of band.members) {
      if (other === number) break;
      x += this.sizes[other][0] + BESIDE;
    }
    const [w, h] = this.sizes[number];
    return { x, y: band.y + (band.h - h) / 2, w, h };
  }

  // Which sides of a box lines may use that do not go to its neighbour.
  sides(number, end) {
    const kind = this.rows.kind(number);
    if (kind === "TA") return ["left"];
    if (kind === "YA") return [end ? "left" : "right"];
    return kind === "L" || kind === "I" ? ["left", "right"] : ["right"];
  }

  // A line before anything has its height: straight to a neighbour, else the sides, strips and channel that it takes.
  draft({ source, target }) {
    const [a, b] = [this.rows.spots.get(source), this.rows.spots.get(target)];
    if (a.band === b.band && Math.abs(a.band.members.indexOf(source) - a.band.members.indexOf(target)) === 1) return { source, target, way: "level" };
    if (a.row === b.row) {
      const { bands } = a.row;
      const [i, j] = [bands.indexOf(a.band), bands.indexOf(b.band)];
      if (this.rows.kind(source) === "TA" && b.band === a.row.locution && a.band.stair) return { source, target, way: "down" };
      if (Math.abs(i - j) === 1 && [a, b].every(({ band }) => band.members.length === 1 && !band.stair)) return { source, target, way: "next" };
    }
    let best;
    for (const from of this.sides(source, 0)) {
      for (const to of this.sides(target, 1)) {
        const strips = [a.row.lane + (from === "right" ? 1 : 0), b.row.lane + (to === "right" ? 1 : 0)];
        const far = Math.abs(strips[0] - strips[1]);
        if (!best || far < best.far) best = { from, to, strips, far };
      }
    }
    const draft = { source, target, way: "round", ...best, ports: [this.port(source, best.from), this.port(target, best.to)] };
    if (best.far) {
      // Through the channel above the later row.
      const row = a.row.number > b.row.number ? a.row : b.row;
      draft.across = { row, piece: this.channels.add(row.number, best.strips[0] * 100, best.strips[1] * 100) };
    }
    return draft;
  }

  // Lines that meet a side of a box do so apart from each other.
  port(number, side) {
    const name = `${number} ${side}`;
    if (!this.ports.has(name)) this.ports.set(name, { count: 0 });
    const all = this.ports.get(name);
    return { all, at: all.count++ };
  }

  height(number, port) {
    const { band } = this.rows.spots.get(number);
    const step = Math.min(9, (this.sizes[number][1] - 12) / port.all.count);
    return band.y + band.h / 2 + (port.at - (port.all.count - 1) / 2) * step;
  }

  uprights(draft) {
    if (draft.way !== "round") return;
    const [from, to] = [this.height(draft.source, draft.ports[0]), this.height(draft.target, draft.ports[1])];
    draft.heights = [from, to];
    if (!draft.across) draft.ups = [{ from, to, piece: this.strips.add(draft.strips[0], from, to) }];
    else {
      const y = draft.across.row.channel + draft.across.piece.offset - 4;
      draft.ups = [{ from, to: y, piece: this.strips.add(draft.strips[0], from, y) }, { from: y, to, piece: this.strips.add(draft.strips[1], y, to) }];
    }
  }

  path({ source, target, way, from, to, heights, ups }, places) {
    const [a, b] = [places.get(source), places.get(target)];
    const middle = (place) => place.y + place.h / 2;
    if (way === "level") {
      const right = b.x > a.x;
      return cornered([{ x: right ? a.x + a.w : a.x, y: middle(a) }, { x: right ? b.x : b.x + b.w, y: middle(a) }]);
    }
    if (way === "down" || way === "next") {
      const x = way === "down" ? a.x + this.stair(this.rows.spots.get(source).row) / 2 : Math.max(a.x, b.x) + 24;
      return cornered(b.y > a.y ? [{ x, y: a.y + a.h }, { x, y: b.y }] : [{ x, y: a.y }, { x, y: b.y + b.h }]);
    }
    const points = [{ x: from === "left" ? a.x : a.x + a.w, y: heights[0] }];
    for (const up of ups) {
      const x = this.starts[up.piece.strip] + up.piece.offset;
      points.push({ x, y: up.from }, { x, y: up.to });
    }
    points.push({ x: to === "left" ? b.x : b.x + b.w, y: heights[1] });
    return cornered(points);
  }
}
