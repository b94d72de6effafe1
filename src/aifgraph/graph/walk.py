"""Walking through an argument graph in the field's own words.

Every verb takes a node or its id and gives nodes in the order of the edges; what is not there is an empty tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from aifgraph.graph.meta import LocutionRecord, Meta, Participant, speaker_prefix
from aifgraph.graph.nodes import (
    RELATIONS,
    Conflict,
    Illocution,
    Inference,
    Locution,
    Node,
    OtherNode,
    Preference,
    Proposition,
    Rephrase,
    SchemeNode,
    Transition,
)

N = TypeVar("N", bound=Node)


class Walk:
    """The traversal half of ``ArgumentGraph``; it needs only its neighbours and its ``meta``."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def meta(self) -> Meta: ...
        def __iter__(self) -> Iterator[Node]: ...
        def __getitem__(self, id_: str) -> Node: ...
        def _id(self, node: Node | str) -> str: ...
        def successors(self, node: Node | str) -> tuple[Node, ...]: ...
        def predecessors(self, node: Node | str) -> tuple[Node, ...]: ...

    def of(self, kind: type[N]) -> tuple[N, ...]:
        """All nodes of one class, in order: ``graph.of(Conflict)``."""
        return tuple(node for node in self if isinstance(node, kind))

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """The I-nodes."""
        return self.of(Proposition)

    @property
    def locutions(self) -> tuple[Locution, ...]:
        """The L-nodes, analysts' copies included."""
        return self.of(Locution)

    @property
    def inferences(self) -> tuple[Inference, ...]:
        """The RA-nodes."""
        return self.of(Inference)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The CA-nodes."""
        return self.of(Conflict)

    @property
    def rephrases(self) -> tuple[Rephrase, ...]:
        """The MA-nodes."""
        return self.of(Rephrase)

    @property
    def preferences(self) -> tuple[Preference, ...]:
        """The PA-nodes."""
        return self.of(Preference)

    @property
    def illocutions(self) -> tuple[Illocution, ...]:
        """The YA-nodes."""
        return self.of(Illocution)

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The TA-nodes."""
        return self.of(Transition)

    @property
    def relations(self) -> tuple[SchemeNode, ...]:
        """The RA-, CA-, MA- and PA-nodes."""
        return tuple(node for node in self.of(SchemeNode) if node.type in RELATIONS)

    @property
    def others(self) -> tuple[OtherNode, ...]:
        """The nodes of types that AIF does not define."""
        return self.of(OtherNode)

    def premises_of(self, relation: Node | str) -> tuple[Node, ...]:
        """What a relation starts from: its predecessors, without the illocutions that anchor it and without relations
        that bear on it (an undercut is no premise); a relation is one only where there is nothing else."""
        starts = tuple(node for node in self.predecessors(relation) if not isinstance(node, Illocution))
        return tuple(node for node in starts if node.type not in RELATIONS) or starts

    def conclusions_of(self, relation: Node | str) -> tuple[Node, ...]:
        """What a relation leads to: propositions, or relations that are undercut or supported."""
        return self.successors(relation)

    def anchors_of(self, node: Node | str) -> tuple[Node, ...]:
        """Where a node was said or done: for an illocution its locutions and transitions, for anything else those of
        the illocutions that lead to it."""
        node = self._node(node)
        if isinstance(node, Illocution):
            return tuple(each for each in self.predecessors(node) if isinstance(each, Locution | Transition))
        anchors = (anchor for act in self.acts_on(node) for anchor in self.anchors_of(act))
        return tuple({anchor.id: anchor for anchor in anchors}.values())

    def content_of(self, node: Node | str) -> tuple[Node, ...]:
        """What is said or done: for an illocution what it leads to, for a locution or a transition the contents of the
        illocutions anchored in it."""
        node = self._node(node)
        if isinstance(node, Illocution):
            return self.successors(node)
        acts = (each for each in self.successors(node) if isinstance(each, Illocution))
        return tuple({each.id: each for act in acts for each in self.successors(act)}.values())

    def acts_on(self, node: Node | str) -> tuple[Illocution, ...]:
        """The illocutions that lead to a node."""
        return tuple(each for each in self.predecessors(node) if isinstance(each, Illocution))

    def locution_of(self, node: Node | str) -> Locution | None:
        """The first locution that says this proposition (or does this illocution), if there is one."""
        return next((each for each in self.anchors_of(node) if isinstance(each, Locution)), None)

    def records_of(self, locution: Node | str) -> tuple[LocutionRecord, ...]:
        """The locution records of a node (AIFdb often holds several)."""
        id_ = self._id(locution)
        return tuple(record for record in self.meta.locutions if record.node_id == id_)

    def speaker_of(self, node: Node | str) -> Participant | None:
        """Who said it: the first participant that a locution record names, else the name before the first colon of
        the locution's text (its id is then empty). For a proposition, of the locution that says it."""
        start = self._node(node)
        locution = start if isinstance(start, Locution) else self.locution_of(start)
        if locution is None:
            return None
        named = {person.id: person for person in self.meta.participants}
        for record in self.records_of(locution):
            if record.person_id in named:
                return named[record.person_id]
        prefix = speaker_prefix(locution.text)
        return Participant("", prefix) if prefix else None

    def starts_of(self, transition: Node | str) -> tuple[Locution, ...]:
        """The locutions that a transition answers."""
        return tuple(node for node in self.predecessors(transition) if isinstance(node, Locution))

    def ends_of(self, transition: Node | str) -> tuple[Locution, ...]:
        """The locutions that answer."""
        return tuple(node for node in self.successors(transition) if isinstance(node, Locution))

    def _node(self, node: Node | str) -> Node:
        return node if isinstance(node, Node) else self[node]
