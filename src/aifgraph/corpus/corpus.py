"""A corpus: maps by name, in order, each loaded when it is asked for."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Final, TypeAlias, overload
from unicodedata import normalize

from aifgraph.corpus.containers import (
    STATE,
    Container,
    common_folder,
    is_writable,
    natural_key,
    open_container,
    reopen_container,
    safe_path,
)
from aifgraph.corpus.counts import CorpusCounts
from aifgraph.errors import (
    AifgraphError,
    FormatError,
    InputError,
    LimitError,
    NoSuchNameError,
    OptionError,
    RemoteError,
)
from aifgraph.files import DATA_SETS, Input, read_bytes, stem_of, suffix_of, unique_name
from aifgraph.formats import load, parse, read_input, suffixes
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.printable import listed, pluralize

_NOT_MAPS: Final = re.compile(r"readme|license|licence|changelog|copying|notice|nodeset[0-9]+\.txt$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One map of a corpus, not loaded yet: its ``path`` there, and its ``name``, the path without suffix."""

    container: Container
    path: str
    name: str

    @property
    def source(self) -> str:
        """Where it is: ``folder/nodeset1.json``, ``corpus.zip, nodeset1.json``, ``corpus.jsonl, line 12``."""
        return self.container.where(self.path)

    @property
    def identity(self) -> str:
        """Which file, or member of which file, it is, by whichever path its corpus was opened."""
        return f"{self.container.real}/{self.path}"

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        """Load the graph. Raises the errors of ``aifgraph.load``."""
        return read_input(self.input(), format).with_name(self.source)

    def input(self) -> Input:
        """Read the bytes of the map, and of the files beside it when they are asked for."""
        return Input(self.source, self.container.read(self.path), suffix_of(self.path), self.sibling)

    def sibling(self, suffix: str) -> bytes | None:
        """Return the bytes of the file of the same stem with another suffix, or None."""
        return self.container.sibling(self.path, suffix)

    def __reduce__(self) -> tuple[object, ...]:
        place = self.container
        return _entry, (place.real, place.path, place.opening, self.path, self.name)

    def __repr__(self) -> str:
        return f"<Entry {self.name!r} of {self.container.path}>"


def _entry(real: Path, place: Path, opening: str, path: str, name: str) -> Entry:
    return Entry(reopen_container(real, place, opening), path, name)


@dataclass(frozen=True, slots=True, eq=False)
class GraphEntry:
    """A graph as a map of a corpus, under its name there."""

    graph: ArgumentGraph
    name: str

    @property
    def source(self) -> str:
        """Where it came from."""
        return self.graph.name or self.name

    @property
    def identity(self) -> str:
        """Which object it is."""
        return f"graph {id(self.graph)}"

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        """Return the graph."""
        return self.graph


#: A map of a corpus.
MapEntry: TypeAlias = Entry | GraphEntry


