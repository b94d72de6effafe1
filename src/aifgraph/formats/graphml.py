"""GraphML: nodes with ``type``, ``text`` and a scheme as plain data, as networkx, Gephi, Cytoscape and yEd write them.

What data or the default of a key say counts before what a drawing shows. AIFdb's own files are drawings: colours and
shapes in place of types, and labels that are not escaped.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from aifgraph.errors import FormatError, LimitError
from aifgraph.files import parse_xml, xml_safe, xml_text
from aifgraph.formats.aif import text_or_none
from aifgraph.formats.drawings import COLOURS
from aifgraph.formats.trees import add_edge, ids_for
from aifgraph.graph import ArgumentGraph, Edge, GraphBuilder, Scheme
from aifgraph.graph.nodes import KINDS, NAMES, type_named
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name, schemes_named
from aifgraph.printable import quantity

_SPACE: Final = "http://graphml.graphdrawing.org/xmlns"
_BARE: Final = re.compile(r"&(?!(?:#\d+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos);)|<(?![A-Za-z/?!])")
_KEYS: Final = ("type", "text", "scheme", "schemeID", "timestamp")
#: Where other programs have the text of a node: Gephi and networkx, Cytoscape.
_TEXTS: Final = ("text", "label", "name")
#: The border of AIFdb's shapes → type; I, L and PA have the same.
_DRAWN: Final = {border: type_ for type_, (border, _) in COLOURS.items() if type_ not in ("I", "L", "PA")}
_LABELS: Final = {fold_name(label): type_ for type_, text in DEFAULT_TEXTS.items() for label in (text, type_)}
_WORDS: Final = _LABELS | {name: type_ for type_, name in NAMES.items()}
_MAX_DEFAULTS: Final = 50


def sniff(root: Element) -> bool:
    """Return whether an XML document is GraphML."""
    return str(root.tag).rpartition("}")[2] == "graphml"


def repaired(text: str, name: str) -> Element:
    """Parse a drawing whose labels are not escaped, as AIFdb's."""
    return parse_xml(_BARE.sub(lambda match: "&amp;" if match.group() == "&" else "&lt;", text), name)


class _Key(NamedTuple):
    """A field of nodes or edges: what it is called, its type, what it is of, and its value where none is given."""

    name: str
    type: str | None
    of: str
    default: str | None


class _Drawn(NamedTuple):
    """A node as its element has it; the type is None where nothing says it."""

    id: str
    type: str | None
    text: str
    data: dict[str, Any]


def read(root: Element, text: str | None = None) -> ArgumentGraph:
    """Read one graph."""
    for element in root.iter():  # some programs write no namespace
        element.tag = str(element.tag).rpartition("}")[2]
    graph = root.find("graph")
    if root.tag != "graphml" or graph is None:
        raise FormatError("no graph in it", remedy="give a GraphML document")
    build = GraphBuilder()
    keys = {key.get("id") or "": _key(key) for key in root.iter("key")}
    drawn = next(graph.iter("ShapeNode"), None) is not None
    nodes = _nodes(graph, keys, drawn)
    edges = _edges(graph, keys, nodes, drawn, build)
    types = _types(nodes, edges, build)
    for node in nodes.values():
        type_, data = types[node.id], node.data
        known = (*_KEYS, "scheme_id", next((key for key in _TEXTS if data.get(key)), ""))
        extra = {key: value for key, value in data.items() if key not in known}
        schemes, time = _schemes(data), text_or_none(data.get("timestamp"))
        build.node(type_, node.text, id=node.id, schemes=schemes, timestamp=time, extra=extra)
        if type_ not in KINDS:
            what = f"node {node.id} is of type {type_}, which AIF does not define: kept, not compared"
            build.notice("type-unknown", what, node.id)
    for edge in edges:
        add_edge(build, *edge)
    if others := len(root.findall("graph")) - 1 + len(list(graph.iter("hyperedge"))):
        build.notice("elements-left-out", f"{others} further graphs or hyperedges are left out")
    return build.graph()


def _key(key: Element) -> _Key:
    default = key.find("default")
    name = key.get("attr.name") or key.get("id") or ""
    folded = name.lower() if name.lower() in ("type", *_TEXTS) else name
    return _Key(folded, key.get("attr.type"), key.get("for", "all"), None if default is None else default.text or "")


def _defaults(keys: Mapping[str, _Key], of: str) -> dict[str, Any]:
    """Return the values of nodes or edges where none is given; each costs as much as all that have it."""
    given = [key for key in keys.values() if key.of in (of, "all") and key.default is not None]
    if len(given) > _MAX_DEFAULTS:
        raise LimitError(f"{len(given)} keys have defaults, of which up to {_MAX_DEFAULTS} are read")
    return {key.name: _value(key, key.default or "") for key in given}


