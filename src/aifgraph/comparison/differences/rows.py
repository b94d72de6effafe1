"""Differences as people read and decide on them: ids, wordings, places in the text, and what each costs."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations import Count
from aifgraph.comparison.differences.costs import Costs
from aifgraph.comparison.differences.find import Group, Kind, NodeNumber, Row, find
from aifgraph.comparison.differences.words import NOWHERE, NodeWording, heading, listing
from aifgraph.comparison.links import Claims
from aifgraph.comparison.sides import map_hash
from aifgraph.gc_pause import gc_paused
from aifgraph.graph.nodes import RELATIONS
from aifgraph.printable import printable, quantity
from aifgraph.tables import Cell, Result, Table, written

GROUPS: Final[tuple[Group, ...]] = ("relations", "propositions", "illocutions", "transitions", "locutions")
#: So many relations of a proposition are named.
_MAX_RELATIONS: Final = 10


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement.

    Attributes:
        id: goes by what the nodes are and say, so that it is the same in another run and under swapped sides.
        group: what differs.
        kind: how it differs.
        first: ids of the nodes it is about in the first analysis.
        second: the same in the second.
        first_follows: ids of the nodes of the first analysis that follow from it.
        second_follows: the same in the second.
        first_wording: the first's nodes in words.
        second_wording: the second's nodes in words.
        relations: relations, in words, that lose an end where a proposition is left out.
        place: the words of the common axis it is about, from the first (from 0) to after the last; None if unknown.
        costs: how many decisions off the diagonal it costs by calculation; each is counted in one row.
        counted_with: decisions that hang on it but are counted in another row, by the id of that row.
        nodes: the nodes it is about, by number.
        follows: the nodes that follow from it, by number.
    """

    id: str
    group: Group
    kind: Kind
    first: tuple[str, ...]
    second: tuple[str, ...]
    first_follows: tuple[str, ...]
    second_follows: tuple[str, ...]
    first_wording: str
    second_wording: str
    relations: tuple[str, ...]
    place: tuple[int, int] | None
    costs: Mapping[str, int] = field(hash=False)
    counted_with: Mapping[str, int] = field(hash=False)
    nodes: tuple[NodeNumber, ...] = field(repr=False)
    follows: tuple[NodeNumber, ...] = field(repr=False)

    @property
    def decisions(self) -> int:
        """The cost: how many cells of the matrices the difference moves."""
        return sum(self.costs.values())

    @property
    def at_stake(self) -> int:
        """How many decisions hang on it, whether they are counted here or in another row."""
        return self.decisions + sum(self.counted_with.values())

    @property
    def sides(self) -> Literal["first", "second", "both"]:
        """The sides that have nodes in it."""
        if self.first and self.second:
            return "both"
        return "first" if self.first else "second"

    @property
    def order(self) -> tuple[object, ...]:
        """The key that puts differences in the order of the text; what stands nowhere, last, as the files have it."""
        return (self.place or NOWHERE)[0], GROUPS.index(self.group), min(node for _, node in self.nodes), self.id

    @property
    def cells(self) -> dict[str, Cell]:
        """What tables and files say of it, by column."""
        place = self.place
        return {
            "row": self.id,
            "group": self.group,
            "kind": self.kind,
            "first": " ".join(self.first),
            "second": " ".join(self.second),
            "first follows": " ".join(self.first_follows),
            "second follows": " ".join(self.second_follows),
            "first wording": self.first_wording,
            "second wording": self.second_wording,
            "relations": "; ".join(self.relations),
            "place": f"{place[0] + 1}-{place[1]}" if place else "",
            "calculation": ", ".join(f"{name.replace('_', ' ')} {cost}" for name, cost in self.costs.items()),
            "decisions": self.decisions,
            "counted with": ", ".join(f"{row} ({count})" for row, count in self.counted_with.items()),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        return {
            "row": self.id,
            "group": self.group,
            "kind": self.kind,
            "first": list(self.first),
            "second": list(self.second),
            "first_follows": list(self.first_follows),
            "second_follows": list(self.second_follows),
            "first_wording": self.first_wording,
            "second_wording": self.second_wording,
            "relations": list(self.relations),
            "place": list(self.place) if self.place else None,
            "calculations": dict(self.costs),
            "decisions": self.decisions,
            "counted_with": dict(self.counted_with),
            "at_stake": self.at_stake,
        }


@dataclass(frozen=True, repr=False)
class Differences(Result):
    """All differences of a pair, in the order of the text; ``equal`` are the scheme nodes that say the same."""

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
        return map_hash(self.alignment.first.graph, self.alignment.placement.texts[0])

    @cached_property
    def second_hash(self) -> str:
        """The second map's hash."""
        return map_hash(self.alignment.second.graph, self.alignment.placement.texts[1])

    @property
    def summary(self) -> str:
        """How many differences there are, and what they cost."""
        return f"{quantity(len(self), 'differences') if self.rows else 'No differences'}, cost {self.decisions.total()}"

    @property
    def decisions(self) -> Counter[str]:
        """How many decisions the rows cost, by calculation."""
        total: Counter[str] = Counter()
        for row in self.rows:
            total.update(row.costs)
        return total

    @cached_property
    def pairs(self) -> dict[int, int]:
        """The scheme nodes that stand for each other (first → second): equal ones, and those that a row sets against
        each other; of those that follow from it, the ones that do the same."""
        pairs = dict(self.equal)
        sides = self.alignment.first, self.alignment.second
        for row in self.rows:
            waiting: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
            for side, node in sorted((*row.nodes, *row.follows), reverse=True):  # the second side's first
                kind, about = sides[side].kinds[node], (side, node) in row.nodes
                if kind in ("I", "L") or (not side and node in pairs):
                    continue
                key = (about,) if about else (kind, sides[side].label_keys.get(node))
                if side:
                    waiting[key].append(node)
                elif waiting[key]:
                    pairs[node] = waiting[key].pop()
        return pairs

    def table(self, title: str = "") -> Table:
        """Return a row a difference, in words, with what it costs."""
        columns = ("row", "difference", "first", "second", "decisions")
        rows: list[list[Cell]] = [
            [row.id, heading(row), row.first_wording, row.second_wording, row.decisions] for row in self.rows
        ]
        return Table(title or self.summary, columns, rows)

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return a row a difference; in CSV with the ids of the nodes, places, and what each calculation counts."""
        if format != "csv":
            return [self.table()], ""
        cells = [row.cells for row in self.rows]
        return [Table("", tuple(cells[0]) if cells else ("row",), [tuple(row.values()) for row in cells])], ""

    def to_text(self, path: str | PathLike[str] | None = None) -> str:
        """Return the summary, and a paragraph for each row."""
        return written(printable(f"{self.summary}\n\n{listing(self.rows)}"), path)

    def to_tsv(self, path: str | PathLike[str] | None = None) -> str:
        """Return a file of differences to decide on, which ``merge(first, second, decisions=path)`` reads."""
        from aifgraph.adjudication.decisions import decision_rows, decisions_tsv

        return written(decisions_tsv(decision_rows(self, Path(self.alignment.first.graph.name).stem)), path)

    def to_dict(self) -> dict[str, Any]:
        """Return the differences as plain values."""
        return {
            "first": self.alignment.first.graph.name,
            "second": self.alignment.second.graph.name,
            "first_hash": self.first_hash,
            "second_hash": self.second_hash,
            "decisions": dict(self.decisions),
            "rows": [row.to_dict() for row in self.rows],
        }


@gc_paused
def find_differences(alignment: Alignment, claims: tuple[Claims, Claims], counts: Mapping[str, Count]) -> Differences:
    """Return the differences of an alignment, with what they cost in those of ``counts`` that apply."""
    found = find(alignment, claims)
    wording, costs = NodeWording(alignment), Costs(found, claims)
    costs.add(counts)
    written = [(_difference(row, wording, costs.of_row[row]), row) for row in found.rows]
    written.sort(key=lambda pair: pair[0].order)
    ids = dict(zip((row for _, row in written), _unique_ids([difference for difference, _ in written]), strict=True))
    rows = tuple(
        replace(
            difference,
            id=ids[row],
            counted_with={ids[other]: count for other, count in costs.elsewhere[row].items()},
        )
        for difference, row in written
    )
    return Differences(rows, alignment, found.equal)


def _difference(row: Row, wording: NodeWording, costs: Mapping[str, int]) -> Difference:
    nodes, follows = wording.in_reading_order(row.nodes), wording.in_reading_order(row.follows)
    first, second = (tuple(wording.id(node) for node in nodes if node[0] == side) for side in (0, 1))
    first_follows, second_follows = (tuple(wording.id(node) for node in follows if node[0] == side) for side in (0, 1))
    ours, theirs = ("; ".join(wording.words(node) for node in nodes if node[0] == side) for side in (0, 1))
    return Difference(
        _content_id((first, ours), (second, theirs)),
        row.group,
        row.kind,
        first,
        second,
        first_follows,
        second_follows,
        ours,
        theirs,
        tuple(_relations(nodes, wording)) if (row.group, row.kind) == ("propositions", "missing") else (),
        wording.spans(nodes),
        dict(costs),
        {},
        tuple(nodes),
        tuple(follows),
    )


def _relations(nodes: list[NodeNumber], wording: NodeWording) -> Iterator[str]:
    """Yield the first relations of some propositions in words."""
    found: dict[NodeNumber, None] = {}
    for side, node in nodes:
        analysis = wording.sides[side]
        ends = (*analysis.predecessors[node], *analysis.successors[node])
        found.update(((side, end), None) for end in ends if analysis.kinds[end] in RELATIONS)
    for relation in wording.in_reading_order(found)[:_MAX_RELATIONS]:
        yield wording.words(relation)


def _content_id(*sides: tuple[tuple[str, ...], str]) -> str:
    """Return eight digits of the nodes and the wordings of both sides, whichever is first."""
    content = "".join(sorted(repr((sorted(ids), words)) for ids, words in sides))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _unique_ids(rows: list[Difference]) -> list[str]:
    """Return the ids of some rows, those of equal content numbered in the order of their nodes' ids."""
    same: defaultdict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        same[row.id].append(number)
    ids = [row.id for row in rows]
    for id_, numbers in same.items():
        numbers.sort(key=lambda number: sorted((rows[number].first, rows[number].second)))
        for index, number in enumerate(numbers[1:], 2):
            ids[number] = f"{id_}-{index}"
    return ids
