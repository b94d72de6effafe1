// The keys of the page, in one list: what they do and what `?` shows.
import { make } from "./elements.js";

// Names as KeyboardEvent has them, how they are shown, and what they do.
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
    { keys: ["f"], shown: "f", says: "fill the window, and back", act: full },
    { keys: ["Escape"], shown: "Escape", says: "clear what is chosen, leave the full window", act: clear },
  ];
}

// What `?` shows: a caption with the keys and what they do. Parts of the page put theirs on top.
/** @type {[string, [string, string][]][]} */
const lists = [
  ["Mouse and touch", [
    ["drag", "move the map"], ["wheel", "scroll the page; the map, once it is clicked or has the focus"],
    ["Shift and wheel", "move the map sideways"], ["Ctrl and wheel, or two fingers", "zoom"], ["click a box or a line", "choose it"],
  ]],
  ["Anywhere", [
    ["n and p", "the next difference, the one before"], ["/", "search"],
    ["Enter, Shift and Enter", "in the search: the next hit, the one before"], ["Escape", "clear what is chosen"], ["?", "this list"],
  ]],
  ["In the text", [["← → ↑ ↓", "from unit to unit"], ["Home, End", "the first unit, the last"], ["Enter", "choose the unit"]]],
];

export function listKeys(caption, rows) {
  lists.unshift([caption, rows]);
}

export function showKeys() {
  if (document.querySelector("dialog.keys")) return;
  const row = ([key, says]) => make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, says));
  const tables = lists.map(([caption, rows]) => make("table", {}, make("caption", {}, caption), make("tbody", {}, ...rows.map(row))));
  const close = make("button", { type: "button" }, "Close");
  const dialog = make("dialog", { class: "keys", "aria-label": "Keys" }, ...tables, close);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

export function listen(canvases, keys) {
  listKeys("Keys, with a map in focus", keys.map(({ shown, says }) => [shown, says]));
  for (const { container } of canvases) {
    container.addEventListener("keydown", (event) => {
      const found = keys.find((each) => each.keys.includes(event.key));
      if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      found.act(event.key);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.metaKey || event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    event.preventDefault();
    showKeys();
  });
}
