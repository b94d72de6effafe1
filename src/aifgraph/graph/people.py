"""The people of a map that is built, and what they said: who is listed, whom records name, and who is meant by
``speaker=``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from aifgraph.errors import InputError, OptionError
from aifgraph.graph.ids import NewIds
from aifgraph.graph.meta import LocutionRecord, Participant, speaker_prefix
from aifgraph.graph.nodes import EMPTY, Locution, Node, make_node

if TYPE_CHECKING:
    from aifgraph.graph.graph import ArgumentGraph


#: The nodes whose texts say who is called what.
Texts = Mapping[str, Node]

#: What reports call those whom ``nameless`` finds.
NAMELESS: Final = "speakers without a name"


def nameless(graph: ArgumentGraph) -> set[str]:
    """The ids of people whom records of locutions name by nothing but a number: nobody of the id is listed, and the
    text of the locution does not begin with a name."""
    silent = (node for node in graph.locutions if (who := graph.speaker_of(node)) is None or not who.name)
    return {record.person_id for node in silent for record in graph.records_of(node) if record.person_id}


class People:
    """The participants of a map, and its locution records with those whom they name (AIFdb's maps list nobody)."""

    def __init__(self, participants: Iterable[Participant], records: Iterable[LocutionRecord]) -> None:
        self.listed, self.records = list(participants), list(records)
        people = [person.id for person in self.listed]
        self._ids_listed = set(people)
        self._ids = NewIds([*people, *(record.person_id for record in self.records if record.person_id)])

    def participant(self, first_name: str, surname: str, id_: object, record: Mapping[str, Any], nodes: Texts) -> str:
        """A person, who is somebody of the map where the name is; ``id_`` or ``record`` make another one."""
        person = first_name, surname
        whole = Participant("", *person).name
        if not surname:
            person = split_name(first_name)
        if id_ is None and not record and (same := self._only(whole, nodes, exact=True)):
            return self._list(same, nodes)
        return self.add(*person, id_, record)

    def add(self, first_name: str, surname: str, id_: object, record: Mapping[str, Any]) -> str:
        """One more person; gives the id."""
        if id_ is not None and str(id_) in self._ids_listed:
            raise InputError(
                "a participant id is given twice", where=f"participant {id_}"[:200], remedy="give each person one"
            )
        key = self._ids.next() if id_ is None else str(id_)
        self._ids.take(key)
        self._ids_listed.add(key)
        self.listed.append(Participant(key, first_name, surname, record))
        return key

    def record(self, record: LocutionRecord) -> str:
        """One more locution record; gives the id of the locution."""
        if record.person_id is not None:
            self._ids.take(record.person_id)
        self.records.append(record)
        return record.node_id

    def said(self, locution: str, person: str | None, time: str | None) -> None:
        """Another person or time for all records of a locution, or for a first one; what is None stays."""
        if all(record.node_id != locution for record in self.records):
            self.records.append(LocutionRecord(locution))
        self.records = [
            replace(record, person_id=person or record.person_id, start=time or record.start)
            if record.node_id == locution
            else record
            for record in self.records
        ]

    def said_by(self, locution: Node, person: str, nodes: Texts) -> str:
        """The text of a locution that somebody else says: with the new name where it begins with the old one."""
        ids = [record.person_id for record in self.records if record.node_id == locution.id and record.person_id]
        prefix = speaker_prefix(locution.text)
        name = self._name_of(person, nodes)
        if not prefix or not name or (ids and prefix not in (self._name_of(id_, nodes) for id_ in ids)):
            return locution.text
        return locution.text.replace(prefix, name, 1)

    def somebody(self, person: object, nodes: Texts) -> str:
        """The id of a person who is there: listed, named by a record, or by the text of a locution.

        Raises:
            InputError: nobody is meant, or several people.
        """
        name = person.name if isinstance(person, Participant) else str(person)
        called = {_folded(each.name) for each in self.listed}
        called |= {_folded(speaker_prefix(node.text)) for node in nodes.values() if isinstance(node, Locution)}
        if name not in self._ids.taken and _folded(name) not in called:
            raise InputError(f"there is no person {name!r}"[:200], remedy="give a person, an id or a name of the map")
        return self.meant(person, nodes)

    def renamed(self, person: str, first_name: str | None, surname: str | None, nodes: Texts) -> dict[str, Node]:
        """Another name for somebody, who is listed then; the locutions whose texts began with the old one."""
        old = self._name_of(person, nodes)
        if person not in self._ids_listed:
            self.add(*split_name(old), person, EMPTY)
        place = next(index for index, each in enumerate(self.listed) if each.id == person)
        first = self.listed[place].first_name if first_name is None else first_name
        last = self.listed[place].surname if surname is None else surname
        new = Participant(person, first.strip(), last.strip(), self.listed[place].record)
        if not new.name:
            raise OptionError("a person without a name", remedy="give a pseudonym: first_name='Speaker', surname='1'")
        self.listed[place] = new
        who = {record.node_id: record.person_id for record in self.records if record.person_id}
        return {
            id_: make_node(node.type, id_, node.text.replace(prefix, new.name, 1), node.schemes, node.record)
            for id_, node in nodes.items()
            if isinstance(node, Locution) and who.get(id_, person) == person and (prefix := speaker_prefix(node.text))
            if _folded(prefix) == _folded(old)
        }

    def _name_of(self, person: str, nodes: Texts) -> str:
        """What somebody is called: in the list, else where the first text of theirs begins."""
        for listed in self.listed:
            if listed.id == person:
                return listed.name
        texts = (
            nodes[each.node_id].text for each in self.records if each.person_id == person and each.node_id in nodes
        )
        return next(filter(None, map(speaker_prefix, texts)), "")

    def meant(self, speaker: object, nodes: Texts) -> str:
        """The id of a speaker, given as an id, a ``Participant`` or a name; a name that is new is a new person.

        Raises:
            InputError: nobody has the id, or several people have the name.
        """
        if isinstance(speaker, Participant):
            if any(person.id == speaker.id and person.name == speaker.name for person in self.listed):
                return speaker.id
            name = speaker.name
        else:
            name = str(speaker)
            if name in self._ids.taken:
                return name
        if same := self._only(name, nodes):
            return same
        if not name.strip() or _form(name) in {"0", *map(_form, self._ids.taken)}:
            raise InputError(
                f"there is no participant {name!r}"[:200],
                remedy="make one first: speaker=build.participant('Ann', 'Lee')",
            )
        return self.add(*split_name(name), None, EMPTY)

    def heard(self, person: str, text: str, nodes: Texts) -> None:
        """Somebody says a text: where that does not begin with the name, the person has to be listed to be known."""
        prefix = speaker_prefix(text)
        if not prefix or _folded(prefix) != _folded(self._name_of(person, nodes)):
            self._list(person, nodes)

    def _list(self, person: str, nodes: Texts) -> str:
        """List somebody whom texts alone name, if they give one name; the id."""
        if person not in self._ids_listed:
            said = (
                nodes[each.node_id].text for each in self.records if each.person_id == person and each.node_id in nodes
            )
            names = {_folded(name): name for name in map(speaker_prefix, said) if name}
            if len(names) == 1:
                self.add(*split_name(*names.values()), person, EMPTY)
        return person

    def _only(self, name: str, nodes: Texts, *, exact: bool = False) -> str:
        """The id of the one person who has a name; empty where nobody has it. Users Bob and bob are two (``exact``)."""
        ids = self._of_name(name, nodes)
        if exact:
            ids = {id_ for id_ in ids if self._name_of(id_, nodes).split() == name.split()}
        if len(ids) > 1:
            what = f"{len(ids)} people are called {name!r}"[:200]
            raise InputError(what, remedy=f"give the id: {', '.join(sorted(ids)[:10])}")
        return ids.pop() if ids else ""

    def _of_name(self, name: str, nodes: Texts) -> set[str]:
        wanted = _folded(name)
        listed = {person.id for person in self.listed if person.id and _folded(person.name) == wanted}
        # People who are not listed are called as the texts of their locutions begin.
        return listed or {
            record.person_id
            for record in self.records
            if record.person_id
            and record.person_id not in self._ids_listed
            and record.node_id in nodes
            and _folded(speaker_prefix(nodes[record.node_id].text)) == wanted
        }


def split_name(name: str) -> tuple[str, str]:
    """First name and surname of a whole name.

    >>> split_name("Ann van Dam")
    ('Ann', 'van Dam')
    """
    first, _, surname = name.strip().partition(" ")
    return first, surname.strip()


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _form(id_: str) -> str:
    """What ids of one file have in common: what looks like an id is no name."""
    return re.sub(r"\d+", "0", id_)
