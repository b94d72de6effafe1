"""SADFace JSON (Wells): atoms, schemes and edges, versions 0.1 (metadata on top), 0.2 and 0.5 (types for schemes).

Ids in SADFace are UUIDs. A node that has another id in AIF gets one computed from it, and its own under
``metadata.aif``, with whatever else SADFace has no field for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from aifgraph.errors import FormatError
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, json_text
from aifgraph.formats.reading import add_edge, scheme_pairs
from aifgraph.formats.writing import with_places
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS, catalogue, fold_name, named_scheme, split_camel_case

_KINDS = {
    "support": "RA",
    "inference": "RA",
    "conflict": "CA",
    "attack": "CA",
    "disagree": "CA",
    "dispute": "CA",
    "rephrase": "MA",
    "restatement": "MA",
    "preference": "PA",
}
_NAMES = {"RA": "support", "CA": "conflict", "MA": "rephrase", "PA": "preference"}
_REMEDY = "give a SADFace document"


class SadFace(Codec):
    """One document a file."""

    name = "sadface"
    title = "SADFace JSON"
    suffixes = (".json",)

    def sniff(self, file: Input) -> bool:
        document = file.json_object
        if not isinstance(document.get("nodes"), list):
            return False
        first = next(iter(document["nodes"]), None)
        if first is not None and not (isinstance(first, dict) and "id" in first and "x" not in first):
            return False
        if first is None and "resources" not in document:
            return False
        return b'"edges"' in file.data and (b'"source_id"' in file.data or b'"resources"' in file.data)

    def read(self, file: Input) -> ArgumentGraph:
        document = file.json
        if not isinstance(document, dict) or not all(isinstance(document.get(k), list) for k in ("nodes", "edges")):
            raise FormatError("no object with lists of nodes and edges", where=file.name, remedy=_REMEDY)
        build = GraphBuilder(name=file.name)
        more = _block(document.get("metadata"), "aif")
        edge_ids = _block(more, "edges")
        names: dict[str, str] = {}
        for index, entry in enumerate(document["nodes"]):
            place = f"{file.name}, nodes[{index}]"
            if not isinstance(entry, dict) or not isinstance(entry.get("id"), str | int):
                raise FormatError("a node without id", where=place, remedy=_REMEDY)
            own = str(entry["id"])
            if own in names:
                raise FormatError(f"the id {own} is given twice", where=place, remedy="ids are unique in a document")
            names[own] = _read_node(build, own, entry, place)
        for index, entry in enumerate(document["edges"]):
            place = f"{file.name}, edges[{index}]"
            if not isinstance(entry, dict):
                raise FormatError("no edge", where=place, remedy=_REMEDY)
            ends = [names.get(str(entry.get(end))) for end in ("source_id", "target_id")]
            source, target = ends
            if source is None or target is None:
                raise FormatError("an edge with an unknown end", where=place, remedy=_REMEDY)
            edge_id = edge_ids.get(str(entry.get("id")), entry.get("id"))
            add_edge(build, source, target, None if edge_id is None else str(edge_id))
        source_text = _source(document, names, file.name)
        if source_text:
            build.source(source_text)
        rest = {key: value for key, value in document.items() if key not in ("nodes", "edges")}
        if "original" in more:
            rest["metadata"] = more["original"]
            if rest["metadata"] is None:
                del rest["metadata"]
        elif more:
            rest["metadata"] = {key: value for key, value in rest["metadata"].items() if key != "aif"}
        return build.graph(form=self.name, aif={"sadface": rest})

    def write(self, graph: ArgumentGraph) -> Written:
        graph = with_places(graph)
        kept = graph.meta.aif.get("sadface")
        document: dict[str, Any] = dict(kept) if isinstance(kept, dict) else {}
        resources, sources = _resources(graph, document)
        written = [node for node in graph if node.type == "I" or node.type in _NAMES]
        nodes = [_write_node(node, sources.get(node.id, [])) for node in written]
        ids = {node.id for node in written}
        edges, edge_ids = [], {}
        for number, edge in enumerate(graph.edges):
            if edge.source in ids and edge.target in ids:
                own = _uuid(edge.id if edge.id is not None else f"edge {number}")
                edges.append({"id": own, "source_id": _uuid(edge.source), "target_id": _uuid(edge.target)})
                if own != edge.id:
                    edge_ids[own] = edge.id
        document["metadata"] = _metadata(document, nodes, edge_ids, graph.name)
        document |= {"nodes": nodes, "edges": edges, "resources": resources}
        return Written(json_text(document))


#: What SADFace knows of a document; no other field is valid there.
_CORE = ("analyst_email", "analyst_name", "created", "edited", "id", "version")


def _metadata(
    kept: Mapping[str, Any], nodes: list[dict[str, Any]], edge_ids: Mapping[str, str | None], name: str
) -> dict[str, Any]:
    """The metadata of a document as SADFace 0.5.4 finds them valid: the six core fields, and a block for each that a
    node has. What the document had is kept as it was where that is not the same."""
    original = kept.get("metadata")
    old = original if isinstance(original, dict) else {}
    core = {**kept, **_block(old, "core")}  # version 0.1 has them on top
    # Required fields without anything known to put in: empty, not made up.
    known = {"id": _uuid(f"map {name}"), "version": "0.2"}
    metadata: dict[str, Any] = {key: block for key, block in old.items() if isinstance(block, dict) and key != "aif"}
    metadata["core"] = {key: value if isinstance(value := core.get(key), str) else known.get(key, "") for key in _CORE}
    for node in nodes:
        metadata |= {block: {} for block in node["metadata"] if block not in metadata}
    more: dict[str, Any] = {"edges": dict(edge_ids)} if edge_ids else {}
    if kept and {key: block for key, block in metadata.items() if key != "aif"} != original:
        more["original"] = original
    if more or "aif" in metadata:
        metadata["aif"] = more
    return metadata


def _block(metadata: object, name: str) -> dict[str, Any]:
    block = metadata.get(name) if isinstance(metadata, dict) else None
    return block if isinstance(block, dict) else {}


def _read_node(build: GraphBuilder, own: str, entry: dict[str, Any], place: str) -> str:
    more = _block(entry.get("metadata"), "aif")
    kind = str(more.get("kind", entry.get("type", "")))
    rest = {key: value for key, value in entry.items() if key not in ("id", "text", "name", "metadata")}
    if "type" in rest:
        rest["type"] = kind
    others = entry.get("metadata")
    others = {key: value for key, value in others.items() if key != "aif"} if isinstance(others, dict) else others
    if others:
        rest["metadata"] = others
    record: dict[str, Any] = {"timestamp": more["timestamp"]} if "timestamp" in more else {}
    # What only this codec wrote is not kept as if it had come from elsewhere.
    if set(rest) - {"type", "sources"} or kind not in ("atom", "scheme"):
        record["sadface"] = {key: value for key, value in rest.items() if key != "sources"}
    id_ = str(more.get("id", own))
    if id_ in build:
        id_ = own
    if id_ in build:
        raise FormatError(f"the id {id_} is given twice", where=place, remedy="ids are unique in a document")
    if kind == "atom":
        text = entry.get("text", "")
        if not isinstance(text, str):
            raise FormatError("an atom whose text is not a string", where=place, remedy=_REMEDY)
        pairs = scheme_pairs(more["schemes"], place) if isinstance(more.get("schemes"), list) else ()
        return build.node("I", text, id=id_, schemes=pairs, record=record)
    name = str(entry.get("name", kind))
    type_ = str(
        more.get("type") or _KINDS.get(kind) or _kind_of(name) or ("RA" if kind == "scheme" else kind.upper() or "?")
    )
    if isinstance(more.get("schemes"), list):
        schemes = scheme_pairs(more["schemes"], place)
    else:
        schemes = () if fold_name(name) in _KINDS or type_ not in DEFAULT_TEXTS else (named_scheme(name, type_),)
    text = str(more.get("text", DEFAULT_TEXTS.get(type_, name) if fold_name(name) in _KINDS else name))
    return build.node(type_, text, id=id_, schemes=schemes, record=record)


def _kind_of(name: str) -> str | None:
    """The type of a scheme node by its name: SADFace's own words, else AIFdb's catalogue where it is of one mind."""
    wanted = fold_name(name)
    if wanted in _KINDS:
        return _KINDS[wanted]
    kinds = {row.kind for row in catalogue().values() if fold_name(row.name) == wanted and row.kind in _NAMES}
    return kinds.pop() if len(kinds) == 1 else None


def _source(document: dict[str, Any], names: dict[str, str], where: str) -> SourceText | None:
    """The text, where there is exactly one; several resources have no place in one graph and stay as they are."""
    resources = document.get("resources")
    if not isinstance(resources, list) or len(resources) != 1 or not isinstance(resources[0], dict):
        return None
    text, key = resources[0].get("content"), resources[0].get("id")
    if not isinstance(text, str) or not text:
        return None
    spans = []
    for entry in document["nodes"]:
        listed = entry.get("sources")
        for source in listed if isinstance(listed, list) else ():
            if isinstance(source, dict) and source.get("resource_id") == key and type(source.get("offset")) is int:
                length = source.get("length")
                end = source["offset"] + (length if type(length) is int else len(str(source.get("text", ""))))
                if 0 <= source["offset"] <= end <= len(text):
                    spans.append(Span(names[str(entry["id"])], source["offset"], end))
    return SourceText(text, "embedded", tuple(spans) or None)


def _resources(graph: ArgumentGraph, document: dict[str, Any]) -> tuple[list[Any], dict[str, list[dict[str, Any]]]]:
    source = graph.meta.source
    old = document.get("resources")
    listed = [each for each in old if isinstance(each, dict)] if isinstance(old, list) else []
    if source is None:
        return listed, {}
    first = listed[0] if len(listed) == 1 else {}
    key = first.get("id", _uuid("source text"))
    sources: dict[str, list[dict[str, Any]]] = {}
    for span in source.spans or ():
        if span.node_id not in graph or (graph[span.node_id].type != "I" and graph[span.node_id].type not in _NAMES):
            continue
        place = {"text": source.text[span.start : span.end], "offset": span.start, "length": span.end - span.start}
        sources.setdefault(span.node_id, []).append({"resource_id": key, **place})
    return [{"type": "text", "metadata": {}, **first, "id": key, "content": source.text}], sources


def _write_node(node: Node, sources: list[dict[str, Any]]) -> dict[str, Any]:
    kept = node.record.get("sadface")
    rest: dict[str, Any] = dict(kept) if isinstance(kept, dict) else {}
    own = _uuid(node.id)
    # What version 0.5 makes is called inference or conflict there, but its own validation takes these two alone.
    type_ = "atom" if node.type == "I" else "scheme"
    entry: dict[str, Any] = {"id": own, "type": type_, **rest} | {"type": type_}
    more: dict[str, Any] = {} if own == node.id else {"id": node.id}
    if rest.get("type", type_) != type_:
        more["kind"] = rest["type"]
    if node.type == "I":
        entry |= {"text": node.text, "sources": sources}
        if node.schemes:
            more["schemes"] = [list(scheme) for scheme in node.schemes]
    else:
        named = next((scheme.name for scheme in node.schemes if scheme.name), None)
        plain = node.schemes == () or fold_name(named or "") == fold_name(DEFAULT_TEXTS[node.type])
        entry["name"] = _NAMES[node.type] if plain else split_camel_case(named or "")
        if sources:
            entry["sources"] = sources
        more |= {"type": node.type, "text": node.text, "schemes": [list(scheme) for scheme in node.schemes]}
    if node.timestamp is not None:
        more["timestamp"] = node.timestamp
    metadata = rest.get("metadata")
    entry["metadata"] = {**(metadata if isinstance(metadata, dict) else {}), **({"aif": more} if more else {})}
    return entry


def _uuid(id_: str) -> str:
    try:
        return str(UUID(id_)) if str(UUID(id_)) == id_ else str(uuid5(NAMESPACE_URL, id_))
    except ValueError:
        # A half surrogate has no UTF-8, which the name is digested in.
        return str(uuid5(NAMESPACE_URL, id_.encode("utf-8", "backslashreplace").decode()))
