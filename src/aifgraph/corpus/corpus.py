"""A corpus: maps by name, in order, each loaded when it is asked for.

A corpus is a folder, an archive or a file of JSON lines (``store``); here is which of its files are maps and what they
are called. Opening reads no map, so a damaged one is an error of that map only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import merge, nsmallest
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, overload

from aifgraph.corpus.entries import Entries, Entry, read_suffixes, stem_of, suffix_of
from aifgraph.corpus.lazy import Made, compact
from aifgraph.corpus.lookup import Lookup
from aifgraph.corpus.names import LINES, natural_key, safe_path
from aifgraph.corpus.opening import open_store
from aifgraph.corpus.store import Single, Store
from aifgraph.errors import NoSuchNameError, OptionError
from aifgraph.formats.files import without_gz
from aifgraph.graph import Notice
from aifgraph.hooks import hook
from aifgraph.log import debug

if TYPE_CHECKING:
    from aifgraph.corpus.statistics import CorpusStats

# Formats of plain text: such a file is a map only where no other file is: mostly it belongs to one.
_PLAIN = (".txt", ".md", ".csv", ".tsv")
#: Names that are sorted at a time.
_SORTED = 20_000
_NO_MAPS = ("readme", "license", "licence", "changelog", "copying", "notice")


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


class Corpus:
    """Maps in natural order (JSON lines: in the order of the file). Not even their names are held in memory.

    ``corpus["nodeset1"]`` and ``corpus[3]`` are entries, ``corpus[10:20]`` is a corpus; iteration gives entries.
    :func:`aifgraph.open_corpus` makes one.

    Attributes:
        notices: what was skipped when the corpus was opened or fetched.
    """

    def __init__(self, store: Store, entries: Sequence[Entry], notices: tuple[Notice, ...] = ()) -> None:
        self._store = store
        self._entries = entries if isinstance(entries, Entries) else tuple(entries)
        self._lookups: list[Lookup] = []
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
            if not self.path.is_dir() and name.lower().endswith(suffix):
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
        place = self.place(path)
        return self._entries[place] if place >= 0 else None

    def place(self, path: str) -> int:
        """The place of a map in the corpus.

        Args:
            path: its name or path, as ``find`` takes it.

        Returns:
            The place, from 0; −1 where there is none.
        """
        safe = safe_path(path)
        wanted = [path] if safe in (None, path) else [path, safe]
        return next((place for each in wanted if (place := self._place(each)) >= 0), -1)

    def _place(self, path: str) -> int:
        for number, key in enumerate(_KEYS):
            if number == len(self._lookups):
                self._lookups.append(Lookup.of(self._texts(key)))
            if (place := self._lookups[number].find(path)) >= 0:
                return place
        return -1

    def _texts(self, key: Callable[[Entry], str]) -> Made[str]:
        entries = self._entries
        return Made(range(len(entries)), lambda place: key(entries[place]))

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
        wanted = bytearray(len(self))
        for name in names:
            wanted[self._known_place(name)] = 1
        return self.chosen(place for place, kept in enumerate(wanted) if kept)

    def chosen(self, places: Iterable[int]) -> Corpus:
        """Some maps of the corpus as one.

        Args:
            places: the places of the maps, from 0.

        Returns:
            The corpus of these maps, in the order given.
        """
        if isinstance(self._entries, Entries):
            return Corpus(self._store, self._entries.chosen(places), self.notices)
        return Corpus(self._store, [self._entries[place] for place in places], self.notices)

    def _known_place(self, name: str) -> int:
        place = self.place(name)
        if place < 0:
            raise NoSuchNameError(f"there is no map {name!r}", where=str(self.path))
        return place

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
            return self._entries[self._known_place(key)]
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
        path, fetched = hook("open_address")(path, progress)
    elif isinstance(path, str) and path.startswith(("http://", "https://")):
        raise OptionError("a corpus is not read from the web", where=path, remedy="download it, and give the file")
    elif not isinstance(path, str | PathLike):
        raise OptionError(f"cannot open {type(path).__name__} as a corpus", remedy="give a path")
    store = open_store(Path(path))
    maps = _maps(store)
    top = _common_folder(Made(maps, store.paths.__getitem__))
    notices = (*fetched, *store.notices, *_skipped(store, maps))
    debug("opened %s: %d maps", store.path, len(maps))
    if not maps:
        known = " ".join(sorted(read_suffixes()))
        notices += (Notice("corpus-empty", f"{store.path}: there are no maps in it; maps end in {known}"),)
    return Corpus(store, Entries(store, maps, len(top), _repeated(store, maps)), notices)


def _maps(store: Store) -> Sequence[int]:
    """The numbers of the paths that are maps, in the order of the corpus."""
    paths = store.paths
    if isinstance(store, Single):
        # One file that was named is a map whatever its suffix: loading it says what is wrong with it.
        return range(1)
    maps = compact(number for number, path in enumerate(paths) if _is_map(path))
    maps = compact(number for number in maps if without_gz(suffix_of(paths[number])) not in _PLAIN) or maps
    if store.ordered:
        return maps

    def key(number: int) -> tuple[object, ...]:
        return natural_key(paths[number])

    # Keys take half a kilobyte each: those of a part of the names are there at a time.
    parts = [compact(sorted(maps[at : at + _SORTED], key=key)) for at in range(0, len(maps), _SORTED)]
    return compact(merge(*parts, key=key))


def _repeated(store: Store, maps: Sequence[int]) -> bytes:
    """A 1 at the number of every path whose stem another map has, too; empty where there is none.

    nodeset1.json next to nodeset1.rdf: both are maps, and the suffix tells them apart.
    """
    paths = store.paths
    if len({path[len(stem_of(path)) :] for path in map(paths.__getitem__, maps)}) < 2:
        return b""
    stems = Made(range(len(paths)), lambda number: stem_of(paths[number]))
    lookup = Lookup(stems)
    repeated = bytearray(len(paths))
    for number in maps:
        first = lookup.add(stems[number], number)
        if first != number:
            repeated[first] = repeated[number] = 1
    return bytes(repeated) if any(repeated) else b""


def as_corpus(given: Corpus | str | PathLike[str]) -> Corpus:
    """A corpus, or the one at a path (``open_corpus``)."""
    return given if isinstance(given, Corpus) else open_corpus(given)


def _is_map(path: str) -> bool:
    base = path.rsplit("/", 1)[-1].lower()
    suffix = without_gz(suffix_of(path))
    if suffix in LINES or without_gz(base) == suffix:  # a file of many maps is none of the maps of a container
        return False
    return suffix in read_suffixes() and not (suffix in _PLAIN and base.startswith(_NO_MAPS))


def _skipped(store: Store, maps: Sequence[int]) -> Iterator[Notice]:
    """One notice on the files that are taken neither for maps nor for texts and notes next to them."""
    paths = store.paths
    if not maps or isinstance(store, Single) or len(maps) == len(paths):
        return
    taken = bytearray(len(paths))
    for number in maps:
        taken[number] = 1
    stems = Lookup.of(Made(maps, lambda number: stem_of(paths[number])))
    others = [
        path
        for number, path in enumerate(paths)
        if not taken[number] and not (suffix_of(path) in _PLAIN and stems.find(stem_of(path)) >= 0)
        if not path.rsplit("/", 1)[-1].lower().startswith((*_NO_MAPS, "manifest"))  # what fetching writes
        if not (path.startswith("texts/") and suffix_of(path) in _PLAIN)  # the same
    ]
    if others:
        shown = ", ".join(nsmallest(5, others)) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
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


#: What finds a map, the first that fits.
_KEYS: Final[tuple[Callable[[Entry], str], ...]] = (
    lambda entry: entry.name,
    lambda entry: entry.path,
    lambda entry: stem_of(entry.path),
    _below,
)
