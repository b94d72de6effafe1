"""The laws of merging, and of the list of differences, for one pair of maps."""

import random
import re
from collections import Counter
from dataclasses import replace

import aifgraph
from aifgraph import ArgumentGraph, Comparison
from aifgraph.adjudication.merge import Merged, merge_compared
from aifgraph.adjudication.selection import choices_of
from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.graph import Node
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.rules import PROFILES


def off_diagonal(result: Comparison) -> Counter[str]:
    """The decisions off the diagonal by calculation, without those of none."""
    return +Counter(
        {
            name: scored.matrix.total - sum(row[place] for place, row in enumerate(scored.matrix.rows))
            for name, scored in result.calculations.items()
            if scored.applicable
        }
    )


def rows_add_up(first: ArgumentGraph, second: ArgumentGraph) -> None:
    """Every decision off a diagonal is in a row, every node in one row at the most, and every row has an id."""
    result = aifgraph.compare(first, second, calculations=tuple(CALCULATIONS))
    differences = result.differences()
    assert differences.costs == off_diagonal(result)
    said = str(differences), *([] if result.result.different_documents else [str(result)])
    counts = {re.findall(r"(\d+) of (\d+) labels differ", each)[0] for each in said}
    assert counts == {(str(differences.cost), str(differences.labels))}
    nodes = [node for row in differences for node in (*row.nodes, *row.follows)]
    assert len(nodes) == len(set(nodes))
    assert len({row.id for row in differences}) == len(differences)


def perfect(first: ArgumentGraph, second: ArgumentGraph) -> None:
    """Two maps that compare at 1.0, or with nothing to compare."""
    result = aifgraph.compare(first, second)
    assert not [row for row in result.differences() if row.costs]
    assert result.cass["kappa"] in (1.0, None)
    assert result.cass["f1"] in (1.0, None)


def laws_hold(first: ArgumentGraph, second: ArgumentGraph) -> None:
    """All first is the first, all second the second, A and A is A, and what both keep every merged map keeps."""
    comparison = aifgraph.compare(first, second)
    differences = comparison.differences()
    for side, graph in (("first", first), ("second", second)):
        decisions = dict.fromkeys([row.id for row in differences], side)
        perfect(merge_compared(comparison, decisions).graph, graph)
        perfect(merge_compared(comparison, {}, side).graph, graph)
    profiles = [name for name in PROFILES if all(aifgraph.validate(each, profile=name).ok for each in (first, second))]
    merged = merge_compared(comparison, {}).graph
    for profile in profiles:
        assert not aifgraph.validate(merged, profile=profile).errors
    assert aifgraph.merge(first, first).graph == first


def at_random(comparison: Comparison, seed: int) -> dict[str, str]:
    """A decision about every difference."""
    draw = random.Random(seed)
    return {row.id: draw.choice([of for of in choices_of(row) if of != "other"]) for row in comparison.differences()}


def relations_join_what_a_side_joins(comparison: Comparison, merged: Merged) -> int:
    """Every end of a merged relation is one that a side has for it, or the whole of which that is a part; gives the
    number of ends that stand where the other side cuts the text otherwise."""
    differences, gold, names = comparison.differences(), merged.graph, ("first", "second")
    sides = comparison.graphs
    base = names.index(gold.meta.aif.get("merge", {}).get("base", "first"))
    rows = {row.id: row for row in differences}
    analyses = differences.alignment.analyses
    members: dict[tuple[int, str], list[tuple[int, str]]] = {}
    for node_class in differences.alignment.propositions.classes:
        units = [(side, analyses[side].ids[n]) for side in (0, 1) for n in (node_class.first, node_class.second)[side]]
        members |= dict.fromkeys(units, units)
    equal = {(0, analyses[0].ids[one]): (1, analyses[1].ids[two]) for one, two in differences.equal.items()}
    equal |= {two: one for one, two in equal.items()}

    def origins(node: Node) -> set[tuple[int, str]]:
        record = node.extra.get("merged", {"from": {names[base]: node.id}})
        row = rows.get(record.get("row", ""))
        own = {(names.index(side), id_) for side, id_ in record["from"].items()}
        both = (
            [(0, id_) for id_ in row.first] + [(1, id_) for id_ in row.second] if row and node.kind in RELATIONS else []
        )
        return {*own, *both, *(equal[each] for each in own if each in equal)}

    recut = 0
    for relation in gold.relations:
        own = [(side, sides[side][id_]) for side, id_ in origins(relation)]
        for around in (ArgumentGraph.predecessors, ArgumentGraph.successors):
            known = {(side, end.id) for side, node in own for end in around(sides[side], node)}
            for end in around(gold, relation):
                if end.kind != "I":
                    continue
                came = origins(end)
                alike = {each for place in came for each in members[place]}
                alone = {side for side in (0, 1) if sum(each[0] == side for each in alike) == 1}
                assert came & known or (alike & known and any(side in alone for side, _ in came)), (relation.id, end.id)
                recut += len(alike) > 2
    return recut


