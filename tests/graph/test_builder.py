"""What a builder does with a map that is there already: nothing is lost, and nothing said of a wrong node or person."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import GraphBuilder, OptionError
from aifgraph.errors import InputError
from aifgraph.graph import Participant, Scheme, SourceText, Span, edit

FIXTURES = Path("fixtures")


def a_file(**more: Any) -> aifgraph.ArgumentGraph:
    """A claim that Ann makes, in an xAIF of OVA3 with all that such a file names nodes by."""
    document = {
        "AIF": {
            "nodes": [
                {"nodeID": 31, "text": "Ann Lee: Masks help", "type": "L"},
                {"nodeID": 32, "text": "Masks help", "type": "I"},
                {"nodeID": 33, "text": "Asserting", "type": "YA"},
            ],
            "edges": [
                {"edgeID": 5, "fromID": 31, "toID": 33, "formEdgeID": None},
                {"edgeID": 6, "fromID": 33, "toID": 32, "formEdgeID": None},
                {"edgeID": 7, "fromID": 33, "toID": 32, "formEdgeID": None},
            ],
            "locutions": [{"nodeID": 31, "personID": 4}],
            "participants": [],
            "descriptorfulfillments": [{"nodeID": 32, "descriptorID": 1}],
        },
        "OVA": {
            "nodes": [{"nodeID": id_, "visible": True, "x": id_, "y": 1, "timestamp": ""} for id_ in (31, 32, 33)],
            "edges": [{"fromID": 31, "toID": 33, "visible": True}, {"fromID": 33, "toID": 32, "visible": True}],
        },
        "text": 'Ann Lee: <span class="highlighted" id="node31">Masks <span id="32">help</span></span>.',
        **more,
    }
    return aifgraph.from_dict(document)


# -- 1: a map without nodes --------------------------------------------------------------------------------------


def test_a_map_without_nodes_keeps_its_people_and_its_text() -> None:
    people = [{"participantID": 1, "firstname": "Ann", "surname": "Lee"}]
    document = {"AIF": {"nodes": [], "edges": [], "participants": people}, "text": "Masks help.", "job": 12}
    graph = aifgraph.from_dict(document, name="stage one", strict=True)
    build = GraphBuilder(graph)
    build.locution("Ann Lee: Masks help", speaker="1")
    changed = build.graph()
    assert (changed.name, changed.text, changed.participants) == ("stage one", "Masks help.", graph.participants)
    assert changed.to_dict()["job"] == 12
    assert changed.meta.form == "xaif"
    assert [notice.code for notice in graph.notices] == ["map-empty"]
    assert changed.notices == ()


# -- 2: people ---------------------------------------------------------------------------------------------------


def test_a_new_participant_takes_nobody_s_locutions() -> None:
    build = GraphBuilder(a_file())
    ann, eve = build.locution("Ann Lee: yes", speaker="4"), build.participant("Eve")
    assert eve == "5"
    graph = build.graph()
    assert graph.records_of(ann)[0].person_id == "4"
    assert graph.filter(speaker="Eve") == ()


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("aif/*.json")), ids=lambda path: path.name)
def test_a_new_participant_of_any_fixture_has_said_nothing(path: Path) -> None:
    graph = aifgraph.load(path)
    build = GraphBuilder(graph)
    new = build.participant("Somebody", "New")
    assert new not in {record.person_id for record in graph.meta.locutions}
    assert not build.graph().filter(speaker="Somebody New")


def test_a_speaker_is_an_id_a_person_or_a_name() -> None:
    build = GraphBuilder(a_file())
    bob = build.participant("Bob", "May")
    given: list[Any] = ["4", 4, "Ann Lee", "ann  lee", bob, "Bob May", Participant("9", "Bob", "May"), "Cy de Wit"]
    nodes = [build.locution(f"{number}", speaker=speaker) for number, speaker in enumerate(given)]
    graph = build.graph()
    assert [graph.records_of(node)[0].person_id for node in nodes] == ["4", "4", "4", "4", "5", "5", "5", "6"]
    assert [person.name for person in graph.participants] == ["Bob May", "Ann Lee", "Cy de Wit"]
    build.participant("Bob", "May", id="20")
    for wrong, error in (("17", "no participant '17'"), ("Bob May", "2 people are called 'Bob May'")):
        with pytest.raises(InputError, match=error):
            build.locution("x", speaker=wrong)
    assert len(build.graph()) == len(graph)


# -- 3: ids ------------------------------------------------------------------------------------------------------


def test_new_ids_go_on_where_those_of_the_file_end() -> None:
    build = GraphBuilder(a_file())
    reason = build.proposition("They filter")
    inference = build.inference(reason, "32")
    graph = build.graph()
    assert (reason, inference) == ("34", "35")
    assert [edge.id for edge in graph.edges] == ["5", "6", "7", "8"]
    written = graph.to_dict()["AIF"]["edges"]
    ids = [str(edge["edgeID"]) for edge in written]
    assert sorted(ids) == ["5", "6", "7", "8"]
    assert not [finding for finding in aifgraph.validate(graph) if finding.code == "W110"]


@pytest.mark.parametrize(
    ("there", "new"),
    [
        (["a1", "a2", "c1"], "a3"),
        (["12_3f9", "14_3f9"], "15_3f9"),
        (["pred1", "7"], "8"),
        (["n9", "n10"], "n11"),
        (["claim", "reason"], "1"),
        (["2c1d5f4e-0000-4000-8000-000000000001"], "1"),
        (["9" * 5000], "1"),
        (["²"], "1"),
    ],
)
def test_new_ids_have_the_form_of_those_that_are_there(there: list[str], new: str) -> None:
    start = GraphBuilder()
    for id_ in there:
        start.proposition("x", id=id_)
    made = [GraphBuilder(start.graph()).proposition("y") for _ in range(2)]
    assert made[0] == made[1]
    assert made[0] == new


def test_edge_ids_that_are_given_twice() -> None:
    build = GraphBuilder()
    one, other, more = (build.proposition(text) for text in "abc")
    build.edge(one, other, id="7")
    with pytest.raises(InputError, match="edge 7: an edge id is given twice"):
        build.edge(other, more, id="7")
    build.edge(other, more)
    assert [edge.id for edge in build.graph().edges] == ["7", "1"]


# -- 4: what is removed is gone ----------------------------------------------------------------------------------


def test_what_is_removed_leaves_nothing_behind() -> None:
    build = GraphBuilder(a_file())
    build.remove("31", "33")
    graph = build.graph()
    document = graph.to_dict()
    assert document["text"] == 'Ann Lee: Masks <span id="32">help</span>.'
    assert [box["nodeID"] for box in document["OVA"]["nodes"]] == [32]
    assert document["OVA"]["edges"] == document["AIF"].get("edges", []) == []
    assert document["AIF"].get("locutions", []) == []
    assert graph.notices == ()
    build.remove("32")
    assert build.graph().to_dict()["AIF"]["descriptorfulfillments"] == []
    assert build.graph().text == "Ann Lee: Masks help."


def test_freed_ids_are_not_used_again() -> None:
    build = GraphBuilder(a_file())
    build.remove("33")
    assert build.proposition("new") == "34"
    build.remove("34")
    assert build.proposition("newer") == "35"
    fresh = GraphBuilder()
    fresh.remove(fresh.proposition("a"))
    assert fresh.proposition("b") == "2"


# -- 5: values ---------------------------------------------------------------------------------------------------


def test_moments_are_written_as_files_write_them(tmp_path: Path) -> None:
    build = GraphBuilder()
    said = build.locution("Ann: yes", start=datetime(2019, 3, 6, 14, 31, 23))
    build.update(said, start=datetime(2021, 1, 1, tzinfo=UTC))
    graph = build.graph()
    aifgraph.dump(graph, tmp_path / "map.json")
    assert [record.start for record in aifgraph.load(tmp_path / "map.json").meta.locutions] == [
        "2021-01-01 00:00:00+00:00",
    ]


# -- changing ----------------------------------------------------------------------------------------------------


def test_update_changes_who_said_it_and_when() -> None:
    graph = a_file()
    build = GraphBuilder(graph)
    node = graph.locutions[0]
    build.update(node, text="Bob: Masks help", speaker="Bob", start="2020-01-01 10:00:00", record={"mood": "good"})
    build.update(32, schemes=Scheme(None, "mine"))
    changed = build.graph()
    assert changed.speaker_of(node).name == "Bob"  # type: ignore[union-attr]
    assert changed.records_of(node)[0].start == "2020-01-01 10:00:00"
    assert (changed[node].text, changed[node].extra) == ("Bob: Masks help", {"mood": "good"})
    assert aifgraph.from_dict(changed.to_dict()) == changed
    with pytest.raises(InputError, match="give them to the locution"):
        build.update(32, speaker="Bob")


def test_nodes_stand_for_their_ids() -> None:
    graph = a_file()
    build = GraphBuilder(graph)
    said, claim = graph.locutions[0], graph.propositions[0]
    reason = build.proposition("They filter")
    why = build.inference([reason, claim], claim)
    assert build.has_edge(claim, why)
    assert build.conflict(claim, why)
    assert claim in build
    build.remove_edge(claim, why)
    build.remove(said)
    build.notice("x", "y", claim)
    assert said not in build.graph()


def test_illocutions_without_a_text() -> None:
    build = GraphBuilder()
    said, answer = build.locution("Ann: a"), build.locution("Bob: b")
    claim, reason = build.proposition("a"), build.proposition("b")
    why, step = build.inference(reason, claim), build.transition(said, answer)
    acts = [
        build.illocution(said, claim),
        build.illocution(step, why),
        build.illocution(step, build.conflict(reason, why)),
    ]
    graph = build.graph()
    assert [graph[act].text for act in acts] == ["Asserting", "Arguing", "Disagreeing"]
    assert graph[acts[0]].scheme == Scheme("74", "Asserting")
    with pytest.raises(OptionError, match="Agreeing"):
        build.illocution(step, claim)


def test_what_is_built_has_the_schemes_of_what_is_loaded() -> None:
    build = GraphBuilder()
    claim, reason = build.proposition("a"), build.proposition("b")
    why, own, none = (
        build.inference(reason, claim),
        build.inference(reason, claim, "because"),
        build.conflict(reason, claim, schemes=()),
    )
    graph = build.graph()
    assert [graph[node].scheme for node in (why, own, none)] == [Scheme("72", "Default Inference"), None, None]
    assert aifgraph.loads(aifgraph.dumps(graph))[why].scheme == graph[why].scheme


def test_a_text_may_be_given_as_a_string() -> None:
    build = GraphBuilder(a_file())
    build.source("Another text")
    assert build.graph().meta.source == SourceText("Another text")


def test_whole_graphs_are_changed_by_nodes_or_ids() -> None:
    graph = a_file()
    claim, act = graph.propositions[0], graph.illocutions[0]
    assert edit.without_nodes(graph, [claim]) == edit.without_nodes(graph, ["32"])
    assert edit.without_edges(graph, [(act, claim)]) == edit.without_edges(graph, [("33", "32")])
    joined = edit.join(graph, [(act, claim)], "RA", "Default Inference")
    assert [node.id for node in joined if node not in graph] == ["34"]
    assert len({edge.id for edge in joined.edges}) == len(joined.edges) == 3
    with pytest.raises(InputError, match="no edge 32 → 31"):
        edit.join(graph, [("32", "31")], "RA", "x")


def test_what_only_spoke_of_a_removed_node_goes_too() -> None:
    build = aifgraph.GraphBuilder()
    first, second = build.locution("Ann: Masks help", speaker="Ann"), build.locution("Bob: They filter", speaker="Bob")
    claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    build.illocution(first, claim)
    build.illocution(second, reason)
    why = build.inference([reason], claim)
    arguing = build.illocution(build.transition(first, second), why)
    build.remove(why)
    assert arguing not in build
    assert aifgraph.validate(build.graph(), "iat").ok
    build.remove(second)
    assert [act.text for act in build.graph().illocutions] == ["Asserting"]


def test_an_illocution_of_something_else_stays() -> None:
    build = aifgraph.GraphBuilder()
    said = build.locution("Ann: Masks help, and they filter")
    one, other = build.proposition("Masks help"), build.proposition("They filter")
    both = build.illocution(said, one)
    build.edge(both, other)
    build.remove(one)
    assert [node.id for node in build.graph().content_of(both)] == [other]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Lee: Masks help", "Bob: Masks help"),
        ("Masks help", "Masks help"),
        ("Carl: Masks help", "Carl: Masks help"),  # whom Ann quotes
    ],
)
def test_a_text_follows_its_speaker(text: str, expected: str) -> None:
    build = aifgraph.GraphBuilder()
    ann, bob = build.participant("Ann", "Lee"), build.participant("Bob")
    said = build.locution(text, speaker=ann)
    build.update(said, speaker=bob)
    assert build.graph()[said].text == expected
    build.update(said, speaker=ann, text="Bob: as it is given")
    assert build.graph()[said].text == "Bob: as it is given"


def test_a_text_without_a_record_follows_its_speaker() -> None:
    build = aifgraph.GraphBuilder()
    said = build.locution("Ann: Masks help")
    build.update(said, speaker="Bob")
    graph = build.graph()
    assert (graph[said].text, [person.name for person in graph.speakers]) == ("Bob: Masks help", ["Bob"])


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (lambda b: b.relation("XX", ["1"], "2"), "'XX' is no type of relation; choose from RA, CA, MA, PA, YA, TA"),
        (lambda b: b.inference([], "2"), "RA without premises"),
        (lambda b: b.inference(["1"], "1"), "RA from a node to itself"),
    ],
)
def test_what_a_builder_does_not_do_is_said(call: Any, answer: str) -> None:
    build = aifgraph.GraphBuilder()
    build.proposition("Masks help"), build.proposition("They filter")
    before = build.graph()
    with pytest.raises((OptionError, InputError), match=answer):
        call(build)
    assert build.graph() == before


# -- a text and its scheme, a person and the name ------------------------------------------------------------------


def test_a_text_that_names_its_scheme_and_the_scheme_follow_each_other() -> None:
    build = GraphBuilder()
    said, claim, reason = build.locution("Ann: a"), build.proposition("a"), build.proposition("b")
    act, why = build.illocution(said, claim), build.inference(reason, claim, "Expert Opinion")

    def now(node: str) -> tuple[str, str | None]:
        scheme = build.graph()[node].scheme
        return build.graph()[node].text, scheme and scheme.name

    build.update(act, schemes="Agreeing")
    assert now(act) == ("Agreeing", "Agreeing")
    build.update(act, text="Pure Questioning")
    assert now(act) == ("Pure Questioning", "PureQuestioning")
    build.update(act, schemes="PureQuestioning")
    assert now(act) == ("Pure Questioning", "PureQuestioning")
    build.update(act, text="Asserting", schemes="Agreeing")  # as it is given
    assert now(act) == ("Asserting", "Agreeing")
    build.update(act, text="Challenging")  # the old text was not that of the scheme
    assert now(act) == ("Challenging", "Agreeing")
    build.update(why, schemes="Sign")
    assert now(why) == ("Sign", "Sign")
    build.update(why, text="because")
    build.update(why, schemes="Expert Opinion")
    assert now(why) == ("because", "ExpertOpinion")
    assert now(build.illocution(said, reason, schemes="Agreeing")) == ("Agreeing", "Agreeing")


def test_a_changed_default_is_written_as_a_new_one_is() -> None:
    build = GraphBuilder()
    claim, reason = build.proposition("a"), build.proposition("b")
    new, changed = build.inference(reason, claim, schemes="argument from analogy"), build.conflict(reason, claim)
    build.update(changed, schemes="71")
    plain = build.inference(claim, reason)
    build.update(plain, schemes="argument from analogy")
    graph = build.graph()
    assert (graph[plain].text, graph[plain].scheme) == (graph[new].text, graph[new].scheme)


@pytest.mark.parametrize("text", ["new words", "Carl: new words"])
def test_whom_texts_alone_name_is_listed_where_a_new_text_does_not(text: str) -> None:
    graph = a_file()
    for who in (graph.speakers[0], "Ann Lee", "4"):
        build = GraphBuilder(graph)
        said = build.locution(text, speaker=who)
        changed = build.graph()
        for one in (changed, aifgraph.from_dict(changed.to_dict())):
            assert one.speaker_of(said) == Participant("4", "Ann", "Lee")
            assert one.speaker_of("31").name == "Ann Lee"  # type: ignore[union-attr]


def test_a_person_of_one_name_is_one_person() -> None:
    build = GraphBuilder(a_file())
    assert build.participant("Ann", "Lee") == build.participant("Ann  Lee") == "4"
    bob = build.participant("Bob Smith")
    assert build.participant("Bob", "Smith") == bob
    assert build.participant("Bob", "Smith", id="9") == "9"
    said = build.locution("a", speaker=build.participant("Eve"))
    assert GraphBuilder(build.graph()).participant("eve") != build.participant("Eve")  # users of a forum
    assert build.graph().participants[1] == Participant(bob, "Bob", "Smith")
    assert build.graph().speaker_of(said).name == "Eve"  # type: ignore[union-attr]
    with pytest.raises(InputError, match="2 people are called"):
        build.participant("Bob", "Smith")


@pytest.mark.parametrize("who", ["4", "Ann Lee", Participant("", "Ann Lee")])
def test_a_person_gets_another_name_wherever_it_stands(who: Any) -> None:
    build = GraphBuilder(a_file())
    other = build.locution("Bob: Ann Lee: yes", speaker="Bob")
    build.update(who, first_name="Speaker", surname="1")
    graph = build.graph()
    assert graph["31"].text == "Speaker 1: Masks help"
    assert graph.speaker_of("31") == Participant("4", "Speaker", "1")
    assert graph[other].text == "Bob: Ann Lee: yes"
    build.update("Bob", surname="May")
    assert build.graph()[other].text == "Bob May: Ann Lee: yes"
    before = build.graph()
    with pytest.raises(InputError, match="there is no person 'Eve'"):
        build.update("Eve", surname="May")
    with pytest.raises(OptionError, match="in calls of their own"):
        build.update("4", surname="May", text="a")
    with pytest.raises(OptionError, match="without a name"):
        build.update("4", first_name="", surname="")
    assert build.graph() == before


def test_the_place_of_a_node_in_the_text() -> None:
    graph = a_file()
    for source in (graph.meta.source, SourceText(graph.text, spans=(Span("31", 9, 19), Span("32", 15, 19)))):
        places = {node.id: graph.with_meta(source=source).span_of(node) for node in graph}
        assert {id_: graph.text[span.start : span.end] for id_, span in places.items() if span} == {
            "31": "Masks help",
            "32": "help",
            "33": "Masks help",
        }
    build = GraphBuilder(graph)
    build.source("Ann Lee: <span id='node31'>Masks help</span>.")
    assert build.graph().span_of(32) == Span("31", 9, 19)
    assert graph.with_meta(source=None).span_of("32") is None


def test_a_text_names_a_scheme_as_an_argument_does() -> None:
    build = GraphBuilder()
    claim, reason = build.proposition("a"), build.proposition("b")
    why = build.inference([reason], claim, "Argument from Expert Opinion")
    same = build.inference([reason], claim, schemes="Argument from Expert Opinion")
    own = build.inference([reason], claim, "Argument from My Neighbour")
    graph = build.graph()
    assert graph[why].schemes == graph[same].schemes == (Scheme("15", "ExpertOpinion"),)
    assert (graph[why].text, graph[own].schemes) == ("Argument from Expert Opinion", ())


@pytest.mark.parametrize("format", ["aif", "xaif", "ova3"])
@pytest.mark.parametrize("name", ["debate/first.json", "aif/masks.json", "debates/ann/nodeset1.json"])
def test_another_scheme_takes_the_place_of_the_one_in_the_file(name: str, format: str) -> None:
    graph = aifgraph.load(FIXTURES / name)
    build = GraphBuilder(graph)
    build.update(graph.inferences[0], schemes="Expert Opinion")
    changed = build.graph()
    again = aifgraph.loads(aifgraph.dumps(changed, format=format), format=format)
    assert [node.schemes for node in again.relations] == [node.schemes for node in changed.relations]
