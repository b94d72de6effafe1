"""Data sets of one document per text, which a format reads: microtexts, folders of brat, and nodesets of AIFdb."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

from aifgraph.corpus.corpus import open_corpus
from aifgraph.corpus_names import UniqueNames, file_name
from aifgraph.datasets.dataset import Dataset, relative
from aifgraph.datasets.layouts import recognised
from aifgraph.errors import AifgraphError, InputError
from aifgraph.formats.files import input_from_path, read_bytes
from aifgraph.formats.io import read_input
from aifgraph.formats.losses import NODE_KINDS
from aifgraph.graph import ArgumentGraph


class Documents(Dataset):
    """Files that a format reads, each a map; the name of a map is that of its file."""

    #: What is counted of a file, each with the pattern of its kind.
    _holds: ClassVar[Mapping[str, re.Pattern[bytes]]] = {}

    def _files(self, suffix: str, remedy: str) -> list[Path]:
        """The documents of the folder and those below it, or the one that is given."""
        paths = sorted(self.path.rglob(f"*{suffix}")) if self.path.is_dir() else [self.path]
        if not paths:
            raise InputError(f"there are no documents (*{suffix}) in it", where=str(self.path), remedy=remedy)
        return paths

    def _read(self, path: Path, name: str, text: Path | None = None, **options: Any) -> Iterator[ArgumentGraph]:
        """The map in a file, or a problem. ``text``: where the text is, if elsewhere; ``options``: of the format."""
        self.counts["documents"] += 1
        document = input_from_path(path, **options)
        if text is not None:
            # The text has a folder of its own, where formats do not look.
            document = replace(document, sibling=lambda suffix: read_bytes(text) if suffix == text.suffix else None)
        elif document.sibling(".txt") is None:
            self.counts["documents without a text"] += 1
        try:
            graph = read_input(document)
        except AifgraphError as error:
            self.problems.add("document", f"{error.what}; the document is skipped", relative(path, self.path))
            return
        for what, pattern in self._holds.items():
            for kind, number in Counter(pattern.findall(document.data)).items():
                self._held(what, kind.decode("utf-8", "replace"), number)
        for kind in (node.type for node in graph.relations if "stance" in node.record):
            self._held("relations made of stances, one a major claim", kind)
        for notice in graph.notices:
            self.counts[f"notices: {notice.code}"] += 1
        yield graph.with_name(name)


@dataclass(eq=False, kw_only=True)
class Microtexts(Documents):
    """The microtext corpora (Peldszus and Stede 2016; Skeppstedt et al. 2018; Stede et al. 2016).

    The path is the folder of a part (or of all), or one XML file. Part 1 (English and German), part 2 and the ``arg``
    layer of the multilayer edition hold one ``arggraph`` a text. Given the folder of them all, maps are named after the
    part: ``part1/en/micro_b001``, ``multilayer/arg/micro_b001``.
    """

    name = "microtexts"
    title = "Argumentative microtexts"
    _holds: ClassVar = {"edges": re.compile(rb'<edge\s[^>]*\btype=["\'](\w+)'), "units": re.compile(rb"<([ae]du)\s")}

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


def _part(folder: Path, root: Path) -> str:
    """The folder's place below the root, without the level that is called corpus everywhere."""
    if not root.is_dir():
        return ""
    return "/".join(part for part in folder.relative_to(root).parts if part != "corpus")


class _Annotated(Documents):
    """A folder of brat's ``.ann`` files with their texts (folders below it count too), or one of them.

    Several annotators of one text are a corpus each: ``essay001_ann.ann`` and ``essay001_bob.ann`` next to
    ``essay001.txt`` are the maps ``ann/essay001`` and ``bob/essay001``; an annotation without a text of its own, as in
    a folder for each annotator, takes the only text of its name.
    """

    remedy: ClassVar[str] = "give the folder of brat's .ann and .txt files, unpacked"
    _holds: ClassVar = {
        "components": re.compile(rb"^T\d+\t(\S+) ", re.MULTILINE),
        "relations": re.compile(rb"^R\d+\t(\S+) ", re.MULTILINE),
        "stances": re.compile(rb"^A\d+\tStance \S+ (\S+)", re.MULTILINE),
    }

    @property
    def _reading(self) -> dict[str, Any]:
        """Options of reading brat."""
        return {}

    def _remedy(self) -> str | None:
        found = recognised(self.path)  # all that is in brat's form looks alike
        return None if found and (found.dataset, found.path) == ("essays", self.path) else super()._remedy()

    def maps(self) -> Iterator[ArgumentGraph]:
        paths = self._files(".ann", self.remedy)
        root = self.path if self.path.is_dir() else self.path.parent
        texts: dict[str, list[Path]] = {}
        for text in sorted(root.rglob("*.txt")):
            texts.setdefault(text.stem, []).append(text)
        for path in paths:
            name = path.relative_to(root).with_suffix("").as_posix()
            if path.with_suffix(".txt").is_file():
                yield from self._read(path, name, **self._reading)
                continue
            stems = [stem for stem, places in texts.items() if any(text.parent == path.parent for text in places)]
            annotators = {stem: annotator for stem in stems if (annotator := _annotator(path.stem, stem))}
            if annotators:
                stem = max(annotators, key=len)
                below = path.parent.relative_to(root).as_posix()
                name = "/".join(part for part in (annotators[stem], below, stem) if part != ".")
                yield from self._read(path, name, path.with_name(f"{stem}.txt"), **self._reading)
            elif len(elsewhere := texts.get(path.stem, [])) == 1:
                yield from self._read(path, name, elsewhere[0], **self._reading)
            else:
                what = (
                    f"there is no {path.stem}.txt next to it" if not elsewhere else "it is not clear which text it has"
                )
                self.problems.add("text", f"{what}; it is skipped", relative(path, self.path))


