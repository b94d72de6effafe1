"""Data frames (pandas, an extra) of a graph, several, or a corpus (:func:`aifgraph.open_corpus`, loaded map by map).

Each function raises ``MissingExtraError`` where pandas is not installed (extra ``frames``), and ``InputError`` for a
map of the corpus that cannot be loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aifgraph.errors import MissingExtraError
from aifgraph.graph import ArgumentGraph, Node
from aifgraph.interop import Graphs, each_graph
from aifgraph.tables import Table

if TYPE_CHECKING:
    import pandas

NODE_COLUMNS = ("map", "id", "type", "text", "scheme", "scheme_id", "speaker", "timestamp")
EDGE_COLUMNS = ("map", "id", "source", "target", "source_type", "target_type")

RELATION_COLUMNS = (
    "map",
    "relation",
    "type",
    "scheme",
    "source",
    "source_text",
    "source_speaker",
    "target",
    "target_text",
    "target_speaker",
)


def nodes_frame(graphs: Graphs) -> pandas.DataFrame:
    """The nodes as a frame, one row a node.

    The columns ``map`` (its name in the corpus), ``id``, ``type``, ``text``, ``scheme``, ``scheme_id`` (of the
    first scheme), ``speaker`` (of a locution) and ``timestamp``, strings, or None where unknown.

    Raises:
        MissingExtraError: pandas is not installed (extra ``frames``).
        InputError: a map of the corpus cannot be loaded.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help")
    >>> list(nodes_frame(build.graph())["text"])
    ['Masks help']
    """
    rows = []
    for graph in each_graph(graphs):
        for node in graph:
            scheme = node.scheme
            speaker = _speaker(graph, node) if node.type == "L" else None
            rows.append(
                (
                    graph.name,
                    node.id,
                    node.type,
                    node.text,
                    scheme.name if scheme else None,
                    scheme.id if scheme else None,
                    speaker,
                    node.timestamp,
                )
            )
    return _frame(rows, NODE_COLUMNS)


def edges_frame(graphs: Graphs) -> pandas.DataFrame:
    """The edges as a frame, one row an edge.

    The columns ``map``, ``id``, ``source``, ``target``, ``source_type`` and ``target_type``, strings, or None
    where an edge has no id.

    Raises:
        MissingExtraError: pandas is not installed (extra ``frames``).
        InputError: a map of the corpus cannot be loaded.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> edges_frame(build.graph())[["source_type", "target_type"]].values.tolist()
    [['I', 'RA'], ['RA', 'I']]
    """
    rows = [
        (graph.name, edge.id, edge.source, edge.target, graph[edge.source].type, graph[edge.target].type)
        for graph in each_graph(graphs)
        for edge in graph.edges
    ]
    return _frame(rows, EDGE_COLUMNS)


def relations_frame(graphs: Graphs) -> pandas.DataFrame:
    """The relations (RA, CA, MA, PA) as a frame, one row for each premise and conclusion.

    A relation that is undercut is a conclusion, too.

    The columns ``map``, ``relation`` (its id), ``type``, ``scheme``, ``source``, ``source_text``,
    ``source_speaker``, ``target``, ``target_text`` and ``target_speaker``, strings, or None where unknown.

    Raises:
        MissingExtraError: pandas is not installed (extra ``frames``).
        InputError: a map of the corpus cannot be loaded.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> relations_frame(build.graph())[["type", "source_text", "target_text"]].values.tolist()
    [['RA', 'They filter', 'Masks help']]
    """
    rows = [
        (
            graph.name,
            relation.id,
            relation.type,
            relation.scheme.name if relation.scheme else None,
            *(value for end in (premise, conclusion) for value in (end.id, end.text, _speaker(graph, end))),
        )
        for graph in each_graph(graphs)
        for relation in graph.relations
        for premise in graph.premises_of(relation)
        for conclusion in graph.conclusions_of(relation)
    ]
    return _frame(rows, RELATION_COLUMNS)


def _speaker(graph: ArgumentGraph, node: Node) -> str | None:
    person = graph.speaker_of(node)
    return person.name if person else None


def _frame(rows: Sequence[Sequence[object]], columns: Sequence[str]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise MissingExtraError.of("pandas", "frames") from None
    return pandas.DataFrame(rows, columns=list(columns), dtype=object)


def tables_frame(tables: Sequence[Table]) -> pandas.DataFrame:
    """The rows of tables, one below the other; of several with a column ``table`` of their titles."""
    columns = dict.fromkeys(column for table in tables for column in table.columns)
    names = [*(["table"] if len(tables) > 1 else ()), *columns]
    records = ({"table": table.title, **row} for table in tables for row in table.records())
    return _frame([[record.get(name) for name in names] for record in records], names).infer_objects()
