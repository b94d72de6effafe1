"""The differences of a comparison as rows that people read and decide on, and that add up to the matrices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations.calculation import Calculation, paired
from aifgraph.comparison.calculations.items import AnchoredContent, At, Claimed, Group, Item
from aifgraph.comparison.differences.facts import Fact, Facts, facts_of
from aifgraph.comparison.differences.find import DifferenceRows, find_differences
from aifgraph.comparison.differences.rows import Difference, NodeNumber, Row, RowWriter, content_hash, id_order
from aifgraph.comparison.differences.words import heading, listed, summary
from aifgraph.comparison.scored_calculation import ScoredCalculation
from aifgraph.graph import ArgumentGraph
from aifgraph.printable import printable
from aifgraph.tables import Document, Result, Table, written


@dataclass(frozen=True, repr=False)
class Differences(Result):
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

    def __getitem__(self, index: int) -> Difference:
        return self.rows[index]

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
        'Both find the same 13 claims. They agree on everything.'
        """
        return "".join(summary(self.alignment, self.rows))

    def table(self, rows: Sequence[Difference] | None = None, title: str = "") -> Table:
        """What the ``rows`` (all of them, unless some are given) are about, in words, and what they cost."""
        columns = ("row", "difference", "first", "second", "decisions")
        cells = [
            (row.id, heading(row), row.first_wording, row.second_wording, row.decisions)
            for row in (self.rows if rows is None else rows)
        ]
        return Table(title or self.summary, columns, cells)

    def document(self) -> Document:
        """A row a difference; in CSV with the ids of the nodes, places, and what each calculation counts."""
        cells = [row.cells for row in self.rows]
        columns = tuple(cells[0]) if cells else ("row",)
        return Document(tables=[self.table()], csv=[Table("", columns, [tuple(row.values()) for row in cells])])

    def to_text(self, path: str | PathLike[str] | None = None) -> str:
        """What the command line prints: the summary, and a paragraph for each row."""
        return written(printable(f"{self.summary}\n{listed(self.rows, self.by_id)}"), path)

    def to_tsv(self, path: str | PathLike[str] | None = None) -> str:
        """A file of differences to decide on, which ``merge(first, second, decisions=path)`` reads."""
        from aifgraph.adjudication.decisions import decision_rows, decisions_tsv

        return written(decisions_tsv(decision_rows(self, Path(self.alignment.first.graph.name).stem)), path)

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

    @cached_property
    def by_id(self) -> dict[str, Difference]:
        """The rows by their ids."""
        return {row.id: row for row in self.rows}

    @cached_property
    def pairs(self) -> dict[int, int]:
        """The scheme nodes that stand for each other (first → second), by number: those that are equal, those that a
        row sets against each other, and of those that follow from it the ones that do the same."""
        pairs = dict(self.equal)
        sides = (self.alignment.first, self.alignment.second)
        for row in self.rows:
            waiting: dict[tuple[object, ...], list[int]] = {}
            for side, node in sorted((*row.nodes, *row.follows), reverse=True):  # the second side's first
                kind, about = sides[side].kinds[node], (side, node) in row.nodes
                if kind in ("I", "L") or (not side and node in pairs):
                    continue
                key = (about,) if about else (kind, sides[side].label_keys.get(node))
                if side:
                    waiting.setdefault(key, []).append(node)
                elif others := waiting.get(key):
                    pairs[node] = others.pop()
        return pairs

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
    costs, counted_with = _Costs(grouped, facts, alignment).of(calculations)
    writer = RowWriter(alignment)
    rows: list[tuple[tuple[int, int, int], Difference]] = []
    first_node: dict[NodeNumber, Row] = {}
    for row in grouped.rows:
        difference = writer.difference(row, costs[row])
        rows.append((writer.order(row, difference), difference))
        first_node[difference.nodes[0]] = row
    rows.sort(key=lambda entry: (entry[0], entry[1].id))
    named = _named(Differences(tuple(difference for _, difference in rows), alignment, grouped.equal))
    ids = {first_node[difference.nodes[0]]: difference.id for difference in named}
    shared = {ids[row]: {ids[other]: count for other, count in others.items()} for row, others in counted_with.items()}
    return replace(
        named,
        rows=tuple(replace(row, counted_with=shared[row.id]) if row.id in shared else row for row in named),
    )


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


