"""Graphs as networkx graphs and back, and as data frames of pandas (the extra ``frames``).

In networkx a node has ``type`` and ``text``, and where they are known ``scheme``, ``scheme_id`` (of the first scheme),
``speaker`` (of locutions) and ``timestamp``; an edge may have ``id``. Further fields of both are attributes, too, lists
and objects as JSON, so that GraphML, GEXF and JSON take all as it is. ``graph["aif"]`` is the map as xAIF, for what
attributes cannot hold: order, schemes and side data.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from aifgraph.errors import FormatError, InputError, MissingExtraError
from aifgraph.formats import NamedMap, dumps, loads
from aifgraph.graph import ArgumentGraph, Edge, GraphBuilder, Node, Scheme, make_node
from aifgraph.graph.columns import check_products
from aifgraph.graph.graph import check_graph
from aifgraph.graph.nodes import check_id, check_text, plain_fields
from aifgraph.tables import Table

if TYPE_CHECKING:
    import networkx
    import pandas

#: What attributes, and columns of frames, say of a node.
_KNOWN: Final = ("type", "text", "scheme", "scheme_id", "speaker", "timestamp")

# -- networkx -----------------------------------------------------------------------------------------------


def to_networkx(graph: ArgumentGraph) -> networkx.MultiDiGraph[Any]:
    """Return a graph as a MultiDiGraph, of which :func:`from_networkx` makes an equal graph."""
    import networkx

    check_graph(graph)
    out: networkx.MultiDiGraph[Any] = networkx.MultiDiGraph()
    if graph.name:
        out.graph["name"] = graph.name
    out.graph["aif"] = dumps(graph, format="xaif", indent=None)
    for node in graph:
        own = {key: value for key, value in _known(graph, node).items() if value is not None}
        out.add_node(node.id, **(_attributes(node.extra, _OF_NODES) | own))
    for edge in graph.edges:
        own = {} if edge.id is None else {"id": edge.id}
        out.add_edge(edge.source, edge.target, **(_attributes(edge.extra or {}, _OF_EDGES) | own))
    return out


def _known(graph: ArgumentGraph, node: Node) -> dict[str, str | None]:
    scheme = node.scheme or Scheme(None, None)
    speaker = _speaker(graph, node) if node.type == "L" else None
    values = node.type, node.text, scheme.name, scheme.id, speaker, node.timestamp
    return dict(zip(_KNOWN, values, strict=True))


#: The attributes that are not further fields. (The methods of networkx that add one call its ends u and v.)
_OF_NODES: Final = frozenset({*_KNOWN, "node_for_adding"})
_OF_EDGES: Final = frozenset({"id", "key", "u_for_edge", "v_for_edge"})


def _attributes(extra: Mapping[str, Any], taken: frozenset[str]) -> dict[str, Any]:
    """Return further fields as attributes that the formats of networkx can write."""
    free = {key: value for key, value in extra.items() if key not in taken}
    return {key: value if isinstance(value, str | int | float) else json.dumps(value) for key, value in free.items()}


def _fields(attributes: Mapping[str, Any], taken: frozenset[str], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return the further fields that attributes hold; ``extra`` are those of the map before."""
    shown = _attributes(extra, taken)
    same = {key for key in shown if attributes.get(key) == shown[key]}
    kept = {key: value for key, value in extra.items() if key in taken or key in same}
    return kept | plain_fields({key: attributes[key] for key in attributes if key not in taken and key not in same})


