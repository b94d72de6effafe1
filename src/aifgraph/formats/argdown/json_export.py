"""Argdown's JSON export: equivalence classes, arguments with their premise-conclusion structures, and relations."""

from __future__ import annotations

from typing import Any

from aifgraph.errors import FormatError
from aifgraph.formats.argdown.model import HOLDS, OWN, SYMMETRIC, Argdown, End, Step, argdown_of, graph_of
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.contents import Losses, NodeIds, not_held
from aifgraph.formats.files import Input, json_text
from aifgraph.graph import ArgumentGraph

_KINDS = ("support", "attack", "undercut", "entails", *SYMMETRIC)
_REMEDY = "give the JSON export of Argdown"


class ArgdownJson(Codec):
    """What ``argdown json`` gives."""

    name = "argdown-json"
    title = "Argdown JSON export"
    suffixes = (".json",)
    loses = (*not_held(HOLDS), "joint premises")

    def sniff(self, given: Input) -> bool:
        if b'"relationType"' not in given.data and b'"statements"' not in given.data:
            return False
        document = given.json_object
        if "nodes" in document:
            return False
        drawn = document.get("map")
        return isinstance(document.get("arguments"), dict) or (
            isinstance(drawn, dict) and isinstance(drawn.get("nodes"), list)
        )

    def read(self, given: Input) -> ArgumentGraph:
        return graph_of(_Reader(given).document(), given.name, self.name)

    def write(self, graph: ArgumentGraph) -> Written:
        losses = Losses(graph, HOLDS, OWN)
        document = argdown_of(losses, NodeIds(losses, lambda id_: bool(id_)))
        return Written(json_text(_export(document)), losses.report())


class _Reader:
    def __init__(self, given: Input) -> None:
        self.where = given.name
        whole = given.json
        if not isinstance(whole, dict):
            raise FormatError("not a JSON object", where=self.where, remedy=_REMEDY)
        self.whole: dict[str, Any] = whole
        self.out = Argdown()

    def document(self) -> Argdown:
        for title, entry in self._objects("statements"):
            self.out.mention(End(title), self._member_text(entry))
        for title, entry in self._objects("arguments"):
            self.out.mention(End(title, True), self._member_text(entry))
            pcs = entry.get("pcs")
            if isinstance(pcs, list) and pcs:
                self.out.arguments[title].steps = self._steps(pcs, title)
        relations = self.whole.get("relations")
        if isinstance(relations, list):
            for index, entry in enumerate(relations):
                self._relation(entry, f"relations[{index}]")
        if not self.out.statements and not self.out.arguments:
            self._drawn()
        if not {"statements", "arguments", "map"} & self.whole.keys():
            raise FormatError("neither statements nor arguments", where=self.where, remedy=_REMEDY)
        return self.out

    def _drawn(self) -> None:
        """What the map shows, for exports that hold no more."""
        drawn = self.whole.get("map")
        boxes, arrows = (drawn.get(key) for key in ("nodes", "edges")) if isinstance(drawn, dict) else ((), ())
        known: dict[str, End] = {}
        for box in boxes if isinstance(boxes, list) else ():
            if isinstance(box, dict) and isinstance(box.get("id"), str):
                title, text = box.get("title"), box.get("labelText")
                end = End(str(title or box["id"]), str(box.get("type", "")).startswith("argument"))
                known[box["id"]] = self.out.mention(end, text if isinstance(text, str) else None)
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

    def _member_text(self, entry: dict[str, Any]) -> str | None:
        members = entry.get("members")
        for member in members if isinstance(members, list) else ():
            text = member.get("text") if isinstance(member, dict) else None
            if isinstance(text, str):
                return text
        return None

    def _steps(self, pcs: list[Any], title: str) -> list[Step]:
        steps: list[Step] = []
        premises: list[str] = []
        numbered: list[str] = []
        for number, entry in enumerate(pcs, 1):
            if not isinstance(entry, dict):
                raise FormatError("no statement", where=f"{self.where}, {title} ({number})", remedy=_REMEDY)
            own = entry.get("title")
            own = own if isinstance(own, str) and own else f"{title} ({number})"
            text = entry.get("text")
            self.out.mention(End(own), text if isinstance(text, str) else None)
            numbered.append(own)
            inference = entry.get("inference")
            if "conclusion" not in str(entry.get("role", "")) and not isinstance(inference, dict):
                premises.append(own)
                continue
            inference = inference if isinstance(inference, dict) else {}
            data = inference.get("data")
            uses = data.get("uses") if isinstance(data, dict) else None
            if isinstance(uses, list) and uses and all(type(use) is int and 0 < use < number for use in uses):
                premises = [numbered[use - 1] for use in uses]
            rules = inference.get("inferenceRules")
            steps.append(Step(premises, own, [str(rule) for rule in rules] if isinstance(rules, list) else []))
            premises = [own]
        return steps

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
            ends.append(self.out.mention(End(title, argument)))
        self.out.relations.append((kind, ends[0], ends[1]))


def _export(document: Argdown) -> dict[str, Any]:
    statements = {
        title: {
            "type": "equivalence-class",
            "title": title,
            "members": [{"type": "statement", "title": title, "text": text}],
        }
        for title, text in document.statements.items()
    }
    arguments: dict[str, Any] = {}
    for title, argument in document.arguments.items():
        members = (
            [] if argument.text is None else [{"type": "argument-description", "title": title, "text": argument.text}]
        )
        pcs: list[dict[str, Any]] = []
        for step in argument.steps:
            pcs += ({"type": "statement", "role": "premise", "title": premise} for premise in step.premises)
            inference = {"type": "inference", "inferenceRules": step.rules}
            pcs.append(
                {"type": "statement", "role": "main-conclusion", "title": step.conclusion, "inference": inference}
            )
        arguments[title] = {"type": "argument", "title": title, "members": members, "pcs": pcs}
    kinds = {False: "equivalence-class", True: "argument"}
    relations = [
        {
            "type": "relation",
            "relationType": kind,
            "from": source.title,
            "fromType": kinds[source.argument],
            "to": target.title,
            "toType": "inference" if kind == "undercut" else kinds[target.argument],
        }
        for kind, source, target in document.relations
    ]
    return {"arguments": arguments, "statements": statements, "relations": relations}
