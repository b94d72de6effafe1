"""GraphML through networkx: a node has ``type`` and ``text`` as data, as in :mod:`aifgraph.interop`.

The file of a graph has the map as xAIF, too, in the data ``aif``, so that it holds all of it. Other programs have the
text of a node under ``label`` or ``name``, or draw it (yEd, Argdown); an edge between propositions that is called
support, attack and the like becomes a relation.
"""

from __future__ import annotations

import warnings
from itertools import chain
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement, tostring

import networkx
from networkx.readwrite.graphml import GraphMLWriter

from aifgraph.errors import FormatError, LimitError
from aifgraph.files import xml_safe
from aifgraph.formats.trees import ids_for, type_of_words, words_of_name
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.nodes import KINDS, NAMES, RELATIONS, type_named
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name
from aifgraph.interop import from_networkx, to_networkx
from aifgraph.printable import pluralize
from aifgraph.text.source import plain_text

#: What a drawing shows of a node or an edge, as data.
_DRAWN: Final = "aifgraph drawn"
#: Where programs have the text of a node, and what an edge is called.
_TEXTS: Final = ("text", "label", "name", _DRAWN)
_CALLED: Final = ("label", "interaction", _DRAWN)
_WORDS: Final = {fold_name(text): type_ for type_, text in chain(DEFAULT_TEXTS.items(), zip(KINDS, KINDS, strict=True))}
_WORDS.update({name: type_ for type_, name in NAMES.items()})
#: How Argdown draws support and attack.
_LINES: Final = {"#00ff00": "support", "#ff0000": "attack"}
_MAX_DEFAULTS: Final = 50
#: A text of as many words is no name of a relation.
_MAX_WORDS: Final = 4


def sniff(root: Element) -> bool:
    """Return whether an XML document is GraphML."""
    return str(root.tag).rpartition("}")[2] == "graphml"


def read(root: Element, text: str | None = None) -> ArgumentGraph:
    """Read the first graph of a document."""
    build = GraphBuilder()
    _simplify(root, build)
    try:
        content = tostring(root, "unicode").replace("\r", "&#13;")
        digraph: Any = networkx.parse_graphml(content, force_multigraph=True)
    except (networkx.NetworkXError, AttributeError, KeyError, TypeError, ValueError) as error:  # of broken files
        raise FormatError(f"not GraphML that networkx reads ({type(error).__name__}: {error})"[:200]) from None
    defaults, of_edges = (digraph.graph.pop(key, {}) for key in ("node_default", "edge_default"))
    names = {}
    for source, target, data in digraph.edges(data=True):
        if name := _name_of_edge(of_edges | data):
            names[source, target] = name
        data.pop(_DRAWN, None)
    _add_types(digraph, defaults, any(map(_relation_called, names.values())), build)
    graph = from_networkx(digraph)
    made = GraphBuilder(graph)
    for (source, target), name in names.items():
        if graph[source].type == graph[target].type == "I":
            if type_ := _relation_called(name):
                made.remove_edge(source, target)
                ends = (target, source) if "by" in words_of_name(name) else (source, target)  # “is attacked by”
                made.relation(type_, *ends, extra={"label": name})
            else:
                what = f"the edge {source} → {target} is called {name[:40]!r}, which is no relation"
                build.notice("label-unknown", what, source, target)
    return made.graph().with_meta(notices=build.graph().notices)


def _name_of_edge(data: dict[str, Any]) -> str:
    """Return what an edge is called, or a relation that further data name, whatever their key is."""
    texts = {key.lower(): plain_text(value).text.strip() for key, value in data.items() if isinstance(value, str)}
    called = [texts[key] for key in _CALLED if texts.get(key)]
    others = [text for text in texts.values() if len(text.split()) < _MAX_WORDS and _relation_called(text)]
    return next(filter(_relation_called, [*called, *others]), next(iter(called), ""))


def _relation_called(name: str) -> str | None:
    type_ = _WORDS.get(fold_name(name))
    return type_ if type_ in RELATIONS else type_of_words(name)


