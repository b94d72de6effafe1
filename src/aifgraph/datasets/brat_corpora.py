"""Argument annotated essays (Stab and Gurevych 2017) and AbstRCT (Mayer et al. 2020), in brat's standoff form.

The format reads components as I-nodes with their places, *supports* and *Support* as RA, *attacks*, *Attack* and
*Partial-Attack* as CA. What is added here is the convention of the essays that a claim's attribute ``Stance`` (*For*,
*Against*) relates it to the major claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from aifgraph.datasets.dataset import Log
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.formats import load
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node
from aifgraph.graph.schemes import DEFAULT_TEXTS


def read_essays(
    path: Path, log: Log, *, major: Literal["each", "rephrase", "none"] = "each"
) -> Iterator[ArgumentGraph]:
    """Read a folder of ``essay001.ann`` with ``essay001.txt`` (folders below it count too), or one file.

    Args:
        path: the folder or file.
        log: collects problems and counts.
        major: a claim's stance relates it to ``each`` major claim, to the first, which the others ``rephrase``, or to
            ``none``.
    """
    if major not in ("each", "rephrase", "none"):
        raise OptionError(f"major is {major!r}", remedy="give each, rephrase or none")
    root = path if path.is_dir() else path.parent
    for file in sorted(path.rglob("*.ann")) if path.is_dir() else [path]:
        if not file.with_suffix(".txt").is_file():
            log.problem("text", f"there is no {file.stem}.txt next to it; it is skipped", file)
            continue
        try:
            graph = load(file, format="brat", major="none")
        except AifgraphError as error:
            log.problem("document", f"{error.what}; it is skipped", error.where or file)
            continue
        for notice in graph.notices:
            log.counts[f"{notice.code} notices"] += 1
        name = file.relative_to(root).with_suffix("").as_posix()
        yield (graph if major == "none" else with_stances(graph, log, rephrase=major == "rephrase")).with_name(name)


def with_stances(graph: ArgumentGraph, log: Log, *, rephrase: bool = False) -> ArgumentGraph:
    """Return the map with a relation to the major claims for each stance; its id is the attribute's and the claim's."""
    build = GraphBuilder(graph)
    major = [node for node in graph.propositions if node.extra.get("component") == "MajorClaim"]
    stances = [
        (id_, node, "RA" if value == "For" else "CA")
        for node in graph.propositions
        for id_, name, value in node.extra.get("attributes", ())
        if name == "Stance" and value in ("For", "Against")
    ]
    # In the order of the file, in which a claim may have its stance before one that stands earlier.
    for id_, claim, type_ in sorted(stances, key=lambda stance: (len(stance[0]), stance[0])):
        for target in major[:1] if rephrase else major:
            if target != claim:
                _relate(build, f"{id_} {target.id}", type_, claim, target, "For" if type_ == "RA" else "Against")
                log.counts["relations made of stances"] += 1
    for node in major[1:] if rephrase else ():
        _relate(build, f"{node.id} MajorClaim", "MA", node, major[0], "MajorClaim")
    return build.graph()


def _relate(build: GraphBuilder, id_: str, type_: str, source: Node, target: Node, stance: str) -> None:
    build.relation(type_, [source], target, DEFAULT_TEXTS[type_], id=id_, extra={"stance": stance})
