"""Rules that are asked, selected and levelled by profile; the catalogue of schemes and the label of an illocution."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import GraphBuilder, dumps, load, loads, repair, validate
from aifgraph.graph import schemes as catalogue
from aifgraph.graph.rules import PROFILES, Rule, all_rules
from documents import FIXTURES


@pytest.mark.parametrize(
    ("select", "ignore", "codes"),
    [
        (None, None, ("E111", "E201", "W404")),
        ("E", None, ("E111", "E201")),
        ("E1,W", None, ("E111", "W404")),
        (["201", "i-duplicate"], None, ("E201", "W404")),
        ("E", "E2", ("E111",)),
        (None, ["i-to-i", "404"], ("E201",)),
    ],
)
def test_select_and_ignore(select: object, ignore: object, codes: tuple[str, ...]) -> None:
    build = GraphBuilder()
    one, two = build.proposition("a"), build.proposition("a")
    build.edge(one, two)
    build.node("RA")
    assert tuple(validate(build.graph(), select=select, ignore=ignore).counts()) == codes


def test_a_long_circle_of_transitions_is_one_finding() -> None:
    build = GraphBuilder()
    ids = [build.locution(str(number)) for number in range(1_000)]
    for one, other in zip(ids, [*ids[1:], ids[0]], strict=True):
        build.transition(one, other)
    findings = validate(build.graph(), select="ta-acyclic")
    assert [len(finding.nodes) for finding in findings] == [1_000]


@pytest.mark.data
def test_the_whole_catalogue(shared_data: Path) -> None:
    rows = json.loads((shared_data / "schemes" / "schemes-aifdb.json").read_text("utf-8"))
    listed = rows["schemes"] if isinstance(rows, dict) else rows
    given = {(str(row["schemeID"]), row["name"], int(row["schemeTypeID"])) for row in listed}
    assert {(row.id, row.name, row.type_id) for row in catalogue.catalogue().values()} == given


RULES = FIXTURES / "rules"


def code_of(rule: Rule) -> str:
    """The code in the profile where the rule weighs most."""
    return f"{min(rule.levels.values(), key='EWN'.index)}{rule.number}"


def strictest(rule: Rule) -> str:
    """The profile in which the rule has the code it is listed under; IAT where it is one of several."""
    return next(profile for profile in ("iat", *PROFILES) if rule.levels.get(profile) == code_of(rule)[0])


@pytest.mark.parametrize("rule", all_rules(), ids=code_of)
def test_breaks_just_this_rule(rule: Rule) -> None:
    findings = validate(load(RULES / f"{code_of(rule)}-breaks.json"), strictest(rule))
    assert tuple(findings.counts()) == (code_of(rule),), str(findings)
    for finding in findings:
        assert finding.rule == rule.name
        assert "\n" not in finding.message
        assert all(id_ in finding.message for id_ in finding.nodes) or finding.code == "W109"


@pytest.mark.parametrize("rule", all_rules(), ids=code_of)
def test_close_and_legal(rule: Rule) -> None:
    findings = validate(load(RULES / f"{code_of(rule)}-legal.json"), strictest(rule))
    assert code_of(rule) not in findings.counts(), str(findings)
    assert findings.ok, str(findings)


def test_no_fixture_without_a_rule() -> None:
    codes = {path.name.split("-")[0] for path in RULES.iterdir()}
    assert codes == {code_of(rule) for rule in all_rules()}


@pytest.mark.parametrize(
    ("code", "kind"), [("E111", "direct"), ("W404", "duplicates"), ("E201", "orphans"), ("N311", "analysts")]
)
def test_mends_what_the_rule_finds(code: str, kind: str) -> None:
    graph = load(RULES / f"{code}-breaks.json")
    repaired, repairs = repair(graph, schemes=False)
    assert kind in {change.code for change in repairs}
    assert code not in validate(repaired, "iat").counts()
    assert code not in validate(loads(dumps(repaired, format="aif")), "iat").counts(), "written, it comes back"


@pytest.mark.parametrize("code", ["E102", "E103", "E104", "W105"])
def test_what_reading_leaves_out_is_not_written(code: str) -> None:
    graph = load(RULES / f"{code}-breaks.json")
    assert code in validate(graph, "iat").counts()
    assert code not in validate(loads(dumps(graph, format="aif")), "iat").counts()


def test_direct_edges_are_joined_or_kept() -> None:
    build = GraphBuilder()
    build.edge(build.proposition("a"), build.proposition("b"))
    graph = build.graph()
    joined, _ = repair(graph)
    assert [(edge.source, edge.target) for edge in joined.edges] == [("1", "3"), ("3", "2")]
    assert repair(graph, direct=False)[0] == graph


@pytest.mark.parametrize("verb", ["rephrase", "conflict", "preference", "inference"])
def test_equal_propositions_that_a_relation_joins_are_left_alone(verb: str) -> None:
    # Merged, they would rephrase, attack or support themselves: the W404 became an E208 or a W207.
    build = GraphBuilder()
    one, other, third = (build.proposition("a") for _ in range(3))
    getattr(build, verb)([one] if verb == "inference" else one, other)
    repaired, repairs = repair(build.graph())
    assert [node.id for node in repaired.propositions] == [one, other]
    assert [item.nodes for item in repairs if item.code == "duplicates"] == [(third, one)]
    assert {"E208", "W207"}.isdisjoint(validate(repaired, "iat").counts())
    assert not repair(repaired)[1]


def test_orphans_go_with_what_hung_on_them_only() -> None:
    # A YA on an RA without premise loses its content with it; the propositions stay.
    build = GraphBuilder()
    claim = build.proposition("a")
    inference = build.node("RA", "Default Inference")
    build.edge(inference, claim)
    build.illocution(build.locution("Ann: b"), inference, "Arguing")
    repaired, repairs = repair(build.graph())
    assert [node.type for node in repaired] == ["I", "L"]
    assert [change.code for change in repairs] == ["orphans", "orphans"]


def test_schemes_come_from_the_text_or_are_the_default() -> None:
    build = GraphBuilder()
    a, b = build.proposition("a"), build.proposition("b")
    named = build.inference([a], b, "Expert Opinion")
    bare = build.relation("CA", [a], b, "CA")
    strange = build.relation("RA", [b], a, "Something of our own")
    shared = build.relation("RA", [b], a, "Popular Opinion")
    repaired, _ = repair(build.graph())
    assert [scheme.id for id_ in (named, bare) for scheme in repaired[id_].schemes] == ["15", "71"]
    assert repaired[strange].schemes == repaired[shared].schemes == ()


@given(st.data())
def test_idempotent(data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(["I", "L", "RA", "CA", "MA", "YA", "TA", "EN"]), max_size=9))
    texts = st.sampled_from(["", "a", "Ann: a", "Carl: Ann: a", "Analysing", "Default Inference"])
    nodes = [{"nodeID": str(i), "type": kind, "text": data.draw(texts)} for i, kind in enumerate(kinds)]
    ids = st.sampled_from([str(i) for i in range(len(kinds) + 1)])
    edges = [{"fromID": a, "toID": b} for a, b in data.draw(st.lists(st.tuples(ids, ids), max_size=14))]
    graph = loads(json.dumps({"nodes": nodes, "edges": edges, "locutions": []}))
    repaired, _ = repair(graph)
    again, repairs = repair(repaired)
    assert not repairs, str(repairs)
    assert again == repaired
    assert dumps(loads(dumps(repaired))) == dumps(repaired)
