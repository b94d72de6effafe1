"""AIF JSON as AIFdb emits it and as it takes it."""

from __future__ import annotations

from typing import Any

from aifgraph.formats.aif.countable import consistent
from aifgraph.formats.aif.read import read_aif
from aifgraph.formats.aif.write import write_aif
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, decode_source, json_text
from aifgraph.graph import ArgumentGraph, SourceText


class Aif(Codec):
    """The flat form: what AIFdb's ``/json/ID`` gives."""

    name = "aif"
    title = "AIF JSON (AIFdb)"
    suffixes = (".json",)

    def sniff(self, file: Input) -> bool:
        return "nodes" in file.json_object and not _foreign(file.json_object)

    def read(self, file: Input) -> ArgumentGraph:
        return with_sibling_text(read_aif(file.json, file.name), file)

    def write(self, graph: ArgumentGraph, *, indent: int | None = 1) -> Written:
        document = consistent({"AIF": write_aif(graph, node_schemes=True)})
        return Written(json_text(document["AIF"], indent=indent), text_files(graph))


def _foreign(document: dict[str, object]) -> bool:
    """Other formats keep ``nodes`` too: SADFace, Argdown. Theirs carry ``id`` where AIF has ``nodeID``."""
    nodes = document["nodes"]
    first = nodes[0] if isinstance(nodes, list) and nodes else None
    return isinstance(first, dict) and "nodeID" not in first and "id" in first


def with_sibling_text(graph: ArgumentGraph, file: Input) -> ArgumentGraph:
    """The graph with the source text that stands next to its file; one that the file holds itself gives way to it."""
    data = file.sibling(".txt")
    if data is None:
        return graph
    text, notice = decode_source(data, f"{file.stem}.txt")
    if graph.meta.source and not text.strip():
        return graph
    notices = graph.notices + ((notice,) if notice else ())
    return graph.with_meta(source=SourceText(text, "given"), notices=notices)


def text_files(graph: ArgumentGraph) -> dict[str, str]:
    """The file that holds the source text next to a map, if it has one that its own file does not hold."""
    source = graph.meta.source
    return {".txt": source.marked} if source else {}


def headed(document: dict[str, Any]) -> bool:
    """Whether the map is the document itself, and what it calls AIF a mere header without nodes."""
    inner = document.get("AIF")
    return isinstance(document.get("nodes"), list) and isinstance(inner, dict) and "nodes" not in inner
