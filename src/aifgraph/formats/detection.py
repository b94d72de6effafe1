"""Graphs from drawings that do not say what their nodes are: types from labels and from what is joined to what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS, catalogue, fold_name


def guessed(
    nodes: Mapping[str, tuple[str | None, str]],
    edges: Iterable[tuple[str, str, str | None]],
    where: str,
    *,
    form: str,
    repaired: bool = False,
) -> ArgumentGraph:
    """The graph of nodes (id → type where it is known, text) and edges (from, to, id), with a notice on the guess.

    A node whose label is that of a scheme and that has edges is an S-node; one that leads to an illocution or stands in
    a transition is a locution; any other is a proposition.
    """
    listed = list(edges)
    joined = {end for source, target, _ in listed for end in (source, target)}
    kinds = {
        id_: kind or (_kind_of_label(text) if id_ in joined else None) or "" for id_, (kind, text) in nodes.items()
    }
    for source, target, _ in listed:
        if not kinds[source] and kinds[target] in ("YA", "TA"):
            kinds[source] = "L"
        if not kinds[target] and kinds[source] == "TA":
            kinds[target] = "L"
    build = GraphBuilder(name=where)
    for id_, (_, text) in nodes.items():
        build.node(kinds[id_] or "I", text, id=id_)
    unknown = sum(kind is None for kind, _ in nodes.values())
    if unknown:
        build.notice("types-guessed", f"the file does not say the types of {unknown} nodes: guessed from the drawing")
    if repaired:
        build.notice("labels-repaired", "the file does not escape its labels: read with & and < taken as text")
    for source, target, edge_id in listed:
        if source == target:
            build.notice("edge-loop", f"the edge from node {source} to itself is left out", source)
        elif build.has_edge(source, target):
            build.notice(
                "edge-repeated", f"the edge {source} → {target} is given twice and counts once", source, target
            )
        else:
            build.edge(source, target, id=edge_id)
    return build.graph(form=form)


_DEFAULTS = {fold_name(text): kind for kind, text in DEFAULT_TEXTS.items()} | {
    fold_name(kind): kind for kind in DEFAULT_TEXTS
}


def _kind_of_label(text: str) -> str | None:
    name = fold_name(text)
    if name in _DEFAULTS:
        return _DEFAULTS[name]
    kinds = {row.kind for row in catalogue().values() if fold_name(row.name) == name}
    return kinds.pop() if len(kinds) == 1 else None