def from_networkx(digraph: networkx.Graph[Any]) -> ArgumentGraph:
    """Return the argument graph in a directed graph of networkx, whose nodes need a ``type``.

    Raises:
        InputError: the graph is undirected, has a loop or an edge twice, or a node without type.
        FormatError: the map in ``digraph.graph["aif"]`` is damaged.

    >>> import networkx
    >>> digraph = networkx.DiGraph([("a", "b")])
    >>> networkx.set_node_attributes(digraph, {"a": "I", "b": "RA"}, "type")
    >>> from_networkx(digraph)
    <ArgumentGraph: 2 nodes, 1 edges>
    """
    if not hasattr(digraph, "is_directed"):
        raise TypeError(f"a graph of networkx is expected, not {type(digraph).__name__}")
    if not digraph.is_directed():
        raise InputError("an undirected graph", remedy="give a DiGraph or a MultiDiGraph")
    try:
        before = loads(digraph.graph["aif"], format="xaif") if "aif" in digraph.graph else ArgumentGraph(())
    except InputError:
        raise FormatError("the attribute aif of the graph is damaged", remedy="remove it") from None
    ids = {key: check_id(key, "a node") for key in digraph.nodes}
    nodes = {id_: _node(id_, digraph.nodes[key], before.get(id_)) for key, id_ in ids.items()}
    if len(nodes) != digraph.number_of_nodes():
        raise InputError("two nodes have the same id", remedy="ids are compared as strings: 7 equals '7'")
    extras = {edge[:2]: edge.extra or {} for edge in before.edges}
    edges = []
    for source, target, data in digraph.edges(data=True):
        ends = ids[source], ids[target]
        fields = _fields(data, _OF_EDGES, extras.get(ends, {}))
        edges.append(Edge(*ends, _id_or_none(data.get("id"), "edge {} → {}".format(*ends)), fields or None))
    # Nodes and edges that were there before stand in their own order, new ones behind them.
    order: dict[object, int] = {key: number for number, key in enumerate([*(node.id for node in before), *extras])}
    listed = sorted(nodes.values(), key=lambda node: order.get(node.id, len(order)))
    edges.sort(key=lambda edge: order.get(edge[:2], len(order)))
    meta = before.meta.renamed({node.id: None for node in before if node.id not in nodes})
    meta = replace(meta, form="", notices=())
    graph = ArgumentGraph(tuple(listed), tuple(edges), meta, str(digraph.graph.get("name") or ""))
    speakers = {ids[key]: data["speaker"] for key, data in digraph.nodes.items() if data.get("speaker") is not None}
    return _with_speakers(graph, before, speakers)


def _with_speakers(graph: ArgumentGraph, before: ArgumentGraph, speakers: Mapping[str, str]) -> ArgumentGraph:
    """Return a graph in which locutions have the speakers that attributes name, where those are not as before."""
    known = {node.id: _speaker(before, node) for node in before.locutions}
    new = {id_: name for id_, name in speakers.items() if graph[id_].type == "L" and name not in ("", known.get(id_))}
    if not new:
        return graph
    build = GraphBuilder(graph)
    ids = {person.id for person in graph.participants}
    for id_, name in new.items():
        check_text(name, "the attribute speaker", f"node {id_}")
        build.update(id_, text=graph[id_].text, speaker=name if name in ids else build.participant(name))
    return build.graph()


def _node(id_: str, data: Mapping[str, Any], before: Node | None) -> Node:
    if not isinstance(data.get("type"), str):
        raise InputError("a node without type", where=f"node {id_}", remedy="set the attribute type to I, RA, …")
    schemes, extra = (before.schemes, before.extra) if before else ((), {})
    where = f"node {id_}"
    given = {key: value for key in ("scheme", "timestamp") if (value := data.get(key)) is not None}
    given["text"] = data.get("text", "")
    for key, value in given.items():
        check_text(value, f"the attribute {key}", where)
    first = Scheme(_id_or_none(data.get("scheme_id"), where), given.get("scheme"))
    if first != (schemes[0] if schemes else (None, None)):  # changed, or not from here
        schemes = () if first == (None, None) else (first,)
    text, time = given["text"], given.get("timestamp")
    return make_node(data["type"], id_, text, schemes, time, _fields(data, _OF_NODES, extra))


def _id_or_none(value: Any, where: str) -> str | None:
    try:
        return None if value is None else check_id(value)
    except InputError as error:
        raise error.at(where) from None


# -- pandas -------------------------------------------------------------------------------------------------

#: A graph, an entry of a corpus, several, or a corpus.
Graphs = ArgumentGraph | NamedMap | Iterable[ArgumentGraph | NamedMap]


