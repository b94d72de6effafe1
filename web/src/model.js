// The data block of the page as elements and lines.
export function readModel() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const elements = data.elements.map(({ first, second, ...rest }, number) => {
    const kind = (first ?? second).kind;
    return { ...rest, number, sides: [first, second], kind, scheme: kind !== "I" && kind !== "L" };
  });
  const lines = data.lines.map(({ first, second, ...rest }) => ({ ...rest, in: [first, second] }));
  const neighbours = elements.map(() => []);
  for (const line of lines) {
    neighbours[line.source].push(line.target);
    neighbours[line.target].push(line.source);
  }
  return { ...data, elements, lines, neighbours };
}

export const RELATIONS = new Set(["RA", "CA", "MA", "PA"]);

// The elements that a view shows: propositions and their relations as far as they have places, or everything.
export function inView(model, view) {
  return view === "dialogue" ? model.elements.slice() : model.elements.filter(({ place }) => place);
}

// Of those, the ones that are not agreed, with what they join.
export function onlyDifferent(model, shown) {
  const there = new Set(shown.map((e) => e.number));
  const kept = new Set();
  const keep = (number) => {
    if (!there.has(number) || kept.has(number)) return;
    kept.add(number);
    if (model.elements[number].scheme) model.neighbours[number].forEach(keep);
  };
  for (const element of shown) {
    if (element.status === "agreed") continue;
    keep(element.number);
    if (element.partOf !== null) keep(element.partOf);
  }
  for (const line of model.lines) {
    if (line.status !== "agreed" && there.has(line.source) && there.has(line.target)) [line.source, line.target].forEach(keep);
  }
  return shown.filter((e) => kept.has(e.number));
}

export function schemeLabel(model, element, side) {
  const name = (m) => m && (model.verbs[m.kind] && m.kind !== "TA" ? model.verbs[m.kind] : m.kind === "TA" ? "then" : m.text || m.kind);
  const [first, second] = element.sides.map(name);
  if (side !== null) return [first, second][side] || "";
  return first && second && first !== second ? `${first} / ${second}` : first || second;
}

const NAMES = { I: "proposition", L: "locution", YA: "illocution", TA: "transition" };

// What an element is and how it stands, as a heading.
export function headingOf(model, element) {
  return `${NAMES[element.kind] ?? `relation (${schemeLabel(model, element, null)})`}: ${element.says}`;
}

// A label short enough for a box; the whole text is in the panel.
export function short(text, length) {
  const line = text.replace(/\s+/gu, " ").trim();
  const characters = Array.from(line);
  return characters.length > length ? characters.slice(0, length - 1).join("") + "…" : line;
}
