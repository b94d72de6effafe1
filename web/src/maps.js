// The three maps (first, second, overlaid): one layout, one viewport, one choice.
import cytoscape from "cytoscape";
import { layOut } from "./layout.js";
import { inView, onlyDifferent, schemeLabel, short } from "./model.js";
import { DASHES, PALETTES, SHAPES } from "./theme.js";

const WIDTH = 210;
const LABEL = 120;

function label(model, element, side) {
  if (element.scheme) return short(schemeLabel(model, element, side), 40);
  const member = side === null ? element.sides[0] || element.sides[1] : element.sides[side];
  if (!member) return "";
  const who = member.kind === "I" && member.speaker ? `${short(member.speaker, 24)}: ` : "";
  const mark = { first: "① ", second: "② " }[element.status] || "";
  return breakable((side === null ? mark : "") + who + (short(member.text, LABEL) || "(no text)"));
}

// Lines break between words, and inside a word only where it is longer than a line (at a zero-width space).
function breakable(text) {
  return text.replace(/\S{25,}/gu, (word) => Array.from(word).map((c, i) => (i % 24 === 23 ? c + "\u200b" : c)).join(""));
}

function sizeOf(model, element) {
  const texts = [null, 0, 1].map((side) => label(model, element, side));
  const longest = Math.max(...texts.map((t) => Array.from(t).length));
  if (element.scheme) {
    // A diamond holds less text than an ellipse of its size.
    const roomy = element.status === "first" ? 1.45 : 1.15;
    return [Math.max(34, (18 + longest * 7.2) * roomy), (element.kind === "TA" ? 24 : 32) * (element.status === "first" ? 1.25 : 1)];
  }
  return [WIDTH, 16 + 17 * Math.max(1, Math.ceil((longest * 7.6) / (WIDTH - 16)))];
}

function style(palette) {
  const line = { agreed: "solid", part: "solid", first: "dashed", second: "dotted", different: "dashed" };
  const found = [
    { selector: "node", style: {
      label: "data(label)", width: "data(w)", height: "data(h)", color: palette.text, "font-size": 14, "font-family": "system-ui, sans-serif",
      "text-wrap": "wrap", "text-max-width": WIDTH - 14, "text-overflow-wrap": "whitespace", "text-valign": "center", "text-halign": "center",
      "background-color": palette.box, "border-width": 2, shape: "round-rectangle", "min-zoomed-font-size": 5 } },
    { selector: "node.L", style: { shape: "cut-rectangle", "font-style": "italic" } },
    { selector: "node.scheme", style: { "font-size": 13, "background-color": palette.page } },
    { selector: "node.TA", style: { "font-size": 12 } },
    { selector: "edge", style: {
      width: 2, "curve-style": "bezier", "target-arrow-shape": "triangle", "arrow-scale": 0.9 } },
    { selector: "node.part", style: { "border-style": "double", "border-width": 4 } },
  ];
  palette.speakers.forEach((color, i) => found.push({ selector: `node.speaker${i}`, style: { "background-color": color } }));
  for (const status of Object.keys(line)) {
    const color = palette[status];
    const width = status === "agreed" || status === "part" ? 1.5 : 3;
    const dashes = DASHES[status] ? { "line-dash-pattern": DASHES[status] } : {};
    const border = DASHES[status] ? { "border-dash-pattern": DASHES[status] } : {};
    found.push({ selector: `edge.${status}`, style: { "line-color": color, "target-arrow-color": color, "line-style": line[status] === "dotted" ? "dotted" : line[status], width, ...dashes } });
    if (status !== "part") found.push({ selector: `node.${status}`, style: { "border-color": color, "border-style": line[status], "border-width": width, ...border } });
    else found.push({ selector: "node.part", style: { "border-color": color } });
    found.push({ selector: `node.scheme.${status}`, style: { shape: SHAPES[status] } });
  }
  found.push(
    { selector: ".inner", style: { "line-style": "dotted", "target-arrow-shape": "none", "line-color": palette.faded } },
    { selector: ".faded", style: { opacity: 0.35 } },
    { selector: "node.found", style: { "background-color": palette.found } },
    { selector: "node.chosen", style: { "background-color": palette.chosen, "border-width": 5, "z-index": 9, opacity: 1 } },
    { selector: "edge.chosen", style: { width: 5, "z-index": 9, opacity: 1 } },
  );
  return found;
}

export class Maps {
  constructor(model, containers, onChoose) {
    this.model = model;
    this.view = "argument";
    this.only = false;
    this.layouts = new Map();
    this.canvases = containers.map((container, index) => {
      const side = index === 2 ? null : index;
      const cy = cytoscape({ container, minZoom: 0.03, maxZoom: 3, autoungrabify: true, boxSelectionEnabled: false, hideEdgesOnViewport: model.elements.length > 600, textureOnViewport: model.elements.length > 600 });
      cy.on("tap", (event) => {
        const number = event.target === cy ? undefined : event.target.data(event.target.isNode() ? "number" : "scheme");
        onChoose(number === undefined ? [] : [number]);
      });
      cy.on("viewport", () => this.follow(cy));
      return { cy, side, container };
    });
  }

  theme(dark) {
    this.palette = PALETTES[dark ? "dark" : "light"];
    for (const { cy } of this.canvases) cy.style(style(this.palette));
  }

