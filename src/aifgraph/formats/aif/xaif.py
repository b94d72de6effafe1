"""xAIF: a map with its text, people and layout in one document, as AMF's services and OVA3 pass it on.

What a service of AMF looks up is always there, whatever the map came from: six sections, ``text``, ``dialog`` and
``OVA``, ids that it can count on (``ids``), and people with two names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from aifgraph.errors import AifgraphError
from aifgraph.formats.aif.codec import headed, with_sibling_text
from aifgraph.formats.aif.countable import SECTIONS, consistent, embedded, restored
from aifgraph.formats.aif.ids import OWN
from aifgraph.formats.aif.people import folded, free_number, named_person
from aifgraph.formats.aif.read import NO_NAME, read_aif
from aifgraph.formats.aif.write import write_aif
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, json_text, parse_json
from aifgraph.graph import ArgumentGraph, Notice, Participant, SourceText
from aifgraph.graph.meta import speaker_prefix

_NO_OVA: Final = {"firstname": "", "surname": "", "url": "", "nodes": [], "edges": []}


class Xaif(Codec):
    """The wrapped form: ``{"AIF": {…}, "text": …}``."""

    name = "xaif"
    title = "xAIF"
    suffixes: tuple[str, ...] = (".json", ".xaif")

    def sniff(self, file: Input) -> bool:
        document = _document(file)[0] if file.data[:1] in b'"' else file.json_object
        return isinstance(document, dict) and _key(document) is not None and not headed(document)

    def read(self, file: Input) -> ArgumentGraph:
        document, notices = _document(file)
        key = _key(document) if isinstance(document, dict) and not headed(document) else None
        aif: Any = document if key is None else document[key]
        rest = {} if key is None else {name: value for name, value in document.items() if name != key}
        if key == "aif":
            notices.append(Notice("xaif-key", "the map is under aif and not AIF, and read from there"))
        if isinstance(aif, str):
            aif = parse_json(aif, f"{file.name}, AIF", no_numbers=file.no_numbers)
            notices.append(Notice("xaif-string", "AIF is JSON in a string, and read as what is in it"))
        if key is not None and isinstance(aif, dict) and aif.get("nodes") is None:
            notices.append(Notice("xaif-nodes", "AIF has no list of nodes, and is read as a map without any"))
        if isinstance(aif, dict) and OWN.encode() in file.data:
            rest = restored({"AIF": aif, **rest}, notices)
            aif = rest.pop("AIF")
        graph = read_aif(aif, file.name, form=self.name, document=rest)
        text = embedded(field := rest.get("text"))
        if text is None and field is not None and not (isinstance(field, dict) and field.get("txt") is None):
            notices.append(Notice("text-unclear", "text is neither a string nor an object with one under txt: no text"))
        source = SourceText(text) if text else None
        if notices or source:
            graph = graph.with_meta(source=source, notices=(*notices, *graph.notices))
        return with_sibling_text(graph, file)

    def write(self, graph: ArgumentGraph, *, indent: int | None = 1) -> Written:
        aif = complete(graph)
        # AMF's packages fail where a whole name is one word.
        for person in aif["participants"]:
            for name in ("firstname", "surname"):
                person[name] = person[name] or NO_NAME
        document = {"AIF": aif, **graph.meta.document}
        document["text"] = with_source(graph, document.get("text") or "")
        if "dialog" not in document:
            document["dialog"] = bool(graph.locutions)
        if "OVA" not in document:
            document["OVA"] = document.pop("ova", None) or _NO_OVA
        document = consistent(document, numbering=True)
        return Written(json_text(document, indent=indent))


def wrapped(graph: ArgumentGraph) -> dict[str, Any]:
    """A graph as xAIF, with what it holds and no more."""
    document = {"AIF": write_aif(graph, node_schemes=False), **graph.meta.document}
    if graph.meta.source is not None:
        document["text"] = with_source(graph, document.get("text"))
    return consistent(document)


def _document(file: Input) -> tuple[Any, list[Notice]]:
    """The JSON in an input, or in the string that a service has put it in once more."""
    try:
        document = file.json
    except AifgraphError:
        if file.data[:1] in b'"':  # asked what it is
            return None, []
        raise
    if isinstance(document, str) and document.lstrip().startswith("{"):
        what = "the document is JSON in a string, and read as what is in it"
        return parse_json(document, file.name), [Notice("xaif-string", what)]
    return document, []


def _key(document: Mapping[str, Any]) -> str | None:
    """What the map is called in its document: ``AIF``, or ``aif`` by services that write it so."""
    if isinstance(document.get("AIF"), dict | str):
        return "AIF"
    lower = document.get("aif")
    return "aif" if isinstance(lower, dict) and ("nodes" in lower or "text" in document) else None


def with_source(graph: ArgumentGraph, old: Any) -> Any:
    """What ``text`` is to be: as it was read, with the graph's source text in it."""
    source = graph.meta.source
    if source is None or embedded(old) == source.text:
        return old
    return {**old, "txt": source.marked} if isinstance(old, dict) else source.marked


