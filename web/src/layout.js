// Where elements stand: dagre lays out each connected piece, the pieces are put in rows. One layout serves all maps.
import dagre from "@dagrejs/dagre";

const GAP = 40;
// A longer dialogue is cut into stretches of about so many elements: dagre's time grows faster than the map.
const STRETCH = 260;

export function layOut(model, shown, sizes) {
  const there = new Set(shown.map((e) => e.number));
  const lines = model.lines.filter((l) => there.has(l.source) && there.has(l.target));
  const parts = shown.filter((e) => e.partOf !== null && there.has(e.partOf)).map((e) => ({ source: e.partOf, target: e.number }));
  const boxes = pieces(shown, [...lines, ...parts]).flatMap((piece) => stretches(piece, lines)).map((piece) => {
    const inside = new Set(piece);
    const own = (list) => list.filter((l) => inside.has(l.source) && inside.has(l.target));
    return layOutPiece(model, piece, own(lines), own(parts), sizes);
  });
  return pack(boxes);
}

function pieces(shown, links) {
  const next = new Map(shown.map((e) => [e.number, []]));
  for (const { source, target } of links) {
    next.get(source).push(target);
    next.get(target).push(source);
  }
  const seen = new Set();
  const found = [];
  for (const { number } of shown) {
    if (seen.has(number)) continue;
    const piece = [number];
    seen.add(number);
    for (let i = 0; i < piece.length; i++) {
      for (const other of next.get(piece[i])) {
        if (!seen.has(other)) {
          seen.add(other);
          piece.push(other);
        }
      }
    }
    found.push(piece);
  }
  return found;
}

// In the order in which a walk from the first element meets them, neighbours stay together.
function stretches(piece) {
  const count = Math.max(1, Math.round(piece.length / STRETCH));
  const size = Math.ceil(piece.length / count);
  return Array.from({ length: count }, (_, i) => piece.slice(i * size, (i + 1) * size)).filter((each) => each.length);
}

function layOutPiece(model, piece, lines, parts, sizes) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 24, ranksep: 34 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const number of piece) {
    const [width, height] = sizes[number];
    graph.setNode(String(number), { width, height });
  }
  for (const { source, target } of lines) {
    // A conclusion stands above its premises, a locution above what it leads to.
    const kinds = [model.elements[source].kind, model.elements[target].kind];
    const up = kinds.every((kind) => kind !== "L" && kind !== "TA" && kind !== "YA");
    graph.setEdge(String(up ? target : source), String(up ? source : target));
  }
  for (const { source, target } of parts) graph.setEdge(String(source), String(target));
  dagre.layout(graph);
  const { width, height } = graph.graph();
  return { width, height, places: piece.map((number) => [number, graph.node(String(number))]) };
}

function pack(boxes) {
  const area = boxes.reduce((sum, box) => sum + (box.width + GAP) * (box.height + GAP), 0);
  const wide = Math.max(Math.sqrt(area) * 1.25, ...boxes.map((box) => box.width));
  // Pieces with relations first, each kind in the order of the text.
  const order = [...boxes.filter((box) => box.places.length > 1), ...boxes.filter((box) => box.places.length === 1)];
  const found = new Map();
  let x = 0, y = 0, row = 0;
  for (const box of order) {
    if (x && x + box.width > wide) {
      x = 0;
      y += row + GAP;
      row = 0;
    }
    for (const [number, place] of box.places) found.set(number, { x: x + place.x, y: y + place.y });
    x += box.width + GAP;
    row = Math.max(row, box.height);
  }
  return found;
}
