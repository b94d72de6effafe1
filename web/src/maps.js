// The three maps (first, second, both): one layout, one view, one choice.
import { Canvas } from "./canvas.js";
import { layOut } from "./layout/layout.js";
import { inView, onlyDifferent } from "./model.js";
import { printedMap } from "./printed.js";
import { Tip } from "./tip.js";

// A map opens with text of at least 11 px: 14 px at this zoom.
const LEGIBLE = 0.8;

export class Maps {
  // `on` has: choose(numbers) when a node or line is clicked, drawn(maps) when something else is shown.
  constructor(model, containers, on) {
    this.model = model;
    this.on = on;
    this.view = "argument";
    this.only = false;
    this.mode = "over";
    this.port = { x: 0, y: 0, zoom: 1 };
    this.shown = new Set();
    this.marks = { chosen: new Set(), found: new Set(), hinted: new Set(), fade: false };
    this.layouts = new Map();
    this.tip = new Tip(model);
    this.canvases = containers.map((container, at) => new Canvas(model, container, [0, 1, null][at], this.port, {
      choose: (numbers) => on.choose(numbers),
      moved: () => this.follow(),
      hover: (number, box) => this.hover(number, box),
    }));
  }

  visible() {
    return this.canvases.filter((each) => each.visible);
  }

  // Elements of the view: all, or the differences with what they join.
  elements() {
    const all = inView(this.model, this.view);
    return this.only ? onlyDifferent(this.model, all) : all;
  }

  layout(shown, mode) {
    const key = [this.view, this.only, mode].join(" ");
    if (!this.layouts.has(key)) this.layouts.set(key, layOut(this.model, shown, this.view, mode));
    return this.layouts.get(key);
  }

  // Lays out and draws what the view shows; layouts are kept, so that switching back is quick.
  draw() {
    performance.mark("maps-draw");
    const shown = this.elements();
    const visible = this.visible();
    const layout = this.layout(shown, this.mode);
    for (const canvas of visible) canvas.take(shown, layout);
    this.shown = new Set(shown.map((each) => each.number));
    this.current = layout;
    for (const canvas of visible) canvas.remark(this.marks);
    this.start();
    performance.measure("maps", "maps-draw");
    this.on.drawn(this);
    return shown.length;
  }

  show({ view = this.view, only = this.only, mode = this.mode }) {
    if (this.current && view === this.view && only === this.only && mode === this.mode) return;
    this.view = view;
    this.only = only;
    this.mode = mode;
    this.draw();
  }

  // Draws what is not drawn yet, as little else as can be changed, and brings it into the middle.
  reveal(numbers) {
    const wanted = [numbers].flat();
    if (!wanted.length) return;
    if (wanted.some((number) => !this.shown.has(number))) {
      const dialogue = wanted.some((number) => !this.model.elements[number].place);
      const view = dialogue ? "dialogue" : this.view;
      const there = new Set((this.only ? onlyDifferent(this.model, inView(this.model, view)) : inView(this.model, view)).map((each) => each.number));
      this.show({ view, only: this.only && wanted.every((number) => there.has(number)) });
    }
    this.fit(wanted);
  }

  follow() {
    for (const canvas of this.visible()) canvas.update();
    this.tip.hide();
  }

  // The whole map; or these elements, large enough to read.
  fit(numbers) {
    const canvas = this.visible()[0];
    if (!canvas) return;
    const places = (numbers ?? [...this.current.places.keys()]).map((number) => this.current.places.get(number)).filter(Boolean);
    if (!places.length) return;
    const box = boxAround(places);
    const fitting = Math.min((canvas.width - 48) / box.w, (canvas.height - 90) / box.h);
    let zoom = Math.min(numbers ? 0.9 : 1.4, fitting);
    let at = { x: box.x + box.w / 2, y: box.y + box.h / 2 };
    if (numbers && fitting < 0.55) {
      zoom = LEGIBLE;
      at = centre(places.slice(0, 12), (canvas.width - 24) / zoom, (canvas.height - 24) / zoom);
    }
    canvas.move(canvas.width / 2 - at.x * zoom, canvas.height / 2 - at.y * zoom, zoom);
  }

