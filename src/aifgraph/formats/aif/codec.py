"""AIF JSON as AIFdb emits it and as it takes it."""

from __future__ import annotations

from typing import Any

from aifgraph.formats.aif.countable import consistent
from aifgraph.formats.aif.people import speaking
from aifgraph.formats.aif.read import read_aif
from aifgraph.formats.aif.write import escaped, write_aif
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, decode_source, json_text
from aifgraph.graph import ArgumentGraph, SourceText
from aifgraph.graph.meta import epoch_seconds


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
    """Other formats keep ``nodes`` too: SADFace, OVA2, Argdown. Theirs carry ``id`` where AIF has ``nodeID``."""
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


#: The lists of an upload and the fields of their entries: AIFdb's import reads these and ignores any other.
_FIELDS = {
    "nodes": frozenset({"nodeID", "text", "type"}),
    "edges": frozenset({"fromID", "toID"}),
    "schemefulfillments": frozenset({"nodeID", "schemeID"}),
    "participants": frozenset({"participantID", "firstname", "surname"}),
    "locutions": frozenset({"nodeID", "personID", "start"}),
}
_NEEDED = ("nodes", "schemefulfillments", "participants")


class Upload(Codec):
    """AIFdb's upload form, what ``POST /json/`` takes: flat like its downloads, with schemes, people and locutions in
    lists of their own.

    What AIFdb's import reads is written, and no more. Every locution is that of a person whom the file names, as AIFdb
    would give it to somebody else; where nothing says a name, the record is lost. Locutions start in Unix time there,
    so a time without a zone has no place in it.
    """

    name = "upload"
    title = "AIFdb upload JSON"
    suffixes = (".json",)

    def sniff(self, file: Input) -> bool:
        document = file.json_object
        if not document.keys() <= _FIELDS.keys() or not all(isinstance(document.get(key), list) for key in _NEEDED):
            return False
        # With any field more it is a download that lists its people: written as an upload it would lose that field.
        return all(
            isinstance(entries := document.get(key, []), list)
            and all(isinstance(entry, dict) and entry.keys() <= fields for entry in entries)
            for key, fields in _FIELDS.items()
        ) and not any(isinstance(entry.get("start"), str) for entry in document.get("locutions", []))

    def read(self, file: Input) -> ArgumentGraph:
        return with_sibling_text(read_aif(file.json, file.name, form=self.name), file)

    def write(self, graph: ArgumentGraph) -> Written:
        fulfilled = [(node.id, scheme) for node in graph for scheme in node.schemes]
        people, records = speaking(graph)
        document: dict[str, Any] = {
            "nodes": [{"nodeID": node.id, "text": escaped(node.text), "type": node.type} for node in graph],
            "edges": [{"fromID": edge.source, "toID": edge.target} for edge in graph.edges],
            "schemefulfillments": [{"nodeID": id_, "schemeID": scheme.id} for id_, scheme in fulfilled if scheme.id],
            "participants": [
                {"participantID": person.id, "firstname": person.first_name, "surname": person.surname}
                for person in people
            ],
        }
        document["locutions"] = [
            {"nodeID": record.node_id, "personID": record.person_id}
            | ({} if (start := epoch_seconds(record.start)) is None else {"start": start})
            for record in records
        ]
        return Written(json_text(document), text_files(graph))
