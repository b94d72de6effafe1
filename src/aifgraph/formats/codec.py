"""What a format is: one ``Codec`` a file, named once in ``registry``.

A codec recognises an input, reads it as a graph, and writes a graph as one or more files; a ``LossReport`` says what it
could not keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph


@dataclass(frozen=True)
class LossReport:
    """What a format cannot hold, counted by kind; false where nothing was lost.

    Attributes:
        counts: how many ``locutions``, ``illocutions``, ``edge ids`` … were lost.
        done: how often the writer had to fill in what the format needs (``positions computed``).
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    done: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, kinds: Iterable[tuple[str, int]]) -> LossReport:
        """From pairs of kind and number, leaving out what did not occur.

        Args:
            kinds: pairs of kind and number.

        Returns:
            A report without those whose number is 0.
        """
        return cls({kind: number for kind, number in kinds if number})

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def __add__(self, other: LossReport) -> LossReport:
        return LossReport(_sum(self.counts, other.counts), _sum(self.done, other.done))

    def __str__(self) -> str:
        lost = _listed(self.counts) if self else "nothing"
        return f"lost: {lost}" + (f"; {_listed(self.done)}" if self.done else "")


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    kinds = [*one, *(kind for kind in other if kind not in one)]
    return {kind: one.get(kind, 0) + other.get(kind, 0) for kind in kinds}


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in counts.items() if number)


@dataclass(frozen=True)
class Written:
    """A graph in a format.

    Attributes:
        text: the text of the main file.
        losses: what the format cannot hold.
        beside: the texts of further files of the same stem, by suffix (``{".txt": "…"}``).
    """

    text: str
    losses: LossReport = field(default_factory=LossReport)
    beside: dict[str, str] = field(default_factory=dict)

    def encodable(self) -> Written:
        """The same as a file can hold it.

        Returns:
            A copy with U+FFFD in place of each half surrogate, which counts as lost.
        """
        halves = sum(len(_HALVES.findall(text)) for text in (self.text, *self.beside.values()))
        if not halves:
            return self
        beside = {suffix: _HALVES.sub("\ufffd", text) for suffix, text in self.beside.items()}
        losses = self.losses + LossReport({"half surrogates": halves})
        return Written(_HALVES.sub("\ufffd", self.text), losses, beside)


_HALVES = re.compile("[\ud800-\udfff]")


class Codec:
    """A file format. One that is only written or only read leaves out the other method, and says so.

    Options of a format are further keyword parameters of its ``read`` and ``write``, with types and defaults.

    Attributes:
        name: what options call it.
        title: what people call it.
        suffixes: how its files end, in lower case with the dot, the usual one first.
        reads: whether it can be read.
        writes: whether it can be written.
        loses: the kinds of things that it cannot hold, for users; empty where it holds everything.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: bool = True
    writes: bool = True
    loses: tuple[str, ...] = ()

    def sniff(self, given: Input) -> bool:
        """Whether an input is certainly in this format, by its content. It never raises.

        Args:
            given: the input.

        Returns:
            Whether it is.
        """
        return False

    def read(self, given: Input) -> ArgumentGraph:
        """Read a graph.

        Args:
            given: the input.

        Returns:
            The graph.

        Raises:
            FormatError: the input is not in this format; the error names the place.
        """
        raise NotImplementedError

    def write(self, graph: ArgumentGraph) -> Written:
        """Write a graph.

        Args:
            graph: the graph.

        Returns:
            Its text, with what was lost.
        """
        raise NotImplementedError
