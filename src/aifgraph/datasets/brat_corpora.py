"""Argument annotated essays (Stab and Gurevych 2017) and AbstRCT (Mayer et al. 2020), in brat's standoff form.

Components are I-nodes with their places, *supports* and *Support* RA, *attacks*, *Attack* and *Partial-Attack* CA. A
claim's attribute ``Stance`` (*For*, *Against*) relates it to the major claims of its essay.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from aifgraph.datasets.dataset import Log
from aifgraph.errors import AifgraphError
from aifgraph.formats import load
from aifgraph.formats.brat import Major, check_major
from aifgraph.graph import ArgumentGraph


def read_essays(path: Path, log: Log, *, major: Major = "each") -> Iterator[ArgumentGraph]:
    """Read a folder of ``essay001.ann`` with ``essay001.txt`` (folders below it count too), or one file.

    ``major`` says which major claims a stance relates a claim to; see :data:`aifgraph.formats.brat.Major`.
    """
    check_major(major)
    root = path if path.is_dir() else path.parent
    for file in sorted(path.rglob("*.ann")) if path.is_dir() else [path]:
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
