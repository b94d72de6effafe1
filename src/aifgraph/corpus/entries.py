"""The maps of a corpus, not loaded yet: one, and all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path

from aifgraph.corpus.lazy import LazySequence, compact, picked
from aifgraph.corpus.opening import open_store
from aifgraph.corpus.store import Store
from aifgraph.formats.files import Input, without_gz
from aifgraph.formats.io import read_input
from aifgraph.graph import ArgumentGraph


class Entry:
    """One map of a corpus, not loaded yet.

    ``name`` is its path in the corpus without suffix, ``path`` with it, ``source`` its place as messages show it.
    """

    __slots__ = ("_store", "name", "path")

    def __init__(self, store: Store, path: str, name: str) -> None:
        self._store = store
        self.path = path
        self.name = name

    @property
    def source(self) -> str:
        """Where it is: ``corpus.zip, nodeset1.json``; ``folder/nodeset1.json``; ``corpus.jsonl, line 12``."""
        return self._store.where(self.path)

    @property
    def container(self) -> Path:
        """The folder or file that the corpus is kept in."""
        return self._store.path

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        """The graph, with ``source`` as its name. Raises the errors of ``aifgraph.load``."""
        return read_input(self.input(), format).with_name(self.source)

    def input(self) -> Input:
        """The map's bytes, and its siblings' (a text next to it)."""
        return Input(self.source, self._store.read(self.path), self.suffix, self.beside)

    @property
    def suffix(self) -> str:
        """The suffix of its file, in lower case."""
        return suffix_of(self.path)

    def beside(self, suffix: str) -> bytes | None:
        """The bytes of the file of the same stem and another suffix, or None."""
        if (text := getattr(self._store, "text", None)) is not None:  # a record of JSON lines
            record_text: bytes | None = text(self.path) if suffix == ".txt" else None
            return record_text
        sibling = stem_of(self.path) + suffix
        return self._store.read(sibling) if sibling != self.path and self._store.holds(sibling) else None

    def __repr__(self) -> str:
        return f"<Entry {self.name!r} of {self._store.path}>"

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Entry) and (self._store.path, self.path) == (other._store.path, other.path)
        return same if isinstance(other, Entry) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._store.path, self.path))

    def __reduce__(self) -> tuple[object, ...]:
        return (_entry, (self._store.path, self.path, self.name))


def _entry(place: Path, path: str, name: str) -> Entry:
    return Entry(open_store(place, shared=True), path, name)


class Entries(LazySequence[Entry]):
    """Some maps of a store, by the numbers of their paths; entries are made when they are asked for.

    A map's name is its path after the first ``top`` characters, without the suffix unless ``whole`` has a 1 for it.
    """

    def __init__(self, store: Store, numbers: Sequence[int], top: int = 0, whole: bytes = b"") -> None:
        self._store = store
        # What is asked for most often goes past the checks of a sequence.
        paths = store.paths
        self._paths = paths.item if isinstance(paths, LazySequence) else paths.__getitem__
        self._numbers = numbers
        self._top = top
        self._whole = whole

    def chosen(self, places: Iterable[int]) -> Entries:
        """The maps at some places of this sequence."""
        return Entries(self._store, compact(self._numbers[place] for place in places), self._top, self._whole)

    def __len__(self) -> int:
        return len(self._numbers)

    def item(self, number: int) -> Entry:
        return self._entry(self._numbers[number])

    def part(self, numbers: range) -> Entries:
        return Entries(self._store, picked(self._numbers, numbers), self._top, self._whole)

    def _entry(self, number: int) -> Entry:
        path = self._paths(number)
        whole = self._whole and self._whole[number]
        return Entry(self._store, path, (path if whole else stem_of(path))[self._top :])


@cache
def read_suffixes() -> frozenset[str]:
    """The suffixes of the formats that are read."""
    from aifgraph.formats.registry import codec, names

    return frozenset(suffix for name in names() if codec(name).reads for suffix in codec(name).suffixes)


def suffix_of(path: str) -> str:
    """The suffix of a file, in lower case, the longest that a format has."""
    base = path.rsplit("/", 1)[-1].lower()
    return _known_suffix(base[base.find(".") :]) or Path(base).suffix


@lru_cache(maxsize=1024)
def _known_suffix(end: str) -> str:
    """The suffix of a format at the end of what follows the first dot of a name; empty where it has none."""
    plain = without_gz(end)
    known = max((each for each in read_suffixes() if plain.endswith(each)), key=len, default="")
    return known + end[len(plain) :] if known else ""


def stem_of(path: str) -> str:
    """A path without the suffix."""
    return path[: len(path) - len(suffix_of(path))]
