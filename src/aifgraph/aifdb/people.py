"""The names of the people whom locutions of fetched maps name by number: each is asked for once, and kept beside the
maps, in ``nodesetN.people``: JSON, by the person's id an entry as AIF has it, or null where the server has no name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from aifgraph.aifdb.manifest import Manifest
from aifgraph.errors import AifgraphError, LimitError, NotFoundError, RemoteError
from aifgraph.formats.aif.read import PEOPLE, people_in
from aifgraph.formats.files import Input, json_text
from aifgraph.formats.io import read_input
from aifgraph.graph.people import NAMELESS, nameless

if TYPE_CHECKING:
    from aifgraph.aifdb.client import AIFdb

#: People in a row for whom the server fails: it has gone, and the next run asks again.
_MAX_FAILURES = 3


def fetch_people(client: AIFdb, manifest: Manifest, numbers: Iterable[int]) -> tuple[list[str], bool]:
    """Ask for the people of maps that are here; gives what there is to say, and whether all could be asked for."""
    waiting: dict[int, set[str]] = {}
    for number in numbers:
        if manifest.state(f"nodeset{number}.json") == "done":
            people = _unnamed(manifest.read(f"nodeset{number}.json"))
            if people - _kept(manifest, f"nodeset{number}{PEOPLE}").keys():
                waiting[number] = people
    known: dict[str, dict[str, Any] | None] = {}
    if waiting:
        for name in [name for name in manifest.files if name.endswith(PEOPLE)]:
            known |= _kept(manifest, name)
    failures, unnamed, remarks = 0, set[str](), list[str]()
    for number, people in waiting.items():
        for person in sorted(people - known.keys(), key=int):
            if failures == _MAX_FAILURES:
                break
            try:
                who = client.person(person)
                known[person] = {"participantID": person, "firstname": who.first_name, "surname": who.surname}
                failures = 0
            except NotFoundError:
                known[person], failures = None, 0
            except (RemoteError, LimitError) as error:
                failures += 1
                remarks += [f"no more names of people in this run ({error})"] if failures == _MAX_FAILURES else []
        if people <= known.keys():
            entries = {person: known[person] for person in sorted(people, key=int)}
            stored = json_text(entries).encode()
            manifest.save(f"nodeset{number}{PEOPLE}", stored, f"{client.base_url}/people")
            if None in entries.values():
                unnamed |= _nameless(manifest.read(f"nodeset{number}.json") or b"", stored)
    if unnamed:
        remarks.append(f"{len(unnamed)} {NAMELESS}, on the server too: they stay numbers")
    return remarks, all(people <= known.keys() for people in waiting.values())


def _kept(manifest: Manifest, name: str) -> dict[str, dict[str, Any] | None]:
    """Who was asked for already; nobody where the file is not there or is damaged."""
    try:
        return people_in(manifest.read(name) or b"{}", name) if manifest.state(name) == "done" else {}
    except AifgraphError:
        return {}


def _nameless(data: bytes, people: bytes) -> set[str]:
    """Who stays a number in a map: its texts may name those whom the server does not."""
    try:
        return nameless(read_input(Input("map.json", data, ".json", {PEOPLE: people}.get), "aif"))
    except AifgraphError:
        return set()


def _unnamed(data: bytes | None) -> set[str]:
    """The ids of people who speak in a map that does not say who they are."""
    try:
        document = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return set()
    aif: Any = document.get("AIF", document) if isinstance(document, dict) else {}
    if not isinstance(aif, dict):
        return set()

    def ids(section: str, key: str) -> set[str]:
        entries = aif.get(section)
        listed = [entry.get(key) for entry in entries or () if isinstance(entry, dict)] if entries else []
        return {
            str(value) for value in listed if str(value).isascii() and str(value).isdigit() and len(str(value)) < 19
        }

    return ids("locutions", "personID") - ids("participants", "participantID")
