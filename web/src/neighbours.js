// The page of a pair in a corpus: links to the one before and the one after, from the list that the index wrote.
import { make } from "./elements.js";

export function linkNeighbours() {
  const place = document.getElementById("neighbours");
  const pairs = globalThis.aifgraphPairs;
  if (!place || !Array.isArray(pairs)) return;
  const here = pairs.findIndex(({ page }) => location.pathname.endsWith(`/${page}`));
  if (here < 0) return;
  const link = (at, text, rel) => {
    if (pairs[at]) place.append(" ", make("a", { href: pairs[at].page, title: pairs[at].name, rel }, text));
  };
  link(here - 1, "← previous pair", "prev");
  place.append(` ${here + 1} of ${pairs.length} `);
  link(here + 1, "next pair →", "next");
}
