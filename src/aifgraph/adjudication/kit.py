"""What a page needs to put a merged map together by itself: for every node, edge and row what each decision does to it.

``merge`` decides what goes with what; here it is asked once for every way in which a row can be resolved, and the
answers are tables. The page only looks them up, drops what has lost an end, and fills in the two documents. A test
compares its maps with those of ``merge``.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable
from typing import Any, Final

from aifgraph.adjudication.assembly import Assembly, owner_of
from aifgraph.adjudication.resolution import Resolution, Resolved, Side, resolve
from aifgraph.adjudication.selection import Selection
from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.difference import Difference, NodeNumber
from aifgraph.comparison.differences import Differences
from aifgraph.formats.aif.write import escaped, write_aif
from aifgraph.formats.io import dumps
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Meta, Node
from aifgraph.graph.rules import PROFILES, errors_by_profile

#: The sides of a row by number: bit 0 is the first, bit 1 the second.
_SIDES: Final = (frozenset[int](), frozenset({0}), frozenset({1}), frozenset({0, 1}))


class _Undropped(Selection):
    """A selection before what has lost an end is dropped."""

    def drop_idle(self) -> None:
        pass


@gc_paused
def merge_kit(comparison: Comparison, differences: Differences) -> dict[str, Any] | None:
    """The tables as plain values; None where the two maps are written in different formats."""
    graphs = (comparison.first, comparison.second)
    forms = {"xaif" if graph.meta.form == "xaif" else "aif" for graph in graphs}
    if len(forms) > 1:
        return None
    form = forms.pop()
    rules = resolve(differences, {}, "first", None)
    selections = [[_selection(differences, base, sides) for sides in _SIDES] for base in (0, 1)]
    rows = list(differences)
    number_of = {row.id: number for number, row in enumerate(rows)}
    # The rules that no profile breaks in both maps have to hold in the merged one.
    broken = {name for graph in graphs for name in errors_by_profile(graph)}
    sample = selections[0][0]
    assembly = Assembly(sample)
    return {
        "form": form,
        "names": [graph.name for graph in graphs],
        "texts": [_texts(graph) if form == "aif" else (None, None) for graph in graphs],
        "signature": comparison.signature,
        "profiles": [name for name in PROFILES if name not in broken],
        "rows": [_row(row, rules.rows[row.id]) for row in rows],
        "fresh": _greatest(assembly),
        "sides": [_side(side, graph, form, selections, assembly, number_of) for side, graph in enumerate(graphs)],
        "equal": [
            [one, other, *(_cut_around(sample, number_of, side, node) for side, node in enumerate((one, other)))]
            for one, other in differences.equal.items()
        ],
    }


def _texts(graph: ArgumentGraph) -> tuple[str | None, str | None]:
    """What stands in the file beside the map, and beside a map that starts from the other side and has no text: there
    the marks of units would name other nodes. xAIF has its text in the document."""
    source = graph.meta.source
    if source is None:
        return None, None
    return source.marked, source.text if source.spans is None else None


def _selection(differences: Differences, base: int, sides: frozenset[int]) -> Selection:
    resolved = {row.id: Resolved(sides) for row in differences}
    side: Side = 1 if base else 0
    return _Undropped(differences, Resolution(resolved, side))


def _mask(sides: frozenset[int]) -> int:
    return sum(1 << side for side in sides)


def _row(row: Difference, by_rule: Resolved) -> list[Any]:
    """Id, sides, kind, sides without a decision, whether it is open then, and its nodes as [side, number]."""
    other = {"first": 1, "second": 2, "both": 1}[row.sides]
    return [
        row.id,
        row.group,
        row.kind,
        other,
        _mask(by_rule.sides),
        int(by_rule.open),
        [list(node) for node in row.nodes],
    ]


def _side(
    side: int,
    graph: ArgumentGraph,
    form: str,
    selections: list[list[Selection]],
    assembly: Assembly,
    number_of: dict[str, int],
) -> dict[str, Any]:
    """The tables of one side's nodes and edges."""
    sample = selections[0][0]
    analysis = sample.analyses[side]
    numbers = sample.numbers(side)
    count = len(analysis.nodes)
    keys = [(side, number) for number in range(count)]
    probes = [selection for of_base in selections for selection in of_base]
    kept, stands = [probe.kept for probe in probes], [probe.stands_for for probe in probes]
    edges = [
        [numbers[edge.source], numbers[edge.target], owner_of(edge, numbers, analysis.nodes), edge.form_edge_id]
        for edge in graph.edges
    ]
    people = {person.id: number for number, person in enumerate(graph.meta.participants)}
    return {
        "document": write_aif(graph, node_schemes=True)
        if form == "aif"
        else json.loads(dumps(graph, format=form, indent=None)),
        "ids": [node.id for node in analysis.nodes],
        "kinds": [node.kind for node in analysis.nodes],
        "row": [number_of[row.id] if (row := sample.row_of.get(key)) else -1 for key in keys],
        "kept": [_bits(key, kept) for key in keys],
        "stands": [_bits(key, stands) for key in keys],
        "for": [next((each[key][1] for each in stands if key in each), -1) for key in keys],
        "mate": [assembly.partners[key][1] if key in assembly.partners else -1 for key in keys],
        "needs": [sample.needs(key) for key in keys],
        "edges": edges,
        "form_edges": bool({edge.id for edge in graph.edges} - {None}),
        "fresh_edge": _highest(edge.id for edge in graph.edges if edge.id is not None),
        "people": [[person.id, person.name] for person in graph.meta.participants],
        "said": [
            [numbers.get(record.node_id, -1), people.get(record.person_id or "", -1)] for record in graph.meta.locutions
        ],
        "other": _others(side, form, assembly),
    }


