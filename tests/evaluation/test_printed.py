"""What corpora, systems and annotators print: one value for a quantity, with its amount, on a screen, nothing cut."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import aifgraph
from aifgraph import ArgumentGraph, Bootstrap, GraphBuilder, agreement, compare_corpora, evaluate, open_corpus
from aifgraph.adjudication.decisions import decisions_tsv
from aifgraph.cli import main
from aifgraph.evaluation.baselines import baseline
from aifgraph.evaluation.estimates import MetricName, PairedTest
from aifgraph.tables import Table, render
from aifgraph.tasks import ruarg
from documents import ANN, BEN, FIRST, SECOND, argument
from evaluation.small_corpora import make_corpora

LONG = "a-system-of-a-long-name-with-temperature-0.7-2024-0"


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """ann and ben with six maps, cleo with four, as another pair of annotators would do them, and two systems."""
    folder = tmp_path_factory.mktemp("printed")
    ann, ben = make_corpora(folder, 6, size=5)
    cleo = shutil.copytree(ben, folder / "cleo", ignore=shutil.ignore_patterns("map[01].json"))
    shutil.copy(ann / "map2.json", cleo)
    return {"ann": ann, "ben": ben, "cleo": cleo, **{f"{n}": shutil.copytree(ben, folder / f"{LONG}{n}") for n in "12"}}


def screen(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    assert main(["-q", *map(str, arguments)]) == 0
    return capsys.readouterr().out.splitlines()


def test_what_all_is_of_one_layer_stands_once() -> None:
    """Maps without locutions: M is argument M, and argument CASS is CASS."""
    maps = [aifgraph.load(f"fixtures/zoo/{name}.json") for name in ("ann", "ben")]
    pair = aifgraph.compare(*maps).result
    named = [str(row[0]).split(":")[0] for row in pair.tables()[0].rows]
    assert [name for name in named if "M" in name or "CASS" in name] == ["argument M", "CASS"]
    corpora = compare_corpora(maps[:1], maps[1:], pair_by="text")
    assert "harmonic mean of mean argument M" in corpora.table().note
    names = [row[0] for row in corpora.details()[2].rows]
    assert [name for name in names if str(name).endswith(("M", "CASS", "S"))] == [
        "argument M",
        "S",
        "CASS",
        "mean CASS",
    ]
    assert corpora.details()[1].columns[1:3] == ("argument M-κ", "S")


def test_what_hangs_on_little_is_said_with_its_amount() -> None:
    """Of six pairs one is of a dialogue; its transition is the only one."""
    corpora: dict[str, list[ArgumentGraph]] = {"Asserting": [], "Arguing": []}
    for label, corpus in corpora.items():
        for number in range(6):
            texts = {word: f"{word} {number}" for word in ("one", "two", "three", "four", "five", "six")}
            graph = argument(*(f"{word} RA one" for word in [*texts][1:]), **texts).with_name(f"map{number}")
            build, nodes = GraphBuilder(graph), [*texts]
            if number == 0:
                said = [build.locution(build.graph()[node].text) for node in nodes]
                for locution, node, kind in zip(said, nodes, [label, *["Asserting"] * 5], strict=True):
                    build.illocution(locution, node, kind)
                build.transition(said[0], said[1])
            corpus.append(build.graph())
    result = compare_corpora(*corpora.values())
    (few,) = (caveat for caveat in result.caveats if "fewer than 5 labelled items" in caveat)
    assert "transitions in 1" in few
    assert "of 6 pairs" in few
    (pair,) = (pair for pair in result.pairs if pair.layers["dialogical"].n)
    kept = [of.scores["kappa"] for name, of in pair.calculations.items() if name in pair.matrices
            and "transition" not in name]  # fmt: skip
    assert f"M-κ is {(5 + sum(kept) / len(kept)) / 6:.3f} without" in few

    assert all(len(f"Caveat: {caveat}.") <= 200 for caveat in result.caveats)


def test_default_outputs_fit_a_screen_and_nothing_is_cut(
    corpora: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ann, ben, cleo, first, second = corpora.values()
    quick = ("--set", "rounds=20", "--set", "test_rounds=100")
    for arguments in (
        ["compare", ann, cleo, "--intervals", "--missing", "zero", *quick],
        ["evaluate", ann, first, second, *quick],
        ["agreement", ann, ben, cleo, *quick],
        ["agreement", ann, ben, cleo, "--intervals", *quick],
    ):
        lines = screen(capsys, *arguments)
        assert len(lines) <= (42 if arguments[0] == "evaluate" else 40)  # systems, tests and baselines are never cut
        assert max(map(len, lines)) <= 100
        assert "…" not in "".join(lines)
    lines = screen(capsys, "compare", ann, cleo, "--intervals", "--chance", 2, "--details", *quick)
    assert max(map(len, lines)) <= 100
    assert len(lines) < 220


def test_every_row_of_a_corpus_has_its_own_value_by_chance(corpora: dict[str, Path]) -> None:
    result = compare_corpora(corpora["ann"], corpora["ben"], chance=2)
    rows = {str(row[0]): row[1] for row in result.table().rows}
    for row in ("argument M", "dialogue M", "M"):
        part = row.removesuffix("M")
        assert rows[f"{row} by chance"] == result.macro[f"{part}E-kappa"].value
        assert rows[f"{row} above chance"] == result.macro[f"{part}M'-kappa"].value
    assert "CASS above chance" in rows


def test_pairs_of_one_map_or_of_given_units_have_their_consequence(corpora: dict[str, Path]) -> None:
    result = compare_corpora(corpora["ann"], corpora["cleo"], missing="zero")
    (same,) = (caveat for caveat in result.caveats if "copies of one map" in caveat)
    kappas = {pair.text: pair.layers["propositional"].mean["kappa"] for pair in result.pairs if not pair.same_map}
    texts = result.macro["argument M-kappa"].texts - 1
    expected = sum(kappa for kappa in kappas.values() if kappa is not None) / texts  # missing texts count 0
    assert same.startswith("in 1 of 4 compared pairs")
    assert f"argument M-κ is {expected:.3f} without" in same
    assert not any("by construction" in caveat for caveat in result.caveats)
    units = evaluate(corpora["ann"], {"units": _units_of(corpora["ann"])}, baselines=(), bootstrap=Bootstrap(9))
    assert (
        "in 6 of 6 pairs both sides have the same units by id, so S is 1 by construction"
        in (units.caveats_by_system["units"])
    )


def _units_of(path: Path) -> list[ArgumentGraph]:
    return [baseline(entry.load(), "units") for entry in open_corpus(path)]


def test_p_is_never_below_what_the_rounds_can_show(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 9, size=5)
    result = evaluate(ann, {"ben": ben, "perfect": ann}, test_rounds=50, bootstrap=Bootstrap(9))
    least = [test for test in result.tests if test.p == test.p_least]
    assert {test.p_least for test in result.tests} == {1 / 51}
    assert len(least) > 1
    printed = {row[4] for row in result.tests_table().rows}
    assert "0.0196 ± 0.0196" in printed  # the Monte Carlo error, as 0.05 is nearer than two of it
    # Holm over all tests of the table: systems and scores.
    assert max(test.p_holm or 0 for test in least) == pytest.approx(len(result.tests) / 51)
    assert json.loads(result.to_json())["tests"][0]["p_least"] == 1 / 51


def test_a_monologue_that_is_missing_in_a_dialogue_corpus_has_no_dialogue_score(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 2, size=4)
    aifgraph.dump(argument("reason RA claim"), ann / "monologue.json")
    skipped, zero = (compare_corpora(ann, ben, missing=missing).macro for missing in ("skip", "zero"))
    assert zero["dialogue M-kappa"] == skipped["dialogue M-kappa"]
    assert (zero["argument M-kappa"].texts, skipped["argument M-kappa"].texts) == (3, 2)


#: A name with what means something to LaTeX.
ODD = '50 %_a&b {x} #1 ~^ $5 <b> [2] | "é" -- κ'

RUARG = ruarg.read(Path("fixtures/tasks/ruarg/gold.tsv"))
GRAPH = aifgraph.load("fixtures/rules/E202-breaks.json")


def rendered(*tables: Table) -> str:
    return render(list(tables), "latex")


RESULTS: dict[str, Callable[[], str]] = {
    "pair": lambda: aifgraph.compare(FIRST, SECOND).to_latex(),
    "corpora": lambda: aifgraph.compare_corpora(ANN, BEN).with_intervals(aifgraph.Bootstrap(50)).to_latex(),
    "agreement": lambda: aifgraph.agreement({ODD: ANN, "ben": BEN, "ben's": BEN}).to_latex(),
    "evaluate": lambda: aifgraph.evaluate(ANN, {ODD: BEN, "ben": BEN}, test_rounds=20).to_latex(),
    "task": lambda: ruarg.ranking(RUARG, [RUARG]).to_latex(),
    "stats": lambda: rendered(*aifgraph.open_corpus(ANN).counts().tables()),
    "differences": lambda: aifgraph.compare(FIRST, SECOND).differences().to_latex(),
    "no differences": lambda: aifgraph.compare(GRAPH, GRAPH).differences().to_latex(),
    "long": lambda: rendered(Table(ODD, (ODD, "number"), [(f"{row}: {ODD * 9}", -row / 7) for row in range(90)])),
    "findings": lambda: aifgraph.validate(GRAPH, profile="iat").to_latex(),
}


@pytest.mark.parametrize("name", RESULTS)
def test_latex_is_latex(name: str) -> None:
    """Braces and environments are closed, and nothing is left that LaTeX takes for a command."""
    text = RESULTS[name]()
    lines = "\n".join(line for line in text.split("\n") if not line.startswith("%"))
    body = re.sub(r"\\[^a-z]", "", lines)
    assert body.count("{") == body.count("}")
    assert not re.search(r"[#^]|(?<!\w)_|[κα±→≤≥]", body)
    begun: list[str] = []
    for kind, environment in re.findall(r"\\(begin|end)\{(\w+)\}", lines):
        assert kind == "begin" or begun.pop() == environment
        begun += [environment] * (kind == "begin")
    assert not begun
    for table in re.findall(r"\\toprule(.*?)\\bottomrule", lines, re.DOTALL):
        rows = [row for row in table.split("\n") if row.endswith(r"\\")]
        assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1


@pytest.mark.parametrize("name", ["pair", "corpora", "agreement", "evaluate"])
def test_captions_say_of_what_and_how(name: str) -> None:
    text = RESULTS[name]()
    captions = re.findall(r"\\caption\{(.*)\}\\label\{tab:[a-z0-9-]+\}", text)
    assert len(captions) == text.count(r"\begin{table}")
    assert all("Signature: CASS" in caption for caption in captions)
    assert len(set(re.findall(r"\\label\{.*?\}", text))) == len(captions)
    assert name == "pair" or re.search(r"\d texts", captions[0])
    assert name != "corpora" or "95~" in captions[0]
    for heads in re.findall(r"\\toprule\n(.*)", text):
        assert heads.count("&") <= 8
    assert text.startswith("% CASS|matching=greedy|")


def test_long_tables_of_one_name_have_labels_of_their_own() -> None:
    made = [rendered(Table("T", ("name", "text"), [(name, "word " * 200)] * 10)) for name in ("one system", "another")]
    assert len({label for text in made for label in re.findall(r"\\label\{.*?\}", text)}) == 2
    assert all(r"\begin{longtable}" in text and r"\endfirsthead" in text for text in made)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex")
def test_latex_compiles_and_fits_the_line(tmp_path: Path) -> None:
    packages = "".join(rf"\usepackage{{{name}}}" for name in ("booktabs", "graphicx", "longtable"))
    text = "\n".join(made() for made in RESULTS.values())
    source = rf"\documentclass{{article}}{packages}\hfuzz=30pt\begin{{document}}{text}\end{{document}}"
    (tmp_path / "paper.tex").write_text(source, "utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout[-2000:]
    assert not re.search("Overfull|too large|multiply defined", done.stdout)


STEERS = "a\x1b[2J\0\u202eb\u2066\rc"


@pytest.mark.parametrize("format", ["csv", "markdown", "latex", "text"])
def test_tables_hold_no_control_characters(format: str) -> None:
    written = render(Table(STEERS, (STEERS,), [(STEERS,)], note=STEERS, caption=STEERS), format)
    assert not re.search("[\0\x1b\r\u202e\u2066]", written)
    assert r"a\x1b[2J" in written.replace("textbackslash{}", "").replace(r"\\", "\\").replace(r"\[", "[")
    assert not re.search("[\0\x1b\r\u202e]", decisions_tsv([{"first wording": STEERS, "row": "=1"}]))


def test_markdown_shows_cells_as_they_are() -> None:
    written = render(Table("<i>", ("a|b",), [("![x](y) <b> \\|",)], note="one\ntwo"), "markdown").split("\n")
    assert written[0] == r"**\<i>**"
    assert written[4:] == [r"| \!\[x](y) \<b> \\\| |", "", "one", "", "two", ""]


def test_an_interval_is_never_broken() -> None:
    rows = [("illocutionary anchors above chance", "-0.279 [-0.452, -0.099]", "0.167 [-0.167, 0.750]", 0.25)] * 2
    for screen_width in range(40, 110, 7):
        text = render(Table("T", ("", "κ", "F1", "recall"), rows), "text", screen=screen_width)
        assert all(text.count(interval) == 2 for interval in ("[-0.452, -0.099]", "[-0.167, 0.750]")), text


def test_numbers_say_what_they_are_of(three: dict[str, Path]) -> None:
    found = agreement(three, bootstrap=Bootstrap(9), calculations="PR+AS+IL")
    assert "argument M is of propositional relations and argument structure." in found.table().note
    names = [row[2] for row in found.numbers_table().rows if row[0] in ("all", "micro")]
    assert len({*names}) == len(names)
    pair = aifgraph.compare(FIRST, SECOND, calculations="ER+PR").result
    assert "mean of propositional relations and explicit relations" in str(pair.tables_for("text")[0][0].rows[0])


def test_p_has_its_monte_carlo_error_near_a_threshold() -> None:
    test = PairedTest("a", "b", MetricName("S"), 40, p=0.0049, p_holm=0.0098, p_error=0.0007)
    assert test.printed_p == ("0.0049", "0.0098 ± 0.0014")
    assert replace(test, p=1.0, p_holm=1.0, p_error=0.0).printed_p == ("1.0000", "1.0000")
