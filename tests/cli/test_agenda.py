"""``compare --agenda``: the texts to talk about, the worst first, with reasons in words."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.cli import main
from aifgraph.comparison.reasons import gravest, reason

ARAUCARIA = Path("../shared/data/araucaria")


def _debate(change: str = "") -> ArgumentGraph:
    build = GraphBuilder()
    claim, ground = build.proposition("the bridge must be closed"), build.proposition("it has deep cracks")
    doubt, aside = build.proposition("cracks are only paint"), build.proposition("winter is near now")
    if change == "reversed":
        build.inference([claim], ground)
    else:
        support = build.inference([ground], claim)
        if change != "no undercut":
            build.conflict(doubt, support)
    if change == "rephrase":
        build.rephrase(aside, claim)
    else:
        build.inference([aside], claim)
    return build.graph()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            "no undercut",
            "the second missed the undercut of [“it has deep cracks” supports “the bridge must be closed”] by "
            "“cracks are only paint”",
        ),
        (
            "rephrase",
            "relabelled relation: “winter is near now” supports “the bridge must be closed” (first), "
            "“winter is near now” rephrases “the bridge must be closed” (second)",
        ),
        (
            "reversed",
            "reversed support: “it has deep cracks” supports “the bridge must be closed” (first), "
            "“the bridge must be closed” supports “it has deep cracks” (second)",
        ),
    ],
)
def test_a_reason_says_what_happened(change: str, words: str) -> None:
    differences = aifgraph.compare(_debate(), _debate(change)).differences()
    assert words in [reason(row, differences.alignment) for row in gravest(differences)]


def test_the_side_that_missed_it_is_named() -> None:
    differences = aifgraph.compare(_debate("no undercut"), _debate()).differences()
    [row] = gravest(differences)
    assert reason(row, differences.alignment, length=10).startswith("the first missed the undercut of [“it has de…”")


def test_agenda_of_corpora(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ann, ben = str(fixtures / "debates" / "ann"), str(fixtures / "debates" / "ben")
    assert main(["compare", ann, ben, "--agenda", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["text"] for row in rows] == ["nodeset2", "nodeset1"]
    assert float(rows[0]["CASS-κ"]) < float(rows[1]["CASS-κ"])
    assert main(["compare", ann, ben, "--agenda", "--format", "json", "--top", "1"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["agreed"], data["more"], len(data["texts"])) == (1, 1, 1)


def test_agenda_of_two_maps(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (str(fixtures / "debate" / f"{name}.json") for name in ("first", "second"))
    assert main(["compare", first, second, "--agenda", "--reasons", "2", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["text"] for row in rows] == ["first", "first"]
    assert main(["compare", first, second, "--agenda", "--format", "html"]) == 2
    assert "table of its own" in capsys.readouterr().err


@pytest.mark.skipif(not ARAUCARIA.is_dir(), reason="needs ../shared/data")
def test_the_worst_pair_of_araucaria_stands_first(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = str(ARAUCARIA / "same_text_pairs.tsv")
    assert main(["compare", str(ARAUCARIA), str(ARAUCARIA), "--pairs", pairs, "--agenda", "--format", "json"]) == 0
    texts = json.loads(capsys.readouterr().out)["texts"]
    zero = [text["mean"] for text in texts if text["cass"] == 0]
    assert len(zero) > 10
    assert zero == sorted(zero)
    assert all(text["reasons"] for text in texts)
