"""AIFdb's upload form: flat like its downloads, with schemes, people and locutions in lists of their own.

What AIFdb's import reads is written, and no more. Locutions start in Unix time there, so a time without a zone has no
place in it.
"""

from __future__ import annotations

from typing import Any

from aifgraph.formats.aif.codec import text_files, with_sibling_text
from aifgraph.formats.aif.read import read_aif
from aifgraph.formats.aif.write import escaped
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, json_text
from aifgraph.formats.losses import EVERYTHING
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.meta import epoch_seconds

_SUPPORTS = EVERYTHING - {
    "timestamps",
    "locution times",
    "locution sources",
    "edge ids",
    "form edges",
    "layout",
    "descriptor fulfilments",
    "extra fields",
    "document fields",
    "entries set aside",
}
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
    """What ``POST /json/`` takes."""

    name = "upload"
    title = "AIFdb upload JSON"
    suffixes = (".json",)
    supports = _SUPPORTS

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
        document: dict[str, Any] = {
            "nodes": [{"nodeID": node.id, "text": escaped(node.text), "type": node.type} for node in graph],
            "edges": [{"fromID": edge.source, "toID": edge.target} for edge in graph.edges],
            "schemefulfillments": [{"nodeID": id_, "schemeID": scheme.id} for id_, scheme in fulfilled if scheme.id],
            "participants": [
                {"participantID": person.id, "firstname": person.first_name, "surname": person.surname}
                for person in graph.meta.participants
            ],
        }
        locutions: list[dict[str, Any]] = []
        for record in graph.meta.locutions:
            entry: dict[str, Any] = {"nodeID": record.node_id, "personID": record.person_id}
            start = epoch_seconds(record.start)
            if start is not None:
                entry["start"] = start
            locutions.append(entry)
        document["locutions"] = locutions
        return Written(json_text(document), text_files(graph))
