"""What people try first in a script is done, or answered with what does it."""

from __future__ import annotations

import csv
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.interop.arrays import to_arrays

api: Any = aifgraph  # type checkers know better than to let these pass
MAP, OTHER = "fixtures/debate/first.json", "fixtures/debate/second.json"
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"


def _illocution_in_another_order() -> None:
    build = aifgraph.GraphBuilder()
    build.illocution("Asserting", build.locution("Ann: Masks help"), build.proposition("Masks help"))


@pytest.mark.parametrize(
    ("guess", "answer"),
    [
        (lambda: api.compare(ANN, BEN), "compare_corpora"),
        (lambda: api.compare("maps.zip", "others.zip"), "compare_corpora"),
        (lambda: api.compare(api.open_corpus(ANN), api.open_corpus(BEN)), "a Corpus where a map.*compare_corpora"),
        (lambda: api.compare([api.load(MAP)], [api.load(OTHER)]), "a list where a map.*compare_corpora"),
        (lambda: api.compare(MAP, OTHER, intervals=True), r"compare_corpora\(first, second, intervals=True\)"),
        (lambda: api.compare(MAP, OTHER, items=True), r"to_dict\(items=True\)"),
        (lambda: api.compare(MAP, OTHER, names="AB"), "names are not two"),
        (lambda: api.compare(MAP, OTHER, metrics="smacht"), "there is no measure 'smacht'"),
        (lambda: api.compare_corpora(ANN, BEN, names=("Ann", "Ben")), r"compare\(first, second, names=…\)"),
        (lambda: api.compare_corpora(ANN, BEN, top=3), r"result.tables\(sort=…, top=…\)"),
        (lambda: api.compare(MAP, OTHER, n_jobs=2), r"compare_corpora\(first, second, jobs=…\)"),
        (lambda: api.compare_corpora(ANN, BEN, n_jobs=2), "'jobs'"),
        (lambda: api.compare_corpora(ANN, BEN, by="text"), "'pair_by'"),
        (lambda: api.compare_corpora(ANN, BEN, measures="smatch"), "'metrics'"),
        (lambda: api.compare_corpora(ANN, BEN, rounds=10), "intervals=True"),
        (lambda: api.compare_corpora(ANN, BEN, pairs="pairs.tsv", pair_by="text"), "leave one of them out"),
        (lambda: api.compare(MAP, OTHER).diff(), r"differences\(\)"),
        (lambda: api.compare(MAP, OTHER).explain(), r"differences\(\)"),
        (lambda: api.diff(MAP, OTHER), r"differences\(\)"),
        (lambda: api.train(ANN), "training_data"),
        (lambda: api.validate(MAP), r"validate\(load\(path\)\)"),
        (lambda: api.plan(ANN, BEN), r"plan\(compare_corpora\(first, second\)\)"),
        (lambda: api.significance(ANN, {"ben": BEN}), r"compare_corpora\(gold, system\)"),
        (lambda: api.agreement(ANN), "list of paths"),
        (lambda: api.load("aifdb:1", format="nonsense"), "there is no format 'nonsense'"),
        (lambda: api.load("aifdb:1", format="xaif"), "no effect on an address of AIFdb"),
        (lambda: api.loads('{"error": "no such nodeset"}'), "it says error: no such nodeset"),
        (lambda: api.loads('{"maps": 3}'), "a JSON object with maps"),
        (lambda: api.loads("[1]"), "JSON, but a list"),
        (lambda: api.datasets.load_abstrct, r"open_dataset\('abstrct', path\)"),
        (lambda: api.datasets.load_sciarg_abstracts, r"open_dataset\('sciarg-abstracts', path\)"),
        (lambda: api.datasets.load, r"open_dataset\(name, path\)"),
        (lambda: api.datasets.open_dataset("cdpc", "x"), "did you mean 'cdcp'"),
        (lambda: api.datasets.open_dataset("iac", "x"), "did you mean 'iac"),
        (lambda: api.convert(ANN, "x", dataset="cdcp"), "no argument 'dataset'.*open_dataset"),
        (lambda: api.validate(api.load(MAP)).raise_for_errors(), "did you mean ok, or errors"),
        (lambda: api.compare_corpora(ANN, BEN).cass, r"did you mean macro\.cass"),
        (lambda: api.validate(api.load(MAP)).cass, "no attribute 'cass'; it has codes, errors"),
        (lambda: api.compare_corpora(ANN, BEN, foo=1), "choose from pairs, .*, intervals, .*, seed"),
        (lambda: api.compare_corpora(ANN, BEN, threads=2), "'jobs'"),
        (lambda: api.evaluate(ANN, [BEN], metric="f1"), "'score'"),
        (lambda: api.agreement([ANN, BEN], intervals=True), r"intervals\(\) of a result"),
        (_illocution_in_another_order, r"comes last: illocution\(locution, proposition, text\)"),
    ],
)
def test_a_wrong_guess_is_answered(guess: Callable[[], object], answer: str) -> None:
    with pytest.raises((aifgraph.AifgraphError, AttributeError), match=answer):
        guess()


