// Which words of two wordings differ: the longest common run of words stays unmarked.
const MOST = 400;

const wordsOf = (text) => text.trim().split(/\s+/u).filter(Boolean);
const plain = (word) => word.toLocaleLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") || word;

// Pieces `{ text, changed }` of each wording, in order.
export function differingWords(first, second) {
  const sides = [wordsOf(first), wordsOf(second)];
  const [a, b] = sides.map((words) => words.map(plain));
  if (a.length > MOST || b.length > MOST) return sides.map((words) => [{ text: words.join(" "), changed: true }]);
  const kept = common(a, b);
  return sides.map((words, side) => pieces(words, kept[side]));
}

function common(a, b) {
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i] === b[j] ? length[(i + 1) * width + j + 1] + 1 : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  const kept = [new Set(), new Set()];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      kept[0].add(i++);
      kept[1].add(j++);
    } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i++;
    else j++;
  }
  return kept;
}

function pieces(words, kept) {
  const found = [];
  words.forEach((word, i) => {
    const changed = !kept.has(i);
    const last = found[found.length - 1];
    if (last && last.changed === changed) last.text += ` ${word}`;
    else found.push({ text: word, changed });
  });
  return found;
}
