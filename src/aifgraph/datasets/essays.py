"""Argument annotated essays (Stab and Gurevych 2017) in brat's standoff form: ``essay001.txt``, ``essay001.ann``.

The codec of brat reads each: components are I-nodes with their places, *supports* RA, *attacks* CA, and a claim's
stance leads to the major claims.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Literal

from aifgraph.datasets.dataset import Dataset
from aifgraph.datasets.files import read_document, write_documents
from aifgraph.errors import InputError, OptionError
from aifgraph.formats.brat.read import MAJOR
from aifgraph.graph import ArgumentGraph


class Essays(Dataset):
    """A folder of ``.ann`` files with their texts (folders below it count too), or one of them.

    ``major`` says how a claim's stance leads to the major claims: to ``each``, to one node that they are ``merge``d
    into, to the first, which the others ``rephrase``, or not at all (``none``).
    """

    name = "essays"
    title = "Argument annotated essays (brat)"
    writes = True

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        major: Literal["each", "merge", "rephrase", "none"] = "each",
        strict: bool = False,
        propositions_only: bool = False,
    ) -> None:
        super().__init__(path, strict=strict, propositions_only=propositions_only)
        if major not in MAJOR:
            raise OptionError(f"major is {major!r}", remedy=f"give {', '.join(MAJOR)}")
        self.major = major

    def maps(self) -> Iterator[ArgumentGraph]:
        paths = sorted(self.path.rglob("*.ann")) if self.path.is_dir() else [self.path]
        if not paths:
            remedy = "give the folder of the essays, unpacked"
            raise InputError("there are no annotations (*.ann) in it", where=str(self.path), remedy=remedy)
        for path in paths:
            folder = path.parent.relative_to(self.path) if self.path.is_dir() else None
            name = path.stem if folder is None else (folder / path.stem).as_posix()
            if not path.with_suffix(".txt").is_file():
                self.problems.add("text", f"there is no {path.stem}.txt beside it; it is left out", path.name)
                continue
            yield from read_document(self, path, name, major=self.major)

    @classmethod
    def write_back(cls, graphs: Iterable[ArgumentGraph], path: str | PathLike[str]) -> list[Path]:
        """Annotations (and their texts) into a folder; gives the annotation files."""
        return write_documents(graphs, Path(path), "brat", ".ann")
