"""brat standoff (``.ann`` next to ``.txt``), as in the argument-annotated essays (Stab and Gurevych 2017).

``T`` becomes an I-node with its places in the text, ``supports`` an RA-, ``attacks`` a CA-node. A claim's ``Stance``
relates it to the major claims; how is the option ``major``: to ``each`` of them, to one I-node that they are ``merge``d
into, or to the first, which the others ``rephrase`` (MA); ``none`` leaves it an attribute.
"""

from __future__ import annotations

import re
from typing import Any, Literal, get_args

from aifgraph.errors import FormatError
from aifgraph.formats.brat.write import write_brat
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, decode_source
from aifgraph.formats.json_fields import from_json
from aifgraph.formats.losses import ARGUMENT, with_places
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS

Major = Literal["each", "merge", "rephrase", "none"]
MAJOR: tuple[Major, ...] = get_args(Major)
RELATIONS = {
    "supports": "RA",
    "support": "RA",
    "attacks": "CA",
    "attack": "CA",
    "partial-attack": "CA",
    "contradicts": "CA",
    "semantically_same": "MA",
    "restates": "MA",
}
_T = re.compile(r"(T\d+)\t(\S+) (\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*)(?:\t(.*))?\Z")
_R = re.compile(r"(R\d+)\t(\S+) \S+:(\S+) \S+:(\S+)\s*\Z")
_A = re.compile(r"([AM]\d+)\t(\S+) (\S+)(?: (.*))?\Z")
_NOTE = re.compile(r"(#\d*)\t(\S+) (\S+)(?:\t(.*))?\Z")
_EQUIV = re.compile(r"\*\t(\S+)((?: \S+)+)\s*\Z")
_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:T\d+\t\S+ \d+ \d+|[AMREN#]\d*\t|\*\t)")


class Brat(Codec):
    """An annotation file, its text next to it."""

    name = "brat"
    title = "brat standoff"
    suffixes = (".ann",)
    supports = ARGUMENT | {"rephrases", "texts", "node ids", "source texts", "spans"}

    def sniff(self, given: Input) -> bool:
        return (
            _LINE.match(given.data[:4096]) is not None and re.search(rb"^T\d+\t", given.data, re.MULTILINE) is not None
        )

    def read(self, given: Input, *, major: Major = "each") -> ArgumentGraph:
        return _Reader(given, major).graph()

    def write(self, graph: ArgumentGraph) -> Written:
        ann, text = write_brat(with_places(graph))
        return Written(ann, {".txt": text})


class _Reader:
    def __init__(self, given: Input, major: str) -> None:
        self.given = given
        self.major = major
        self.build = GraphBuilder(name=given.name)
        self.units: dict[str, dict[str, Any]] = {}
        self.relations: list[tuple[str, str, str, str, str]] = []
        self.stances: list[tuple[str, str, str]] = []
        self.same: list[list[str]] = []
        self.other: list[str] = []

    def graph(self) -> ArgumentGraph:
        for number, line in enumerate(self.given.text.splitlines(), 1):
            if line.strip():
                self._line(line, f"{self.given.name}, line {number}")
        majors = [id_ for id_, unit in self.units.items() if unit["component"] == "MajorClaim"]
        merged = dict.fromkeys(majors[1:], majors[0]) if self.major == "merge" and majors else {}
        spans = []
        for id_, unit in self.units.items():
            home = merged.get(id_, id_)
            if home == id_:
                record = {key: unit[key] for key in ("component", "attributes", "notes") if unit.get(key)}
                self.build.proposition(unit["aif"] if unit["aif"] is not None else unit["text"], id=id_, record=record)
            spans += [Span(home, start, end) for start, end in unit["places"]]
        if merged:
            self.build.notice("units-merged", f"{len(merged) + 1} major claims are one node", majors[0])
        for id_, kind, source, target, where in self.relations:
            for end in (source, target):
                if end not in self.units:
                    raise FormatError(f"{id_} names {end}, which is not there", where=where)
            self._relate(
                id_, RELATIONS[kind.lower()], merged.get(source, source), merged.get(target, target), {"relation": kind}
            )
        for id_, source, stance in self.stances:
            self._stance(id_, source, stance, [each for each in majors if each not in merged])
        if self.major == "rephrase":
            for each in majors[1:]:
                self._relate(f"{each} MajorClaim", "MA", each, majors[0], {"stance": "MajorClaim"})
        for group in self.same:
            known = [merged.get(each, each) for each in group if each in self.units]
            for each in known[1:]:
                self._relate(f"{each} Equiv", "MA", each, known[0], {"relation": "Equiv"})
        self._source(spans)
        if self.other:
            self.build.notice("lines-unknown", f"{len(self.other)} lines have no place in AIF and are kept aside")
        return self.build.graph(form="brat", aif={"brat": self.other} if self.other else {})

    def _line(self, line: str, where: str) -> None:
        sign = line.lstrip("\ufeff")[:1]
        if sign == "T":
            found = _T.match(line)
            if found is None:
                raise FormatError("a T line that is not “T1, type, offsets, text”", where=where)
            id_, component, offsets, text = found.groups()
            if id_ in self.units:
                raise FormatError(f"the id {id_} is given twice", where=where, remedy="ids are unique in a file")
            places = [tuple(map(int, part.split())) for part in offsets.split(";")]
            if any(start > end or end > 10**12 for start, end in places):
                raise FormatError("offsets out of order", where=where)
            self.units[id_] = {
                "component": component,
                "text": text or "",
                "places": places,
                "attributes": [],
                "notes": [],
                "aif": None,
            }
        elif sign == "R":
            found = _R.match(line)
            if found is None:
                raise FormatError("an R line that is not “R1, type, two arguments”", where=where)
            if found.group(2).lower() in RELATIONS:
                id_, kind, source, target = found.groups()
                self.relations.append((id_, kind, source, target, where))
            else:
                self.other.append(line)
        elif sign in ("A", "M") and (found := _A.match(line.rstrip())) and found.group(3) in self.units:
            id_, name, unit, value = found.groups()
            self.units[unit]["attributes"].append([id_, name, value])
            if name == "Stance" and value in ("For", "Against"):
                self.stances.append((id_, unit, value))
        elif sign == "#" and (found := _NOTE.match(line)) and found.group(3) in self.units:
            kind, unit, note = found.group(2), self.units[found.group(3)], found.group(4) or ""
            if kind == "AifText" and note:
                unit["aif"] = str(from_json(f"[{note}]", list, where)[0])
            else:
                unit["notes"].append([kind, note])
        elif sign == "*" and (found := _EQUIV.match(line)):
            self.same.append(found.group(2).split())
        elif sign in "AMEN#*":
            self.other.append(line)
        else:
            raise FormatError(f"no brat annotation: {line[:40]}", where=where, remedy="give a brat .ann file")

    def _stance(self, id_: str, source: str, stance: str, majors: list[str]) -> None:
        if self.major == "none":
            return
        targets = majors[:1] if self.major == "rephrase" else majors
        for target in targets:
            if source != target:
                self._relate(f"{id_} {target}", "RA" if stance == "For" else "CA", source, target, {"stance": stance})

    def _relate(self, id_: str, type_: str, source: str, target: str, record: dict[str, Any]) -> None:
        if source == target or id_ in self.build:
            self.build.notice(
                "relation-left-out", f"{id_} relates {source} to itself or is given twice: left out", source
            )
            return
        text = DEFAULT_TEXTS[type_]
        self.build.relation(type_, [source], target, text, id=id_, record=record)

    def _source(self, spans: list[Span]) -> None:
        data = self.given.beside(".txt")
        if data is None:
            if spans:
                self.build.notice("text-missing", f"there is no {self.given.stem}.txt: the places in the text are lost")
            return
        text, notice = decode_source(data, f"{self.given.stem}.txt")
        if notice:
            self.build.notice(notice.code, notice.message)
        inside = tuple(span for span in spans if span.end <= len(text))
        if len(inside) < len(spans):
            self.build.notice("span-outside", f"{len(spans) - len(inside)} places are outside of the text and left out")
        self.build.source(SourceText(text, "given", inside))
