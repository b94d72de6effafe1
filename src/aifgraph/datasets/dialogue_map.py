"""What somebody said, as AIF has it: L → YA → I, with the speaker, and TA between locutions.

Where nobody knows the speaker, it is the participant ``unknown``: words in front of a colon would be taken for a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from aifgraph.graph import ArgumentGraph, GraphBuilder, LocutionRecord, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS

#: The name of a speaker whom the data does not name.
UNKNOWN = "unknown"


class Statement(NamedTuple):
    """A proposition and the locution that says it; None of a claim that nobody says."""

    locution: str | None
    proposition: str


class DialogueMap:
    """Builds a map of who said what.

    >>> dialogue = DialogueMap("thread")
    >>> first, second = dialogue.say("Ann", "Masks help"), dialogue.say("Bob", "They do not")
    >>> answer = dialogue.answer(first, second)
    >>> _ = dialogue.relate("CA", second, first, "Disagreeing", answer)
    >>> [node.type for node in dialogue.graph("demo", {})]
    ['L', 'YA', 'I', 'L', 'YA', 'I', 'TA', 'CA', 'YA']
    """

    def __init__(self, name: str) -> None:
        self.build = GraphBuilder(name=name)
        self._people: dict[str, str] = {}

    def say(
        self,
        speaker: str,
        text: str,
        *,
        words: str | None = None,
        start: str | None = None,
        record: Mapping[str, Any] | None = None,
    ) -> Statement:
        """A locution by a speaker (empty: an unknown one) with its proposition; ``words`` is the locution's wording
        where it differs."""
        entry = dict(record or {})
        wording = text if words is None else words
        name = speaker or UNKNOWN
        locution = self.build.locution(f"{name}: {wording}", record=entry)
        self.build.record(LocutionRecord(locution, self._person(name), start))
        # The illocution's own id stands between them, so that a file reads in the order of the dialogue.
        act = self.build.node("YA", "Asserting")
        proposition = self.build.proposition(text, record=entry)
        self.build.edge(locution, act)
        self.build.edge(act, proposition)
        return Statement(locution, proposition)

    def _person(self, name: str) -> str:
        """The id of a speaker, made at the first mention."""
        if name not in self._people:
            self._people[name] = self.build.participant(name)
        return self._people[name]

    def answer(self, start: Statement, end: Statement, record: Mapping[str, Any] | None = None) -> str | None:
        """The transition from one locution to the next; None where one has no locution."""
        if start.locution is None or end.locution is None:
            return None
        return self.build.transition(start.locution, end.locution, record=dict(record or {}))

    def relate(
        self,
        type_: str,
        source: Statement,
        target: Statement,
        illocution: str,
        anchor: str | None,
        record: Mapping[str, Any] | None = None,
    ) -> str:
        """RA, CA or MA from one proposition to another, done by an illocution in ``anchor``, if there is one."""
        ends = [source.proposition], target.proposition
        relation = self.build.relation(type_, *ends, DEFAULT_TEXTS[type_], record=dict(record or {}))
        if anchor is not None:
            self.build.illocution(anchor, relation, illocution)
        return relation

    def graph(
        self, key: str, document: Mapping[str, Any], text: str | None = None, spans: tuple[Span, ...] | None = None
    ) -> ArgumentGraph:
        """The finished map; ``document`` stands in the file under ``key``."""
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
