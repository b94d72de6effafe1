"""What two analyses agree and disagree about, in words that need no knowledge of CASS, the most telling first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from aifgraph.align.match import MatchedBy
from aifgraph.comparison.calculations.items import AnchoredContent, InnerLink, Item, Link, Undercut
from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.explanation import Nodes, explain
from aifgraph.comparison.facts import Claim, Empty, Group, Status
from aifgraph.report.html.cells import node_numbers
from aifgraph.report.html.merged_map import Element, MergedMap
from aifgraph.report.html.texts import counted

#: A longer text is cut off in the list of differences; the alignment and the panel have it whole.
_LETTERS = 400
MapView = Literal["argument", "dialogue"]
VERBS = {"RA": "supports", "CA": "attacks", "MA": "rephrases", "PA": "is preferred to", "TA": "is followed by"}


@dataclass(frozen=True, slots=True)
class Clause:
    """A phrase: ours (told in bold), ``quoted`` from a map, or ``items`` that have their quotes already."""

    text: str
    kind: Literal["ours", "quoted", "items"] = "ours"


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement: how to tell it, and the elements to show."""

    status: Status
    clauses: tuple[Clause, ...]
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Differences of one kind, how many agree in it, and which view shows them."""

    title: str
    view: MapView
    agreed: int
    differences: tuple[Difference, ...]


def chapters_of(result: Comparison, merged: MergedMap) -> list[Chapter]:
    """Relations, propositions, illocutions, transitions: what is agreed (a count) and what is not (each)."""
    teller = _Teller(result, merged)
    chapters = [
        teller.claims("Relations between propositions", "argument", "S"),
        teller.nodes("Propositions", "argument", "I"),
        teller.nodes("Locutions", "dialogue", "L"),
        teller.claims("Illocutions: what is done by saying it", "dialogue", "YA"),
        teller.claims("Transitions: who answers what", "dialogue", "TA"),
    ]
    return [chapter for chapter in chapters if chapter.agreed or chapter.differences]


def sentences(result: Comparison, chapters: list[Chapter]) -> list[str]:
    """What the two have in common and what not, counted."""
    lines: list[str] = []
    segmentation = result.segmentation
    if segmentation.mode == "positions":
        cuts = counted(result.alignment)
        total = cuts.agreed + cuts.near + cuts.first + cuts.second
        if total:
            near = f", {cuts.near} one word apart" if cuts.near else ""
            lines.append(
                f"Cutting the text: {_share(cuts.agreed, total)} boundaries are the same{near}; "
                f"{cuts.first} only the first has, {cuts.second} only the second."
            )
    propositions = result.alignment.propositions
    ways: tuple[MatchedBy, ...] = ("meaning", "role")
    lines.extend(
        f"Propositions: {number} of {propositions.matched} matches are by {way}, not by their words."
        for way in ways
        if (number := propositions.matched_by(way))
    )
    for chapter in chapters:
        what = chapter.title.partition(":")[0].partition(" between")[0]
        count = {
            status: sum(each.status == status for each in chapter.differences)
            for status in ("different", "first", "second", "part")
        }
        total = chapter.agreed + count["different"] + count["first"] + count["second"]
        if not total:
            continue
        parts = [f"{count['different']} labelled differently"] if count["different"] else []
        parts += [f"{count[side]} only the {side} has" for side in ("first", "second") if count[side]]
        parts += [f"{count['part']} more are pieces of one unit of the other"] if count["part"] else []
        rest = f": {', '.join(parts)}" if parts else ""
        lines.append(f"{what}: {_share(chapter.agreed, total)} are the same{rest}.")
    return lines


def _share(part: int, total: int) -> str:
    return f"all {total}" if part == total else f"{part} of {total}"


class _Teller:
    def __init__(self, result: Comparison, merged: MergedMap) -> None:
        self.alignment, self.merged = result.alignment, merged
        self.index = node_numbers(result)
        self.names = merged.facts[1].names | merged.facts[0].names

    def claims(self, title: str, view: MapView, group: Group) -> Chapter:
        first, second = (side.labels[group] for side in self.merged.facts)
        agreed = 0
        differences: list[Difference] = []
        for claim in dict.fromkeys((*first, *second)):
            ours, theirs = first.get(claim, set()), second.get(claim, set())
            agreed += len(ours & theirs)
            if ours == theirs:
                continue
            if ours and theirs:
                differences.append(
                    self.claim("different", group, claim, ours - theirs or ours, theirs - ours or theirs)
                )
            else:
                differences.append(self.claim("first" if ours else "second", group, claim, ours, theirs))
        order = ("different", "first", "second")
        return Chapter(title, view, agreed, tuple(sorted(differences, key=lambda each: order.index(each.status))))

    def claim(
        self, status: Status, group: Group, claim: Claim, ours: Iterable[str], theirs: Iterable[str]
    ) -> Difference:
        labels = [" + ".join(sorted(self.label(group, label) for label in side)) for side in (ours, theirs)]
        both = all(labels)
        verb = f"{labels[0]} (first) / {labels[1]} (second)" if both else labels[0] or labels[1]
        clauses, elements = self.told(group, claim, verb)
        drawn = self.merged.by_claim[group].get(claim, ())
        return Difference(status, clauses, tuple(dict.fromkeys((*elements, *drawn))))

    def label(self, group: Group, label: str) -> str:
        return self.names.get(label, label) if group == "YA" else VERBS.get(label, label)

    def told(self, group: Group, claim: Claim, verb: str) -> tuple[tuple[Clause, ...], list[int]]:
        match claim:
            case Empty(anchor):
                return self.quoted("illocutions", anchor, verb)
            case AnchoredContent(_, anchor):
                # The anchor's elements come first: they are what a reader is led to.
                _, elements = self.quote("illocutions", anchor)
                clauses, more = self.quoted("illocutionary_anchors", claim, verb)
                return clauses, [*elements, *more]
            case Undercut(premise, (link, type_)):
                clauses, elements = self.told(group, link, self.label(group, type_))
                nodes = [self.merged.of[node] for node in self.members("propositions", premise)]
                said = Clause(_text(self.merged.elements[nodes[0]]), "quoted")
                step = self.merged.by_claim[group].get(link, ())
                return (said, Clause(f"{verb} the step:"), *clauses), [*nodes, *elements, *step]
            case Link() | InnerLink():
                return self.told_link("propositions" if group == "S" else "locutions", claim, verb)

    def told_link(self, layer: Nodes, link: Link | InnerLink, verb: str) -> tuple[tuple[Clause, ...], list[int]]:
        quoted: list[Clause] = []
        elements: list[int] = []
        for end in (link.start, link.end):
            nodes = [(link.owner, end)] if isinstance(link, InnerLink) else self.members(layer, end)
            numbers = [self.merged.of[node] for node in nodes]
            elements += numbers
            quoted.append(Clause(_text(self.merged.elements[numbers[0]]), "quoted"))
        inside = (Clause("(inside one unit of the other)"),) if isinstance(link, InnerLink) else ()
        return (quoted[0], Clause(verb), quoted[1], *inside), elements

    def quoted(self, calculation: str, item: Item, verb: str) -> tuple[tuple[Clause, ...], list[int]]:
        text, elements = self.quote(calculation, item)
        return (Clause(f"{verb}:"), Clause(text, "items")), elements

    def members(self, layer: Nodes, number: int) -> list[tuple[int, int]]:
        each = getattr(self.alignment, layer).classes[number]
        return [*((0, node) for node in each.first), *((1, node) for node in each.second)]

    def quote(self, calculation: str, item: Item) -> tuple[str, list[int]]:
        said = explain(self.alignment, calculation, item)
        ids = [*((0, id_) for id_ in said.first), *((1, id_) for id_ in said.second)]
        return said.text, [self.merged.of[side, self.index[side][id_]] for side, id_ in ids]

    def nodes(self, title: str, view: MapView, kind: str) -> Chapter:
        elements = [each for each in self.merged.elements if each.kind == kind]
        agreed = sum(each.status == "agreed" for each in elements)
        return Chapter(title, view, agreed, tuple(self.alone(elements)))

    def alone(self, elements: list[Element]) -> Iterator[Difference]:
        for status in ("first", "second"):
            for each in elements:
                if each.status == status:
                    yield Difference(each.status, (Clause(_text(each), "quoted"),), (each.number,))
        for each in elements:
            if each.part_of is not None:
                whole = self.merged.elements[each.part_of]
                clauses = (Clause(_text(each), "quoted"), Clause("is cut off from"), Clause(_text(whole), "quoted"))
                yield Difference("part", clauses, (each.number, whole.number))


def _text(element: Element) -> str:
    member = element.first or element.second
    text = " ".join(member.text.split()) if member else ""
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
