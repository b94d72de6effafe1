"""A wrong name is answered with the right one, or with all that there are: every option and choice of every command,
and every class of results."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.cli.group import group
from aifgraph.guesses import Answering
from aifgraph.report import plots
from aifgraph.tables import Result, Table
from fuzz.commands import all_commands

COMMANDS = sorted(all_commands())
TABLE = "fixtures/datasets/pairs/words.tsv"
MAP, OTHER = "fixtures/debate/first.json", "fixtures/debate/second.json"
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"


def options_of(path: str) -> Iterator[click.Option]:
    command: click.Command = group
    for name in path.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    yield from (each for each in command.params if isinstance(each, click.Option))


def answer(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 2
    [line] = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("path", COMMANDS)
def test_a_misspelled_option_is_answered_with_the_right_one(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option in options_of(path):
        flag = max(option.opts, key=len)
        known = {each for other in options_of(path) for each in (*other.opts, *other.secondary_opts)}
        for wrong in (flag.upper(), f"{flag}x", flag.replace("-", "_").replace("__", "--")):
            if len(flag) > 6 and wrong not in known:
                assert re.search(rf"did you mean {flag}\b", answer([*path.split(), wrong], capsys)), wrong


@pytest.mark.parametrize("path", COMMANDS)
def test_an_unknown_option_is_answered_with_those_that_there_are(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = answer([*path.split(), "--zzz", "1"], capsys)
    assert "there is no option '--zzz'; it has --" in line
    assert f"(try: aifgraph {path} --help)" in line


@pytest.mark.parametrize("path", COMMANDS)
def test_options_of_other_commands_are_answered(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    own = {flag for option in options_of(path) for flag in (*option.opts, *option.secondary_opts)}
    answered = r"did you mean|it is an option of [a-z]|it has --|replaced without"
    for flag in ("--intervals", "--tree", "--dataset", "--finish", "--window", "--version", "--output", "--jobs"):
        if flag not in own:
            assert re.search(answered, answer([*path.split(), flag], capsys))


@pytest.mark.parametrize("path", COMMANDS)
def test_a_wrong_value_of_a_choice_is_answered_with_the_nearest(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option in options_of(path):
        if isinstance(option.type, click.Choice):
            flag, longest = max(option.opts, key=len), max(option.type.choices, key=len)
            assert f"there is no {longest + 'x'!r}; did you mean" in answer(
                [*path.split(), flag, f"{longest}x"], capsys
            )
            assert f"choose from {option.type.choices[0]}" in answer([*path.split(), flag, "§"], capsys)


@pytest.mark.parametrize(
    ("words", "answered"),
    [
        ("significance a b --alpha 0.05", "an alpha of 0.05 is a confidence level of 0.95: --level 0.95"),
        ("agreement a b --alpha", "Krippendorff's alpha is always shown"),
        ("compare a b --ci 0.9", "did you mean --intervals --level 0.9?"),
        ("compare a b --intervals 0.9", "--intervals takes no value; did you mean --intervals --level 0.9?"),
        ("compare a b --confidence 90", "did you mean --intervals --level 0.9?"),
        ("compare a b --names gold,system --top 1", "and --top is none; did you mean --names gold system?"),
        ("compare a b --format paper-md", "did you mean 'paper-markdown'?"),
        ("compare a b --strict", "never stops a comparison"),
        ("compare a b --exclude MA", "--relations RA+CA+PA leaves out MA"),
        ("compare a b --ci=0.9", "did you mean --intervals --level 0.9?"),
        ("evaluate a b --ci 0.9", "did you mean --level 0.9? intervals are always shown"),
        ("significance a b --layer argument", "did you mean propositional?"),
        ("evaluate a b --layer argument", "CASS-κ of the argument"),
        ("compare a b --worst 3", "did you mean --top N, which shows the pairs that agree least?"),
        ("compare a b --only argument", "--calculations PR counts the relations alone"),
        ("compare a b --kind missing", "the command differences lists each disagreement"),
        ("compare fixtures/debates/ann fixtures/debates/ben --intervals --level 90", "such as 0.9"),
        ("differences a b --worst 3", "did you mean --top N"),
        ("compare a b --layer argument", "every layer is shown"),
        ("compare a b --layers propositional", "common counts the layers that both sides have"),
        ("compare a b --digits 2", "--format json has all digits"),
        ("compare a b --label-first gold", "did you mean --names FIRST SECOND?"),
        ("differences a b --kind missing", "filter the TSV"),
        ("differences a b --pair one", "-o rows.tsv has a column text"),
        ("evaluate a b --names one", "rename those"),
        ("show result.jsonl --top 3", "compare has it"),
        ("convert --dataset essays a b --option major=none", "did you mean --set major=none?"),
        ("convert fixtures/debates a --option major=none", "did you mean --dataset NAME --set major=none?"),
        ("convert --dataset cdcp a b --to xaif", "then run aifgraph convert OUT OTHER --to xaif"),
        ("convert a.ann b.json --major merge", "did you mean --option major=merge?"),
        (f"convert {TABLE} b --option source=a", "did you mean --option source_column=a?"),
        (f"convert --dataset pairs {TABLE} b --set source=a,bye=topic", "--set bye=topic: there is no such option"),
        (f"convert --dataset pairs {TABLE} b.ttl", "aifgraph convert FOLDER b.nq (or .trig)"),
        ("convert -f aif a b", "did you mean --from FORMAT?"),
        ("convert a b -t aif", "did you mean --to FORMAT?"),
        ("convert -d essays a b", "did you mean --dataset NAME?"),
        ("convert --list-datasets", "convert --help lists the data sets"),
        ("convert a.xml b.xml c.xml out/", "give the folder that several maps are in"),
        ("query a -f my.rq", "comes last: aifgraph query CORPUS my.rq"),
        ("show fixtures/debates/ann nodeset1", "did you mean aifgraph show fixtures/debates/ann --map nodeset1?"),
        ("head a.json", "did you mean 'show'?"),
        ("repair a --in-place", "-o may name the file itself"),
        ("repair a --keep analysts,orphans", "give each its own: --keep analysts --keep orphans"),
        ("convert a --to turtle", "OUT is missing; give a file or a folder, or - for standard output"),
        ("show a --node 12", "graph[id] is one node in Python"),
        ("check fixtures/debate/first.json --select N310", "N310 is asked only by the profile iat"),
        ("schemes --search expert", "the word is an argument: aifgraph schemes expert"),
        ("compare a b --bootstrap 500", "did you mean --intervals --rounds 500?"),
        ("compare a b --intervals 500", "--intervals takes no value; did you mean --intervals --rounds 500?"),
        ("evaluate a b --bootstrap 500", "did you mean --rounds?"),
        ("compare a b --caption agreement", r"--format paper-latex has a caption and \label{tab:cass}"),
        ("compare a b --label tab:agr", "the sides of two maps are named by --names FIRST SECOND"),
        ("compare a b --weights quadratic", "kappa is unweighted"),
        ("compare a b --average macro", "macro and micro are both shown"),
        ("compare a b --heatmap cm.png", "draw FIRST --compare SECOND --matrix propositional_relations -o FILE"),
        ("compare a b --pvalue", "the command significance tests systems"),
        ("compare a b --text x.txt", "of two maps they are --first-text and --second-text"),
        ("compare a b --text-dir texts", "beside the maps, as NAME.txt"),
        ("compare a b --table-only", "--top 0 leaves out the table of pairs"),
        ("compare a b --only measures", "--metrics NAMES shows other measures"),
        ("compare a b --chance", "--chance takes a value (1..1000000), e.g. --chance 100"),
        ("compare a b --chance --jobs 2", "e.g. --chance 100; --jobs is none"),
        ("merge a b --intersection", "did you mean --prefer agreed?"),
        ("merge a b --union", "did you mean --prefer both?"),
        ("significance a b c --test permutation", "paired randomisation, of --rounds permutations"),
        ("significance a b c --n 1000", "did you mean --rounds?"),
        ("significance a b c --paired-bs", "intervals are always shown"),
        ("significance a b", "the first argument is the gold corpus: give two systems after it"),
        ("significance a b c -o x.html", "aifgraph compare makes a page"),
        ("agreement a b --measure fleiss", "Krippendorff's alpha are always shown"),
        ("sample a --frac 0.2", "did you mean --number N?"),
        ("baseline a -k chain", "did you mean --kind?"),
        ("evaluate a b --no-baselines", "star and chain are always shown"),
        ("differences a b --summary", "aifgraph compare sums up corpora"),
        ("differences a b --by kind", "filter the TSV"),
        ("differences a b -o diff.html", "aifgraph compare makes a page (-o page.html; of corpora -o pages/)"),
        (f"compare {ANN} {BEN} --metrics krippendorff", "it is a score, and always computed"),
        (f"compare {ANN} {BEN} --names x y", "tables of corpora name no side"),
        (f"compare {MAP} {OTHER} --top 1 --jobs 2", "leave out --top and --jobs"),
        (f"adjudicate {MAP} {OTHER} -o x --as Me --port 1 --finish", "leave out --port and --as, or --finish"),
        ("plot a b", "did you mean compare FIRST SECOND --intervals --plot FILE"),
    ],
)
def test_what_other_programs_call_otherwise_is_answered(
    words: str, answered: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answered in answer(words.split(), capsys)


def test_a_level_that_is_meant_as_an_alpha_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = answer(["compare", ANN, BEN, "--intervals", "--level", "0.05"], capsys)
    assert "such as 0.95, which is an alpha of 0.05" in line


# Type checkers know better than to let these pass.
api: Any = aifgraph


@cache
def results() -> dict[str, Any]:
    """A result of every kind, and what is in them."""
    pair, corpora = aifgraph.compare(MAP, OTHER, chance=2), aifgraph.compare_corpora(ANN, BEN, intervals=True, rounds=9)
    board: Any = aifgraph.evaluate(ANN, [BEN], rounds=9, test_rounds=9, baselines=[])
    found: list[Any] = [pair, pair.stored(), pair.differences(), pair.differences()[0], pair.alignment, pair.breakdown]
    found += [pair.chance, pair.calculations["PR"], pair.calculations["PR"].matrix, pair.matches, pair.segmentation]
    found += [pair.first_side, pair.wording, pair.layers["argument"], pair.tables()[0]]
    found += [corpora, corpora.macro, corpora.micro, corpora.with_intervals, corpora.distribution()]
    found += [board, *board.against_trivial, aifgraph.pair(ANN, BEN), aifgraph.agreement([ANN, BEN])]
    found += [aifgraph.significance({"a": corpora, "b": corpora}, rounds=9), aifgraph.plan(corpora, [3], rounds=9)]
    found += [aifgraph.noise_floor(ANN, [0.1], draws=1), aifgraph.sample(ANN, 2), aifgraph.open_corpus(ANN).stats()]
    found += [aifgraph.validate(aifgraph.load(MAP)), aifgraph.training_data(ANN, "relations")]
    return {type(each).__name__: each for each in found}


# fmt: off
NAMES = [
    "Agreement", "Alignment", "Breakdown", "Chance", "Comparison", "ConfusionMatrix", "CorpusComparison",
    "CorpusStats", "Difference", "Differences", "Distribution", "Findings", "Fused", "Intervals", "Leaderboard",
    "MacroScores", "Matches", "MicroScores", "NoiseFloor", "PairResult", "PairedTest", "Pairing",
    "Plan", "Sample", "ScoredCalculation", "SegmentationScore", "Side", "Significance", "Table", "TrainingData",
    "Wording",
]
# fmt: on


def test_every_kind_of_result_is_here() -> None:
    assert sorted(results()) == sorted(NAMES)
    public = {name for name in aifgraph.__all__ if isinstance(getattr(aifgraph, name), type)}
    kinds = {name for name in public if issubclass(getattr(aifgraph, name), Result)}
    assert kinds - {"LossReport", "Repairs"} <= set(NAMES)


@pytest.mark.parametrize("kind", NAMES)
def test_a_wrong_name_of_a_result_is_answered(kind: str) -> None:
    result = results()[kind]
    assert isinstance(result, Answering)
    names = sorted(name for name in dir(result) if not name.startswith("_"))
    for thing in (result, type(result)):
        with pytest.raises(AttributeError, match=rf"{kind}.* has no attribute 'zzz'; it has .*\b{names[-1]}\b"):
            thing.zzz  # noqa: B018
        for name in (each for each in names if len(each) > 5):
            with pytest.raises(AttributeError, match="; did you mean "):
                getattr(thing, f"{name}x")
    with pytest.raises(AttributeError):
        result.__zzz__  # noqa: B018


@pytest.mark.parametrize("kind", NAMES)
def test_a_result_is_shown_in_short_and_written(kind: str, tmp_path: Path) -> None:
    result = results()[kind]
    if not isinstance(result, Result):
        return
    assert len(repr(result)) < 400 or kind == "Table"
    assert len(str(result)) < 10_000
    assert not str(result).startswith("<")
    for name in ("to_text", "to_markdown", "to_latex", "to_csv", "to_json"):
        path = tmp_path / name
        text = getattr(result, name)(path)
        assert text == getattr(result, name)() == path.read_text("utf-8")
    assert json.loads(result.to_json())
    assert list(result.to_frame().columns)


def test_a_key_is_answered_by_where_it_is() -> None:
    found: dict[str, Any] = results()
    for name, key, answered in (
        ("Comparison", "kappa", r"did you mean \.kappa"),
        ("Comparison", "PR", r"did you mean calculations\['PR'\]"),
        ("Leaderboard", "ben", r"did you mean systems\['ben'\]"),
        ("Agreement", ("ann", "ben"), r"did you mean pairs\[\('ann', 'ben'\)\]"),
        ("Table", 0, r"to_dict\(\) gives plain values; it has columns"),
        ("Comparison", 0, r"to_dict\(\) gives plain values; it has "),
    ):
        with pytest.raises(TypeError, match=answered):
            found[name][key]
    pair = found["Comparison"]
    for mapping, name in ((pair.cass, "kappa"), (pair.layers, "argument"), (pair.calculations, "PR")):
        with pytest.raises(AttributeError, match=rf"did you mean \['{name}'\]"):
            getattr(mapping, name)
    with pytest.raises(AttributeError, match=r"did you mean cass\['accuracy'\]"):
        pair.accuracy  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean macro.cass\['accuracy'\]"):
        found["CorpusComparison"].accuracy  # noqa: B018


def test_results_answer_what_they_have_elsewhere(tmp_path: Path) -> None:
    found: dict[str, Any] = results()
    with pytest.raises(AttributeError, match=r"did you mean above\['kappa'\]"):
        found["Chance"].kappa  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean propositions\.classes"):
        found["Alignment"].pairs  # noqa: B018
    with pytest.raises(KeyError, match="there is no annotator 'bne'; choose from ann, ben"):
        found["Agreement"].between("ann", "bne")
    with pytest.raises(TypeError, match=r"numbers and no names; result\[name\] is the pair of a name"):
        found["CorpusComparison"].pairs["nodeset1"]
    with pytest.raises(TypeError, match="a tuple of pairs and no function"):
        found["CorpusComparison"].pairs()
    assert len(found["Table"]) == len(found["Table"].rows)
    assert Table("Nothing", ("score",), [])
    path = tmp_path / "result.json"
    found["Comparison"].to_json(path)
    with pytest.raises(aifgraph.FormatError, match=r"Comparison\.load\(path\)"):
        aifgraph.load(path)


def test_a_stored_result_is_loaded(tmp_path: Path) -> None:
    pair, corpora = results()["Comparison"], results()["CorpusComparison"]
    one, both = tmp_path / "pair.json", tmp_path / "corpora.json"
    pair.to_json(one)
    corpora.to_json(both)
    assert aifgraph.Comparison.load(one).to_csv() == pair.to_csv()
    assert aifgraph.CorpusComparison.load(str(both)).kappa == corpora.kappa
    with pytest.raises(aifgraph.FormatError, match=r"pair.json: the result of two maps.*; Comparison.load reads it"):
        aifgraph.CorpusComparison.load(one)
    with pytest.raises(aifgraph.FormatError, match=r"corpora.json: the result of two corpora.*; CorpusComparison"):
        aifgraph.Comparison.load(both)
    with pytest.raises(FileNotFoundError):
        aifgraph.Comparison.load(tmp_path / "nowhere.json")


@pytest.mark.parametrize(
    ("guess", "answered"),
    [
        (lambda of: of["Breakdown"].labels, r"did you mean calculations\[name\]\.labels"),
        (lambda of: of["Intervals"].intervals, r"kappa\.low and kappa\.high"),
        (lambda of: of["Intervals"].conf_int(), r"kappa\.low and kappa\.high"),
        (lambda of: of["CorpusComparison"].conf_int(), r"did you mean intervals\(\)"),
        (lambda of: of["CorpusComparison"].chance, r"did you mean macro\.chance\?"),
        (lambda of: of["CorpusComparison"].above, r"did you mean macro\.chance\.above\?"),
        (lambda of: of["CorpusComparison"].kappas, r"\[pair\.kappa for pair in result\.pairs\]"),
        (lambda of: of["CorpusComparison"].named("MN", "PA"), "called as their folders or files are"),
        (lambda of: of["CorpusComparison"].to_html("site/"), r"did you mean show\(folder\)"),
        (lambda of: of["CorpusComparison"].differences(), r"differences\(\) for each in result\.comparisons"),
        (lambda of: of["PairResult"].differences(), r"result\.comparison\(pair\.name\)\.differences\(\)"),
        (lambda of: of["PairResult"].comparison, r"result\.comparison\(pair\.name\)"),
        (lambda of: of["Comparison"].to_latex(caption="x"), r"dataclasses\.replace\(table, title=…, label=…\)"),
        (lambda of: of["Alignment"].get("1"), r"propositions\.classes"),
        (lambda of: of["Alignment"].because("1"), r"a str where a class of nodes is needed; .*propositions\.classes"),
        (lambda of: of["Alignment"].propositions.because("1"), r"result\.alignment\.because\(node_class\)"),
        (lambda of: of["Alignment"].propositions.classes[0].kind, r"did you mean match\.by"),
        (lambda of: of["Alignment"].propositions.classes[0].because("1"), r"result\.alignment\.because\(node_class\)"),
        (lambda of: of["Agreement"].pairs["ann"], r"no pair of annotators 'ann'; choose from \('ann', 'ben'\)"),
        (lambda of: plots.intervals(of["Intervals"], "ci.svg"), r"Path\(name\)\.write_bytes"),
        (lambda of: plots.histogram([1, 2], "h.png"), r"Path\(name\)\.write_bytes"),
        (lambda of: plots.histogram(of["CorpusComparison"]), "of type CorpusComparison, where a list of counts"),
        (lambda of: api.significance("gold", ANN, BEN), r"{name: compare_corpora\(gold, system\), …}"),
        (lambda of: api.plan(ANN, BEN, texts=[20]), r"plan\(compare_corpora\(first, second\), sizes="),
        (lambda of: api.plan(of["CorpusComparison"], 3), r"sizes is 3; give a list"),
        (lambda of: api.compare_corpora(y_true=ANN, y_pred=BEN), "did you mean 'first'"),
        (lambda of: api.compare_corpora(ANN, BEN, average="micro"), r"result\.micro of two corpora"),
        (lambda of: api.compare_corpora(ANN, BEN, each=lambda name, pair: pair), r"give an EachPair\(make, take\)"),
        (lambda of: api.differences(ANN, BEN), r"compare_corpora\(first, second\)\.comparisons"),
        (lambda of: api.merge(ANN, BEN), "merge_corpora merges them"),
    ],
)
def test_a_guess_about_a_comparison_is_answered(guess: Callable[[dict[str, Any]], object], answered: str) -> None:
    with pytest.raises((aifgraph.AifgraphError, AttributeError), match=answered):
        guess(results())


def test_an_alignment_is_shown_as_a_table() -> None:
    alignment = results()["Alignment"]
    assert repr(alignment) == "<Alignment, matched 12 of 12 classes of propositions, 12 of 12 classes of locutions>"
    head, columns, _, first, *_ = str(alignment).splitlines()
    assert (head, columns.split()) == ("Classes of nodes", ["of", "first", "second", "because"])
    assert first.endswith("matched: equal texts, at the same place")


def test_pictures_take_results_and_answer_what_they_cannot_draw() -> None:
    found: dict[str, Any] = results()
    any_plots: Any = plots
    assert plots.intervals(found["CorpusComparison"]) == plots.intervals(found["Intervals"])
    assert plots.heatmap(found["ConfusionMatrix"]).startswith(b"<?xml")
    with pytest.raises(AttributeError, match=r"did you mean heatmap\(matrix\)"):
        any_plots.confusion_matrix(found["ConfusionMatrix"])
    with pytest.raises(AttributeError, match="it has agreement_map, curves, heatmap, histogram, intervals"):
        any_plots.zzz()
    for picture in (any_plots.heatmap, any_plots.intervals, any_plots.curves):
        with pytest.raises(aifgraph.OptionError, match=r"of type Comparison, where .* is needed; give "):
            picture(found["Comparison"])
