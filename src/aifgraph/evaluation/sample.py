"""Texts of a corpus to annotate twice: drawn at random, or in proportion from strata of like texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from random import Random
from typing import Any, Final, Literal

from aifgraph.corpus.corpus import Corpus, as_corpus
from aifgraph.corpus.counts import words_analysed
from aifgraph.errors import AifgraphError, InputError, OptionError, also_unreadable
from aifgraph.graph import ArgumentGraph
from aifgraph.slips import answering
from aifgraph.stats.bootstrap import check_seed
from aifgraph.tables import Cell, Document, Result, Table

#: What texts can be put into strata by: how many speak (1, 2, 3 or more), how long they are (thirds of the corpus), and
#: the sub-folder they are in.
Stratum = Literal["speakers", "length", "folder"]


STRATA: Final[tuple[Stratum, ...]] = ("speakers", "length", "folder")


_LENGTHS = ("short", "middle", "long")


@dataclass(frozen=True, slots=True)
class SampledText:
    """A text: its name, what is known of it, its stratum (a value for each of ``by``), and whether it was drawn."""

    name: str
    words: int
    speakers: int
    stratum: tuple[str, ...]
    drawn: bool = False


@dataclass(frozen=True)
class Sample(Result):
    """The texts that were drawn, in the order of the corpus, and how."""

    texts: tuple[SampledText, ...]
    by: tuple[Stratum, ...]
    seed: int
    failed: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the texts that were drawn."""
        return tuple(text.name for text in self.texts if text.drawn)

    @property
    def signature(self) -> str:
        """How they were drawn."""
        return f"sample:{len(self.names)} of {len(self.texts)}|by:{'+'.join(self.by) or 'random'}|seed:{self.seed}"

    def list_table(self) -> Table:
        """The texts that were drawn, one a row."""
        rows: list[list[Cell]] = [
            [text.name, text.words, text.speakers, *text.stratum] for text in self.texts if text.drawn
        ]
        return Table("Sample", ("name", "words", "speakers", *(f"by {name}" for name in self.by)), rows)

    def tables(self) -> list[Table]:
        """The list, and how many of each stratum were drawn."""
        if not self.by:
            return [self.list_table()]
        sizes, drawn = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
        for text in self.texts:
            sizes[text.stratum] += 1
            drawn[text.stratum] += text.drawn
        rows: list[list[Cell]] = [[*stratum, sizes[stratum], drawn[stratum]] for stratum in sorted(sizes)]
        return [self.list_table(), Table("Strata", (*self.by, "texts", "drawn"), rows)]

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=self.tables(), csv=[self.list_table()], signature=self.signature)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signature": self.signature,
            "texts": self.list_table().records(),
            "failed": [{"name": name, "error": error} for name, error in self.failed],
        }


@answering()
def sample(
    corpus: Corpus | str | PathLike[str], number: int, *, by: Stratum | Sequence[Stratum] = (), seed: int = 0
) -> Sample:
    """Draw texts of a corpus, from strata in proportion to their sizes (largest remainders).

    Maps that cannot be read are listed under ``failed`` and not drawn. The same corpus and seed give the same texts.

    Args:
        number: how many texts to draw.
        by: what the strata are: ``speakers``, ``length``, ``folder``, one or several; none draws from all alike.

    Raises:
        OptionError: an unknown stratum; a number below 1; a seed out of range.
        InputError: the corpus has fewer texts.

    >>> drawn = sample("fixtures/debates/ann", 2, by=["speakers"], seed=1)
    >>> len(drawn.names), drawn.signature
    (2, 'sample:2 of 4|by:speakers|seed:1')
    """
    check_seed(seed)
    by = [by] if isinstance(by, str) else by
    if unknown := [name for name in by if name not in STRATA]:
        raise OptionError(f"texts are not put into strata by {unknown[0]!r}", remedy=f"choose from {', '.join(STRATA)}")
    if type(number) is not int or number < 1:
        raise OptionError(f"a sample of {number!r} texts"[:200], remedy="give a whole number from 1 on")
    corpus = as_corpus(corpus)
    known: list[tuple[str, int, int]] = []
    failed: list[tuple[str, str]] = []
    for entry in corpus:
        try:
            graph = entry.load()
        except AifgraphError as error:
            failed.append((entry.name, str(error)))
            continue
        known.append((entry.name, len(words_analysed(graph)[0]), _speakers(graph)))
    if number > len(known):
        why = f": {failed[0][1]}{also_unreadable(failed[1:])}" if failed else ""
        more = f", and {len(failed)} more that cannot be read{why}" if failed else ""
        raise InputError(f"the corpus has {len(known)} texts{more}", where=str(corpus.path), remedy="draw fewer")
    thirds = _thirds(sorted(words for _, words, _ in known))
    strata: dict[tuple[str, ...], list[str]] = {}
    texts = []
    for name, words, speakers in known:
        values = {
            "speakers": "3 or more" if speakers > 2 else str(max(speakers, 1)),
            "length": _LENGTHS[sum(words > limit for limit in thirds)],
            "folder": name.rpartition("/")[0],
        }
        stratum = tuple(values[kind] for kind in by)
        strata.setdefault(stratum, []).append(name)
        texts.append(SampledText(name, words, speakers, stratum))
    chosen = _drawn(strata, number, len(known), Random(seed))
    marked = (replace(text, drawn=text.name in chosen) for text in texts)
    return Sample(tuple(marked), tuple(by), seed, tuple(failed))


def _drawn(strata: dict[tuple[str, ...], list[str]], number: int, total: int, random: Random) -> set[str]:
    """So many names of each stratum as its share of the corpus; what is left over goes to the largest remainders."""
    order = sorted(strata)
    exact = {stratum: number * len(strata[stratum]) / total for stratum in order}
    sizes = {stratum: int(exact[stratum]) for stratum in order}
    random.shuffle(order)  # equal remainders: chance decides
    order.sort(key=lambda stratum: sizes[stratum] - exact[stratum])
    for stratum in order[: number - sum(sizes.values())]:
        sizes[stratum] += 1
    return {name for stratum in sorted(strata) for name in random.sample(strata[stratum], sizes[stratum])}


def _thirds(numbers: list[int]) -> tuple[int, int]:
    """The greatest number of the lowest third, and of the middle third."""
    count = len(numbers)
    return numbers[max(0, -(-count // 3) - 1)], numbers[max(0, -(-2 * count // 3) - 1)]


def _speakers(graph: ArgumentGraph) -> int:
    people = (graph.speaker_of(node) for node in graph.locutions)
    return len({person.name or person.id for person in people if person is not None})
