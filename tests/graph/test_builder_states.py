"""Random sequences of changes to a map, held against a model of texts and edges, and through files and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.errors import InputError
from aifgraph.graph import RELATIONS, SCHEME_KINDS, Locution, Proposition
from sampled import LONG

FIXTURES = Path("fixtures").resolve()
STARTS = ("xaif/masks.json", "aif/masks.json", "debate/first.json", "ova3/masks.json", "")
TEXTS = st.sampled_from(["Masks help", "a < b & c", "κ 😀", "Ann: =1", " ", "x" * 300])


class BuilderStates(RuleBasedStateMachine):
    """The model: texts by id, edges, and every id that there ever was."""

    @initialize(start=st.sampled_from(STARTS))
    def begin(self, start: str) -> None:
        graph = aifgraph.load(FIXTURES / start) if start else GraphBuilder().graph()
        self.people = {person.id: person.name for person in graph.meta.participants}
        # Where a file names nobody, a speaker is who the text of the locution names, and changes with it.
        self.said_by = {
            record.node_id: self.people[record.person_id]
            for record in graph.meta.locutions
            if record.person_id in self.people
        }
        self.build = GraphBuilder(graph)
        self.texts = {node.id: node.text for node in graph}
        self.edges = {(edge.source, edge.target) for edge in graph.edges}
        self.ever = set(self.texts)

    @staticmethod
    def _speaker(graph: ArgumentGraph, id_: str) -> str:
        person = graph.speaker_of(id_)
        return person.name if person else ""

    def _added(self, id_: str, text: str | None) -> str:
        assert id_ not in self.ever, "an id is used again"
        self.ever.add(id_)
        graph = self.build.graph()
        self.texts[id_] = graph[id_].text if text is None else text
        self.edges |= {(edge.source, edge.target) for edge in graph.edges if id_ in (edge.source, edge.target)}
        return id_

    def _some(self, data: Any, kind: type, least: int = 1) -> list[str]:
        found = sorted(node.id for node in self.build.graph() if isinstance(node, kind))
        if len(found) < least:
            return []
        return data.draw(st.lists(st.sampled_from(found), min_size=least, max_size=least + 1, unique=True))

    @rule(text=TEXTS)
    def proposition(self, text: str) -> None:
        self._added(self.build.proposition(text), text)

    @rule(text=TEXTS, speaker=st.sampled_from(["Ann", "Ben", ""]))
    def locution(self, text: str, speaker: str) -> None:
        id_ = self._added(self.build.locution(text, speaker=speaker) if speaker else self.build.locution(text), text)
        if speaker:
            self.said_by[id_] = speaker

    @rule(data=st.data(), verb=st.sampled_from(["inference", "conflict", "rephrase"]))
    def relation(self, data: Any, verb: str) -> None:
        if not (ends := self._some(data, Proposition, 2)):
            return
        *premises, conclusion = ends
        before = len(self.build.graph().edges)
        made = getattr(self.build, verb)(premises if verb == "inference" else premises[0], conclusion)
        self._added(made, None)
        assert len(self.build.graph().edges) == before + (len(premises) if verb == "inference" else 1) + 1

    @rule(data=st.data())
    def illocution(self, data: Any) -> None:
        locutions, claims = self._some(data, Locution), self._some(data, Proposition)
        if locutions and claims:
            self._added(self.build.illocution(locutions[0], claims[0]), None)

    @rule(data=st.data(), text=TEXTS)
    @precondition(lambda self: self.texts)
    def update(self, data: Any, text: str) -> None:
        id_ = data.draw(st.sampled_from(sorted(self.texts)))
        self.build.update(id_, text=text)
        self.texts[id_] = text

    @rule(data=st.data())
    @precondition(lambda self: self.texts)
    def remove(self, data: Any) -> None:
        id_ = data.draw(st.sampled_from(sorted(self.texts)))
        types = {node.id: node.type for node in self.build.graph()}
        gone = {id_}
        while orphans := {other for other in self.texts.keys() - gone if self._lost_its_ends(other, types, gone)}:
            gone |= orphans
        if len(gone) > 1:
            with pytest.raises(InputError):
                self.build.remove(id_)
        self.build.remove(id_, cascade=len(gone) > 1)
        for each in gone:
            del self.texts[each]
            self.said_by.pop(each, None)
        self.edges = {edge for edge in self.edges if not gone & set(edge)}

    def _lost_its_ends(self, node: str, types: dict[str, str], gone: set[str]) -> bool:
        """Whether a scheme node loses all that it starts from, or all that it leads to."""
        if types[node] not in SCHEME_KINDS:
            return False
        ends = {target for source, target in self.edges if source == node and types[target] != "YA"}
        starts = {source for source, target in self.edges if target == node and types[source] != "YA"}
        premises = {start for start in starts if types[start] not in RELATIONS} or starts
        return any(nodes and nodes <= gone for nodes in (ends, premises))

    @rule(format=st.sampled_from(["xaif", "aif"]))
    def through_a_file(self, format: str) -> None:
        graph = self.build.graph()
        again = aifgraph.loads(aifgraph.dumps(graph, format=format), format=format)
        assert {node.id: node.text for node in again} == {node.id: node.text for node in graph}
        assert {(edge.source, edge.target) for edge in again.edges} == {(e.source, e.target) for e in graph.edges}
        if format == "xaif":  # the flat form has no source text of its own
            self.build = GraphBuilder(again)
            self.ever = set(self.texts)  # a file does not know what was removed

    @invariant()
    def the_map_is_what_was_done(self) -> None:
        if not hasattr(self, "build"):
            return
        graph = self.build.graph()
        assert {node.id: node.text for node in graph} == self.texts
        assert {(edge.source, edge.target) for edge in graph.edges} == self.edges
        assert {node: self._speaker(graph, node) for node in self.said_by} == self.said_by
        names = {person.id: person.name for person in graph.meta.participants}
        assert self.people.items() <= names.items()


TestBuilderStates = BuilderStates.TestCase
TestBuilderStates.settings = settings(
    max_examples=60 if LONG else 8,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
