// Lines of a map as SVG paths. A path keeps `points` on the way, its outline `d`, the box around it, and where it ends
// (`tip`, with the direction in which it arrives).
const ROUND = 6;

// Level pieces in the columns, curves between them. Every second piece, from the first, is level.
export function curved(points) {
  let d = `M${at(points[0])}`;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    if (i % 2) d += `L${at(b)}`;
    else {
      const middle = (a.x + b.x) / 2;
      d += `C${at({ x: middle, y: a.y })} ${at({ x: middle, y: b.y })} ${at(b)}`;
    }
  }
  return finished(d, points);
}

// Out of a side and back into the same side of another box: a bow that is `deep`.
export function bow(points, deep) {
  const [a, b, c, e] = points;
  const out = b.x + deep * (4 / 3);
  const d = `M${at(a)}L${at(b)}C${at({ x: out, y: b.y })} ${at({ x: out, y: c.y })} ${at(c)}L${at(e)}`;
  return finished(d, [...points, { x: b.x + deep, y: (b.y + c.y) / 2 }], e.x - c.x || -deep);
}

// Level and upright pieces with round corners.
export function cornered(given) {
  const points = straightened(given);
  let d = `M${at(points[0])}`;
  for (let i = 1; i < points.length - 1; i++) {
    const [a, b, c] = [points[i - 1], points[i], points[i + 1]];
    const round = Math.min(ROUND, far(a, b) / 2, far(b, c) / 2);
    d += `L${at(toward(b, a, round))}Q${at(b)} ${at(toward(b, c, round))}`;
  }
  return finished(`${d}L${at(points[points.length - 1])}`, points);
}

function straightened(points) {
  const found = [];
  for (const point of points) {
    const last = found[found.length - 1];
    if (last && Math.abs(last.x - point.x) < 0.01 && Math.abs(last.y - point.y) < 0.01) continue;
    const before = found[found.length - 2];
    if (before && ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y))) found.pop();
    found.push(point);
  }
  return found.length > 1 ? found : [points[0], points[points.length - 1]];
}

const at = ({ x, y }) => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
function toward(from, to, by) {
  const all = far(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * by) / all, y: from.y + ((to.y - from.y) * by) / all };
}

function finished(d, points, arriving) {
  const last = points.length - 1;
  const tip = arriving === undefined ? points[last] : points[last - 1];
  const before = points[last - 1];
  const dx = arriving === undefined ? Math.sign(tip.x - before.x) : Math.sign(arriving);
  const dy = arriving === undefined && !dx ? Math.sign(tip.y - before.y) : 0;
  const xs = points.map((p) => p.x), ys = points.map((p) => p.y);
  return { d, tip: { ...tip, dx, dy }, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
