"""Argument annotated essays (Stab and Gurevych 2017) in brat's standoff form: ``essay001.txt``, ``essay001.ann``.

The codec of brat reads each: components are I-nodes with their places, *supports* RA, *attacks* CA, and a claim's
stance leads to the major claims.
"""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.datasets.dataset import Dataset
from aifgraph.datasets.files import read_document
from aifgraph.errors import InputError
from aifgraph.graph import ArgumentGraph


class Essays(Dataset):
    """A folder of ``.ann`` files with their texts (folders below it count too), or one of them."""

    name = "essays"
    title = "Argument annotated essays (brat)"

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
            yield from read_document(self, path, name)