@pytest.mark.parametrize("name", ["validate", "repair", "baseline", "perturb", "to_rdf", "dumps", "to_dict"])
def test_a_path_for_a_graph_is_to_be_loaded(name: str) -> None:
    more = {"baseline": ["chain"], "perturb": [0.5]}.get(name, [])
    with pytest.raises(aifgraph.OptionError, match=rf"{name} takes a graph, not a str; load it first: {name}\(load"):
        getattr(api, name)(MAP, *more)
    with pytest.raises(aifgraph.OptionError, match=r"dump\(graphs, path\)"):
        api.convert(api.load(MAP), "map.ttl")


def test_results_are_walked_and_looked_into() -> None:
    result = aifgraph.compare_corpora(ANN, BEN)
    assert [pair.name for pair in result] == [pair.name for pair in result.pairs]
    assert result["nodeset1"].kappa == result.pairs[0].kappa
    with pytest.raises(KeyError, match="did you mean 'nodeset3'"):
        result["nodeset"]
    differences = aifgraph.compare(MAP, OTHER).differences()
    assert differences[0] == differences.rows[0]


def test_a_file_of_decisions_decides_a_merge(tmp_path: Path) -> None:
    differences = aifgraph.compare(MAP, OTHER).differences()
    path = tmp_path / "decisions.csv"
    assert main(["differences", MAP, OTHER, "-o", str(path)]) == 0
    first, second = aifgraph.load(MAP), aifgraph.load(OTHER)
    assert aifgraph.merge(first, second, decisions=path).open == aifgraph.merge(first, second).open
    lines = path.read_text("utf-8").splitlines()
    column = lines[0].split(",").index("decision")
    rows = list(csv.reader(lines))
    for row in rows[1:]:
        row[column] = "first" if row[3] == "relabelled" else ""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    merged = aifgraph.merge(first, second, decisions=str(path))
    assert merged.choices == {"first": sum(row.kind == "relabelled" for row in differences)}
    with pytest.raises(aifgraph.InputError, match="no such file"):
        aifgraph.merge(first, second, decisions=tmp_path / "nowhere.tsv")


def test_kinds_of_change_are_joined_as_on_the_command_line() -> None:
    graph = aifgraph.load(MAP)
    assert aifgraph.perturb(graph, 1, "types+reversed") == aifgraph.perturb(graph, 1, ["types", "reversed"])
    floor = aifgraph.noise_floor(ANN, kinds="types+reversed", shares=(1,), draws=1)
    assert [point.kind for point in floor.points] == ["types", "reversed"]


def test_folders_are_corpora_everywhere(tmp_path: Path) -> None:
    assert aifgraph.agreement([ANN, BEN]).annotators == ("ann", "ben")
    assert list(aifgraph.evaluate(ANN, [BEN], rounds=20, baselines=[]).systems) == ["ben"]
    assert len(aifgraph.pair(ANN, BEN)) == 3
    assert aifgraph.noise_floor(ANN, [0.1], draws=1).points


def test_every_option_of_two_corpora_is_one_of_two_maps_or_answered() -> None:
    """By the function that takes it; and what the command takes of two maps, the function does."""
    of_corpora = inspect.signature(aifgraph.compare_corpora).parameters.values()
    of_maps = inspect.signature(aifgraph.compare).parameters
    for option in (each.name for each in of_corpora if each.kind is each.KEYWORD_ONLY and each.name not in of_maps):
        with pytest.raises(aifgraph.OptionError, match=f"did you mean .*{option}"):
            api.compare(MAP, OTHER, **{option: None})
    result = aifgraph.compare(MAP, OTHER, metrics="smatch", names=("Ann", "Ben"))
    assert (tuple(result.names), [*result.measures]) == (("Ann", "Ben"), ["smatch"])
    assert result.to_dict()["measures"] == dict(result.measures) == dict(result.stored().measures)
    assert all("smatch" in text for text in (result.to_text(), result.to_csv(), result.to_latex()))


