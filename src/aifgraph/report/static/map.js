// The map: a window on the drawing that is dragged and made larger or smaller, and the switch between the sides.
const view = $(".view");
const drawing = $("svg", view);
const mapPartsOf = (card) => $$(`[data-c~="${numberOf(card)}"]`, view);
const claimsOf = (card) => numbers(card.dataset.p).flatMap((claim) => $$(`.b[data-p="${claim}"]`, view));

const mapView = {
  x: 0, y: 0, scale: 1, // the middle of the window in the drawing, and pixels of a point
  size: drawing ? { width: +drawing.dataset.w, height: +drawing.dataset.h } : { width: 1, height: 1 },
  READABLE: 0.75, // below it letters have less than 9 pixels

  draw() {
    if (!drawing || !view.clientWidth) return;
    const [width, height] = [view.clientWidth / this.scale, view.clientHeight / this.scale];
    drawing.setAttribute("viewBox", [this.x - width / 2, this.y - height / 2, width, height].map((n) => n.toFixed(1)).join(" "));
  },
  printed() { drawing?.setAttribute("viewBox", `-4 -4 ${this.size.width} ${this.size.height}`); },
  whole() { return Math.min(1.3, view.clientWidth / this.size.width, view.clientHeight / this.size.height); },
  // All of it; where that is too small to read, what is around the current card.
  fit() {
    this.scale = Math.max(this.whole(), this.READABLE);
    if (this.whole() >= this.READABLE) Object.assign(this, { x: this.size.width / 2 - 4, y: this.size.height / 2 - 4 });
    else {
      const card = state.current ?? $($("#largest")?.hash ?? ".card") ?? cards[0];
      this.show(card ? [...mapPartsOf(card), ...claimsOf(card)] : $$(".b", view).slice(0, 1), true);
    }
    this.draw();
  },
  // Larger or smaller around a point of the screen, which stays where it is.
  zoom(by, point = middleOf(view.getBoundingClientRect())) {
    const [before, box] = [this.scale, view.getBoundingClientRect()];
    this.scale = Math.min(3, Math.max(Math.min(this.whole(), 0.3), before * by));
    const shift = 1 / before - 1 / this.scale;
    this.x += (point.x - box.left - box.width / 2) * shift;
    this.y += (point.y - box.top - box.height / 2) * shift;
    this.draw();
  },
  move(right, down) {
    this.x = Math.min(this.size.width, Math.max(0, this.x - right / this.scale));
    this.y = Math.min(this.size.height, Math.max(0, this.y - down / this.scale));
    this.draw();
  },
  // Go where parts are, unless they are in sight.
  show(parts, always = false) {
    const boxes = parts.filter((part) => part.getBBox && !part.matches(".h")).map((part) => part.getBBox());
    if (!boxes.length || !view.clientWidth) return;
    const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
    const [right, bottom] = [Math.max(...boxes.map((box) => box.x + box.width)), Math.max(...boxes.map((box) => box.y + box.height))];
    const [width, height] = [view.clientWidth / this.scale, view.clientHeight / this.scale];
    const seen = Math.abs((left + right) / 2 - this.x) <= (width - right + left) / 2 && Math.abs((top + bottom) / 2 - this.y) <= (height - bottom + top) / 2;
    if (seen && !always) return;
    const needed = Math.min(view.clientWidth / (right - left + 24), view.clientHeight / (bottom - top + 24));
    if (needed < this.scale) this.scale = Math.max(needed, Math.min(this.scale, this.READABLE));
    const whole = needed >= this.scale; // else its first part
    this.x = whole ? (left + right) / 2 : boxes.at(-1).x + boxes.at(-1).width / 2;
    this.y = whole ? (top + bottom) / 2 : boxes.at(-1).y + boxes.at(-1).height / 2;
    this.draw();
  },
};
const middleOf = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

new ResizeObserver(() => mapView.draw()).observe(view);
for (const button of $$("[data-zoom]")) {
  button.onclick = () => ({ fit: () => mapView.fit(), "+": () => mapView.zoom(1.25), "-": () => mapView.zoom(0.8) })[button.dataset.zoom]();
}
view.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
  if (moves) mapView.move(...moves);
  else if ("+=-".includes(event.key)) mapView.zoom(event.key === "-" ? 0.8 : 1.25);
  else if (event.key === "0") mapView.fit();
  else return;
  event.preventDefault();
});
view.addEventListener("wheel", (event) => {
  event.preventDefault();
  mapView.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), event);
}, { passive: false });

// One finger or the mouse drags, two fingers zoom.
const fingers = new Map();
let dragged = 0;
view.addEventListener("pointerdown", (event) => {
  dragged = 0;
  fingers.set(event.pointerId, event);
});
addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  fingers.set(event.pointerId, event);
  const other = [...fingers.values()].find((each) => each.pointerId !== event.pointerId);
  dragged += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
  if (dragged > 4 && !view.hasPointerCapture(event.pointerId)) view.setPointerCapture(event.pointerId);
  mapView.move((event.clientX - before.clientX) / fingers.size, (event.clientY - before.clientY) / fingers.size);
  if (other) {
    const apart = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
    mapView.zoom(apart(event) / (apart(before) || 1), { x: (event.clientX + other.clientX) / 2, y: (event.clientY + other.clientY) / 2 });
  }
});
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, (event) => fingers.delete(event.pointerId));

view.addEventListener("click", (event) => {
  const part = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-c], .b") ?? event.target.closest("[data-c], .b");
  event.preventDefault();
  if (dragged > 4 || !part) return;
  document.body.classList.remove("map-open");
  if (part.dataset.c) select(document.getElementById(`c${numbers(part.dataset.c)[0]}`), { scroll: true, map: false });
  else $(`.p[data-p~="${part.dataset.p}"]`)?.scrollIntoView({ block: "center" });
});
for (const type of ["mouseover", "mouseout"]) {
  view.addEventListener(type, (event) => {
    const part = event.target.closest("[data-c], .b");
    for (const number of numbers(part?.dataset.c)) light(document.getElementById(`c${number}`), "hot", type === "mouseover");
    if (part?.dataset.p) for (const passage of $$(`.p[data-p~="${part.dataset.p}"]`)) passage.classList.toggle("hot", type === "mouseover");
  });
}

const switches = $$(".switch input");
for (const one of switches) one.onchange = () => { view.dataset.show = one.value; };
function toggleGold() {
  const gold = switches.find((one) => one.value === (view.dataset.show === "gold" ? "both" : "gold"));
  gold?.click(); // two equal maps have none
}
// What is not in the map as it is decided, and what is sure: a part without all of its nodes, and what leads to one.
function paintMap() {
  if (!drawing) return;
  const stays = (part) => !part.dataset.nodes || numbers(part.dataset.nodes).some((node) => !state.absent.has(node));
  const out = new Set();
  for (const part of $$(".b, .h", drawing)) {
    part.classList.toggle("out", !stays(part));
    if (!stays(part)) out.add(part.dataset.n);
    for (const side of [0, 1]) {
      const own = numbers(part.dataset.nodes).filter((node) => node.startsWith(`${side}`));
      for (const line of $$(`.s${side}`, part)) line.classList.toggle("out", own.every((node) => state.absent.has(node)));
    }
  }
  for (const part of $$("[data-e]", drawing)) part.classList.toggle("out", !stays(part) || numbers(part.dataset.e).some((end) => out.has(end)));
  for (const part of $$("[data-c]", drawing)) {
    part.classList.toggle("sure", numbers(part.dataset.c).every((number) => rowsByCard.get(number).every(isDecided)));
  }
}
