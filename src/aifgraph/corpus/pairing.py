"""Which map of one corpus belongs to which of another: by name, by a mapping file, or by text.

Every pair carries its evidence. What found no partner is listed, never dropped.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from os import PathLike
from pathlib import Path

from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus.entries import Entry
from aifgraph.corpus.lazy import LazySequence, Made, compact, picked
from aifgraph.corpus.lookup import Lookup
from aifgraph.corpus.names import FirstFew
from aifgraph.errors import InputError, OptionError
from aifgraph.formats.files import decode_strict, read_bytes
from aifgraph.graph import Notice
from aifgraph.tables import Table

#: Below this, two texts are no pair. Unrelated English texts share up to half of their words, function words mostly.
MIN_SIMILARITY = 0.7


@dataclass(frozen=True, slots=True)
class Pair:
    """Two maps that analyse one text, and how that is known.

    ``evidence`` is ``same name``, a line of a mapping file (``pairs.tsv, line 2``), ``same text`` or
    ``similar text``; ``similarity`` is 0 to 1 where texts were compared, else None.
    """

    first: Entry
    second: Entry
    evidence: str
    similarity: float | None = None


class PairsByPlace(LazySequence[Pair]):
    """Pairs of the maps at some places of two corpora; ``evidence`` says how the pair of a number is known."""

    def __init__(
        self,
        corpora: tuple[Corpus, Corpus],
        places: tuple[Sequence[int], Sequence[int]],
        evidence: Callable[[int], str],
        numbers: Sequence[int] | None = None,
    ) -> None:
        self.places = places
        self._corpora = corpora
        self._evidence = evidence
        self._numbers = range(len(places[0])) if numbers is None else numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def item(self, number: int) -> Pair:
        number = self._numbers[number]
        (first, second), (one, other) = self._corpora, self.places
        return Pair(first[one[number]], second[other[number]], self._evidence(number))

    def part(self, numbers: range) -> PairsByPlace:
        return PairsByPlace(self._corpora, self.places, self._evidence, picked(self._numbers, numbers))


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs in the order of the first corpus (of the file, for a mapping file), and what is left over.

    ``method`` is ``name``, ``file``, or ``text`` with the least similarity.
    """

    pairs: Sequence[Pair]
    unpaired_first: Sequence[Entry] = ()
    unpaired_second: Sequence[Entry] = ()
    notices: tuple[Notice, ...] = ()
    method: str = "name"

    @property
    def signature(self) -> str:
        """How the pairs were made, for the signature of a result: ``pair:name``, ``pair:text.0.7``, or ``pair:file.``
        with a digest of the pairs' names."""
        if self.method != "file":
            return f"pair:{self.method}"
        names = blake2b(digest_size=4)
        for couple in self.pairs:
            names.update(json.dumps([couple.first.name, couple.second.name]).encode())
        return f"pair:file.{names.hexdigest()}"

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def table(self) -> Table:
        """One row a pair, then one a map without partner; as a file, it maps the corpora for the next time."""
        rows = [(each.first.name, each.second.name, each.evidence, each.similarity) for each in self.pairs]
        rest = [(each.name, None, "no partner", None) for each in self.unpaired_first]
        rest_second = [(None, each.name, "no partner", None) for each in self.unpaired_second]
        return Table("Pairs", ("first", "second", "evidence", "similarity"), [*rows, *rest, *rest_second])


def pair(
    first: Corpus, second: Corpus, by: str | PathLike[str] = "name", *, min_similarity: float = MIN_SIMILARITY
) -> Pairing:
    """Pair the maps of two corpora.

    Args:
        first: one corpus.
        second: the other one; it may be the same.
        by: ``"name"``, ``"text"``, or the path of a mapping file. That has tab-separated columns ``first`` and
            ``second`` (others are ignored): names or paths in the two corpora.
        min_similarity: how similar two texts must be for a pair by text: above 0, at most 1.

    Returns:
        The pairs with the evidence for each, and what has no partner.

    Raises:
        InputError: a mapping file with unknown names (all of them listed, with their lines).
        OptionError: there is no such way of pairing, or ``min_similarity`` is out of range.
    """
    if isinstance(min_similarity, bool) or not 0 < min_similarity <= 1:
        raise OptionError(f"min_similarity is {min_similarity}", remedy="give a number above 0, at most 1")
    if by == "name":
        return _by_name(first, second)
    if by == "text":
        from aifgraph.corpus.pair_by_text import pairs_by_text

        pairs, notices = pairs_by_text(first, second, min_similarity)
        method = f"text.{min_similarity:.12g}"
        return leftover(first, second, tuple(Pair(*each) for each in pairs), tuple(notices), method)
    path = Path(by)
    if not path.exists():
        raise OptionError(
            f"cannot pair by {str(by)!r}", remedy="pair by name, by text, or by a mapping file that exists"
        )
    return _by_file(first, second, path)


def _by_name(first: Corpus, second: Corpus) -> Pairing:
    # Where a corpus has a name twice, the last of them is paired.
    names = Lookup.of(Made(range(len(second)), lambda place: second[place].name), last=True)
    found = array("q", (names.find(entry.name) for entry in first))
    places = (
        compact(place for place, other in enumerate(found) if other >= 0),
        compact(other for other in found if other >= 0),
    )
    pairs = PairsByPlace((first, second), places, _same_name)
    notices: tuple[Notice, ...] = ()
    if not pairs and len(first) and len(second):
        examples = f"{first[0].name!r} there, {second[0].name!r} here"
        notices = (Notice("pair-none", f"no name is in both corpora ({examples}); pair by text or by a mapping file"),)
    return _leftover_places(first, second, pairs, notices)


