// One map in its window: what is near the window is in the page, the rest is not. Dragging moves it; the wheel does
// while the map has the focus, and with Ctrl it zooms; otherwise it scrolls the page.
import { make } from "./elements.js";
import { laneName, lineLayer, Scene } from "./scene.js";

export const LEAST = 0.02;
export const MOST = 2.5;
// Below this zoom no text can be read, and none is drawn.
const FAR = 0.25;
// What of a scene is in the page, and the part of the world that it fills.
const nothing = () => ({ boxes: new Map(), lines: new Map(), area: /** @type {Area | null} */ (null) });

export class Canvas {
  // `on` has: choose(numbers), moved(canvas), hover(number or null, box).
  constructor(model, container, side, view, on) {
    this.model = model;
    this.container = container;
    this.side = side;
    this.view = view;
    this.on = on;
    this.scene = new Scene(model, side);
    this.world = make("div", { class: "world", "aria-hidden": "true" });
    this.heads = make("div", { class: "lane-heads" });
    container.replaceChildren(this.world, this.heads);
    this.drawn = nothing();
    this.listen();
  }

  get width() { return this.container.clientWidth; }
  get height() { return this.container.clientHeight; }
  get visible() { return this.container.offsetParent !== null; }

  take(shown, layout) {
    this.scene.take(shown, layout);
    this.world.replaceChildren(...this.scene.stripes());
    this.layer = lineLayer(this.world);
    this.drawn = nothing();
    this.heads.replaceChildren(...layout.lanes.map((lane) => this.head(lane)));
  }

  head(lane) {
    const name = laneName(lane);
    return make("div", { title: [lane.names.join(", "), lane.agreement].filter(Boolean).join(": ") },
      make("b", { dir: "auto" }, lane.names.length ? `${name} (${lane.said} said)` : name), make("span", {}, lane.agreement));
  }

  // Shows the world as the view says, and draws what has come near.
  update() {
    const { x, y, zoom } = this.view;
    this.world.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    this.world.classList.toggle("far", zoom < FAR);
    this.scene.layout.lanes.forEach((lane, i) => {
      const node = /** @type {HTMLElement} */ (this.heads.children[i]);
      node.style.transform = `translateX(${x + (lane.x - 6) * zoom}px)`;
      node.style.width = `${Math.max(0, (lane.w + 12) * zoom - 2)}px`;
    });
    const [w, h] = [this.width, this.height];
    const seen = { left: -x / zoom, top: -y / zoom, right: (w - x) / zoom, bottom: (h - y) / zoom };
    const { area } = this.drawn;
    const inside = area && seen.left >= area.left && seen.top >= area.top && seen.right <= area.right && seen.bottom <= area.bottom;
    if (!inside) this.fill({ left: seen.left - w / zoom / 2, top: seen.top - h / zoom / 2, right: seen.right + w / zoom / 2, bottom: seen.bottom + h / zoom / 2 });
  }

  fill(area) {
    this.drawn.area = area;
    const { boxes, lines } = this.scene.within(area);
    const renew = (old, wanted, made, parent) => {
      const found = new Map();
      for (const [name, each] of wanted) {
        const node = old.get(name) ?? made(each);
        old.delete(name);
        found.set(name, node);
        if (!node.parentNode) parent.append(node);
      }
      old.forEach((node) => node.remove());
      return found;
    };
    this.drawn.lines = renew(this.drawn.lines, lines.map((each) => [each.key, each]), (each) => this.mark(this.scene.line(each, this.layer), each), this.layer);
    const fresh = document.createDocumentFragment();
    this.drawn.boxes = renew(this.drawn.boxes, boxes.map((each) => [each.element.number, each]), (each) => this.mark(this.scene.box(each), each), fresh);
    this.world.append(fresh);
  }

  // What is chosen, found or faded looks so when it is drawn, and when that changes.
  mark(node, each) {
    if (!this.marks) return node;
    const { chosen, found, hinted, fade } = this.marks;
    const on = each.element ? chosen.has(each.element.number) : chosen.has(each.source) && chosen.has(each.target);
    node.classList.toggle("chosen", on);
    node.classList.toggle("faded", fade && chosen.size > 0 && !on);
    if (each.element) {
      node.classList.toggle("found", found.has(each.element.number));
      node.classList.toggle("hinted", hinted.has(each.element.number));
    }
    return node;
  }

