"""The rows of a corpus for three tasks: relations between propositions, illocutions, segmentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.errors import OptionError
from aifgraph.evaluation.reading_order import reading_order
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.meta import said
from aifgraph.graph.nodes import RELATIONS, Node
from aifgraph.graph.schemes import label_of
from aifgraph.guesses import Answering
from aifgraph.text.markup import plain_text
from aifgraph.text.words import words_with_places

Task = Literal["relations", "illocutions", "segmentation"]

#: Which pairs of propositions are rows: all, those near each other, or those with a relation and so many without for
#: each of them (and so many of a map that has no relation).
Negatives = Literal["all", "near"] | int

Value = str | int | list[str] | list[int]
Row = Mapping[str, Value]

#: What a row without a label has.
NO_LABEL: Final = "none"

#: The columns of each task. A row of ``segmentation`` is a text, with a list in each column but the first two.
COLUMNS: Final[Mapping[Task, tuple[str, ...]]] = {
    "relations": ("map", "split", "first_id", "second_id", "first", "second", "distance", "label"),
    "illocutions": ("map", "split", "illocution_id", "anchor", "speaker", "previous", "text", "content", "label"),
    "segmentation": ("map", "split", "tokens", "starts", "ends", "tags"),
}

#: How far apart propositions are that count as near.
DEFAULT_WINDOW = 3


@dataclass(frozen=True, slots=True)
class RowOptions(Answering):
    """Which rows of training data to make.

    Attributes:
        negatives: for relations, which pairs are rows: ``all``, those ``near`` each other, or, in the training split
            alone, those with a relation and so many without for each of them.
        window: how many propositions apart ``near`` pairs are at most.
    """

    task: Task
    negatives: Negatives = 1
    window: int = DEFAULT_WINDOW
    seed: int = 0

    def __post_init__(self) -> None:
        if self.task not in COLUMNS:
            raise OptionError(f"there is no task {self.task!r}", remedy=f"choose from {', '.join(COLUMNS)}")
        number = self.negatives if isinstance(self.negatives, int) else 0
        if isinstance(self.negatives, bool) or number < 0 or self.negatives not in ("all", "near", number):
            raise OptionError(f"negatives is {self.negatives!r}", remedy="give all, near, or a number from 0 on")
        if self.window < 1:
            raise OptionError(f"a window of {self.window}", remedy="give one or more")


def rows_of(graph: ArgumentGraph, options: RowOptions) -> Iterator[dict[str, Value]]:
    """The rows of a map, without ``map`` and ``split``.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> _ = build.inference([reason], claim)
    >>> [(row["first"], row["label"]) for row in rows_of(build.graph(), RowOptions("relations"))]
    [('Masks help', 'none'), ('They filter', 'RA')]
    """
    if options.task == "relations":
        return _relations(graph, options)
    return _illocutions(graph) if options.task == "illocutions" else _segmentation(graph)


def relation_labels(analysis: Analysis) -> dict[tuple[int, int], set[str]]:
    """The types of the relations from each proposition to each other one, by numbers of nodes."""
    labels: dict[tuple[int, int], set[str]] = {}
    for node, kind in enumerate(analysis.kinds):
        if kind in RELATIONS:
            for start in analysis.predecessors[node]:
                for end in analysis.successors[node]:
                    if analysis.kinds[start] == analysis.kinds[end] == "I" and start != end:
                        labels.setdefault((start, end), set()).add(kind)
    return labels


def is_whole(graph: ArgumentGraph, pairs: Set[tuple[str, str]]) -> bool:
    """Whether ordered pairs of propositions, by id, are all that a map has, or all of those that are near each other:
    candidates that can be listed without knowing which pairs have a relation."""
    analysis = analyse(graph)
    place_of = {analysis.nodes[number].id: place for place, number in enumerate(_in_order(graph, analysis))}
    window = max((abs(place_of[one] - place_of[other]) for one, other in pairs), default=0)
    return len(pairs) == sum(2 * (len(place_of) - step) for step in range(1, window + 1))


def distant_of(graph: ArgumentGraph, window: int) -> int:
    """How many pairs with a relation are further apart than ``window`` propositions: they are not near each other."""
    analysis = analyse(graph)
    place_of = {number: place for place, number in enumerate(_in_order(graph, analysis))}
    return sum(abs(place_of[start] - place_of[end]) > window for start, end in relation_labels(analysis))


def undercuts_of(graph: ArgumentGraph) -> int:
    """How many relations bear on relations: they are no pairs of propositions."""
    relations = {node.id for node in graph if node.kind in RELATIONS}
    return len({edge.source for edge in graph.edges if edge.source in relations and edge.target in relations})


def _relations(graph: ArgumentGraph, options: RowOptions) -> Iterator[dict[str, Value]]:
    """Ordered pairs of propositions, in reading order: the label is of the relation from the first to the second."""
    analysis = analyse(graph)
    order = _in_order(graph, analysis)
    labels = relation_labels(analysis)
    for place, other in _pairs(order, labels, options, graph.name):
        start, end = order[place], order[other]
        yield {
            "first_id": analysis.nodes[start].id,
            "second_id": analysis.nodes[end].id,
            "first": analysis.said[start],
            "second": analysis.said[end],
            "distance": other - place,
            "label": "+".join(sorted(labels.get((start, end), ()))) or NO_LABEL,
        }


def _in_order(graph: ArgumentGraph, analysis: Analysis) -> list[int]:
    """The propositions in reading order; those that are said nowhere come last."""
    numbers = {node.id: number for number, node in enumerate(analysis.nodes)}
    wanted = dict.fromkeys(analysis.propositions)
    order: dict[int, None] = {}
    for unit in reading_order(graph):
        number = numbers[unit.node.id]
        if number in wanted:
            order[number] = None
            continue
        for act in analysis.successors[number]:
            if analysis.kinds[act] == "YA":
                order.update(dict.fromkeys(other for other in analysis.successors[act] if other in wanted))
    return [*order, *(number for number in wanted if number not in order)]


def _pairs(
    order: Sequence[int], labels: Mapping[tuple[int, int], set[str]], options: RowOptions, name: str
) -> Iterator[tuple[int, int]]:
    """Places in ``order`` of the pairs that are rows, sorted."""
    count, negatives = len(order), options.negatives
    if negatives == "all":
        yield from ((one, other) for one in range(count) for other in range(count) if one != other)
        return
    if negatives == "near":
        for one in range(count):
            near = range(max(0, one - options.window), min(count, one + options.window + 1))
            yield from ((one, other) for other in near if one != other)
        return
    place_of = {number: place for place, number in enumerate(order)}
    chosen = {(place_of[start], place_of[end]) for start, end in labels if start in place_of and end in place_of}
    random = Random(f"{options.seed}:{name}")
    free = count * (count - 1) - len(chosen)
    # A map without a relation has rows too: a classifier must be able to say that there is none.
    wanted = min(int(negatives) * max(len(chosen), 1), free)
    if 2 * wanted > free:
        pairs = ((one, other) for one in range(count) for other in range(count) if one != other)
        chosen |= set(random.sample([pair for pair in pairs if pair not in chosen], wanted))
    else:
        target = len(chosen) + wanted
        while len(chosen) < target:
            one, other = random.randrange(count), random.randrange(count)
            if one != other:
                chosen.add((one, other))
    yield from sorted(chosen)


def _illocutions(graph: ArgumentGraph) -> Iterator[dict[str, Value]]:
    """The illocutions of locutions, and of transitions: then ``previous`` and ``text`` are what they join."""
    analysis = analyse(graph)
    order = [unit.node.id for unit in reading_order(graph) if unit.node.type == "L"]
    before = dict(zip(order[1:], order, strict=False))
    for number in acts_of(analysis):
        anchors = [other for other in analysis.predecessors[number] if analysis.kinds[other] in ("L", "TA")]
        anchor = analysis.nodes[anchors[0]]
        if anchor.type == "L":
            locution, previous = anchor, graph.get(before.get(anchor.id, ""))
        else:
            starts = [other for other in analysis.predecessors[anchors[0]] if analysis.kinds[other] == "L"]
            ends = [other for other in analysis.successors[anchors[0]] if analysis.kinds[other] == "L"]
            locution = analysis.nodes[ends[0]] if ends else anchor
            previous = analysis.nodes[starts[0]] if starts else None
        contents = [analysis.nodes[other] for other in analysis.successors[number] if analysis.kinds[other] == "I"]
        yield {
            "illocution_id": analysis.nodes[number].id,
            "anchor": anchor.type,
            "speaker": _speaker(graph, locution),
            "previous": said(previous) if previous is not None else "",
            "text": said(locution) if locution.type == "L" else "",
            "content": contents[0].text if contents else "",
            "label": label_of(analysis.nodes[number]),
        }


def acts_of(analysis: Analysis) -> list[int]:
    """The illocutions that a locution or a transition anchors."""
    kinds = analysis.kinds
    return [
        number
        for number, kind in enumerate(kinds)
        if kind == "YA" and any(kinds[other] in ("L", "TA") for other in analysis.predecessors[number])
    ]


def _speaker(graph: ArgumentGraph, node: Node) -> str:
    who = graph.speaker_of(node) if node.type == "L" else None
    return (who.name or who.id) if who else ""


def plain_source(graph: ArgumentGraph) -> str:
    """The source text without mark-up; empty where there is none."""
    source = graph.meta.source
    if source is None:
        return ""
    return source.text if source.spans is not None else plain_text(source.text).text


def _segmentation(graph: ArgumentGraph) -> Iterator[dict[str, Value]]:
    """One row: the words of the source text, and whether each begins a unit (B), goes on with it (I), or neither (O).

    A map without a source text, or whose units are not found in it, has no row.
    """
    text = plain_source(graph)
    words = words_with_places(text)
    runs = [unit.run for unit in reading_order(graph) if unit.run is not None]
    if not words.words or not runs:
        return
    tags = ["O"] * len(words.words)
    for start, stop in sorted(runs):
        for place in range(start, stop):
            if tags[place] == "O" or place == start:
                tags[place] = "B" if place == start else "I"
    yield {
        "tokens": [text[start:end] for start, end in zip(words.starts, words.ends, strict=True)],
        "starts": list(words.starts),
        "ends": list(words.ends),
        "tags": tags,
    }