  // Draws what the view shows; layouts are kept, so that switching back is quick.
  draw() {
    let shown = inView(this.model, this.view);
    if (this.only) shown = onlyDifferent(this.model, shown);
    const key = `${this.view} ${this.only}`;
    if (!this.layouts.has(key)) {
      const sizes = {};
      for (const element of shown) sizes[element.number] = sizeOf(this.model, element);
      this.layouts.set(key, { sizes, places: layOut(this.model, shown, sizes) });
    }
    const { sizes, places } = this.layouts.get(key);
    for (const canvas of this.canvases) this.fill(canvas, shown, sizes, places);
    this.shown = new Set(shown.map((e) => e.number));
    return shown.length;
  }

  fill({ cy, side }, shown, sizes, places) {
    const { model } = this;
    const here = shown.filter((e) => side === null || e.sides[side]);
    const there = new Set(here.map((e) => e.number));
    const nodes = here.map((e) => {
      const member = side === null ? e.sides[0] || e.sides[1] : e.sides[side];
      const speaker = member.speaker ? ` speaker${model.speakers.indexOf(member.speaker) % 6}` : "";
      const [w, h] = sizes[e.number];
      return { group: "nodes", data: { id: `n${e.number}`, number: e.number, label: label(model, e, side), w, h },
        position: { ...places.get(e.number) }, classes: `${e.status} ${member.kind}${e.scheme ? " scheme" : ""}${speaker}` };
    });
    const edges = model.lines.filter((l) => there.has(l.source) && there.has(l.target) && (side === null || l.in[side])).map((l, i) => ({
      group: "edges", classes: l.status,
      data: { id: `l${i}`, source: `n${l.source}`, target: `n${l.target}`, scheme: model.elements[l.target].scheme ? l.target : l.source } }));
    const inner = here.filter((e) => e.partOf !== null && there.has(e.partOf)).map((e) => ({
      group: "edges", classes: "inner", data: { id: `p${e.number}`, source: `n${e.partOf}`, target: `n${e.number}`, scheme: e.number } }));
    cy.batch(() => {
      cy.elements().remove();
      cy.add([...nodes, ...edges, ...inner]);
    });
  }

  visible() {
    return this.canvases.filter(({ container }) => container.offsetParent !== null);
  }

  follow(cy) {
    if (this.following) return;
    this.following = true;
    for (const other of this.canvases) {
      if (other.cy !== cy) other.cy.viewport({ zoom: cy.zoom(), pan: { ...cy.pan() } });
    }
    this.following = false;
  }

  // The whole is where everything of all maps is, so it is the overlaid one that says where it ends.
  fit(numbers) {
    const box = this.canvases[2].cy;
    const chosen = numbers && numbers.length ? box.nodes().filter((n) => numbers.includes(n.data("number"))) : box.nodes();
    const visible = this.visible()[0];
    if (!chosen.length || !visible) return;
    const { x1, y1, w, h } = chosen.boundingBox({ includeLabels: false });
    const width = visible.container.clientWidth, height = visible.container.clientHeight;
    const most = numbers ? 1.1 : 1.4;
    let zoom = Math.min(most, (width - 40) / w, (height - 40) / h);
    zoom = Math.max(zoom, numbers ? 0.35 : 0.03);
    visible.cy.viewport({ zoom, pan: { x: width / 2 - (x1 + w / 2) * zoom, y: height / 2 - (y1 + h / 2) * zoom } });
  }

  // A large map starts at its first difference (else at its top), large enough to read, rather than as dust.
  start() {
    this.fit();
    const visible = this.visible()[0];
    if (!visible || visible.cy.zoom() >= 0.38) return;
    const nodes = visible.cy.nodes().toArray();
    const telling = nodes.filter((n) => this.model.elements[n.data("number")].status !== "agreed" && !n.hasClass("part"));
    const top = (list) => list.reduce((one, other) => (other.position("y") < one.position("y") ? other : one));
    const { x, y } = top(telling.length ? telling : nodes).position();
    const zoom = 0.6;
    visible.cy.viewport({ zoom, pan: { x: visible.container.clientWidth / 2 - x * zoom, y: visible.container.clientHeight / 3 - y * zoom } });
  }

  zoom(factor) {
    for (const { cy, container } of this.visible().slice(0, 1)) {
      cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: container.clientWidth / 2, y: container.clientHeight / 2 } });
    }
  }

  pan(x, y) {
    this.visible()[0]?.cy.panBy({ x, y });
  }

  resize() {
    for (const { cy } of this.canvases) cy.resize();
  }

  choose(numbers, fade) {
    const chosen = new Set(numbers);
    for (const { cy } of this.canvases) {
      cy.batch(() => {
        cy.elements().removeClass("chosen faded");
        if (!chosen.size) return;
        const nodes = cy.nodes().filter((n) => chosen.has(n.data("number")));
        nodes.addClass("chosen");
        const edges = cy.edges().filter((e) => chosen.has(e.source().data("number")) && chosen.has(e.target().data("number")));
        edges.addClass("chosen");
        if (fade) cy.elements().difference(nodes.union(edges)).addClass("faded");
      });
    }
  }

  mark(numbers) {
    const found = new Set(numbers);
    for (const { cy } of this.canvases) {
      cy.batch(() => cy.nodes().forEach((n) => n.toggleClass("found", found.has(n.data("number")))));
    }
  }
}