def decided_is_in_the_gold(first: ArgumentGraph, second: ArgumentGraph, seed: int) -> None:
    """What random decisions say is what comes out, and a relation of several premises that lost one stays."""
    comparison = aifgraph.compare(first, second)
    rows = {row.id: row for row in comparison.differences()}
    decisions = at_random(comparison, seed)
    merged = merge_compared(comparison, decisions)
    gold = merged.graph
    relations_join_what_a_side_joins(comparison, merged)
    assert aifgraph.dumps(gold) == aifgraph.dumps(merge_compared(comparison, decisions).graph)
    sides = (first, second)
    places: tuple[dict[str, str], ...] = ({}, {})
    base = ("first", "second").index(gold.meta.aif["merge"]["base"]) if rows else 0
    for node in gold:
        came = node.extra.get("merged", {}).get("from")
        for side, name in enumerate(("first", "second")):
            if came and name in came:
                places[side][came[name]] = node.id
        if not came:
            places[base][node.id] = node.id
    for row in rows.values():
        decided = decisions[row.id]
        for side, name in enumerate(("first", "second")):
            ids = row.second if side else row.first
            said_to_go = any(f"(row {row.id}): " in caveat for caveat in merged.caveats)
            if decided in ("keep", name) and row.kind != "scheme" and not said_to_go:
                for id_ in ids:
                    assert id_ in places[side], (row.id, decided, id_)
                    if sides[side][id_].kind in ("I", "L") and row.kind != "cut differently":
                        assert gold[places[side][id_]].text == sides[side][id_].text
            elif decided in ("drop", "neither") and row.group in ("propositions", "locutions", "relations"):
                assert not [id_ for id_ in ids if id_ in places[side]], (row.id, decided)
    cut = {id_ for row in rows.values() if row.kind == "cut differently" for id_ in (row.first, row.second)[base]}
    for relation in sides[base].relations:
        premises = {node.id for node in sides[base].predecessors(relation) if node.kind == "I"}
        left = {places[base][id_] for id_ in premises if id_ in places[base]}
        if relation.id in places[base] and 0 < len(left) < len(premises) and not premises & cut:
            assert left <= {node.id for node in gold.predecessors(places[base][relation.id])}


def swapping_changes_nothing(first: ArgumentGraph, second: ArgumentGraph) -> bool:
    """Swapped sides and decisions give an equal map.

    False where the rows themselves are others when the sides are swapped: where nothing but their order tells
    propositions apart, the first goes with the first. Then only rules can be swapped, not decisions.
    """
    here, there = aifgraph.compare(first, second), aifgraph.compare(second, first)
    rows, back = here.differences(), there.differences()
    same = {row.id for row in rows} == {row.id for row in back}
    for prefer, other in (("first", "second"), ("second", "first")):
        assert _said(merge_compared(here, {}, prefer)) == _said(merge_compared(there, {}, other))
    for seed in range(3) if same else ():
        decisions = at_random(here, seed)
        turned = {id_: _OTHER.get(choice, choice) for id_, choice in decisions.items()}
        assert _said(merge_compared(here, decisions, "first")) == _said(merge_compared(there, turned, "second"))
    return same


def _said(merged: Merged) -> ArgumentGraph:
    """The merged map without the record of where its nodes come from."""
    nodes = [
        replace(node, extra={key: value for key, value in node.extra.items() if key != "merged"})
        for node in merged.graph
    ]
    return ArgumentGraph(nodes, merged.graph.edges, merged.graph.meta, merged.graph.name)


_OTHER = {"first": "second", "second": "first"}


def order_changes_no_row(first: ArgumentGraph, second: ArgumentGraph, seed: int) -> None:
    """The rows and their costs do not go by the order of nodes and edges in a file. Propositions and locutions stay in
    theirs: where there is no source text, their order is that of the text."""
    draw, turned = random.Random(seed), []
    for graph in (first, second):
        nodes, edges = list(graph), list(graph.edges)
        draw.shuffle(nodes)
        draw.shuffle(edges)
        units = iter([node for node in graph if node.kind in ("I", "L")])
        nodes = [next(units) if node.kind in ("I", "L") else node for node in nodes]
        turned.append(ArgumentGraph(nodes, edges, graph.meta, graph.name))
    wanted, found = (aifgraph.compare(*maps).differences() for maps in ((first, second), turned))
    here, there = ({row.id: {**row.to_dict(), "place": None} for row in rows} for rows in (wanted, found))
    assert here == there
    assert found.hashes == wanted.hashes
