"""What a builder makes and refuses, and what it does with a map that is there already."""

from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.errors import InputError, NotFoundError, OptionError
from aifgraph.graph import SCHEME_KINDS, Participant, Scheme, SourceText, Span
from strategies import LONG


def a_file() -> ArgumentGraph:
    """A claim that Ann makes, in an xAIF of OVA3 with all that such a file names nodes by."""
    document = {
        "AIF": {
            "nodes": [
                {"nodeID": 31, "text": "Ann Lee: Masks help", "type": "L"},
                {"nodeID": 32, "text": "Masks help", "type": "I"},
                {"nodeID": 33, "text": "Asserting", "type": "YA"},
            ],
            "edges": [{"edgeID": 5, "fromID": 31, "toID": 33}, {"edgeID": 6, "fromID": 33, "toID": 32}],
            "locutions": [{"nodeID": 31, "personID": 4}],
            "participants": [],
            "descriptorfulfillments": [{"nodeID": 32, "descriptorID": 1}],
        },
        "OVA": {
            "nodes": [{"nodeID": id_, "visible": True, "x": id_, "y": 1, "timestamp": ""} for id_ in (31, 32, 33)],
            "edges": [{"fromID": 31, "toID": 33, "visible": True}, {"fromID": 33, "toID": 32, "visible": True}],
        },
        "text": 'Ann Lee: <span class="highlighted" id="node31">Masks <span id="32">help</span></span>.',
    }
    return aifgraph.from_dict(document)


def claims(*texts: str) -> tuple[GraphBuilder, list[str]]:
    builder = GraphBuilder()
    return builder, [builder.proposition(text) for text in texts]


@pytest.mark.parametrize(
    "call",
    [
        lambda b: b.proposition("b", id="1"),
        lambda b: b.locution("b", id="1", speaker="Eve"),
        lambda b: b.inference(["8"], "1"),
        lambda b: b.inference([], "2"),
        lambda b: b.inference(["1"], "1"),
        lambda b: b.relation("XX", ["1"], "2"),
        lambda b: b.inference(["1"], "2", schemes="ExpertOpinon"),
        lambda b: b.node("RA", schemes="popular opinion"),
        lambda b: b.edge("1", "1"),
        lambda b: b.edge("1", "2"),
        lambda b: b.remove_edge("2", "1"),
        lambda b: b.remove("1", "8"),
        lambda b: b.update("8", text="x"),
        lambda b: b.update("1", speaker="Ann"),
        lambda b: b.update("3", speaker="17"),
        lambda b: b.locution("Ann: a", speaker="17"),
        lambda b: b.illocution("3", "3", schemes="Expert Opinion"),
        lambda b: b.participant("Bob", id="1"),
        lambda b: b.rename_participant("Eve", "May"),
        lambda b: b.remove("7"),
        lambda b: b.update("7"),
        # what is found late: nobody is listed for the first time
        lambda b: b.locution("Eve: a", speaker="Eve", extra={"tags": {1, 2}}),
        lambda b: b.update("3", speaker="Eve", extra={"tags": {1, 2}}),
        lambda b: b.update("3", speaker="Eve", schemes="ExpertOpinon"),
        lambda b: b.merge({"1": "2", "2": "1"}),
        lambda b: b.merge({"ya": "1", "1": "2", "2": "1"}),
        lambda b: b.merge({"1": "2", "8": "2"}),
        # ends of the wrong type
        lambda b: b.inference(["3"], "1"),
        lambda b: b.inference(["1"], "3"),
        lambda b: b.conflict("ta", "1"),
        lambda b: b.rephrase("1", "ya"),
        lambda b: b.transition("1", "3"),
        lambda b: b.transition("3", "ra"),
        lambda b: b.illocution("1", "2", "Asserting"),
        # spans that are not in the text
        *(
            lambda b, ends=ends: b.source(SourceText("Masks help", (Span("1", *ends),)))
            for ends in ((-3, 2), (5, 2), (0, 11), (True, 2), ("0", 2), (0, None))
        ),
        lambda b: b.source(SourceText("Masks help", (Span(7, 0, 5),))),
        lambda b: b.source(SourceText("Masks help", ((0, 5),))),
        lambda b: b.source(SourceText("Masks help", None)),
        lambda b: b.graph(source=SourceText("Masks help", (Span("1", 0, 99),))),
    ],
)
def test_a_mistake_changes_nothing(call: Any) -> None:
    builder, _ = claims("Masks help", "They filter")
    builder.edge("1", "2")
    builder.locution("Ann: yes", speaker="Ann")
    for type_ in ("TA", "YA", "RA"):
        builder.node(type_, id=type_.lower())
    before = builder.graph()
    with pytest.raises((InputError, OptionError, NotFoundError)):
        call(builder)
    assert builder.graph() == before