def test_pairs_and_intervals_are_keywords(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("first\tsecond\nnodeset1\tnodeset1\nnodeset2\tnodeset2\n", "utf-8")
    result = aifgraph.compare_corpora(
        ANN, BEN, pairs=tmp_path / "pairs.tsv", metrics="smatch", intervals=True, rounds=30, level=0.9, jobs=2
    )
    assert len(result.pairs) == 2
    assert "smatch" in result.measures
    assert result.with_intervals is not None
    assert (result.with_intervals.rounds, result.with_intervals.level) == (30, 0.9)
    assert result.to_dict()["intervals"]["rounds"] == 30


def test_data_and_maps_go_where_a_string_says(tmp_path: Path) -> None:
    data = aifgraph.training_data(ANN, "relations")
    aifgraph.write_training_data(data, str(tmp_path / "x.csv"))
    assert (tmp_path / "x.csv").read_text("utf-8").startswith("map,")
    aifgraph.convert(MAP, tmp_path / "map.out", to="turtle")
    assert "@prefix" in (tmp_path / "map.out").read_text("utf-8")


def test_all_bad_files_of_a_corpus_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    for name in ("bad1.json", "bad2.json", "bad3.json"):
        (folder / name).write_text("{", "utf-8")
    (folder / "good.json").write_bytes(Path(MAP).read_bytes())
    with pytest.raises(aifgraph.InputError) as caught:
        aifgraph.convert(folder, tmp_path / "out", to="aif")
    assert all(f"bad{number}.json" in str(caught.value) for number in (1, 2, 3))
    assert (tmp_path / "out" / "good.json").exists()
    (folder / "good.json").unlink()
    for function in (
        lambda: aifgraph.training_data(folder, "relations"),
        lambda: aifgraph.sample(folder, 1),
        lambda: to_arrays(aifgraph.open_corpus(folder)),
    ):
        with pytest.raises(aifgraph.InputError, match=r"bad1.*not readable either: bad2, bad3"):
            function()


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (f"diff {MAP} {OTHER}", "did you mean 'differences'?"),
        (f"explain {MAP} {OTHER}", "did you mean 'differences'?"),
        (f"validate {MAP}", "did you mean 'check'?"),
        (f"train {ANN}", "did you mean 'export'?"),
        ("publish maps", "did you mean 'pack'?"),
        (f"compare {ANN} {BEN} --ci", "did you mean --intervals?"),
        (f"compare {ANN} {BEN} --latex", "did you mean --format latex?"),
        (f"compare {ANN} {BEN} -f latex", "did you mean --format?"),
        (f"compare {ANN} {BEN} --by text", "did you mean --pair-by?"),
        (f"convert {MAP} OUT --format xaif", "did you mean --to?"),
        (
            f"compare {ANN} {BEN} --format csv -o OUT/pages/",
            "pages/: a path that ends in / is a folder; a folder",
        ),
        (f"compare {ANN} {BEN} -o plot.png", "--plot plot.png draws it"),
        (f"compare {ANN} {BEN} --plot plot.png", "add --intervals, or leave out --plot"),
        (f"compare {ANN} {BEN} plot.tsv", "did you mean --pairs plot.tsv or --texts plot.tsv?"),
        (f"compare {ANN} {BEN} {ANN}", "it takes FIRST SECOND; several maps are a folder, `agreement` compares"),
        (f"compare {ANN} {BEN} --relations RA CA", "did you mean --relations RA+CA?"),
        (f"compare {ANN} {BEN} --intervals 0.9", "--intervals takes no value"),
        (f"compare {ANN} {BEN} --threads 2", "did you mean --jobs?"),
        (f"compare {ANN} {BEN} --version", "did you mean aifgraph --version?"),
        (f"compare {ANN} {BEN} --diff", "did you mean the command aifgraph differences?"),
        (f"compare {ANN} {BEN} --recursive", "a folder is read with all that is in it"),
        (f"evaluate {ANN} {BEN} --plot x.png", "it is an option of compare, agreement"),
        (f"evaluate {ANN} {BEN} --no-baselines", "--baselines none adds no other"),
        (f"evaluate --gold {ANN} {BEN}", "did you mean the argument GOLD, without an option?"),
        (f"draw {MAP} {OTHER} -o x.svg", f"did you mean --compare {OTHER}?"),
        (f"convert {MAP} OUT/x.json --force", "a file is replaced without it"),
        (f"convert {MAP} --zzz", "it has --from, --to, --profile"),
        ("convert --dataset cdpc x y", "there is no 'cdpc'; did you mean 'cdcp'?"),
        ("convert --dataset essays x y --major merge", "did you mean --set major=merge?"),
        ("fetch US2016", "there is no command 'US2016'; choose from corpus, list, nodeset, search"),
        (MAP, "a command comes first"),
        (
            f"convert {ANN} OUT/x.ttl",
            "a file of triples holds one map; for many give x.nq or x.trig, or a folder",
        ),
        (f"differences {MAP} {OTHER} -o OUT/pages/", "pages/ is a folder; name a file"),
        (f"differences nowhere/ {ANN}", "nowhere/: no such file or folder"),
        (f"compare {ANN} nowhere", "nowhere: no such file or folder"),
        (f"compare {ANN} {MAP}", "a single map against a corpus"),
        ("convert fixtures/datasets/cdcp OUT/maps", "aifgraph convert --dataset cdcp fixtures/datasets/cdcp OUT"),
        (f"convert {MAP} OUT/map.xml", ".xml is no one format; name it (format=, to=, --to): microtexts"),
        (f"convert {MAP} OUT/map.foo", "or end the file in .ann, .argdown"),
    ],
)
def test_the_command_line_leads_on(words: str, answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.replace("OUT", str(tmp_path)).split()) == 2
    assert answer in capsys.readouterr().err


