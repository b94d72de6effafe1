"""Data sets of one document per text, which a format reads: microtexts, and essays and AbstRCT in brat's form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from aifgraph.datasets.dataset import Dataset, relative
from aifgraph.errors import AifgraphError, InputError
from aifgraph.formats.files import input_from_path, read_bytes
from aifgraph.formats.io import read_input
from aifgraph.graph import ArgumentGraph


class Documents(Dataset):
    """Files that a format reads, each a map; the name of a map is that of its file."""

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


@dataclass(eq=False, kw_only=True)
class Essays(Documents):
    """Argument annotated essays (Stab and Gurevych 2017) in brat's standoff form: ``essay001.txt``, ``essay001.ann``.

    The path is a folder (folders below it count too), or one ``.ann`` file with its text.

    Components are I-nodes with their places, *supports* RA, *attacks* CA. ``major`` says how a claim's stance leads to
    the major claims: to ``each``, to one node that they are ``merge``d into, to the first, which the others
    ``rephrase``, or not at all (``none``).
    """

    name = "essays"
    title = "Argument annotated essays (brat)"

    major: Literal["each", "merge", "rephrase", "none"] = "each"

    def maps(self) -> Iterator[ArgumentGraph]:
        root = self.path if self.path.is_dir() else self.path.parent
        for path in self._files(".ann", "give the folder of brat's .ann and .txt files, unpacked"):
            if path.with_suffix(".txt").is_file():
                yield from self._read(path, path.relative_to(root).with_suffix("").as_posix(), major=self.major)
            else:
                what = f"there is no {path.stem}.txt next to it; it is skipped"
                self.problems.add("text", what, relative(path, self.path))


@dataclass(eq=False, kw_only=True)
class AbstRct(Essays):
    """Abstracts of randomised controlled trials (Mayer et al. 2020), in brat's form as the essays.

    *Support* is RA, *Attack* CA, and so is *Partial-Attack*, whose name stays in the relation's record.
    """

    name = "abstrct"
    title = "AbstRCT (brat)"
