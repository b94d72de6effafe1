// A file for the reader, and the decisions as `aifgraph merge --decisions` takes them.
import { make } from "./elements.js";

export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// What a spreadsheet would take for a formula, as in aifgraph.tables.
const FORMULA = /^[\s\ufeff\u200b']*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

// On one line, no formula; a text in quotes of its own is quoted once more, as reading takes one pair off.
function cell(value) {
  const plain = String(value).split(/\s+/u).filter(Boolean).join(" ");
  const text = FORMULA.test(plain) ? `'${plain}` : plain;
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

export function decisionsTable(given, decisionOf) {
  const lines = given.rows.map((row) => {
    const filled = { ...row.cells, ...decisionOf(row.id) };
    return given.columns.map((name) => cell(filled[name])).join("\t");
  });
  return `${[given.columns.join("\t"), ...lines].join("\n")}\n`;
}
