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
    NodeLike,
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
        def __getitem__(self, id_: NodeLike) -> Node: ...
        def _id(self, node: NodeLike) -> str: ...
        def _said(self) -> tuple[dict[str, Participant], dict[str, list[LocutionRecord]]]: ...
        def successors(self, node: NodeLike) -> tuple[Node, ...]: ...
        def predecessors(self, node: NodeLike) -> tuple[Node, ...]: ...

    def of(self, kind: type[N]) -> tuple[N, ...]:
        """All nodes of one class, in order: ``graph.of(Conflict)``.

        Args:
            kind: a class of nodes of ``aifgraph.graph``: ``Proposition``, ``Conflict``, ``SchemeNode`` …

        Returns:
            The nodes of this class and of its subclasses.
        """
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
    def rephrasings(self) -> tuple[Rephrase, ...]:
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

    def premises_of(self, relation: NodeLike) -> tuple[Node, ...]:
        """What a relation starts from: its predecessors, without the illocutions that anchor it and without relations
        that bear on it (an undercut is no premise); a relation is one only where there is nothing else.

        Args:
            relation: an RA-, CA-, MA- or PA-node, or its id.

        Returns:
            The nodes, mostly propositions, in the order of the edges. Several premises of one RA support together. For
            a proposition these are the relations that lead to it: :meth:`supports` goes on to what they start from.

        Raises:
            NoSuchNameError: there is no such node.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> both = [build.proposition("They filter"), build.proposition("Viruses are in the air")]
        >>> why = build.inference(both, build.proposition("Masks help"))
        >>> [node.text for node in build.graph().premises_of(why)]
        ['They filter', 'Viruses are in the air']
        """
        starts = tuple(node for node in self.predecessors(relation) if not isinstance(node, Illocution))
        return tuple(node for node in starts if node.type not in RELATIONS) or starts

    def conclusions_of(self, relation: NodeLike) -> tuple[Node, ...]:
        """What a relation leads to: propositions, or relations that are undercut or supported.

        Args:
            relation: an RA-, CA-, MA- or PA-node, or its id.

        Returns:
            The nodes in the order of the edges; well-formed maps have exactly one.

        Raises:
            NoSuchNameError: there is no such node.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> why = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
        >>> [node.text for node in build.graph().conclusions_of(why)]
        ['Masks help']
        """
        return self.successors(relation)

    def anchors_of(self, node: NodeLike) -> tuple[Node, ...]:
        """Where a node was said or done.

        Args:
            node: the node, or its id.

        Returns:
            Locutions and transitions, each once: for an illocution those that lead to it, for anything else those of
            the illocutions that lead to it.

        Raises:
            NoSuchNameError: there is no such node.
        """
        node = self._node(node)
        if isinstance(node, Illocution):
            return tuple(each for each in self.predecessors(node) if isinstance(each, Locution | Transition))
        anchors = (anchor for act in self.acts_on(node) for anchor in self.anchors_of(act))
        return tuple({anchor.id: anchor for anchor in anchors}.values())

    def content_of(self, node: NodeLike) -> tuple[Node, ...]:
        """What is said or done.

        Args:
            node: the node, or its id.

        Returns:
            For an illocution what it leads to, for a locution or a transition the contents of the illocutions anchored
            in it.

        Raises:
            NoSuchNameError: there is no such node.
        """
        node = self._node(node)
        if isinstance(node, Illocution):
            return self.successors(node)
        acts = (each for each in self.successors(node) if isinstance(each, Illocution))
        return tuple({each.id: each for act in acts for each in self.successors(act)}.values())

    def acts_on(self, node: NodeLike) -> tuple[Illocution, ...]:
        """The illocutions that lead to a node.

        Args:
            node: the node, or its id.

        Returns:
            The YA-nodes with an edge to it, in the order of the edges.

        Raises:
            NoSuchNameError: there is no such node.
        """
        return tuple(each for each in self.predecessors(node) if isinstance(each, Illocution))

    def locution_of(self, node: NodeLike) -> Locution | None:
        """The first locution that says a proposition or does an illocution.

        Args:
            node: a proposition, an illocution or any other node, or its id.

        Returns:
            The locution, or None where the map has none for this node.

        Raises:
            NoSuchNameError: there is no such node.
        """
        return next((each for each in self.anchors_of(node) if isinstance(each, Locution)), None)

    def records_of(self, locution: NodeLike) -> tuple[LocutionRecord, ...]:
        """The locution records of a node (AIFdb often holds several).

        Args:
            locution: an L-node, or its id.

        Returns:
            The records, each with the person and the times that the file gives, in the order of the file. AIFdb often
            holds several for one locution.

        Raises:
            NoSuchNameError: there is no such node.
        """
        return tuple(self._said()[1].get(self._id(locution), ()))

    def speaker_of(self, node: NodeLike) -> Participant | None:
        """Who said it.

        Args:
            node: a locution, or a proposition, for which the locution that says it is asked. Or the id of one.

        Returns:
            The first participant that a locution record names, else one with the name before the first colon of the
            locution's text and an empty id, else None.

        Raises:
            NoSuchNameError: there is no such node.
        """
        start = self._node(node)
        locution = start if isinstance(start, Locution) else self.locution_of(start)
        if locution is None:
            return None
        named, records = self._said()
        for record in records.get(locution.id, ()):
            if record.person_id in named:
                return named[record.person_id]
        prefix = speaker_prefix(locution.text)
        return Participant("", prefix) if prefix else None

    def starts_of(self, transition: NodeLike) -> tuple[Locution, ...]:
        """The locutions that a transition answers.

        Args:
            transition: a TA-node, or its id.

        Returns:
            The locutions that lead to it, mostly one.

        Raises:
            NoSuchNameError: there is no such node.
        """
        return tuple(node for node in self.predecessors(transition) if isinstance(node, Locution))

    def ends_of(self, transition: NodeLike) -> tuple[Locution, ...]:
        """The locutions that answer in a transition.

        Args:
            transition: a TA-node, or its id.

        Returns:
            The locutions that it leads to, mostly one.

        Raises:
            NoSuchNameError: there is no such node.
        """
        return tuple(node for node in self.successors(transition) if isinstance(node, Locution))

    @property
    def participants(self) -> tuple[Participant, ...]:
        """The people that the map lists, in its order, whether or not they speak in it. Maps of AIFdb mostly list
        nobody: see :attr:`speakers`."""
        return self.meta.participants

    @property
    def speakers(self) -> tuple[Participant, ...]:
        """Who speaks, in the order of their first locutions: participants that locution records name, and where there
        are none the names before the first colon of the locutions' texts (their ids are empty).

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> _ = build.locution("Ann Lee: Masks help"), build.locution("Bob: No"), build.locution("Ann Lee: They do")
        >>> [person.name for person in build.graph().speakers]
        ['Ann Lee', 'Bob']
        """
        by_name: dict[str, Participant] = {}
        for locution in self.locutions:
            person = self.speaker_of(locution)
            if person is not None and (person.name not in by_name or not by_name[person.name].id):
                by_name[person.name] = person
        return tuple(by_name.values())

    def _node(self, node: NodeLike) -> Node:
        return node if isinstance(node, Node) else self[node]
