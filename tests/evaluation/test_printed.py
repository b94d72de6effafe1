"""What corpora, systems and annotators print: one value for a quantity, with its amount, on a screen, nothing cut."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path

import pytest

import aifgraph
from aifgraph import ArgumentGraph, Bootstrap, GraphBuilder, agreement, compare_corpora, evaluate, open_corpus
from aifgraph.cli import main
from aifgraph.evaluation.baselines import baseline
from evaluation.small_corpora import make_corpora

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
LONG = "a-system-of-a-long-name-with-temperature-0.7-2024-0"


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """ann and ben with six maps, cleo with four, as another pair of annotators would do them, and two systems."""
    folder = tmp_path_factory.mktemp("printed")
    ann, ben = make_corpora(folder, 6, size=4)
    _, other = make_corpora(folder / "more", 6, size=4)
    cleo = shutil.copytree(other, folder / "cleo")
    for number in (0, 1):
        (cleo / f"map{number}.json").unlink()
    (cleo / "map2.json").write_bytes((ann / "map2.json").read_bytes())
    return {"ann": ann, "ben": ben, "cleo": cleo, **{f"{n}": shutil.copytree(ben, folder / f"{LONG}{n}") for n in "12"}}


def screen(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    assert main(["-q", *map(str, arguments)]) == 0
    return capsys.readouterr().out.splitlines()


def test_what_all_is_of_one_layer_stands_once() -> None:
    """Maps without locutions: M is argument M, and argument CASS is CASS."""
    first, second = (aifgraph.load(f"fixtures/debate/{name}.json") for name in ("first", "second"))
    without = [GraphBuilder(graph) for graph in (first, second)]
    for build in without:
        for node in build.graph().locutions:
            build.remove(node, cascade=True)
    maps = [build.graph() for build in without]
    pair = aifgraph.compare(*maps).result
    named = [str(row[0]).split(":")[0] for row in pair.tables()[0].rows]
    assert [name for name in named if "M" in name or "CASS" in name] == ["argument M", "CASS"]
    corpora = compare_corpora(maps[:1], maps[1:], pair_by="text")
    assert "harmonic mean of mean argument M" in corpora.table().note
    names = [row[0] for row in corpora.details()[2].rows]
    assert [name for name in names if str(name).endswith(("M", "CASS", "S"))] == ["argument M", "S", "CASS"]
    assert corpora.details()[1].columns[1:3] == ("argument M-κ", "S")


def test_one_annotator_and_all_others_are_one_number_everywhere(corpora: dict[str, Path]) -> None:
    three = {name: corpora[name] for name in ("ann", "ben", "cleo")}
    found, drawn = agreement(three), agreement(three, bootstrap=Bootstrap(20))
    pairs: dict[str, list[float]] = {}
    for other in ("ben", "cleo"):
        for pair in compare_corpora(three["ann"], three[other]).pairs:
            pairs.setdefault(pair.text, []).append(pair.layers["propositional"].mean["kappa"] or 0.0)
    by_text = sum(sum(values) / len(values) for values in pairs.values()) / len(pairs)
    by_pair = sum(map(sum, pairs.values())) / sum(map(len, pairs.values()))
    assert f"{by_text:.3f}" != f"{by_pair:.3f}"
    name = "ann – all others"
    as_json = next(of["numbers"] for of in found.to_dict()["macro"] if of["annotators"] == ["ann"])
    values = [
        next(row[1] for row in found.table().rows if row[0] == name),
        float(str(next(row[1] for row in drawn.table().rows if row[0] == name)).split()[0]),
        as_json["argument M-kappa"]["value"],
        *(float(row["value"]) for row in csv.DictReader(io.StringIO(found.to_csv()))
          if (row["of"], row["number"]) == (name, "argument M-kappa")),
        float(re.findall(r"ann -- all others & ([\d.]+)", found.to_latex())[0]),
    ]  # fmt: skip
    assert values == pytest.approx([by_text] * 5, abs=0.0006)


def test_what_hangs_on_little_is_said_with_its_amount(tmp_path: Path) -> None:
    """Of six pairs one is of a dialogue; its transition is the only one."""
    for corpus, label in (("ann", "Asserting"), ("ben", "Arguing")):
        (tmp_path / corpus).mkdir()
        for number in range(6):
            build = GraphBuilder()
            texts = [f"{word} {number}" for word in ("one", "two", "three", "four", "five", "six")]
            nodes = [build.proposition(text) for text in texts]
            for node in nodes[1:]:
                build.inference([node], nodes[0])
            if number == 0:
                said = [build.locution(text) for text in texts]
                for locution, node, kind in zip(said, nodes, [label, *["Asserting"] * 5], strict=True):
                    build.illocution(locution, node, kind)
                build.transition(said[0], said[1])
            aifgraph.dump(build.graph(), tmp_path / corpus / f"map{number}.json")
    result = compare_corpora(tmp_path / "ann", tmp_path / "ben")
    (few,) = (caveat for caveat in result.caveats if "fewer than 5 labelled items" in caveat)
    assert "transitions in 1" in few
    assert "of 6 pairs" in few
    (pair,) = (pair for pair in result.pairs if pair.layers["dialogical"].n)
    kept = [of.scores["kappa"] for name, of in pair.calculations.items() if name in pair.matrices
            and "transition" not in name]  # fmt: skip
    assert f"M-κ is {(5 + sum(kept) / len(kept)) / 6:.3f} without" in few
    (layer,) = (caveat for caveat in result.caveats if caveat.startswith("dialogue M"))
    assert layer.startswith("dialogue M is from 1 of 6 pairs; micro M-κ is ")
    numbers = [f"{result.micro[name].value:.3f}" for name in ("M-kappa", "argument M-kappa")]
    assert re.findall(r"\d\.\d{3}", layer) == numbers
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
        assert len(lines) <= 40
        assert max(map(len, lines)) <= 100
        assert "…" not in "".join(lines)
    lines = screen(capsys, "compare", ann, cleo, "--intervals", "--chance", 2, "--details", *quick)
    assert max(map(len, lines)) <= 100
    assert len(lines) < 200


def test_the_first_line_says_what_counts(corpora: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    ann, _, cleo, *_ = corpora.values()
    first = "4 texts in 4 pairs; map0 (only ann) and map1 (only ann) "
    assert screen(capsys, "compare", ann, cleo)[0] == f"{first}are left out."
    assert screen(capsys, "compare", ann, cleo, "--missing", "zero")[0] == "6 texts in 6" + first[12:] + "count 0."
    assert screen(capsys, "agreement", ann, cleo)[0] == f"{first}are left out."
    assert "count 0 (cleo: 2)" in screen(capsys, "evaluate", ann, cleo, "--set", "rounds=9")[0]


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
    (same,) = (caveat for caveat in result.caveats if "the same map" in caveat)
    kappas = {pair.text: pair.layers["propositional"].mean["kappa"] for pair in result.pairs if not pair.same_map}
    texts = result.macro["argument M-kappa"].texts - 1
    expected = sum(kappa for kappa in kappas.values() if kappa is not None) / texts  # missing texts count 0
    assert same.startswith("in 1 of 4 compared pairs")
    assert f"argument M-κ is {expected:.3f} without" in same
    assert not any("by construction" in caveat for caveat in result.caveats)
    units = evaluate(corpora["ann"], {"units": _units_of(corpora["ann"])}, baselines=(), bootstrap=Bootstrap(9))
    assert "in 6 of 6 pairs both sides have the same units, so S is 1 by construction" in units.caveats


def _units_of(path: Path) -> list[ArgumentGraph]:
    return [baseline(entry.load(), "units") for entry in open_corpus(path)]


def test_p_is_never_below_what_the_rounds_can_show(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 9, size=5)
    result = evaluate(ann, {"ben": ben, "perfect": ann}, test_rounds=50, bootstrap=Bootstrap(9))
    least = [test for test in result.tests if test.p == test.p_least]
    assert {test.p_least for test in result.tests} == {1 / 51}
    assert len(least) > 1
    printed = {row[4] for row in result.tests_table().rows}
    assert "≤ 0.0196" in printed
    # Holm over all tests of the table: systems and scores.
    assert max(test.p_holm or 0 for test in least) == pytest.approx(len(result.tests) / 51)
    assert json.loads(result.to_json())["tests"][0]["p_least"] == 1 / 51


def test_one_system_alone_is_not_tested(corpora: dict[str, Path]) -> None:
    result = evaluate(corpora["ann"], {"ben": corpora["ben"]}, baselines=(), bootstrap=Bootstrap(9))
    assert len(result.tables()) == 1
    assert "best" not in str(result)


def test_a_monologue_that_is_missing_in_a_dialogue_corpus_has_no_dialogue_score(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 2, size=4)
    build = GraphBuilder()
    build.inference([build.proposition("they filter the air")], build.proposition("masks help"))
    aifgraph.dump(build.graph(), ann / "monologue.json")
    skipped, zero = (compare_corpora(ann, ben, missing=missing).macro for missing in ("skip", "zero"))
    assert zero["dialogue M-kappa"] == skipped["dialogue M-kappa"]
    assert (zero["argument M-kappa"].texts, skipped["argument M-kappa"].texts) == (3, 2)


@pytest.mark.skipif(not SHARED.exists(), reason="no shared data")
def test_the_reported_layers_have_a_cass_of_one() -> None:
    layers = SHARED / "reported" / "layers"
    assert aifgraph.compare(layers / "propositions-only.json", layers / "dialogue.json").kappa == 1
