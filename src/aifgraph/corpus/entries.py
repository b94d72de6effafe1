"""One map of a corpus, not loaded yet, and what the suffix of its file says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Protocol, TypeVar

from aifgraph.corpus.containers import Container, open_container
from aifgraph.corpus_names import LINES
from aifgraph.files import Input, without_gz
from aifgraph.formats import NamedMap, read_input
from aifgraph.formats.registry import suffixes_read
from aifgraph.graph import ArgumentGraph

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Entry:
    """One map of a corpus, not loaded yet.

    ``name`` is its path in the corpus without suffix, ``path`` with it, ``source`` its place as messages show it.
    """

    _container: Container
    path: str
    name: str

    @property
    def source(self) -> str:
        """Where it is: ``corpus.zip, nodeset1.json``; ``folder/nodeset1.json``; ``corpus.jsonl, line 12``."""
        return self._container.where(self.path)

    @property
    def container(self) -> Path:
        """The folder or file that holds the corpus."""
        return self._container.path

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        """The graph, with ``source`` as its name. Raises the errors of ``aifgraph.load``."""
        return read_input(self.input(), format).with_name(self.source)

    def input(self) -> Input:
        """The map's bytes, and its siblings' (a text next to it)."""
        return Input(self.source, self._container.read(self.path), self.suffix, self.sibling)

    def line_digest(self) -> str:
        """A digest of the line that holds the map and its text; empty where they are files of their own."""
        of_line: Callable[[str], str] | None = getattr(self._container, "digest", None)
        return of_line(self.path) if of_line else ""

    @property
    def suffix(self) -> str:
        """The suffix of its file, in lower case."""
        return suffix_of(self.path)

    def sibling(self, suffix: str) -> bytes | None:
        """The bytes of the file of the same stem and another suffix, or None."""
        if (text := getattr(self._container, "text", None)) is not None:  # a record of JSON lines
            record_text: bytes | None = text(self.path) if suffix == ".txt" else None
            return record_text
        path = stem_of(self.path) + suffix
        return self._container.read(path) if path != self.path and self._container.holds(path) else None

    def __repr__(self) -> str:
        return f"<Entry {self.name!r} of {self.container}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entry):
            return NotImplemented
        return (self.container, self.path) == (other.container, other.path)

    def __hash__(self) -> int:
        return hash((self.container, self.path))

    def __reduce__(self) -> tuple[object, ...]:
        return (_entry, (self.container, self.path, self.name))


def _entry(container: Path, path: str, name: str) -> Entry:
    return Entry(open_container(container, shared=True), path, name)


class MapRun(Protocol):
    """Calls a function for every map and yields the results in the order of the maps, as ``map`` does."""

    def __call__(self, function: Callable[[NamedMap], T], maps: Iterable[NamedMap], /) -> Iterator[T]:
        """The results, as they are needed."""
        ...


@cache
def read_suffixes() -> frozenset[str]:
    """The suffixes of the formats that are read, and of JSON lines."""
    return suffixes_read() | {*LINES}


def suffix_of(path: str) -> str:
    """The suffix of a file, in lower case, the longest that a format has."""
    base = path.rsplit("/", 1)[-1].lower()
    return _known_suffix(base[base.find(".") :]) or Path(base).suffix


@lru_cache(maxsize=1024)
def _known_suffix(end: str) -> str:
    """The suffix of a format at the end of what follows the first dot of a name; empty where it has none."""
    plain = without_gz(end)
    known = max((suffix for suffix in read_suffixes() if plain.endswith(suffix)), key=len, default="")
    return known + end[len(plain) :] if known else ""


def stem_of(path: str) -> str:
    """A path without the suffix."""
    return path[: len(path) - len(suffix_of(path))]