def _annotator(annotation: str, text: str) -> str:
    """Who an annotation of a text is by, as its name says; empty where it does not.

    >>> [_annotator(name, "essay1") for name in ("essay1_ann", "bob.essay1", "essay12")]
    ['ann', 'bob', '']
    """
    name = re.escape(text)
    match = re.fullmatch(rf"{name}[._-](.+)|(.+)[._-]{name}", annotation)
    return (match[1] or match[2]) if match else ""


@dataclass(eq=False, kw_only=True)
class Essays(_Annotated):
    """Argument annotated essays (Stab and Gurevych 2017) in brat's standoff form: ``essay001.txt``, ``essay001.ann``.

    Components are I-nodes with their places, *supports* RA, *attacks* CA. ``major`` says how a claim's stance leads to
    the major claims: to ``each``, to one node that they are ``merge``d into, to the first, which the others
    ``rephrase``, or not at all (``none``).
    """

    name = "essays"
    title = "Argument annotated essays (brat)"

    major: Literal["each", "merge", "rephrase", "none"] = "each"

    @property
    def _reading(self) -> dict[str, Any]:
        return {"major": self.major}


@dataclass(eq=False, kw_only=True)
class AbstRct(Essays):
    """Abstracts of randomised controlled trials (Mayer et al. 2020), in brat's form as the essays.

    *Support* is RA, *Attack* CA, and so is *Partial-Attack*, whose name stays in the relation's record.
    """

    name = "abstrct"
    title = "AbstRCT (brat)"


class SciArg(_Annotated):
    """Sci-Arg (Lauscher, Glavaš and Eckert 2018): forty articles of computer graphics in brat's form.

    *supports* is RA, *contradicts* CA, *semantically_same* MA. *parts_of_same* joins the parts of one proposition: they
    are one I-node with several places.
    """

    name = "sciarg"
    title = "Sci-Arg (brat)"
    remedy = "give the folder of A01.ann, A01.txt …"

    def maps(self) -> Iterator[ArgumentGraph]:
        # A table would be read as brat and be a damaged file of it.
        if (found := recognised(self.path)) and found.dataset == "sciarg-abstracts":
            what = "a table of SciARG's abstracts (Accuosto et al. 2021), not the articles of Sci-Arg in brat"
            raise InputError(what, where=str(self.path), remedy=found.remedy)
        yield from super().maps()


class _Nodesets(Dataset):
    """An archive or a folder of ``nodesetN.json``; folders in it are sub-corpora and stay in the maps' names.

    The maps are AIF already; what is added is a count for the tables of papers. Maps of AIFdb share nodes, so a node
    counts once in a sub-corpus, by its id, however many maps it is in. After reading, ``counts`` has the number of
    nodes by type; where there are several sub-corpora, that of each, too.
    """

    def maps(self) -> Iterator[ArgumentGraph]:
        corpus = open_corpus(self.path)
        if not len(corpus):
            remedy = f"give the archive or the folder that `aifgraph fetch corpus {self.name}` has made"
            raise InputError("there are no maps in it", where=str(self.path), remedy=remedy)
        known: dict[str, set[tuple[str, str]]] = {}
        names: dict[str, UniqueNames] = {}
        for entry in corpus:
            part, _, last = entry.name.rpartition("/")
            try:
                graph = entry.load()
            except AifgraphError as error:
                self.problems.add("document", f"{error.what}; the document is skipped", entry.path)
                continue
            known.setdefault(part, set()).update((node.type, node.id) for node in graph)
            above = "".join(f"{file_name(step)}/" for step in part.split("/") if step)
            if self.propositions_only:
                graph = graph.subgraph(graph.propositions, anchors=False)
            yield graph.with_name(above + names.setdefault(above, UniqueNames()).unique(last))
        self._count("", set().union(*known.values()))
        for part, nodes in known.items() if len(known) > 1 else ():
            self._count(f"{part}: ", nodes)

    def _count(self, prefix: str, nodes: set[tuple[str, str]]) -> None:
        for type_, kind in NODE_KINDS.items():
            number = sum(node[0] == type_ for node in nodes)
            if number:
                self.counts[f"{prefix}{kind}, each id once"] = number


class Us2016(_Nodesets):
    """Presidential debates of 2016 and what was written about them (Visser et al. 2020)."""

    name = "us2016"
    title = "US2016"


class Qt30(_Nodesets):
    """Thirty episodes of the BBC's Question Time (Hautli-Janisz et al. 2022)."""

    name = "qt30"
    title = "QT30"
