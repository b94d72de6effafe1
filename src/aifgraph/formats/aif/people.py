"""Who speaks in a map, for formats in which every speaker is a person of the map with a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aifgraph.formats.aif.ids import WHOLE, as_text
from aifgraph.graph import ArgumentGraph, LocutionRecord, Participant
from aifgraph.graph.meta import speaker_prefix
from aifgraph.graph.people import split_name


def speaking(graph: ArgumentGraph) -> tuple[list[Participant], list[LocutionRecord]]:
    """The people of a map and its locution records, which name nobody else; the records that are nobody's are left out.

    People are those that the map lists, and those that the texts of its locutions name (``Ann Lee: …``): AIFdb's
    downloads list nobody. Those of one name are one.
    """
    people: dict[str, Participant] = {}
    by_name: dict[str, str] = {}
    same: dict[str, str] = {}
    for person in graph.meta.participants:
        kept = by_name.setdefault(folded(person.name), person.id) if person.name else person.id
        same.setdefault(person.id, kept)
        people.setdefault(kept, person)
    names = {node.id: speaker_prefix(node.text) for node in graph.locutions}
    free = free_number({*people, *(record.person_id for record in graph.meta.locutions)})
    heard: dict[str, set[str]] = {}  # the people whom texts name where a record has an id that nobody is listed under

    def named(name: str, id_: str | None) -> str:
        nonlocal free
        key = folded(name)
        if key not in by_name:
            if id_ is None or id_ in people or id_ in same:
                id_, free = str(free), free + 1
            by_name[key], people[id_] = id_, named_person(id_, name)
        return by_name[key]

    found: list[tuple[LocutionRecord, str | None]] = []
    for record in graph.meta.locutions:
        who = same.get(record.person_id or "")
        if who is None and (name := names.get(record.node_id, "")):
            who = named(name, record.person_id)
            heard.setdefault(record.person_id or "", set()).add(who)
        found.append((record, who))
    records: dict[LocutionRecord, None] = {}
    for record, who in found:
        if who is None and len(others := heard.get(record.person_id or "", set())) == 1:
            who = min(others)
        if who is not None:
            records[replace(record, person_id=who)] = None
    recorded = {record.node_id for record in graph.meta.locutions}
    for id_, name in names.items():
        if name and id_ not in recorded:
            records[LocutionRecord(id_, named(name, None))] = None
    return list(people.values()), list(records)


def free_number(ids: Iterable[object]) -> int:
    """The first number after those that ids are."""
    return 1 + max((int(key) for id_ in ids if WHOLE.match(key := as_text(id_))), default=0)


def folded(name: str) -> str:
    """A name as it is compared."""
    return " ".join(name.casefold().split())


def named_person(id_: str, name: str) -> Participant:
    """A person by the whole name."""
    return Participant(id_, *split_name(name))
