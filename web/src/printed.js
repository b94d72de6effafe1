// The whole map of both on sheets of paper, with every box whole on one of them.
import { laneName, lineLayer, Scene } from "./scene.js";

// Of the sheet in pixels: what A4 and Letter both hold inside their margins.
const WIDTH = 690;
const HEIGHT = 880;
// Text of 14 px is 6 points high at this zoom.
const LEAST = 0.575;
const MOST = 0.85;
export const ROOM = WIDTH / 0.75;

export function sheets(model, shown, layout, caption) {
  const scene = new Scene(model, null);
  scene.take(shown, layout);
  const zoom = Math.min(MOST, Math.max(LEAST, WIDTH / (layout.width + 16)));
  const places = scene.boxes.map((box) => box.place);
  const columns = spans(places.map(({ x, w }) => [x, x + w]), -8, layout.width + 8, WIDTH / zoom);
  const rows = spans(places.map(({ y, h }) => [y, y + h]), -12, layout.height + 8, HEIGHT / zoom);
  const all = document.createElement("div");
  all.className = "printed";
  const count = rows.length * columns.length;
  rows.forEach(([top, bottom], i) => columns.forEach(([left, right], j) => {
    const where = columns.length > 1 ? `, row ${i + 1}, column ${j + 1}` : "";
    const number = count > 1 ? ` (sheet ${i * columns.length + j + 1} of ${count}${where})` : "";
    const part = sheet(scene, { left, right, top, bottom }, zoom, caption + number);
    if (part) all.append(part);
  }));
  return all;
}

// A length in pieces, none longer than `most`: cut between the intervals if that can be; else an interval that is cut is
// in the next piece again, whole.
export function spans(intervals, start, end, most) {
  const free = [];
  let reach = start;
  for (const [low, high] of [...intervals].sort((a, b) => a[0] - b[0])) {
    if (low > reach + 2) free.push((reach + low) / 2);
    reach = Math.max(reach, high);
  }
  const found = [];
  let at = start;
  while (end - at > most) {
    const fitting = free.filter((each) => each > at + most / 4 && each <= at + most);
    const stop = fitting.length ? fitting[fitting.length - 1] : at + most;
    found.push([at, stop]);
    const cut = intervals.filter(([low, high]) => low < stop && high > stop && low > at + most / 4).map(([low]) => low);
    at = cut.length ? Math.min(...cut) : stop;
  }
  return [...found, [at, end]];
}

function sheet(scene, area, zoom, caption) {
  const { boxes, lines } = scene.within(area);
  if (!boxes.length) return null;
  const figure = document.createElement("figure");
  figure.className = "sheet";
  const title = document.createElement("figcaption");
  title.textContent = caption;
  const frame = document.createElement("div");
  frame.className = "paper";
  Object.assign(frame.style, { width: `${(area.right - area.left) * zoom}px`, height: `${(area.bottom - area.top) * zoom}px` });
  const world = document.createElement("div");
  world.className = "world";
  world.style.transform = `scale(${zoom}) translate(${-area.left}px, ${-area.top}px)`;
  world.append(...scene.stripes());
  const layer = lineLayer(world);
  for (const line of lines) scene.line(line, layer);
  world.append(...boxes.map((box) => scene.box(box)));
  frame.append(world);
  figure.append(title);
  const { lanes } = scene.layout;
  if (lanes.length) {
    const names = document.createElement("div");
    names.className = "paper-lanes";
    for (const lane of lanes) {
      const left = Math.max(lane.x, area.left), right = Math.min(lane.x + lane.w, area.right);
      if (right <= left) continue;
      const name = document.createElement("span");
      name.textContent = laneName(lane);
      Object.assign(name.style, { left: `${(left - area.left) * zoom}px`, width: `${(right - left) * zoom}px` });
      names.append(name);
    }
    figure.append(names);
  }
  figure.append(frame);
  return figure;
}
