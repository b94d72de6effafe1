"""Which map of one corpus belongs to which of another: by name, by a table, or by text.

Every pair carries its evidence, and what found no partner is listed. Pairs that analyse one text share its name
(``Pair.text``), so that means over texts do not count it twice.

By text, candidates are maps that share rare runs of three words; of these the most similar are paired, each map once.
The similarity of two texts of m and n words is 2·L / (m + n), L the length of their longest common subsequence. Where
a map has no source text, what its units say stands for it; their order is nobody's, so L is the number of common words.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import chain, combinations
from os import PathLike
from pathlib import Path
from typing import Final, Literal

from rapidfuzz.distance import Indel

from aifgraph.corpus.corpus import Corpus, CorpusLike, MapEntry, named_corpora
from aifgraph.corpus.counts import words_of_map, words_of_units
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.graph import Notice
from aifgraph.graph.columns import UnionFind
from aifgraph.printable import listed
from aifgraph.tables import read_tsv, without_formula, written

#: Below this, two texts are no pair: unrelated English texts share up to half of their words.
MIN_SIMILARITY: Final = 0.7
#: Another map this near to the chosen one makes a pair doubtful.
_NEAR: Final = 0.05
_RUN: Final = 3  # words in a run
_RARE_RUNS: Final = 64  # of a text that are looked up, the rarest first
_MAX_TEXTS_OF_RUN: Final = 64  # that a run is followed to: one that is in more says little
_MIN_WORDS: Final = 12  # in such runs that say something about the text
_SIDES: Final = ("first", "second")
Method = Literal["name", "text", "table"]
#: The columns that a table may have: what a pairing writes, and the text.
_COLUMNS: Final = (*_SIDES, "evidence", "similarity", "text")
_CANDIDATES: Final = 12  # texts that are compared word by word


@dataclass(frozen=True, slots=True)
class Pair:
    """Two maps of one text, with the evidence: ``same name``, ``pairs.tsv, line 2``, ``same text``, ``similar text``.

    ``similarity`` is 0 to 1 where texts were compared; ``text`` names the text, which other pairs may have in common.
    """

    first: MapEntry
    second: MapEntry
    evidence: str
    similarity: float | None = None
    text: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """The names of both maps."""
        return self.first.name, self.second.name


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs in the order of the first corpus or of the table; what stays alone, by a table only what has a row."""

    pairs: tuple[Pair, ...]
    unpaired_first: tuple[MapEntry, ...] = ()
    unpaired_second: tuple[MapEntry, ...] = ()
    method: Method = "name"
    #: The least similarity of a pair by text.
    min_text: float = MIN_SIMILARITY
    caveats: tuple[Notice, ...] = ()
    #: Whether the caller said which pairs are of one text.
    texts_given: bool = False

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    @property
    def parts(self) -> dict[str, object]:
        """The parts of a signature that name the pairing; for a table, the digest of its rows."""
        if self.method == "table":
            rows = ([*pair.names, *([pair.text] if self.texts_given else [])] for pair in self.pairs)
            return {"pair_by": f"table@{blake2b(''.join(map(json.dumps, rows)).encode(), digest_size=4).hexdigest()}"}
        return {"pair_by": self.method} | ({"min_text": f"{self.min_text:.12g}"} if self.method == "text" else {})

    def to_tsv(self, path: str | PathLike[str] | None = None) -> str:
        """Return the pairs, then the maps without partner, as TSV, and write them to a file, which ``by`` can read."""
        rows = [_COLUMNS[:4], *((*pair.names, pair.evidence, str(pair.similarity or "")) for pair in self.pairs)]
        rows += [(entry.name, "", "no partner", "") for entry in self.unpaired_first]
        rows += [("", entry.name, "no partner", "") for entry in self.unpaired_second]
        return written("".join("\t".join(map(without_formula, row)) + "\n" for row in rows), path)