class Corpus(Sequence[MapEntry]):
    """Maps in natural order (JSON lines: in the order of the file); :func:`open_corpus` makes one.

    ``corpus["nodeset1"]`` and ``corpus[3]`` are entries, ``corpus[10:20]`` is a corpus, iteration gives entries.
    """

    def __init__(self, path: Path, entries: Iterable[MapEntry], notices: Iterable[Notice] = ()) -> None:
        self.path = path
        self.entries = tuple(entries)
        self.notices = tuple(notices)

    @property
    def name(self) -> str:
        """The name of the folder or file, without suffix."""
        path = self.path.resolve()
        return path.name if path.is_dir() else path.stem

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the maps."""
        return tuple(entry.name for entry in self.entries)

    @cached_property
    def _by_name(self) -> Mapping[str, MapEntry]:
        files = [entry for entry in self.entries if isinstance(entry, Entry)]
        top = len(common_folder(entry.path for entry in files))
        found = {entry.name: entry for entry in self.entries}
        for entry in files:
            for key in (entry.path, stem_of(entry.path), entry.path[top:]):
                found.setdefault(normalize("NFC", key), entry)
        return found

    def find(self, name: str) -> MapEntry | None:
        """Return the entry of a name or path, with or without suffix, or None."""
        name = normalize("NFC", name)
        return self._by_name.get(name) or self._by_name.get(safe_path(name) or name)

    def counts(self) -> CorpusCounts:
        """Count maps, words, nodes, schemes, speakers and who argues with whom."""
        counts = CorpusCounts(self.name)
        for entry in self:
            try:
                counts.add(entry.load())
            except AifgraphError as error:
                counts.failed.append((entry.name, str(error)))
        return counts

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, item: object) -> bool:
        return self.find(item) is not None if isinstance(item, str) else item in self.entries

    @overload
    def __getitem__(self, key: int | str) -> MapEntry: ...
    @overload
    def __getitem__(self, key: slice) -> Corpus: ...
    def __getitem__(self, key: int | str | slice) -> MapEntry | Corpus:
        if isinstance(key, slice):
            return Corpus(self.path, self.entries[key], self.notices)
        if isinstance(key, int):
            return self.entries[key]
        if (entry := self.find(key)) is None:
            raise NoSuchNameError(f"there is no map {key!r}", where=str(self.path))
        return entry

    def __repr__(self) -> str:
        return f"<Corpus {self.name!r}, {pluralize(len(self), 'maps')}>"


#: What is taken as a corpus: one that is open, its path, or graphs.
CorpusLike: TypeAlias = Corpus | str | PathLike[str] | Iterable[ArgumentGraph]


def open_corpus(path: CorpusLike) -> Corpus:
    """Open the corpus at a path (a folder, ``.zip`` or ``.jsonl``, or ``aifdb:NAME``), or the one of some graphs.

    A file ``.trig``, ``.nq`` or ``.jsonld`` with a named graph for each map, as of ``to_rdf``, is a corpus, too.

    No map is read yet: a map that cannot be read is an error of its own ``load`` only.

    Raises:
        InputError: it cannot be opened.
        RemoteError: AIFdb did not send it; or, of a folder to which ``aifgraph fetch`` fetched no map, why not.

    >>> open_corpus("fixtures/debates/ann").names[:2]
    ('nodeset1', 'nodeset2')
    >>> open_corpus([ArgumentGraph((), name="maps/nodeset1.json"), ArgumentGraph(())]).names
    ('nodeset1', 'map')
    """
    if isinstance(path, Corpus):
        return path
    if not isinstance(path, str | PathLike):
        if isinstance(path, ArgumentGraph) or not isinstance(path, Iterable):
            raise TypeError(f"a corpus is a path, a Corpus or a list of graphs, not {type(path).__name__}")
        graphs, uses = tuple(path), Counter[str]()
        if not all(isinstance(graph, ArgumentGraph) for graph in graphs):
            raise TypeError("a list that is a corpus holds graphs alone")
        return Corpus(Path("graphs"), [GraphEntry(graph, name_of(graph, uses)) for graph in graphs])
    if path == "":
        raise InputError("the path of the corpus is empty")
    if isinstance(path, str) and path.startswith("aifdb:"):
        return open_from_aifdb(path.removeprefix("aifdb:"))
    if (syntax := suffix_of(str(path))) in DATA_SETS and Path(path).is_file():
        return _open_dataset(Path(path), syntax.removeprefix("."))
    container = open_container(Path(path))
    paths = _map_paths(container)
    if not paths and (error := _download_error(container.path)):
        raise RemoteError(error, where=str(path), remedy="run `aifgraph fetch` again")
    top = len(common_folder(paths))
    stems = Counter(map(stem_of, paths))
    # nodeset1.json beside nodeset1.ttl: both are maps, and the suffix tells them apart.
    names = [(path if stems[stem_of(path)] > 1 else stem_of(path))[top:] for path in paths]
    # macOS spells accents otherwise than Linux.
    composed = [normalize("NFC", name) for name in names]
    names = composed if len({*composed}) == len(names) else names
    entries = [Entry(container, path, name) for path, name in zip(paths, names, strict=True)]
    return Corpus(container.path, entries, [*container.notices, *_notices_of_files(container, paths)])


def _open_dataset(path: Path, syntax: str) -> Corpus:
    """Open a file of RDF in which each map is a named graph."""
    from aifgraph.rdf.read import read_maps

    try:
        document = parse(read_bytes(path), "json" if syntax == "jsonld" else "text", str(path), [])
        graphs, uses = read_maps(syntax, document), Counter[str]()
    except (FormatError, LimitError) as error:
        raise error.at(str(path)) from None
    return Corpus(path, [GraphEntry(graph, name_of(graph, uses)) for graph in graphs])


def open_from_aifdb(name: str, progress: Callable[[int, int], None] | None = None) -> Corpus:
    """Open a corpus of AIFdb, which is fetched as far as it is not in the user's cache yet."""
    from aifgraph.aifdb import cache_corpus

    done = cache_corpus(name, progress)
    corpus = open_corpus(done.folder)
    return Corpus(corpus.path, corpus, [*corpus.notices, *done.notices])


