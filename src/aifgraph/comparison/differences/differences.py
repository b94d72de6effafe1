"""The differences of a comparison as rows that people read and decide on, and that add up to the matrices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.calculation import Calculation, paired
from aifgraph.comparison.calculations.items import AnchoredContent, At, Claimed, Item
from aifgraph.comparison.differences.facts import Facts, facts_of
from aifgraph.comparison.differences.find import DifferenceRows, find_differences
from aifgraph.comparison.differences.rows import GROUPS, Difference, NodeNumber, Row, RowWriter, content_hash, id_order
from aifgraph.comparison.scored_calculation import ScoredCalculation
from aifgraph.graph import ArgumentGraph


@dataclass(frozen=True)
class Differences:
    """All differences of a pair, in the order of the text, with what else merging needs.

    ``equal`` are the scheme nodes that say the same on both sides, by number.
    """

    rows: tuple[Difference, ...]
    alignment: Alignment = field(repr=False)
    equal: Mapping[int, int] = field(repr=False)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def first_hash(self) -> str:
        """The first map's hash; with the second's it tells whether a file of decisions is about these two maps."""
        return map_hash(self.alignment.first.graph)

    @cached_property
    def second_hash(self) -> str:
        """The second map's hash."""
        return map_hash(self.alignment.second.graph)

    @cached_property
    def summary(self) -> str:
        """What both find, and what they disagree about, in a sentence.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> aifgraph.compare(graph, graph).differences().summary
        'Both find the same 13 claims; they agree on everything.'
        """
        return _summary(self.alignment, self.rows)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "first": self.alignment.first.graph.name,
            "second": self.alignment.second.graph.name,
            "first_hash": self.first_hash,
            "second_hash": self.second_hash,
            "summary": self.summary,
            "decisions": dict(self.decisions),
            "rows": [row.to_dict() for row in self.rows],
        }

    @property
    def decisions(self) -> Counter[str]:
        """How many decisions the rows cost, by calculation: what is off the diagonals of the matrices."""
        total: Counter[str] = Counter()
        for row in self.rows:
            total.update(row.costs)
        return total


def differences(alignment: Alignment, calculations: Mapping[str, ScoredCalculation]) -> Differences:
    """The differences of an alignment, and what they cost in the calculations that apply."""
    facts = facts_of(alignment)
    grouped = find_differences(alignment, facts)
    costs = _Costs(grouped, facts, alignment).of(calculations)
    writer = RowWriter(alignment)
    rows: list[tuple[tuple[int, int, int], Difference]] = []
    for row in grouped.rows:
        difference = writer.difference(row, costs[row])
        rows.append((writer.order(row, difference), difference))
    rows.sort(key=lambda entry: (entry[0], entry[1].id))
    return _named(Differences(tuple(difference for _, difference in rows), alignment, grouped.equal))


def _named(rows: Differences) -> Differences:
    """The rows, each with an id of its own. Which of two gets a number goes by the maps and their nodes."""
    same: defaultdict[str, list[Difference]] = defaultdict(list)
    for row in rows:
        same[row.id].append(row)
    if len(same) == len(rows):
        return rows
    new_ids: dict[tuple[NodeNumber, ...], str] = {}
    for id_, several in same.items():
        several.sort(key=lambda row: sorted(((rows.first_hash, row.first), (rows.second_hash, row.second))))
        new_ids.update((row.nodes, f"{id_}-{number}") for number, row in enumerate(several[1:], 2))
    return replace(rows, rows=tuple(replace(row, id=new_ids.get(row.nodes, row.id)) for row in rows))


def map_hash(graph: ArgumentGraph) -> str:
    """Twelve hexadecimal digits that change with a map's nodes, edges, speakers or source text, whatever their order.

    >>> from aifgraph import GraphBuilder
    >>> map_hash(GraphBuilder().graph())
    'e74ffd96bf7d'
    """
    nodes = sorted((node.id, node.type, node.text, [tuple(scheme) for scheme in node.schemes]) for node in graph)
    edges = sorted((edge.source, edge.target) for edge in graph.edges)
    people = sorted((person.id, person.name) for person in graph.meta.participants)
    # A locution may have a record without a person beside another one.
    speakers = sorted(
        ((record.node_id, record.person_id) for record in graph.meta.locutions),
        key=lambda speaker: (speaker[0], speaker[1] is not None, speaker[1] or ""),
    )
    text = graph.meta.source.text if graph.meta.source else None
    return content_hash(repr((nodes, edges, people, speakers, text)))[:12]


