"""What the formats for plain argument trees share: edges checked, relations that they can hold, ids, words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from itertools import count
from typing import Final, NamedTuple

from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, Proposition, SchemeNode
from aifgraph.graph.schemes import fold_name, split_camel_case

#: How words begin that name relations.
WORDS: Final = {
    "RA": re.compile("support|infer"),
    "CA": re.compile(
        "conflict|attack|disagree|disput|under(?:cut|min)|rebut|refut|contradict|counter|objection|defeat|negat"
    ),
    "MA": re.compile("rephras|restat|reframe"),
    "PA": re.compile("prefer"),
}
_DENIALS: Final = frozenset({"not", "no", "non", "never", "neither", "without", "doesnt", "isnt", "dont", "cannot"})


class Relation(NamedTuple):
    """A relation as a tree has it: its node, its premises, and its one conclusion."""

    node: SchemeNode
    premises: list[Proposition]
    conclusion: Node


def relations_of(graph: ArgumentGraph, types: Collection[str]) -> dict[str, Relation]:
    """Return the relations that a tree can hold, by id: those with a proposition as premise and as conclusion."""
    held: dict[str, Relation] = {}
    for node in graph.relations:
        if node.type in types:
            all_premises = [premise for premise in graph.premises_of(node) if isinstance(premise, Proposition)]
            for target in graph.conclusions_of(node):
                premises = [premise for premise in all_premises if premise.id != target.id]
                if premises and isinstance(target, Proposition):
                    held[node.id] = Relation(node, premises, target)
                    break
    return held


def ids_for(nodes: Iterable[Node], allowed: Callable[[str], bool]) -> dict[str, str]:
    """Return an id for each node, by its own: the same where ``allowed`` says that the format takes it, else a new one.

    >>> from aifgraph.graph import Inference, Proposition
    >>> ids_for([Proposition("7"), Proposition("b"), Inference("8")], str.isalpha)
    {'7': 'a_1', 'b': 'b', '8': 'c_2'}
    """
    listed = list(nodes)
    used = {node.id for node in listed if allowed(node.id)}
    ids: dict[str, str] = {}
    number = 0
    for node in listed:
        id_ = node.id
        while not allowed(node.id) and (id_ == node.id or id_ in used):
            number += 1
            id_ = f"{'a' if node.type == 'I' else 'c'}_{number}"
        ids[node.id] = id_
    return ids


def fresh_ids(prefix: str, taken: Container[str]) -> Iterator[str]:
    """Yield a prefix with the numbers from 1 on that are not taken: R1, R2, …"""
    return (id_ for number in count(1) if (id_ := f"{prefix}{number}") not in taken)


def add_edge(build: GraphBuilder, source: str, target: str, id_: str | None = None) -> None:
    """Add an edge between two nodes that are there; a loop, or one that is there already, gives a notice instead."""
    if source == target:
        build.notice("edge-loop", f"the edge from node {source} to itself is left out", source)
    elif build.has_edge(source, target):
        build.notice("edge-repeated", f"the edge {source} → {target} is given twice and counts once", source, target)
    else:
        build.edge(source, target, id=id_)


def covers(text: str, places: Collection[tuple[int, int]], words: str | None) -> bool:
    """Return whether the places of a text have these words, if any; not where they are mostly blank, or overlap."""
    if words is None:
        return True
    if sum(end - start for start, end in places) > 10 * len(words) + 100:
        return False
    return " ".join(text[start:end] for start, end in places).split() == words.split()


def type_of_words(name: str) -> str | None:
    """Return the type that the words of a name say; None where they say none, or two, or deny one."""
    words = words_of_name(name)
    types = {type_ for word in words for type_, start in WORDS.items() if start.match(word)}
    return types.pop() if len(types) == 1 and _DENIALS.isdisjoint(words) else None


def words_of_name(name: str) -> list[str]:
    words = re.split(r"[\s_-]+", split_camel_case(name))
    return [word for word in map(fold_name, words) if word not in ("", "default")]
