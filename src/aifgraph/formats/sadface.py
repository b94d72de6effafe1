"""SADFace JSON (Wells), read only: atoms, schemes and edges; versions 0.1 (metadata on top), 0.2 and 0.5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from aifgraph.errors import FormatError
from aifgraph.formats.aif import text_or_none
from aifgraph.formats.trees import WORDS, add_edge, covers, type_of_words, words_of_name
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS, named_scheme, schemes_meant

#: What a scheme node is whose name says none of these: AIF's general class, which is no relation.
_UNKNOWN: Final = "S"


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


def _read_node(build: GraphBuilder, id_: str, entry: dict[str, Any], where: str) -> str:
    rest = {key: value for key, value in entry.items() if key not in ("id", "text", "name", "sources")}
    plain = not rest.get("metadata") and rest.keys() <= {"type", "metadata"} and rest.get("type") in ("atom", "scheme")
    extra: dict[str, Any] = {} if plain else {"sadface": rest}
    kind = str(entry.get("type", ""))
    if kind == "atom":
        text = entry.get("text", "")
        if not isinstance(text, str):
            raise FormatError("an atom whose text is not a string", where=where)
        return build.node("I", text, id=id_, extra=extra)
    name = str(entry.get("name", kind))
    type_ = type_of_words(kind) or _type_of(name) or _UNKNOWN
    if type_ == _UNKNOWN:
        what = f"node {id_} is named {name[:80]!r}, which is not a known scheme; it is read as no relation (S)"
        build.notice("scheme-unknown", what, id_)
    plain = len(words_of_name(name)) == 1 and type_of_words(name) is not None
    unnamed = (plain and not schemes_meant(name, type_)) or type_ not in DEFAULT_TEXTS
    text = DEFAULT_TEXTS.get(type_, name) if plain else name
    return build.node(type_, text, id=id_, schemes=() if unnamed else (named_scheme(name, type_),), extra=extra)


def _type_of(name: str) -> str | None:
    """Return the type of a scheme node by its name: that of AIFdb's scheme of the name, else of a word in it."""
    types = {row.kind for row in schemes_meant(name) if row.kind in WORDS}
    return types.pop() if len(types) == 1 else type_of_words(name)


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
