"""One step from a node: what anchors it, what supports or attacks it. These functions are the methods of
``ArgumentGraph`` of the same names.

All keep the order of the edges, raise ``NoSuchNameError`` for a node that is not in the graph, and give an empty tuple
where there is nothing to give.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from aifgraph.graph.nodes import (
    RELATIONS,
    Illocution,
    Locution,
    Node,
    NodeLike,
    Proposition,
    SchemeNode,
    Transition,
)

if TYPE_CHECKING:
    from aifgraph.graph.graph import ArgumentGraph


class Step(NamedTuple):
    """One step of an argument.

    Attributes:
        node: the proposition that it comes from.
        relation: the relation between.
    """

    node: Proposition
    relation: SchemeNode


def relates(node: Node) -> bool:
    """Whether a node is a relation (RA, CA, MA, PA)."""
    return node.type in RELATIONS


def premises_of(graph: ArgumentGraph, relation: NodeLike) -> tuple[Node, ...]:
    """What a relation starts from: its predecessors, without the illocutions that anchor it and without relations
    that bear on it (an undercut is no premise); a relation is one only where there is nothing else.

    Several premises of one RA support together. What supports a proposition, :meth:`supports` gives.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> both = [build.proposition("They filter"), build.proposition("Viruses are in the air")]
    >>> why = build.inference(both, build.proposition("Masks help"))
    >>> [node.text for node in build.graph().premises_of(why)]
    ['They filter', 'Viruses are in the air']
    """
    starts = tuple(node for node in graph.predecessors(relation) if not isinstance(node, Illocution))
    return tuple(node for node in starts if node.type not in RELATIONS) or starts


def conclusions_of(graph: ArgumentGraph, relation: NodeLike) -> tuple[Node, ...]:
    """What a relation leads to: propositions, or relations that are undercut or supported. Well-formed maps have
    exactly one."""
    return graph.successors(relation)


def conclusion_of(graph: ArgumentGraph, relation: NodeLike) -> Node | None:
    """The first (in well-formed maps the only) node that a relation leads to; None where it leads to nothing."""
    return next(iter(graph.successors(relation)), None)


def acts_on(graph: ArgumentGraph, node: NodeLike) -> tuple[Illocution, ...]:
    """The illocutions that lead to a node."""
    return tuple(act for act in graph.predecessors(node) if isinstance(act, Illocution))


def anchors_of(graph: ArgumentGraph, node: NodeLike) -> tuple[Node, ...]:
    """Where a node was said or done: locutions and transitions, each once. For an illocution those that lead to it,
    for anything else those of the illocutions that lead to it."""
    acts = (graph[node],) if isinstance(graph[node], Illocution) else graph.acts_on(node)
    anchors = (
        anchor for act in acts for anchor in graph.predecessors(act) if isinstance(anchor, Locution | Transition)
    )
    return tuple({anchor.id: anchor for anchor in anchors}.values())


def content_of(graph: ArgumentGraph, node: NodeLike) -> tuple[Node, ...]:
    """What is said or done: for an illocution what it leads to, for a locution or a transition the contents of the
    illocutions anchored in it."""
    if isinstance(graph[node], Illocution):
        return graph.successors(node)
    acts = (act for act in graph.successors(node) if isinstance(act, Illocution))
    return tuple({content.id: content for act in acts for content in graph.successors(act)}.values())


def locution_of(graph: ArgumentGraph, node: NodeLike) -> Locution | None:
    """The first locution that says a proposition or does an illocution; None where the map has none for it."""
    return next((anchor for anchor in graph.anchors_of(node) if isinstance(anchor, Locution)), None)


def supports(graph: ArgumentGraph, claim: NodeLike) -> tuple[Step, ...]:
    """What supports a claim, or a relation, directly: propositions, each with the inference (RA) between.

    Pairs ``(node, relation)``; premises that support together share their relation.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> claim = build.proposition("Masks help")
    >>> why = build.inference([build.proposition("They filter")], claim)
    >>> [(step.node.text, step.relation.id == why) for step in build.graph().supports(claim)]
    [('They filter', True)]
    """
    return _steps(graph, claim, "RA")


def attacks(graph: ArgumentGraph, claim: NodeLike) -> tuple[Step, ...]:
    """What attacks a claim (rebuts it), or a relation (undercuts it), directly: propositions, each with the
    conflict (CA) between, as pairs ``(node, relation)``."""
    return _steps(graph, claim, "CA")


def rephrases(graph: ArgumentGraph, claim: NodeLike) -> tuple[Step, ...]:
    """What rephrases a claim directly: propositions, each with the rephrase (MA) between, as pairs
    ``(node, relation)``.

    A rephrase has a direction: these are the propositions that restate the claim, and not those that it restates.
    All MA-nodes are ``graph.rephrasings``."""
    return _steps(graph, claim, "MA")


def roots(graph: ArgumentGraph) -> tuple[Proposition, ...]:
    """The propositions that start no relation (RA, CA, MA, PA): the claims that everything else is about. One that
    stands alone is a root and a leaf; a circle has neither.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> graph = build.graph()
    >>> [node.text for node in graph.roots()], [node.text for node in graph.leaves()]
    (['Masks help'], ['They filter'])
    """
    return _unrelated(graph, graph.successors)


def leaves(graph: ArgumentGraph) -> tuple[Proposition, ...]:
    """The propositions that no relation (RA, CA, MA, PA) leads to: for these the map gives no reason."""
    return _unrelated(graph, graph.predecessors)


def _steps(graph: ArgumentGraph, claim: NodeLike, kind: str) -> tuple[Step, ...]:
    """The premises of the relations of a type that lead to a claim."""
    return tuple(
        Step(premise, relation)
        for relation in graph.predecessors(claim)
        if isinstance(relation, SchemeNode) and relation.type == kind
        for premise in graph.premises_of(relation)
        if isinstance(premise, Proposition)
    )


def _unrelated(graph: ArgumentGraph, neighbours: Callable[[NodeLike], tuple[Node, ...]]) -> tuple[Proposition, ...]:
    """The propositions without a relation among their neighbours on one side."""
    return tuple(node for node in graph.propositions if not any(map(relates, neighbours(node))))
