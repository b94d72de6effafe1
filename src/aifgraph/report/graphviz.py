"""Graphviz, which pygraphviz carries in its wheels. Maps may be hostile: what it would take minutes for is refused."""

from __future__ import annotations

import json
from typing import Final

from aifgraph.errors import LimitError, MissingExtraError

#: Nodes and edges that are laid out, and rows that all edges together pass.
MAX_SIZE: Final = 16_000
#: From so many on the search for the best places is cut short. Measured with 1 000 propositions and 1 300 relations:
#: 10 s without, 1.1 s with, the lines as long.
_LARGE: Final = 600
#: A curved edge costs about the square of the rows that it passes; from this sum of squares on edges are straight.
#: Measured with 90 turns that answer the one before and one half as far on: 6.5 s curved, 0.1 s straight.
_TANGLED: Final = 80_000


def render(dot: str, format: str) -> bytes:
    """Lay out a graph in DOT and return it in a format of Graphviz.

    Raises:
        LimitError: it is too large or too tangled.
        MissingExtraError: pygraphviz is not installed.

    >>> render("digraph { a -> b }", "plain").split()[0]
    b'graph'
    """
    ranked = json.loads(_rendered(dot, "json0", {"phase": "1"}))
    nodes, edges = ranked.get("objects", []), ranked.get("edges", [])
    rows = {node["_gvid"]: int(node["rank"]) for node in nodes}
    lengths = [abs(rows[edge["tail"]] - rows[edge["head"]]) for edge in edges]
    if sum(lengths) > MAX_SIZE:
        raise LimitError(f"{len(nodes)} boxes with {len(edges)} crossing lines are too many to lay out")
    attributes: dict[str, str] = {}
    tangled = sum(length**2 for length in lengths) > _TANGLED
    if tangled or len(nodes) + len(edges) > _LARGE:
        attributes |= {"nslimit": "0.1", "mclimit": "0.1"}
    if tangled:
        attributes["splines"] = "line"
    if format == "png":
        attributes |= {"dpi": "96", "size": "80,80"}  # at most 59 million pixels
    return _rendered(dot, format, attributes)


def _rendered(dot: str, format: str, attributes: dict[str, str]) -> bytes:
    try:
        import pygraphviz
        from pygraphviz import graphviz
    except ImportError:
        raise MissingExtraError(
            "pygraphviz is not installed; it is needed to draw maps",
            remedy="pip install 'pygraphviz>=2.0', or convert to map.dot or map.mmd",
        ) from None
    graph = pygraphviz.AGraph(string=dot)
    graph.graph_attr.update(attributes)
    context = graphviz.gvContextWithBuiltins()
    try:
        nodes, edges = graph.number_of_nodes(), graph.number_of_edges()
        if nodes + edges > MAX_SIZE:
            raise LimitError(f"{nodes} boxes and {edges} lines are too many to lay out")
        failed = graphviz.gvLayout(context, graph.handle, b"dot")
        failed, data = (failed, b"") if failed else graphviz.gvRenderData(context, graph.handle, format.encode())
        graphviz.gvFreeLayout(context, graph.handle)
    finally:
        graphviz.gvFreeContext(context)
        graph.close()
    if failed:
        raise LimitError("Graphviz could not draw this map")
    return bytes(data)
