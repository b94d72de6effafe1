"""Systems and baselines against a gold corpus, with one table of texts behind scores and tests."""

import json
from functools import cache
from pathlib import Path

import pytest

from aifgraph import Bootstrap, Evaluation, GraphBuilder, compare, compare_corpora, evaluate, open_corpus, validate
from aifgraph.align.analysis import analyse
from aifgraph.cli import main
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.baselines import BASELINES, Baseline, baseline, reading_order
from aifgraph.graph import ArgumentGraph
from documents import ANN, BEN, argument
from evaluation.small_corpora import make_corpora


@cache
def board(**options: object) -> Evaluation:
    how = {"bootstrap": Bootstrap(50), "test_rounds": 200, **options}
    return evaluate(open_corpus(ANN), {"ben": BEN, "perfect": ANN}, **how)


def test_the_best_comes_first_and_baselines_are_among_them() -> None:
    result = board()
    assert next(iter(result.macro)) == "perfect"
    assert set(result.macro) == {"perfect", "ben", "units", "chain", "star"}
    assert (result.macro["perfect"]["CASS-kappa"].value, set(result.baselines)) == (1, {"units", "chain", "star"})
    ranks = [pooled["argument M-kappa"].value for pooled in result.macro.values()]
    assert ranks == sorted(ranks, reverse=True)
    assert set(board(baselines=()).macro) == {"perfect", "ben"}


@pytest.mark.slow
def test_baselines_have_no_numbers_by_chance() -> None:
    result = board(chance=2)
    assert {name for name, pooled in result.macro.items() if pooled["E-kappa"].texts} == {"ben", "perfect"}
    assert [test.p for test in result.tests] == [test.p for test in board().tests]


def test_every_two_systems_and_the_best_baseline_are_tested() -> None:
    result = board(scores=("ER-kappa", "CASS-f1"))
    for test in result.tests:
        values = {name: result.macro[name][test.number].value for name in result.baselines}
        if test.second in values:
            assert values[test.second] == max(values.values())
        if not test.left_out:
            values = [result.macro[name][test.number].value for name in (test.first, test.second)]
            assert test.difference == pytest.approx(values[0] - values[1])
        assert test.low <= test.difference <= test.high
        assert test.p_holm >= test.p
    assert len(result.tests) == 2 * 3
    # Four texts cannot show a difference: p is at least 2 / 2^4.
    assert all(test.p >= test.p_least >= 0.125 for test in result.tests)
    first = next(iter(result.macro.values()))["ER-kappa"].value
    assert all((pooled["ER-kappa"].value or 0) <= first for pooled in result.macro.values())


def test_what_a_system_lacks_counts_0_and_what_it_has_too_much_counts_nothing() -> None:
    zero, skipped = board(), board(missing="skip")
    assert zero.missing["ben"] == ["nodeset4"]
    assert zero.macro["ben"]["S"].texts == 4
    assert zero.macro["ben"]["S"].value == pytest.approx(skipped.macro["ben"]["S"].value * 3 / 4)
    plain = compare_corpora(ANN, BEN).macro["CASS-kappa"]
    assert (skipped.macro["ben"]["CASS-kappa"].value, skipped.macro["ben"]["CASS-kappa"].texts) == (plain.value, 3)
    assert "|missing=zero|" in zero.signature
    printed = [of.how.short for of in (zero, board(scores=("S",), baselines=()))]
    assert ["|score=" in of for of in printed] == ["|baselines=" in of for of in printed] == [False, True]


def test_a_test_is_over_the_texts_that_both_have(three: dict[str, Path]) -> None:
    systems = {name: three[name] for name in ("ben", "cleo", "ann")}
    how = {"missing": "skip", "baselines": (), "scores": ["CASS-kappa"]}
    result = evaluate(three["ann"], systems, **how)
    tests = {(test.first, test.second): test for test in result.tests}
    whole, part = tests["ben", "ann"], tests["ben", "cleo"]
    assert (whole.texts, part.texts) == (8, 4)
    assert (whole.left_out, part.left_out) == ((), ("map0", "map1", "map2", "map3"))
    assert (whole.exact, whole.p) == (True, 2 / 2**8)
    assert whole.difference == pytest.approx(result.macro["ben"]["CASS-kappa"].value - 1)
    zero = evaluate(three["ann"], systems, **how | {"missing": "zero"})
    assert {test.texts for test in zero.tests} == {8}


