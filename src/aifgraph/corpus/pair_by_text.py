"""Pairing by text: the same source text, or nearly the same, although the names differ.

::

    equal word lists ──▶ "same text"
    the rest: rare runs of three words ──▶ candidates ──▶ similarity of the word lists ──▶ "similar text",
              best first, each map in one pair only, what is nearly as similar reported

Similarity is 2·L / (m + n), L the length of the longest common subsequence of the m and n words. Where a map has no
source text, what its units say (locutions, and propositions that nobody says) stands for it; their order is nobody's,
so there L counts common words (a multiset), and the evidence is "similar units". If only one map has a text, the
other's units may leave much of it out, or hold what nobody said: then the greatest of three counts, the similarity of
the units to the text, that to the units of the map with the text, and (1 + s) / 2, s being the share of the units'
words that stand in the text in runs of three.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus.counts import words_analysed, words_of_units
from aifgraph.corpus.entries import Entry
from aifgraph.errors import AifgraphError
from aifgraph.graph import Notice

#: Another map this near to the chosen one is reported.
NEAR = 0.05

_RUN = 3  # words in a run
_RARE = 64  # runs of a text that are looked up, the rarest first
_POSTINGS = 64  # texts a run is followed to: one that is in more says little
_MIN_WORDS = 12  # words in such runs that say something about the text
_CANDIDATES = 12  # texts that are compared word by word


#: Two maps, the evidence that they belong together, and how similar their texts are.
TextPair = tuple[Entry, Entry, str, float]


@dataclass(slots=True)
class _Text:
    entry: Entry
    words: array[int]
    ordered: bool
    ids: dict[str, int]  # word → number, the same for all texts
    _units: array[int] | None = None

    @property
    def units(self) -> array[int]:
        """The words of the units; the map is read again where it has a text, for few texts need this."""
        if not self.ordered:
            return self.words
        if self._units is None:
            self._units = _numbers(words_of_units(self.entry.load()), self.ids)
        return self._units


def _numbers(words: Iterable[str], ids: dict[str, int]) -> array[int]:
    return array("L", (ids.setdefault(word, len(ids)) for word in words))


def pairs_by_text(first: Corpus, second: Corpus, min_similarity: float) -> tuple[list[TextPair], list[Notice]]:
    """The pairs of two corpora by text, in the order of the first, and what is worth knowing about them; linear in the
    size of the corpora but for texts that are much alike."""
    ids: dict[str, int] = {}
    notices: list[Notice] = []
    texts = [list(_texts(corpus, ids, notices)) for corpus in (first, second)]
    pairs = list(_equal(texts[0], texts[1], notices))
    paired = ({pair[0] for pair in pairs}, {pair[1] for pair in pairs})
    rest = [[text for text in side if text.entry not in done] for side, done in zip(texts, paired, strict=True)]
    pairs += _similar(rest[0], rest[1], texts, min_similarity, notices)
    place = {entry: number for number, entry in enumerate(first)}
    return sorted(pairs, key=lambda pair: place[pair[0]]), notices


def _texts(corpus: Corpus, ids: dict[str, int], notices: list[Notice]) -> Iterator[_Text]:
    for entry in corpus:
        try:
            graph = entry.load()
        except AifgraphError as error:
            notices.append(Notice("pair-unreadable", f"{error} (left unpaired)"))
            continue
        words, ordered = words_analysed(graph)
        if words:
            yield _Text(entry, _numbers(words, ids), ordered, ids)
        else:
            notices.append(Notice("pair-wordless", f"{entry.source}: no text and no words (left unpaired)"))


def _equal(first: list[_Text], second: list[_Text], notices: list[Notice]) -> Iterator[TextPair]:
    """Pairs of equal word lists. Among several maps of one text, equal names first, then in order."""
    groups: dict[bytes, tuple[list[_Text], list[_Text]]] = defaultdict(lambda: ([], []))
    for side, texts in enumerate((first, second)):
        for text in texts:
            words = text.words if text.ordered else array("L", sorted(text.words))
            groups[bytes([text.ordered]) + words.tobytes()][side].append(text)
    for ones, others in groups.values():
        if not ones or not others:
            continue
        if len(ones) > 1 or len(others) > 1:
            named = [", ".join(text.entry.name for text in side[:6]) for side in (ones, others)]
            notices.append(
                Notice(
                    "pair-tie", f"the same text is analysed in {named[0]} and in {named[1]}: paired by name or order"
                )
            )
        by_name = {text.entry.name: text for text in others}
        together = [(one, by_name[one.entry.name]) for one in ones if one.entry.name in by_name]
        used = {text.entry for both in together for text in both[:1]}, {both[1].entry for both in together}
        together += zip(
            (text for text in ones if text.entry not in used[0]),
            (text for text in others if text.entry not in used[1]),
            strict=False,
        )
        for one, other in together:
            yield one.entry, other.entry, "same text" if one.ordered else "same units", 1.0


def _similar(
    first: list[_Text], second: list[_Text], all_texts: list[list[_Text]], min_similarity: float, notices: list[Notice]
) -> Iterator[TextPair]:
    """Pairs of similar word lists, the most similar first (greedy), equal names first among equally similar ones."""
    # Candidates are looked for among all texts, paired already or not: an equal text that is paired is a near tie too.
    scored: dict[tuple[int, int], float] = {}
    for one, other in _candidates(first, all_texts[1]):
        scored[one, other] = _similarity(first[one], all_texts[1][other])
    free = {text.entry for text in second}
    good = [(score, one, other) for (one, other), score in scored.items() if score >= min_similarity]
    good.sort(key=lambda row: (-row[0], first[row[1]].entry.name != all_texts[1][row[2]].entry.name, *row[1:]))
    rivals: dict[int, list[tuple[float, int]]] = defaultdict(list)
    rivals_back: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for score, one, other in good:
        rivals[one].append((score, other))
        rivals_back[other].append((score, one))
    done: set[int] = set()
    for score, one, other in good:
        entry = all_texts[1][other].entry
        if one in done or entry not in free:
            continue
        done.add(one)
        free.discard(entry)
        rivals_of_one = [(value, all_texts[1][rival]) for value, rival in rivals[one] if rival != other]
        rivals_of_other = [(value, first[rival]) for value, rival in rivals_back[other] if rival != one]
        near = [text.entry.name for value, text in rivals_of_one + rivals_of_other if value > score - NEAR]
        if near:
            what = f"{first[one].entry.name} and {entry.name} are paired ({score:.2f}), but nearly as similar:"
            notices.append(Notice("pair-tie", f"{what} {', '.join(near[:6])}"))
        ordered = first[one].ordered and all_texts[1][other].ordered
        yield first[one].entry, entry, "similar text" if ordered else "similar units", score


def _candidates(first: list[_Text], second: list[_Text]) -> Iterator[tuple[int, int]]:
    """Pairs (place in first, place in second) that share rare runs of words."""
    postings: dict[int, list[int]] = defaultdict(list)
    for place, text in enumerate(second):
        for run in _runs(text.words):
            postings[run].append(place)
    for place, text in enumerate(first):
        known = sorted((len(postings[run]), run) for run in _runs(text.words) if run in postings)
        votes: Counter[int] = Counter()
        for common, run in known[:_RARE]:
            for other in postings[run][:_POSTINGS]:
                votes[other] += 1 / common  # type: ignore[assignment]
        best = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_CANDIDATES]
        yield from ((place, other) for other, _ in best)


def _runs(words: Iterable[int]) -> set[int]:
    """The runs of three words as numbers; the ends count as words, so that the shortest text has one."""
    padded = (-1, *words, -2)
    # The hash of a tuple of integers is the same in every process.
    return {hash(padded[i : i + _RUN]) for i in range(len(padded) - _RUN + 1)}


def _similarity(one: _Text, other: _Text) -> float:
    if one.ordered and other.ordered:
        from rapidfuzz.distance import Indel

        return float(Indel.normalized_similarity(one.words, other.words))
    similarity = _common(one.words, other.words)
    if one.ordered == other.ordered:
        return similarity
    text, units = (one, other) if one.ordered else (other, one)
    return max(similarity, _common(text.units, units.words), (1 + _share_in_text(units, text)) / 2)


def _share_in_text(units: _Text, text: _Text) -> float:
    """The share of the units' words that stand in runs of three words of the text; 0 where that are too few words."""
    # Of 56 real pairs it is above 0.4 in 54; of maps of other texts it is at most 0.29.
    runs = {tuple(text.words[start : start + _RUN]) for start in range(len(text.words) - _RUN + 1)}
    inside = [False] * len(units.words)
    for start in range(len(units.words) - _RUN + 1):
        if tuple(units.words[start : start + _RUN]) in runs:
            inside[start : start + _RUN] = [True] * _RUN
    count = sum(inside)
    return count / len(inside) if count >= _MIN_WORDS else 0.0


def _common(one: array[int], other: array[int]) -> float:
    total = len(one) + len(other)
    return 2 * (Counter(one) & Counter(other)).total() / total if total else 0.0
