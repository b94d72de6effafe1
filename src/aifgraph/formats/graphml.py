"""GraphML: nodes with ``type``, ``text`` and schemes as plain data, and maps as AIFdb draws them for yEd.

AIFdb's own output has colours and shapes in place of types, and labels that are not escaped. Where both are there, data
count more than shapes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, register_namespace

from aifgraph.errors import FormatError
from aifgraph.formats.drawings import COLOURS
from aifgraph.formats.trees import add_edge, ids_for
from aifgraph.formats.xml import parse_xml, printable, xml_text
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, Scheme
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name, schemes_named

_SPACE: Final = "http://graphml.graphdrawing.org/xmlns"
_G, _Y = f"{{{_SPACE}}}", "{http://www.yworks.com/xml/graphml}"
_BARE: Final = re.compile(r"&(?!(?:#\d+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos);)|<(?![A-Za-z/?!])")
_KEYS: Final = ("type", "text", "scheme", "schemeID", "schemes", "timestamp")
#: The border of AIFdb's shapes → type; I, L and PA have the same.
_DRAWN: Final = {border: type_ for type_, (border, _) in COLOURS.items() if type_ not in ("I", "L", "PA")}
_LABELS: Final = {fold_name(label): type_ for type_, text in DEFAULT_TEXTS.items() for label in (text, type_)}
register_namespace("y", "http://www.yworks.com/xml/graphml")


def sniff(root: Element) -> bool:
    """Return whether an XML document is GraphML."""
    return root.tag in (f"{_G}graphml", "graphml")


def repaired(text: str, name: str) -> Element:
    """Parse a drawing whose labels are not escaped, as AIFdb's."""
    return parse_xml(_BARE.sub(lambda match: "&amp;" if match.group() == "&" else "&lt;", text), name)


class _Drawn(NamedTuple):
    """A node as its element has it; the type is None where nothing says it."""

    id: str
    type: str | None
    text: str
    data: dict[str, str]


def read(root: Element, name: str, text: str | None = None) -> ArgumentGraph:
    """Read one graph."""
    graph = root.find(f"{_G}graph")
    if root.tag != f"{_G}graphml" or graph is None:
        raise FormatError("the file has no graph", where=name, remedy="give a GraphML document")
    names: dict[str | None, str] = {}
    defaults: dict[str, str] = {}
    for key in root.iter(f"{_G}key"):
        names[key.get("id")] = label = key.get("attr.name") or key.get("id") or ""
        default = key.find(f"{_G}default")
        if default is not None and key.get("for") in ("node", "all"):
            defaults[label] = default.text or ""
    shapes = next(graph.iter(f"{_Y}ShapeNode"), None) is not None
    nodes: dict[str, _Drawn] = {}
    for element in graph.iter(f"{_G}node"):
        node = _node(element, names, defaults, shapes, name)
        if node.id in nodes:
            raise FormatError(f"the id {node.id} is given twice", where=name, remedy="ids are unique in a document")
        nodes[node.id] = node
    edges = []
    for element in graph.iter(f"{_G}edge"):
        source, target = (_id(element.get(end), shapes) for end in ("source", "target"))
        if source not in nodes or target not in nodes:
            what = f"an edge from {element.get('source')} to {element.get('target')}"
            raise FormatError(what, where=name, remedy="edges join two nodes of the graph")
        edges.append((source, target, None if shapes else element.get("id")))
    build = GraphBuilder(name=name)
    types = _types(nodes, [(source, target) for source, target, _ in edges], build)
    for node in nodes.values():
        schemes, time = _schemes(node.data, name), node.data.get("timestamp")
        extra = {key: value for key, value in node.data.items() if key not in _KEYS}
        build.node(types[node.id], node.text, id=node.id, schemes=schemes, timestamp=time, extra=extra)
    for source, target, id_ in edges:
        add_edge(build, source, target, id_)
    return build.graph(form="graphml")


def _id(id_: str | None, drawn: bool) -> str:
    """Return the id of a node; in drawings of AIFdb it has an n before it."""
    id_ = id_ or ""
    return id_[1:] if drawn and id_[:1] == "n" and id_[1:].isdigit() else id_


