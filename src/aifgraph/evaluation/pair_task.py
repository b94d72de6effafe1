"""One pair of a corpus is compared here, in this process or in another one.

A worker gets the places of the two maps and gives back a ``PairOutcome``. Whatever goes wrong
with a map is the result of that pair alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

from aifgraph.comparison.compare import compare
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.measures.registry import measure_all
from aifgraph.comparison.options import Options
from aifgraph.comparison.result import JSON, PairResult
from aifgraph.comparison.sides import PairNames
from aifgraph.corpus.containers import Container, open_container
from aifgraph.corpus.entries import Entry
from aifgraph.errors import AifgraphError
from aifgraph.files import Input
from aifgraph.formats import read_input
from aifgraph.graph import ArgumentGraph

T = TypeVar("T")

#: Digits of a digest.
_DIGITS: Final = 24


@dataclass(frozen=True)
class PairOutcome:
    """The ``result`` of a pair, or the ``error`` that stopped it: a line of a results file.

    ``inputs`` are the digests of its maps, and ``made`` is what was made of the comparison, where that was requested.
    """

    __pydantic_config__: ClassVar = JSON

    names: PairNames
    inputs: tuple[str, str] | None = None
    result: PairResult | None = None
    error: str = ""
    made: Any = None


@dataclass(frozen=True, slots=True)
class EachPair(Generic[T]):
    """What is made of every comparison of two corpora besides its result: a page, a merged map, differences.

    ``make`` is called with the name and the comparison of a pair where the pair is compared, in this process or in
    a worker; ``take`` is called with the name and what was made, in this process, in the order of the pairs.
    ``make`` and what it gives are sent between processes, so both can be pickled. An ``AifgraphError`` of either is
    the failure of that pair alone.
    """

    make: Callable[[str, Comparison], T]
    take: Callable[[str, T], None]


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with every pair: the options, whether to list the classes of the alignment (``details``), whether
    to digest the inputs, the further measures.

    ``make`` is called with the name and the comparison of every pair; what it gives comes back with the result.
    """

    options: Options
    details: bool = False
    digests: bool = False
    measures: tuple[str, ...] = ()
    make: Callable[[str, Comparison], Any] | None = None


@dataclass(frozen=True, slots=True)
class MapInContainer:
    """A map in a container that the worker opens for itself, once a ``run``."""

    container: str
    run: str
    path: str
    source: str

    def input(self) -> Input:
        """Its bytes, named as the process that sent it names it."""
        return replace(self._entry.input(), name=self.source)

    def line_digest(self) -> str:
        """That of the entry."""
        return self._entry.line_digest()

    @property
    def _entry(self) -> Entry:
        return Entry(_opened(self.container, self.run), self.path, self.path)


#: A map that can be read.
Source = Entry | MapInContainer

#: A chunk: the names of pairs with their two maps and their texts.
Chunk = Sequence[tuple[PairNames, Source, Source, str]]


def compare_chunk(chunk: Chunk, task: Task) -> list[PairOutcome]:
    """The results of a chunk, in its order."""
    return [compare_pair(names, first, second, task, text) for names, first, second, text in chunk]


def compare_pair(names: PairNames, first: Source, second: Source, task: Task, text: str = "") -> PairOutcome:
    """One pair, of a ``text``; never raises for what is in a map."""
    inputs: tuple[str, str] | None = None
    try:
        given = read_once(first), read_once(second)
        if task.digests:
            inputs = (digest(first, given[0]), digest(second, given[1]))
        compared = compare(*map(_graph, given), options=task.options)
        measures = measure_all(compared.alignment, task.measures)
        result = compared.stored(names, text=text, classes=task.details, measures=measures)
        _ = result.over, result.chance  # scored here, where there are more processes, and sent along
        made = task.make(names.shown, compared) if task.make else None
        return PairOutcome(names, inputs, result, made=made)
    except AifgraphError as error:
        return PairOutcome(names, inputs, error=str(error))
    except Exception as error:  # a fault of ours in one map must not cost the other 99 999
        kind = " ".join(f"{type(error).__name__}: {error}".split())
        return PairOutcome(names, inputs, error=f"internal error ({kind[:300]}); please report it")


def read_once(source: Source) -> Input | AifgraphError:
    """A map's bytes and its text, each read once; or the error of reading it."""
    try:
        given = source.input()
        return replace(given, sibling=cache(given.sibling))
    except AifgraphError as error:
        return error


def _graph(given: Input | AifgraphError) -> ArgumentGraph:
    if isinstance(given, AifgraphError):
        raise given
    return read_input(given, None).with_name(given.name)


def digest(source: Source, given: Input | AifgraphError | None = None) -> str:
    """A digest of a map's bytes and of its text, which are ``given`` where they were read already; what cannot be read
    has an empty one."""
    if of_line := source.line_digest():
        return of_line[:_DIGITS]
    given = given or read_once(source)
    if isinstance(given, AifgraphError):
        return ""
    hashed = sha256(given.data)
    try:
        hashed.update(b"\0text\0")
        hashed.update(given.sibling(".txt") or b"")
    except AifgraphError:
        return ""
    return hashed.hexdigest()[:_DIGITS]


@lru_cache(maxsize=8)
def _opened(container: str, run: str) -> Container:
    # A folder is scanned when it is opened: for each map of 100 000 that would take hours. ``run`` keeps a worker
    # that outlives a run from trusting what it saw in an earlier one.
    return open_container(Path(container))