  // A map that fits opens whole, another one at its first difference (else at its top), always large enough to read.
  start() {
    const canvas = this.visible()[0];
    if (!canvas || !this.current.places.size) {
      this.follow();
      return;
    }
    const { width, height, places, lanes } = this.current;
    const zoom = Math.min(1, Math.max(LEGIBLE, Math.min((canvas.width - 48) / width, (canvas.height - 76) / height)));
    if (height * zoom <= canvas.height - 40 && width * zoom <= canvas.width - 40) {
      canvas.move((canvas.width - width * zoom) / 2, (canvas.height - height * zoom) / 2, zoom);
      return;
    }
    const telling = [...places].filter(([number]) => !["agreed", "part"].includes(this.model.elements[number].status)).map(([, place]) => place);
    const first = (telling.length ? telling : [...places.values()]).reduce((one, other) => (other.y < one.y ? other : one));
    // A wide map opens at the left, or as far to the right as that difference is.
    const x = width * zoom <= canvas.width - 40 ? 24 : Math.min(24, canvas.width - 32 - (first.x + first.w) * zoom);
    canvas.move(x, (lanes.length ? 110 : 80) - first.y * zoom, zoom);
  }

  zoom(factor) {
    this.visible()[0]?.zoomBy(factor);
  }

  pan(x, y) {
    this.visible()[0]?.move(this.port.x + x, this.port.y + y);
  }

  resize() {
    const canvas = this.visible()[0];
    if (canvas && this.current) canvas.move(this.port.x, this.port.y);
  }

  choose(numbers, fade) {
    Object.assign(this.marks, { chosen: new Set(numbers), fade });
    for (const canvas of this.visible()) canvas.remark(this.marks);
  }

  mark(numbers) {
    this.marks.found = new Set(numbers);
    for (const canvas of this.visible()) canvas.remark(this.marks);
  }

  // Marks what the pointer or the focus is on elsewhere on the page.
  hint(numbers) {
    this.marks.hinted = new Set(numbers);
    for (const canvas of this.visible()) canvas.remark(this.marks);
  }

  // The element after these in the order of the map, or before.
  next(numbers, by) {
    const order = [...this.current.places].sort(([, a], [, b]) => a.y - b.y || a.x - b.x).map(([number]) => number);
    const at = order.indexOf(numbers[0]);
    return order[at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length];
  }

  hover(number, box) {
    for (const canvas of this.visible()) {
      canvas.layer?.querySelectorAll(".near").forEach((line) => line.classList.remove("near"));
      if (number === null) continue;
      for (const line of canvas.scene.lines) {
        if (line.source === number || line.target === number) canvas.drawn.lines.get(line.key)?.classList.add("near");
      }
    }
    if (number === null) this.tip.hide();
    else this.tip.show(this.model.elements[number], box);
  }

  // The map of both, whole, for the printer.
  printed() {
    const shown = this.elements();
    const what = this.view === "dialogue" ? "Dialogue" : "Argument";
    const only = this.only ? ", only differences with what they join" : "";
    return printedMap(this.model, shown, this.layout(shown, "over"), `${what}, both analyses${only}`);
  }
}

// Where a window of this size shows the most of these places, the first among them.
function centre(places, width, height) {
  let best;
  for (const other of places) {
    const { x, y, w, h } = boxAround([places[0], other]);
    const left = x + w / 2 - width / 2, top = y + h / 2 - height / 2;
    if (best && (w > width || h > height)) continue;
    const seen = places.filter((each) => each.x >= left && each.y >= top && each.x + each.w <= left + width && each.y + each.h <= top + height).length;
    if (!best || seen > best.seen) best = { seen, x: x + w / 2, y: y + h / 2 };
  }
  return best;
}

function boxAround(places) {
  const x = Math.min(...places.map((place) => place.x)), y = Math.min(...places.map((place) => place.y));
  return { x, y, w: Math.max(...places.map((place) => place.x + place.w)) - x, h: Math.max(...places.map((place) => place.y + place.h)) - y };
}