def _node(
    element: Element, names: Mapping[str | None, str], defaults: Mapping[str, str], shapes: bool, name: str
) -> _Drawn:
    data = dict(defaults)
    for part in element.findall(f"{_G}data"):
        if len(part) == 0:  # not a drawing
            data[names.get(part.get("key")) or part.get("key") or ""] = part.text or ""
    id_, shape = element.get("id"), next(element.iter(f"{_Y}ShapeNode"), None)
    if id_ is None:
        raise FormatError("a node without id", where=name)
    if data.get("type"):
        return _Drawn(_id(id_, shapes), data["type"], data.get("text", ""), data)
    if shape is None:
        remedy = "each node needs data named type (I, RA, CA …)"
        raise FormatError(f"node {id_} has no type", where=name, remedy=remedy)
    border, form, label = (shape.find(f"{_Y}{part}") for part in ("BorderStyle", "Shape", "NodeLabel"))
    kind = None if border is None else _DRAWN.get((border.get("color") or "").upper())
    if kind is None and form is not None and form.get("type") != "roundrectangle":
        kind = "PA"
    return _Drawn(_id(id_, shapes), kind, (label.text or "").strip() if label is not None else "", data)


def _types(nodes: Mapping[str, _Drawn], edges: list[tuple[str, str]], build: GraphBuilder) -> dict[str, str]:
    """Return the types of nodes, guessed where a drawing does not say them.

    A node whose label is that of a scheme and that has edges is an S-node; one that leads to an illocution or stands in
    a transition is a locution; any other is a proposition.
    """
    joined = {end for ends in edges for end in ends}
    guessed = [node for node in nodes.values() if node.type is None]
    types = {id_: node.type or (_type_of_label(node.text) if id_ in joined else "") for id_, node in nodes.items()}
    for source, target in edges:
        if not types[source] and types[target] in ("YA", "TA"):
            types[source] = "L"
        if not types[target] and types[source] == "TA":
            types[target] = "L"
    if guessed:
        what = f"{len(guessed)} nodes have no type; it is inferred from the drawing"
        build.notice("types-guessed", what)
    return {id_: type_ or "I" for id_, type_ in types.items()}


def _type_of_label(label: str) -> str:
    types = {row.kind for row in schemes_named(label)}
    return _LABELS.get(fold_name(label)) or (types.pop() if len(types) == 1 else "")


def _schemes(data: Mapping[str, str], name: str) -> tuple[Scheme, ...]:
    if "schemes" in data:
        try:
            return tuple(Scheme(*pair) for pair in json.loads(data["schemes"]))
        except (ValueError, TypeError):
            raise FormatError(f"schemes: no list of pairs: {data['schemes'][:40]}", where=name) from None
    id_, scheme = data.get("schemeID"), data.get("scheme")
    return (Scheme(id_, scheme),) if id_ is not None or scheme is not None else ()


def write(graph: ArgumentGraph) -> str:
    """Write nodes and edges; people, locutions and the source text have no place in it."""
    root = Element("graphml", {"xmlns": _SPACE})
    for key in _KEYS:
        SubElement(root, "key", {"id": key, "for": "node", "attr.name": key, "attr.type": "string"})
    drawn = SubElement(root, "graph", {"edgedefault": "directed"})
    ids = ids_for(graph, lambda id_: printable(id_) == id_)
    for node in graph:
        element = SubElement(drawn, "node", {"id": ids[node.id]})
        for key, value in _data(node):
            SubElement(element, "data", {"key": key}).text = printable(value)
    for edge in graph.edges:
        own = {} if edge.id is None else {"id": printable(edge.id)}
        SubElement(drawn, "edge", own | {"source": ids[edge.source], "target": ids[edge.target]})
    return xml_text(root)


def _data(node: Node) -> Iterator[tuple[str, str]]:
    yield "type", node.type
    yield "text", node.text
    if len(node.schemes) == 1:
        for key, value in zip(("schemeID", "scheme"), node.schemes[0], strict=True):
            if value is not None:
                yield key, value
    elif node.schemes:
        yield "schemes", json.dumps(node.schemes)
    if node.timestamp is not None:
        yield "timestamp", node.timestamp
