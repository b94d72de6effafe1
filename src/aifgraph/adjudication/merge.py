"""``merge``: make one map of two analyses of a text, with a record of the side that each node comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal, Unpack

from aifgraph.adjudication.decisions import Decision, parse_decision, read_decisions
from aifgraph.adjudication.selection import (
    Consequences,
    Selection,
    SideNumber,
    Sides,
    needs_decision,
    open_sides,
    sides_kept,
)
from aifgraph.comparison import compare
from aifgraph.comparison.differences import Difference, Differences
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.comparison.result import Comparison
from aifgraph.errors import InputError, OptionError
from aifgraph.graph import ArgumentGraph, Edge, GraphBuilder, LocutionRecord, Meta, Node, Participant, Scheme, make_node
from aifgraph.graph.nodes import RELATIONS, NewIds
from aifgraph.graph.rules import PROFILES, validate
from aifgraph.graph.schemes import DEFAULT_TEXTS, USUAL_ILLOCUTIONS, fold_name, named_scheme, schemes_named
from aifgraph.options import OptionKeywords, Options
from aifgraph.printable import pluralize, shortened

Preference = Literal["first", "second"]
#: A decision for the id of a row, or the path of a file of decisions.
Decisions = Mapping[str, str | Decision] | str | PathLike[str]
_SIDES: Final = ("first", "second")


@dataclass(frozen=True)
class Merged:
    """The merged ``graph``, the rows without a decision (``open``), and the ``caveats``."""

    graph: ArgumentGraph
    differences: Differences = field(repr=False)
    decisions: Mapping[str, Decision] = field(repr=False)
    open: tuple[Difference, ...]
    caveats: tuple[str, ...]


def merge(
    first: ArgumentGraph,
    second: ArgumentGraph,
    *,
    decisions: Decisions | None = None,
    prefer: Preference | None = None,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Merged:
    """Merge two analyses of one text into one map.

    Nodes that both sides have are in it once. Each difference (``Comparison.differences``) is resolved by the decision
    about its row, else by the preferred side. Every node that is not the same on both sides has a field ``merged`` with
    its side, its row and the decision; all decisions are in the field ``merge`` of the file.

    Args:
        decisions: a decision for the id of a row, or the path of a TSV file of decisions.
        prefer: the side of rows without a decision. None leaves such rows open: the map has the nodes of both sides,
            marked as open; nodes that match have the words of the first side.
        options: how to compare.
        **keywords: fields of ``Options``; they replace those of ``options``.

    Raises:
        InputError: a row is unknown, the file of decisions belongs to other maps, or the merged map would break a rule
            that both maps follow.

    >>> import aifgraph
    >>> first, second = aifgraph.load("fixtures/debate/first.json"), aifgraph.load("fixtures/debate/second.json")
    >>> aifgraph.compare(merge(first, second, prefer="second").graph, second).cass["kappa"]
    1.0
    """
    return merge_compared(compare(first, second, options=options, **keywords), decisions, prefer)


def merge_compared(
    comparison: Comparison, decisions: Decisions | None = None, prefer: Preference | None = None
) -> Merged:
    """Merge the two maps of a comparison; see ``merge``."""
    if prefer not in (None, *_SIDES):
        raise OptionError(f"prefer is {prefer!r}", remedy="choose first or second")
    differences = comparison.differences()
    rows = {row.id: row for row in differences}
    if isinstance(decisions, str | PathLike):
        decisions = read_decisions(Path(decisions), differences)
    decisions = decisions or {}
    if unknown := sorted(decisions.keys() - rows.keys()):
        raise InputError(f"there is no row {unknown[0]!r} in the differences of these maps")
    parsed = {
        id_: decision if isinstance(decision, Decision) else parse_decision(decision, rows[id_])
        for id_, decision in decisions.items()
    }
    default: SideNumber = 1 if prefer == "second" else 0
    sides = open_sides(differences, default)
    if prefer is not None:
        sides = {id_: sides_kept(prefer, row, default) for id_, row in rows.items()}
    sides |= {id_: sides_kept(decision.choice, rows[id_], default) for id_, decision in parsed.items()}
    undecided = [row for row in differences if prefer is None and row.id not in parsed]
    still_open = tuple(row for row in undecided if needs_decision(row))
    # The map starts from the side that all rows follow, where they do, and has its words where nobody chose.
    free = {row.id for row in undecided if not needs_decision(row)}
    followed = {kept for id_, kept in sides.items() if len(kept) == 1 and id_ not in free}
    base: SideNumber = default if len(followed) != 1 else 1 if frozenset((1,)) in followed else 0
    sides |= dict.fromkeys(free, frozenset((base,)))
    selection = Selection(differences, sides, base)
    record = {
        **dict(zip(_SIDES, [graph.name for graph in comparison.graphs], strict=True)),
        "signature": comparison.signature,
        "base": _SIDES[base],
        "prefer": prefer,
        "decisions": {id_: {k: v for k, v in asdict(decision).items() if v} for id_, decision in parsed.items()},
        "open": [row.id for row in still_open],
    }
    merger = _Merger(selection, parsed, {row.id for row in still_open})
    graph = merger.graph(record)
    _check_rules(graph, merger)
    consequences = Consequences(differences)
    caveats = [*_left_out(selection, parsed)]
    for row in differences if prefer is None else [rows[id_] for id_ in parsed]:
        lost = consequences.lost({row: sides[row.id]}) if row.group == "propositions" else []
        if relations := [node for node in lost if selection.kind(node) in RELATIONS]:
            choice = parsed[row.id].choice if row.id in parsed else _SIDES[base]
            caveats.append(f"{_title(row)}: {choice} leaves out {consequences.in_words(relations)}")
    caveats += _moved(selection, parsed)
    return Merged(graph, differences, parsed, still_open, tuple(caveats))


def _left_out(selection: Selection, decisions: Mapping[str, Decision]) -> Iterator[str]:
    """Yield which rows lost nodes that they keep, and the decisions that left out what these need."""
    dropped = Counter(selection.row_of[node] for node in selection.dropped if node in selection.row_of)
    for row, count in dropped.items():
        groups = (group for node in selection.dropped if node in row.nodes for group in selection.needs(node))
        needed = [n for group in groups if selection.kept.isdisjoint(group) for n in group]
        lost = (selection.row_of[n] for n in needed if n in selection.row_of)
        by = [near for near in dict.fromkeys(lost) if near is not row and near.id in decisions]
        decided = "; ".join(f"“{decisions[near.id].text}” of {_title(near)}" for near in by)
        why = f": {decided}" if by and row.id in decisions else ""
        yield f"{_title(row)}: {pluralize(count, 'nodes')} left out, as nothing is left to join{why}"


def _moved(selection: Selection, decisions: Mapping[str, Decision]) -> Iterator[str]:
    """Yield which relations that were decided to be kept join another unit now, as their own is cut otherwise."""
    for node in sorted(selection.kept):
        row = selection.row_of.get(node)
        if row is None or row.id not in decisions or node not in row.nodes or selection.kind(node) not in RELATIONS:
            continue
        for end in selection.neighbours(node):
            near, joined = selection.row_of.get(end), selection.joined(node, end)
            if near and near.kind == "cut differently" and joined and end not in joined:
                said, instead = (shortened(selection.node(unit).text, 120) for unit in (end, joined[0]))
                yield f"{_title(row)}: joins “{instead}” instead of “{said}”, which is cut otherwise (row {near.id})"


def _title(row: Difference) -> str:
    return f"{shortened(row.first_wording or row.second_wording, 240)} (row {row.id})"


def _check_rules(graph: ArgumentGraph, merger: _Merger) -> None:
    """Raise an error if the merged graph breaks a rule of a profile that both maps follow, those of IAT only where both
    have dialogue: a map without it cannot break them."""
    for profile in PROFILES if merger.selection.anchored else ("aif", "xaif"):
        errors = validate(graph, profile, select="E").errors
        if errors and all(validate(of_side, profile, select="E").ok for of_side in merger.graphs):
            raise InputError(f"both maps follow a rule that the merged map breaks: {errors[0]}")


# -- the graph --------------------------------------------------------------------------------------------------------


class _Merger:
    """Puts the graph of a selection together."""

    def __init__(self, selection: Selection, decisions: Mapping[str, Decision], open_rows: set[str]) -> None:
        self.selection, self.decisions, self.open_rows = selection, decisions, open_rows
        self.base = selection.base
        self.graphs = [analysis.graph for analysis in selection.analyses]
        #: Ids in the merged graph.
        self.ids: dict[NodeNumber, str] = {}

    def graph(self, record: Mapping[str, Any]) -> ArgumentGraph:
        """Return the merged graph, with ``record`` in its file."""
        base, other, kept = self.base, 1 - self.base, self.selection.kept
        graph = self.graphs[base]
        builder = GraphBuilder(graph)
        builder._remove({node.id for n, node in enumerate(graph.nodes) if (base, n) not in kept})
        rest = builder.graph()
        self.ids = {(base, n): node.id for n, node in enumerate(graph.nodes) if (base, n) in kept}
        added = [n for n in range(len(self.graphs[other])) if (other, n) in kept]
        fresh = NewIds([*(node.id for merged in self.graphs for node in merged)])
        taken = {*self.ids.values()}
        for number in added:
            node = self.graphs[other].nodes[number]
            # A proposition that was left out keeps its id to itself: texts and spans may name it.
            busy = node.id in taken or (node.kind in ("I", "L") and node.id in graph)
            self.ids[other, number] = fresh.next() if busy else node.id
            taken.add(self.ids[other, number])
        nodes = [self._node(node) for node in self.ids]
        edges = {(edge.source, edge.target): edge for edge in rest.edges}
        edge_ids = [edge.id for edge in graph.edges if edge.id is not None]
        fresh_edges = NewIds(edge_ids)
        for side in (base, other):
            for ends, form in self._edges(side):
                if ends not in edges and ends[0] != ends[1]:
                    extra = None if form is None else {"formEdgeID": form}
                    edges[ends] = Edge(*ends, fresh_edges.next() if edge_ids else None, extra)
        return ArgumentGraph(tuple(nodes), tuple(edges.values()), self._meta(rest.meta, added, record), graph.name)

    def _edges(self, side: int) -> Iterator[tuple[tuple[str, str], str | None]]:
        """Yield the edges of the kept nodes of a side that are not in the base yet, led to what stands for their ends.

        An edge goes with its scheme node, and between two scheme nodes with the one that it leaves; a relation that an
        illocution anchors is the illocution's.
        """
        numbers, kept, kinds = self.selection.numbers[side], self.selection.kept, self.graphs[side].nodes
        for edge in self.graphs[side].edges:
            source, target = (side, numbers[edge.source]), (side, numbers[edge.target])
            if side == self.base and source in kept and target in kept:
                continue
            start, end = kinds[source[1]].kind, kinds[target[1]].kind
            to_scheme = end == "YA" or (start in ("I", "L") and end not in ("I", "L"))
            owner, far = (target, source) if to_scheme else (source, target)
            # Of two scheme nodes that are equal one stands for both, and joins what only one of them does, too.
            is_unit = owner in self.selection.classes
            merged = owner if owner in kept or is_unit else self.selection.same.get(owner)
            if merged not in kept:
                continue
            for joined in self.selection.joined(owner, far):
                start_node, end_node = (joined, merged) if to_scheme else (merged, joined)
                yield (self.ids[start_node], self.ids[end_node]), (edge.extra or {}).get("formEdgeID")

    def _node(self, key: NodeNumber) -> Node:
        """Return a node of the merged graph: its id there; the wording, label and schemes that were decided."""
        node, row, id_ = self.selection.node(key), self.selection.row_of.get(key), self.ids[key]
        if row is None:
            return node if id_ == node.id else replace(node, id=id_)
        sides = self.selection.sides[row.id]
        type_, text, schemes = node.type, node.text, node.schemes
        partner = self.selection.same.get(key)
        if partner and node.kind in ("I", "L"):
            text = text if key[0] in sides else self.selection.node(partner).text
        elif partner and row.kind == "scheme":
            of_partner = self.selection.node(partner).schemes
            schemes = of_partner if key[0] not in sides else schemes
            schemes = tuple(dict.fromkeys((*schemes, *of_partner))) if len(sides) == 2 else schemes
        decision = self.decisions.get(row.id)
        if decision and decision.choice == "other":
            type_, text, schemes = self._changed(key, row, decision.value, (type_, text, schemes))
        extra = {**node.extra, "merged": self._record(key, row, sides)}
        return make_node(type_, id_, text, schemes, node.timestamp, extra)

    def _changed(
        self, key: NodeNumber, row: Difference, value: str, content: tuple[str, str, tuple[Scheme, ...]]
    ) -> tuple[str, str, tuple[Scheme, ...]]:
        """Return type, text and schemes of a node under the new wording or label of its row."""
        type_, text, schemes = content
        if row.group in ("propositions", "locutions"):
            kept = sorted(node for node in row.nodes if node in self.selection.kept)
            return type_, value if kept[:1] == [key] else text, schemes
        if key in row.nodes:
            if value in RELATIONS:
                return value, DEFAULT_TEXTS[value], ()
            kind = next(kind for kind in (type_, "YA", *RELATIONS) if schemes_named(value, kind))
            scheme = named_scheme(value, kind)
            return kind, (scheme.name or value) if kind == "YA" else value, (scheme,)
        act = USUAL_ILLOCUTIONS.get(value)
        if act and type_ == "YA" and fold_name(text) in map(fold_name, USUAL_ILLOCUTIONS.values()):
            return type_, act, (named_scheme(act, "YA"),)  # arguing a support: disagreeing
        return content

    def _record(self, key: NodeNumber, row: Difference, sides: Sides) -> dict[str, Any]:
        """Return whose a node is and by which row; a node that only follows from the row has no decision of its own."""
        ids = {_SIDES[side]: self.graphs[side].nodes[n].id for side, n in sorted(self.selection.counterparts(key))}
        decision = self.decisions.get(row.id)
        if key not in row.nodes:
            return {"follows": row.id, "from": ids}
        record: dict[str, Any] = {"row": row.id, "kind": row.kind, "from": ids}
        if row.id in self.open_rows:
            record["open"] = True
        if decision:
            record["decision"] = decision.text
            record |= {"by": decision.by} if decision.by else {}
        else:
            record["sides"] = [_SIDES[side] for side in sorted(sides)]
        return record

    def _meta(self, meta: Meta, added: list[int], record: Mapping[str, Any]) -> Meta:
        """Return the base's side data with the other side's about the nodes that are from there."""
        side = 1 - self.base
        theirs, nodes = self.graphs[side].meta, self.graphs[side].nodes
        moved = {nodes[number].id: self.ids[side, number] for number in added}
        respoken = dict(self._spoken_by_others())
        locutions = [spoken for spoken in meta.locutions if spoken.node_id not in respoken.values()]
        people = list(meta.participants)
        new_ids = moved | respoken
        locutions += [
            _moved_record(spoken, new_ids[spoken.node_id], theirs.participants, people)
            for spoken in theirs.locutions
            if new_ids.get(spoken.node_id)
        ]
        source = meta.source
        # A map that is one side's in everything has that side's text: in another, its units may stand elsewhere.
        only_base = bool(self.selection.sides) and set(self.selection.sides.values()) == {frozenset((self.base,))}
        if source is None and theirs.source is not None and not only_base:
            kept = {node.id: self.selection.representative((side, number)) for number, node in enumerate(nodes)}
            source = theirs.source.renamed({id_: self.ids[node] if node else None for id_, node in kept.items()})
        aif = meta.aif
        if self.selection.row_of:
            aif = {**aif, "merge": dict(record)}
        return replace(meta, participants=tuple(people), locutions=tuple(locutions), source=source, aif=aif)

    def _spoken_by_others(self) -> Iterator[tuple[str, str]]:
        """Yield the other side's locutions whose speakers are taken: id there, id in the merged graph."""
        for row in self.selection.differences:
            if row.kind == "spoken by another" and self.base not in self.selection.sides[row.id]:
                for node in row.nodes:
                    kept = self.selection.representative(node)
                    if node[0] != self.base and kept and self.selection.kind(node) == "L":
                        yield self.selection.node(node).id, self.ids[kept]


def _moved_record(
    record: LocutionRecord, id_: str, theirs: Iterable[Participant], people: list[Participant]
) -> LocutionRecord:
    """Return a locution record of the other map under the ids of the merged one, its speaker among ``people``."""
    speaker = next((person for person in theirs if person.id == record.person_id), None)
    if speaker is None:
        return replace(record, node_id=id_)
    same = next((known for known in people if known.name == speaker.name), None)
    if same is None:
        ids = [person.id for person in people]
        same = replace(speaker, id=NewIds(ids).next()) if speaker.id in ids else speaker
        people.append(same)
    return replace(record, node_id=id_, person_id=same.id)