def load_map(source: str) -> ArgumentGraph:
    """Load a map as ``aifgraph.load`` does, or one of AIFdb by its address (``aifdb:17940``)."""
    if source.startswith("aifdb:"):
        from aifgraph.aifdb import cached_nodeset

        return cached_nodeset(source.removeprefix("aifdb:"))
    return load(source)


def _download_error(folder: Path) -> str | None:
    """Return the error that ended the last download to a folder, if ``aifgraph fetch`` left one."""
    try:
        return str(json.loads((folder / STATE).read_bytes())["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def name_of(graph: ArgumentGraph, uses: Counter[str]) -> str:
    """Return what a graph is called: by its name, or by its file, perhaps in an archive, without the folder."""
    last = re.split(r"[/\\]|, ", graph.name)[-1]
    is_file = suffix_of(last) in suffixes("read")
    name = safe_path(graph.name) if not is_file else None
    if name is None or name in uses or not is_writable(name):
        return unique_name(uses, stem_of(last) if is_file else last)
    uses[name] = 1
    return name


def _map_paths(container: Container) -> list[str]:
    """Return the paths that are maps, in the order of the corpus."""
    paths = [path for path in container.paths if suffix_of(path) in suffixes("read")]
    # Plain text is a map only where no other file is one, since it mostly belongs to a map.
    others = [path for path in paths if suffix_of(path) != ".txt"]
    paths = others or [path for path in paths if not _NOT_MAPS.match(path.rpartition("/")[2].lower())]
    return paths if container.ordered else sorted(paths, key=natural_key)


def _notices_of_files(container: Container, maps: Sequence[str]) -> Iterator[Notice]:
    if not maps:
        what = f"{container.path}: has no maps; maps end in {' '.join(sorted(suffixes('read')))}"
        yield Notice("corpus-empty", what)
        return
    stems = set(map(stem_of, maps))
    others = [path for path in container.paths if stem_of(path) not in stems]
    others = sorted(path for path in others if not _NOT_MAPS.match(path.rpartition("/")[2].lower()))
    if others:
        yield Notice("corpus-skipped", f"{container.path}: left out, not maps by suffix: {listed(others)}")


def named_corpora(
    corpora: Mapping[str, CorpusLike] | Sequence[CorpusLike],
    names: Sequence[str] | None = None,
) -> dict[str, Corpus]:
    """Return corpora by these names, or as they are called, or, in a list, after their folders or files.

    A path stands for its name where two have the same; of a path that is given twice, each has a number.

    >>> list(named_corpora(["fixtures/debates/ann", "fixtures/debates/ben"]))
    ['ann', 'ben']
    >>> list(named_corpora(["fixtures/debates/ann"] * 2))
    ['ann (1)', 'ann (2)']
    """
    if isinstance(corpora, str | PathLike | Corpus) or any(isinstance(graph, ArgumentGraph) for graph in corpora):
        raise TypeError("give several corpora, not one")
    if isinstance(corpora, Mapping):
        names, corpora = list(corpora) if names is None else names, list(corpora.values())
    if names is not None:
        if isinstance(names, str) or len({*names}) != len(names) or len(names) != len(corpora):
            raise OptionError(f"names are {', '.join(names)}", remedy=f"give {len(corpora)} different ones")
        return {name: open_corpus(corpus) for name, corpus in zip(names, corpora, strict=True)}
    opened = [corpus if isinstance(corpus, str | PathLike) else open_corpus(corpus) for corpus in corpora]
    paths = [str(corpus.path if isinstance(corpus, Corpus) else corpus) for corpus in opened]
    ends = [Path(path).name or path for path in paths]
    named: dict[str, Corpus] = {}
    for number, (name, path, corpus) in enumerate(zip(ends, paths, opened, strict=True), 1):
        short = name if ends.count(name) in (1, paths.count(path)) else path
        again = f" ({paths[:number].count(path)})" if paths.count(path) > 1 else ""
        named[f"{short}{again}"] = open_corpus(corpus)
    return named
