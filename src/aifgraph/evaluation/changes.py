"""The kinds of change, each a function of an ``EditableGraph``; nothing but what its line says changes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, TypeVar

from aifgraph.align.analysis import analyse
from aifgraph.evaluation.reading_order import reading_order
from aifgraph.graph import ArgumentGraph, Edge, LocutionRecord, SourceText, Span
from aifgraph.graph.meta import said, speaker_prefix
from aifgraph.graph.nodes import RELATIONS, SCHEME_KINDS, Node, Scheme, make_node
from aifgraph.graph.schemes import DEFAULT_TEXTS, DEFAULTS, fold_name, label_of
from aifgraph.text.markup import plain_text

_LABELS = ("Asserting", "Agreeing", "Challenging", "Arguing", "Disagreeing", "Pure Questioning", "Restating")
_TYPES = ("RA", "CA", "MA")

Speaker = tuple[str | None, str]

T = TypeVar("T")


class EditableGraph:
    """A copy of a map to change: its nodes, the ends of its edges, its locution records. A change is made in
    ``share`` of the places where it can be made, drawn from ``rng``."""

    def __init__(self, graph: ArgumentGraph, share: float, rng: random.Random) -> None:
        self.old = graph
        self.rng = rng
        self.share = share
        self.nodes: dict[str, Node] = {node.id: node for node in graph}
        self.edges = [(edge.source, edge.target) for edge in graph.edges]
        self.records: list[LocutionRecord] = list(graph.meta.locutions)

    def some(self, places: Sequence[T]) -> list[T]:
        """``share`` of the places, in their order: as many as that is, one more by the chance of the remainder."""
        wanted = self.share * len(places)
        count = int(wanted + 1e-9)
        count += self.rng.random() < wanted - count - 1e-9
        return [places[index] for index in sorted(self.rng.sample(range(len(places)), count))]

    def of(self, *kinds: str) -> list[str]:
        """The ids of the nodes of these kinds; sorted, so that the order of the file decides nothing."""
        return sorted(id_ for id_, node in self.nodes.items() if node.kind in kinds)

    def after(self, id_: str, kind: str) -> list[str]:
        """The nodes of a kind that edges lead to."""
        return [b for a, b in self.edges if a == id_ and b in self.nodes and self.nodes[b].kind == kind]

    def before(self, id_: str, kind: str) -> list[str]:
        """The nodes of a kind that edges lead from."""
        return [a for a, b in self.edges if b == id_ and a in self.nodes and self.nodes[a].kind == kind]

    def contents(self, locution: str) -> list[str]:
        """The propositions that a locution anchors."""
        return list(dict.fromkeys(text for act in self.after(locution, "YA") for text in self.after(act, "I")))

    def prefix(self, id_: str) -> tuple[str, str]:
        """What stands before the words of a unit (white space, a locution's speaker), and its words."""
        node = self.nodes[id_]
        words = said(node)
        return node.text[: node.text.find(words)], words

    def put(self, id_: str, text: str, type_: str = "", schemes: tuple[Scheme, ...] | None = None) -> None:
        """Give a node another text, and another type or other schemes where they are given."""
        node = self.nodes[id_]
        new_schemes = node.schemes if schemes is None else schemes
        self.nodes[id_] = make_node(type_ or node.type, id_, text, new_schemes, node.record)

    def new(self, type_: str, text: str, schemes: tuple[Scheme, ...] = ()) -> str:
        """A new node."""
        number = len(self.nodes)
        while f"p{number}" in self.nodes or f"p{number}" in self.old:
            number += 1
        self.nodes[f"p{number}"] = make_node(type_, f"p{number}", text, schemes)
        return f"p{number}"

    def prune(self) -> None:
        """Take out the scheme nodes that have lost their last start or their last end."""
        old = {node.id: node.kind for node in self.old}
        starts, ends = self._sides([(edge.source, edge.target) for edge in self.old.edges], old)
        while True:
            kinds = {id_: node.kind for id_, node in self.nodes.items()}
            self.edges = [(a, b) for a, b in self.edges if a in kinds and b in kinds]
            starts_now, ends_now = self._sides(self.edges, kinds)
            lost = (starts - starts_now) | (ends - ends_now)
            gone = [id_ for id_ in lost if id_ in kinds and kinds[id_] in SCHEME_KINDS]
            if not gone:
                return
            for id_ in gone:
                del self.nodes[id_]

    @staticmethod
    def _sides(edges: Iterable[tuple[str, str]], kinds: dict[str, str]) -> tuple[set[str], set[str]]:
        """The nodes that something leads to, and those that lead to something; illocutions that anchor a node, or are
        anchored in it, do not count."""
        listed = list(edges)
        return {b for a, b in listed if kinds[a] != "YA"}, {a for a, b in listed if kinds[b] != "YA"}

    def graph(self) -> ArgumentGraph:
        """The changed map. Spans of the source text belong to the old units: those that changed lose them."""
        meta, known = self.old.meta, {(edge.source, edge.target): edge for edge in self.old.edges}
        ends = [(a, b) for a, b in dict.fromkeys(self.edges) if a in self.nodes and b in self.nodes and a != b]
        changed = {node.id for node in self.old if self.nodes.get(node.id) != node}
        source = _without_spans(meta.source, {id_ for id_ in changed if self.old[id_].kind in ("I", "L")})
        return ArgumentGraph(
            self.nodes.values(),
            [known.get((a, b)) or Edge(a, b) for a, b in ends],
            replace(
                meta,
                locutions=tuple(record for record in self.records if record.node_id in self.nodes),
                source=source,
                # An entry set aside says again what the node said before.
                unread=tuple(left for left in meta.unread if str(left.value.get("nodeID")) not in changed),
            ),
            self.old.name,
        )


def _without_spans(source: SourceText | None, changed: set[str]) -> SourceText | None:
    """The text without the spans of these nodes; one that is marked up becomes plain where it has any."""
    if source is None or not changed:
        return source
    if source.spans is not None:
        return replace(source, spans=tuple(span for span in source.spans if span.node_id not in changed))
    plain = plain_text(source.text)
    if not any(span.id in changed for span in plain.spans):
        return source
    return replace(source, text=plain.text, spans=tuple(Span(*span) for span in plain.spans if span.id not in changed))


def segmentation(graph: EditableGraph) -> None:
    """Cut a unit; a locution takes its illocutions and propositions along: its second half is said for itself."""
    analysis = analyse(graph.old)
    units = sorted(analysis.nodes[unit].id for unit in analysis.units)
    for id_ in graph.some([id_ for id_ in units if len(graph.prefix(id_)[1].split()) >= 4]):
        prefix, said = graph.prefix(id_)
        place = graph.rng.randrange(1, len(said.split()))
        first, rest = _cut(said, place)
        node = graph.nodes[id_]
        graph.put(id_, prefix + first)
        second = graph.new(node.type, prefix + rest, node.schemes)
        graph.records += [replace(record, node_id=second) for record in graph.records if record.node_id == id_]
        for act in graph.after(id_, "YA"):
            for content in graph.after(act, "I"):
                head, tail = _cut(graph.nodes[content].text, place)
                if head and tail:
                    graph.put(content, head)
                    label = graph.nodes[act]
                    again = graph.new("YA", label.text, label.schemes)
                    graph.edges += [(second, again), (again, graph.new("I", tail, graph.nodes[content].schemes))]
        if node.kind == "L":
            step = graph.new("TA", DEFAULT_TEXTS["TA"], (DEFAULTS["TA"],))
            graph.edges += [(id_, step), (step, second)]


def boundaries(graph: EditableGraph, words: int) -> None:
    """Move the boundary between two neighbouring units: words of the one become words of the other."""
    for first, second in graph.some(_neighbours(graph, same_speaker=False)):
        forward = graph.rng.random() < 0.5
        if not _shift(graph, first, second, words, forward=forward):
            continue
        contents = graph.contents(first), graph.contents(second)
        if len(contents[0]) == len(contents[1]) == 1 and contents[0] != contents[1]:
            _shift(graph, contents[0][0], contents[1][0], words, forward=forward)


def _shift(graph: EditableGraph, first: str, second: str, words: int, *, forward: bool) -> bool:
    (prefix, said), (next_prefix, next_words) = graph.prefix(first), graph.prefix(second)
    count = len(said.split()) - words if forward else words
    head, tail = _cut(said if forward else next_words, count)
    if not head or not tail:
        return False
    said, next_words = (head, f"{tail} {next_words}") if forward else (f"{said} {head}", tail)
    graph.put(first, prefix + said)
    graph.put(second, next_prefix + next_words)
    return True


def merged(graph: EditableGraph) -> None:
    """Make one unit of two neighbours (locutions of one speaker, with what they say; or two propositions)."""
    into: dict[str, str] = {}
    for first, second in graph.some(_neighbours(graph, same_speaker=True)):
        first = into.get(first, first)
        into[second] = first
        contents = graph.contents(first), graph.contents(second)
        _merge(graph, first, second)
        if len(contents[0]) == len(contents[1]) == 1 and contents[0] != contents[1]:
            own, other = contents[0][0], contents[1][0]
            if {anchor for act in graph.before(other, "YA") for anchor in graph.before(act, "L")} == {first}:
                _merge(graph, own, other)
                _drop_repeated_acts(graph, first, own)
    graph.prune()


def _merge(graph: EditableGraph, kept: str, gone: str) -> None:
    prefix, said = graph.prefix(kept)
    graph.put(kept, f"{prefix}{said} {graph.prefix(gone)[1]}")
    del graph.nodes[gone]
    ends = [(kept if a == gone else a, kept if b == gone else b) for a, b in graph.edges]
    starts = {a for a, b in ends if b == kept} & {b for a, b in ends if a == kept}
    # What led from one of the two to the other leads nowhere now.
    graph.edges = [(a, b) for a, b in dict.fromkeys(ends) if not (b == kept and a in starts) and a != b]


def _drop_repeated_acts(graph: EditableGraph, locution: str, content: str) -> None:
    labels: set[str] = set()
    for act in sorted(graph.after(locution, "YA")):
        label = fold_name(label_of(graph.nodes[act]))
        if graph.after(act, "I") == [content]:
            if label in labels:
                del graph.nodes[act]
            labels.add(label)


def _neighbours(graph: EditableGraph, *, same_speaker: bool) -> list[tuple[str, str]]:
    """Two units of one kind, one after the other, without a word of the text between them that is known."""
    pairs: list[tuple[str, str]] = []
    units = reading_order(graph.old)
    without_text = all(unit.run is None for unit in units)
    for first, second in pairwise(unit for unit in units if unit.run or without_text):
        touching = first.run[1] == second.run[0] if first.run and second.run else without_text
        kinds = {first.node.kind, second.node.kind}
        if touching and len(kinds) == 1:
            one, other = _speaker(graph, first.node.id), _speaker(graph, second.node.id)
            if kinds == {"I"} or not same_speaker or one == other:
                pairs.append((first.node.id, second.node.id))
    return pairs


def relations(graph: EditableGraph) -> None:
    """Drop a relation, change its type, or move one of its ends to another proposition."""
    for id_ in graph.some(graph.of(*RELATIONS)):
        graph.rng.choice((_drop, _retype, _attach))(graph, id_)
    graph.prune()


def dropped(graph: EditableGraph) -> None:
    """Drop a relation, with the illocutions that lead to it alone."""
    for id_ in graph.some(graph.of(*RELATIONS)):
        _drop(graph, id_)
    graph.prune()


def types(graph: EditableGraph) -> None:
    """Give a relation another type of RA, CA and MA."""
    for id_ in graph.some(graph.of(*RELATIONS)):
        _retype(graph, id_)


def attachment(graph: EditableGraph) -> None:
    """Move a premise or a conclusion of a relation to another proposition."""
    places = [id_ for id_ in graph.of(*RELATIONS) if _movable(graph, id_)]
    for id_ in graph.some(places):
        _attach(graph, id_)


def _drop(graph: EditableGraph, id_: str) -> None:
    del graph.nodes[id_]


def _retype(graph: EditableGraph, id_: str) -> None:
    type_ = graph.rng.choice([type_ for type_ in _TYPES if type_ != graph.nodes[id_].kind])
    graph.put(id_, DEFAULT_TEXTS[type_], type_, ())


def _movable(graph: EditableGraph, id_: str) -> list[str]:
    """The propositions that an end can be moved to, where there is an end to move."""
    near = {*graph.before(id_, "I"), *graph.after(id_, "I")}
    return [other for other in graph.of("I") if other not in near] if near else []


def _attach(graph: EditableGraph, id_: str) -> None:
    others = _movable(graph, id_)
    ends = sorted({(a, id_) for a in graph.before(id_, "I")} | {(id_, b) for b in graph.after(id_, "I")})
    if others:
        start, end = graph.rng.choice(ends)
        other = graph.rng.choice(others)
        graph.edges[graph.edges.index((start, end))] = (start, other) if start == id_ else (other, end)


def reversed_(graph: EditableGraph) -> None:
    """Turn a relation round: its conclusion and a premise trade places."""
    places = []
    for id_ in graph.of(*RELATIONS):
        starts, ends = graph.before(id_, "I"), graph.after(id_, "I")
        turns = [(a, b) for a in sorted(starts) for b in sorted(ends) if b not in starts and a not in ends]
        if turns:
            places.append((id_, turns))
    for id_, turns in graph.some(places):
        start, end = graph.rng.choice(turns)
        swap = {(start, id_): (end, id_), (id_, end): (id_, start)}
        graph.edges = [swap.get(edge, edge) for edge in graph.edges]


def spurious(graph: EditableGraph) -> None:
    """Add relations: one of its type for each relation drawn, between two propositions that none relates yet."""
    propositions, relations_ = graph.of("I"), graph.of(*RELATIONS)
    related = {frozenset((a, b)) for id_ in relations_ for a in graph.before(id_, "I") for b in graph.after(id_, "I")}
    for id_ in graph.some(relations_):
        free = len(propositions) * (len(propositions) - 1) // 2 - len(related)
        if free <= 0:
            return
        while True:
            start, end = graph.rng.sample(propositions, 2)
            if frozenset((start, end)) not in related:
                break
        related.add(frozenset((start, end)))
        type_ = graph.nodes[id_].kind
        added = graph.new(type_, DEFAULT_TEXTS[type_], (DEFAULTS[type_],))
        graph.edges += [(start, added), (added, end)]


def illocutions(graph: EditableGraph) -> None:
    """Give an illocution (none that is ``Analysing``) another label, of those in the map or of the common ones."""
    acts = [act for act in graph.of("YA") if fold_name(label_of(graph.nodes[act])) != "analysing"]
    labels = sorted({*_LABELS, *(label_of(graph.nodes[act]) for act in acts)})
    for act in graph.some(acts):
        own = fold_name(label_of(graph.nodes[act]))
        graph.put(act, graph.rng.choice([label for label in labels if fold_name(label) != own]), schemes=())


def _speaker(graph: EditableGraph, locution: str) -> Speaker:
    """The person of a locution's record, and the name in front of its words."""
    people = {person.id for person in graph.old.meta.participants}
    recorded = [record.person_id for record in graph.records if record.node_id == locution]
    known = [person for person in recorded if person in people]
    return (known[0] if known else None), speaker_prefix(graph.nodes[locution].text)


def _cut(text: str, count: int) -> tuple[str, str]:
    """A text before and after so many words; both empty where one would hold none."""
    places = [word.start() for word in re.finditer(r"\S+", text)]
    return (text[: places[count]].rstrip(), text[places[count] :]) if 0 < count < len(places) else ("", "")


Change = Callable[[EditableGraph], None]

#: By the name of the kind; ``boundaries``, which also takes the number of words, is in ``change_of``.
_CHANGES: Final[dict[str, Change]] = {
    "segmentation": segmentation,
    "merged": merged,
    "relations": relations,
    "dropped": dropped,
    "spurious": spurious,
    "types": types,
    "reversed": reversed_,
    "attachment": attachment,
    "illocutions": illocutions,
}
KINDS: Final = ("segmentation", "boundaries", *list(_CHANGES)[1:])


def change_of(kind: str, words: int) -> Change:
    """The change that a kind makes; ``boundaries`` move by so many words."""
    return (lambda graph: boundaries(graph, words)) if kind == "boundaries" else _CHANGES[kind]
