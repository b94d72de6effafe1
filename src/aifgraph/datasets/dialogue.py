"""What somebody said, as AIF has it: L → YA → I, with the speaker, and TA between locutions.

With ``propositions_only`` the I-nodes and their relations alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS


class Said(NamedTuple):
    """A locution (``None`` in a propositional map) and the proposition it says."""

    locution: str | None
    proposition: str


class Dialogue:
    """Builds a map of who said what.

    >>> talk = Dialogue("thread")
    >>> first, second = talk.say("Ann", "Masks help"), talk.say("Bob", "They do not")
    >>> answer = talk.answer(first, second)
    >>> _ = talk.relate("CA", second, first, "Disagreeing", answer)
    >>> [node.type for node in talk.graph("demo", {})]
    ['L', 'YA', 'I', 'L', 'YA', 'I', 'TA', 'CA', 'YA']
    """

    def __init__(self, name: str, *, propositions_only: bool = False) -> None:
        self.build = GraphBuilder(name=name)
        self.propositions_only = propositions_only
        self._people: dict[str, str] = {}

    def person(self, name: str, record: Mapping[str, Any] | None = None) -> str | None:
        """The id of a speaker, made at the first mention; ``None`` where there is no name."""
        if not name:
            return None
        if name not in self._people:
            self._people[name] = self.build.participant(name, record=record or {})
        return self._people[name]

    def say(
        self,
        speaker: str,
        text: str,
        *,
        illocution: str = "Asserting",
        words: str | None = None,
        start: str | None = None,
        record: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> Said:
        """A locution by a speaker with its proposition; ``words`` is the locution's wording where it differs.

        ``key`` is the id to use for the pair (``L…`` and ``I…``).
        """
        beside = dict(record or {})
        ids = (None, None, None) if key is None else (f"L{key}", f"Y{key}", f"I{key}")
        if self.propositions_only:
            return Said(None, self.build.proposition(text, id=ids[2], record=beside))
        said = text if words is None else words
        uttered = f"{speaker}: {said}" if speaker else said
        locution = self.build.locution(uttered, speaker=self.person(speaker), start=start, id=ids[0], record=beside)
        # The illocution's own id stands between them, so that a file reads in the order of the talk.
        act = self.build.node("YA", illocution, id=ids[1])
        proposition = self.build.proposition(text, id=ids[2], record=beside)
        self.build.edge(locution, act)
        self.build.edge(act, proposition)
        return Said(locution, proposition)

    def answer(self, start: Said, end: Said, record: Mapping[str, Any] | None = None) -> str | None:
        """The transition from one locution to the next; ``None`` in a propositional map."""
        if start.locution is None or end.locution is None:
            return None
        return self.build.transition(start.locution, end.locution, record=dict(record or {}))

    def relate(
        self,
        type_: str,
        source: Said,
        target: Said,
        illocution: str,
        anchor: str | None,
        record: Mapping[str, Any] | None = None,
    ) -> str:
        """RA, CA or MA from one proposition to another, done by an illocution in ``anchor``, if there is one."""
        beside = dict(record or {})
        relation = self.build.relation(
            type_, [source.proposition], target.proposition, DEFAULT_TEXTS[type_], record=beside
        )
        if anchor is not None:
            self.build.illocution(anchor, relation, illocution)
        return relation

    def graph(
        self, key: str, document: Mapping[str, Any], text: str | None = None, spans: tuple[Span, ...] | None = None
    ) -> ArgumentGraph:
        """The finished map; ``document`` is kept in the file under ``key``."""
        if text is not None:
            known = tuple(span for span in spans or () if span.node_id in self.build)
            self.build.source(SourceText(text, spans=known or None))
        return self.build.graph(aif={key: dict(document)} if document else {})


def not_here(what: str) -> str:
    """The text of a proposition whose words this copy of the data does not hold, so that it says so itself.

    >>> not_here("response of (278, 2)")
    '[response of (278, 2): text not in this copy]'
    """
    return f"[{what}: text not in this copy]"