def _simplify(root: Element, build: GraphBuilder) -> None:
    """Leave nodes, directed edges and plain data, without namespaces and groups, each once."""
    for element in root.iter():  # some programs write no namespace, or a prefix
        element.tag = str(element.tag).rpartition("}")[2]
    root.attrib = {}
    keys, graph = root.findall(".//key"), root.find("graph")
    if graph is None:
        raise FormatError("no graph in it", remedy="give a GraphML document")
    if (count := len(list(root.iter("default")))) > _MAX_DEFAULTS:
        raise LimitError(f"{count} keys have defaults, of which up to {_MAX_DEFAULTS} are read")
    undeclared = ({data.get("key", "") for data in root.iter("data")} | {_DRAWN}) - {key.get("id") for key in keys}
    keys += [Element("key", {"id": id_}) for id_ in undeclared]
    for key in keys:
        key.set("attr.type", key.get("attr.type", "string"))
        key.set("attr.name", key.get("attr.name", key.get("id", "")))
        key.attrib.pop("yfiles.type", None)
    switches = {key.get("id") for key in keys if key.get("attr.type") == "boolean"}
    for data in root.iter("data"):
        if data.get("key") in switches:
            data.text = (data.text or "").strip()
    nodes = [node for node in graph.iter("node") if node.find("graph") is None]
    groups = {node.get("id", "") for node in graph.iter("node") if node.find("graph") is not None}
    ids = {node.get("id", "") for node in nodes}
    if len(ids) < len(nodes) or "" in ids:
        raise FormatError("a node without id, or two of one id")
    edges: dict[tuple[str, str], Element] = {}
    undirected = 0
    for edge in graph.iter("edge"):
        ends = source, target = edge.get("source", ""), edge.get("target", "")
        if not groups.isdisjoint(ends):
            raise FormatError(f"an edge with a group (a node with a graph in it) as an end: {source} → {target}")
        if not ids.issuperset(ends):
            raise FormatError(f"an edge with an unknown end: {source} → {target}")
        undirected += edge.attrib.pop("directed", str(graph.get("edgedefault") != "undirected")).lower() == "false"
        if source == target or ends in edges:
            build.notice("edge-repeated", f"the edge {source} → {target} is given twice or a loop: left out", *ends)
        else:
            edges[ends] = edge
    if undirected:
        what = f"{pluralize(undirected, 'edges')} without direction: read as leading from source to target"
        build.notice("edges-undirected", what)
    if others := len(root.findall("graph")) - 1 + len(list(graph.iter("hyperedge"))):
        build.notice("elements-left-out", f"{others} further graphs or hyperedges are left out")
    for element in (*nodes, *edges.values()):
        parts = [part for data in element.findall("data") for part in data.iter()]
        labels = [part for part in parts if part.tag in ("NodeLabel", "EdgeLabel")]
        labels.sort(key=lambda part: part.get("fontStyle") == "bold")  # Argdown shows a title above the text
        shown = [plain_text(part.text or "").text for part in labels]
        shown += [_LINES.get(part.get("color", "").lower(), "") for part in parts if part.tag == "LineStyle"]
        element[:] = [data for data in element.findall("data") if not len(data)]
        SubElement(element, "data", {"key": _DRAWN}).text = next(filter(str.strip, shown), "").strip()
    first = SubElement(root, "graph", {"edgedefault": "directed"})
    first[:] = [*graph.findall("data"), *nodes, *edges.values()]
    root[:] = [*keys, first]


def _add_types(digraph: Any, defaults: dict[str, Any], related: bool, build: GraphBuilder) -> None:
    """Give every node its type and its text; one that nothing says the type of has the type that it is called, or I."""
    nodes = dict(digraph.nodes(data=True))
    for data in nodes.values():
        given = defaults | data
        data.clear()
        data.update({low if (low := key.lower()) in ("type", *_TEXTS) else key: of for key, of in given.items()})
    texts = [key for key in _TEXTS if any(data.get(key) for data in nodes.values())]
    guessed = 0
    for data in nodes.values():
        used = next((key for key in texts if data.get(key)), "text")
        type_ = type_named(str(data.get("type", "")))
        guessed += not type_
        type_ = type_ if type_ in KINDS else _WORDS.get(fold_name(type_ or str(data.get(used, ""))), type_)
        if type_ not in ("I", "L", "") and texts:
            used = texts[0]  # of a scheme node a name alone is no text
        data.update(type=type_ or "I", text=str(data.pop(used, "")))
        data.update({key: str(data[key]) for key in ("scheme", "scheme_id", "speaker", "timestamp") if key in data})
        data.pop(_DRAWN, None)
    if guessed == len(nodes) > 0 and not related and all(data["type"] == "I" for data in nodes.values()):
        raise FormatError("no node has a type", remedy="give nodes data named type (I, RA, CA …)")
    if guessed:
        build.notice("types-guessed", f"{pluralize(guessed, 'nodes')} without a type, inferred from labels")


def write(graph: ArgumentGraph) -> str:
    """Write nodes and edges with their fields, and the map as xAIF; a warning says what XML cannot hold."""
    digraph: Any = to_networkx(graph)
    nodes, edges = (data for _, data in digraph.nodes(data=True)), (data for *_, data in digraph.edges(data=True))
    ids = ids_for(graph, lambda id_: xml_safe(id_) == id_)
    lost = any(id_ != new_id for id_, new_id in ids.items())
    for part in (digraph.graph, *nodes, *edges):
        plain = {xml_safe(key): xml_safe(value) if isinstance(value, str) else value for key, value in part.items()}
        lost = lost or plain != part
        part.clear()
        part.update(plain)
    if lost:
        warnings.warn("characters that XML cannot hold are written as \ufffd, and ids with them anew", stacklevel=3)
    safe = networkx.relabel_nodes(digraph, ids)
    writer = GraphMLWriter(graph=safe, encoding="utf-8", prettyprint=True)
    return str(writer).replace("\r", "&#13;") + "\n"  # networkx' own function cuts lines at what stands in texts