@dataclass(frozen=True, slots=True)
class PairedCorpora:
    """Two corpora or more by name, and how the maps of those two that are compared are paired."""

    corpora: Mapping[str, Corpus]
    pairings: Mapping[tuple[str, str], Pairing]

    @classmethod
    def from_corpora(
        cls,
        corpora: Mapping[str, CorpusLike] | Sequence[CorpusLike],
        names: Sequence[str] | None = None,
        by: str | PathLike[str] | Pairing = "name",
        min_text: float = MIN_SIMILARITY,
        *,
        gold: bool = False,
    ) -> PairedCorpora:
        """Pair every two corpora; with ``gold`` the first with each other one, each of which must share a text."""
        named = named_corpora(corpora, names)
        two = [*combinations(named, 2)][: len(named) - 1 if gold else None]
        if isinstance(by, Pairing):
            return cls(named, dict.fromkeys(two, by))
        pairings: dict[tuple[str, str], Pairing] = {}
        texts = _CorpusTexts()
        for one, other in two:
            both = named[one], named[other]
            pairings[one, other] = find_pairs(*both, by, min_text, texts)
            if gold and not pairings[one, other]:
                raise nothing_in_common(both, by)
        return cls(named, pairings)

    @property
    def parts(self) -> dict[str, str]:
        """The parts of a signature that name the pairing; by a table, each two corpora have their own rows."""
        parts = [pairing.parts for pairing in self.pairings.values()]
        return {key: ",".join(dict.fromkeys(str(of[key]) for of in parts)) for key in parts[0]}

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of opening the corpora and of pairing their maps."""
        notices = [notice for corpus in self.corpora.values() for notice in corpus.notices]
        return (*notices, *(notice for pairing in self.pairings.values() for notice in pairing.caveats))


def pair(
    first: CorpusLike,
    second: CorpusLike,
    by: str | PathLike[str] = "name",
    min_similarity: float = MIN_SIMILARITY,
) -> Pairing:
    """Pair the maps of two corpora.

    By text, a corpus given twice is paired within itself: every two maps of one text once, none with itself.

    Args:
        first, second: corpora, or paths to them.
        by: ``"name"``, ``"text"``, or the path of a TSV file with columns ``first`` and ``second`` (names in the
            corpora) and perhaps ``text``; a notice names further columns. A row with one name is a text that only one
            corpus has.
        min_similarity: least similarity of a pair by text, above 0, at most 1.

    Raises:
        InputError: no map has a partner, or a corpus has no map that can be read.
    """
    paired = PairedCorpora.from_corpora([first, second], by=by, min_text=min_similarity, gold=True)
    return next(iter(paired.pairings.values()))


def nothing_in_common(corpora: Sequence[Corpus], by: str | PathLike[str]) -> InputError:
    """Return the error of corpora of which no two have a text in common."""
    paths = list(dict.fromkeys(str(corpus.path) for corpus in corpora))
    if by not in ("name", "text"):
        return InputError("the table pairs no maps", where=str(by))
    if len(paths) == 1:
        return InputError("no two maps are of one text", where=paths[0])
    by_text = by == "name" and any(find_pairs(*both, "text", MIN_SIMILARITY) for both in combinations(corpora, 2))
    what = "no name of a map in common" if by_text else "no text in common"
    remedy = "pair by text (--pair-by text)" if by_text else ""
    return InputError(f"{', '.join(paths[:-1])} and {paths[-1]} have {what}", remedy=remedy)


def find_pairs(
    first: Corpus, second: Corpus, by: str | PathLike[str], min_similarity: float, texts: _CorpusTexts | None = None
) -> Pairing:
    """Pair the maps of two corpora as :func:`pair` does, perhaps none; ``texts`` are those that are read already."""
    if not 0 < min_similarity <= 1:
        raise OptionError(f"min_similarity is {min_similarity}", remedy="give a number above 0, at most 1")
    for corpus in (first, second):
        _check_readable(corpus)
    caveats: list[Notice] = []
    method: Method = "name"
    if by == "name":
        partners = {entry.name: entry for entry in second}
        pairs = [Pair(entry, partners[entry.name], "same name") for entry in first if entry.name in partners]
    elif by == "text":
        pairs, method = _by_text(first, second, min_similarity, caveats, texts or _CorpusTexts()), "text"
    elif Path(by).exists():
        pairs, alone = _by_table(first, second, Path(by), caveats)
        method = "table"
    else:
        raise OptionError(f"cannot pair by {str(by)!r}", remedy="pair by name, by text, or by a table that exists")
    paired: tuple[set[MapEntry], ...] = {pair.first for pair in pairs}, {pair.second for pair in pairs}
    own = [pair.first.name for pair in pairs if pair.first.identity == pair.second.identity]
    if own:
        caveats.append(Notice("pair-itself", f"{len(own)} pairs compare a map with itself: {listed(own)}"))
    if same := is_same_corpus(first, second):  # a map has its partner on whichever side
        paired = paired[0] | paired[1] | ({*first} if by == "text" else set()), {*second}
    unpaired_first = tuple(entry for entry in first if entry not in paired[0])
    unpaired_second = tuple(entry for entry in second if entry not in paired[1])
    if method == "table":  # its rows are the texts
        maps = {entry.identity for entry in (*first, *second)}
        if outside := maps - {entry.identity for entry in chain(*paired, alone)}:
            caveats.append(Notice("pair-outside", f"{len(outside)} of {len(maps)} maps are not in the table"))
        unpaired_first, unpaired_second = (
            tuple(entry for entry in entries if entry in alone) for entries in (unpaired_first, unpaired_second)
        )
    named = _name_texts(pairs)
    several = [(text, n) for text, n in Counter(pair.text for pair in named).most_common() if n > 1]
    if several and not (same and by == "text"):
        numbers, most = len({pair.text for pair in named}), listed(f"{text} {n}" for text, n in several)
        what = f"{len(named)} pairs of {numbers} texts; macro counts a text once: {most}"
        caveats.append(Notice("pair-again", what))
    texts_given = any(pair.text for pair in pairs)
    return Pairing(named, unpaired_first, unpaired_second, method, min_similarity, tuple(caveats), texts_given)


def _check_readable(corpus: Corpus) -> None:
    if not len(corpus):
        raise InputError("has no maps", where=str(corpus.path))
    errors: list[AifgraphError] = []
    for entry in corpus:
        try:
            entry.load()
        except AifgraphError as error:
            errors.append(error)
        else:
            return
    raise InputError(f"no map in it can be read: {errors[0]}", where=str(corpus.path))


def is_same_corpus(first: Corpus, second: Corpus) -> bool:
    """Whether two corpora are the same maps."""
    return [entry.identity for entry in first] == [entry.identity for entry in second]


# -- by name and by table ---------------------------------------------------------------------------------------------


def _by_table(first: Corpus, second: Corpus, path: Path, caveats: list[Notice]) -> tuple[list[Pair], set[MapEntry]]:
    """Return the pairs of a table, and the maps of its rows without a partner."""
    pairs: list[Pair] = []
    alone: set[MapEntry] = set()
    missing: list[str] = []
    columns: dict[str, str] = {}
    for line, row in read_tsv(path, _SIDES):
        columns |= row
        entries = first.find(row["first"]), second.find(row["second"])
        if not row["first"] or not row["second"]:
            alone.update(entry for entry in entries if entry)
            continue
        if entries[0] and entries[1]:
            pairs.append(Pair(entries[0], entries[1], f"{path.name}, line {line}", text=row.get("text", "")))
        missing += [f"line {line}: {row[side]}" for side, entry in zip(_SIDES, entries, strict=True) if not entry]
    if unknown := [name for name in columns if name not in _COLUMNS]:
        caveats.append(Notice("pair-columns", f"{path}: columns that are not used: {listed(unknown)}"))
    if missing:
        what = f"the corpora do not have {len(missing)} maps of this table: {listed(missing, 20, '; ')}"
        raise InputError(what, where=str(path))
    return pairs, alone


def _name_texts(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Name the text of each pair. Pairs that share a map, or a text that was given, are of one text."""
    groups: UnionFind[object] = UnionFind()
    for number, pair in enumerate(pairs):
        groups.union(number, pair.first.identity, pair.second.identity, *([("text", pair.text)] if pair.text else []))
    names: dict[object, str] = {}
    for number, pair in enumerate(pairs):
        if pair.text:
            names.setdefault(groups[number], pair.text)
    given_names = set(names.values())
    for number, pair in enumerate(pairs):
        if groups[number] not in names:
            free = (pair.first.name, " ~ ".join(pair.names), f"pair {number}")  # other texts have other first maps
            names[groups[number]] = next(name for name in free if name not in given_names)
    return tuple(replace(pair, text=names[groups[number]]) for number, pair in enumerate(pairs))


