// The page of a pair in a corpus: links to the one before and the one after, from the list that the index wrote.
export function linkNeighbours() {
  const place = document.getElementById("neighbours");
  const pairs = globalThis.aifgraphPairs;
  if (!place || !Array.isArray(pairs)) return;
  const here = pairs.findIndex(({ page }) => location.pathname.endsWith(`/${page}`));
  if (here < 0) return;
  const link = (at, mark, text, rel) => {
    if (!pairs[at]) return;
    const { page, name } = pairs[at];
    const a = document.createElement("a");
    a.href = page;
    a.rel = rel;
    a.title = name;
    a.textContent = mark === "←" ? `← ${text}` : `${text} →`;
    place.append(" ", a);
  };
  link(here - 1, "←", "previous pair", "prev");
  place.append(` ${here + 1} of ${pairs.length} `);
  link(here + 1, "→", "next pair", "next");
}