def complete(graph: ArgumentGraph) -> dict[str, Any]:
    """The map's own object with all of its sections, every field that services look up, and the people whom the
    texts alone name; what is not the map's own has null for its own id."""
    written = write_aif(graph, node_schemes=False)
    aif: dict[str, Any] = {section: written.pop(section, None) or [] for section in SECTIONS} | written
    for node in aif["nodes"]:
        node["type"] = node["type"].upper()
        node["text"] = node.get("text") or ""
    held = {(str(entry.get("nodeID")), str(entry.get("schemeID"))) for entry in aif["schemefulfillments"]}
    fulfilled = ((node.id, scheme.id) for node in graph for scheme in node.schemes if scheme.id)
    aif["schemefulfillments"] = [
        *aif["schemefulfillments"],
        *({"nodeID": node, "schemeID": scheme} for node, scheme in fulfilled if (node, scheme) not in held),
    ]
    for person in aif["participants"]:
        if person.get("participantID") is None:
            person["participantID"] = ""
        for field in ("firstname", "surname"):
            person[field] = str(person.get(field) or "")
    for record in aif["locutions"]:
        record.setdefault("personID", None)
    free = free_number(edge.get("edgeID") for edge in aif["edges"])
    for place, edge in enumerate(aif["edges"]):
        if edge.get("edgeID") is None:
            aif["edges"][place] = {**edge, "edgeID": str(free), OWN: None}
            free += 1
    people, spoken = _named_in_texts(graph)
    aif["participants"] += [
        {"participantID": each.id, "firstname": each.first_name, "surname": each.surname, OWN: None} for each in people
    ]
    aif["locutions"] += [{"nodeID": node, "personID": person, OWN: None} for node, person in spoken.items()]
    return aif


def _named_in_texts(graph: ArgumentGraph) -> tuple[list[Participant], dict[str, str]]:
    """The people that the map does not list and the texts of its locutions name (``Ann Lee: …``), by the ids that its
    records have for them or new ones; and who speaks, by node, where no record says so."""
    listed = {person.id for person in graph.meta.participants}
    names: dict[str, Counter[str]] = {}
    recorded = set()
    for record in graph.meta.locutions:
        recorded.add(record.node_id)
        if record.person_id is not None:
            heard = names.setdefault(record.person_id, Counter())
            prefix = speaker_prefix(graph[record.node_id].text) if record.node_id in graph else ""
            if prefix:
                heard[prefix] += 1
    ids = {folded(person.name): person.id for person in reversed(graph.meta.participants)}
    people = []
    for id_, heard in names.items():
        if heard and id_ not in listed:
            name = heard.most_common(1)[0][0]
            people.append(named_person(id_, name))
            ids.setdefault(folded(name), id_)
    free = free_number(listed | names.keys())
    spoken = {}
    for node in graph.locutions:
        name = speaker_prefix(node.text) if node.id not in recorded else ""
        if name and folded(name) not in ids:
            ids[folded(name)] = str(free)
            people.append(named_person(str(free), name))
            free += 1
        if name:
            spoken[node.id] = ids[folded(name)]
    return people, spoken