def _same_name(number: int) -> str:
    return "same name"


def _by_file(first: Corpus, second: Corpus, path: Path) -> Pairing:
    corpora = (first, second)
    lines, places = array("Q"), (array("Q"), array("Q"))
    missing: list[str] = []
    for line, names in _rows(path):
        found = [corpus.place(name) for corpus, name in zip(corpora, names, strict=True)]
        for side, (corpus, name, place) in enumerate(zip(corpora, names, found, strict=True)):
            if place < 0:
                missing.append(
                    f"line {line}: {name or 'nothing'} ({'second' if side else 'first'}, {corpus.path.name})"
                )
        if min(found) >= 0:
            lines.append(line)
            for side, place in enumerate(found):
                places[side].append(place)
    if missing:
        more = f" and {len(missing) - 20} more" if len(missing) > 20 else ""
        raise InputError(
            f"{len(missing)} maps are not in their corpus: {'; '.join(missing[:20])}{more}",
            where=str(path),
            remedy="name them as the corpus does (its names are paths in it)",
        )
    notices: tuple[Notice, ...] = ()
    if again := _more_than_once(corpora, places):
        what = f"{path}: {again.count} maps stand in more than one pair, which counts them more than once"
        notices = (Notice("pair-again", f"{what}: {again}"),)
    pairs = PairsByPlace(corpora, places, partial(_line_of, path.name, lines))
    return _leftover_places(first, second, pairs, notices, "file")


def _line_of(name: str, lines: Sequence[int], number: int) -> str:
    return f"{name}, line {lines[number]}"


def _more_than_once(corpora: tuple[Corpus, Corpus], places: tuple[array[int], array[int]]) -> FirstFew:
    """The maps that stand in more than one pair, in the order of the pairs."""
    uses = tuple(array("L", bytes(array("L").itemsize * len(corpus))) for corpus in corpora)
    for used, side in zip(uses, places, strict=True):
        for place in side:
            used[place] += 1
    again = FirstFew()
    for both in zip(*places, strict=True):
        for corpus, used, place in zip(corpora, uses, both, strict=True):
            if used[place] > 1:
                again.add(corpus[place].name)
                used[place] = 0
    return again


def _rows(path: Path) -> Iterator[tuple[int, tuple[str, str]]]:
    """Line number and the two names of each row of a mapping file."""
    lines = decode_strict(read_bytes(path), str(path)).splitlines()
    columns = [name.strip() for name in lines[0].split("\t")] if lines else []
    if columns.count("first") != 1 or columns.count("second") != 1:
        raise InputError(
            "the first line does not name the columns 'first' and 'second'",
            where=str(path),
            remedy="give a table with tabs between columns, its first line first⇥second",
        )
    places = columns.index("first"), columns.index("second")
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            cells = [cell.strip() for cell in line.split("\t")]
            cells += [""] * (len(columns) - len(cells))
            yield number, (cells[places[0]], cells[places[1]])


def leftover(
    first: Corpus, second: Corpus, pairs: tuple[Pair, ...], notices: tuple[Notice, ...], method: str
) -> Pairing:
    """The pairing with everything that is in none of the pairs.

    Where a corpus is paired with itself, a map that is in a pair has a partner, on whichever side it stands, and one
    that is in none is listed once.
    """
    paired_first, paired_second = {each.first for each in pairs}, {each.second for each in pairs}
    if same_corpus(first, second):
        paired = {entry.path for entry in paired_first | paired_second}
        rest = tuple(entry for entry in first if entry.path not in paired)
        return Pairing(pairs, rest, (), notices, method)
    return Pairing(
        pairs,
        tuple(entry for entry in first if entry not in paired_first),
        tuple(entry for entry in second if entry not in paired_second),
        notices,
        method,
    )


def _leftover_places(
    first: Corpus, second: Corpus, pairs: PairsByPlace, notices: tuple[Notice, ...], method: str = "name"
) -> Pairing:
    """The same for pairs by the places of their maps."""
    paired = bytearray(len(first)), bytearray(len(second))
    for flags, side in zip(paired, pairs.places, strict=True):
        for place in side:
            flags[place] = 1
    if not same_corpus(first, second):
        rest = [_without(corpus, flags) for corpus, flags in zip((first, second), paired, strict=True)]
        return Pairing(pairs, rest[0], rest[1], notices, method)
    if first is second:
        return Pairing(pairs, _without(first, paired[0], paired[1]), (), notices, method)
    paths = Lookup.of(Made(range(len(first)), lambda place: first[place].path))
    for place in pairs.places[1]:
        if (other := paths.find(second[place].path)) >= 0:
            paired[0][other] = 1
    return Pairing(pairs, _without(first, paired[0]), (), notices, method)


def _without(corpus: Corpus, *paired: bytearray) -> Sequence[Entry]:
    """The maps of a corpus at whose places no flag is set."""
    places = compact(place for place, flags in enumerate(zip(*paired, strict=True)) if not any(flags))
    return Made(places, corpus.__getitem__)


def same_corpus(first: Corpus, second: Corpus) -> bool:
    """Whether two corpora are one folder or one file."""
    return first is second or first.path.resolve() == second.path.resolve()