# -- by text ----------------------------------------------------------------------------------------------------------


@dataclass
class _Text:
    """The words of a map as numbers: of its source text, else of its units, whose order says nothing."""

    entry: MapEntry
    words: array[int]
    ordered: bool
    numbers: dict[str, int]  # word → number, the same for all texts

    @cached_property
    def units(self) -> array[int]:
        """The words of the units; the map is read again, for few texts need this."""
        return _numbered(words_of_units(self.entry.load()), self.numbers)


def _numbered(words: Iterable[str], numbers: dict[str, int]) -> array[int]:
    return array("L", (numbers.setdefault(word, len(numbers)) for word in words))


class _CorpusTexts(dict[Corpus, tuple[list[_Text], list[str]]]):
    """The texts of corpora, each read once, and why maps have none."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __missing__(self, corpus: Corpus) -> tuple[list[_Text], list[str]]:
        texts, unreadable = self[corpus] = list[_Text](), list[str]()
        for entry in corpus:
            try:
                words, ordered = words_of_map(entry.load())
            except AifgraphError as error:
                unreadable.append(str(error))
                continue
            if words:
                texts.append(_Text(entry, _numbered(words, self.numbers), ordered, self.numbers))
            else:
                unreadable.append(f"{entry.source}: no words")
        return texts, unreadable


def _by_text(first: Corpus, second: Corpus, least: float, caveats: list[Notice], texts: _CorpusTexts) -> list[Pair]:
    """Pair the most similar texts first, among equally similar ones those of equal names; in one corpus, pair all."""
    ties: list[str] = []
    same = is_same_corpus(first, second)
    first_texts, unreadable = texts[first]
    second_texts, unreadable = (first_texts, unreadable) if same else (texts[second][0], unreadable + texts[second][1])
    found: list[tuple[float, bool, bool, int, int]] = []  # sorts the best first
    partners: dict[MapEntry, list[tuple[float, MapEntry]]] = defaultdict(list)
    for i, j in _candidates(first_texts, second_texts, same=same):
        text, partner = first_texts[i], second_texts[j]
        similarity = _similarity(text, partner)
        if similarity >= least and text.entry.identity != partner.entry.identity:
            names_differ = text.entry.name != partner.entry.name
            found.append((-similarity, text.ordered != partner.ordered, names_differ, i, j))
            partners[text.entry].append((similarity, partner.entry))
            partners[partner.entry].append((similarity, text.entry))
    pairs: dict[tuple[int, int], Pair] = {}
    done: list[set[MapEntry]] = [set(), set()]
    for negative, _, _, i, j in sorted(found):
        text, partner, similarity = first_texts[i], second_texts[j], -negative
        entries = text.entry, partner.entry
        if not same and (entries[0] in done[0] or entries[1] in done[1]):
            continue
        how = "same" if similarity == 1 and text.ordered == partner.ordered else "similar"
        evidence = f"{how} {'text' if text.ordered and partner.ordered else 'units'}"
        pairs[i, j] = Pair(*entries, evidence, similarity)
        for side, entry in enumerate(entries):
            done[side].add(entry)
            rivals = [rival.name for value, rival in partners[entry] if value > similarity - _NEAR]
            if rivals[1:] and not same:
                ties.append(f"{entry.name} with {listed(rivals)}")
    for code, what, places in (
        ("pair-unreadable", "maps cannot be read, or have no words, and stay unpaired", unreadable),
        ("pair-tie", "maps have several partners that are nearly as similar", ties),
    ):
        if places:
            caveats.append(Notice(code, f"{len(places)} {what}: {listed(places, separator='; ')}"))
    return [pairs[places] for places in sorted(pairs)]


def _candidates(first: list[_Text], second: list[_Text], *, same: bool) -> Iterator[tuple[int, int]]:
    """Yield places of texts that share rare runs of words; within one corpus the earlier map first."""
    texts_of_run: dict[int, list[int]] = defaultdict(list)
    for place, text in enumerate(second):
        for run in _runs(text.words):
            texts_of_run[run].append(place)
    for place, text in enumerate(first):
        rare = sorted((len(texts_of_run[run]), run) for run in _runs(text.words) if run in texts_of_run)
        votes: defaultdict[int, float] = defaultdict(float)
        for common, run in rare[:_RARE_RUNS]:
            for other in texts_of_run[run][:_MAX_TEXTS_OF_RUN]:
                if not same or other > place:
                    votes[other] += 1 / common
        best = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_CANDIDATES]
        yield from ((place, other) for other, _ in best)


def _runs(words: Iterable[int]) -> set[int]:
    """Return hashes of the runs of words; the ends count as words, so that the shortest text has one."""
    padded = (-1, *words, -2)
    # The hash of a tuple of integers is the same in every process.
    return {hash(padded[start : start + _RUN]) for start in range(len(padded) - _RUN + 1)}


def _similarity(one: _Text, other: _Text) -> float:
    if one.ordered and other.ordered:
        return float(Indel.normalized_similarity(one.words, other.words))
    similarity = _common(one.words, other.words)
    if one.ordered == other.ordered:
        return similarity
    # Units may leave much of the text out, or hold what nobody said.
    text, units = (one, other) if one.ordered else (other, one)
    return max(similarity, _common(text.units, units.words), (1 + _share_in_runs(units.words, text.words)) / 2)


def _share_in_runs(units: array[int], text: array[int]) -> float:
    """Return the share of the units' words in runs of the text; 0 where these are too few words to tell."""
    # Of 56 real pairs it is above 0.4 in 54; of maps of other texts it is at most 0.29.
    runs = {tuple(text[start : start + _RUN]) for start in range(len(text) - _RUN + 1)}
    inside = [False] * len(units)
    for start in range(len(units) - _RUN + 1):
        if tuple(units[start : start + _RUN]) in runs:
            inside[start : start + _RUN] = [True] * _RUN
    return sum(inside) / len(inside) if sum(inside) >= _MIN_WORDS else 0.0


def _common(one: array[int], other: array[int]) -> float:
    total = len(one) + len(other)
    return 2 * (Counter(one) & Counter(other)).total() / total if total else 0.0
