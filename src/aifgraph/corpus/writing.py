"""Writing many maps: a folder, a zip archive, or JSON lines.

A target appears whole, when everything is written, or not at all.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from errno import EILSEQ, EINVAL
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.corpus.containers import is_writable, safe_path
from aifgraph.corpus.corpus import CorpusLike, MapEntry, name_of, open_corpus
from aifgraph.errors import AifgraphError, FormatError, InputError, OptionError
from aifgraph.files import LINES, Input, new_file, new_folder, unique_name
from aifgraph.formats import FileContents, NamedMap, format_named, read_input
from aifgraph.graph import ArgumentGraph, Edge, LocutionRecord, Meta, Node, Notice, Participant, SourceText, Span
from aifgraph.graph.nodes import NewIds
from aifgraph.printable import pluralize


@dataclass(eq=False)
class CorpusWriter:
    """Takes the maps of a corpus; :func:`open_writer` makes one. ``lines`` says whether each map is a line of JSON."""

    _write: Callable[[str, bytes], object]
    lines: bool
    _files: set[str] = field(default_factory=set)
    _folders: set[str] = field(default_factory=set)

    def add(self, name: str, suffix: str, written: FileContents) -> None:
        """Write a map and the files beside it."""
        name = safe_path(name) or unique_name(Counter(), name)
        if not self.lines and not is_writable(name + suffix):  # nor in an archive, which somebody unpacks
            raise InputError("the name is longer than that of a file can be", where=name)
        files = {name + suffix: _bytes(written.text)}
        if written.beside is not None and not self.lines:
            files[f"{name}.txt"] = _bytes(written.beside)
        for path in files:
            folders = [path[:end] for end, char in enumerate(path) if char == "/"]
            if path in self._files or path in self._folders or not self._files.isdisjoint(folders):
                raise InputError(f"two maps would be written to {path}", remedy="rename one of them")
            self._folders.update(folders)
        self._files.update(files)
        if self.lines:
            record = {"name": name, "map": json.loads(written.text)}
            record |= {} if written.beside is None else {"text": written.beside}
            self._write(name, _bytes(json.dumps(record, ensure_ascii=False, separators=(",", ":"))) + b"\n")
            return
        for path, data in files.items():
            self._write(path, data)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")  # half surrogates as JSON writes them


@contextmanager
def open_writer(target: str | PathLike[str]) -> Iterator[CorpusWriter]:
    """Open a new folder, ``.zip`` or ``.jsonl`` for maps. After an error nothing is there."""
    path = Path(target)
    suffix = "" if path.is_dir() or str(target).endswith(("/", os.sep)) else path.suffix.lower()
    if suffix == ".zip":
        with new_file(path) as file, zipfile.ZipFile(file, "w") as archive:
            # A ZipInfo has no time, so that archives of equal files are equal.
            put = partial(archive.writestr, compress_type=zipfile.ZIP_DEFLATED)
            yield CorpusWriter(lambda name, data: put(zipfile.ZipInfo(name), data), lines=False)
    elif suffix in LINES:
        with new_file(path) as file:
            yield CorpusWriter(lambda _, data: file.write(data), lines=True)
    elif str(target) == "-" or re.fullmatch(r"\.[a-z]\w*", suffix):  # a folder may be called v1.1
        what = f"a corpus cannot be written as {suffix or target}"
        raise OptionError(what, where=str(path), remedy="choose .zip, .jsonl or a folder")
    else:
        with new_folder(path) as folder:
            yield CorpusWriter(lambda name, data: _write_below(folder, name, data), lines=False)


def _write_below(folder: Path, name: str, data: bytes) -> None:
    file = folder / name
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        if error.errno in (EILSEQ, EINVAL):  # of this map; a full disk ends the whole
            raise InputError(error.strerror or "not a valid name", where=name) from None
        raise


# -- converting -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Conversion:
    """What became of a corpus: nodes by type, edges and maps that went in and came out; which maps failed, and why."""

    went_in: Counter[str] = field(default_factory=Counter)
    came_out: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[str, str]] = field(default_factory=list)

    @property
    def written(self) -> int:
        """How many maps were written."""
        return self.went_in["maps"]


def write_corpus(
    maps: str | PathLike[str] | Iterable[MapEntry | ArgumentGraph],
    target: str | PathLike[str],
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Conversion:
    """Write maps (a corpus or its path, a data set, graphs) one after the other; maps that fail are listed.

    Folders and archives hold AIF JSON and JSON lines hold xAIF, unless ``to_format`` names another format. Each map is
    read back, if possible, to count what was written.

    >>> from tempfile import TemporaryDirectory
    >>> from aifgraph import GraphBuilder, open_corpus
    >>> graph = GraphBuilder(name="masks").graph()
    >>> with TemporaryDirectory() as folder:
    ...     done = write_corpus([graph, graph], f"{folder}/masks.zip")
    ...     done.written, open_corpus(f"{folder}/masks.zip").names
    (2, ('masks-2', 'masks'))
    """
    if isinstance(maps, str | PathLike):
        maps = open_corpus(maps)
    done = Conversion()
    uses: Counter[str] = Counter()
    with open_writer(target) as target_writer:
        chosen = format_named(to_format or ("xaif" if target_writer.lines else "aif"), "written")
        if target_writer.lines and chosen.suffixes[0] != ".json":
            raise OptionError(
                f"JSON lines cannot hold {chosen.name}", where=str(target), remedy="choose .zip or a folder"
            )
        if from_format is not None:
            format_named(from_format)  # a name that no format has is an error of the whole
        for number, source in enumerate(maps, 1):
            try:
                if not isinstance(source, ArgumentGraph | NamedMap):
                    raise InputError(f"a {type(source).__name__}, no map")
                graph = source if isinstance(source, ArgumentGraph) else source.load(format=from_format)
                name = name_of(source, uses) if isinstance(source, ArgumentGraph) else source.name
                written = chosen.serialize(graph.with_name(name), **(options or {}))
                target_writer.add(name, chosen.suffixes[0], written)
            except Exception as error:
                if isinstance(error, OSError) and not isinstance(error, AifgraphError):
                    raise  # of the target: a full disk ends the whole
                where = source.name if isinstance(source, ArgumentGraph) else getattr(source, "source", f"map {number}")
                what = error if isinstance(error, AifgraphError) else f"{type(error).__name__}: {error}"
                done.failed.append((where, str(what)))
            else:
                done.went_in.update(_counted(graph))
                read_back = chosen.reads and not chosen.holds_all
                done.came_out.update(_counted(_read_back(written, chosen.name) if read_back else graph))
            if progress:
                progress(number, len(maps) if isinstance(maps, Sized) else 0)
    return done


def _counted(graph: ArgumentGraph) -> Counter[str]:
    return Counter(["maps", *(node.type for node in graph), *("edges" for _ in graph.edges)])


def _read_back(written: FileContents, format: str) -> ArgumentGraph:
    suffix = format_named(format).suffixes[0]
    beside = None if written.beside is None else _bytes(written.beside)
    try:
        return read_input(Input(f"map{suffix}", _bytes(written.text), suffix, {".txt": beside}.get), format)
    except FormatError:  # a file of nothing that the format has a place for
        return ArgumentGraph(())


# -- one map of many ------------------------------------------------------------------------------------------------


def union(maps: CorpusLike, *, name: str = "") -> ArgumentGraph:
    """Return maps that share nodes, as those of AIFdb do, as one map: nodes and edges are joined by their ids.

    People are joined by id and name: of two people with one id, the second gets a new id. What the first map says of a
    time or a further field counts. Different source texts stand one below the other. Layouts and other fields of
    documents are left out, which a notice says.

    Args:
        maps: a corpus, its path, or graphs.
        name: the name of the union.

    Raises:
        InputError: nodes of one id have different types or texts.

    >>> from aifgraph import GraphBuilder
    >>> first = GraphBuilder(name="first")
    >>> claim = first.proposition("Masks help")
    >>> second = GraphBuilder(first.graph(), name="second")
    >>> _ = second.inference(second.proposition("They filter"), claim)
    >>> [node.text for node in union([first.graph(), second.graph()])]
    ['Masks help', 'They filter', 'Default Inference']
    """
    graphs = [entry.load() for entry in open_corpus(maps)]
    if len(graphs) == 1:
        return graphs[0].with_name(name or graphs[0].name)
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str], Edge] = {}
    people: dict[tuple[str, str], Participant] = {}  # by the id and the name in their maps
    metas = [graph.meta for graph in graphs]
    new_ids = NewIds(person.id for meta in metas for person in meta.participants)
    new_ids.taken.update(record.person_id for meta in metas for record in meta.locutions if record.person_id)
    used: set[str] = set()
    records: dict[LocutionRecord, None] = {}
    found_in: dict[str, str] = {}
    differing: dict[str, None] = {}
    for graph in graphs:
        for node in graph:
            known = nodes.setdefault(node.id, node)
            _check_same(node.id, (known.type, known.text), (node.type, node.text), found_in, graph.name)
            if known is not node and (node.schemes != known.schemes or node.extra != known.extra):
                schemes = tuple(dict.fromkeys((*known.schemes, *node.schemes)))
                nodes[node.id] = replace(known, schemes=schemes, extra=node.extra | known.extra)
            if known.extra | node.extra != node.extra | known.extra or node.timestamp not in (None, known.timestamp):
                differing[node.id] = None
        for edge in graph.edges:
            if (edge.extra or {}) != (edges.setdefault(edge[:2], edge).extra or {}):
                differing.update(dict.fromkeys(edge[:2]))
        ids: dict[str | None, str] = {}
        for person in graph.participants:
            if (person.id, person.name) not in people:
                people[person.id, person.name] = replace(person, id=new_ids.next()) if person.id in used else person
                used.add(person.id)
            ids.setdefault(person.id, people[person.id, person.name].id)
        records |= {
            replace(record, person_id=ids.get(record.person_id, record.person_id)): None
            for record in graph.meta.locutions
        }
    notices = dict.fromkeys(notice for meta in metas for notice in meta.notices)
    if count := sum(bool(meta.document.get("OVA") or meta.document.get("ova")) for meta in metas):
        notices[Notice("layout-left-out", f"the layouts of {pluralize(count, 'maps')} are left out")] = None
    if differing:
        what = f"of {pluralize(len(differing), 'nodes')}, further fields or times differ between maps; the first count"
        notices[Notice("fields-differ", what, tuple(differing))] = None
    meta = Meta(
        tuple(people.values()),
        tuple(records),
        _joined_text(meta.source for meta in metas if meta.source is not None),
        notices=tuple(notices),
        numeric_ids=all(meta.numeric_ids for meta in metas),
        base=metas[0].base if len({meta.base for meta in metas}) == 1 else "",
    )
    return ArgumentGraph(tuple(nodes.values()), tuple(edges.values()), meta, name)


def _check_same(
    id_: str, known: tuple[str, ...], values: tuple[str, ...], found_in: dict[str, str], map_name: str
) -> None:
    """Raise ``InputError`` where a node of one id is another in another map."""
    first = found_in.setdefault(id_, map_name)
    if known != values:
        first_shown, second_shown = (" ".join(texts)[:60] for texts in (known, values))
        message = f"{first_shown!r} in {first or 'a map'}, but {second_shown!r} in {map_name or 'another'}"
        raise InputError(message, where=f"node {id_}")


def _joined_text(sources: Iterable[SourceText]) -> SourceText | None:
    """Return texts one below the other, each once, with all spans."""
    starts: dict[str, int] = {}
    spans: dict[Span, None] = {}
    length = 0
    for source in sources:
        start = starts.setdefault(source.text, length)
        if start == length:
            length += len(source.text) + 2
        moved = (replace(span, start=span.start + start, end=span.end + start) for span in source.spans)
        spans.update(dict.fromkeys(moved))
    return SourceText("\n\n".join(starts), tuple(spans)) if starts else None