def test_a_result_where_a_map_was_expected_is_to_be_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "result.json"
    assert main(["compare", MAP, OTHER, "-o", str(path)]) == 0
    assert main(["check", str(path)]) == 2
    assert f"the result of a comparison, and no map; aifgraph show {path}" in capsys.readouterr().err


def test_names_are_joined_by_plus_signs_or_commas(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", MAP, OTHER, "--relations", "RA,CA", "--format", "CSV"]) == 0
    of_commas = capsys.readouterr().out
    assert main(["compare", MAP, OTHER, "--relations", "RA+CA", "--format", "csv"]) == 0
    assert of_commas == capsys.readouterr().out


def test_a_path_with_a_slash_at_its_end_is_a_folder_of_pages(tmp_path: Path) -> None:
    assert main(["compare", ANN, BEN, "-o", f"{tmp_path}/pages/"]) == 0
    assert (tmp_path / "pages" / "index.html").is_file()


def test_a_format_that_there_is_not_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", ANN, str(tmp_path / "out"), "--to", "aif", "--from", "nosuch"]) == 2
    assert capsys.readouterr().err.count("nosuch") == 1
    assert not (tmp_path / "out").exists()


def test_a_data_set_is_called_in_any_case() -> None:
    assert aifgraph.datasets.dataset_class("CDCP") is aifgraph.datasets.dataset_class("cdcp")


@pytest.mark.parametrize("suffix", [".xaif", ".gv", ".ad", ".ndjson", ".mermaid"])
def test_maps_are_written_by_every_suffix_of_a_format(suffix: str, tmp_path: Path) -> None:
    assert main(["convert", MAP, str(tmp_path / f"map{suffix}")]) == 0
    assert (tmp_path / f"map{suffix}").stat().st_size > 0


def test_what_a_merge_says_of_its_rows_adds_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge", MAP, OTHER, "-o", str(tmp_path / "gold.json")]) == 0
    assert "8 differences: 3 settled by --prefer or --wording, 5 left open; " in capsys.readouterr().err


def test_a_column_of_a_layer_of_the_leaderboard_is_not_called_as_its_mean_is() -> None:
    board = aifgraph.evaluate(ANN, [BEN], rounds=9, test_rounds=9, baselines=[])
    assert {"CASS-κ", "CASS-κ of the argument", "CASS-F1 of the dialogue", "ER-κ"} <= {*board.tables()[0].columns}
