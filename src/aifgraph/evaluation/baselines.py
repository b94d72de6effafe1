"""Trivial systems: analyses that look at nothing but the units, for every other system to beat.

- ``units``: no argument at all;
- ``chain``: each unit supports the one before;
- ``star``: all units support the first;
- ``majority``: every two neighbours stand in the most frequent relation of a corpus, in its more frequent direction.

Propositions are in the order of the first word of their position (docs/measures.md, section 1), those without one last;
without positions, in the order of the locutions that say them, or of the file.

In a dialogue (a map with locutions) every locution asserts what it says, and transitions lead from each locution to the
next. Relations are then anchored in the transition that leads to the later of their two units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from math import inf
from pathlib import Path
from typing import Final, Literal

from aifgraph.align.analysis import analyse
from aifgraph.align.positions import place
from aifgraph.corpus.archives import temporary_room
from aifgraph.corpus.corpus import Corpus
from aifgraph.errors import AifgraphError, InputError, OptionError, choose_from
from aifgraph.evaluation.reading_order import reading_order
from aifgraph.files import json_text
from aifgraph.formats.xaif import wrapped
from aifgraph.graph import ArgumentGraph, SourceText, Span
from aifgraph.graph.build import GraphBuilder
from aifgraph.graph.meta import Meta, said
from aifgraph.graph.nodes import NODE_CLASSES, RELATIONS, Edge, Locution, Node, Proposition
from aifgraph.graph.schemes import DEFAULT_TEXTS, DEFAULTS, fold_name, label_of, named_scheme
from aifgraph.text.markup import plain_text
from aifgraph.text.words import sentences, words_of

Kind = Literal["units", "chain", "star", "majority"]
KINDS: Final[tuple[Kind, ...]] = ("units", "chain", "star", "majority")
#: Those of the gold's units that ``evaluate`` always sets systems against, and those that it does by default.
ALWAYS: Final[tuple[Kind, ...]] = ("chain", "star")
FURTHER: Final[tuple[Kind, ...]] = ("units", "majority")
#: Those over the sentences of the plain texts that it always does, too, by name.
OF_SENTENCES: Final[Mapping[str, Kind]] = {"star of sentences": "star", "chain of sentences": "chain"}

#: What a transition does when a relation of this type is made in it.
_ACTS = {"RA": "Arguing", "CA": "Disagreeing", "MA": "Restating", "PA": DEFAULT_TEXTS["YA"]}


@dataclass(frozen=True, slots=True)
class FrequentRelation:
    """The most frequent relation of a corpus: ``count`` of ``total`` relations between propositions have this type,
    and a premise that is read ``later`` (or ``earlier``) than the conclusion."""

    type: str
    premise: Literal["later", "earlier"]
    count: int = 0
    total: int = 0


def frequent_relation(graphs: Iterable[ArgumentGraph]) -> FrequentRelation:
    """The type and direction that most relations between two propositions have; linked premises count one each.

    Of equal counts the type that comes first in RA, CA, MA, PA is taken, then the later premise.

    Raises:
        InputError: there is no relation between two propositions to count.
    """
    counts: Counter[tuple[str, Literal["later", "earlier"]]] = Counter()
    for graph in graphs:
        order = {proposition: place for place, proposition in enumerate(_units_of(graph).propositions)}
        for relation in graph.relations:
            for premise in graph.premises_of(relation):
                for conclusion in graph.conclusions_of(relation):
                    if premise.id in order and conclusion.id in order and premise.id != conclusion.id:
                        later = order[premise.id] > order[conclusion.id]
                        counts[relation.type, "later" if later else "earlier"] += 1
    if not counts:
        raise InputError("no relation to count", remedy="count in a corpus that has some")
    best = min(counts, key=lambda key: (-counts[key], RELATIONS.index(key[0]), key[1] == "earlier"))
    return FrequentRelation(*best, counts[best], counts.total())


def baseline(graph: ArgumentGraph, kind: Kind, *, frequent: FrequentRelation | None = None) -> ArgumentGraph:
    """An analysis of the units of a graph that does not look at its argument.

    Source text, people and ids are those of the graph. A locution asserts the propositions that it anchors in the
    graph, and one that anchors none asserts what it says.

    Source: docs/measures.md, section 7, for the analysis without argument.

    Args:
        kind: ``units`` (no relation at all), ``chain`` (each unit supports the one before), ``star`` (all support the
            first) or ``majority`` (the most frequent relation).
        frequent: the relation of ``majority``; None for that of ``graph`` itself.

    Raises:
        OptionError: an unknown kind.
        InputError: ``majority`` without ``frequent``, and ``graph`` has no relation.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> chain = baseline(build.graph(), "chain")
    >>> [node.text for node in chain.premises_of(chain.inferences[0])]
    ['They filter']
    """
    if kind not in KINDS:
        raise OptionError(f"there is no baseline {kind!r}", remedy=choose_from(KINDS))
    if kind == "majority" and frequent is None:
        frequent = frequent_relation([graph])
    built = _built(graph._once("units", lambda: _units_of(graph), side_data=True), kind, frequent, graph)
    meta, source = graph.meta, graph.meta.source
    if source is not None and source.spans is not None:
        source = replace(source, spans=tuple(span for span in source.spans if span.node_id in built))
    spoken = {node.id for node in built.locutions}
    records = tuple(record for record in meta.locutions if record.node_id in spoken)
    return built.with_meta(participants=meta.participants, locutions=records, source=source).with_name(graph.name)


def text_baseline(text: str, kind: Kind, *, dialogue: bool = False, name: str = "") -> ArgumentGraph:
    """The same of a text, plain or marked up: its sentences are the units, propositions or (``dialogue``) locutions.

    >>> graph = text_baseline("Masks help. They filter.", "star")
    >>> [node.text for node in graph.propositions], len(graph.inferences)
    (['Masks help.', 'They filter.'], 1)

    Raises:
        InputError: a text without a word.
    """
    plain = plain_text(text).text
    places = sentences(plain)
    if not places:
        raise InputError("a text without a word", where=name or None)
    build = GraphBuilder(name=name)
    node = build.locution if dialogue else build.proposition
    ids = [node(plain[start:end]) for start, end in places]
    spans = tuple(Span(id_, *place) for id_, place in zip(ids, places, strict=True))
    build.source(SourceText(plain, "given", spans))
    return baseline(build.graph(), kind)


def written(gold: Corpus, kinds: Sequence[Kind], folder: Path) -> Iterator[tuple[str, Path]]:
    """A file of maps for each trivial system; ``majority`` counts in the gold corpus. Sentences are locutions where the
    gold map has some."""
    frequent: FrequentRelation | None = None
    for kind in kinds:
        if kind == "majority" and frequent is None:
            try:
                frequent = frequent_relation(_maps(gold))
            except InputError:  # no relation in it: there is no majority
                continue
        path = folder / f"{kind}.jsonl"
        with temporary_room(), path.open("w", encoding="utf-8") as file:
            file.writelines(_line(baseline(graph, kind, frequent=frequent), graph.name) for graph in _maps(gold))
        yield kind, path
    for name, kind in OF_SENTENCES.items():
        path = folder / f"{kind}-of-sentences.jsonl"
        with temporary_room(), path.open("w", encoding="utf-8") as file:
            file.writelines(_line(graph, graph.name) for graph in _of_sentences(gold, kind))
        if path.stat().st_size:
            yield name, path


def _line(graph: ArgumentGraph, name: str) -> str:
    return json_text({"name": name, "map": wrapped(graph)}, indent=None)


def _of_sentences(gold: Corpus, kind: Kind) -> Iterator[ArgumentGraph]:
    for graph in _maps(gold):
        source = graph.meta.source
        if source is not None and words_of(source.text):
            yield text_baseline(source.text, kind, dialogue=bool(graph.locutions), name=graph.name)


def _maps(corpus: Corpus) -> Iterator[ArgumentGraph]:
    """The maps that can be read; comparing them lists the others."""
    for entry in corpus:
        try:
            graph = entry.load()
        except AifgraphError:
            continue
        yield graph.with_name(entry.name)


@dataclass(frozen=True)
class _Units:
    """The locutions in order, and the propositions in order, each with the place of the locution that says it first."""

    locutions: list[Node] = field(default_factory=list)
    says: list[list[str]] = field(default_factory=list)
    propositions: dict[str, int | None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, id_: str, text: str, place: int | None) -> None:
        self.propositions.setdefault(id_, place)
        self.texts.setdefault(id_, text)


def _units_of(graph: ArgumentGraph) -> _Units:
    units = _Units()
    number = 0
    for unit in reading_order(graph):
        node = unit.node
        if node.type == "I":
            units.add(node.id, node.text, None)
            continue
        number_of_locution = len(units.locutions)
        units_of_node = _said_by(graph, node)
        if not units_of_node:
            number += 1
            while f"b{number}" in graph:
                number += 1
            units_of_node = {f"b{number}": said(node)}
        units.locutions.append(node)
        units.says.append(list(units_of_node))
        for id_, text in units_of_node.items():
            units.add(id_, text, number_of_locution)
    in_order = _in_text_order(graph, units)
    return replace(units, propositions={id_: units.propositions[id_] for id_ in in_order})


def _in_text_order(graph: ArgumentGraph, units: _Units) -> list[str]:
    """The propositions by the first word of their position, then those without one in the order of the file."""
    analysis = analyse(graph)
    placement = place(analysis, analysis, None, None)
    if not placement.fits or not placement.first.positions:
        return list(units.propositions)
    words = {analysis.ids[node]: runs[0][0] for node, runs in placement.first.positions.items()}
    rank = {id_: number for number, id_ in enumerate(analysis.ids)}
    # What a locution asserts that anchors nothing stands where the locution stands.
    node_of = {
        id_: id_ if id_ in rank or said_in is None else units.locutions[said_in].id
        for id_, said_in in units.propositions.items()
    }
    return sorted(units.propositions, key=lambda id_: (words.get(node_of[id_], inf), rank[node_of[id_]]))


def _said_by(graph: ArgumentGraph, locution: Node) -> dict[str, str]:
    """The propositions that a locution anchors; those that only a transition to it anchors, where it anchors none."""
    direct = _contents(graph, locution)
    if direct:
        return direct
    steps = [node for node in graph.predecessors(locution) if node.type == "TA"]
    anchored = {id_: text for step in steps for id_, text in _contents(graph, step).items()}
    return {id_: text for id_, text in anchored.items() if all(node.type != "L" for node in graph.anchors_of(id_))}


def _contents(graph: ArgumentGraph, anchor: Node) -> dict[str, str]:
    acts = [node for node in graph.successors(anchor) if node.type == "YA"]
    acts = [act for act in acts if fold_name(label_of(act)) != "analysing"]
    return {node.id: node.text for act in acts for node in graph.successors(act) if node.type == "I"}


def _built(units: _Units, kind: Kind, frequent: FrequentRelation | None, graph: ArgumentGraph) -> ArgumentGraph:
    nodes: dict[str, Node] = {locution.id: Locution(locution.id, locution.text) for locution in units.locutions}
    nodes |= {id_: Proposition(id_, text) for id_, text in units.texts.items()}
    edges: list[Edge] = []
    # New ids are none of the map's: a span of the text must not come to mark another node.
    names = (name for number in count(1) if (name := f"b{number}") not in graph and name not in nodes)

    def link(type_: str, start: str, end: str, text: str = "") -> str:
        id_ = next(names)
        scheme = named_scheme(text, type_) if text else DEFAULTS[type_]
        nodes[id_] = NODE_CLASSES[type_](id_, text or DEFAULT_TEXTS[type_], (scheme,))
        edges.append(Edge(start, id_))
        edges.append(Edge(id_, end))
        return id_

    for locution, says in zip(units.locutions, units.says, strict=True):
        for id_ in says:
            link("YA", locution.id, id_, "Asserting")
    steps = [link("TA", start.id, end.id) for start, end in pairwise(units.locutions)]
    for type_, premise, conclusion in _relations(list(units.propositions), kind, frequent):
        relation = link(type_, premise, conclusion)
        places = [place for end in (premise, conclusion) if (place := units.propositions[end]) is not None]
        if places and max(places) > 0:
            link("YA", steps[max(places) - 1], relation, _ACTS[type_])
    return ArgumentGraph._trusted(nodes, tuple(edges), Meta(), graph.name)


def _relations(
    propositions: Sequence[str], kind: Kind, frequent: FrequentRelation | None
) -> list[tuple[str, str, str]]:
    """(type, premise, conclusion) of each relation."""
    if kind == "chain":
        return [("RA", later, earlier) for earlier, later in pairwise(propositions)]
    if kind == "star":
        return [("RA", other, propositions[0]) for other in propositions[1:]]
    if kind == "majority" and frequent is not None:
        pairs = pairwise(propositions)
        if frequent.premise == "later":
            return [(frequent.type, later, earlier) for earlier, later in pairs]
        return [(frequent.type, earlier, later) for earlier, later in pairs]
    return []
