// Maps that do not move: the whole map of both for the printer, and the small maps of one difference.
import { make } from "./elements.js";
import { lineLayer, Scene } from "./scene.js";

// Of a sheet in pixels: what A4 and Letter both hold inside their margins, with room for the caption.
const WIDTH = 690, HEIGHT = 900;
const MOST = 0.85;
// The least that the small map of a difference shrinks to: its text has 11 px.
const LEGIBLE = 0.8;

/** @type {(model: Model, shown: ModelElement[], layout: Layout, caption: string) => HTMLElement} */
export function printedMap(model, shown, layout, caption) {
  const zoom = Math.min(MOST, WIDTH / (layout.width + 16), HEIGHT / layout.height);
  return make("figure", { class: "printed" }, make("figcaption", {}, caption), paper(model, shown, layout, null, zoom));
}

// What a difference is about, as the first has it and as the second has it, in so much room.
/** @type {(model: Model, maps: SmallMap[], layouts: SmallLayout[], room: number) => HTMLElement} */
export function smallMaps(model, maps, layouts, room) {
  const both = maps.reduce((sum, { layout }) => sum + layouts[layout].width, 0);
  const zoom = Math.min(1, Math.max(LEGIBLE, (room - 60) / both));
  return make("div", { class: "small-maps" }, ...maps.map(({ elements, layout: number }, side) => {
    const { places, paths, width, height } = layouts[number];
    const keyOf = ({ source, target }) => {
      const line = model.lines.findIndex((each) => each.source === elements[source] && each.target === elements[target]);
      return line < 0 ? `p${elements[source]}` : line;
    };
    const layout = { places: new Map(places.map(({ box, ...place }) => [elements[box], place])), paths: new Map(paths.map((path) => [keyOf(path), path])), lanes: [], width, height };
    const name = ["first", "second"][side];
    const drawn = places.length ? paper(model, places.map(({ box }) => model.elements[elements[box]]), layout, side, zoom) : make("p", {}, "has nothing of this");
    return make("figure", {}, make("figcaption", {}, make("span", { class: `mark ${name}`, "aria-hidden": "true" }), name), drawn);
  }));
}

function paper(model, shown, layout, side, zoom) {
  const scene = new Scene(model, side);
  scene.take(shown, layout);
  const world = make("div", { class: "world" }, ...scene.stripes());
  world.style.transform = `scale(${zoom})`;
  const layer = lineLayer(world);
  for (const line of scene.lines) scene.line(line, layer);
  world.append(...scene.boxes.map((box) => scene.box(box)));
  const sheet = make("div", { class: "paper" }, world);
  Object.assign(sheet.style, { width: `${layout.width * zoom}px`, height: `${layout.height * zoom}px` });
  return sheet;
}
