// What stands in a box of a map, and how large the box is.
import { schemeLabel, short } from "./model.js";

const LETTERS = 180;
const LINE = 18;
const PILL = 106;
const SIGNS = { RA: "+", CA: "✕", MA: "≈", PA: "≻", TA: "", YA: "" };
const MARKS = { first: "①", second: "②" };

// The paragraphs of a box: `sign` (whose it is), `who` speaks, and `pieces` of text, some of them changed. `side` is
// 0 or 1, or null for the map of both.
export function paragraphs(model, element, side, letters = LETTERS) {
  const [first, second] = element.sides;
  const own = MARKS[element.status] ?? "";
  if (element.scheme) {
    const name = schemeLabel(model, element, side);
    const kind = (side === null ? first || second : element.sides[side] || first || second).kind;
    return [{ sign: side === null ? own : "", who: "", pieces: [{ text: `${SIGNS[kind] ?? ""} ${short(name, 48)}`.trim(), changed: false }] }];
  }
  if (first && second && plain(first.text) !== plain(second.text)) {
    const both = [first, second].map((member, at) => ({ sign: side === null ? "①②"[at] : "", who: who(member), pieces: cut(member.pieces ?? [{ text: plain(member.text), changed: true }], letters) }));
    return side === null ? both : [both[side]];
  }
  const member = (side === null ? null : element.sides[side]) || first || second;
  return [{ sign: side === null ? own : "", who: who(member), pieces: cut([{ text: plain(member.text) || "(no text)", changed: false }], letters) }];
}

// A name as it fits: of an identifier of 32 digits or more the first eight.
export function nameOf(speaker) {
  return short(speaker.replace(/\b([0-9a-f]{8})[0-9a-f-]{24,}\b/giu, "$1…"), 24);
}

const plain = (text) => text.replace(/\s+/gu, " ").trim();
const who = (member) => (member.kind === "I" && member.speaker ? nameOf(member.speaker) : "");

// So many letters of the pieces, from the start, or from shortly before the first changed one.
function cut(pieces, letters) {
  let before = 0;
  for (const piece of pieces) {
    if (piece.changed) break;
    before += piece.text.length + 1;
  }
  let skip = before > letters - 50 && before < pieces.reduce((sum, piece) => sum + piece.text.length + 1, 0) ? before - 60 : 0;
  let left = letters;
  const found = [];
  for (const { text, changed } of pieces) {
    let characters = Array.from(text);
    if (skip > 0) {
      const gone = Math.min(skip, characters.length);
      skip -= gone;
      characters = characters.slice(gone);
      if (!characters.length) continue;
      if (gone) characters.unshift("…");
    }
    if (left <= 0) {
      if (!found[found.length - 1].text.endsWith("…")) found[found.length - 1].text += "…";
      break;
    }
    found.push({ text: characters.length > left ? `${characters.slice(0, left).join("")}…` : characters.join(""), changed });
    left -= characters.length;
  }
  return found;
}

// Width and height of a box for the text of these sides; `width` is that of boxes with a text.
export function sizeOf(model, element, sides, width) {
  const texts = sides.filter((side) => side === null || element.sides[side]).map((side) => paragraphs(model, element, side));
  const said = texts.map((each) => each.map(({ sign, who: name, pieces }) =>
    [sign, name && `${name}:`, ...pieces.map((piece) => piece.text)].filter(Boolean).join(" ")));
  if (element.scheme) {
    const longest = Math.max(...said.flat().map(widthOf));
    const inner = Math.min(PILL, longest) + 2;
    const lines = Math.max(...said.flat().map((text) => linesOf(text, inner)));
    return [inner + 20, lines * LINE + 8];
  }
  const height = Math.max(...said.map((each) => each.reduce((sum, text) => sum + linesOf(text, width - 26) * LINE, (each.length - 1) * 6)));
  return [width, height + 16];
}

let pen;
const widths = new Map();

function widthOf(text) {
  if (!pen) {
    pen = document.createElement("canvas").getContext("2d");
    pen.font = `14px ${getComputedStyle(document.body).fontFamily}`;
  }
  let width = widths.get(text);
  if (width === undefined) widths.set(text, (width = pen.measureText(text).width));
  return width;
}

// Lines that the text fills, words broken only where they are longer than a line.
function linesOf(text, width) {
  const space = widthOf(" ");
  let lines = 1, used = 0;
  for (const word of text.split(" ")) {
    const wide = widthOf(word);
    if (used && used + space + wide > width) {
      lines++;
      used = 0;
    }
    if (wide > width) {
      lines += Math.ceil(wide / (width * 0.94)) - 1;
      used = width;
    } else used += (used ? space : 0) + wide;
  }
  return lines;
}
