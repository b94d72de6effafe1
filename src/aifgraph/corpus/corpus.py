"""A corpus: maps by name, in order, each loaded when it is asked for.

A corpus is a folder, an archive or a file of JSON lines (``store``); here is which of its files are maps and what they
are called. Opening reads no map, so a damaged one is an error of that map only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, overload

from aifgraph.corpus.names import LINES, natural_key, safe_path
from aifgraph.corpus.opening import open_store
from aifgraph.corpus.store import Single, Store
from aifgraph.errors import NoSuchNameError, OptionError
from aifgraph.formats.files import Input, without_gz
from aifgraph.formats.io import read_input
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.log import debug

if TYPE_CHECKING:
    from aifgraph.corpus.statistics import CorpusStats

# Formats of plain text: such a file is a map only where no other file is: mostly it belongs to one.
_PLAIN = (".txt", ".md", ".csv", ".tsv")
_NO_MAPS = ("readme", "license", "licence", "changelog", "copying", "notice")


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
        return _suffix(self.path)

    def beside(self, suffix: str) -> bytes | None:
        """The bytes of the file of the same stem and another suffix, or None."""
        if (text := getattr(self._store, "text", None)) is not None:  # a record of JSON lines
            record_text: bytes | None = text(self.path) if suffix == ".txt" else None
            return record_text
        sibling = _stem(self.path) + suffix
        return self._store.read(sibling) if sibling != self.path and sibling in _files(self._store) else None

    def __repr__(self) -> str:
        return f"<Entry {self.name!r} of {self._store.path}>"

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Entry) and (self._store.path, self.path) == (other._store.path, other.path)
        return same if isinstance(other, Entry) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._store.path, self.path))

    def __reduce__(self) -> tuple[object, ...]:
        return (_entry, (self._store.path, self.path, self.name))


def joined(corpora: Mapping[str, Corpus]) -> Corpus:
    """Corpora as one, each in a folder of the name it is given here.

    >>> ann, ben = open_corpus("fixtures/debates/ann"), open_corpus("fixtures/debates/ben")
    >>> joined({"ann": ann, "ben": ben}).names[3:5]
    ('ann/nodeset4', 'ben/nodeset1')

    Raises:
        OptionError: there is none.
    """
    if not corpora:
        raise OptionError("there are no corpora to join", remedy="give at least one")
    entries = [
        Entry(entry._store, entry.path, f"{folder}/{entry.name}")
        for folder, corpus in corpora.items()
        for entry in corpus
    ]
    notices = tuple(notice for corpus in corpora.values() for notice in corpus.notices)
    return Corpus(next(iter(corpora.values()))._store, entries, notices)


def _entry(place: Path, path: str, name: str) -> Entry:
    return Entry(open_store(place, shared=True), path, name)


class Corpus:
    """Maps in natural order (JSON lines: in the order of the file). Only their names are held in memory.

    ``corpus["nodeset1"]`` and ``corpus[3]`` are entries, ``corpus[10:20]`` is a corpus; iteration gives entries.
    :func:`aifgraph.open_corpus` makes one.

    Attributes:
        notices: what was skipped when the corpus was opened or fetched.
    """

    def __init__(self, store: Store, entries: Sequence[Entry], notices: tuple[Notice, ...] = ()) -> None:
        self._store = store
        self._entries = tuple(entries)
        self._index: dict[str, int] | None = None
        self.notices = notices

    @property
    def path(self) -> Path:
        """The folder or file that holds it."""
        return self._store.path

    @property
    def name(self) -> str:
        """The name of its folder or file, without suffixes."""
        name = self.path.name or self.path.resolve().name
        for suffix in (".gz", ".zip", ".tar", ".tgz", ".jsonl", ".ndjson", ".json"):
            if self.path.is_file() and name.lower().endswith(suffix):
                name = name[: -len(suffix)]
        return name

    @property
    def names(self) -> tuple[str, ...]:
        """The maps' names: paths in the corpus without suffix, below the folder that they all are in."""
        return tuple(entry.name for entry in self._entries)

    def find(self, path: str) -> Entry | None:
        """The entry of a name or a path.

        Paths may start in the corpus or in the folder that all maps are in (``US2016/nodeset1.json``).

        Args:
            path: the name or the path, with or without suffix.

        Returns:
            The entry, or None.
        """
        if self._index is None:
            self._index = {}
            for key in (lambda e: e.name, lambda e: e.path, lambda e: _stem(e.path), _below):
                for number, entry in enumerate(self._entries):
                    self._index.setdefault(key(entry), number)
        number = self._index.get(path, self._index.get(safe_path(path) or "", -1))
        return self._entries[number] if number >= 0 else None

    def only(self, names: Iterable[str]) -> Corpus:
        """The corpus of the maps with these names, in the order of this one.

        Args:
            names: names of maps.

        Returns:
            A corpus of these maps alone.

        Raises:
            NoSuchNameError: the corpus has no such map.

        >>> len(open_corpus("fixtures/debates/ann").only(["nodeset3", "nodeset1"]))
        2
        """
        wanted = {self[name] for name in names}
        return Corpus(self._store, [entry for entry in self if entry in wanted], self.notices)

    def stats(self) -> CorpusStats:
        """What the corpus holds, counted: maps, words, nodes, illocutions, schemes, speakers, lengths.

        Returns:
            The counts. Maps that cannot be read are listed in them.
        """
        from aifgraph.corpus.statistics import count

        return count(self.name, self)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __contains__(self, item: object) -> bool:
        return self.find(item) is not None if isinstance(item, str) else item in self._entries

    @overload
    def __getitem__(self, key: int | str) -> Entry: ...
    @overload
    def __getitem__(self, key: slice) -> Corpus: ...
    def __getitem__(self, key: int | str | slice) -> Entry | Corpus:
        if isinstance(key, slice):
            return Corpus(self._store, self._entries[key], self.notices)
        if isinstance(key, str):
            entry = self.find(key)
            if entry is None:
                raise NoSuchNameError(f"there is no map {key!r}", where=str(self.path))
            return entry
        return self._entries[key]

    def __repr__(self) -> str:
        return f"<Corpus {self.name!r}, {len(self)} maps>"

    def __reduce__(self) -> tuple[object, ...]:
        listed = [(entry.path, entry.name) for entry in self._entries]
        return (_corpus, (self._store.path, listed, self.notices))