class _Costs:
    """Whose row a decision off the diagonal is: that of a scheme node which makes the claim that the item hangs on, on
    the first side, else on the second; of several the first by id."""

    def __init__(self, grouped: DifferenceRows, facts: tuple[Facts, Facts], alignment: Alignment) -> None:
        self.index: tuple[dict[Claimed, int], ...] = ({}, {})
        self.row_of = grouped.row_of
        sides = (alignment.first.nodes, alignment.second.nodes)

        def enter(side: int, node: int, claimed: Claimed) -> None:
            known = self.index[side].setdefault(claimed, node)
            if known != node and id_order(sides[side][node].id) < id_order(sides[side][known].id):
                self.index[side][claimed] = node

        for side, node in grouped.row_of:
            if (own := facts[side].nodes.get(node)) is None:
                continue
            group, claims = own
            for claim, label in claims:
                enter(side, node, Claimed(group, claim, label))
                enter(side, node, Claimed(group, claim))
                if isinstance(claim, AnchoredContent):
                    enter(side, node, Claimed(group, At(claim.anchor), label))

    def of(self, calculations: Mapping[str, ScoredCalculation]) -> defaultdict[Row, dict[str, int]]:
        costs: defaultdict[Row, dict[str, int]] = defaultdict(dict)
        for name, scored in calculations.items():
            if not scored.applicable:
                continue
            ours, theirs = scored.calculation.sides
            nothing: set[str] = set()
            for item in dict.fromkeys((*ours, *theirs)):
                one, other = ours.get(item, nothing), theirs.get(item, nothing)
                if one != other:
                    for labels in paired(one, other):
                        if labels[0] != labels[1] and (row := self.row(scored.calculation, item, labels)):
                            of_row = costs[row]
                            of_row[name] = of_row.get(name, 0) + 1
        return costs

    def row(self, calculation: Calculation, item: Item, labels: tuple[str | None, str | None]) -> Row | None:
        """The row; None where an item hangs on nothing that differs, as one of another package's calculation may."""
        for side, label in enumerate(labels):
            for claimed in calculation.definition.claims(item, label) if label is not None else ():
                if (node := self.index[side].get(claimed)) is not None:
                    return self.row_of[side, node]
        return None


#: So many letters of a text are quoted.
_MAX_QUOTED: Final = 60
#: So many kinds are named.
_MAX_KINDS: Final = 4


def _summary(alignment: Alignment, rows: Sequence[Difference]) -> str:
    layer, noun = (
        (alignment.propositions, "claim") if alignment.propositions.classes else (alignment.locutions, "locution")
    )
    first = sum(not node_class.second for node_class in layer.classes)
    second = sum(not node_class.first for node_class in layer.classes)
    common = layer.matched
    if first or second:
        only = " and ".join(
            f"{number} only the {side} has" for number, side in ((first, "first"), (second, "second")) if number
        )
        both = f"Both find {_count(common, noun)}, {only}" if common else f"They find no {noun} in common: {only}"
    else:
        both = f"Both find the same {_count(common, noun)}" if common else "Neither finds anything"
    return f"{both}; {_disagreement(rows)}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _disagreement(rows: Sequence[Difference]) -> str:
    if not rows:
        return "they agree on everything"
    counted = [row for row in rows if row.costs]
    if not counted:
        return f"they differ in {_count(len(rows), 'detail')} that no score counts ({_kinds(rows)})"
    # Arguments are what a reader asks for first; among them what costs most.
    main = max(counted, key=lambda row: (row.group == "relations", row.decisions, -GROUPS.index(row.group)))
    others = [row for row in rows if row is not main]
    rest = f", and in {_count(len(others), 'other point')} ({_kinds(others)})" if others else ""
    return f"they disagree about {_about(main)}{rest}"


def _kinds(rows: Sequence[Difference]) -> str:
    counts = Counter((row.group, row.kind) for row in rows).most_common()
    named = [
        f"{number} {group.removesuffix('s') if number == 1 else group} {kind}"
        for (group, kind), number in counts[:_MAX_KINDS]
    ]
    return ", ".join([*named, *(["…"] if len(counts) > _MAX_KINDS else [])])


def _about(row: Difference) -> str:
    wording = row.first_wording or row.second_wording
    quoted = wording.split("”")[0].lstrip("[").partition("“")[2]
    text = f"“{quoted if len(quoted) <= _MAX_QUOTED else quoted[: _MAX_QUOTED - 1].rstrip() + '…'}”"
    match row.group, row.kind:
        case "relations", "reversed":
            return f"which way the argument of {text} goes"
        case "relations", "relabelled":
            return f"how {text} bears on what it is joined to"
        case "relations", "scheme":
            return f"by what scheme {text} argues"
        case "relations", "missing":
            return f"whether {text} is part of an argument that only the {row.sides} has"
        case "relations", _:
            return f"what {text} bears on"
        case "propositions" | "locutions", "missing":
            return f"{text}, which only the {row.sides} has"
        case "propositions" | "locutions", "cut differently":
            return f"where {text} is cut"
        case "illocutions", _:
            return f"what is done by saying {text}"
        case "transitions", _:
            return f"what answers {text}"
        case _:
            return text
