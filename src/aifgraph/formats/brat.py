"""brat standoff (``.ann`` beside ``.txt``), as in the argument-annotated essays (Stab and Gurevych 2017).

A ``T`` line becomes an I-node with its places in the text, ``supports`` an RA-node, ``attacks`` a CA-node. A claim's
``Stance`` relates it to the major claims. *parts_of_same*, as in Sci-Arg (Lauscher et al. 2018), joins the parts of one
unit: they become one I-node under the id of the part that stands first, with the places of all.

brat cannot have a unit without a place in the text. Where a graph has no text that its propositions can be found in,
the text is written from the propositions themselves, one a line.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from aifgraph.errors import FormatError, LimitError, OptionError, choose_from
from aifgraph.formats import FileContents
from aifgraph.formats.trees import Relation, covers, fresh_ids, relations_of
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, SourceText, Span
from aifgraph.graph.columns import UnionFind

#: Whether a stance relates a claim to ``each`` major claim, to the first, which the others ``rephrase`` (MA), or to
#: ``none``.
Major = Literal["each", "rephrase", "none"]

_TYPE_OF: Final = {
    "supports": "RA",
    "support": "RA",
    "attacks": "CA",
    "attack": "CA",
    "partial-attack": "CA",
    "contradicts": "CA",
    "semantically_same": "MA",
    "restates": "MA",
}
_LABELS: Final = {"RA": "supports", "CA": "attacks", "MA": "restates"}
#: How many relations the stances of one file may make.
_MAX_RELATIONS: Final = 10_000
#: How many characters at the places of all nodes are written; places may overlap.
_MAX_WRITTEN: Final = 10_000_000

_UNIT: Final = re.compile(r"(T\d+)\t(\S+) (\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*)(?:\t(.*))?\Z")
_RELATION: Final = re.compile(r"(R\d+)\t(\S+) ([^\s:]+):(\S+) ([^\s:]+):(\S+)\s*\Z")
_ATTRIBUTE: Final = re.compile(r"([AM]\d+)\t(\S+) (\S+)(?: (.*))?\Z")
_NOTE: Final = re.compile(r"(#\d*)\t(\S+) (\S+)(?:\t(.*))?\Z")
_SAME: Final = re.compile(r"\*\t(\S+)((?: \S+)+)\s*\Z")
_WORD: Final = re.compile(r"[^\s:]+\Z")

Place = tuple[int, int]


def sniff(text: str) -> bool:
    """Return whether a text is an annotation file of brat."""
    first = re.match(r"\s*(?:T\d+\t\S+ \d+ \d+|[AMREN#]\d*\t|\*\t)", text)
    return first is not None and re.search(r"^T\d+\t|^(?:R\d+|[A#]\d+)\t\S+ \S*T\d+", text, re.MULTILINE) is not None


@dataclass
class _Unit:
    component: str
    text: str | None
    places: list[Place]
    attributes: list[list[str | None]] = field(default_factory=list)
    notes: list[list[str]] = field(default_factory=list)
    parts: list[list[str]] = field(default_factory=list)
    #: The text of the proposition, where it is not that of the places.
    proposition: str | None = None


def read(text: str, beside: str | None = None, *, major: Major = "each") -> ArgumentGraph:
    """Read an annotation file; ``beside`` is the text that it annotates."""
    check_major(major)
    return _Reader(major).graph(text, beside)


def check_major(major: str) -> None:
    """Raise ``OptionError`` for what is no :data:`Major`."""
    if major not in get_args(Major):
        raise OptionError(f"major cannot be {major!r}", remedy=choose_from(get_args(Major)))


class _Reader:
    def __init__(self, major: Major) -> None:
        self.major = major
        self.build = GraphBuilder()
        self.units: dict[str, _Unit] = {}
        #: Id, label, source, target: of relations, and of parts that are joined.
        self.relations: list[tuple[str, str, str, str]] = []
        self.parts: list[tuple[str, str, str, str]] = []
        #: The unit that each part is in.
        self.whole: dict[str, str] = {}
        self.stances: list[tuple[str, str, str]] = []
        self.same: list[list[str]] = []
        #: The labels that attributes give to relations, as INCEpTION writes them.
        self.labels: dict[str, str] = {}
        self.unknown = 0

    def graph(self, text: str, beside: str | None) -> ArgumentGraph:
        lines = enumerate(re.split("\r\n?|\n", text), 1)  # a unit may hold U+2028 and the like
        # What is said of a unit may stand before it.
        for number, line in sorted(lines, key=lambda line: not line[1].startswith("T")):
            if line.strip():
                self._line(line, f"line {number}")
        for unit in self.units.values():
            if unit.text and "\t" in unit.text and (beside is None or not covers(beside, unit.places, unit.text)):
                unit.text = unit.text.partition("\t")[0]  # what other tools put behind it
        if beside is not None:
            self._fit_places(beside)
        if self.parts:
            self._join_parts()
        majors = [id_ for id_, unit in self.units.items() if unit.component == "MajorClaim"]
        for id_, unit in self.units.items():
            fields = ("component", "attributes", "notes", "parts")
            extra = {key: value for key in fields if (value := getattr(unit, key))}
            self.build.proposition(unit.proposition or unit.text or "", id=id_, extra=extra)
        for id_, label, source, target in self.relations:
            type_ = _TYPE_OF.get(label.lower()) or _TYPE_OF.get(self.labels.get(id_, ""))
            if type_:
                self._relate(id_, type_, source, target, {"relation": label})
            else:
                self.unknown += 1
        self.unknown += len(self.labels.keys() - {id_ for id_, *_ in (*self.relations, *self.parts)})
        self._relate_stances(majors)
        for group in self.same:
            units = (self.whole.get(id_, id_) for id_ in group)
            first, *others = [id_ for id_ in units if id_ in self.units] or [""]
            self.unknown += len(others) + 1 < len(group)
            for other in others:
                self._relate(f"{other} Equiv", "MA", other, first, {"relation": "Equiv"})
        spans = [Span(id_, *place) for id_, unit in self.units.items() for place in unit.places]
        if beside is not None:
            inside = tuple(span for span in spans if span.end <= len(beside))
            if outside := len(spans) - len(inside):
                self.build.notice("span-outside", f"{outside} places outside the text are left out")
            self.build.source(SourceText(beside, inside, "given"))
        elif spans:
            self.build.notice("text-missing", "the file has no text beside it; its places are left out")
        if self.unknown:
            self.build.notice("lines-unknown", f"{self.unknown} lines of unknown kinds or about nothing are left out")
        return self.build.graph()

    def _line(self, line: str, where: str) -> None:
        sign = line[0]
        if sign == "T":
            self._unit(line, where)
        elif sign == "R":
            relation = _RELATION.match(line)
            if relation is None:
                raise FormatError("an R line that is not “R1, type, two arguments”", where=where)
            listed = self.parts if relation[2].lower() == "parts_of_same" else self.relations
            ends = (
                (relation[6], relation[4]) if relation.group(3, 5) == ("Arg2", "Arg1") else (relation[4], relation[6])
            )
            listed.append((relation[1], relation[2], *ends))
        elif sign in "AM" and (attribute := _ATTRIBUTE.match(line.rstrip())):
            id_, key, target, value = attribute.groups()
            if target in self.units:
                self.units[target].attributes.append([id_, key, value])
                if key == "Stance" and value in ("For", "Against"):
                    self.stances.append((id_, target, value))
            else:
                self.labels[target] = (value or "").strip().lower()
        elif sign == "#" and (note := _NOTE.match(line)) and note[3] in self.units:
            unit = self.units[note[3]]
            if note[2] == "AifText" and note[4]:
                try:
                    unit.proposition = str(json.loads(note[4]))
                except ValueError:
                    raise FormatError(f"no JSON in a note that holds JSON: {note[4][:40]}", where=where) from None
            else:
                unit.notes.append([note[2], note[4] or ""])
        elif sign == "*" and (same := _SAME.match(line)):
            self.same.append(same[2].split())
        elif sign in "AMEN#*":
            self.unknown += 1
        else:
            raise FormatError(f"not a brat annotation: {line[:40]}", where=where, remedy="give a brat .ann file")

    def _unit(self, line: str, where: str) -> None:
        match = _UNIT.match(line)
        if match is None:
            raise FormatError("a T line that is not “T1, type, offsets, text”", where=where)
        id_, component, offsets, text = match.groups()
        if id_ in self.units:
            raise FormatError(f"the id {id_} is given twice", where=where)
        places = [(int(start), int(end)) for start, _, end in (part.partition(" ") for part in offsets.split(";"))]
        if any(start > end for start, end in places):
            raise FormatError("offsets out of order", where=where)
        self.units[id_] = _Unit(component, text and text.rstrip("\t"), places)

    def _fit_places(self, text: str) -> None:
        """Say which places do not cover the texts of their lines; in some files a line end CRLF counts as one."""
        if "\r\n" in text and any(not covers(text, unit.places, unit.text) for unit in self.units.values()):
            short = text.replace("\r\n", "\n")
            ends = [match.start() - number for number, match in enumerate(re.finditer("\r\n", text))]
            if all(covers(short, unit.places, unit.text) for unit in self.units.values()):
                for unit in self.units.values():
                    unit.places = [
                        (start + bisect_left(ends, start), end + bisect_left(ends, end)) for start, end in unit.places
                    ]
                self.build.notice("line-ends", "the places in the file count a line end of two characters as one")
        for id_, unit in self.units.items():
            if not covers(text, unit.places, unit.text) and unit.places[-1][1] <= len(text):
                self.build.notice(
                    "place-differs", f"the text at the place of {id_} differs from the text in its line", id_
                )

    def _join_parts(self) -> None:
        """Join the parts of each unit into the part that stands first."""
        joined: UnionFind[str] = UnionFind()
        for id_, _, *ends in self.parts:
            if self.units.keys() >= {*ends}:
                joined.union(*ends)
            else:
                self._leave_out(id_, ends)
        for group in joined.to_sets():
            ids = sorted(group, key=lambda id_: (self.units[id_].places, id_))
            first = self.units[ids[0]]
            first.parts = [[id_, self.units[id_].component] for id_ in ids]
            kinds = sorted({kind for _, kind in first.parts})
            if len(kinds) > 1:
                self.build.notice("parts-differ", f"{ids[0]} has parts of the kinds {', '.join(kinds)}", ids[0])
            for id_ in ids[1:]:
                part = self.units.pop(id_)
                first.text = f"{first.text or ''} {part.text or ''}"
                first.places += part.places
                first.attributes += part.attributes
                first.notes += part.notes
                self.whole[id_] = ids[0]

    def _relate_stances(self, majors: list[str]) -> None:
        targets = {"none": [], "rephrase": majors[:1]}.get(self.major, majors)
        if len(self.stances) * len(targets) > _MAX_RELATIONS:
            what = f"{len(self.stances)} stances on {len(targets)} major claims"
            raise LimitError(what, remedy="read it with major='none'")
        for id_, source, stance in self.stances:
            for target in targets:
                if self.whole.get(source, source) != target:
                    type_ = "RA" if stance == "For" else "CA"
                    self._relate(f"{id_} {target}", type_, source, target, {"stance": stance})
        for other in majors[1:] if self.major == "rephrase" else ():
            self._relate(f"{other} MajorClaim", "MA", other, majors[0], {"stance": "MajorClaim"})

    def _relate(self, id_: str, type_: str, source: str, target: str, extra: dict[str, Any]) -> None:
        source, target = (self.whole.get(end, end) for end in (source, target))
        if not self.units.keys() >= {source, target}:
            self._leave_out(id_, (source, target))
        elif source == target or id_ in self.build:
            what = f"{id_} is left out: it relates {source} to itself or repeats a relation"
            self.build.notice("relation-left-out", what, source)
        else:
            self.build.relation(type_, [source], target, id=id_, extra=extra)

    def _leave_out(self, id_: str, ends: Iterable[str]) -> None:
        missing = " and ".join(end for end in ends if end not in self.units)
        self.build.notice("relation-left-out", f"{id_} is left out: it names {missing}, which is not there")


# -- writing ------------------------------------------------------------------------------------------------


def write(graph: ArgumentGraph) -> FileContents:
    """Write an annotation file, and the text that it annotates."""
    text, places = _placed(graph)
    numbers = fresh_ids("T", graph)
    names = {node.id: node.id if re.fullmatch(r"T\d+", node.id) else next(numbers) for node in graph.propositions}
    lines: list[str] = []
    notes: list[str] = []
    for node in graph.propositions:
        lines += _unit_lines(node, names[node.id], places[node.id], text, notes)
    relations = relations_of(graph, _LABELS)
    fresh = fresh_ids("R", relations)
    for id_, relation in relations.items():
        label = relation.node.extra.get("relation")
        if _is_stance(relation):
            continue  # said by the attribute of the claim
        if label == "Equiv" and len(relation.premises) == 1:
            lines.append(f"*\tEquiv {names[relation.conclusion.id]} {names[relation.premises[0].id]}")
            continue
        label = label if isinstance(label, str) and label.lower() in _TYPE_OF else _LABELS[relation.node.type]
        for number, premise in enumerate(relation.premises):
            own = id_ if number == 0 and re.fullmatch(r"R\d+", id_) else next(fresh)
            lines.append(f"{own}\t{label} Arg1:{names[premise.id]} Arg2:{names[relation.conclusion.id]}")
    lines += (f"#{number}\t{note}" for number, note in enumerate(notes, 1))
    return FileContents("".join(f"{line}\n" for line in lines), text)


def _unit_lines(node: Node, name: str, places: list[Place], text: str, notes: list[str]) -> Iterator[str]:
    component = node.extra.get("component")
    component = component if isinstance(component, str) and _WORD.match(component) else "Proposition"
    offsets = ";".join(f"{start} {end}" for start, end in places)
    shown = " ".join(text[start:end] for start, end in places).replace("\t", " ")
    yield f"{name}\t{component} {offsets}\t{shown}"
    if shown != node.text:
        notes.append(f"AifText {name}\t{json.dumps(node.text)}")
    for own, key, value in _lists(node, "attributes", 3):
        yield f"{own}\t{key} {name}" + ("" if value is None else f" {value}")
    notes += (f"{kind} {name}\t{' '.join(str(note).split())}" for kind, note in _lists(node, "notes", 2))


def _lists(node: Node, key: str, length: int) -> list[list[Any]]:
    listed = node.extra.get(key)
    items: Iterable[Any] = listed if isinstance(listed, list) else ()
    return [item for item in items if isinstance(item, list) and len(item) == length]


def _is_stance(relation: Relation) -> bool:
    """Return whether reading works this relation out again from an attribute of the claim."""
    said = {(key, value) for _, key, value in _lists(relation.premises[0], "attributes", 3)}
    major = relation.conclusion.extra.get("component") == "MajorClaim"
    return ("Stance", relation.node.extra.get("stance")) in said and major and len(relation.premises) == 1


def _placed(graph: ArgumentGraph) -> tuple[str, dict[str, list[Place]]]:
    """Return the text, and where each proposition stands in it."""
    text, marked = graph.text, dict[str, list[Place]]()
    for span in graph.meta.source.spans if graph.meta.source else ():
        marked.setdefault(span.node_id, []).append((span.start, span.end))
    if (length := sum(end - start for own in marked.values() for start, end in own)) > _MAX_WRITTEN:
        what = f"{length} characters at the places of nodes, of which up to {_MAX_WRITTEN} are written"
        raise LimitError(what, where=graph.name)
    places: dict[str, list[Place]] = {}
    cursor: dict[str, int] = {}
    for node in graph.propositions:
        own = [place for place in marked.get(node.id, ()) if place[0] < place[1]]
        if not own and node.text:
            start = text.find(node.text, cursor.get(node.text, 0))
            own = [(start, start + len(node.text))] if start >= 0 else []
            cursor[node.text] = start + 1
        places[node.id] = [piece for place in own for piece in _pieces(text, *place)]
    if all(places.values()):
        return text, places
    text = ""
    for node in graph.propositions:
        shown = " ".join(node.text.split()) or "–"
        places[node.id] = [(len(text), len(text) + len(shown))]
        text += shown + "\n"
    return text, places


def _pieces(text: str, start: int, end: int) -> Iterator[Place]:
    """Yield a place without the line breaks in it, which brat does not allow."""
    for match in re.finditer(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", text[start:end]):
        yield start + match.start(), start + match.end()
