"""What somebody asks of a comparison in Python is done as asked, or refused with the way to it."""

from __future__ import annotations

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
    return aifgraph.compare_corpora(ANN, BEN, intervals=True, level=0.9, rounds=20, method="bca", seed=3)


def test_intervals_are_as_they_were_asked_for(corpora: CorpusComparison) -> None:
    again = corpora.intervals()
    assert (again.level, again.rounds, again.method, again.seed) == (0.9, 20, "bca", 3)
    assert str(again) == str(corpora.with_intervals)
    other = corpora.intervals(level=0.8)
    assert (other.level, other.rounds, other.method, other.seed) == (0.8, 20, "bca", 3)
    plain = aifgraph.compare_corpora(ANN, BEN).intervals(rounds=9)
    assert (plain.level, plain.rounds, plain.method, plain.seed) == (0.95, 9, "percentile", 0)


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
    ],
)
def test_a_file_is_what_its_name_says(verb: str, name: str, right: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=rf"{verb} does not write .*{right}\(path\)"):
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
