"""RTNL, the script that Rationale saves a map as (``.rtnl``). Read only; nothing in it is run.

===============================  ===================================================================
RTNL                             AIF
===============================  ===================================================================
``Claim`` with ``SetText``       I-node under the name of its variable
``CompoundReason``               RA-node onto its parent, its claims the premises
``CompoundObjection``            CA-node onto its parent, its claims the premises
``Inference``                    stands for its parent: what is under it bears on that RA or CA
===============================  ===================================================================

There is no published description of the format. What is read here is what AIFdb reads and writes (``rtnl`` on
aifdb.org): boxes of other types are left out with a notice, and so are colours and places.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from aifgraph.errors import FormatError
from aifgraph.formats.codec import Codec
from aifgraph.formats.contents import not_held
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS

_PRELUDE_END: Final = "#-- End of Prelude --"
_REMEDY: Final = "give a map that Rationale saved"
_BOX = re.compile(
    r"""(?P<name>\w+)[ ]=[ ](?:
        Create\("(?P<root>\w+)"\)
        |CreateChild\((?P<parent>\w+),[ ]?"(?P<child>\w+)"\)
        |CreateAnnotation\(\w+,[ ]?"(?P<note>\w+)"\)
    )\s*\Z""",
    re.VERBOSE,
)
_TEXT_START = 'SetText("'
_TEXT_END = re.compile(r'"\)[ \t]*(?:\r?\n|\Z)')
_ESCAPE = re.compile(r"\\(?:([nrt\"'\\])|u([0-9a-fA-F]{4}))")
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "\\": "\\"}
_RELATIONS: Final = {"CompoundReason": "RA", "CompoundObjection": "CA"}


class Rtnl(Codec):
    """The map of a Rationale file."""

    name = "rtnl"
    title = "Rationale's RTNL"
    suffixes = (".rtnl",)
    writes = False
    loses = not_held(())

    def sniff(self, given: Input) -> bool:
        return re.match(rb"(?:\xef\xbb\xbf)?\s*#Rationale Version ", given.data) is not None

    def read(self, given: Input) -> ArgumentGraph:
        return _Reader(given).graph()


@dataclass
class _Box:
    """A box of the map: its type in Rationale, the boxes that it is under, and the claims under it."""

    type: str
    parents: list[str] = field(default_factory=list)
    text: str | None = None
    premises: dict[str, None] = field(default_factory=dict)


class _Reader:
    def __init__(self, given: Input) -> None:
        self.where = given.name
        self.text = given.text
        self.boxes: dict[str, _Box] = {}
        self.left_out: Counter[str] = Counter()

    def graph(self) -> ArgumentGraph:
        self._read_boxes()
        build = GraphBuilder(name=self.where)
        for name, box in self.boxes.items():
            if box.type == "Claim":
                build.proposition(box.text or "", id=name)
                self._find_premise(build, name, box)
        if not len(build.graph()):
            raise FormatError("no claim", where=self.where, remedy=_REMEDY)
        for name, box in self.boxes.items():
            targets = [target for parent in box.parents if (target := self._target(parent)) in build]
            if box.type in _RELATIONS and not targets:
                build.notice("relation-missing", f"{name} is under no claim, reason or objection: left out")
            elif box.type in _RELATIONS:
                kind = _RELATIONS[box.type]
                premises = [premise for premise in box.premises if premise != targets[0]]
                build.relation(kind, premises, targets[0], DEFAULT_TEXTS[kind], id=name)
                for target in dict.fromkeys(targets[1:]):
                    if target != targets[0] and target not in premises:
                        build.edge(name, target)
        if self.left_out:
            counts = ", ".join(f"{number} {type_}" for type_, number in self.left_out.most_common(10))
            build.notice("boxes-left-out", f"boxes of types that are not known are left out: {counts}")
        return build.graph(form="rtnl")

    def _read_boxes(self) -> None:
        place = max(self.text.find(_PRELUDE_END), 0)
        current: _Box | None = None
        while place < len(self.text):
            end = self.text.find("\n", place)
            end = len(self.text) if end < 0 else end + 1
            if self.text.startswith(_TEXT_START, place):
                start = place + len(_TEXT_START)
                closing = _TEXT_END.search(self.text, start)
                if closing is None:
                    raise self._error("a text that does not end", place)
                if current is not None and current.text is None:
                    current.text = _unescaped(self.text[start : closing.start()])
                end = closing.end()
            elif " = Create" in self.text[place:end]:
                match = _BOX.match(self.text[place:end])
                if match is None:
                    raise self._error("a box that cannot be read", place)
                current = self._box(match, place)
            place = end

    def _box(self, match: re.Match[str], place: int) -> _Box:
        name, parent = match["name"], match["parent"]
        type_ = match["root"] or match["child"] or match["note"]
        box = self.boxes.setdefault(name, _Box(type_))
        # AIFdb writes a claim that bears on two others under each of them, by the same name.
        if box.type != type_:
            raise self._error(f"{name} is a {box.type} and a {type_}", place)
        if type_ not in ("Claim", "Inference", *_RELATIONS) or match["note"]:
            self.left_out[type_] += 1
        if parent is not None:
            if parent not in self.boxes or parent == name:
                raise self._error(f"{parent} is no box above {name}", place)
            if parent not in box.parents:
                box.parents.append(parent)
        return box

    def _find_premise(self, build: GraphBuilder, name: str, box: _Box) -> None:
        for parent in box.parents:
            if self.boxes[parent].type in _RELATIONS:
                self.boxes[parent].premises[name] = None
            else:
                build.notice("relation-missing", f"{name} is under {parent}, which is no reason or objection", name)

    def _target(self, name: str) -> str:
        """The box that something under ``name`` bears on."""
        box = self.boxes[name]
        return box.parents[0] if box.type == "Inference" and box.parents else name

    def _error(self, what: str, place: int) -> FormatError:
        line = self.text.count("\n", 0, place) + 1
        return FormatError(what, where=f"{self.where}, line {line}", remedy=_REMEDY)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED[match[1]] if match[1] else chr(int(match[2], 16)), text)
