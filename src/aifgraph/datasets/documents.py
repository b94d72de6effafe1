"""Data sets of annotated documents that a format reads: the microtexts, and corpora in brat's standoff form.

The microtext corpora are Peldszus and Stede (2016), Skeppstedt et al. (2018) and Stede et al. (2016).

Of the argument annotated essays (Stab and Gurevych 2017) and AbstRCT (Mayer et al. 2020), components are I-nodes with
their places, *supports* and *Support* RA, *attacks*, *Attack* and *Partial-Attack* CA. A claim's attribute ``Stance``
(*For*, *Against*) relates it to the major claims of its essay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from aifgraph.datasets.dataset import Log, files_in
from aifgraph.errors import AifgraphError
from aifgraph.files import input_from_path, read_bytes
from aifgraph.formats import load, read_input
from aifgraph.formats.brat import Major, check_major
from aifgraph.graph import ArgumentGraph


def read_microtexts(path: Path, log: Log) -> Iterator[ArgumentGraph]:
    """Read a folder of ``arggraph`` files: part 1, part 2, the ``arg`` layer of the multilayer edition, or all.

    Given the folder of several parts, maps are named after the part: ``part1/en/micro_b001``.
    """
    files = files_in(path, "**/*.xml", log)
    parts = {file: _part(file.parent, path) for file in files}
    several = len({*parts.values()}) > 1
    for file, part in parts.items():
        document = input_from_path(file)
        # The multilayer edition keeps the texts in a folder next to the layers.
        text = file.parent.parent / "txt" / f"{file.stem}.txt"
        if not file.with_suffix(".txt").is_file() and text.is_file() and not text.is_symlink():
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


def read_essays(path: Path, log: Log, *, major: Major = "each") -> Iterator[ArgumentGraph]:
    """Read a folder of ``essay001.ann`` with ``essay001.txt`` (folders below it count too), or one file.

    ``major`` says which major claims a stance relates a claim to; see :data:`aifgraph.formats.brat.Major`.
    """
    check_major(major)
    root = path if path.is_dir() else path.parent
    for file in files_in(path, "**/*.ann", log):
        if not file.with_suffix(".txt").is_file():
            log.problem("text", f"there is no {file.stem}.txt next to it; it is skipped", file)
            continue
        try:
            graph = load(file, format="brat", major=major)
        except AifgraphError as error:
            log.problem("document", f"{error.what}; it is skipped", error.where or file)
            continue
        for notice in graph.notices:
            log.counts[f"{notice.code} notices"] += 1
        made = sum(relation.extra.get("stance") in ("For", "Against") for relation in graph.relations)
        log.counts["relations made of stances"] += made
        yield graph.with_name(file.relative_to(root).with_suffix("").as_posix())
