"""A corpus: maps by name, in order, each loaded when it is asked for.

A corpus is a folder, an archive or a file of JSON lines (``containers``); here is which of its files are maps and what
they are called. Opening reads no map, so a damaged one is an error of that map only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from os import PathLike
from pathlib import Path
from posixpath import commonpath
from typing import TYPE_CHECKING, Final, overload

from aifgraph.corpus.archives import safe_path
from aifgraph.corpus.containers import Container, Single, open_container
from aifgraph.corpus.entries import Entry, read_suffixes, stem_of, suffix_of
from aifgraph.corpus_names import LINES, corpora_by_name, natural_key
from aifgraph.errors import NoSuchNameError, OptionError
from aifgraph.files import without_gz
from aifgraph.graph import Notice
from aifgraph.printable import quantity

if TYPE_CHECKING:
    from aifgraph.corpus.counts import CorpusStats

# Formats of plain text: such a file is a map only where no other file is: mostly it belongs to one.
_PLAIN = (".txt", ".md", ".csv", ".tsv")
_NO_MAPS = ("readme", "license", "licence", "changelog", "copying", "notice")


class Corpus:
    """Maps in natural order (JSON lines: in the order of the file).

    ``corpus["nodeset1"]`` and ``corpus[3]`` are entries, ``corpus[10:20]`` is a corpus; iteration gives entries.
    :func:`aifgraph.open_corpus` makes one.

    Attributes:
        path: the folder or file that holds it.
        notices: what was skipped when the corpus was opened or fetched.
    """

    def __init__(self, path: Path, entries: Iterable[Entry], notices: tuple[Notice, ...] = ()) -> None:
        self.path = path
        self.notices = notices
        self._entries = tuple(entries)
        self._indices: list[dict[str, Entry]] = []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return (self.path, self._entries) == (other.path, other._entries)

    def __hash__(self) -> int:
        return hash(self.path)

    @property
    def name(self) -> str:
        """The name of its folder or file, without suffixes."""
        name = self.path.name or self.path.resolve().name
        for suffix in (".gz", ".zip", ".jsonl", ".ndjson", ".json"):
            if not self.path.is_dir() and name.lower().endswith(suffix):
                name = name[: -len(suffix)]
        return name

    @property
    def names(self) -> tuple[str, ...]:
        """The maps' names: paths in the corpus without suffix, below the folder that they all are in."""
        return tuple(entry.name for entry in self._entries)

    def find(self, path: str) -> Entry | None:
        """The entry of a whole name or path, with or without suffix; None where there is none. Texts are searched by
        ``find`` of a graph.

        Paths may start in the corpus or in the folder that all maps are in (``US2016/nodeset1.json``).
        """
        safe = safe_path(path)
        wanted = [path] if safe in (None, path) else [path, safe]
        for name in wanted:
            for number, key in enumerate(_KEYS):
                if number == len(self._indices):
                    # Of equal keys the first is found.
                    self._indices.append({key(entry): entry for entry in reversed(self._entries)})
                if (entry := self._indices[number].get(str(name))) is not None:
                    return entry
        return None

    def only(self, names: Iterable[str | Entry]) -> Corpus:
        """The corpus of the maps with these names (or entries), in the order of this one.

        Raises:
            NoSuchNameError: the corpus has no such map.

        >>> len(open_corpus("fixtures/debates/ann").only(["nodeset3", "nodeset1"]))
        2
        """
        wanted = {self[name.name if isinstance(name, Entry) else name].name for name in names}
        return Corpus(self.path, (entry for entry in self if entry.name in wanted), self.notices)

    def stats(self) -> CorpusStats:
        """What the corpus holds, counted: maps, words, nodes, illocutions, schemes, speakers, lengths.

        Maps that cannot be read are listed in the counts.
        """
        from aifgraph.corpus.counts import count

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
            return Corpus(self.path, self._entries[key], self.notices)
        if isinstance(key, int):
            if not -len(self) <= key < len(self):
                raise IndexError(f"there is no map {key}: the corpus has {len(self)} maps")
            return self._entries[key]
        if (entry := self.find(key)) is None:
            raise NoSuchNameError(f"there is no map {key!r}", where=str(self.path))
        return entry

    def __repr__(self) -> str:
        return f"<Corpus {self.name!r}, {quantity(len(self), 'maps')}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (Corpus, (self.path, self._entries, self.notices))


