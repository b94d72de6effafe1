"""The microtext corpora (Peldszus and Stede 2016; Skeppstedt et al. 2018; Stede et al. 2016).

Part 1 (English and German), part 2 and the ``arg`` layer of the multilayer edition hold one ``arggraph`` a text; the
codec ``microtexts`` reads it. Given the folder of them all, maps are named after the part: ``part1/en/micro_b001``,
``multilayer/arg/micro_b001``. The layers ``rst`` and ``sdrt`` hold discourse relations, not arguments, and are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

from aifgraph.datasets.dataset import Dataset
from aifgraph.datasets.files import read_document, write_documents
from aifgraph.errors import InputError
from aifgraph.graph import ArgumentGraph


class Microtexts(Dataset):
    """The folder of a part (or of all), or one XML file."""

    name = "microtexts"
    title = "Argumentative microtexts"
    writes = True

    def maps(self) -> Iterator[ArgumentGraph]:
        paths = sorted(self.path.rglob("*.xml")) if self.path.is_dir() else [self.path]
        if not paths:
            remedy = "give part1/corpus/en, another folder of micro_*.xml, or the folder of them all"
            raise InputError("there are no arggraphs (*.xml) in it", where=str(self.path), remedy=remedy)
        parts = {path: _part(path.parent, self.path) for path in paths}
        several = len(set(parts.values())) > 1
        for path, part in parts.items():
            yield from read_document(self, path, f"{part}/{path.stem}" if several and part else path.stem, _text)

    @classmethod
    def write_back(cls, graphs: Iterable[ArgumentGraph], path: str | PathLike[str]) -> list[Path]:
        """One ``arggraph`` a map (and its text) into a folder; gives the XML files."""
        return write_documents(graphs, Path(path), "microtexts", ".xml")


def _part(folder: Path, root: Path) -> str:
    """The folder's place below the root, without the level that is called corpus everywhere."""
    if not root.is_dir():
        return ""
    return "/".join(part for part in folder.relative_to(root).parts if part != "corpus")


def _text(path: Path) -> Path | None:
    """The multilayer edition keeps the texts in a folder beside the layers."""
    if path.with_suffix(".txt").is_file():
        return None
    elsewhere = path.parent.parent / "txt" / f"{path.stem}.txt"
    return elsewhere if elsewhere.is_file() else None
