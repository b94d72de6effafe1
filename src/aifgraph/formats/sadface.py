"""SADFace JSON (Wells): atoms, schemes and edges; versions 0.1 (metadata on top), 0.2 and 0.5 (types for schemes).

Ids in SADFace are UUIDs. A node that has another id in AIF gets one computed from it; its own, and what else SADFace
has no field for, stands under ``metadata.aif``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

from aifgraph.errors import FormatError
from aifgraph.files import json_text
from aifgraph.formats.aif import schemes_of_pairs, text_or_none
from aifgraph.formats.trees import add_edge, covers, places_of
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name, named_scheme, schemes_meant, split_camel_case

#: The names of scheme nodes without a scheme, by their AIF types.
_PLAIN: Final = {"RA": "support", "CA": "conflict", "MA": "rephrase", "PA": "preference"}
#: How words begin that such nodes are named by.
_WORDS: Final = {
    "RA": re.compile("support|infer"),
    "CA": re.compile(
        "conflict|attack|disagree|disput|under(?:cut|min)|rebut|refut|contradict|counter|objection|defeat|negat"
    ),
    "MA": re.compile("rephras|restat|reframe"),
    "PA": re.compile("prefer"),
}
#: What a scheme node is whose name says none of these: AIF's general class, which is no relation.
_UNKNOWN: Final = "S"
#: The fields that every document has to have.
_CORE: Final = ("analyst_email", "analyst_name", "created", "edited", "id", "version")


def sniff(document: Any) -> bool:
    """Return whether a JSON document is SADFace's."""
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list) or "edges" not in document:
        return False
    if not document["nodes"]:
        return "resources" in document
    edges = document["edges"]
    first, line = document["nodes"][0], edges[0] if isinstance(edges, list) and edges else {}
    known = isinstance(first, dict) and "id" in first and "x" not in first
    return known and ("resources" in document or (isinstance(line, dict) and "source_id" in line))


def read(document: Any, text: str | None = None) -> ArgumentGraph:
    """Read a SADFace document, which holds its source text itself."""
    if not isinstance(document, dict) or not all(isinstance(document.get(key), list) for key in ("nodes", "edges")):
        raise FormatError("no object with lists of nodes and edges", remedy="give a SADFace document")
    build = GraphBuilder()
    own: dict[str, str] = {}
    for index, entry in enumerate(document["nodes"]):
        where = f"nodes[{index}]"
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str | int):
            raise FormatError("a node without id", where=where)
        uuid = str(entry["id"])
        if uuid in own:
            raise FormatError(f"the id {uuid} is given twice", where=where)
        own[uuid] = _read_node(build, uuid, entry, where)
    for index, entry in enumerate(document["edges"]):
        if not isinstance(entry, dict):
            raise FormatError("no edge", where=f"edges[{index}]")
        first, second = (str(entry.get(end)) for end in ("source_id", "target_id"))
        add_edge(build, own.get(first, first), own.get(second, second), text_or_none(entry.get("id")))
    if source := _read_source(document, own, build):
        build.source(source)
    rest = {key: value for key, value in document.items() if key not in ("nodes", "edges")}
    return build.graph(aif={"sadface": rest})


def _block(metadata: object, name: str) -> dict[str, Any]:
    block = metadata.get(name) if isinstance(metadata, dict) else None
    return block if isinstance(block, dict) else {}


def _read_node(build: GraphBuilder, uuid: str, entry: dict[str, Any], where: str) -> str:
    more = _block(entry.get("metadata"), "aif")
    id_ = str(more.get("id", uuid))
    id_ = uuid if id_ in build else id_
    time = text_or_none(more.get("timestamp"))
    extra: dict[str, Any] = {}
    rest = {key: value for key, value in entry.items() if key not in ("id", "text", "name", "sources")}
    rest["metadata"] = others = {key: value for key, value in _block(entry, "metadata").items() if key != "aif"}
    if others or set(rest) - {"type", "metadata"} or rest.get("type") not in ("atom", "scheme"):
        extra["sadface"] = rest
    kind = str(entry.get("type", ""))
    listed = schemes_of_pairs(more["schemes"]) if isinstance(more.get("schemes"), list) else None
    if kind == "atom":
        text = entry.get("text", "")
        if not isinstance(text, str):
            raise FormatError("an atom whose text is not a string", where=where)
        return build.node("I", text, id=id_, schemes=listed or (), timestamp=time, extra=extra)
    name = str(entry.get("name", kind))
    type_ = str(more.get("type") or _type_of_words(kind) or _type_of(name) or _UNKNOWN)
    if type_ == _UNKNOWN:
        what = f"node {id_} is named {name[:80]!r}, which is not a known scheme; it is read as no relation (S)"
        build.notice("scheme-unknown", what, id_)
    plain = len(_words(name)) == 1 and _type_of_words(name) is not None
    if listed is None:
        unnamed = (plain and not schemes_meant(name, type_)) or type_ not in DEFAULT_TEXTS
        listed = () if unnamed else (named_scheme(name, type_),)
    text = str(more.get("text", DEFAULT_TEXTS.get(type_, name) if plain else name))
    return build.node(type_, text, id=id_, schemes=listed, timestamp=time, extra=extra)


def _type_of(name: str) -> str | None:
    """Return the type of a scheme node by its name: that of AIFdb's scheme of the name, else of a word in it."""
    types = {row.kind for row in schemes_meant(name) if row.kind in _WORDS}
    return types.pop() if len(types) == 1 else _type_of_words(name)