def test_the_texts_of_a_table_are_its_rows(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("first\tsecond\nnodeset1\tnodeset1\nnodeset2\tnodeset2\nnodeset4\t\n")
    result = board(pair_by=tmp_path / "pairs.tsv")
    assert dict(result.missing) == {"ben": ["nodeset4"], "perfect": ["nodeset4"]}
    assert {pooled["S"].texts for pooled in result.macro.values()} == {3}


def test_a_system_may_be_called_as_a_baseline() -> None:
    result = evaluate(ANN, {"chain": BEN}, baselines=["chain"], bootstrap=Bootstrap(9))
    assert set(result.macro) == {"chain", "chain baseline"}
    assert list(result.baselines) == ["chain baseline"]


def test_refusals(tmp_path: Path) -> None:
    for systems, options in (
        ({"ben": BEN}, {"scores": ["magic"]}),
        ({"ben": BEN}, {"missing": "maybe"}),
        ({}, {}),
        ({"chain baseline": BEN}, {}),
    ):
        with pytest.raises(OptionError):
            evaluate(ANN, systems, **options)
    (tmp_path / "other.json").write_bytes((BEN / "nodeset1.json").read_bytes())
    with pytest.raises(InputError):
        evaluate(ANN, {"other": tmp_path})


def test_the_command_writes_the_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["evaluate", str(ANN), str(BEN), "--set", "rounds=50", "--set", "test_rounds=200"]
    assert main([*arguments, "--baselines", "units+star", "-o", str(tmp_path / "result.json")]) == 0
    found = json.loads((tmp_path / "result.json").read_text("utf-8"))
    expected = evaluate(ANN, [BEN], baselines=("units", "star"), bootstrap=Bootstrap(50), test_rounds=200)
    assert found == json.loads(json.dumps(expected.to_dict()))
    assert "ben lacks nodeset4" in capsys.readouterr().err
    assert main([*arguments, "--baselines", "none", "--score", "ER-f1"]) == 0
    assert "ER-F1" in capsys.readouterr().out


TEXT = "Masks help. They filter the air. They cost money."


def monologue() -> ArgumentGraph:
    """Nodes in another order than the text: the first premise is read second, the attack third."""
    claims = {"1": "They cost money", "2": "They filter the air", "3": "Masks help"}
    return argument("2 RA 3", "1 CA 3", text=TEXT, **claims)


def links(graph: ArgumentGraph) -> list[tuple[str, str, str]]:
    return [
        (relation.type, premise.id, conclusion.id)
        for relation in graph.relations
        for premise in graph.premises_of(relation)
        for conclusion in graph.conclusions_of(relation)
    ]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("units", []), ("chain", [("RA", "2", "3"), ("RA", "1", "2")]), ("star", [("RA", "2", "3"), ("RA", "1", "3")])],
)
def test_relations_follow_the_order_of_the_text(kind: Baseline, expected: list[tuple[str, str, str]]) -> None:
    graph = monologue()
    analysis = baseline(graph, kind)
    assert links(analysis) == expected
    assert {node.id: node.text for node in analysis.propositions} == {node.id: node.text for node in graph.propositions}
    assert analysis.meta.source == graph.meta.source


def in_order(graph: ArgumentGraph) -> list[str]:
    analysis = analyse(graph)
    return [analysis.nodes[number].text for number in reading_order(analysis)]


def test_a_text_that_does_not_fit_decides_no_order() -> None:
    build = GraphBuilder()
    build.source("Nothing of this was ever analysed by anybody here.")
    for text, when in (("Ann: later words", "2020-01-01 10:00:02"), ("Ann: early talk", "2020-01-01 10:00:01")):
        build.illocution(build.locution(text, start=when), build.proposition(text[5:]), "Asserting")
    assert in_order(build.graph()) == ["Ann: early talk", "Ann: later words"]


def test_units_that_are_not_found_follow_the_one_before_them() -> None:
    texts = {"a": "nobody wrote that", "b": "three four", "c": "unheard of", "d": "one two"}
    assert in_order(argument(text="One two. Three four.", **texts)) == [texts[id_] for id_ in "dbca"]


@pytest.mark.parametrize("kind", BASELINES)
def test_a_dialogue_is_asserted_in_a_chain_of_transitions(tmp_path: Path, kind: Baseline) -> None:
    gold = make_corpora(tmp_path, 1)[0]
    graph = open_corpus(gold)["map0"].load()
    analysis = baseline(graph, kind)
    assert [node.id for node in analysis.locutions] == [node.id for node in graph.locutions]
    assert len(analysis.transitions) == len(graph.locutions) - 1
    for locution in analysis.locutions:
        assert [act.text for act in analysis.successors(locution) if act.type == "YA"] == ["Asserting"]
        assert analysis.content_of(locution) == tuple(
            analysis[node.id] for node in graph.content_of(locution) if node.type == "I"
        )
    for relation in analysis.relations:
        assert [act.text for act in analysis.illocutions_of(relation)] == ["Arguing"]
    for profile in ("aif", "iat"):
        assert not [each for each in validate(analysis, profile=profile) if each.level == "error"]
    result = compare(graph, analysis)
    assert result.segmentation.S == 1
    assert result.alignment.propositions
    if kind == "units":
        assert result.calculations["propositional_relations"].scores["f1"] == 0


def test_what_the_analyst_added_is_left_out_and_what_is_only_said_is_asserted() -> None:
    build = GraphBuilder()
    first, second = build.locution("Ann: Masks help"), build.locution("Bob: Yes")
    claim = build.proposition("Masks help")
    step = build.transition(first, second)
    build.illocution(first, claim, "Asserting")
    build.illocution(step, claim, "Agreeing")
    build.illocution(build.locution("Coder: Ann: Masks help"), claim, "Analysing")
    analysis = baseline(build.graph(), "units")
    assert [node.text for node in analysis.locutions] == ["Ann: Masks help", "Bob: Yes"]
    assert [node.text for node in analysis.propositions] == ["Masks help", "Yes"]
    assert {act.text for act in analysis.illocutions} == {"Asserting"}


def test_a_score_named_twice_is_tested_once() -> None:
    once = board(scores=("CASS-kappa",))
    twice = board(scores=("CASS-kappa", "CASS-κ"))
    assert (twice.tests, twice.scores) == (once.tests, once.scores)
