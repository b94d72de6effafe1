"""The differences of two analyses, as people read them and decide on them.

``find`` groups the nodes that differ into rows and counts what each row costs; ``words`` puts rows into words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations import LabelledItems
from aifgraph.comparison.differences.find import GROUPS, Costs, DifferenceKind, Disagreement, Group, NodeNumber, find
from aifgraph.comparison.differences.words import (
    NOWHERE,
    Entry,
    Wording,
    entry_table,
    head,
    joined,
    listing,
)
from aifgraph.comparison.links import ClassLinks
from aifgraph.comparison.options import short_signature
from aifgraph.comparison.result import PairNames
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, SourceText
from aifgraph.stats.matrix import NONE
from aifgraph.tables import Cell, Result, Table, written

#: The values of a difference in files, behind its id.
_PLAIN: Final = (
    *("group", "kind", "first", "second", "first_follows", "second_follows", "first_wording", "second_wording"),
    *("place", "cost", "costs", "counted_with"),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement.

    Attributes:
        id: goes by what the nodes are and say, so that it is the same in another run and under swapped sides.
        first, second: ids of the nodes it is about in each analysis.
        first_follows, second_follows: ids of the nodes that follow from it.
        first_wording, second_wording: the nodes it is about in words.
        place: the words of the common axis it is about, from the first (from 0) to after the last; None if unknown.
        costs: how many labels differ by it, by calculation; each is counted in one row.
        counted_with: labels that hang on it but are counted in another row, by the id of that row.
        nodes, follows: the same nodes by side and number.
    """

    id: str
    group: Group
    kind: DifferenceKind
    first: tuple[str, ...]
    second: tuple[str, ...]
    first_follows: tuple[str, ...]
    second_follows: tuple[str, ...]
    first_wording: str
    second_wording: str
    place: tuple[int, int] | None
    costs: Mapping[str, int] = field(hash=False)
    counted_with: Mapping[str, int] = field(hash=False)
    nodes: tuple[NodeNumber, ...] = field(repr=False)
    follows: tuple[NodeNumber, ...] = field(repr=False)

    @property
    def cost(self) -> int:
        """How many labels differ by it: the cells of the matrices that it moves."""
        return sum(self.costs.values())

    @property
    def at_stake(self) -> int:
        """How many labels hang on it, whether they are counted here or in another row."""
        return self.cost + sum(self.counted_with.values())

    @property
    def sides(self) -> Literal["first", "second", "both"]:
        """The sides that have nodes in it."""
        if self.first and self.second:
            return "both"
        return "first" if self.first else "second"

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        values = {name: getattr(self, name) for name in _PLAIN}
        return {
            "row": self.id,
            **{key: list(value) if isinstance(value, tuple) else value for key, value in values.items()},
        }

    @property
    def cells(self) -> dict[str, Cell]:
        """The same values by column of a table; words of the text count from 1."""
        place = f"{self.place[0] + 1}-{self.place[1]}" if self.place else ""
        return {name.replace("_", " "): _cell(value) for name, value in {**self.to_dict(), "place": place}.items()}


def _cell(value: Any) -> Cell:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return " ".join(value) if isinstance(value, list) else value