def open_corpus(path: str | PathLike[str], *, progress: Callable[[int, int], None] | None = None) -> Corpus:
    """The corpus at a path. Nothing is read yet but the names of its maps.

    Archives are recognised by their content. Maps are the files with the suffix of a format that is read here, those in
    sub-folders too. A map that cannot be read is an error of its ``load`` alone.

    Args:
        path: a folder, ``.zip`` or ``.jsonl``, or one map; or ``aifdb:NAME``, fetched where it is not in the cache.
        progress: for ``aifdb:NAME``, called with the maps fetched and the maps wanted.

    Raises:
        NotFoundError: there is nothing at the path.
        FormatError: a broken archive.
        InputError: it cannot be opened, or is an archive with a path that leads out of it.
        LimitError: an archive that unpacks to more than is accepted.
    """
    fetched: tuple[Notice, ...] = ()
    if isinstance(path, str) and path.startswith("aifdb:"):
        from aifgraph.aifdb.client import open_address

        path, fetched = open_address(path, progress)
    container = open_container(Path(path))
    maps = _maps(container)
    notices = (*fetched, *container.notices, *_skipped(container, maps))
    if not maps:
        known = " ".join(sorted(read_suffixes()))
        notices += (Notice("corpus-empty", f"{container.path}: there are no maps in it; maps end in {known}"),)
    top = len(_common_folder(maps))
    # nodeset1.json next to nodeset1.rdf: both are maps, and the suffix tells them apart.
    stems = [stem_of(path) for path in maps]
    uses = Counter(stems)
    entries = (
        Entry(container, path, (path if uses[stem] > 1 else stem)[top:]) for path, stem in zip(maps, stems, strict=True)
    )
    return Corpus(container.path, entries, notices)


def _maps(container: Container) -> Sequence[str]:
    """The paths that are maps, in the order of the corpus."""
    if isinstance(container, Single):
        # One file that was named is a map whatever its suffix: loading it says what is wrong with it.
        return container.paths[:1]
    # JSON lines hold maps alone, whatever they are called.
    maps = [path for path in container.paths if _is_map(path)]
    maps = [path for path in maps if without_gz(suffix_of(path)) not in _PLAIN] or maps
    return maps if container.ordered else sorted(maps, key=natural_key)


def as_corpus(corpus: Corpus | str | PathLike[str]) -> Corpus:
    """A corpus, or the one at a path (``open_corpus``)."""
    return corpus if isinstance(corpus, Corpus) else open_corpus(corpus)


def named_corpora(
    corpora: Mapping[str, Corpus | str | PathLike[str]] | Sequence[Corpus | str | PathLike[str]],
) -> dict[str, Corpus]:
    """Corpora by name: as they are called, or, in a list, after their folders or files.

    Raises:
        OptionError: it is one corpus, or none.

    >>> list(named_corpora(["fixtures/debates/ann", "fixtures/debates/ben"]))
    ['ann', 'ben']
    """
    if isinstance(corpora, Mapping):
        return {name: as_corpus(corpus) for name, corpus in corpora.items()}
    if isinstance(corpora, str | PathLike | Corpus):
        raise OptionError("one corpus where several are needed", remedy="give a list of paths, or corpora by name")
    paths = [str(corpus.path if isinstance(corpus, Corpus) else corpus) for corpus in corpora]
    return {name: as_corpus(corpus) for name, corpus in zip(corpora_by_name(paths), corpora, strict=True)}


def _is_map(path: str) -> bool:
    base = path.rsplit("/", 1)[-1].lower()
    suffix = without_gz(suffix_of(path))
    if suffix in LINES or without_gz(base) == suffix:  # a file of many maps is none of the maps of a container
        return False
    return suffix in read_suffixes() and not (suffix in _PLAIN and base.startswith(_NO_MAPS))


def _skipped(container: Container, maps: Sequence[str]) -> Iterator[Notice]:
    """One notice on the files that are taken neither for maps nor for texts and notes next to them."""
    if not maps or isinstance(container, Single) or len(maps) == len(container.paths):
        return
    known, stems = set(maps), set(map(stem_of, maps))
    others = [
        path
        for path in container.paths
        if path not in known and not (suffix_of(path) in _PLAIN and stem_of(path) in stems)
        if not path.rsplit("/", 1)[-1].lower().startswith((*_NO_MAPS, "manifest"))  # what fetching writes
    ]
    if others:
        shown = ", ".join(nsmallest(5, others)) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
        what = f"{container.path}: files that are no maps by their names are skipped: {shown}"
        yield Notice("corpus-skipped", what)


def _common_folder(paths: Sequence[str]) -> str:
    """The folder that all paths are in, with its final ``/``."""
    folder = commonpath([path.rpartition("/")[0] for path in paths]) if paths else ""
    return f"{folder}/" if folder else ""


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
