"""``evaluate``: systems ranked against a gold corpus, and what LaTeX needs of a leaderboard."""

from __future__ import annotations

import csv
import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from aifgraph.corpus import open_corpus
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.leaderboard import Leaderboard, evaluate
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.significance import macro_value
from aifgraph.tables import Table, as_latex

DEBATES = Path(__file__).resolve().parents[2] / "fixtures" / "debates"
ANN, BEN = DEBATES / "ann", DEBATES / "ben"


@cache
def board(**options: object) -> Leaderboard:
    gold = open_corpus(ANN)
    systems = {"ben": open_corpus(BEN), "perfect": open_corpus(ANN)}
    return evaluate(gold, systems, rounds=50, test_rounds=200, **options)


def test_the_best_comes_first_and_trivial_systems_are_among_them() -> None:
    result = board()
    assert next(iter(result.all)) == "perfect"
    sentences = {"star of sentences", "chain of sentences"}
    assert set(result.all) == {"perfect", "ben", "units", "chain", "star", "majority", *sentences}
    assert result.systems["perfect"].macro.cass["kappa"] == 1
    assert set(result.baselines) == {"units", "chain", "star", "majority", *sentences}


def test_star_and_chain_are_always_there_and_over_sentences_where_there_are_texts(tmp_path: Path) -> None:
    assert set(board(baselines=()).baselines) == {"chain", "star", "star of sentences", "chain of sentences"}
    for path in ANN.glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    result = evaluate(open_corpus(tmp_path), {"ben": open_corpus(BEN)}, baselines=(), rounds=20, test_rounds=20)
    assert set(result.baselines) == {"chain", "star"}


def test_whether_a_system_beats_the_best_trivial_one_is_a_line_with_p() -> None:
    result = board()
    assert [(test.first, test.score) for test in result.against_trivial] == [
        (system, score) for score in ("kappa", "f1", "ER-kappa", "ER-f1") for system in ("ben", "perfect")
    ]
    for test in result.against_trivial:
        values = {name: macro_value(of.macro, test.score) or 0.0 for name, of in result.baselines.items()}
        assert values[test.second] == max(values.values())
        if not test.left_out:
            ours = macro_value(result.systems[test.first].macro, test.score)
            assert test.difference == pytest.approx(ours - values[test.second])
    table = next(table for table in result.tables() if table.title == "Against the best trivial system")
    # Four texts cannot show it: p is at least 2 / 2^4.
    assert [row[-1] for row in table.rows] == [False] * 8
    systems = result.to_dict()["systems"]
    assert {each["name"]: each["knows_gold_units"] for each in systems if each["baseline"]} == {
        name: "sentences" not in name for name in result.baselines
    }


def test_what_a_system_lacks_counts_zero_and_what_it_has_too_much_counts_nothing() -> None:
    result = board(baselines=())
    assert result.systems["ben"].macro.pairs == 4
    assert result.tests.macro["ben"]["kappa"] == result.systems["ben"].macro.cass["kappa"]
    skipped = board(baselines=(), missing="skip")
    assert skipped.systems["ben"].macro == compare_corpora(ANN, BEN).macro


def test_best_and_worst_system_of_each_text() -> None:
    texts = {text.name: text for text in board(baselines=()).texts()}
    assert (texts["nodeset1"].best, texts["nodeset1"].worst) == ("perfect", "ben")
    assert texts["nodeset3"].worst is None
    assert texts["nodeset4"].scores == {"ben": 0, "perfect": 1}


def test_one_system_has_no_test() -> None:
    result = evaluate(open_corpus(ANN), {"ben": open_corpus(BEN)}, baselines=(), rounds=20, test_rounds=20)
    assert result.tests is None
    assert result.to_dict()["tests"] is None


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no system"):
        evaluate(open_corpus(ANN), {})
    with pytest.raises(OptionError, match="no score"):
        board(score="best")
    for wrong in ("chain", ["best"]):
        with pytest.raises(OptionError, match="baselines"):
            evaluate(ANN, [BEN], baselines=wrong)
    (tmp_path / "other.json").write_bytes((BEN / "nodeset1.json").read_bytes())
    with pytest.raises(InputError, match="no text of the gold corpus"):
        evaluate(open_corpus(ANN), {"other": open_corpus(tmp_path)})


def test_every_format_shows_chance_and_trivial_systems() -> None:
    result = board(baselines=("majority",), chance=2)
    systems = result.to_dict()["systems"]
    assert [each["macro"]["layers"]["propositional"]["chance"]["rounds"] for each in systems] == [2] * 7
    rows = list(csv.DictReader(result.to_csv().splitlines()))
    assert len(rows) == 7 * 4 * 13
    assert rows[0]["cass"] == "1.0"
    shown = result.to_text()
    assert "majority (trivial), gold units" in shown
    assert "chain of sentences (trivial)" in shown
    assert "Against the best trivial system" in shown
    assert "κ above chance" in shown


#: A character that means something to LaTeX, with what escapes it taken away before.
_SPECIAL = re.compile(r"[#$%&_^~<>|]")


def parts(text: str) -> list[str]:
    """The tables of an output, each from ``\\begin{table}`` to ``\\end{table}``."""
    return re.findall(r"\\begin\{table\}.*?\\end\{table\}", text, re.DOTALL)


def well_formed(table: str) -> None:
    """Braces and environments are balanced, rows have as many cells as columns, special characters are escaped."""
    bare = re.sub(r"\\[\\{}&%$#_]", "", table)
    depth = 0
    for char in bare:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", bare):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    spec = re.search(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", table, re.DOTALL)
    assert spec
    for row in spec[2].splitlines():
        if row.endswith(r" \\"):
            assert len(re.findall(r"(?<!\\)&", row)) == len(spec[1]) - 1
    body = re.sub(r"\$\\(kappa|alpha|pi|pm|rightarrow|leq|geq)\$|\{!\}\{%|&", "", bare)
    assert not _SPECIAL.search(body), body


def test_a_leaderboard_of_odd_names(fixtures: Path, tmp_path: Path) -> None:
    odd = tmp_path / "50 %_a&b {x} #1 ~^ $5 <b> [2] |"
    shutil.copytree(fixtures / "debates" / "ben", odd)
    result = evaluate(ANN, [odd, ANN], rounds=20, test_rounds=50, baselines=["units"])
    tables = parts(result.to_latex())
    assert len(tables) >= 4
    for table in tables:
        well_formed(table)
    assert r"\resizebox" in tables[0]
    assert "{}\\\\\n" not in tables[0]
    assert tables[0].count("\\\\\n{}") == 3  # its note has four lines


def test_every_line_of_a_note_stands_alone() -> None:
    written = as_latex(Table("T", ("a",), [(1,)], note="one\n[two]"))
    well_formed(written)
    assert "one\\\\\n{}[two]" in written
