"""From the selected nodes of two maps to one graph: ids, wordings, edges, people, the record of each node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from aifgraph.adjudication.selection import Resolved, Selection
from aifgraph.comparison.differences import Difference, NodeNumber
from aifgraph.graph import ArgumentGraph, Edge, LocutionRecord, Meta, Node, Participant, Scheme, make_node
from aifgraph.graph.edit import without_nodes
from aifgraph.graph.nodes import EMPTY, RELATIONS
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name, named, named_scheme

_NAMES = ("first", "second")
#: The illocution that usually anchors a relation: it changes with the relation's type.
_ACTS = {"RA": "Arguing", "CA": "Disagreeing", "MA": "Restating"}


class Assembly:
    """Puts the graph together, again where the selection changes."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.base = selection.resolution.base
        self.graphs = [analysis.graph for analysis in selection.analyses]
        self.nodes = [analysis.nodes for analysis in selection.analyses]
        self.partners: dict[NodeNumber, NodeNumber] = {}
        for layer in (selection.differences.alignment.propositions, selection.differences.alignment.locutions):
            for node_class in layer.classes:
                if node_class.match:
                    one, other = (0, node_class.match.first), (1, node_class.match.second)
                    self.partners.update({one: other, other: one})
        for first, second in selection.differences.equal.items():
            self.partners.update({(0, first): (1, second), (1, second): (0, first)})
        self.ids: dict[NodeNumber, str] = {}

    def rows_of(self, id_: str) -> Iterator[Difference]:
        """The rows of a node of the merged graph, and of what it joins."""
        for node, own in self.ids.items():
            if own == id_:
                side, number = node
                analysis = self.selection.analyses[side]
                near = ((side, other) for other in (*analysis.predecessors[number], *analysis.successors[number]))
                for other in (node, *near):
                    if row := self.selection.row_of.get(other):
                        yield row

    def leave_out(self, ids: Iterable[str]) -> None:
        """Leave out the first scheme node of these ids."""
        numbers = {own: node for node, own in self.ids.items()}
        for id_ in ids:
            node = numbers.get(id_)
            if node in self.selection.kept and self.node(node).kind not in ("I", "L"):
                self.selection.kept.discard(node)
                self.selection.dropped.append(node)
                return

    def node(self, node: NodeNumber) -> Node:
        return self.nodes[node[0]][node[1]]

    def graph(self, record: Mapping[str, Any]) -> ArgumentGraph:
        """The merged graph; ``record`` goes into its file."""
        base, other, kept = self.base, 1 - self.base, self.selection.kept
        base_graph = self.graphs[base]
        gone = [node.id for number, node in enumerate(self.nodes[base]) if (base, number) not in kept]
        rest = without_nodes(base_graph, gone)
        added = [number for number in range(len(self.nodes[other])) if (other, number) in kept]
        self.ids = {(base, number): node.id for number, node in enumerate(self.nodes[base]) if (base, number) in kept}
        taken = set(self.ids.values())
        fresh = _Fresh(taken, [*(node.id for node in base_graph), *(node.id for node in self.graphs[other])])
        for number in added:
            node = self.nodes[other][number]
            busy = node.id in taken or (node.kind in ("I", "L") and node.id in base_graph)
            self.ids[other, number] = fresh.id() if busy else node.id
            taken.add(self.ids[other, number])
        nodes = {self.ids[key]: self.merged_node(key) for key in self.ids}
        edges = {(edge.source, edge.target): edge for edge in rest.edges}
        known_edges = {edge.id for edge in base_graph.edges if edge.id is not None}
        fresh_edges = _Fresh(known_edges, ())
        for side in (base, other):
            for ends, form in self._edges(side):
                if ends not in edges and ends[0] != ends[1]:
                    edge_record = {"formEdgeID": form} if form is not None else EMPTY
                    edges[ends] = Edge(*ends, fresh_edges.id() if known_edges else None, edge_record)
        meta = self._meta(rest.meta, added, record)
        return ArgumentGraph(nodes.values(), edges.values(), meta, base_graph.name)

    def _edges(self, side: int) -> Iterator[tuple[tuple[str, str], str | None]]:
        """The edges of the kept nodes of a side, led to what stands for their ends."""
        numbers = self.selection.numbers(side)
        nodes, kept, base = self.nodes[side], self.selection.kept, self.base
        for edge in self.graphs[side].edges:
            source, target = (side, numbers[edge.source]), (side, numbers[edge.target])
            if side == base and source in kept and target in kept:
                continue  # it is there already
            owner = (side, owner_of(edge, numbers, nodes))
            if owner not in kept:
                # Of two that are equal but for what one side lacks one stands for both, and joins what both join.
                far = target if owner == source else source
                if owner not in self.partners or far not in kept or far in self.partners:
                    continue
            places = self.selection.place(source), self.selection.place(target)
            if places[0] and places[1]:
                yield (self.ids[places[0]], self.ids[places[1]]), edge.form_edge_id

    # -- nodes --------------------------------------------------------------------------------------------------

    def merged_node(self, key: NodeNumber) -> Node:
        """A node of the merged graph: with its id there, the wording, label and schemes that were decided."""
        side, _ = key
        node, row, id_ = self.node(key), self.selection.row_of.get(key), self.ids[key]
        if row is None and id_ == node.id:
            return node
        resolved = self.selection.resolution.rows[row.id] if row else None
        text, type_, schemes = node.text, node.type, node.schemes
        if row and resolved:
            partner = self.partners.get(key)
            if node.kind in ("I", "L"):
                if partner and side not in resolved.sides:
                    text = self.node(partner).text
            elif row.kind == "scheme" and partner:
                theirs = self.node(partner).schemes
                if side not in resolved.sides:
                    schemes = theirs
                elif len(resolved.sides) == 2:
                    schemes = tuple(dict.fromkeys((*schemes, *theirs)))
            if resolved.decision and resolved.decision.choice == "other":
                text, type_, schemes = self._other(key, row, resolved.decision.value, text, type_, schemes)
        record = dict(node.record)
        if came := self._came(key, row, resolved):
            record["merged"] = came
        elif id_ == node.id and (text, type_, schemes) == (node.text, node.type, node.schemes):
            return node
        return make_node(type_, id_, text, schemes, record)

    def _other(
        self, key: NodeNumber, row: Difference, value: str, text: str, type_: str, schemes: tuple[Scheme, ...]
    ) -> tuple[str, str, tuple[Scheme, ...]]:
        """Text, type and schemes under a new wording or label."""
        if row.group in ("propositions", "locutions"):
            return (value if key in self._worded(row) else text), type_, schemes
        if key in row.nodes:
            if value in RELATIONS:
                return DEFAULT_TEXTS[value], value, ()
            kind = type_ if named(value, type_) else next(kind for kind in ("YA", *RELATIONS) if named(value, kind))
            scheme = named_scheme(value, kind)
            return (scheme.name or value) if kind == "YA" else value, kind, (scheme,)
        usual = {fold_name(act) for act in _ACTS.values()}
        if type_ == "YA" and value in _ACTS and fold_name(text) in usual:
            # Arguing a support becomes disagreeing by a conflict.
            return _ACTS[value], type_, (named_scheme(_ACTS[value], "YA"),)
        return text, type_, schemes

    def _worded(self, row: Difference) -> set[NodeNumber]:
        """The one node that a new wording is for."""
        kept = {node for node in row.nodes if node in self.selection.kept}
        return kept if len(kept) == 1 else {min(kept)} if kept else set()

    def _came(self, key: NodeNumber, row: Difference | None, resolved: Resolved | None) -> dict[str, Any] | None:
        """Whose a node is and by which row, decision and person; None for what both have alike."""
        if row is None or resolved is None:
            return None
        partner = self.partners.get(key)
        sources = {_NAMES[side]: self.nodes[side][number].id for side, number in (key, partner or key)}
        came: dict[str, Any] = {"row": row.id, "kind": row.kind, "from": dict(sorted(sources.items()))}
        if resolved.open:
            came["open"] = True
        if resolved.decision:
            came["decision"] = resolved.decision.value or resolved.decision.choice
            if resolved.decision.by:
                came["by"] = resolved.decision.by
        else:
            came["sides"] = [_NAMES[side] for side in sorted(resolved.sides)]
        return came

    # -- what is not nodes and edges ----------------------------------------------------------------------------

    def _meta(self, meta: Meta, added: list[int], record: Mapping[str, Any]) -> Meta:
        other = 1 - self.base
        theirs = self.graphs[other].meta
        moved = {self.nodes[other][number].id: self.ids[other, number] for number in added}
        locutions = list(meta.locutions)
        respoken = dict(self._respoken())
        if respoken:
            locutions = [spoken for spoken in locutions if spoken.node_id not in respoken.values()]
        moved.update(respoken)
        people = list(meta.participants)
        for spoken in theirs.locutions:
            if spoken.node_id in moved:
                locutions.append(self._moved(spoken, moved[spoken.node_id], theirs, people))
        source = meta.source
        rows = self.selection.resolution.rows.values()
        # A map that is one side's in everything has that side's text: in another, its units may stand elsewhere.
        one_sided = rows and all(row.sides == {self.base} for row in rows)
        if source is None and theirs.source is not None and not one_sided:
            spans = theirs.source.spans
            if spans is not None:
                numbers = self.selection.numbers(other)
                places = (
                    (span, self.selection.place((other, numbers[span.node_id])))
                    for span in spans
                    if span.node_id in numbers
                )
                spans = tuple(replace(span, node_id=self.ids[place]) for span, place in places if place)
            source = replace(theirs.source, spans=spans)
        aif = meta.aif
        if record["decisions"] or record["open"] or self.selection.row_of:
            aif = {**(aif or {"edges": [], "locutions": []}), "merge": dict(record)}
        return replace(meta, participants=tuple(people), locutions=tuple(locutions), source=source, aif=aif)

    def _respoken(self) -> Iterator[tuple[str, str]]:
        """The other side's locutions whose speakers are taken: id there → id in the merged graph."""
        for row in self.selection.differences:
            if row.kind == "spoken by another" and self.base not in self.selection.resolution.rows[row.id].sides:
                for key in row.nodes:
                    place = self.selection.place(key)
                    if key[0] != self.base and place and self.node(key).kind == "L":
                        yield self.node(key).id, self.ids[place]

    @staticmethod
    def _moved(record: LocutionRecord, id_: str, theirs: Meta, people: list[Participant]) -> LocutionRecord:
        """A locution record of the other map, under the ids of the merged one."""
        person = next((other for other in theirs.participants if other.id == record.person_id), None)
        if person is None:
            return replace(record, node_id=id_)
        same = next((known for known in people if known.name == person.name), None)
        if same is None:
            taken = {known.id for known in people}
            same = replace(person, id=_Fresh(taken, ()).id()) if person.id in taken else person
            people.append(same)
        return replace(record, node_id=id_, person_id=same.id)


def owner_of(edge: Edge, numbers: Mapping[str, int], nodes: Sequence[Node]) -> int:
    """The node with which an edge goes: its scheme node, and between two scheme nodes the one that it leaves (a
    relation that an illocution anchors is the illocution's)."""
    source, target = numbers[edge.source], numbers[edge.target]
    kinds = nodes[source].kind, nodes[target].kind
    to_scheme = kinds[1] == "YA" or (kinds[0] in ("I", "L") and kinds[1] not in ("I", "L"))
    return target if to_scheme else source


class _Fresh:
    """Ids that nothing has: the numbers after the greatest."""

    def __init__(self, taken: Iterable[object], known: Iterable[str]) -> None:
        self.taken = {str(id_) for id_ in taken}
        self.known = known
        self.next: int | None = None

    def id(self) -> str:
        if self.next is None:
            ids = self.taken.union(self.known)
            self.next = max((int(id_) for id_ in ids if len(id_) < 16 and id_.isascii() and id_.isdigit()), default=0)
        self.next += 1
        self.taken.add(str(self.next))
        return str(self.next)
