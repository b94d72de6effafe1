"""What somebody asks of a comparison in Python is done as asked, or refused with the way to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import CorpusComparison, OptionError
from aifgraph.cli import main

MAP, OTHER = "fixtures/debate/first.json", "fixtures/debate/second.json"
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"
# Type checkers know better than to let these pass.
api: Any = aifgraph


@pytest.fixture(scope="module")
def corpora() -> CorpusComparison:
    return aifgraph.compare_corpora(ANN, BEN, intervals=True, level=0.9, rounds=20, seed=3)


def test_intervals_are_as_they_were_asked_for(corpora: CorpusComparison) -> None:
    again = corpora.intervals()
    assert (again.level, again.rounds, again.method, again.seed) == (0.9, 20, "percentile", 3)
    assert str(again) == str(corpora.with_intervals)
    other = corpora.intervals(level=0.8)
    assert (other.level, other.rounds, other.method, other.seed) == (0.8, 20, "percentile", 3)
    plain = aifgraph.compare_corpora(ANN, BEN).intervals(rounds=9)
    assert (plain.level, plain.rounds, plain.method, plain.seed) == (0.95, 9, "percentile", 0)


def test_the_line_to_publish_says_how_intervals_were_drawn(corpora: CorpusComparison) -> None:
    assert corpora.signature.endswith("|ci:percentile.0.9.20.3")
    assert str(corpora).splitlines()[-1] == corpora.to_dict()["signature"] == corpora.signature
    stored = CorpusComparison.from_dict(corpora.to_dict())
    assert (stored.signature, stored) == (corpora.signature, corpora)
    plain = aifgraph.compare_corpora(ANN, BEN, seed=3)
    assert corpora.signature == f"{plain.signature}|ci:percentile.0.9.20.3"
    test = aifgraph.significance({"one": corpora, "other": corpora}, rounds=9)
    assert test.signature.count("|ci:") == 1
    assert "|ci:" not in aifgraph.plan(corpora, [3], rounds=9).signature


def test_pairs_are_what_pair_gave(tmp_path: Path) -> None:
    pairing = aifgraph.pair(ANN, BEN, "text")
    by_pairing = aifgraph.compare_corpora(ANN, BEN, pairs=pairing)
    by_text = aifgraph.compare_corpora(ANN, BEN, pair_by="text")
    assert by_pairing == by_text
    assert "|pair:text.0.7|" in by_pairing.signature
    # What is not all that its way of pairing gives is signed as the table that it could be.
    two = replace(pairing, pairs=pairing.pairs[:2])
    file = tmp_path / "pairs.tsv"
    assert two.to_tsv(file) == file.read_text("utf-8")
    of_two = aifgraph.compare_corpora(ANN, BEN, pairs=two)
    assert of_two == aifgraph.compare_corpora(ANN, BEN, pairs=file)
    assert "|pair:file." in of_two.signature
    assert of_two.unpaired == (("nodeset3", "nodeset4"), ("nodeset3", "nodeset5"))


def test_pairs_are_of_the_corpora_that_are_compared() -> None:
    pairing = aifgraph.pair(ANN, BEN)
    with pytest.raises(aifgraph.InputError, match=r"ann/nodeset1.json: the pairs are of other corpora; .*same paths"):
        aifgraph.compare_corpora(BEN, ANN, pairs=pairing)
    for more in ({"texts": {}}, {"with_itself": True}, {"min_text": 0.5}):
        with pytest.raises(OptionError, match=r"have no effect on pairs that are made; give .* to pair"):
            api.compare_corpora(ANN, BEN, pairs=pairing, **more)


def test_a_pairing_is_written_as_the_command_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    assert main(["pair", ANN, BEN, "-o", str(file)]) == 0
    pairing: Any = aifgraph.pair(ANN, BEN, "text")
    assert pairing.to_tsv() == file.read_text("utf-8")
    assert len(str(pairing).splitlines()) == 8
    with pytest.raises(OptionError, match=r"of pair\(…\), to_tsv\(path\) writes \.tsv"):
        pairing.to_csv(tmp_path / "pairs.tsv")
    with pytest.raises(AttributeError, match=r"did you mean to_tsv\(path\)"):
        pairing.save(file)


def test_no_further_baselines_are_none_as_on_the_command_line() -> None:
    boards = [api.evaluate(ANN, [BEN], rounds=9, test_rounds=9, baselines=given) for given in ("none", None, [])]
    assert len({str(board) for board in boards}) == 1
    assert len(boards[0]) == len(boards[0].all)


def test_a_calculation_with_one_label_is_not_told_apart() -> None:
    build = aifgraph.GraphBuilder()
    build.inference([build.proposition("It rains")], build.proposition("The street is wet"))
    result = aifgraph.compare(build.graph(), build.graph())
    for name in ("PR", "propositional_relations"):
        with pytest.raises(KeyError, match=f"{name}.* has one label only, RA, .* is that of attachment"):
            result.breakdown.calculations[name]
        assert result.calculations[name]["kappa"] == 1
    with pytest.raises(KeyError, match="was not computed"):
        result.breakdown.calculations["AS"]


@pytest.mark.parametrize("intervals", [0.9, 100, "yes", None])
def test_intervals_are_wanted_or_not(intervals: object) -> None:
    with pytest.raises(OptionError, match=r"set intervals=True, and level=… .* or rounds=…"):
        api.compare_corpora(ANN, BEN, intervals=intervals)


def test_a_level_and_rounds_have_other_names(corpora: Any) -> None:
    with pytest.raises(OptionError, match=r"level=…"):
        corpora.intervals(0.9)
    with pytest.raises(OptionError, match="did you mean 'level'"):
        corpora.intervals(confidence=0.9)
    with pytest.raises(OptionError, match="did you mean 'rounds'"):
        corpora.intervals(bootstrap=100)
    with pytest.raises(OptionError, match="did you mean 'level'"):
        api.compare_corpora(ANN, BEN, intervals=True, confidence=0.9)


def test_a_layer_says_which_number_is_which() -> None:
    layer: Any = aifgraph.compare(MAP, OTHER).layers["argument"]
    assert f"M-κ {layer.mean['kappa']:.3f}, CASS-κ {layer.kappa:.3f}" in repr(layer)
    for name in ("m_kappa", "M"):
        with pytest.raises(AttributeError, match=r"did you mean mean\['kappa'\]"):
            getattr(layer, name)


@pytest.mark.parametrize(
    ("verb", "name", "right"),
    [
        ("to_html", "r.json", "to_json"),
        ("to_json", "r.html", "to_html"),
        ("to_csv", "d.tsv", "to_tsv"),
        ("to_text", "r.md", "to_markdown"),
        ("to_latex", "r.CSV", "to_csv"),
        ("to_csv", "r.xlsx", "to_excel"),
        ("to_html", "r.pdf", "show"),
    ],
)
def test_a_file_is_what_its_name_says(verb: str, name: str, right: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=rf"{verb} does not write .*{right}\("):
        getattr(aifgraph.compare(MAP, OTHER), verb)(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_differences_to_decide_on_are_written_as_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "d.tsv"
    text = aifgraph.compare(MAP, OTHER).differences().to_tsv(path)
    assert main(["differences", MAP, OTHER, "--format", "tsv"]) == 0
    assert capsys.readouterr().out == text == path.read_text("utf-8")
    assert len(aifgraph.merge(MAP, OTHER, decisions=path).open) == len(aifgraph.merge(MAP, OTHER).open)


def test_wrong_arguments_of_verbs_are_answered() -> None:
    result: Any = aifgraph.compare(MAP, OTHER)
    with pytest.raises(OptionError, match=r"to_text has no argument 'details'; did you mean tables\(\)"):
        result.to_text(details=True)
    with pytest.raises(OptionError, match=r"to_frame\(\)\.to_csv\(path, sep=…\)"):
        result.to_csv(sep=";")
    with pytest.raises(OptionError, match=r"row\.kind == …"):
        result.differences(kind="x")


def test_a_calculation_that_was_not_computed_is_said_to_be_none(corpora: CorpusComparison) -> None:
    with pytest.raises(KeyError, match=r"'AS' was not computed.*compare with calculations='PR\+.*\+AS'"):
        aifgraph.compare(MAP, OTHER).calculations["AS"]
    assert aifgraph.report.plots.FORMATS[0] == "svg"


def test_a_result_is_equal_to_what_is_read_from_its_file(corpora: CorpusComparison, tmp_path: Path) -> None:
    pair = aifgraph.compare(MAP, OTHER, matching="optimal")
    assert pair == aifgraph.Comparison.from_dict(pair.to_dict()) == pair
    assert pair != aifgraph.compare(MAP, MAP, matching="optimal")
    corpora.to_json(tmp_path / "result.json")
    assert corpora == CorpusComparison.load(tmp_path / "result.json")
    assert corpora != aifgraph.compare_corpora(ANN, BEN)
    assert corpora != aifgraph.compare_corpora(BEN, ANN, intervals=True, level=0.9, rounds=20, seed=3)
    assert corpora.intervals() == aifgraph.Intervals.from_dict(corpora.intervals().to_dict())


def test_the_intervals_of_cass_have_its_names(corpora: CorpusComparison) -> None:
    intervals: Any = corpora.intervals()
    assert intervals.kappa.value == corpora.kappa
    assert intervals.f1.low <= corpora.f1 <= intervals.f1.high
    for wrong in (lambda: intervals["kappa"], lambda: intervals.macro["kappa"]):
        with pytest.raises(KeyError, match="kappa and f1 are those of CASS"):
            wrong()


def test_wrong_keys_are_answered(corpora: Any) -> None:
    pair: Any = aifgraph.compare(MAP, OTHER)
    assert corpora.macro.layers["argument"] is corpora.macro.over["propositional"]
    with pytest.raises(KeyError, match="there is no layer 'x'; choose from propositional, dialogical"):
        corpora.macro.layers["x"]
    with pytest.raises(KeyError, match="there is no score 'kapa'; did you mean 'kappa'"):
        pair.layers["argument"].mean["kapa"]
    rows = pair.differences()
    with pytest.raises(KeyError, match="there is no name 'x'; choose from"):
        rows.by_id["x"]
    with pytest.raises(TypeError, match=r"this is a dictionary and no function"):
        rows.by_id(rows[0].id)
    with pytest.raises(TypeError, match=rf"by_id\['{rows[0].id}'\] is the row"):
        rows[rows[0].id]


@pytest.mark.parametrize("pairs", [[("one", "two")], {"one": "two"}])
def test_pairs_are_a_table(pairs: object) -> None:
    with pytest.raises(OptionError, match=r"cannot pair by a .*give the path of a table .* or two lists of graphs"):
        api.compare_corpora(ANN, BEN, pairs=pairs)


def test_calculations_are_found_by_their_codes_everywhere(corpora: CorpusComparison) -> None:
    pair, agreement = aifgraph.compare(MAP, OTHER), aifgraph.agreement([ANN, BEN])
    for calculations in (
        pair.calculations,
        pair.stored().calculations,
        pair.breakdown.calculations,
        corpora.micro.calculations,
        corpora.breakdown.calculations,
        corpora[0].calculations,
        agreement.alpha,
        agreement.fleiss,
    ):
        assert calculations["PR"] is calculations["propositional_relations"]
        with pytest.raises(KeyError, match="there is no calculation 'RA'; choose from propositional_relations"):
            calculations["RA"]
    assert aifgraph.Comparison.from_dict(pair.to_dict()).calculations["PR"].kappa == pair.calculations["PR"].kappa


@pytest.mark.parametrize(
    ("given", "answered"),
    [
        ({"texts": ["one"]}, "texts is a list; give .*name of its text"),
        ({"metrics": 5}, "metrics is 5; give names of measures"),
        ({"results": True}, "results is True; give the path"),
        ({"on_comparison": True}, "on_comparison is True; give a function"),
        ({"intervals": True, "level": "0.9"}, "level is '0.9'; give a number"),
        ({"pair_by": "text", "min_text": "0.5"}, "give a number above 0"),
    ],
)
def test_values_of_a_wrong_type_are_answered(given: dict[str, Any], answered: str) -> None:
    with pytest.raises(OptionError, match=answered):
        api.compare_corpora(ANN, BEN, **given)


def test_a_file_that_is_open_is_no_path(tmp_path: Path) -> None:
    result: Any = aifgraph.compare(MAP, OTHER)
    with (tmp_path / "r").open("w") as file, pytest.raises(OptionError, match=r"file\.write\(result\.to_csv\(\)\)"):
        result.to_csv(file)
    with pytest.raises(OptionError, match=r"tables has no argument 'sort'; .*of two corpora"):
        result.tables(sort="kappa")


@pytest.mark.parametrize("function", ["compare_corpora", "evaluate", "agreement"])
def test_progress_is_a_function(function: str) -> None:
    given = (ANN, [BEN]) if function == "evaluate" else ([ANN, BEN],) if function == "agreement" else (ANN, BEN)
    with pytest.raises(OptionError, match=r"progress is True; give a function .* such as progress=print"):
        getattr(api, function)(*given, progress=True)


@pytest.mark.parametrize("baselines", [False, "chain", ["nothing"]])
def test_baselines_are_a_list(baselines: object) -> None:
    with pytest.raises(OptionError, match=r"give a list of .*, or an empty one"):
        api.evaluate(ANN, [BEN], baselines=baselines)


def test_what_merging_gives_and_takes_is_answered(tmp_path: Path) -> None:
    merged: Any = aifgraph.merge(MAP, OTHER)
    for use in (
        api.validate,
        api.dumps,
        lambda one: api.dump(one, tmp_path / "m.json"),
        lambda one: api.compare(one, MAP),
    ):
        with pytest.raises(OptionError, match=r"give its graph: .*merged\.graph"):
            use(merged)
    for decisions in (aifgraph.compare(MAP, OTHER).differences(), [("x", "first")]):
        with pytest.raises(OptionError, match=r"differences\(\)\.to_tsv\(path\)"):
            api.merge(MAP, OTHER, decisions=decisions)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("pair.per_label", r"breakdown\.calculations\[name\]\.labels"),
        ("pair.speakers", r"breakdown\.speakers"),
        ("pair.alignment.pairs", r"propositions\.classes"),
        ("pair.alignment.unmatched", "one side empty"),
        ("pair.alignment.nodes", r"first\.nodes and second\.nodes"),
        ("pair.calculations['PR'].matrix.to_frame", r"pandas\.DataFrame\(rows, labels, labels\)"),
        ("corpora.pairs[0].alignment", r"result\.comparison\(pair\.name\)"),
        ("pair.by_id", r"differences\(\)\.by_id"),
        ("pair.merge", r"aifgraph\.merge"),
        ("pair.macro", "did you mean cass"),
        ("pair.graphs", "first, and second"),
        ("merged.check", r"aifgraph\.validate\(merged\.graph\)"),
        ("merged.to_json", r"aifgraph\.dumps\(merged\.graph\)"),
        ("merged.conflicts", "open, the rows"),
        ("merged.nodes", r"graph\.nodes"),
        ("corpora.intervals().low", r"kappa\.low"),
        ("corpora.distribution().median", r"quartiles\[1\]"),
        ("aifgraph.load_decisions", r"merge\(first, second, decisions=path\)"),
        ("aifgraph.compare_annotators", "agreement"),
    ],
)
def test_names_that_newcomers_try_are_answered(asked: str, answered: str, corpora: CorpusComparison) -> None:
    things = {"corpora": corpora, "aifgraph": aifgraph}
    things |= {"pair": aifgraph.compare(MAP, OTHER), "merged": aifgraph.merge(MAP, OTHER)}
    with pytest.raises(AttributeError, match=f"did you mean .*{answered}" if "did" not in answered else answered):
        eval(asked, things)


def test_pictures_are_bytes(corpora: CorpusComparison) -> None:
    plots: Any = aifgraph.report.plots
    with pytest.raises(OptionError, match=r"intervals has no argument 'path'; .*write_bytes"):
        plots.intervals(corpora, path="scores.svg")
    with pytest.raises(OptionError, match=r"too many positional arguments; it takes values, title=…, .*write_bytes"):
        plots.intervals(corpora, "scores.svg")