  remark(marks) {
    this.marks = marks;
    for (const each of this.scene.boxes) {
      const node = this.drawn.boxes.get(each.element.number);
      if (node) this.mark(node, each);
    }
    for (const each of this.scene.lines) {
      const node = this.drawn.lines.get(each.key);
      if (node) this.mark(node, each);
    }
  }

  // A map never leaves its window: some of it always stays in sight. Returns whether it moved.
  move(x, y, zoom = this.view.zoom) {
    const before = { ...this.view };
    const { width, height, lanes } = this.scene.layout;
    const margin = 24, top = lanes.length ? 52 : margin;
    const within = (at, room, size, start) => {
      const least = room - size * zoom - margin;
      return least >= start ? Math.min(Math.max(at, Math.min(start, least)), Math.max(start, least)) : Math.min(start, Math.max(least, at));
    };
    Object.assign(this.view, { zoom, x: within(x, this.width, width, margin), y: within(y, this.height, height, top) });
    this.on.moved(this);
    return before.x !== this.view.x || before.y !== this.view.y || before.zoom !== this.view.zoom;
  }

  zoomBy(factor, at = { x: this.width / 2, y: this.height / 2 }) {
    const { x, y, zoom } = this.view;
    const next = Math.min(MOST, Math.max(LEAST, zoom * factor));
    return this.move(at.x - ((at.x - x) * next) / zoom, at.y - ((at.y - y) * next) / zoom, next);
  }

  listen() {
    const { container } = this;
    const held = new Map();
    let dragged = 0;
    const at = (event) => {
      const box = container.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    container.addEventListener("wheel", (event) => {
      const focused = document.activeElement === container;
      if (event.ctrlKey || event.metaKey) {
        this.zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0022)), at(event));
        event.preventDefault();
      } else if (focused) {
        const unit = event.deltaMode ? 18 : 1;
        const [dx, dy] = event.shiftKey && !event.deltaX ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
        if (this.move(this.view.x - dx * unit, this.view.y - dy * unit)) event.preventDefault();
      }
    }, { passive: false });
    container.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      // A finger scrolls the page until the map has the focus.
      if (event.pointerType === "touch" && document.activeElement !== container) return;
      held.set(event.pointerId, at(event));
      dragged = 0;
    });
    container.addEventListener("pointermove", (event) => {
      const last = held.get(event.pointerId);
      if (!last) return;
      const now = at(event);
      const others = [...held].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      held.set(event.pointerId, now);
      dragged += Math.abs(now.x - last.x) + Math.abs(now.y - last.y);
      if (dragged < 4) return;
      if (!container.hasPointerCapture(event.pointerId)) container.setPointerCapture(event.pointerId);
      if (others.length) {
        const spread = (point) => Math.hypot(point.x - others[0].x, point.y - others[0].y) || 1;
        this.zoomBy(spread(now) / spread(last), { x: (now.x + others[0].x) / 2, y: (now.y + others[0].y) / 2 });
      } else this.move(this.view.x + now.x - last.x, this.view.y + now.y - last.y);
    });
    for (const name of ["pointerup", "pointercancel"]) container.addEventListener(name, (event) => held.delete(event.pointerId));
    container.addEventListener("click", (event) => {
      if (dragged >= 4) {
        dragged = 0;
        return;
      }
      const box = event.target.closest(".box");
      const line = event.target.closest(".line");
      this.on.choose(box ? [Number(box.dataset.element)] : line ? this.ends(line.dataset.line) : []);
    });
    container.addEventListener("pointerover", (event) => {
      const box = event.target.closest?.(".box");
      this.on.hover(box && !held.size ? Number(box.dataset.element) : null, box);
    });
    container.addEventListener("pointerleave", () => this.on.hover(null, null));
  }

  // Of a line, the relation that it belongs to.
  ends(key) {
    const line = this.scene.lines.find((each) => String(each.key) === key);
    if (!line) return [];
    const scheme = [line.source, line.target].filter((number) => this.model.elements[number].scheme);
    return scheme.length ? scheme.slice(0, 1) : [line.source];
  }
}