def test_relations_may_be_ends_too() -> None:
    builder, _ = claims("Masks help", "They filter")
    ra, ta = builder.node("RA"), builder.node("TA")
    conflict = builder.conflict(["1", "2"], ra)
    builder.inference([ra], "1")
    builder.illocution(ta, ra, "Arguing")
    assert [node.id for node in builder.graph().premises_of(conflict)] == ["1", "2"]
    assert builder.graph().conclusions_of(conflict) == (builder.graph()[ra],)


@pytest.mark.parametrize(
    ("there", "new"),
    [
        (["31", "32"], "33"),
        (["a1", "a2", "c1"], "a3"),
        (["12_3f9", "14_3f9"], "15_3f9"),
        (["pred1", "7"], "8"),
        (["claim", "reason"], "1"),
        (["2c1d5f4e-0000-4000-8000-000000000001"], "1"),
        (["9" * 5000], "1"),
        (["²"], "1"),
    ],
)
def test_new_ids_have_the_form_of_those_that_are_there(there: list[str], new: str) -> None:
    builder = GraphBuilder()
    for id_ in there:
        builder.proposition("x", id=id_)
    assert GraphBuilder(builder.graph()).proposition("y") == new


def test_a_speaker_is_an_id_a_person_or_a_name() -> None:
    builder = GraphBuilder(a_file())
    bob = builder.participant("Bob", "May")
    given: list[Any] = ["4", 4, "Ann Lee", "Ann  Lee", bob, "Bob May", Participant("9", "Bob", "May"), "Cy de Wit"]
    nodes = [builder.locution(f"{number}", speaker=speaker) for number, speaker in enumerate(given)]
    graph = builder.graph()
    assert [graph.records_of(node)[0].person_id for node in nodes] == ["4", "4", "4", "4", "5", "5", "5", "6"]
    assert [person.name for person in graph.participants] == ["Bob May", "Ann Lee", "Cy de Wit"]
    assert builder.participant("Ann", "Lee") == "4"
    assert builder.participant("bob", "May") != "5"  # users of a forum
    builder.participant("Bob", "May", id="20")
    with pytest.raises(InputError, match="2 participants are called 'Bob May'"):
        builder.locution("x", speaker="Bob May")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Lee: Masks help", "Bob: Masks help"),
        ("Masks help", "Masks help"),
        ("Carl: Masks help", "Carl: Masks help"),  # whom Ann quotes
    ],
)
def test_a_text_follows_its_speaker(text: str, expected: str) -> None:
    builder = GraphBuilder()
    ann, bob = builder.participant("Ann", "Lee"), builder.participant("Bob")
    said = builder.locution(text, speaker=ann)
    builder.update(said, speaker=bob)
    assert builder.graph()[said].text == expected
    builder.update(said, speaker=ann, text="Bob: as it is given")
    assert builder.graph()[said].text == "Bob: as it is given"


@pytest.mark.parametrize("who", ["4", "Ann Lee", Participant("", "Ann Lee")])
def test_a_person_gets_another_name_wherever_it_stands(who: Any) -> None:
    builder = GraphBuilder(a_file())
    others = [builder.locution(text, speaker="Bob") for text in ("Bob: Ann Lee: yes", "Ann Lee: yes")]
    builder.rename_participant(who, "Speaker", "1")
    graph = builder.graph()
    assert graph["31"].text == "Speaker 1: Masks help"
    assert graph.speaker_of("31") == Participant("4", "Speaker", "1")
    assert [graph[other].text for other in others] == ["Bob: Ann Lee: yes", "Ann Lee: yes"]


def test_schemes_by_name_and_id() -> None:
    builder, (one, other) = claims("a", "b")
    expert = Scheme("15", "ExpertOpinion")
    for scheme in ("Expert Opinion", "15", ["ExpertOpinion"], expert, "Argument from Expert Opinion"):
        relation = builder.inference([one], other, schemes=scheme)
        assert builder.graph()[relation].schemes == (expert,)
    own = builder.inference([one], other, schemes=Scheme(None, "My own"))
    assert builder.graph()[own].schemes == (Scheme(None, "My own"),)
    named = builder.inference([one], other, "Argument from Expert Opinion")
    assert builder.graph()[named].schemes == (expert,)
    free = builder.inference([one], other, "Argument from My Neighbour")
    assert builder.graph()[free].schemes == ()
    plain = builder.inference([one], other)
    assert builder.graph()[plain].scheme == Scheme("72", "Default Inference")


