// The one way in to the layout of a map: where each box stands and how each line runs.
import { sizeOf } from "../boxes.js";
import { layOutLanes, lanesOf } from "./lanes.js";

const TEXT = 220;
const SIDES = { beside: [0, 1], over: [null] };

/**
 * The layout of what a view shows: `places` by the number of an element, `paths` by the key of a line, the `lanes` of a
 * dialogue, and how large it all is. The argument view was laid out when the page was made, once for every mode.
 *
 * @param {Model} model
 * @param {ModelElement[]} shown
 * @param {string} view
 * @param {string} mode
 * @returns {Layout}
 */
export function layOut(model, shown, view, mode) {
  if (view === "dialogue") {
    const sizes = Object.fromEntries(shown.map((each) => [each.number, sizeOf(model, each, SIDES[mode], TEXT)]));
    return layOutLanes(model, shown, sizes, lanesOf(shown).map((lane) => ({ ...lane, agreement: agreement(model, lane.names) })));
  }
  const paths = new Map();
  model.lines.forEach(({ path }, key) => path && paths.set(key, path));
  for (const { number, path } of shown) if (path) paths.set(`p${number}`, path);
  return { places: new Map(shown.flatMap(({ number, place }) => (place ? [[number, place]] : []))), paths, lanes: [], ...model.argument };
}

/** @type {(model: Model, names: string[]) => string} */
function agreement(model, names) {
  if (names.length !== 1 || !model.agreement[names[0]]) return "";
  const { decisions, agreed, kappa } = model.agreement[names[0]];
  return `${agreed} of ${decisions} illocutions alike${kappa === null ? "" : `, κ ${kappa.toFixed(2)}`}`;
}
