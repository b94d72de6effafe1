"""A document of AIF JSON under ids of one type, for AMF's services under such as they can count on, and the same under
the map's own again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from aifgraph.formats.aif.ids import OWN, Ids, as_text, kept, naming, numbered, of_one_type, own_ids, renamed
from aifgraph.graph import Notice
from aifgraph.text.markup import moved_marks

#: What the map's own object always has.
SECTIONS: Final = ("nodes", "edges", "schemefulfillments", "descriptorfulfillments", "participants", "locutions")
#: Those whose entries have ids of their own, or name people.
_OWN_SECTIONS: Final = frozenset({"nodes", "edges", "participants", "locutions"})


def embedded(text: object) -> str | None:
    """The source text in the ``text`` field, or None where there is none."""
    if isinstance(text, dict):
        text = text.get("txt")
    return text if isinstance(text, str) else None


def consistent(document: dict[str, Any], *, numbering: bool = False) -> dict[str, Any]:
    """The document with ids of one type, and every end of an edge as its node's entry has the id; ``numbering`` makes
    others of the ids that AMF's services could not count on."""
    aif = document["AIF"]
    lists = {section: aif.get(section) or [] for section in SECTIONS}
    own = [node["nodeID"] for node in lists["nodes"]]
    named = list(naming([{**document, "AIF": None}, {**aif, "nodes": None}]))
    lines = _ids(lists["edges"], "edgeID")
    who = _ids(lists["participants"], "participantID") + _ids(lists["locutions"], "personID")
    if not numbering and all(type(each) is str for each in (*own, *named, *lines, *who)):
        return document
    nodes = of_one_type(own, named, numbering=numbering)
    edges = of_one_type(lines, numbering=numbering)
    people = _people(lists["participants"], lists["locutions"], numbering)
    document = _renamed(document, nodes)
    changed = {
        "nodes": [kept(dict(node), "nodeID", nodes) for node in lists["nodes"]],
        "edges": [kept(renamed(edge, nodes), "edgeID", edges) for edge in lists["edges"]],
        "participants": [kept(dict(person), "participantID", people) for person in lists["participants"]],
        "locutions": [_said_by(renamed(record, nodes), people) for record in lists["locutions"]],
    }
    document["AIF"] |= {section: entries for section, entries in changed.items() if entries}
    return document


def _said_by(record: dict[str, Any], people: Mapping[str, str | int]) -> dict[str, Any]:
    who = record.get("personID")
    return record if who is None else {**record, "personID": people.get(as_text(who), who)}


def _people(participants: list[dict[str, Any]], locutions: list[dict[str, Any]], numbering: bool) -> Ids:
    """What the ids of people are written as: the file's own say of what type. Only who is listed is numbered."""
    own = _ids([person for person in participants if OWN not in person], "participantID")
    listed, speaking = _ids(participants, "participantID"), _ids(locutions, "personID")
    known = set(map(as_text, listed))
    named = (each for each in speaking if as_text(each) in known)
    numbers = of_one_type((*own, *named, *listed), speaking, numbering=numbering)
    others = [each for each in speaking if as_text(each) not in known]
    typed = of_one_type((*numbers.values(), *others), numbering=False)
    return {id_: typed[str(number)] for id_, number in numbers.items()} | {
        id_: typed[id_] for id_ in map(as_text, others)
    }


def _ids(entries: list[dict[str, Any]], field: str) -> list[Any]:
    return [id_ for entry in entries if (id_ := entry.get(field)) is not None]


def _renamed(document: Mapping[str, Any], nodes: Mapping[str, str | int]) -> dict[str, Any]:
    """A document with other ids of its nodes wherever it names them, but for the entries that have their own."""
    aif = {key: value if key in _OWN_SECTIONS else renamed(value, nodes) for key, value in document["AIF"].items()}
    rest = {key: renamed(value, nodes) for key, value in document.items() if key != "AIF"}
    text, new = document.get("text"), numbered(nodes)
    if new and (marked := embedded(text)) is not None:
        marked = moved_marks(marked, new)
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
            _said_by(renamed(record, nodes), people) if isinstance(record, dict) else record
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
