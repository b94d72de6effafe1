// The map: a window on the drawing that is dragged and made larger or smaller, and the switch between the sides.
const view = $(".view");
const drawing = $("svg", view);
const mapParts = $$(".e, .b, .h, .l", view).map((element) => Object.assign(element, {
  cards: numbers(element.dataset.c),
  nodes: numbers(element.dataset.nodes),
  ends: numbers(element.dataset.e),
  lines: [0, 1].map((side) => $$(`.s${side}`, element)), // the words of one side
}));
const mapPartsOf = (card) => mapParts.filter((part) => part.cards.includes(numberOf(card)));
const claimsOf = (card) => mapParts.filter((part) => part.dataset.p && numbers(card.dataset.p).includes(part.dataset.p));

// What the map shows follows in the frame after the text: nobody waits for it.
const inFrame = new Map();
function nextFrame(name, task) {
  if (!inFrame.size) requestAnimationFrame(() => setTimeout(() => { for (const [known, waiting] of inFrame) { inFrame.delete(known); waiting(); } }));
  inFrame.set(name, task);
}

const mapView = {
  x: 0, y: 0, scale: 1, // the middle of the window in the drawing, and pixels of a point
  width: 0, height: 0, // the window in pixels
  size: drawing ? { width: +drawing.dataset.w, height: +drawing.dataset.h } : { width: 1, height: 1 },
  READABLE: 0.75, // below it letters have less than 9 pixels

  draw() {
    if (!drawing || !this.width) return;
    const shift = [this.width / 2 - (this.x + 4) * this.scale, this.height / 2 - (this.y + 4) * this.scale];
    Object.assign(drawing.style, {
      width: `${this.size.width}px`, height: `${this.size.height}px`,
      transform: `translate(${shift.map((pixels) => `${pixels.toFixed(1)}px`).join(", ")}) scale(${this.scale})`,
    });
  },
  resize() { Object.assign(this, { width: view.clientWidth, height: view.clientHeight }); this.draw(); },
  whole() { return Math.min(1.3, this.width / this.size.width, this.height / this.size.height); },
  // All of it; at first sight, where that is too small to read, what is around the current card.
  fit(least = 0) {
    this.scale = Math.max(this.whole(), least);
    if (this.whole() >= least) Object.assign(this, { x: this.size.width / 2 - 4, y: this.size.height / 2 - 4 });
    else {
      const card = state.current ?? $($("#largest")?.hash ?? ".card") ?? cards[0];
      this.show(card ? [...mapPartsOf(card), ...claimsOf(card)] : mapParts.filter((part) => part.matches(".b")).slice(0, 1), true);
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
    const boxes = parts.filter((part) => !part.matches(".h")).map((part) => (part.box ??= part.getBBox()));
    if (!boxes.length || !this.width) return;
    const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
    const [right, bottom] = [Math.max(...boxes.map((box) => box.x + box.width)), Math.max(...boxes.map((box) => box.y + box.height))];
    const [width, height] = [this.width / this.scale, this.height / this.scale];
    const seen = Math.abs((left + right) / 2 - this.x) <= (width - right + left) / 2 && Math.abs((top + bottom) / 2 - this.y) <= (height - bottom + top) / 2;
    if (seen && !always) return;
    const needed = Math.min(this.width / (right - left + 24), this.height / (bottom - top + 24));
    if (needed < this.scale) this.scale = Math.max(needed, Math.min(this.scale, this.READABLE));
    const whole = needed >= this.scale; // else its first part
    this.x = whole ? (left + right) / 2 : boxes.at(-1).x + boxes.at(-1).width / 2;
    this.y = whole ? (top + bottom) / 2 : boxes.at(-1).y + boxes.at(-1).height / 2;
    this.draw();
  },
};
const middleOf = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

mapView.resize();
new ResizeObserver(() => mapView.resize()).observe(view);
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
  const still = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
  dragged += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
  if (dragged > 4 && !view.hasPointerCapture(event.pointerId)) view.setPointerCapture(event.pointerId);
  mapView.move((event.clientX - before.clientX) / fingers.size, (event.clientY - before.clientY) / fingers.size);
  if (still) {
    const apart = (finger) => Math.hypot(finger.clientX - still.clientX, finger.clientY - still.clientY);
    mapView.zoom(apart(event) / (apart(before) || 1), { x: (event.clientX + still.clientX) / 2, y: (event.clientY + still.clientY) / 2 });
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
for (const shown of switches) shown.onchange = () => { view.dataset.show = shown.value; };
function toggleMerged() {
  switches.find(({ value }) => value === (view.dataset.show === "merged" ? "both" : "merged"))?.click(); // equal maps have none
}
// What is not in the map as it is decided, and what is sure: a part without all of its nodes, and what leads to one.
function paintMap() {
  const gone = (nodes) => nodes.length > 0 && nodes.every((node) => state.absent.has(node));
  const out = new Set(mapParts.filter((part) => part.dataset.n && gone(part.nodes)).map((part) => part.dataset.n));
  for (const part of mapParts) {
    part.classList.toggle("out", gone(part.nodes) || part.ends.some((end) => out.has(end)));
    part.classList.toggle("sure", part.cards.length > 0 && part.cards.every((number) => rowsByCard.get(number).every(isDecided)));
    for (const side of [0, 1]) {
      if (!part.lines[side].length) continue;
      const sideGone = gone(part.nodes.filter((node) => node.startsWith(`${side}`)));
      for (const line of part.lines[side]) line.classList.toggle("out", sideGone);
    }
  }
}
