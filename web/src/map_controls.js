// The buttons and boxes above the maps, and their keys.
import { Maps } from "./maps.js";
import { dark } from "./theme.js";

const byId = (id) => document.getElementById(id);

// `on` has: choose(numbers, {fromMap}), step(by) to another difference, clear().
export function mapsOfPage(model, on) {
  const inner = new Maps(model, ["first-map", "second-map", "both-map"].map(byId), (numbers) => on.choose(numbers, { fromMap: true }));

  function draw() {
    const count = inner.draw();
    const view = inner.view === "dialogue" ? "propositions, locutions and what joins them" : "propositions and their relations";
    byId("status").textContent = count ? `${count} ${view} are drawn${inner.only ? " (only differences, with what they join)" : ""}.`
      : inner.only ? "There is no difference in this view." : "There is nothing to draw in this view.";
    byId("view").value = inner.view;
    byId("only").checked = inner.only;
    inner.resize();
    inner.start();
    document.body.dataset.drawn = `${inner.view} ${inner.only}`;
  }

  const maps = {
    get view() { return inner.view; },
    choose: (numbers, fade) => inner.choose(numbers, fade),
    mark: (numbers) => inner.mark(numbers),
    hint: () => {},
    show({ view = inner.view, only = inner.only }) {
      if (view === inner.view && only === inner.only) return;
      Object.assign(inner, { view, only });
      draw();
    },
    reveal(numbers) {
      const hidden = numbers.filter((number) => !inner.shown.has(number));
      if (hidden.length) {
        const dialogue = hidden.some((number) => ["L", "TA", "YA"].includes(model.elements[number].kind));
        inner.only = false;
        if (dialogue) inner.view = "dialogue";
        draw();
      }
      inner.fit(numbers);
    },
  };
  const themed = () => inner.theme(dark(byId("theme").value));
  byId("theme").addEventListener("change", themed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themed);
  byId("view").addEventListener("change", (event) => maps.show({ view: event.target.value }));
  byId("only").addEventListener("change", (event) => maps.show({ only: event.target.checked }));
  byId("layout").addEventListener("change", (event) => {
    byId("canvases").dataset.layout = event.target.value;
    inner.resize();
    inner.start();
  });
  byId("fit").addEventListener("click", () => inner.fit());
  byId("in").addEventListener("click", () => inner.zoom(1.3));
  byId("out").addEventListener("click", () => inner.zoom(1 / 1.3));
  for (const canvas of document.querySelectorAll(".canvas")) {
    canvas.addEventListener("keydown", (event) => {
      const act = { ArrowLeft: () => inner.pan(60, 0), ArrowRight: () => inner.pan(-60, 0), ArrowUp: () => inner.pan(0, 60), ArrowDown: () => inner.pan(0, -60),
        "+": () => inner.zoom(1.3), "=": () => inner.zoom(1.3), "-": () => inner.zoom(1 / 1.3), 0: () => inner.fit(), n: () => on.step(1), p: () => on.step(-1), Escape: () => on.clear() }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    });
  }
  addEventListener("resize", () => inner.resize());
  // A canvas cannot be drawn anew before the sheet is taken: the maps are printed as they stand, made small enough.
  const sheet = 620;
  addEventListener("beforeprint", () => {
    for (const { container } of inner.visible()) {
      const { clientWidth, clientHeight } = container;
      Object.assign(container.style, { width: `${clientWidth}px`, height: `${clientHeight}px`, zoom: Math.min(1, sheet / clientWidth), background: inner.palette.page });
    }
  });
  addEventListener("afterprint", () => {
    for (const { container } of inner.canvases) Object.assign(container.style, { width: "", height: "", zoom: "", background: "" });
    inner.resize();
  });

  themed();
  if (!model.elements.some((each) => each.kind === "I" || ["RA", "CA", "MA", "PA"].includes(each.kind))) inner.view = "dialogue";
  // A large map is read from its differences; the checkbox brings the rest.
  const large = model.elements.filter((each) => each.kind === "I").length > 60;
  inner.only = large && model.elements.some((each) => each.status !== "agreed");
  if (byId("maps").clientWidth < 840) byId("canvases").dataset.layout = byId("layout").value = "over";
  draw();
  return maps;
}
