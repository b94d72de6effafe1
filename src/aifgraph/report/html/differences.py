"""What two analyses disagree about, in words, the most telling first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.explanation import explain
from aifgraph.report.html.cells import node_numbers
from aifgraph.report.html.facts import Item, Status
from aifgraph.report.html.merged_map import Element, Union

#: A longer text is cut off in the list of differences; the alignment and the panel have it whole.
_LETTERS = 400
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
    view: Literal["argument", "dialogue"]
    agreed: int
    differences: tuple[Difference, ...]


def chapters_of(result: Comparison, union: Union) -> list[Chapter]:
    """Relations, propositions, illocutions, transitions: what is agreed (a count) and what is not (each)."""
    made = _Teller(result, union)
    found = [
        made.items("Relations between propositions", "argument", "S"),
        made.nodes("Propositions", "argument", "I"),
        made.nodes("Locutions", "dialogue", "L"),
        made.items("Illocutions: what is done by saying it", "dialogue", "YA"),
        made.items("Transitions: who answers what", "dialogue", "TA"),
    ]
    return [chapter for chapter in found if chapter.agreed or chapter.differences]


class _Teller:
    def __init__(self, result: Comparison, union: Union) -> None:
        self.alignment, self.union = result.alignment, union
        self.index = node_numbers(result)
        self.names = union.facts[1].names | union.facts[0].names

    def items(self, title: str, view: Literal["argument", "dialogue"], group: str) -> Chapter:
        first, second = (side.labels[group] for side in self.union.facts)
        agreed = 0
        found: list[Difference] = []
        for item in dict.fromkeys((*first, *second)):
            ours, theirs = first.get(item, set()), second.get(item, set())
            agreed += len(ours & theirs)
            if ours == theirs:
                continue
            if ours and theirs:
                found.append(self.item("different", group, item, ours - theirs or ours, theirs - ours or theirs))
            else:
                found.append(self.item("first" if ours else "second", group, item, ours, theirs))
        order = ("different", "first", "second")
        return Chapter(title, view, agreed, tuple(sorted(found, key=lambda each: order.index(each.status))))

    def item(self, status: Status, group: str, item: Item, ours: Iterable[str], theirs: Iterable[str]) -> Difference:
        labels = [" + ".join(sorted(self.label(group, label) for label in side)) for side in (ours, theirs)]
        both = all(labels)
        verb = f"{labels[0]} (first) / {labels[1]} (second)" if both else labels[0] or labels[1]
        clauses, elements = self.told(group, item, verb)
        return Difference(status, clauses, tuple(dict.fromkeys((*elements, *self.union.by_item[group].get(item, ())))))

    def label(self, group: str, label: str) -> str:
        return self.names.get(label, label) if group == "YA" else VERBS.get(label, label)

    def told(self, group: str, item: Any, verb: str) -> tuple[tuple[Clause, ...], list[int]]:
        if group == "YA":
            content, anchor = item
            where, elements = self.quote("illocutions", anchor)
            if content is None:
                return (Clause(f"{verb}:"), Clause(where, "items")), elements
            what, more = self.quote("transition_propositions", (content, anchor))
            return (Clause(f"{verb}:"), Clause(what, "items")), [*elements, *more]
        if item[0] == "on":
            _, premise, (link, kind) = item
            clauses, elements = self.told(group, link, self.label(group, kind))
            nodes = [self.union.of[node] for node in self.members("propositions", premise)]
            said = Clause(_text(self.union.elements[nodes[0]]), "quoted")
            return (said, Clause(f"{verb} the step:"), *clauses), [
                *nodes,
                *elements,
                *self.union.by_item[group].get(link, ()),
            ]
        layer: Literal["propositions", "locutions"] = "propositions" if group == "S" else "locutions"
        ends = item[1:] if len(item) == 3 else item
        quoted: list[Clause] = []
        elements = []
        for end in ends:
            ends_here = [(item[0], end)] if len(item) == 3 else self.members(layer, end)
            numbers = [self.union.of[node] for node in ends_here]
            elements += numbers
            quoted.append(Clause(_text(self.union.elements[numbers[0]]), "quoted"))
        inside = (Clause("(inside one unit of the other)"),) if len(item) == 3 else ()
        return (quoted[0], Clause(verb), quoted[1], *inside), elements

    def members(self, layer: Literal["propositions", "locutions"], number: int) -> list[tuple[int, int]]:
        each = getattr(self.alignment, layer).classes[number]
        return [*((0, node) for node in each.first), *((1, node) for node in each.second)]

    def quote(self, calculation: str, item: Any) -> tuple[str, list[int]]:
        said = explain(self.alignment, calculation, item)
        ids = [*((0, id_) for id_ in said.first), *((1, id_) for id_ in said.second)]
        return said.text, [self.union.of[side, self.index[side][id_]] for side, id_ in ids]

    def nodes(self, title: str, view: Literal["argument", "dialogue"], kind: str) -> Chapter:
        elements = [each for each in self.union.elements if each.kind == kind]
        agreed = sum(each.status == "agreed" for each in elements)
        return Chapter(title, view, agreed, tuple(self.alone(elements)))

    def alone(self, elements: list[Element]) -> Iterator[Difference]:
        for status in ("first", "second"):
            for each in elements:
                if each.status == status:
                    yield Difference(each.status, (Clause(_text(each), "quoted"),), (each.number,))
        for each in elements:
            if each.part_of is not None:
                whole = self.union.elements[each.part_of]
                clauses = (Clause(_text(each), "quoted"), Clause("is cut off from"), Clause(_text(whole), "quoted"))
                yield Difference("part", clauses, (each.number, whole.number))


def _text(element: Element) -> str:
    member = element.first or element.second
    text = " ".join(member.text.split()) if member else ""
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