def test_illocutions_without_a_text() -> None:
    builder, (claim, reason) = claims("a", "b")
    said, answer = builder.locution("Ann: a"), builder.locution("Bob: b")
    why, step = builder.inference(reason, claim), builder.transition(said, answer)
    acts = [
        builder.illocution(said, claim),
        builder.illocution(step, why),
        builder.illocution(step, builder.conflict(reason, why)),
        builder.illocution(said, reason, schemes="PureQuestioning"),
    ]
    graph = builder.graph()
    assert [graph[act].text for act in acts] == ["Asserting", "Arguing", "Disagreeing", "Pure Questioning"]
    assert graph[acts[0]].scheme == Scheme("74", "Asserting")
    with pytest.raises(InputError, match="text"):
        builder.illocution(step, claim)


def test_a_text_that_names_its_scheme_and_the_scheme_follow_each_other() -> None:
    builder, (claim, reason) = claims("a", "b")
    act = builder.illocution(builder.locution("Ann: a"), claim)
    why = builder.inference(reason, claim, "Expert Opinion")

    def now(node: str) -> tuple[str, str | None]:
        scheme = builder.graph()[node].scheme
        return builder.graph()[node].text, scheme and scheme.name

    builder.update(act, schemes="Agreeing")
    assert now(act) == ("Agreeing", "Agreeing")
    builder.update(act, text="Pure Questioning")
    assert now(act) == ("Pure Questioning", "PureQuestioning")
    builder.update(act, text="Asserting", schemes="Agreeing")  # as it is given
    assert now(act) == ("Asserting", "Agreeing")
    builder.update(act, text="Challenging")  # the old text was not that of the scheme
    assert now(act) == ("Challenging", "Agreeing")
    builder.update(why, schemes="Sign")
    assert now(why) == ("Sign", "Sign")
    plain = builder.inference(claim, reason)
    builder.update(plain, schemes="argument from analogy")
    new = builder.inference(reason, claim, schemes="argument from analogy")
    assert now(plain) == now(new)


def test_what_is_removed_leaves_nothing_behind() -> None:
    builder = GraphBuilder(a_file())
    builder.remove("31", cascade=True)
    document = builder.graph().to_dict()
    assert [node["nodeID"] for node in document["AIF"]["nodes"]] == [32]  # the illocution goes along
    assert document["text"] == 'Ann Lee: Masks <span class="highlighted" id="node32">help</span>.'
    assert [box["nodeID"] for box in document["OVA"]["nodes"]] == [32]
    assert document["OVA"]["edges"] == document["AIF"]["edges"] == document["AIF"]["locutions"] == []
    builder.remove("32")
    assert builder.graph().to_dict()["AIF"]["descriptorfulfillments"] == []
    assert builder.graph().text == "Ann Lee: Masks help."


def test_relations_that_lose_all_premises_or_conclusions_are_an_error_or_go_along() -> None:
    builder, (claim, reason, other) = claims("Masks help", "They filter", "A study says so")
    first, second = builder.locution("Ann: Masks help"), builder.locution("Bob: They filter")
    linked = builder.inference([reason, other], claim)
    arguing = builder.illocution(builder.transition(first, second), linked)
    undercut = builder.conflict(builder.proposition("No"), linked)
    builder.remove(other)
    assert linked in builder
    before = builder.graph()
    for needed in (reason, claim, first):
        with pytest.raises(InputError, match=r"node \d+: (RA|TA) "):
            builder.remove(needed)
    assert builder.graph() == before
    builder.remove(reason, cascade=True)
    assert all(node not in builder for node in (linked, arguing, undercut))


def test_a_node_is_merged_into_what_its_host_is_merged_into() -> None:
    builder, (reason, first, second, claim) = claims("They filter", "Masks help", "Masks help", "Masks do help")
    relation = builder.inference([reason], first)
    builder.merge({first: second, second: claim})
    assert [node.id for node in builder.graph().propositions] == [reason, claim]
    assert builder.graph().conclusions_of(relation) == (builder.graph()[claim],)


def test_an_id_that_is_called_like_none_is_an_id() -> None:
    builder = GraphBuilder()
    builder.participant("Ann", id="None")
    assert builder.participant("Bob") != "None"


def test_the_text_of_a_proposition_does_not_follow_a_scheme_of_its_name() -> None:
    builder = GraphBuilder()
    claim = builder.node("I", "Masks", schemes=Scheme(None, "Masks"))
    builder.update(claim, extra={"confidence": 0.9})
    builder.update(claim, schemes=Scheme(None, "Expert Opinion"))
    assert (builder.graph()[claim].text, builder.graph()[claim].extra) == ("Masks", {"confidence": 0.9})