def _corpus(place: Path, listed: list[tuple[str, str]], notices: tuple[Notice, ...]) -> Corpus:
    store = open_store(place, shared=True)
    return Corpus(store, [Entry(store, *each) for each in listed], notices)


def open_corpus(path: str | PathLike[str], *, progress: Callable[[int, int], None] | None = None) -> Corpus:
    """The corpus at a path. Nothing is read yet but the names of its maps.

    Archives are recognised by their content. Maps are the files with the suffix of a format that is read here, those in
    sub-folders too. A map that cannot be read is an error of its ``load`` alone.

    Args:
        path: a folder, ``.zip``, ``.tar``, ``.tar.gz``, ``.jsonl``, ``.jsonl.gz`` or one map; or ``aifdb:NAME``,
            fetched where it is not in the cache.
        progress: for ``aifdb:NAME``, called with the maps fetched and the maps wanted.

    Returns:
        The corpus: a sequence of entries.

    Raises:
        NotFoundError: there is nothing at the path.
        FormatError: a broken archive.
        InputError: it cannot be opened, or is an archive with a path that leads out of it.
        LimitError: an archive that unpacks to more than is accepted.
        OptionError: ``path`` is no path, or an address of the web.
    """
    fetched: tuple[Notice, ...] = ()
    if isinstance(path, str) and path.startswith("aifdb:"):
        from aifgraph.aifdb.client import open_address

        path, fetched = open_address(path, progress)
    elif isinstance(path, str) and path.startswith(("http://", "https://")):
        raise OptionError("a corpus is not read from the web", where=path, remedy="download it, and give the file")
    elif not isinstance(path, str | PathLike):
        raise OptionError(f"cannot open {type(path).__name__} as a corpus", remedy="give a path")
    store = open_store(Path(path))
    # One file that was named is a map whatever its suffix: loading it says what is wrong with it.
    maps = store.paths[:1] if isinstance(store, Single) else [each for each in store.paths if _is_map(each)]
    maps = [each for each in maps if without_gz(_suffix(each)) not in _PLAIN] or maps
    if not store.ordered:
        maps.sort(key=natural_key)
    top = _common_folder(maps)
    stems = [_stem(each)[len(top) :] for each in maps]
    repeated = {stem for stem, count in Counter(stems).items() if count > 1}
    # nodeset1.json next to nodeset1.rdf: both are maps, and the suffix tells them apart.
    names = [each[len(top) :] if stem in repeated else stem for each, stem in zip(maps, stems, strict=True)]
    notices = (*fetched, *store.notices, *_skipped(store, maps))
    debug("opened %s: %d maps", store.path, len(maps))
    if not maps:
        known = " ".join(sorted(_suffixes()))
        notices += (Notice("corpus-empty", f"{store.path}: there are no maps in it; maps end in {known}"),)
    return Corpus(store, [Entry(store, each, name) for each, name in zip(maps, names, strict=True)], notices)


