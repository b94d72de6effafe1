"""GraphML: plain and without loss as written here, and read as AIFdb draws it for yEd.

Written, every node has ``type``, ``text`` and its schemes as plain data that any GraphML tool shows; what has no plain
form (fields of the file, people, locutions, the source text) stands as JSON in ``record`` and ``map``.
AIFdb's own output has colours and shapes instead of types, and labels that are not escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.drawings import COLOURS, infer_types
from aifgraph.formats.files import Input
from aifgraph.formats.reading import add_edge, from_json, scheme_pairs
from aifgraph.formats.writing import NodeIds, as_json
from aifgraph.formats.xml import Xml, parse_xml, starts_with_element, unwritable, xml_attribute, xml_text
from aifgraph.graph import ArgumentGraph, GraphBuilder, Meta, Node, Scheme
from aifgraph.graph.meta import meta_from_dict, meta_to_dict

_SPACE = "http://graphml.graphdrawing.org/xmlns"
_G, _Y = f"{{{_SPACE}}}", "{http://www.yworks.com/xml/graphml}"
_BARE = re.compile(r"&(?!(?:#\d+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos);)|<(?![A-Za-z/?!])")
_NODE_KEYS = ("type", "text", "scheme", "schemeID", "schemes", "timestamp", "record")


class GraphMl(Codec):
    """One graph a file."""

    name = "graphml"
    title = "GraphML"
    suffixes = (".graphml",)

    def sniff(self, file: Input) -> bool:
        return starts_with_element(file.data, "graphml")

    def read(self, file: Input) -> ArgumentGraph:
        document, repaired = _parse(file)
        graph = document.root.find(f"{_G}graph")
        if document.root.tag != f"{_G}graphml" or graph is None:
            raise document.error("no graph in it", document.root, "give a GraphML document")
        keys = {key.get("id"): key.get("attr.name") for key in document.root.iter(f"{_G}key")}
        if next(graph.iter(f"{_Y}ShapeNode"), None) is not None:
            return _read_drawn(document, graph, repaired, file.name)
        return _read_plain(document, graph, keys, file.name)

    def write(self, graph: ArgumentGraph) -> Written:
        return Written("".join(_lines(graph)))


def _parse(file: Input) -> tuple[Xml, bool]:
    try:
        return parse_xml(file.data, file.name), False
    except LimitError:
        raise
    except FormatError:
        if b"ShapeNode" not in file.data:
            raise
        text = _BARE.sub(lambda match: "&amp;" if match.group() == "&" else "&lt;", file.text)
        return parse_xml(text.encode(), file.name), True


# -- as written here ---------------------------------------------------------------------------------------------


def _lines(graph: ArgumentGraph) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{_SPACE}">\n'
    for key in _NODE_KEYS:
        yield f'  <key id="{key}" for="node" attr.name="{key}" attr.type="string"/>\n'
    yield '  <key id="fields" for="edge" attr.name="fields" attr.type="string"/>\n'
    yield '  <key id="map" for="graph" attr.name="map" attr.type="string"/>\n'
    yield '  <graph edgedefault="directed">\n'
    yield f"    {_data('map', as_json(meta_to_dict(replace(graph.meta, notices=()))))}\n"
    ids = NodeIds(graph, lambda id_: not unwritable(id_))
    for node in graph:
        yield f"    <node id={xml_attribute(ids.take(node))}>{''.join(_node_data(node))}</node>\n"
    for edge in graph.edges:
        id_ = f" id={xml_attribute(edge.id)}" if edge.id is not None else ""
        ends = f"source={xml_attribute(ids[edge.source])} target={xml_attribute(ids[edge.target])}"
        fields = _data("fields", as_json(dict(edge.record))) if edge.record else ""
        yield f"    <edge{id_} {ends}>{fields}</edge>\n"
    yield "  </graph>\n</graphml>\n"


def _node_data(node: Node) -> Iterator[str]:
    yield _data("type", node.type)
    yield _data("text", node.text)
    if len(node.schemes) > 1:
        yield _data("schemes", as_json([list(scheme) for scheme in node.schemes]))
    elif node.schemes:
        id_, name = node.schemes[0]
        yield (_data("scheme", name) if name is not None else "") + (_data("schemeID", id_) if id_ is not None else "")
    if node.timestamp is not None:
        yield _data("timestamp", node.timestamp)
    if node.record:
        yield _data("record", as_json(dict(node.record)))


def _data(key: str, value: str) -> str:
    return f'<data key="{key}">{xml_text(value)}</data>'


def _read_plain(document: Xml, graph: Element, keys: dict[str | None, str | None], where: str) -> ArgumentGraph:
    build = GraphBuilder(name=where)
    for element in graph.iter(f"{_G}node"):
        data = _data_of(element, keys)
        id_ = element.get("id")
        if id_ is None or not data.get("type"):
            what = f"node {id_} has no type" if id_ is not None else "a node without id"
            raise document.error(what, element, "each node needs data named type (I, RA, CA …)")
        if id_ in build:
            raise document.error(f"the id {id_} is given twice", element, "ids are unique in a document")
        build.node(
            data["type"], data.get("text", ""), id=id_, schemes=_schemes(data, where), record=_record(data, where)
        )
    for element in graph.iter(f"{_G}edge"):
        source, target = element.get("source"), element.get("target")
        if source is None or target is None or source not in build or target not in build or source == target:
            raise document.error(f"an edge from {source} to {target}", element, "edges join two nodes of the graph")
        fields = from_json(_data_of(element, keys).get("fields", "{}"), dict, where)
        add_edge(build, source, target, element.get("id"), fields)
    meta_text = next((_text(data) for data in graph.findall(f"{_G}data") if keys.get(data.get("key")) == "map"), None)
    try:
        meta = meta_from_dict(from_json(meta_text, dict, where)) if meta_text else Meta(form="graphml")
    except FormatError as error:
        raise error if error.where else error.at(where) from None
    made = build.graph()
    return ArgumentGraph._trusted(
        {node.id: node for node in made}, made.edges, replace(meta, notices=meta.notices + made.notices), where
    )


def _data_of(element: Element, keys: dict[str | None, str | None]) -> dict[str, str]:
    data = {}
    for each in element.findall(f"{_G}data"):
        key = each.get("key")
        data[keys.get(key) or key or ""] = _text(each)
    return data


def _text(element: Element) -> str:
    return element.text or ""


def _schemes(data: dict[str, str], where: str) -> tuple[Scheme, ...]:
    if "schemes" in data:
        return scheme_pairs(from_json(data["schemes"], list, where), where)
    id_, name = data.get("schemeID"), data.get("scheme")
    return (Scheme(id_, name),) if id_ is not None or name is not None else ()


def _record(data: dict[str, str], where: str) -> dict[str, Any]:
    record: dict[str, Any] = from_json(data["record"], dict, where) if "record" in data else {}
    if "timestamp" in data:
        record.setdefault("timestamp", data["timestamp"])
    # Data of other tools' own is kept under its name.
    return record | {key: value for key, value in data.items() if key not in _NODE_KEYS}


# -- as AIFdb draws it --------------------------------------------------------------------------------------------


def _read_drawn(document: Xml, graph: Element, repaired: bool, where: str) -> ArgumentGraph:
    kinds = {border.upper(): kind for kind, (border, _) in COLOURS.items() if kind not in ("I", "L", "PA")}
    nodes: dict[str, tuple[str | None, str]] = {}
    for element in graph.iter(f"{_G}node"):
        id_, shape = element.get("id"), next(element.iter(f"{_Y}ShapeNode"), None)
        if id_ is None or shape is None:
            raise document.error("a node without id or shape", element)
        border, form = shape.find(f"{_Y}BorderStyle"), shape.find(f"{_Y}Shape")
        labels = shape.find(f"{_Y}NodeLabel")
        kind = kinds.get((border.get("color") or "").upper()) if border is not None else None
        if kind is None:
            rounded = form is None or form.get("type") == "roundrectangle"
            kind = None if rounded else "PA"
        key = id_.removeprefix("n") if id_[1:].isdigit() else id_
        if key in nodes:
            raise document.error(f"the id {id_} is given twice", element, "ids are unique in a document")
        nodes[key] = kind, (labels.text or "").strip() if labels is not None else ""
    edges = []
    for element in graph.iter(f"{_G}edge"):
        ends = [element.get(end) or "" for end in ("source", "target")]
        source, target = (end.removeprefix("n") if end[1:].isdigit() else end for end in ends)
        if source not in nodes or target not in nodes:
            raise document.error(f"an edge from {ends[0]} to {ends[1]}", element, "edges join two nodes of the graph")
        edges.append((source, target, None))
    return infer_types(nodes, edges, where, form="graphml", repaired=repaired)
