"""The microtext corpora (Peldszus and Stede 2016; Skeppstedt et al. 2018; Stede et al. 2016): one map per text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from aifgraph.datasets.dataset import Log
from aifgraph.errors import AifgraphError
from aifgraph.files import input_from_path, read_bytes
from aifgraph.formats import read_input
from aifgraph.graph import ArgumentGraph


def read(path: Path, log: Log) -> Iterator[ArgumentGraph]:
    """Read a folder of ``arggraph`` files: part 1, part 2, the ``arg`` layer of the multilayer edition, or all.

    Given the folder of several parts, maps are named after the part: ``part1/en/micro_b001``.
    """
    files = sorted(path.rglob("*.xml")) if path.is_dir() else [path]
    parts = {file: _part(file.parent, path) for file in files}
    several = len({*parts.values()}) > 1
    for file, part in parts.items():
        document = input_from_path(file)
        # The multilayer edition keeps the texts in a folder next to the layers.
        text = file.parent.parent / "txt" / f"{file.stem}.txt"
        if not file.with_suffix(".txt").is_file() and text.is_file():
            document = replace(document, sibling={".txt": read_bytes(text)}.get)
        try:
            graph = read_input(document, "microtexts")
        except AifgraphError as error:
            log.problem("document", f"{error.what}; it is skipped", file)
            continue
        yield graph.with_name(f"{part}/{file.stem}" if several and part else file.stem)


def _part(folder: Path, root: Path) -> str:
    """Return where a folder is below the root, without the level that is called ``corpus`` everywhere."""
    parts = folder.relative_to(root).parts if root.is_dir() else ()
    return "/".join(part for part in parts if part != "corpus")