def as_corpus(given: Corpus | str | PathLike[str]) -> Corpus:
    """A corpus, or the one at a path (``open_corpus``)."""
    return given if isinstance(given, Corpus) else open_corpus(given)


@cache
def _suffixes() -> frozenset[str]:
    """The suffixes of the formats that are read."""
    from aifgraph.formats.registry import codec, names

    return frozenset(suffix for name in names() if codec(name).reads for suffix in codec(name).suffixes)


def _suffix(path: str) -> str:
    base = path.rsplit("/", 1)[-1].lower()
    plain = without_gz(base)
    known = max((each for each in _suffixes() if plain.endswith(each)), key=len, default="")
    return known + base[len(plain) :] if known else Path(base).suffix


def _stem(path: str) -> str:
    return path[: len(path) - len(_suffix(path))]


def _is_map(path: str) -> bool:
    base = path.rsplit("/", 1)[-1].lower()
    suffix = without_gz(_suffix(path))
    if suffix in LINES or without_gz(base) == suffix:  # a file of many maps is none of the maps of a container
        return False
    return suffix in _suffixes() and not (suffix in _PLAIN and base.startswith(_NO_MAPS))


def _skipped(store: Store, maps: Sequence[str]) -> Iterator[Notice]:
    """One notice on the files that are taken neither for maps nor for texts and notes next to them."""
    stems = {_stem(each) for each in maps}
    taken = set(maps)
    others = sorted(
        path
        for path in (store.paths if maps and not isinstance(store, Single) else ())
        if path not in taken and not (_suffix(path) in _PLAIN and _stem(path) in stems)
        if not path.rsplit("/", 1)[-1].lower().startswith((*_NO_MAPS, "manifest"))  # what fetching writes
        if not (path.startswith("texts/") and _suffix(path) in _PLAIN)  # the same
    )
    if others:
        shown = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
        yield Notice("corpus-skipped", f"{store.path}: files that are no maps by their names are skipped: {shown}")


def _common_folder(paths: Sequence[str]) -> str:
    """The folder that all paths are in, with its final ``/``."""
    if not paths:
        return ""
    first, last = min(paths), max(paths)
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[: first.rfind("/", 0, same) + 1]


def _below(entry: Entry) -> str:
    """The path below the folder that all maps are in, with its suffix."""
    return entry.name + entry.suffix if not entry.name.endswith(entry.suffix) else entry.name


def _files(store: Store) -> frozenset[str]:
    """The paths of a store for looking up; made once a store."""
    known: frozenset[str] | None = getattr(store, "_known", None)
    if known is None:
        known = frozenset(store.paths)
        store._known = known  # type: ignore[attr-defined]
    return known