def nodes_frame(graphs: Graphs) -> pandas.DataFrame:
    """Return a frame of nodes, strings or None, and a column for each further field; the speaker is a locution's."""
    rows: list[_Row] = []
    for graph in _loaded(graphs):
        rows += (((graph.name, node.id, *_known(graph, node).values()), node.extra) for node in graph)
    return _frame(rows, ("map", "id", *_KNOWN))


def edges_frame(graphs: Graphs) -> pandas.DataFrame:
    """Return a frame of edges, strings or None, and a column for each further field."""
    rows: list[_Row] = []
    for graph in _loaded(graphs):
        for edge in graph.edges:
            types = graph[edge.source].type, graph[edge.target].type
            rows.append(((graph.name, edge.id, edge.source, edge.target, *types), edge.extra or {}))
    return _frame(rows, ("map", "id", "source", "target", "source_type", "target_type"))


def relations_frame(graphs: Graphs) -> pandas.DataFrame:
    """Return a frame with a row for each premise and conclusion of a relation.

    A relation that is undercut is a conclusion, too. Each further field of relations is a column, and those of premises
    and conclusions are ``source_NAME`` and ``target_NAME``.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> relations_frame(build.graph())[["type", "source_text", "target_text"]].values.tolist()
    [['RA', 'They filter', 'Masks help']]
    """
    rows: list[_Row] = []
    for graph in _loaded(graphs):
        joined = [(node, graph.premises_of(node), graph.conclusions_of(node)) for node in graph.relations]
        check_products(graph.name, ((len(premises), len(conclusions)) for _, premises, conclusions in joined))
        speakers = {node.id: _speaker(graph, node) for node in graph}
        for relation, premises, conclusions in joined:
            head = (graph.name, relation.id, relation.type, relation.scheme.name if relation.scheme else None)
            for premise in premises:
                for conclusion in conclusions:
                    row: tuple[object, ...] = head
                    extra = relation.extra
                    for side, end in (("source", premise), ("target", conclusion)):
                        row = (*row, end.id, end.text, speakers[end.id])
                        extra = extra | {f"{side}_{key}": value for key, value in end.extra.items()}
                    rows.append((row, extra))
    ends = [f"{side}{key}" for side in ("source", "target") for key in ("", "_text", "_speaker")]
    return _frame(rows, ("map", "relation", "type", "scheme", *ends))


def tables_frame(tables: Sequence[Table]) -> pandas.DataFrame:
    """Return the rows of tables, one below the other; of several with a column ``table`` of their titles."""
    columns = dict.fromkeys(column for table in tables for column in table.columns)
    names = [*(["table"] if len(tables) > 1 else ()), *columns]
    records = ({"table": table.title, **row} for table in tables for row in table.records())
    return _frame([([record.get(name) for name in names], {}) for record in records], names).infer_objects()


def _loaded(graphs: Graphs) -> Iterator[ArgumentGraph]:
    """Yield graphs, those of a corpus under their names in it."""
    for source in [graphs] if isinstance(graphs, ArgumentGraph) or not isinstance(graphs, Iterable) else graphs:
        yield source if isinstance(source, ArgumentGraph) else source.load().with_name(source.name)


def _speaker(graph: ArgumentGraph, node: Node) -> str | None:
    person = graph.speaker_of(node)
    return person.name if person else None


#: The values of the columns that every frame has, and further fields.
_Row = tuple[Sequence[object], Mapping[str, object]]


def _frame(rows: Sequence[_Row], columns: Sequence[str]) -> pandas.DataFrame:
    """Return a frame; a further field that is called as a column is ``extra_NAME``."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError.of("pandas", "frames") from None
    fields = dict.fromkeys(key for _, extra in rows for key in extra)
    names = [f"extra_{key}" if key in columns else key for key in fields]
    values = [(*row, *(extra.get(key) for key in fields)) for row, extra in rows]
    return pandas.DataFrame(values, columns=[*columns, *names], dtype=object)
