// The whole map of both for the printer, scaled to the width of a page; the browser cuts it into pages.
import { make } from "./elements.js";
import { lineLayer, Scene } from "./scene.js";

// Of a page in pixels: what A4 and Letter both hold inside their margins.
const WIDTH = 690;
const MOST = 0.85;

/** @type {(model: Model, shown: ModelElement[], layout: Layout, caption: string) => HTMLElement} */
export function printedMap(model, shown, layout, caption) {
  const scene = new Scene(model, null);
  scene.take(shown, layout);
  const zoom = Math.min(MOST, WIDTH / (layout.width + 16));
  const world = make("div", { class: "world" }, ...scene.stripes());
  world.style.transform = `scale(${zoom})`;
  const layer = lineLayer(world);
  for (const line of scene.lines) scene.line(line, layer);
  world.append(...scene.boxes.map((box) => scene.box(box)));
  const paper = make("div", { class: "paper" }, world);
  paper.style.height = `${layout.height * zoom}px`;
  return make("figure", { class: "printed" }, make("figcaption", {}, caption), paper);
}
