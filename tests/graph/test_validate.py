"""Rules that are asked, selected and levelled by profile; the catalogue of schemes and the label of an illocution."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aifgraph import GraphBuilder, load, validate
from aifgraph.errors import InputError, NotFoundError, OptionError
from aifgraph.graph import Illocution, Scheme
from aifgraph.graph import schemes as catalogue
from aifgraph.graph.rules import all_rules
from sampled import some_of


def undercut() -> GraphBuilder:
    build = GraphBuilder()
    claim, reason, other = (build.proposition(text) for text in ("Masks help", "They filter", "Not this one"))
    build.conflict(other, build.inference([reason], claim))
    return build


def test_an_undercut_is_no_premise_of_what_it_undercuts() -> None:
    # The RA has two predecessors, the CA and its premise, and is sound all the same.
    assert not validate(undercut().graph(), "iat")


def test_a_conflict_on_a_conflict_has_one_premise() -> None:
    build = GraphBuilder()
    a, b, c = (build.proposition(text) for text in "abc")
    build.conflict(c, build.conflict(a, b))
    assert not validate(build.graph(), "iat", select="ca-arity")


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


@pytest.mark.parametrize(("text", "scheme"), [("YA_3f9c", "Asserting"), ("", "Asserting"), ("YA", "Asserting")])
def test_the_label_is_the_schemes_name_where_a_tool_made_up_the_text(text: str, scheme: str) -> None:
    build = GraphBuilder()
    said, reason, claim = build.locution("Ann: a"), build.proposition("a"), build.proposition("b")
    act = build.illocution(said, build.inference([reason], claim), text, schemes=scheme)
    findings = validate(build.graph(), "iat", select="force-fits")
    assert [(finding.code, finding.nodes[0]) for finding in findings] == [("W308", act)]
    assert findings[0].message.startswith(f"YA {act} (Asserting) does not fit")


def test_levels_follow_the_profile() -> None:
    build = GraphBuilder()
    conflict = build.conflict(build.proposition("a"), build.proposition("b"))
    build.edge(conflict, build.proposition("c"))
    graph = build.graph()
    assert {profile: tuple(validate(graph, profile).counts()) for profile in ("aif", "iat", "xaif")} == {
        "aif": ("W204",),
        "iat": ("E204",),
        "xaif": ("W204",),
    }


@pytest.mark.parametrize(("profile", "select"), [("owl", None), ("aif", "X"), ("aif", "E999"), ("aif", "no-such-rule")])
def test_unknown_profiles_and_rules(profile: str, select: str | None) -> None:
    with pytest.raises(OptionError):
        validate(GraphBuilder().graph(), profile, select=select)


def test_numbers_and_names_are_unique() -> None:
    rules = all_rules()
    assert len({rule.name for rule in rules}) == len(rules)


def test_a_long_circle_of_transitions_is_one_finding() -> None:
    build = GraphBuilder()
    ids = [build.locution(str(number)) for number in range(5_000)]
    for one, other in zip(ids, [*ids[1:], ids[0]], strict=True):
        build.transition(one, other)
    findings = validate(build.graph(), select="ta-acyclic")
    assert [len(finding.nodes) for finding in findings] == [5_000]


@pytest.mark.slow
@pytest.mark.data
def test_all_real_maps(shared_data: Path) -> None:
    for folder in ("us2016", "qt30", "dialam-2024", "iac-aif", "microtexts/aifdb", "araucaria", "xaif"):
        for path in some_of(sorted((shared_data / folder).rglob("*.json"))):
            graph = load(path)
            findings = validate(graph, "iat")
            assert all(
                id_ in graph or finding.code in ("W402", "E103") for finding in findings for id_ in finding.nodes
            )


@pytest.mark.parametrize("name", ["91", "PureQuestioning", "pure questioning", "Pure-Questioning"])
def test_schemes_by_id_and_by_name_on_letters_only(name: str) -> None:
    assert catalogue.find_scheme(name, "YA") == Scheme("91", "PureQuestioning")


def test_names_that_several_schemes_have() -> None:
    with pytest.raises(InputError, match="23, 24"):
        catalogue.find_scheme("Popular Opinion", "RA")
    assert catalogue.find_scheme("Ad hominem", "CA").id == "172"
    assert {row.kind for row in catalogue.schemes_named("Ad hominem")} == {"CA", "YA"}
    for name, kind in (("Asserting", "RA"), ("no such scheme at all", "RA")):
        with pytest.raises(NotFoundError):
            catalogue.find_scheme(name, kind)


def test_defaults_are_of_their_own_kind() -> None:
    for kind, scheme in catalogue.DEFAULTS.items():
        assert catalogue.find_scheme(scheme.id or "", kind) == scheme


@pytest.mark.parametrize(
    ("scheme", "codes"),
    [
        (Scheme("74", "Asserting"), []),
        (Scheme("72", "Asserting"), []),  # an id of another scheme: the name is what people read
        (Scheme("99999", None), []),
        (Scheme("72", None), ["W401"]),
    ],
)
def test_kinds_of_schemes_with_an_odd_id(scheme: Scheme, codes: list[str]) -> None:
    builder = GraphBuilder()
    builder.illocution(builder.locution("Ann: a"), builder.proposition("a"), "Asserting", schemes=scheme)
    assert list(validate(builder.graph(), select="scheme-kind").counts()) == codes


@pytest.mark.parametrize(
    ("text", "scheme", "label"),
    [
        ("Pure Questioning", "Asserting", "Pure Questioning"),
        (" Arguing ", None, "Arguing"),
        ("", "Asserting", "Asserting"),
        ("ya", "Asserting", "Asserting"),
        ("YA_3f9C", "Asserting", "Asserting"),
        ("YA_", "Asserting", "YA_"),
        ("YA_xyz", "Asserting", "YA_xyz"),
        ("YA_3f9c", None, "YA"),
        ("", None, "YA"),
    ],
)
def test_the_label_of_an_illocution(text: str, scheme: str | None, label: str) -> None:
    schemes = (Scheme("74", scheme),) if scheme else ()
    assert catalogue.label_of(Illocution("1", text, schemes)) == label


@pytest.mark.data
def test_the_whole_catalogue(shared_data: Path) -> None:
    rows = json.loads((shared_data / "schemes" / "schemes-aifdb.json").read_text("utf-8"))
    listed = rows["schemes"] if isinstance(rows, dict) else rows
    given = {(str(row["schemeID"]), row["name"], int(row["schemeTypeID"])) for row in listed}
    assert {(row.id, row.name, row.type_id) for row in catalogue.catalogue().values()} == given