def _bits(key: NodeNumber, sets: Iterable[Container[NodeNumber]]) -> int:
    """In which of the sets a node is."""
    found = 0
    for place, each in enumerate(sets):
        if key in each:
            found |= 1 << place
    return found


def _highest(ids: Iterable[str]) -> int:
    """The greatest number among ids: what is new is counted on from it."""
    return max((int(id_) for id_ in ids if id_.isascii() and id_.isdigit() and len(id_) < 16), default=0)


def _greatest(assembly: Assembly) -> int:
    """The greatest number among the ids of both maps, of entries that were set aside, too."""
    ids = [node.id for graph in assembly.graphs for node in graph]
    ids += [str(left.value.get("nodeID")) for graph in assembly.graphs for left in graph.meta.leftovers]
    return _highest(ids)


def _cut_around(selection: Selection, number_of: dict[str, int], side: int, node: int) -> list[int]:
    """The rows of units cut differently that a scheme node joins."""
    analysis = selection.analyses[side]
    found = (
        selection.row_of.get((side, other)) for other in (*analysis.predecessors[node], *analysis.successors[node])
    )
    return [number_of[row.id] for row in found if row and row.kind == "cut differently"]


def _others(side: int, form: str, assembly: Assembly) -> dict[str, Any]:
    """What the nodes of rows are written as when the other side is followed: another text, or other schemes."""
    found: dict[str, Any] = {}
    for row in assembly.selection.differences:
        for key in (*row.nodes, *row.follows):
            partner: NodeNumber | None = assembly.partners.get(key)
            if key[0] != side or partner is None:
                continue
            node, theirs = assembly.node(key), assembly.node(partner)
            if node.kind in ("I", "L"):
                if node.text != theirs.text:
                    found[str(key[1])] = escaped(theirs.text)
            elif row.kind == "scheme":
                both = tuple(dict.fromkeys((*node.schemes, *theirs.schemes)))
                found[str(key[1])] = [_written(node, schemes, form) for schemes in (theirs.schemes, both)]
    return found


def _written(node: Node, schemes: Any, form: str) -> list[Any]:
    """The entries of a node under other schemes, and its fulfilments."""
    from aifgraph.graph import make_node

    changed = make_node(node.type, node.id, node.text, schemes, node.record)
    entries = write_aif(ArgumentGraph([changed], [], Meta(), ""), node_schemes=form == "aif")
    return [entries["nodes"], entries.get("schemefulfillments", [])]
