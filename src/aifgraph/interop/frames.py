"""Data frames (pandas, an extra) of a graph or of a corpus: one row a node, one row an edge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from aifgraph.errors import MissingExtraError
from aifgraph.graph import ArgumentGraph

if TYPE_CHECKING:
    import pandas

NODE_COLUMNS = ("map", "id", "type", "text", "scheme", "scheme_id", "speaker", "timestamp")
EDGE_COLUMNS = ("map", "id", "source", "target", "source_type", "target_type")


def nodes_frame(graphs: ArgumentGraph | Iterable[ArgumentGraph]) -> pandas.DataFrame:
    """One row a node, in order: map, id, type, text, scheme, scheme_id (of the first scheme), speaker (of locutions),
    timestamp. Unknown values are missing (None). Raises ``MissingExtraError`` without pandas.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> list(nodes_frame(build.graph())["text"])
    ['Masks help']
    """
    rows = []
    for graph in _listed(graphs):
        for node in graph:
            scheme = node.schemes[0] if node.schemes else None
            speaker = graph.speaker_of(node) if node.type == "L" else None
            rows.append(
                (
                    graph.name,
                    node.id,
                    node.type,
                    node.text,
                    scheme.name if scheme else None,
                    scheme.id if scheme else None,
                    speaker.name if speaker else None,
                    node.timestamp,
                )
            )
    return _frame(rows, NODE_COLUMNS)


def edges_frame(graphs: ArgumentGraph | Iterable[ArgumentGraph]) -> pandas.DataFrame:
    """One row an edge, in order: map, id, source, target, and the types of both ends."""
    rows = [
        (graph.name, edge.id, edge.source, edge.target, graph[edge.source].type, graph[edge.target].type)
        for graph in _listed(graphs)
        for edge in graph.edges
    ]
    return _frame(rows, EDGE_COLUMNS)


def _listed(graphs: ArgumentGraph | Iterable[ArgumentGraph]) -> Iterable[ArgumentGraph]:
    return [graphs] if isinstance(graphs, ArgumentGraph) else graphs


def _frame(rows: Sequence[tuple[str | None, ...]], columns: tuple[str, ...]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise MissingExtraError.of("pandas", "frames") from None
    return pandas.DataFrame(rows, columns=list(columns), dtype=object)
