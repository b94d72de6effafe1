"""A document of xAIF under ids that AMF's services can count on, and the same under the map's own again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from aifgraph.formats.aif.ids import OWN, as_text, kept, numbered, of_one_type, own_ids, renamed, renamed_marks
from aifgraph.graph import Notice

#: What the map's own object always has.
SECTIONS: Final = ("nodes", "edges", "schemefulfillments", "descriptorfulfillments", "participants", "locutions")
#: Those whose entries have ids of their own, or name people.
_OWN_SECTIONS: Final = frozenset({"nodes", "edges", "participants", "locutions"})


def embedded(text: object) -> str | None:
    """The source text in the ``text`` field, or None where there is none."""
    if isinstance(text, dict):
        text = text.get("txt")
    return text if isinstance(text, str) else None


def countable(document: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The document with ids of one type that can be counted on, and how many have become others."""
    aif = document["AIF"]
    named = [entry.get("nodeID") for section in SECTIONS[2:] for entry in aif[section] if isinstance(entry, dict)]
    ends = [edge.get(end) for edge in aif["edges"] for end in ("fromID", "toID")]
    nodes = of_one_type((node["nodeID"] for node in aif["nodes"]), (*named, *ends))
    edges = of_one_type(edge["edgeID"] for edge in aif["edges"])
    people = _people(aif)
    document = _renamed(document, nodes)
    document["AIF"] |= {
        "nodes": [kept(dict(node), "nodeID", nodes) for node in aif["nodes"]],
        "edges": [kept(renamed(edge, nodes), "edgeID", edges) for edge in aif["edges"]],
        "participants": [kept(dict(person), "participantID", people) for person in aif["participants"]],
        "locutions": [
            {**renamed(record, nodes), "personID": people.get(as_text(record["personID"]), record["personID"])}
            for record in aif["locutions"]
        ],
    }
    return document, len(numbered(nodes)) + len(numbered(edges)) + len(numbered(people))


def _people(aif: Mapping[str, Any]) -> dict[str, str | int]:
    """What the ids of those who are listed are written as: the file's own say of what type."""
    own = [person["participantID"] for person in aif["participants"] if OWN not in person]
    listed = [person["participantID"] for person in aif["participants"]]
    known = set(map(as_text, listed))
    records = [record["personID"] for record in aif["locutions"]]
    return of_one_type((*own, *(each for each in records if as_text(each) in known), *listed), records)


def _renamed(document: Mapping[str, Any], nodes: Mapping[str, str | int]) -> dict[str, Any]:
    """A document with other ids of its nodes wherever it names them, but for the entries that have their own."""
    aif = {key: value if key in _OWN_SECTIONS else renamed(value, nodes) for key, value in document["AIF"].items()}
    rest = {key: renamed(value, nodes) for key, value in document.items() if key != "AIF"}
    text, new = document.get("text"), numbered(nodes)
    if new and (marked := embedded(text)) is not None:
        marked = renamed_marks(marked, new.get)
        rest["text"] = {**text, "txt": marked} if isinstance(text, dict) else marked
    return {"AIF": aif, **rest}


def restored(document: dict[str, Any], notices: list[Notice]) -> dict[str, Any]:
    """The document under the map's own ids, without what was filled in for services."""
    aif = document["AIF"]
    lists = {key: each if isinstance(each := aif.get(key), list) else [] for key in _OWN_SECTIONS}
    nodes, edges = own_ids(lists["nodes"], "nodeID"), own_ids(lists["edges"], "edgeID")
    people = own_ids(lists["participants"], "participantID")
    if nodes is None or edges is None or people is None:
        notices.append(Notice("ids-unclear", f"two entries claim one {OWN}: the ids are those that the file has"))
        return document
    document = _renamed(document, nodes)
    # Somebody who was filled in is the map's own once a service lets the same person say more.
    speaking = {as_text(each["personID"]) for each in lists["locutions"] if _added(each)}
    changed = {
        "nodes": [_own(node, "nodeID") for node in lists["nodes"]],
        "edges": [_own(renamed(edge, nodes), "edgeID") for edge in lists["edges"]],
        "participants": [
            _own(person, "participantID")
            for person in lists["participants"]
            if not _filled_in(person) or as_text(person.get("participantID")) in speaking
        ],
        "locutions": [
            {**renamed(record, nodes), "personID": people.get(as_text(record["personID"]), record["personID"])}
            if isinstance(record, dict) and "personID" in record
            else renamed(record, nodes)
            for record in lists["locutions"]
            if not _filled_in(record)
        ],
    }
    document["AIF"] |= {key: value for key, value in changed.items() if isinstance(aif.get(key), list)}
    return document


def _filled_in(entry: object) -> bool:
    return isinstance(entry, dict) and OWN in entry and entry[OWN] is None


def _added(record: object) -> bool:
    """Whether a locution record is as services add them."""
    return isinstance(record, dict) and record.keys() == {"nodeID", "personID"}


def _own(entry: Any, field: str) -> Any:
    """An entry under its own id; what was filled in is left out."""
    if not isinstance(entry, dict) or not isinstance(own := entry.get(OWN, 0), str | None):
        return entry
    rest = {key: value for key, value in entry.items() if key != OWN}
    if own is not None:
        rest[field] = own
    elif field == "edgeID":
        rest.pop(field, None)
    return rest