#: Numbers of decisions: of a row by calculation, or by the row in which they are counted.
_Counts = defaultdict[Row, Counter[Any]]


class _Costs:
    """In whose row a decision off the diagonal is counted, and on which others it hangs.

    An item hangs on the scheme nodes that make the claims it is made of, and on what these join and one side lacks. It
    is counted in the row of what is missing, of a premise rather than of a conclusion; else in that of the scheme node,
    on the first side rather than on the second, of several the first by id.
    """

    def __init__(self, grouped: DifferenceRows, facts: tuple[Facts, Facts], alignment: Alignment) -> None:
        #: What is claimed on a side → the rows that it hangs on, the one where it is counted first.
        self.rows: tuple[dict[Claimed, list[Row]], ...] = ({}, {})
        self.sides = (alignment.first.nodes, alignment.second.nodes)
        for side, analysis in enumerate((alignment.first, alignment.second)):
            equal = grouped.equal if side == 0 else set(grouped.equal.values())
            nodes = [
                node
                for node, (_, claims) in facts[side].nodes.items()
                if (side, node) in grouped.row_of or (node in equal and len(claims) > 1)
            ]
            for node in sorted(nodes, key=lambda node: id_order(analysis.nodes[node].id)):
                self.enter(side, node, facts[side].nodes[node], grouped)

    def enter(self, side: int, node: int, own: tuple[Group, Sequence[Fact]], grouped: DifferenceRows) -> None:
        group, facts = own
        found = [(fact, rows) for fact in facts if (rows := self.hangs_on(side, node, group, fact, grouped))]
        # Which of several premises comes first, ids decide, never the order of a file.
        found.sort(key=lambda entry: min(id_order(self.sides[of][number].id) for of, number in entry[1][0].nodes))
        for (claim, label), rows in found:
            claimed = [Claimed(group, claim, label), Claimed(group, claim)]
            if isinstance(claim, AnchoredContent):
                claimed.append(Claimed(group, At(claim.anchor), label))
            for each in claimed:
                known = self.rows[side].setdefault(each, [])
                known += [row for row in rows if row not in known]

    @staticmethod
    def hangs_on(side: int, node: int, group: Group, fact: Fact, grouped: DifferenceRows) -> list[Row]:
        rows = grouped.rows_of_claim(group, fact[0])
        own = grouped.row_of.get((side, node))
        # What scheme a relation is of changes no end of it.
        return [*rows, own] if own and own.kind != "scheme" and own not in rows else rows

    def of(self, calculations: Mapping[str, ScoredCalculation]) -> tuple[_Counts, _Counts]:
        """What each row costs by calculation, and for each row what is counted in others that hangs on it."""
        costs: _Counts = defaultdict(Counter)
        counted_with: _Counts = defaultdict(Counter)
        for name, scored in calculations.items():
            if not scored.applicable:
                continue
            ours, theirs = scored.calculation.sides
            nothing: set[str] = set()
            for item in dict.fromkeys((*ours, *theirs)):
                one, other = ours.get(item, nothing), theirs.get(item, nothing)
                if one != other:
                    for labels in paired(one, other):
                        if labels[0] != labels[1] and (rows := self.rows_of(scored.calculation, item, labels)):
                            costs[rows[0]][name] += 1
                            for row in rows[1:]:
                                counted_with[row][rows[0]] += 1
        return costs, counted_with

    def rows_of(self, calculation: Calculation, item: Item, labels: tuple[str | None, str | None]) -> list[Row]:
        """The rows, the one where the item is counted first; none where an item hangs on nothing that differs, as one
        of another package's calculation may."""
        rows: dict[Row, None] = {}
        for side, label in enumerate(labels):
            for claimed in calculation.definition.claims(item, label) if label is not None else ():
                rows.update(dict.fromkeys(self.rows[side].get(claimed, ())))
        return [*rows]
