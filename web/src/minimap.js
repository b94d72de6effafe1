// A strip at the side of a large map: all of it, as marks in the colour of their status, and the part that is in sight.
import { svg } from "./elements.js";

export const WIDTH = 44;
const LARGE = 60;
const STATUSES = ["agreed", "part", "first", "second", "different"];
const LAST = [...STATUSES, "found", "chosen"];

export class Minimap {
  constructor(container, go) {
    this.container = container;
    this.go = go;
    this.paths = Object.fromEntries(LAST.map((name) => [name, svg("path", { class: name })]));
    this.frame = svg("rect", { class: "frame" });
    this.node = svg("svg", { class: "minimap", "aria-hidden": "true", preserveAspectRatio: "none" }, ...Object.values(this.paths), this.frame);
    container.append(this.node);
    const went = (event) => {
      const box = this.node.getBoundingClientRect();
      this.go(((event.clientX - box.left) / box.width) * this.size[0], ((event.clientY - box.top) / box.height) * this.size[1]);
    };
    this.node.addEventListener("pointerdown", (event) => {
      this.node.setPointerCapture(event.pointerId);
      went(event);
      event.preventDefault();
    });
    this.node.addEventListener("pointermove", (event) => event.buttons && went(event));
  }

  take(scene) {
    const { width, height } = scene.layout;
    this.scene = scene;
    this.size = [Math.max(1, width), Math.max(1, height)];
    this.node.setAttribute("viewBox", `0 0 ${this.size.join(" ")}`);
    for (const status of STATUSES) this.fill(status, scene.boxes.filter(({ element }) => element.status === status));
    this.mark({ chosen: new Set(), found: new Set() });
  }

  get large() {
    return (this.scene?.boxes.length ?? 0) > LARGE;
  }

  fill(name, boxes) {
    // At least so high that a mark is seen.
    const least = this.size[1] / 300;
    this.paths[name].setAttribute("d", boxes.map(({ place: { x, y, w, h } }) => `M${x | 0},${y | 0}h${w | 0}v${Math.max(least, h) | 0}h${-w | 0}z`).join(""));
  }

  mark({ chosen, found }) {
    this.fill("chosen", this.scene.boxes.filter(({ element }) => chosen.has(element.number)));
    this.fill("found", this.scene.boxes.filter(({ element }) => found.has(element.number)));
  }

  // Shown where the window shows less than half of the map.
  show(seen) {
    const [width, height] = this.size;
    const share = Math.min(1, (seen.right - seen.left) / width) * Math.min(1, (seen.bottom - seen.top) / height);
    this.node.classList.toggle("shown", this.large && share < 0.9);
    const left = Math.max(0, seen.left), top = Math.max(0, seen.top);
    for (const [name, value] of [["x", left], ["y", top], ["width", Math.max(0, Math.min(width, seen.right) - left)], ["height", Math.max(0, Math.min(height, seen.bottom) - top)]]) {
      this.frame.setAttribute(name, value);
    }
  }
}
