"""Data sets of one document per text, which a format reads: the microtext corpora and the argument annotated essays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from aifgraph.datasets.dataset import Dataset, UniqueNames, file_name, not_from, relative, source_record
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.formats.brat.read import MAJOR
from aifgraph.formats.files import input_from_path, read_bytes
from aifgraph.formats.io import dump, read_input
from aifgraph.graph import ArgumentGraph


class _Documents(Dataset):
    """Files that a format reads, each a map; the name of a map is that of its file."""

    writes = True

    def _files(self, suffix: str, remedy: str) -> list[Path]:
        """The documents of the folder and those below it, or the one that is given."""
        paths = sorted(self.path.rglob(f"*{suffix}")) if self.path.is_dir() else [self.path]
        if not paths:
            raise InputError(f"there are no documents (*{suffix}) in it", where=str(self.path), remedy=remedy)
        return paths

    def _read(self, path: Path, name: str, text: Path | None = None, **options: Any) -> Iterator[ArgumentGraph]:
        """The map in a file, or a problem. ``text``: where the text is, if elsewhere; ``options``: of the format."""
        document = input_from_path(path, **options)
        if text is not None:
            # The text has a folder of its own, where formats do not look.
            document = replace(document, beside=lambda suffix: read_bytes(text) if suffix == text.suffix else None)
        elif document.beside(".txt") is None:
            self.counts["documents without a text"] += 1
        try:
            graph = read_input(document)
        except AifgraphError as error:
            self.problems.add("document", f"{error.what}; it is skipped", relative(path, self.path))
            return
        for notice in graph.notices:
            self.counts[f"notices: {notice.code}"] += 1
        yield graph.with_name(name)


def _write(graphs: Iterable[ArgumentGraph], names: Sequence[str], folder: Path, form: tuple[str, str]) -> list[Path]:
    """One document a map (and its text) into a folder, named after the map; gives the documents written. ``form``: the
    format and its suffix."""
    format, suffix = form
    written: list[Path] = []
    for graph, name in zip(graphs, _places(names), strict=True):
        target = folder / f"{name}{suffix}"
        target.parent.mkdir(parents=True, exist_ok=True)
        dump(graph, target, format=format)
        written.append(target)
    return written


def _places(names: Sequence[str]) -> list[str]:
    """Where documents go: into the folder itself, or, where two maps are called the same, into folders of their own.

    >>> _places(["maps/part1/x1.json", "maps.zip, part1/x2.json"]), _places(["en/x1", "de/x1"])
    (['x1', 'x2'], ['en/x1', 'de/x1'])
    """
    # A map that was loaded is called after its file, one of an archive after both.
    paths = [re.sub(r"(\.(json|jsonl|gz|xml|ann))+$", "", name.rsplit(", ", 1)[-1]) for name in names]
    # Whatever a map is called, its document is written below the folder.
    steps = [[file_name(step) for step in path.split("/") if step.strip("./")] or ["map"] for path in paths]
    last = [parts[-1] for parts in steps]
    if len({name.casefold() for name in last}) == len(last):
        return last
    top = 0
    while len({parts[top] if len(parts) > top + 1 else None for parts in steps}) == 1 and len(steps[0]) > top + 1:
        top += 1
    given: dict[str, UniqueNames] = {}
    places = []
    for parts in steps:
        above = "".join(f"{step}/" for step in parts[top:-1])
        places.append(above + given.setdefault(above.casefold(), UniqueNames()).unique(parts[-1]))
    return places


@dataclass(eq=False, kw_only=True)
class Microtexts(_Documents):
    """The microtext corpora (Peldszus and Stede 2016; Skeppstedt et al. 2018; Stede et al. 2016).

    The path is the folder of a part (or of all), or one XML file. Part 1 (English and German), part 2 and the ``arg``
    layer of the multilayer edition hold one ``arggraph`` a text. Given the folder of them all, maps are named after the
    part: ``part1/en/micro_b001``, ``multilayer/arg/micro_b001``.
    """

    name = "microtexts"
    title = "Argumentative microtexts"

    def maps(self) -> Iterator[ArgumentGraph]:
        remedy = "give part1/corpus/en, another folder of micro_*.xml, or the folder of them all"
        paths = self._files(".xml", remedy)
        parts = {path: _part(path.parent, self.path) for path in paths}
        several = len(set(parts.values())) > 1
        for path, part in parts.items():
            # The multilayer edition keeps the texts in a folder next to the layers.
            text = path.parent.parent / "txt" / f"{path.stem}.txt"
            elsewhere = text if not path.with_suffix(".txt").is_file() and text.is_file() else None
            yield from self._read(path, f"{part}/{path.stem}" if several and part else path.stem, elsewhere)

    @classmethod
    def write_back(cls, graphs: Iterable[ArgumentGraph], path: str | PathLike[str]) -> list[Path]:
        """One ``arggraph`` a map (and its text) into a folder; gives the XML files."""
        maps = list(graphs)
        names = []
        for graph in maps:
            own = source_record(graph, "arggraph").get("id")
            # A line of JSON lines has no name of its own; the document has.
            names.append(own if isinstance(own, str) and re.fullmatch(r"line\d+", graph.name) else graph.name)
        return _write(maps, names, Path(path), ("microtexts", ".xml"))


def _part(folder: Path, root: Path) -> str:
    """The folder's place below the root, without the level that is called corpus everywhere."""
    if not root.is_dir():
        return ""
    return "/".join(part for part in folder.relative_to(root).parts if part != "corpus")