def test_an_id_that_is_used_again_has_no_data_of_the_removed_node() -> None:
    builder = GraphBuilder(a_file())
    builder.notice("odd", "is odd", "31")
    builder.remove("31", cascade=True)
    builder.locution("Bob: No", id="31", speaker="Bob")
    graph = builder.graph()
    assert graph.notices == ()
    assert [record.person_id for record in graph.records_of("31")] == [graph.participants[0].id]
    assert [span.node_id for span in graph.meta.source.spans] == ["32"]


def test_removing_many_nodes_one_by_one_takes_no_longer_with_records_spans_and_notices() -> None:
    size = 4_000
    builder = GraphBuilder()
    for number in range(size):
        said = builder.locution(f"Ann: {number}", speaker="Ann")
        builder.notice("odd", "is odd", said)
    text = "x" * size
    builder.source(SourceText(text, tuple(Span(str(number + 1), number, number + 1) for number in range(size))))
    began = process_time()
    for number in range(size):
        builder.remove(str(number + 1))
    graph = builder.graph()
    assert process_time() - began < 5  # quadratic: minutes
    assert (len(graph), graph.meta.locutions, graph.notices, graph.meta.source) == (0, (), (), SourceText(text))


STARTS = ("xaif/masks.json", "aif/masks.json", "debate/first.json", "ova3/masks.json", "")
VERBS = ("proposition", "locution", "inference", "conflict", "illocution", "update", "remove", "file")
TEXTS = st.sampled_from(["Masks help", "a < b & c", "κ 😀", "Ann: =1", " ", "x" * 300])
STEPS = st.lists(st.tuples(st.sampled_from(VERBS), st.randoms(use_true_random=False), TEXTS), min_size=5, max_size=25)


@settings(max_examples=60 if LONG else 10)
@given(st.sampled_from(STARTS), STEPS)
def test_the_map_is_what_was_done(start: str, steps: list[Any]) -> None:
    """Texts, edges and speakers are those of the steps, ids are never used again, and files hold it all."""
    build = GraphBuilder(aifgraph.load(f"fixtures/{start}") if start else None)
    texts = {node.id: node.text for node in build.graph()}
    edges = {edge[:2] for edge in build.graph().edges}
    speakers: dict[str, str] = {}
    ever = set(texts)
    for verb, rng, text in steps:
        graph = build.graph()
        ends = [node.id for node in rng.sample(graph.propositions, min(2, len(graph.propositions)))]
        if verb == "illocution":
            ends = [node.id for node in (*graph.locutions[-1:], *graph.propositions[:1])]
        some = rng.choice(sorted(texts)) if texts else None
        if verb in ("proposition", "locution"):
            speaker = {"speaker": "Ann"} if verb == "locution" and rng.random() < 0.5 else {}
            new = getattr(build, verb)(text, **speaker)
            texts[new] = text
            speakers |= dict.fromkeys([new] if speaker else [], "Ann")
        elif verb in ("inference", "conflict", "illocution") and len(ends) == 2:
            new = getattr(build, verb)(*ends)
            texts[new] = build.graph()[new].text
            edges |= {(ends[0], new), (new, ends[1])}
        elif verb == "update" and some:
            build.update(some, text=text)
            texts[some] = text
        elif verb == "remove" and some:
            build.remove(some, cascade=True)
            left = build.graph()
            gone = {node.id for node in graph} - {node.id for node in left}
            assert some in gone
            assert all(graph[other].type in SCHEME_KINDS for other in gone - {some})
            for node in (*left.relations, *left.illocutions):
                assert bool(left.premises_of(node)) == bool(graph.premises_of(node))
                assert bool(left.conclusions_of(node)) == bool(graph.conclusions_of(node))
            texts = {id_: text for id_, text in texts.items() if id_ not in gone}
            edges = {edge for edge in edges if not gone & {*edge}}
        elif verb == "file":
            build = GraphBuilder(aifgraph.loads(aifgraph.dumps(graph)))
            ever = set(texts)  # a file does not know what was removed
        assert not (texts.keys() - {node.id for node in graph}) & ever
        ever |= texts.keys()
        now = build.graph()
        assert {node.id: node.text for node in now} == texts
        assert {edge[:2] for edge in now.edges} == edges
        assert all(now.speaker_of(id_).name == name for id_, name in speakers.items() if id_ in texts)
