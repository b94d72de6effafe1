// What is wrong in the maps that are drawn: lines that enter a box which is not at one of their ends, lines that end at
// no box, boxes that overlap; and how many lines and boxes were looked at.
function pointsOn(outline) {
  const found = [];
  let last = null;
  for (const [, command, rest] of outline.matchAll(/([MLCQ])([^MLCQ]*)/g)) {
    const numbers = rest.match(/-?[\d.]+/g).map(Number);
    const given = [];
    for (let i = 0; i < numbers.length; i += 2) given.push([numbers[i], numbers[i + 1]]);
    const end = given[given.length - 1];
    if (command === "M") found.push(end);
    else {
      const steps = command === "L" ? Math.ceil(Math.hypot(end[0] - last[0], end[1] - last[1]) / 3) : 40;
      for (let step = 1; step <= steps; step++) {
        // De Casteljau: a straight line is a curve without points between its ends.
        let level = [last, ...given];
        while (level.length > 1) level = level.slice(1).map((b, i) => level[i].map((a, axis) => a + ((b[axis] - a) * step) / steps));
        found.push(level[0]);
      }
    }
    last = end;
  }
  return found;
}

const wrong = [];
let lines = 0, count = 0;
for (const canvas of document.querySelectorAll(".canvas")) {
  if (!canvas.offsetParent) continue;
  const boxes = [...canvas.querySelectorAll(".box")].map(({ style, dataset }) => {
    const [x, y, w, h] = [style.left, style.top, style.width, style.height].map(parseFloat);
    return { name: dataset.element, left: x, top: y, right: x + w, bottom: y + h };
  });
  count += boxes.length;
  const holds = (box, [x, y], by) => x > box.left - by && x < box.right + by && y > box.top - by && y < box.bottom + by;
  for (const line of canvas.querySelectorAll(".line")) {
    lines++;
    const points = pointsOn(line.querySelector(".core").getAttribute("d"));
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const near = boxes.filter((box) => box.left < right + 2 && box.right > left - 2 && box.top < bottom + 2 && box.bottom > top - 2);
    const ends = near.filter((box) => holds(box, points[0], 2) || holds(box, points[points.length - 1], 2));
    if (ends.length !== 2) wrong.push([canvas.id, line.dataset.line, "ends", ends.length]);
    const hit = near.find((box) => !ends.includes(box) && points.some((point) => holds(box, point, -1)));
    if (hit) wrong.push([canvas.id, line.dataset.line, "through", hit.name]);
  }
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) wrong.push([canvas.id, a.name, "overlaps", b.name]);
  }));
}
return { wrong, lines, boxes: count };