@dataclass(eq=False, kw_only=True)
class Essays(_Documents):
    """Argument annotated essays (Stab and Gurevych 2017) in brat's standoff form: ``essay001.txt``, ``essay001.ann``.

    The path is a folder of ``.ann`` files with their texts (folders below it count too), or one of them. Components are
    I-nodes with their places, *supports* RA, *attacks* CA. ``major`` says how a claim's stance leads to the major
    claims: to ``each``, to one node that they are ``merge``d into, to the first, which the others ``rephrase``, or not
    at all (``none``).

    Several annotators of one text are a corpus each: ``essay001_ann.ann`` and ``essay001_bob.ann`` next to
    ``essay001.txt`` are the maps ``ann/essay001`` and ``bob/essay001``; an annotation without a text of its own, as in
    a folder for each annotator, takes the only text of its name.
    """

    name = "essays"
    title = "Argument annotated essays (brat)"

    major: Literal["each", "merge", "rephrase", "none"] = "each"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.major not in MAJOR:
            raise OptionError(f"major is {self.major!r}", remedy=f"give {', '.join(MAJOR)}")

    def maps(self) -> Iterator[ArgumentGraph]:
        paths = self._files(".ann", "give the folder of the essays, unpacked")
        root = self.path if self.path.is_dir() else self.path.parent
        texts: dict[str, list[Path]] = {}
        for text in sorted(root.rglob("*.txt")):
            texts.setdefault(text.stem, []).append(text)
        for path in paths:
            name = path.relative_to(root).with_suffix("").as_posix()
            if path.with_suffix(".txt").is_file():
                yield from self._read(path, name, major=self.major)
                continue
            here = [stem for stem, places in texts.items() if any(text.parent == path.parent for text in places)]
            annotators = {stem: annotator for stem in here if (annotator := _annotator(path.stem, stem))}
            if annotators:
                stem = max(annotators, key=len)
                below = path.parent.relative_to(root).as_posix()
                name = "/".join(part for part in (annotators[stem], below, stem) if part != ".")
                yield from self._read(path, name, path.with_name(f"{stem}.txt"), major=self.major)
            elif len(elsewhere := texts.get(path.stem, [])) == 1:
                yield from self._read(path, name, elsewhere[0], major=self.major)
            else:
                what = (
                    f"there is no {path.stem}.txt next to it" if not elsewhere else "it is not clear which text it has"
                )
                self.problems.add("text", f"{what}; it is skipped", relative(path, self.path))

    @classmethod
    def write_back(cls, graphs: Iterable[ArgumentGraph], path: str | PathLike[str]) -> list[Path]:
        """Annotations (and their texts) into a folder; gives the annotation files."""
        maps = list(graphs)
        for graph in maps:
            if not any("component" in node.record for node in graph.propositions):
                raise not_from(cls.title, graph)
        return _write(maps, [graph.name for graph in maps], Path(path), ("brat", ".ann"))


def _annotator(annotation: str, text: str) -> str:
    """Who an annotation of a text is by, as its name says; empty where it does not.

    >>> [_annotator(name, "essay1") for name in ("essay1_ann", "bob.essay1", "essay12")]
    ['ann', 'bob', '']
    """
    name = re.escape(text)
    found = re.fullmatch(rf"{name}[._-](.+)|(.+)[._-]{name}", annotation)
    return (found[1] or found[2]) if found else ""


@dataclass(eq=False, kw_only=True)
class AbstRct(Essays):
    """Abstracts of randomised controlled trials (Mayer et al. 2020), in brat's form as the essays.

    *Support* is RA, *Attack* CA, and so is *Partial-Attack*, whose name stays in the relation's record.
    """

    name = "abstrct"
    title = "AbstRCT (brat)"