def _type_of_words(name: str) -> str | None:
    """Return the type that the words of a name say; None where they say none, or two."""
    types = {type_ for word in _words(name) for type_, start in _WORDS.items() if start.match(word)}
    return types.pop() if len(types) == 1 else None


def _words(name: str) -> list[str]:
    return [word for word in map(fold_name, split_camel_case(name).split()) if word not in ("", "default")]


def _read_source(document: dict[str, Any], own: Mapping[str, str], build: GraphBuilder) -> SourceText | None:
    """Return the text where there is one; several resources have no place in a graph and stay as they are."""
    resources = document.get("resources")
    if not isinstance(resources, list) or len(resources) != 1 or not isinstance(resources[0], dict):
        return None
    text, key = resources[0].get("content"), resources[0].get("id")
    if not isinstance(text, str) or not text:
        return None
    spans = []
    for entry in document["nodes"]:
        sources = entry.get("sources")
        for source in sources if isinstance(sources, list) else ():
            if not isinstance(source, dict) or source.get("resource_id") != key:
                continue
            start, length = source.get("offset"), source.get("length")
            if type(start) is not int:
                continue
            words, node = source.get("text"), own[str(entry["id"])]
            end = start + (length if type(length) is int else len(str(words or "")))
            if not 0 <= start <= end <= len(text) or (words and not covers(text, [(start, end)], str(words))):
                build.notice("span-differs", f"the text at offset {start} is not that of {node}: place left out", node)
            else:
                spans.append(Span(node, start, end))
    return SourceText(text, tuple(spans))


def write(graph: ArgumentGraph) -> str:
    """Write propositions and the relations between them, and scheme nodes of unknown names."""
    document = _block(graph.meta.aif, "sadface")
    written = [node for node in graph if node.type in ("I", _UNKNOWN) or node.type in _WORDS]
    ids = {node.id for node in written}
    resources = [each for each in document.get("resources") or () if isinstance(each, dict)]
    sources: dict[str, list[dict[str, Any]]] = {}
    if graph.meta.source is not None:
        first, text = resources[0] if len(resources) == 1 else {}, graph.text
        key = first.get("id", _uuid("source text"))
        resources = [{"type": "text", "metadata": {}, **first, "id": key, "content": text}]
        for id_, places in places_of(graph).items():
            sources[id_] = [
                {"resource_id": key, "text": text[start:end], "offset": start, "length": end - start}
                for start, end in places
            ]
    nodes = [_write_node(node, sources.get(node.id, [])) for node in written]
    edges = []
    for number, edge in enumerate(graph.edges):
        if edge.source in ids and edge.target in ids:
            uuid = _uuid(edge.id or f"edge {number}")
            edges.append({"id": uuid, "source_id": _uuid(edge.source), "target_id": _uuid(edge.target)})
    metadata = _metadata(document, nodes, graph.name)
    return json_text(document | {"metadata": metadata, "nodes": nodes, "edges": edges, "resources": resources})


def _metadata(document: Mapping[str, Any], nodes: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Return metadata that SADFace finds valid: the six core fields, and a block for each that a node has."""
    old = document.get("metadata")
    blocks = {key: block for key, block in old.items() if isinstance(block, dict)} if isinstance(old, dict) else {}
    core = {**document, **blocks.get("core", {})}  # version 0.1 has them on top
    known = {"id": _uuid(f"map {name}"), "version": "0.2"}
    blocks["core"] = {key: value if isinstance(value := core.get(key), str) else known.get(key, "") for key in _CORE}
    return {block: {} for node in nodes for block in node["metadata"]} | blocks


def _write_node(node: Node, sources: list[dict[str, Any]]) -> dict[str, Any]:
    rest = _block(node.extra, "sadface")
    uuid = _uuid(node.id)
    more: dict[str, Any] = {} if uuid == node.id else {"id": node.id}
    if node.timestamp is not None:
        more["timestamp"] = node.timestamp
    # Version 0.5 names types inference and conflict, but its own validation takes these two alone.
    entry: dict[str, Any] = {**rest, "id": uuid, "type": "atom" if node.type == "I" else "scheme"}
    if node.type == "I":
        entry |= {"text": node.text, "sources": sources}
        more |= {"schemes": [list(scheme) for scheme in node.schemes]} if node.schemes else {}
    elif node.type == _UNKNOWN:
        entry["name"] = node.text
    else:
        scheme = next((scheme.name for scheme in node.schemes if scheme.name), None)
        plain = scheme is None or fold_name(scheme) == fold_name(DEFAULT_TEXTS[node.type])
        entry["name"] = _PLAIN[node.type] if plain else split_camel_case(scheme or "")
        entry |= {"sources": sources} if sources else {}
        more |= {"type": node.type, "text": node.text, "schemes": [list(scheme) for scheme in node.schemes]}
    entry["metadata"] = {**_block(rest, "metadata"), **({"aif": more} if more else {})}
    return entry


def _uuid(id_: str) -> str:
    try:
        if str(UUID(id_)) == id_:
            return id_
    except ValueError:
        pass
    # A half surrogate has no UTF-8, which the id is digested in.
    return str(uuid5(NAMESPACE_URL, id_.encode("utf-8", "backslashreplace").decode()))
