"""Argdown's JSON export: equivalence classes, arguments with their premise-conclusion structures, and relations."""

from __future__ import annotations

from typing import Any

from aifgraph.errors import FormatError
from aifgraph.formats.argdown.model import (
    SYMMETRIC,
    Argdown,
    Argument,
    End,
    Statement,
    graph_of,
    sections_from,
    steps_of,
    strings,
)
from aifgraph.formats.codec import Codec
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph

_KINDS = ("support", "attack", "undercut", "entails", *SYMMETRIC)
_REMEDY = "give the JSON export of Argdown"


class ArgdownJson(Codec):
    """What ``argdown json`` gives."""

    name = "argdown-json"
    title = "Argdown JSON export"
    suffixes = (".json",)
    writes = False

    def sniff(self, file: Input) -> bool:
        document = file.json_object
        arguments = document.get("arguments")
        if "nodes" in document:
            return False
        drawn = document.get("map")
        if not isinstance(arguments, dict) and not (isinstance(drawn, dict) and isinstance(drawn.get("nodes"), list)):
            return False
        return b'"relationType"' in file.data or b'"statements"' in file.data

    def read(self, file: Input) -> ArgumentGraph:
        return graph_of(_Reader(file).document(), file.name, self.name)


class _Reader:
    def __init__(self, file: Input) -> None:
        self.where = file.name
        whole = file.json
        if not isinstance(whole, dict):
            raise FormatError("not a JSON object", where=self.where, remedy=_REMEDY)
        self.whole: dict[str, Any] = whole
        self.out = Argdown()

    def document(self) -> Argdown:
        for title, entry in self._objects("statements"):
            self._fill(self.out.entry(End(title)), entry)
        for title, entry in self._objects("arguments"):
            argument = self.out.arguments.setdefault(title, Argument())
            self._fill(argument, entry)
            pcs = entry.get("pcs")
            if isinstance(pcs, list) and pcs:
                argument.steps = steps_of(self._numbered(pcs, title))
        relations = self.whole.get("relations")
        if isinstance(relations, list):
            for index, entry in enumerate(relations):
                self._relation(entry, f"relations[{index}]")
        if not self.out.statements and not self.out.arguments:
            self._drawn()
        if not {"statements", "arguments", "map"} & self.whole.keys():
            raise FormatError("neither statements nor arguments", where=self.where, remedy=_REMEDY)
        self.out.sections = sections_from(self.whole.get("sections"))
        front = self.whole.get("frontMatter")
        self.out.front = front if isinstance(front, dict) else {}
        return self.out

    def _fill(self, known: Statement, entry: dict[str, Any]) -> None:
        known.text = self._text(entry)
        known.tags = strings(entry.get("tags"))
        known.data = entry["data"] if isinstance(entry.get("data"), dict) else {}
        known.section = entry["section"] if isinstance(entry.get("section"), str) else None

    def _drawn(self) -> None:
        """What the map shows, for exports that hold no more."""
        drawn = self.whole.get("map")
        boxes, arrows = (drawn.get(key) for key in ("nodes", "edges")) if isinstance(drawn, dict) else ((), ())
        known: dict[str, End] = {}
        for box in boxes if isinstance(boxes, list) else ():
            if isinstance(box, dict) and isinstance(box.get("id"), str):
                title, text = box.get("title"), box.get("labelText")
                end = End(str(title or box["id"]), str(box.get("type", "")).startswith("argument"))
                known[box["id"]] = end
                self.out.entry(end).text = text if isinstance(text, str) else None
        for index, arrow in enumerate(arrows if isinstance(arrows, list) else ()):
            place = f"map.edges[{index}]"
            ends = [arrow.get(side) for side in ("from", "to")] if isinstance(arrow, dict) else [None]
            ids = [str(end.get("id") if isinstance(end, dict) else end) for end in ends]
            if len(ids) != 2 or not all(id_ in known for id_ in ids):
                raise FormatError("an edge with an unknown end", where=f"{self.where}, {place}", remedy=_REMEDY)
            source, target = (known[id_] for id_ in ids)
            kinds = {False: "equivalence-class", True: "argument"}
            named = {"from": source.title, "to": target.title}
            types = {"fromType": kinds[source.argument], "toType": kinds[target.argument]}
            self._relation({**arrow, **named, **types}, place)

    def _objects(self, section: str) -> list[tuple[str, dict[str, Any]]]:
        entries = self.whole.get(section, {})
        if not isinstance(entries, dict) or not all(isinstance(each, dict) for each in entries.values()):
            raise FormatError(f"{section}: no object of objects", where=self.where, remedy=_REMEDY)
        return list(entries.items())

    def _text(self, entry: dict[str, Any]) -> str | None:
        """What the last place says that is no reference, or the one that is marked as canonical."""
        members = entry.get("members")
        said = [
            member
            for member in (members if isinstance(members, list) else ())
            if isinstance(member, dict) and not member.get("isReference")
        ]
        for member in reversed(said):
            data = member.get("data")
            if isinstance(data, dict) and data.get("isCanonical"):
                said.append(member)
                break
        text = said[-1].get("text", "") if said else None
        return text if isinstance(text, str) else None

    def _numbered(self, pcs: list[Any], title: str) -> list[tuple[str, list[str] | None, dict[str, Any]]]:
        numbered: list[tuple[str, list[str] | None, dict[str, Any]]] = []
        for number, entry in enumerate(pcs, 1):
            if not isinstance(entry, dict):
                raise FormatError("no statement", where=f"{self.where}, {title} ({number})", remedy=_REMEDY)
            own = entry.get("title")
            own = own if isinstance(own, str) and own else f"{title} ({number})"
            known = self.out.entry(End(own))
            text = entry.get("text")
            if known.text is None and isinstance(text, str) and not entry.get("isReference"):
                known.text = text
            inference = entry.get("inference")
            if "conclusion" not in str(entry.get("role", "")) and not isinstance(inference, dict):
                numbered.append((own, None, {}))
                continue
            inference = inference if isinstance(inference, dict) else {}
            data, rules = inference.get("data"), inference.get("inferenceRules")
            named = [str(rule) for rule in rules] if isinstance(rules, list) else []
            numbered.append((own, named, data if isinstance(data, dict) else {}))
        return numbered

    def _relation(self, entry: Any, place: str) -> None:
        where = f"{self.where}, {place}"
        if not isinstance(entry, dict):
            raise FormatError("no relation", where=where, remedy=_REMEDY)
        kind = {"contradiction": "contradictory"}.get(str(entry.get("relationType")), str(entry.get("relationType")))
        if kind not in _KINDS:
            raise FormatError(
                f"a relation of unknown type {kind}", where=where, remedy=f"known are {', '.join(_KINDS)}"
            )
        ends = []
        for side in ("from", "to"):
            title, type_ = entry.get(side), str(entry.get(f"{side}Type", ""))
            if not isinstance(title, str):
                raise FormatError(f"a relation without {side}", where=where, remedy=_REMEDY)
            argument = type_ == "argument" or ((type_ == "inference" or not type_) and title in self.out.arguments)
            self.out.entry(End(title, argument))
            step = entry.get("conclusionIndex") if argument and type_ == "inference" else None
            ends.append(End(title, argument, step if type(step) is int else None))
        self.out.relations.append((kind, ends[0], ends[1]))
