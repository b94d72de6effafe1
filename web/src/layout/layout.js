// The one way in to the layout of a map: where each box stands and how each line runs.
import { layOutLanes, lanesOf } from "./lanes.js";
import { layOutTrees } from "./trees.js";

/**
 * The layout of what a view shows: `places` by the number of an element, `paths` by the key of a line, the `lanes` of a
 * dialogue, and how large it all is. `room` is the width that there is.
 *
 * @param {Model} model
 * @param {ModelElement[]} shown
 * @param {Sizes} sizes
 * @param {string} view
 * @param {number} room
 * @returns {Layout}
 */
export function layOut(model, shown, sizes, view, room) {
  if (view !== "dialogue") return layOutTrees(model, shown, sizes, room);
  const lanes = lanesOf(shown).map((lane) => ({ ...lane, agreement: agreement(model, lane.names) }));
  return layOutLanes(model, shown, sizes, lanes);
}

/** @type {(model: Model, names: string[]) => string} */
function agreement(model, names) {
  if (names.length !== 1 || !model.agreement[names[0]]) return "";
  const { decisions, agreed, kappa } = model.agreement[names[0]];
  return `${agreed} of ${decisions} illocutions alike${kappa === null ? "" : `, κ ${kappa.toFixed(2)}`}`;
}
