"""How far an argument reaches: one step to what supports or attacks, and all the way along the edges.

Nothing here recurses, and all but ``paths`` take time linear in the map. Methods that give all that can be reached keep
the order of the graph; those that go one step keep that of the edges.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from aifgraph.errors import LimitError, OptionError
from aifgraph.graph.nodes import RELATIONS, Illocution, Locution, Node, NodeLike, Proposition, SchemeNode, Transition
from aifgraph.graph.search import Search

#: Steps that ``paths`` takes at most: between two nodes of a map with circles there may be more paths than anybody
#: can list.
MAX_STEPS: Final = 1_000_000


class Step(NamedTuple):
    """One step of an argument.

    Attributes:
        node: the proposition that it comes from.
        relation: the relation between.
    """

    node: Proposition
    relation: SchemeNode


class Reach(Search):
    """The part of ``ArgumentGraph`` that follows relations and edges."""

    __slots__ = ()

    # -- one step ---------------------------------------------------------------------------------------------

    def supports(self, claim: NodeLike) -> tuple[Step, ...]:
        """What supports a claim directly: propositions, each with the inference (RA) between.

        Args:
            claim: a proposition, or a relation that is supported.

        Returns:
            Pairs ``(node, relation)`` in the order of the edges. Premises that support together share their relation.

        Raises:
            NoSuchNameError: there is no such node.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> claim = build.proposition("Masks help")
        >>> why = build.inference([build.proposition("They filter")], claim)
        >>> [(step.node.text, step.relation.id == why) for step in build.graph().supports(claim)]
        [('They filter', True)]
        """
        return self._steps(claim, "RA")

    def attacks(self, claim: NodeLike) -> tuple[Step, ...]:
        """What attacks a claim, or undercuts a relation, directly: propositions, each with the conflict (CA) between.

        Args:
            claim: a proposition (it is rebutted) or a relation (it is undercut).

        Returns:
            Pairs ``(node, relation)`` in the order of the edges.

        Raises:
            NoSuchNameError: there is no such node.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> why = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
        >>> _ = build.conflict(build.proposition("Not if worn badly"), why)
        >>> [step.node.text for step in build.graph().attacks(why)]
        ['Not if worn badly']
        """
        return self._steps(claim, "CA")

    def rephrases(self, claim: NodeLike) -> tuple[Step, ...]:
        """What rephrases a claim directly: propositions, each with the rephrase (MA) between.

        A rephrase has a direction: these are the propositions that restate the claim, and not those that it restates.
        All MA-nodes are ``graph.rephrasings``.

        Args:
            claim: a proposition.

        Returns:
            Pairs ``(node, relation)`` in the order of the edges.

        Raises:
            NoSuchNameError: there is no such node.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> claim = build.proposition("Masks help")
        >>> _ = build.rephrase(build.proposition("Masks are of use"), claim)
        >>> [step.node.text for step in build.graph().rephrases(claim)]
        ['Masks are of use']
        """
        return self._steps(claim, "MA")

    def _steps(self, claim: NodeLike, kind: str) -> tuple[Step, ...]:
        return tuple(
            Step(premise, relation)
            for relation in self.predecessors(claim)
            if isinstance(relation, SchemeNode) and relation.type == kind
            for premise in self.premises_of(relation)
            if isinstance(premise, Proposition)
        )

    # -- ends -------------------------------------------------------------------------------------------------

    def roots(self) -> tuple[Proposition, ...]:
        """The propositions that start no relation (RA, CA, MA, PA): the claims that everything else is about. One that
        stands alone is a root and a leaf; a circle has neither.

        Returns:
            The propositions, in the order of the graph.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
        >>> graph = build.graph()
        >>> [node.text for node in graph.roots()], [node.text for node in graph.leaves()]
        (['Masks help'], ['They filter'])
        """
        return tuple(node for node in self.propositions if not any(map(_relates, self.successors(node))))

    def leaves(self) -> tuple[Proposition, ...]:
        """The propositions that no relation (RA, CA, MA, PA) leads to: for these the map gives no reason.

        Returns:
            The propositions, in the order of the graph.
        """
        return tuple(node for node in self.propositions if not any(map(_relates, self.predecessors(node))))

    # -- all the way ------------------------------------------------------------------------------------------

    def ancestors(self, node: NodeLike) -> tuple[Node, ...]:
        """All nodes from which edges lead to this one, over any number of steps: for a claim, all that supports or
        attacks it, and where that was said. The node itself is not among them, not even on a circle.

        Args:
            node: the node, or its id.

        Returns:
            The nodes, in the order of the graph.

        Raises:
            NoSuchNameError: there is no such node.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> first, second, third = (build.proposition(text) for text in "abc")
        >>> _ = build.inference([first], second), build.inference([second], third)
        >>> graph = build.graph()
        >>> [found.text for found in graph.ancestors(third) if found.type == "I"]
        ['a', 'b']
        >>> [found.text for found in graph.descendants(first) if found.type == "I"]
        ['b', 'c']
        """
        return self._reached(node, self.predecessors)

    def descendants(self, node: NodeLike) -> tuple[Node, ...]:
        """All nodes to which edges lead from this one, over any number of steps; not the node itself.

        Args:
            node: the node, or its id.

        Returns:
            The nodes, in the order of the graph.

        Raises:
            NoSuchNameError: there is no such node.
        """
        return self._reached(node, self.successors)

    def component(self, node: NodeLike) -> tuple[Node, ...]:
        """All nodes that are connected with this one, whatever the direction of the edges, and the node itself.

        Args:
            node: the node, or its id.

        Returns:
            The nodes, in the order of the graph.

        Raises:
            NoSuchNameError: there is no such node.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> _ = build.inference([build.proposition("a")], build.proposition("b"))
        >>> alone = build.proposition("c")
        >>> graph = build.graph()
        >>> len(graph.component(1)), [len(part) for part in graph.components()]
        (3, [3, 1])
        """
        return self._ordered(self._closure(self._id(node), self._neighbours))

    def components(self) -> tuple[tuple[Node, ...], ...]:
        """The connected parts of the map, in the order of their first nodes: ``graph.subgraph(part)`` cuts one out.

        Returns:
            Each part as a tuple of nodes in the order of the graph. Every node is in exactly one.
        """
        number: dict[str, int] = {}
        parts: list[list[Node]] = []
        for node in self:
            if node.id not in number:
                number.update(dict.fromkeys(self._closure(node.id, self._neighbours), len(parts)))
                parts.append([])
            parts[number[node.id]].append(node)
        return tuple(map(tuple, parts))

    def depth(self, node: NodeLike | None = None) -> int | None:
        """How many relations lie between a node and the nearest root, or the greatest such number in the map.

        Counted are RA-, CA-, MA- and PA-nodes on the shortest way, the node itself included: a root has depth 0, what
        supports it 1, what undercuts that support 2.

        Args:
            node: the node, or its id; None for the greatest depth in the map.

        Returns:
            The number of relations. None for a node that leads to no root (it is on a circle, or no proposition or
            relation), and for a map without roots.

        Raises:
            NoSuchNameError: there is no such node.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> first, second, third = (build.proposition(text) for text in "abc")
        >>> _ = build.inference([first], second), build.inference([second], third)
        >>> graph = build.graph()
        >>> graph.depth(), graph.depth(third), graph.depth(first)
        (2, 0, 2)
        """
        depths = {root.id: 0 for root in self.roots()}
        if node is not None:
            self._id(node)
        todo = deque(depths)
        while todo:
            here = todo.popleft()
            for before in self.predecessors(here):
                if before.id in depths or not (_relates(before) or isinstance(before, Proposition)):
                    continue
                # A step into a relation counts: the nearest go first.
                if _relates(before):
                    depths[before.id] = depths[here] + 1
                    todo.append(before.id)
                else:
                    depths[before.id] = depths[here]
                    todo.appendleft(before.id)
        return max(depths.values(), default=None) if node is None else depths.get(self._id(node))

    def paths(self, start: NodeLike, end: NodeLike, *, limit: int = 1000) -> Iterator[tuple[Node, ...]]:
        """The ways along the edges from one node to another, each without repeated nodes, in the order of the edges.

        Args:
            start: the first node of each path.
            end: the last node of each path.
            limit: how many paths to give at most; without circles, each takes time linear in its length.

        Returns:
            Each path as a tuple of nodes, from ``start`` to ``end``, found when it is asked for.

        Raises:
            NoSuchNameError: there is no such node.
            OptionError: the limit is below 1.
            LimitError: the search in a map with circles takes more than ``MAX_STEPS`` steps without coming to another
                path.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> reason, claim = build.proposition("They filter"), build.proposition("Masks help")
        >>> _ = build.inference([reason], claim)
        >>> [[node.type for node in path] for path in build.graph().paths(reason, claim)]
        [['I', 'RA', 'I']]
        """
        first, last = self._id(start), self._id(end)
        if not isinstance(limit, int) or limit < 1:
            raise OptionError(f"limit is {limit!r}"[:200], remedy="give a whole number from 1")
        return self._paths(first, last, limit)

    def _paths(self, first: str, last: str, limit: int) -> Iterator[tuple[Node, ...]]:
        if first == last:
            yield (self[first],)
            return
        # Only what leads to the end is entered: no step is taken into a side branch.
        useful = self._closure(last, self.predecessors) & self._closure(first, self.successors)
        path = {first: None} if first in useful else {}
        waiting = [iter(self.successors(first))] if path else []
        steps = given = 0
        while waiting:
            step = next(waiting[-1], None)
            steps += 1
            if steps > MAX_STEPS:
                raise LimitError("too many ways between two nodes of a map with circles", where=f"node {first}")
            if step is None:
                waiting.pop()
                path.popitem()
            elif step.id == last:
                yield tuple(self[id_] for id_ in (*path, last))
                steps = 0
                given += 1
                if given == limit:
                    return
            elif step.id in useful and step.id not in path:
                path[step.id] = None
                waiting.append(iter(self.successors(step)))

    # -- inside -----------------------------------------------------------------------------------------------

    def _neighbours(self, node: NodeLike) -> tuple[Node, ...]:
        return self.successors(node) + self.predecessors(node)

    def _closure(self, start: str, steps: Callable[[NodeLike], tuple[Node, ...]]) -> set[str]:
        reached = {start}
        todo = [start]
        while todo:
            for step in steps(todo.pop()):
                if step.id not in reached:
                    reached.add(step.id)
                    todo.append(step.id)
        return reached

    def _reached(self, node: NodeLike, steps: Callable[[NodeLike], tuple[Node, ...]]) -> tuple[Node, ...]:
        start = self._id(node)
        return self._ordered(self._closure(start, steps) - {start})

    def _ordered(self, ids: set[str]) -> tuple[Node, ...]:
        return tuple(node for node in self if node.id in ids)

    def _between(self, given: set[str]) -> set[str]:
        """The given nodes and the relations that hold among them."""
        kept = set(given)
        missing: dict[str, int] = {}
        for node in self:
            if _relates(node) and node.id not in kept:
                ends = (*self.premises_of(node), *self.successors(node))
                missing[node.id] = sum(end.id not in kept for end in ends) if ends else -1
        todo = [id_ for id_, count in missing.items() if count == 0]
        while todo:
            here = todo.pop()
            kept.add(here)
            for other in self._neighbours(here):
                ends = (*self.premises_of(other), *self.successors(other)) if other.id in missing else ()
                count = sum(end.id == here for end in ends)
                if count and other.id not in kept:
                    missing[other.id] -= count
                    if missing[other.id] == 0:
                        todo.append(other.id)
        return kept

    def _add_anchors(self, kept: set[str]) -> None:
        """Add the illocutions that lead to what is kept, where they are anchored, and transitions with both ends."""
        todo = list(kept)
        while todo:
            node = self[todo.pop()]
            further: tuple[Node, ...] = self.acts_on(node)
            if isinstance(node, Illocution):
                further += self.anchors_of(node)
            elif isinstance(node, Transition):
                further += (*self.starts_of(node), *self.ends_of(node))
            for other in further:
                if other.id not in kept:
                    kept.add(other.id)
                    todo.append(other.id)
        for transition in self.transitions:
            ends = (*self.starts_of(transition), *self.ends_of(transition))
            if len(ends) > 1 and all(isinstance(end, Locution) and end.id in kept for end in ends):
                kept.add(transition.id)


def _relates(node: Node) -> bool:
    return node.type in RELATIONS
