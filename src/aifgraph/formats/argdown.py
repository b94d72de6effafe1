"""Argdown: the JSON that it exports is read (``argdown json``).

=========================  ==========================================================================================
Argdown                    AIF
=========================  ==========================================================================================
equivalence class          I-node under its title
argument, a sketch         I-node, marked ``argument``
argument, reconstructed    an RA-node for each step, its rules the schemes
support, entails           RA-node (``strict`` where it is entailed); from an argument: from its conclusion
attack                     CA-node
contrary, contradictory    two CA-nodes, one each way, marked ``symmetric``
undercut                   CA-node onto the RA-node of the argument (of a sketch: onto the RA-node that it makes)
=========================  ==========================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from aifgraph.errors import FormatError
from aifgraph.formats.trees import fresh_ids
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS, named_scheme

_SYMMETRIC: Final = ("contrary", "contradictory")
_KINDS: Final = ("support", "attack", "undercut", "entails", *_SYMMETRIC)


def sniff(document: Any) -> bool:
    """Return whether a JSON document is an export of Argdown."""
    if not isinstance(document, dict) or "nodes" in document:
        return False
    return isinstance(document.get("arguments"), dict) and ("statements" in document or "relations" in document)


def read(document: Any, text: str | None = None) -> ArgumentGraph:
    """Read the JSON export of Argdown."""
    if not isinstance(document, dict) or not {"statements", "arguments"} & document.keys():
        raise FormatError("neither statements nor arguments", remedy="give the JSON export of Argdown")
    return _Reader(document).graph()


@dataclass
class _Step:
    """One inference of an argument: its premises and conclusion by title, and the place of its conclusion."""

    premises: list[str]
    conclusion: str
    rules: list[str]
    place: int
    node: str = ""


@dataclass
class _Entry:
    """What is known of a statement or an argument, and the node of a statement or a sketch."""

    title: str
    is_argument: bool
    text: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    steps: list[_Step] = field(default_factory=list)
    node: str = ""
    #: The first RA-node that a sketch supports by.
    support: str = ""


class _Reader:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.entries: dict[tuple[str, bool], _Entry] = {}
        #: Kind, source, target, and the place of the inference that it leads to.
        self.relations: list[tuple[str, _Entry, _Entry, object]] = []
        self.build = GraphBuilder()
        self.inferences: set[str] = set()
        self.titles: set[str] = set()
        self.relation_ids = fresh_ids("R", self.titles)

    def graph(self) -> ArgumentGraph:
        for title, entry in self._objects("statements"):
            self._describe(self._entry(title), entry)
        for title, entry in self._objects("arguments"):
            argument = self._entry(title, True)
            self._describe(argument, entry)
            argument.steps = list(self._steps(_listed(entry.get("pcs")), title))
        for index, entry in enumerate(_listed(self.document.get("relations"))):
            self._read_relation(entry, f"relations[{index}]")
        self._add_entries()
        # Undercuts come last: what they attack has to be there.
        for relation in sorted(self.relations, key=lambda relation: relation[0] == "undercut"):
            self._relate(*relation)
        return self.build.graph()

    def _entry(self, title: str, is_argument: bool = False) -> _Entry:
        return self.entries.setdefault((title, is_argument), _Entry(title, is_argument))

    def _objects(self, section: str) -> Iterator[tuple[str, dict[str, Any]]]:
        entries = self.document.get(section, {})
        if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
            raise FormatError(f"{section}: no object of objects")
        yield from entries.items()

    def _describe(self, known: _Entry, entry: dict[str, Any]) -> None:
        """Take the text that is marked as canonical, else the last that is no reference; tags, data and section."""
        members = [member for member in _listed(entry.get("members")) if isinstance(member, dict)]
        said = [member for member in members if not member.get("isReference")]
        canonical = [member for member in said if _fields(member.get("data")).get("isCanonical")]
        text = (canonical or said)[-1].get("text", "") if said else None
        known.text = text if isinstance(text, str) else None
        known.extra = {key: entry[key] for key in ("tags", "data", "section") if entry.get(key)}

    def _steps(self, pcs: list[Any], title: str) -> Iterator[_Step]:
        """Yield the inferences of a premise-conclusion structure.

        An inference starts from what its data names under ``uses``, else from everything since the conclusion before,
        that one included.
        """
        titles: list[str] = []
        premises: list[str] = []
        for place, entry in enumerate(pcs):
            if not isinstance(entry, dict):
                raise FormatError("no statement", where=f"{title} ({place + 1})")
            own = entry.get("title")
            own = own if isinstance(own, str) and own else f"{title} ({place + 1})"
            known, text = self._entry(own), entry.get("text")
            if known.text is None and isinstance(text, str) and not entry.get("isReference"):
                known.text = text
            titles.append(own)
            inference, role = entry.get("inference"), str(entry.get("role", ""))
            # In exploded arguments the premise of a later step has the inference of an earlier one.
            if "conclusion" not in role and (role or not isinstance(inference, dict)):
                premises.append(own)
                continue
            inference = _fields(inference)
            uses = _listed(_fields(inference.get("data")).get("uses"))
            if uses and all(type(use) is int and 0 < use <= place for use in uses):
                premises = [titles[use - 1] for use in uses]
            rules, index = _listed(inference.get("inferenceRules")), inference.get("conclusionIndex")
            yield _Step(premises, own, [str(rule) for rule in rules], index if type(index) is int else place)
            premises = [own]

    def _read_relation(self, entry: Any, where: str) -> None:
        if not isinstance(entry, dict):
            raise FormatError("no relation", where=where)
        kind = str(entry.get("relationType")).replace("contradiction", "contradictory")
        if kind not in _KINDS:
            raise FormatError(f"a relation of unknown type {kind}", where=where)
        ends = []
        place = None
        for side in ("from", "to"):
            title, type_ = entry.get(side), str(entry.get(f"{side}Type", ""))
            if not isinstance(title, str):
                raise FormatError(f"a relation without {side}", where=where)
            is_argument = type_ == "argument" or (type_ in ("", "inference") and (title, True) in self.entries)
            ends.append(self._entry(title, is_argument))
            place = entry.get("conclusionIndex") if type_ == "inference" else None
        self.relations.append((kind, ends[0], ends[1], place))

    def _add_entries(self) -> None:
        self.titles.update(title for title, _ in self.entries)
        # Arguments come last: the statements that they are made of have to be there.
        for entry in sorted(self.entries.values(), key=lambda entry: entry.is_argument):
            text = entry.title if entry.text is None else entry.text
            if not entry.is_argument:
                entry.node = self.build.proposition(text, id=entry.title, extra=entry.extra)
            elif not entry.steps:
                id_ = self._free(entry.title if entry.title not in self.build else f"{entry.title} (argument)")
                entry.node = self.build.proposition(text, id=id_, extra={"argument": True, **entry.extra})
            for number in range(len(entry.steps)):
                self._add_step(entry, number)

    def _add_step(self, argument: _Entry, number: int) -> None:
        step, last, title = argument.steps[number], len(argument.steps) - 1, argument.title
        step.node = id_ = self._free(f"{title} ({number + 1})" if last else title)
        extra: dict[str, Any] = {"argument": title}
        if number == last:
            extra |= argument.extra | ({} if argument.text is None else {"description": argument.text})
        schemes = tuple(named_scheme(rule, "RA") for rule in step.rules)
        text = step.rules[0] if step.rules else DEFAULT_TEXTS["RA"]
        # By its edges, since a step that concludes what it begins with has no premise.
        self.build.node("RA", text, id=id_, schemes=schemes, extra=extra)
        for premise in dict.fromkeys(step.premises):
            if premise != step.conclusion:
                self.build.edge(self._entry(premise).node, id_)
        self.build.edge(id_, self._entry(step.conclusion).node)
        self.inferences.add(id_)

    def _free(self, wanted: str) -> str:
        id_, number = wanted, 2
        while id_ in self.build or (id_ != wanted and id_ in self.titles):
            id_, number = f"{wanted} {number}", number + 1
        return id_

    def _relate(self, kind: str, source: _Entry, target: _Entry, place: object) -> None:
        start = self._entry(source.steps[-1].conclusion).node if source.steps else source.node
        end = target.node
        if target.steps:
            end = next((step.node for step in target.steps if step.place == place), target.steps[-1].node)
        elif kind == "undercut" and target.support:
            end = target.support
        if start == end:
            what = f"{kind} of {target.title} by {source.title} joins no nodes and is left out"
            self.build.notice("relation-left-out", what)
            return
        if kind == "undercut" and end not in self.inferences:
            what = f"{target.title} has no inference; its undercut is read as an attack"
            self.build.notice("undercut-of-sketch", what, end)
        if kind in _SYMMETRIC:
            for one, other in ((start, end), (end, start)):
                if one not in self.inferences:
                    self._add_relation("CA", one, other, {"symmetric": kind})
        elif kind in ("attack", "undercut"):
            self._add_relation("CA", start, end, {})
        else:
            made = self._add_relation("RA", start, end, {"strict": True} if kind == "entails" else {})
            if source.is_argument and not source.steps:
                source.support = source.support or made

    def _add_relation(self, type_: str, source: str, target: str, extra: dict[str, Any]) -> str:
        made = self.build.relation(type_, [source], target, id=next(self.relation_ids), extra=extra)
        self.inferences.add(made)
        return made


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _fields(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
