"""brat standoff (``.ann`` next to ``.txt``), as in the argument-annotated essays (Stab and Gurevych 2017).

``T`` becomes an I-node with its places in the text, ``supports`` an RA-, ``attacks`` a CA-node. A claim's ``Stance``
relates it to the major claims; how is the option ``major``: to ``each`` of them, to one I-node that they are ``merge``d
into, or to the first, which the others ``rephrase`` (MA); ``none`` leaves it an attribute.

*parts_of_same*, as in Sci-Arg (Lauscher et al. 2018), joins the parts of one unit: they become one I-node under the id
of the part that stands first, with the places of all; it is written as one unit with several fragments.

brat cannot have a unit without a place in the text. Where a graph has no text that its propositions can be found in,
the text is written from the propositions themselves, one a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, Literal

from aifgraph.errors import FormatError
from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, decode_source
from aifgraph.formats.reading import from_json
from aifgraph.formats.writing import as_json, with_places, writable
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, Proposition, SchemeNode, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS

Major = Literal["each", "merge", "rephrase", "none"]
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
_PARTS = "parts_of_same"
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

    def sniff(self, file: Input) -> bool:
        return _LINE.match(file.data[:4096]) is not None and re.search(rb"^T\d+\t", file.data, re.MULTILINE) is not None

    def read(self, file: Input, *, major: Major = "each") -> ArgumentGraph:
        return _Reader(file, major).graph()

    def write(self, graph: ArgumentGraph) -> Written:
        ann, text = write_brat(with_places(graph))
        return Written(ann, {".txt": text})


class _Reader:
    def __init__(self, file: Input, major: str) -> None:
        self.file = file
        self.major = major
        self.build = GraphBuilder(name=file.name)
        self.units: dict[str, dict[str, Any]] = {}
        self.relations: list[tuple[str, str, str, str, str]] = []
        self.stances: list[tuple[str, str, str]] = []
        self.same: list[list[str]] = []
        self.parts: list[tuple[str, str, str, str]] = []
        self.labels: dict[str, str] = {}
        self.other: list[str] = []

    def graph(self) -> ArgumentGraph:
        for number, line in enumerate(self.file.text.splitlines(), 1):
            if line.strip():
                self._line(line, f"{self.file.name}, line {number}")
        self._labelled()
        whole = self._whole()
        self.relations = [(r, kind, whole.get(a, a), whole.get(b, b), where) for r, kind, a, b, where in self.relations]
        self.stances = [(id_, whole.get(unit, unit), stance) for id_, unit, stance in self.stances]
        self.same = [[whole.get(each, each) for each in group] for group in self.same]
        majors = [id_ for id_, unit in self.units.items() if unit["component"] == "MajorClaim"]
        merged = dict.fromkeys(majors[1:], majors[0]) if self.major == "merge" and majors else {}
        spans = []
        for id_, unit in self.units.items():
            home = merged.get(id_, id_)
            if home == id_:
                record = {key: unit[key] for key in ("component", "attributes", "notes", "parts") if unit.get(key)}
                self.build.proposition(unit["aif"] if unit["aif"] is not None else unit["text"], id=id_, record=record)
            spans += [Span(home, start, end) for start, end in unit["places"]]
        if merged:
            self.build.notice("units-merged", f"{len(merged) + 1} major claims are one node", majors[0])
        for id_, kind, source, target, where in self.relations:
            self._check_ends(id_, (source, target), where)
            type_ = RELATIONS.get(kind.lower()) or RELATIONS[self.labels[id_]]
            self._relate(id_, type_, merged.get(source, source), merged.get(target, target), {"relation": kind})
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

    def _labelled(self) -> None:
        """Relations that an attribute names (``A1 custom-Relation_label R1 supports``), as INCEpTION writes them; the
        attributes stay among the other lines."""
        for line in self.other:
            match = _A.match(line.rstrip())
            if match and (label := (match.group(4) or "").strip().lower()) in RELATIONS:
                self.labels[match.group(3)] = label
        other, self.other = self.other, []
        for line in other:
            if line.startswith("R") and (match := _R.match(line)) and match.group(1) in self.labels:
                id_, kind, source, target = match.groups()
                self.relations.append((id_, kind, source, target, f"{self.file.name}, {id_}"))
            else:
                self.other.append(line)

    def _whole(self) -> dict[str, str]:
        """For each part of a unit the unit, which has the words and places of all its parts."""
        if not self.parts:
            return {}
        from networkx.utils import UnionFind

        joined: UnionFind[str] = UnionFind()
        for id_, *ends, where in self.parts:
            self._check_ends(id_, ends, where)
            joined.union(*ends)
        whole: dict[str, str] = {}
        for group in joined.to_sets():
            first, *others = sorted(group, key=lambda id_: (self.units[id_]["places"], id_))
            unit, parts = self.units[first], [self.units[id_] for id_ in others]
            kinds = {part["component"] for part in (unit, *parts)}
            if len(kinds) > 1:
                self.build.notice("parts-differ", f"{first} has parts of the kinds {', '.join(sorted(kinds))}", first)
            unit["parts"] = [[id_, self.units[id_]["component"]] for id_ in (first, *others)]
            unit["text"] = " ".join(part["text"] for part in (unit, *parts))
            for part in parts:
                for key in ("places", "attributes", "notes"):
                    unit[key] += part[key]
            for id_ in others:
                whole[id_] = first
                del self.units[id_]
        return whole

    def _check_ends(self, id_: str, ends: Iterable[str], where: str) -> None:
        for end in ends:
            if end not in self.units:
                raise FormatError(f"{id_} names {end}, which is not there", where=where)

    def _line(self, line: str, where: str) -> None:
        sign = line.lstrip("\ufeff")[:1]
        if sign == "T":
            match = _T.match(line)
            if match is None:
                raise FormatError("a T line that is not “T1, type, offsets, text”", where=where)
            id_, component, offsets, text = match.groups()
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
            match = _R.match(line)
            if match is None:
                raise FormatError("an R line that is not “R1, type, two arguments”", where=where)
            id_, kind, source, target = match.groups()
            if kind.lower() == _PARTS:
                self.parts.append((id_, source, target, where))
            elif kind.lower() in RELATIONS:
                self.relations.append((id_, kind, source, target, where))
            else:
                self.other.append(line)
        elif sign in ("A", "M") and (match := _A.match(line.rstrip())) and match.group(3) in self.units:
            id_, name, unit, value = match.groups()
            self.units[unit]["attributes"].append([id_, name, value])
            if name == "Stance" and value in ("For", "Against"):
                self.stances.append((id_, unit, value))
        elif sign == "#" and (match := _NOTE.match(line)) and match.group(3) in self.units:
            kind, unit, note = match.group(2), self.units[match.group(3)], match.group(4) or ""
            if kind == "AifText" and note:
                unit["aif"] = str(from_json(f"[{note}]", list, where)[0])
            else:
                unit["notes"].append([kind, note])
        elif sign == "*" and (match := _EQUIV.match(line)):
            self.same.append(match.group(2).split())
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
        data = self.file.sibling(".txt")
        if data is None:
            if spans:
                self.build.notice("text-missing", f"there is no {self.file.stem}.txt: the places in the text are lost")
            return
        text, notice = decode_source(data, f"{self.file.stem}.txt")
        if notice:
            self.build.notice(notice.code, notice.message)
        inside = tuple(span for span in spans if span.end <= len(text))
        if len(inside) < len(spans):
            self.build.notice("span-outside", f"{len(spans) - len(inside)} places are outside of the text and left out")
        self.build.source(SourceText(text, "given", inside))


_LABELS = {"RA": "supports", "CA": "attacks", "MA": "restates"}
_WORD = re.compile(r"[^\s:]+\Z")
Places = dict[str, list[tuple[int, int]]]


def write_brat(graph: ArgumentGraph) -> tuple[str, str]:
    """The annotation file and the text."""
    text, places = _places(graph)
    number = 0
    names: dict[str, str] = {}
    for node in graph.propositions:
        number = _next(number, graph)
        names[node.id] = node.id if re.fullmatch(r"T\d+", node.id) else f"T{number}"
    lines: list[str] = []
    notes: list[str] = []
    for node in graph.propositions:
        lines += _unit(node, names[node.id], places[node.id], text, notes)
    own = {node.id for node in graph if re.fullmatch(r"R\d+", node.id)}
    fresh = (f"R{number}" for number in count(1) if f"R{number}" not in own)
    taken: set[str] = set()
    for relation, premises, target in writable(graph, _LABELS).values():
        if _is_stance(relation, premises, target):
            continue  # said by the attribute of the claim
        label = relation.record.get("relation")
        if label == "Equiv" and len(premises) == 1:
            lines.append(f"*\tEquiv {names[target.id]} {names[premises[0].id]}")
            continue
        label = label if isinstance(label, str) and _WORD.match(label) else _LABELS[relation.type]
        for premise in premises:
            id_ = relation.id
            if not re.fullmatch(r"R\d+", id_) or id_ in taken:
                id_ = next(fresh)
            taken.add(id_)
            lines.append(f"{id_}\t{label} Arg1:{names[premise.id]} Arg2:{names[target.id]}")
    lines += (f"#{number}\t{note}" for number, note in enumerate(notes, 1))
    kept = graph.meta.aif.get("brat")
    lines += (str(line) for line in kept) if isinstance(kept, list) else ()
    return "".join(f"{line}\n" for line in lines), text


def _next(number: int, graph: ArgumentGraph) -> int:
    number += 1
    while f"T{number}" in graph:
        number += 1
    return number


def _unit(node: Node, id_: str, places: list[tuple[int, int]], text: str, notes: list[str]) -> Iterator[str]:
    component = node.record.get("component")
    component = component if isinstance(component, str) and _WORD.match(component) else "Proposition"
    offsets = ";".join(f"{start} {end}" for start, end in places)
    shown = " ".join(text[start:end] for start, end in places)
    yield f"{id_}\t{component} {offsets}\t{shown}"
    if shown != node.text:
        notes.append(f"AifText {id_}\t{as_json(node.text)}")
    for own, name, value in _attributes(node):
        yield f"{own}\t{name} {id_}" + ("" if value is None else f" {value}")
    more = node.record.get("notes")
    listed = [note for note in more if isinstance(note, list) and len(note) == 2] if isinstance(more, list) else []
    notes += (f"{kind} {id_}\t{' '.join(str(note).split())}" for kind, note in listed)


def _attributes(node: Node) -> list[list[Any]]:
    kept = node.record.get("attributes")
    return [each for each in kept if isinstance(each, list) and len(each) == 3] if isinstance(kept, list) else []


def _is_stance(relation: SchemeNode, premises: list[Proposition], target: Node) -> bool:
    """Whether reading works this relation out again from an attribute of the claim."""
    said = {(name, value) for _, name, value in _attributes(premises[0])}
    stance = relation.record.get("stance")
    return ("Stance", stance) in said and target.record.get("component") == "MajorClaim" and len(premises) == 1


def _places(graph: ArgumentGraph) -> tuple[str, Places]:
    """The text, and where each proposition stands in it."""
    source = graph.meta.source
    places: Places = {}
    if source is not None:
        cursor: dict[str, int] = {}
        for node in graph.propositions:
            spans = [
                (span.start, span.end)
                for span in source.spans or ()
                if span.node_id == node.id and span.start < span.end
            ]
            if not spans:
                start = source.text.find(node.text, cursor.get(node.text, 0)) if node.text else -1
                spans = [(start, start + len(node.text))] if start >= 0 else []
                cursor[node.text] = start + 1
            fragments = [piece for span in spans for piece in _pieces(source.text, *span)]
            if not fragments:
                break
            places[node.id] = fragments
        else:
            return source.text, places
    text = ""
    places = {}
    for node in graph.propositions:
        shown = " ".join(node.text.split()) or "–"
        places[node.id] = [(len(text), len(text) + len(shown))]
        text += shown + "\n"
    return text, places


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A place without the line breaks in it, which brat does not allow."""
    for match in re.finditer(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", text[start:end]):
        yield start + match.start(), start + match.end()
