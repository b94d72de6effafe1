// Lines of a map as SVG paths. A path keeps `points` on the way, its outline `d`, the box around it, and where it ends
// (`tip`, with the direction in which it arrives).
const ROUND = 6;

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

function finished(d, points) {
  const last = points.length - 1;
  const tip = points[last], before = points[last - 1];
  const xs = points.map((p) => p.x), ys = points.map((p) => p.y);
  return { d, tip: { ...tip, dx: tip.x - before.x, dy: tip.y - before.y }, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