@dataclass(frozen=True, repr=False)
class Differences(Result):
    """All differences of a pair, in the order of the text.

    ``equal`` are the scheme nodes that say the same, ``names`` what the sides are called, ``labels`` how many labels
    are compared, and ``unlike`` says that the maps look like two different documents.
    """

    rows: tuple[Difference, ...]
    labels: int
    names: PairNames
    alignment: Alignment = field(repr=False)
    equal: Mapping[int, int] = field(repr=False)
    signature: str = ""
    unlike: str = ""

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def hashes(self) -> tuple[str, str]:
        """The hashes of the two maps, which tell whether a file of decisions is about them."""
        texts = self.alignment.placement.texts
        return map_hash(self.alignment.first.graph, texts[0]), map_hash(self.alignment.second.graph, texts[1])

    @property
    def costs(self) -> Counter[str]:
        """How many labels differ, by calculation."""
        total: Counter[str] = Counter()
        for row in self.rows:
            total.update(row.costs)
        return total

    @property
    def cost(self) -> int:
        """How many labels differ."""
        return self.costs.total()

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

    @property
    def summary(self) -> str:
        """How many differences there are, and how many of all labels differ."""
        return f"{self.unlike}\n{head(self.entries(), self.labels)}".strip()

    def entries(self, pair: str = "") -> list[Entry]:
        """Return the differences in words, for a listing; ``pair`` names the pair in one of several."""
        wording = Wording(self.alignment, self.names)
        return [Entry(pair, row.group, wording.what(row), row.cost, wording.runs(row)) for row in self.rows]

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return a row a difference; in CSV with the ids of the nodes, places, and what each calculation counts."""
        if format != "csv":
            signature = self.signature if format == "latex" else short_signature(self.signature)
            return [entry_table(self.entries(), self.summary, self.names)], signature
        return [cell_table([row.cells for row in self.rows])], ""

    def to_text(self, path: str | PathLike[str] | None = None) -> str:
        """Return the differences in words, each text once with its changed words marked."""
        lines = listing(self.entries(), self.summary, self.names, self.signature)
        return written("".join(f"{line}\n" for line in lines), path)

    def to_tsv(self, path: str | PathLike[str] | None = None) -> str:
        """Return a file of differences to decide on, which ``merge(first, second, decisions=path)`` reads.

        Raises:
            InputError: the path is a file in which somebody has filled in something.
        """
        from aifgraph.adjudication.decisions import decision_rows, decisions_tsv, refuse_filled_in

        if path is not None:
            refuse_filled_in(Path(path))
        return written(decisions_tsv(decision_rows(self, Path(self.alignment.first.graph.name).stem)), path)

    def to_dict(self) -> dict[str, Any]:
        """Return the differences as plain values."""
        return {
            "signature": self.signature,
            "caveats": [{"code": "different documents", "message": self.unlike}] if self.unlike else [],
            "first": self.alignment.first.graph.name,
            "second": self.alignment.second.graph.name,
            "hashes": list(self.hashes),
            "labels": self.labels,
            "cost": self.cost,
            "costs": dict(self.costs),
            "rows": [row.to_dict() for row in self.rows],
        }


def cell_table(rows: Sequence[Mapping[str, Cell]]) -> Table:
    """Return a row a difference, with its ids, places and costs."""
    return Table("", tuple(rows[0]) if rows else ("row",), [tuple(row.values()) for row in rows])


@gc_paused
def find_differences(
    alignment: Alignment, links: tuple[ClassLinks, ClassLinks], items: Mapping[str, LabelledItems], names: PairNames
) -> Differences:
    """Return the differences of an alignment, with what they cost in the calculations that apply."""
    found, wording = find(alignment, links), Wording(alignment)
    costs = Costs(found, links)
    costs.add(items)
    for row in found.rows:
        row.nodes, row.follows = wording.in_reading_order(row.nodes), wording.in_reading_order(row.follows)
    ids = _ids(found.rows, wording)
    rows = tuple(_difference(row, wording, costs, ids) for row in ids)
    matrices = [of.matrix for of in items.values() if not of.reason]
    labels = sum(matrix.total - matrix.count(NONE, NONE) for matrix in matrices)
    return Differences(rows, labels, names, alignment, found.equal)


def _difference(row: Disagreement, wording: Wording, costs: Costs, ids: Mapping[Disagreement, str]) -> Difference:
    ours, theirs = map(joined, wording.sentences(row))
    return Difference(
        ids[row],
        row.group,
        row.kind,
        *_node_ids(row.nodes, wording),
        *_node_ids(row.follows, wording),
        ours,
        theirs,
        wording.spans(row.nodes),
        dict(costs.of_row[row]),
        {ids[other]: count for other, count in costs.elsewhere[row].items()},
        tuple(row.nodes),
        tuple(row.follows),
    )


def _ids(rows: Iterable[Disagreement], wording: Wording) -> dict[Disagreement, str]:
    """Return rows in the order of the text, with ids that go by what they are about, whichever side is first.

    What stands nowhere is last, as the files have it. Of equal contents the further ones are numbered in the order of
    their nodes' ids.
    """
    contents = {row: _content_id(row, wording) for row in rows}

    def order(row: Disagreement) -> tuple[object, ...]:
        place, least = wording.spans(row.nodes) or NOWHERE, min(node for _, node in row.nodes)
        return place[0], GROUPS.index(row.group), least, contents[row]

    ids = {row: contents[row] for row in sorted(contents, key=order)}
    same: defaultdict[str, list[Disagreement]] = defaultdict(list)
    for row, id_ in ids.items():
        same[id_].append(row)
    for id_, alike in same.items():
        alike.sort(key=lambda row: sorted(_node_ids(row.nodes, wording)))
        ids |= {row: f"{id_}-{number}" for number, row in enumerate(alike[1:], 2)}
    return ids


def _node_ids(nodes: Iterable[NodeNumber], wording: Wording) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the first side's nodes and of the second's."""
    ids: tuple[list[str], list[str]] = ([], [])
    for side, node in nodes:
        ids[side].append(wording.sides[side].ids[node])
    return tuple(ids[0]), tuple(ids[1])


def _content_id(row: Disagreement, wording: Wording) -> str:
    """Return eight digits of the nodes of both sides and of all that they join."""
    sides: tuple[list[Any], list[Any]] = ([], [])
    for side, node in row.nodes:
        analysis = wording.sides[side]
        around = sorted(analysis.texts[end] for end in (*analysis.predecessors[node], *analysis.successors[node]))
        sides[side].append((analysis.ids[node], analysis.texts[node], around))
    content = repr(sorted(map(sorted, sides)))
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def map_hash(graph: ArgumentGraph, text: SourceText | None) -> str:
    """Return digits that change with the nodes, edges, speakers or source text of a map, whatever their order.

    >>> from aifgraph import GraphBuilder
    >>> map_hash(GraphBuilder().graph(), None)
    'a293a183cab7ba8b'
    """
    nodes = sorted((node.id, node.type, node.text, [tuple(scheme) for scheme in node.schemes]) for node in graph)
    edges = sorted((edge.source, edge.target) for edge in graph.edges)
    people = sorted((person.id, person.name) for person in graph.meta.participants)
    speakers = sorted((record.node_id, record.person_id or "") for record in graph.meta.locutions)
    spans = text and text.spans and [(span.node_id, span.start, span.end) for span in text.spans]
    content = repr((nodes, edges, people, speakers, text and text.text, spans))
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]
