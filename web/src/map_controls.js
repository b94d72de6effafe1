// The buttons and boxes above the maps, their keys, the printer and the size of the window.
import { keysOf, listen, showKeys } from "./keys.js";
import { Maps } from "./maps.js";

// Both maps side by side where each is so wide.
const WIDE = 420;

const byId = (id) => document.getElementById(id);

// `on` has: choose(numbers, fromMap), step(by) to another difference, clear(), chosen() for the numbers.
export function mapsOfPage(model, on) {
  const canvases = byId("canvases");
  const maps = new Maps(model, ["first-map", "second-map", "both-map"].map(byId), { choose: (numbers) => on.choose(numbers, { fromMap: true }), drawn });
  // The maps fill the window, or go back to their place.
  const full = () => {
    byId("full").setAttribute("aria-pressed", String(byId("maps").classList.toggle("full")));
    maps.mode = canvases.dataset.layout = mode();
    maps.draw();
    maps.visible()[0]?.container.focus({ preventScroll: true });
  };

  function drawn() {
    byId("view").value = maps.view;
    byId("only").checked = maps.only;
    byId("layout").value = maps.mode;
    const count = maps.shown.size;
    const what = maps.view === "dialogue" ? "propositions, locutions and what joins them" : "propositions and their relations";
    byId("status").textContent = maps.view === "argument" && model.argument.why ? `There is no map of this view: ${model.argument.why}` : count ? `${count} ${what} are drawn${maps.only ? " (only differences, with what they join)" : ""}.`
      : maps.only ? "There is no difference in this view." : "There is nothing to draw in this view.";
    document.body.dataset.drawn = `${maps.view} ${maps.only}`;
  }

  // Side by side where there is room, until the reader chooses.
  let wanted;
  const mode = () => wanted ?? (byId("maps").clientWidth >= 2 * WIDE ? "beside" : "over");

  const clear = () => (byId("maps").classList.contains("full") ? full() : on.clear());

  byId("view").addEventListener("change", (event) => maps.show({ view: event.target.value }));
  byId("only").addEventListener("change", (event) => maps.show({ only: event.target.checked }));
  byId("layout").addEventListener("change", (event) => {
    wanted = canvases.dataset.layout = event.target.value;
    maps.show({ mode: wanted });
  });
  byId("fit").addEventListener("click", () => maps.fit());
  byId("in").addEventListener("click", () => maps.zoom(1.3));
  byId("out").addEventListener("click", () => maps.zoom(1 / 1.3));
  byId("full").addEventListener("click", full);
  const walk = (by) => {
    const number = maps.next(on.chosen(), by);
    if (number !== undefined) on.choose([number], { fit: true });
  };
  listen(maps.canvases, keysOf(maps, { step: on.step, walk, clear, full }));
  byId("help").addEventListener("click", showKeys);

  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) maps.resize();
    else if (maps.current) {
      maps.mode = canvases.dataset.layout = mode();
      maps.draw();
    }
    width = innerWidth;
  });
  addEventListener("beforeprint", () => canvases.after(maps.printed()));
  addEventListener("afterprint", () => document.querySelectorAll(".printed").forEach((each) => each.remove()));

  if (!model.elements.some(({ place }) => place)) maps.view = "dialogue";
  // A large map is read from its differences; the checkbox brings the rest.
  const large = model.elements.filter((each) => each.kind === "I").length > 60;
  maps.only = large && model.elements.some((each) => each.status !== "agreed");
  maps.mode = canvases.dataset.layout = mode();
  maps.draw();
  return maps;
}
