// The whole map of both on sheets of paper, cut where no box is cut if that can be.
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
  const columns = cuts(places.map(({ x, w }) => [x, x + w]), -8, layout.width + 8, WIDTH / zoom);
  const rows = cuts(places.map(({ y, h }) => [y, y + h]), -12, layout.height + 8, HEIGHT / zoom);
  const all = document.createElement("div");
  all.className = "printed";
  const count = (rows.length - 1) * (columns.length - 1);
  for (let i = 1; i < rows.length; i++) {
    for (let j = 1; j < columns.length; j++) {
      const where = columns.length > 2 ? `, row ${i}, column ${j}` : "";
      const area = { left: columns[j - 1], right: columns[j], top: rows[i - 1], bottom: rows[i] };
      const part = sheet(scene, area, zoom, `${caption}${count > 1 ? ` (sheet ${(i - 1) * (columns.length - 1) + j} of ${count}${where})` : ""}`);
      if (part) all.append(part);
    }
  }
  return all;
}

// Where to cut so that no piece is longer than `most` and, if it can be, no interval is cut.
export function cuts(intervals, start, end, most) {
  const sorted = [...intervals].sort((a, b) => a[0] - b[0]);
  const free = [];
  let reach = start;
  for (const [from, to] of sorted) {
    if (from > reach + 2) free.push((reach + from) / 2);
    reach = Math.max(reach, to);
  }
  const found = [start];
  while (end - found[found.length - 1] > most) {
    const last = found[found.length - 1];
    const fitting = free.filter((each) => each > last + most / 4 && each <= last + most);
    found.push(fitting.length ? fitting[fitting.length - 1] : last + most);
  }
  return [...found, end];
}

function sheet(scene, area, zoom, caption) {
  const { boxes, lines } = scene.within(area);
  if (!boxes.length && !lines.length) return null;
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