def _data_of(element: Element, keys: Mapping[str, _Key], of: str, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a node or an edge, apart from drawings: those it has, else the defaults of their keys."""
    data = dict(defaults)
    for part in element.findall("data"):
        if len(part) == 0:
            id_ = part.get("key") or ""
            key = keys.get(id_, _Key(id_, None, of, None))
            data[key.name] = _value(key, part.text or "")
    return {key: value for key, value in data.items() if value != ""}


def _value(key: _Key, text: str) -> Any:
    if key.name in (*_KEYS, *_TEXTS) or key.type in (None, "string"):
        return text
    try:
        value = json.loads(text.strip().lower())
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, int) or (isinstance(value, float) and isfinite(value)) else text


def _nodes(graph: Element, keys: Mapping[str, _Key], drawn: bool) -> dict[str, _Drawn]:
    nodes: dict[str, _Drawn] = {}
    defaults = _defaults(keys, "node")
    for element in graph.iter("node"):
        data, id_ = _data_of(element, keys, "node", defaults), element.get("id")
        if id_ is None:
            raise FormatError("a node without id")
        if element.find("data//node") is not None:
            raise FormatError(f"a node within the data of node {id_}")
        if element.find("graph") is not None and not data.get("type"):
            continue  # a group of yEd's
        node = _Drawn(_id(id_, drawn), *_type_and_text(element, data), data)
        if node.id in nodes:
            raise FormatError(f"the id {node.id} is given twice")
        nodes[node.id] = node
    if not drawn and not any(node.type or _type_of_label(node.text) for node in nodes.values()) and nodes:
        raise FormatError("no node has a type", remedy="give nodes data named type (I, RA, CA …)")
    return nodes


def _id(id_: str, drawn: bool) -> str:
    """Return the id of a node; in drawings of AIFdb it has an n before it."""
    return id_[1:] if drawn and id_[:1] == "n" and id_[1:].isdigit() else id_


def _type_and_text(element: Element, data: Mapping[str, Any]) -> tuple[str | None, str]:
    """Return what data say, else the label of a drawing; a colour only where these name no type."""
    parts = [part for of in element.findall("data") for part in of.iter()]
    label = next((part.text for part in parts if part.tag == "NodeLabel" and part.text), None)
    text = next((data[key] for key in _TEXTS if data.get(key)), (label or "").strip())
    if data.get("type"):
        type_ = type_named(data["type"])
        return type_ if type_ in KINDS else _WORDS.get(fold_name(type_), type_), text
    border = next((part.get("color", "").upper() for part in parts if part.tag == "BorderStyle"), None)
    shape = next((part.get("type") for part in parts if part.tag == "Shape"), "roundrectangle")
    colour = "PA" if border == COLOURS["PA"][0] and shape != "roundrectangle" else _DRAWN.get(border or "")
    return (_LABELS.get(fold_name(text)) or colour if colour else None), text


def _edges(
    graph: Element, keys: Mapping[str, _Key], nodes: Mapping[str, _Drawn], drawn: bool, build: GraphBuilder
) -> list[Edge]:
    """Return source, target, id and data of each edge. An id that several have, as networkx writes it, is none."""
    edges = []
    ids = Counter(element.get("id") for element in graph.iter("edge"))
    directed = {"true": True, "false": False}
    undirected, defaults = 0, _defaults(keys, "edge")
    for element in graph.iter("edge"):
        source, target = (_id(element.get(end, ""), drawn) for end in ("source", "target"))
        if source not in nodes or target not in nodes:
            raise FormatError(f"an edge with an unknown end: {source} → {target}")
        undirected += not directed.get(element.get("directed", ""), graph.get("edgedefault") != "undirected")
        id_ = None if drawn or ids[element.get("id")] > 1 else element.get("id")
        edges.append(Edge(source, target, id_, _data_of(element, keys, "edge", defaults)))
    if undirected:
        what = f"{quantity(undirected, 'edges')} without direction: read as leading from source to target"
        build.notice("edges-undirected", what)
    return edges


def _types(nodes: Mapping[str, _Drawn], edges: list[Edge], build: GraphBuilder) -> dict[str, str]:
    """Return the types of nodes, guessed where nothing says them.

    A node whose label is that of a scheme and that has edges is an S-node; one that leads to an illocution or stands in
    a transition is a locution; any other is a proposition.
    """
    joined = {end for source, target, *_ in edges for end in (source, target)}
    guessed = [node for node in nodes.values() if node.type is None]
    types = {id_: node.type or (_type_of_label(node.text) if id_ in joined else "") for id_, node in nodes.items()}
    for source, target, *_ in edges:
        if not types[source] and types[target] in ("YA", "TA"):
            types[source] = "L"
        if not types[target] and types[source] == "TA":
            types[target] = "L"
    if guessed:
        what = f"{quantity(len(guessed), 'nodes')} without a type, inferred from colours, labels and edges"
        build.notice("types-guessed", what)
    return {id_: type_ or "I" for id_, type_ in types.items()}


def _type_of_label(label: str) -> str:
    types = {row.kind for row in schemes_named(label)}
    return _LABELS.get(fold_name(label)) or (types.pop() if len(types) == 1 else "")


def _schemes(data: Mapping[str, Any]) -> tuple[Scheme, ...]:
    scheme = Scheme(text_or_none(data.get("schemeID", data.get("scheme_id"))), data.get("scheme"))
    return (scheme,) if scheme != (None, None) else ()


def write(graph: ArgumentGraph) -> str:
    """Write nodes and edges; further schemes, people, locutions and the source text have no place in it."""
    root = Element("graphml", {"xmlns": _SPACE})
    for key in _KEYS:
        SubElement(root, "key", {"id": key, "for": "node", "attr.name": key, "attr.type": "string"})
    drawn = SubElement(root, "graph", {"edgedefault": "directed"})
    ids = ids_for(graph, lambda id_: xml_safe(id_) == id_)
    for node in graph:
        element = SubElement(drawn, "node", {"id": ids[node.id]})
        scheme = node.scheme or Scheme(None, None)
        for key, value in zip(_KEYS, (node.type, node.text, scheme.name, scheme.id, node.timestamp), strict=True):
            if value is not None:
                SubElement(element, "data", {"key": key}).text = xml_safe(value)
    for edge in graph.edges:
        own = {} if edge.id is None else {"id": xml_safe(edge.id)}
        SubElement(drawn, "edge", own | {"source": ids[edge.source], "target": ids[edge.target]})
    return xml_text(root)
