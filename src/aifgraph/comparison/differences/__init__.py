"""The differences of two analyses, as people read them and decide on them.

``find`` groups the nodes that differ into rows and counts what each row costs; ``words`` puts rows into words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Pair
from aifgraph.comparison.differences.find import GROUPS, Difference, DifferenceFinder
from aifgraph.comparison.differences.words import NOWHERE, Entry, Verbalizer, difference_tables, head, joined, listing
from aifgraph.comparison.maps import PairNames
from aifgraph.comparison.result import Comparison
from aifgraph.graph import ArgumentGraph, SourceText
from aifgraph.graph.columns import gc_paused
from aifgraph.options import Signature
from aifgraph.stats.scores import NONE
from aifgraph.tables import Cell, Result, Table, written

__all__ = ["Difference", "Differences", "cell_table", "find_differences", "map_hash"]


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
    how: Signature
    unlike: str = ""

    @property
    def signature(self) -> str:
        """How the maps are compared, in one line."""
        return str(self.how)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def hashes(self) -> Pair[str]:
        """The hashes of the two maps, which tell whether a file of decisions is about them."""
        first, second = (map_hash(side.analysis.graph, side.text) for side in self.alignment.sides)
        return first, second

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
        for row in self.rows:
            waiting: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
            for side, node in sorted((*row.nodes, *row.follows), reverse=True):  # the second side's first
                analysis, about = self.alignment.analyses[side], (side, node) in row.nodes
                kind = analysis.kinds[node]
                if kind in ("I", "L") or (not side and node in pairs):
                    continue
                key = (about,) if about else (kind, analysis.label_keys.get(node))
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
        words = Verbalizer(self.alignment, self.names)
        return [Entry(pair, row.group, words.what(row), row.cost, words.runs(row)) for row in self.rows]

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return a row a difference; in CSV with the ids of the nodes, places, and what each calculation counts."""
        if format != "csv":
            signature = self.signature if format == "latex" else self.how.short
            return difference_tables(self.entries(), self.summary, self.names), signature
        return [cell_table([row.cells for row in self.rows])], ""

    def to_text(self, path: str | PathLike[str] | None = None) -> str:
        """Return the differences in words, each text once with its changed words marked."""
        lines = listing(self.entries(), self.summary, self.names, self.how.short)
        return written("".join(f"{line}\n" for line in lines), path)

    def to_tsv(self, path: str | PathLike[str] | None = None) -> str:
        """Return a file of differences to decide on, which ``merge(first, second, decisions=path)`` reads.

        Raises:
            InputError: the path is a file in which somebody has filled in something.
        """
        from aifgraph.adjudication.decisions import decision_rows, decisions_tsv, refuse_filled_in

        if path is not None:
            refuse_filled_in(Path(path))
        first, _ = self.alignment.analyses
        return written(decisions_tsv(decision_rows(self, Path(first.graph.name).stem)), path)

    def to_dict(self) -> dict[str, Any]:
        """Return the differences as plain values."""
        costs_by_kind = defaultdict[tuple[str, str], list[int]](list)
        for row in self.rows:
            costs_by_kind[row.group, row.kind].append(row.cost)
        return {
            "signature": self.signature,
            "caveats": [{"code": "different documents", "message": self.unlike}] if self.unlike else [],
            **dict(zip(("first", "second"), [side.graph.name for side in self.alignment.analyses], strict=True)),
            "hashes": list(self.hashes),
            "labels": self.labels,
            "cost": self.cost,
            "costs": dict(self.costs),
            "kinds": [
                {"group": group, "kind": kind, "differences": len(costs), "cost": sum(costs)}
                for (group, kind), costs in costs_by_kind.items()
            ],
            "rows": [row.to_dict() for row in self.rows],
        }


def cell_table(rows: Sequence[Mapping[str, Cell]]) -> Table:
    """Return a row a difference, with its ids, places and costs."""
    return Table("", tuple(rows[0]) if rows else ("row",), [tuple(row.values()) for row in rows])


@gc_paused
def find_differences(comparison: Comparison) -> Differences:
    """Return the differences of two maps, with what they cost in the calculations that apply."""
    alignment, links, items, _ = comparison.labelled
    found, words = DifferenceFinder(alignment, links), Verbalizer(alignment)
    rows = found.find_rows()
    for row in rows:
        row.nodes, row.follows = words.in_reading_order(row.nodes), words.in_reading_order(row.follows)
        row.first, row.second = words.ids(row.nodes)
        row.first_follows, row.second_follows = words.ids(row.follows)
        row.first_wording, row.second_wording = map(joined, words.sentences(row))
        row.place = words.span(*row.nodes)
        row.id = _content_id(row, words)
    # In the order of the text; what stands nowhere is last, as the files have it. Ids go by what rows are about,
    # whichever side is first.
    rows.sort(
        key=lambda row: ((row.place or NOWHERE)[0], GROUPS.index(row.group), min(n for _, n in row.nodes), row.id)
    )
    same: defaultdict[str, list[Difference]] = defaultdict(list)
    for row in rows:
        same[row.id].append(row)
    for id_, alike in same.items():
        alike.sort(key=lambda row: sorted((row.first, row.second)))
        for number, row in enumerate(alike[1:], 2):
            row.id = f"{id_}-{number}"
    applicable = {name: labelled for name, labelled in items.items() if not labelled.reason}
    for name, labelled in applicable.items():
        found.count(name, labelled)
    matrices = [labelled.matrix for labelled in applicable.values()]
    labels = sum(matrix.total - matrix.count(NONE, NONE) for matrix in matrices)
    unlike = comparison.summary if comparison.different_documents else ""
    return Differences(tuple(rows), labels, comparison.names, alignment, found.equal, comparison.how, unlike)


def _content_id(row: Difference, words: Verbalizer) -> str:
    """Return a letter, so that a spreadsheet takes it for no number, and eight digits of the nodes of both sides and of
    all that they join."""
    sides: tuple[list[Any], list[Any]] = ([], [])
    for side, node in row.nodes:
        analysis = words.analyses[side]
        around = sorted(analysis.texts[end] for end in (*analysis.predecessors[node], *analysis.successors[node]))
        sides[side].append((analysis.ids[node], analysis.texts[node], around))
    content = repr(sorted(map(sorted, sides)))
    return f"r{sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


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
