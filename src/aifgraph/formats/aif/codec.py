"""AIF JSON as AIFdb emits it: ``nodes``, ``edges`` and ``locutions`` in one object, single map or merged corpus.

The source text of a map does not fit in; it stands beside it (``nodeset1.json``, ``nodeset1.txt``).
"""

from __future__ import annotations

from aifgraph.formats.aif.read import read_aif
from aifgraph.formats.aif.write import write_aif
from aifgraph.formats.codec import Written
from aifgraph.formats.contents import contents
from aifgraph.formats.files import Input, decode_source
from aifgraph.formats.json_text import json_text
from aifgraph.formats.loss import LossReport
from aifgraph.formats.source_text import marked_text
from aifgraph.graph import ArgumentGraph, SourceText


class Aif:
    """The flat form: what AIFdb's ``/json/ID`` gives."""

    name = "aif"
    title = "AIF JSON (AIFdb)"
    suffixes: tuple[str, ...] = (".json",)
    reads = True
    writes = True
    loses: tuple[str, ...] = ("layout", "document fields")

    def sniff(self, given: Input) -> bool:
        if b'"nodes"' not in given.data:
            return False
        try:
            document = given.json
        except Exception:  # whatever it is, it is not this
            return False
        return isinstance(document, dict) and "nodes" in document and not _foreign(document)

    def read(self, given: Input) -> ArgumentGraph:
        return with_text_beside(read_aif(given.json, given.name), given)

    def write(self, graph: ArgumentGraph) -> Written:
        text = json_text(write_aif(graph, node_schemes=True))
        return Written(text, _losses(graph), text_files(graph))


def _losses(graph: ArgumentGraph) -> LossReport:
    """What only the object around the map holds has no place in the flat form."""
    if not graph.meta.document:
        return LossReport()
    held, left = contents(graph), contents(graph.with_meta(document={}))
    return LossReport.of((kind, held.get(kind, 0) - left.get(kind, 0)) for kind in Aif.loses)


def _foreign(document: dict[str, object]) -> bool:
    """Other formats keep ``nodes`` too: SADFace, OVA2, Argdown. Theirs carry ``id`` where AIF has ``nodeID``."""
    nodes = document["nodes"]
    first = nodes[0] if isinstance(nodes, list) and nodes else None
    return isinstance(first, dict) and "nodeID" not in first and "id" in first


def with_text_beside(graph: ArgumentGraph, given: Input) -> ArgumentGraph:
    """The graph with the source text that stands beside its file; one that the file holds itself gives way to it."""
    beside = given.beside(".txt")
    if beside is None:
        return graph
    text, notice = decode_source(beside, f"{given.stem}.txt")
    if graph.meta.source and not text.strip():
        return graph
    notices = graph.notices + ((notice,) if notice else ())
    return graph.with_meta(source=SourceText(text, "given"), notices=notices)


def text_files(graph: ArgumentGraph) -> dict[str, str]:
    """The file that holds the source text beside a map, if it has one that its own file does not hold."""
    source = graph.meta.source
    return {".txt": marked_text(source)} if source else {}
