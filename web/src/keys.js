// The keys of the page, in one list: what they do and what `?` shows.
import { make } from "./elements.js";

// Names as KeyboardEvent has them, how they are shown, and what they do; `everywhere` outside of the maps too.
export function keysOf(maps, { step, walk, clear, full }) {
  return [
    { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], shown: "← → ↑ ↓", says: "move the map",
      act: (key) => maps.pan({ ArrowLeft: 60, ArrowRight: -60 }[key] ?? 0, { ArrowUp: 60, ArrowDown: -60 }[key] ?? 0) },
    { keys: ["PageUp", "PageDown"], shown: "Page ↑ ↓", says: "move by most of a window", act: (key) => maps.pan(0, (key === "PageUp" ? 0.85 : -0.85) * (maps.visible()[0]?.height ?? 0)) },
    { keys: ["Home", "End"], shown: "Home, End", says: "go to the top, to the end", act: (key) => maps.pan(0, key === "Home" ? 1e7 : -1e7) },
    { keys: ["+", "="], shown: "+", says: "larger", act: () => maps.zoom(1.3) },
    { keys: ["-"], shown: "-", says: "smaller", act: () => maps.zoom(1 / 1.3) },
    { keys: ["0"], shown: "0", says: "the whole map", act: () => maps.fit() },
    { keys: ["1"], shown: "1", says: "large enough to read, at the first difference", act: () => maps.start() },
    { keys: [".", ","], shown: ". and ,", says: "choose the next box, the one before", act: (key) => walk(key === "." ? 1 : -1) },
    { keys: ["n", "p"], shown: "n and p", says: "the next difference, the one before", act: (key) => step(key === "n" ? 1 : -1) },
    { keys: ["f"], shown: "f", says: "full screen, and back", act: full },
    { keys: ["Escape"], shown: "Escape", says: "clear what is chosen, leave the full screen", act: clear },
  ];
}

// Keys of other parts of the page, for the list.
const further = [];
let showList = () => {};

export function listKeys(name, rows) {
  further.push([name, rows]);
}

export function showKeys() {
  showList();
}

const MOUSE = [
  ["drag", "move the map"], ["wheel", "scroll the page; the map, once it is clicked or has the focus"],
  ["Shift and wheel", "move the map sideways"], ["Ctrl and wheel, or two fingers", "zoom"], ["click a box or a line", "choose it"],
];

const ANYWHERE = [
  ["n and p", "the next difference, the one before"], ["r", "tick the difference as reviewed"], ["/", "search"],
  ["Enter, Shift and Enter", "in the search: the next hit, the one before"], ["Escape", "clear what is chosen"], ["?", "this list"],
];

const TEXT = [["← → ↑ ↓", "from unit to unit"], ["Home, End", "the first unit, the last"], ["Enter", "choose the unit"]];

export function listen(canvases, keys) {
  for (const { container } of canvases) {
    container.addEventListener("keydown", (event) => {
      const found = keys.find((each) => each.keys.includes(event.key));
      if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      found.act(event.key);
    });
  }
  const dialog = help(keys);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    event.preventDefault();
    dialog.show();
  });
  return dialog;
}

function help(keys) {
  const row = ([key, says]) => make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, says));
  const table = (name, rows) => make("table", {}, make("caption", {}, name), make("tbody", {}, ...rows.map(row)));
  const close = make("button", { type: "button" }, "Close");
  const dialog = make("dialog", { class: "keys", "aria-label": "Keys" }, table("Keys, with a map in focus", keys.map((each) => [each.shown, each.says])),
    table("Mouse and touch", MOUSE), table("Anywhere", ANYWHERE), table("In the text", TEXT), close);
  close.addEventListener("click", () => dialog.close());
  return {
    show: showList = () => {
      for (const [name, rows] of further.splice(0)) dialog.prepend(table(name, rows));
      (document.fullscreenElement ?? document.body).append(dialog);
      if (!dialog.open) dialog.showModal();
    },
  };
}
