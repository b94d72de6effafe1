"""Files that people try first: runs of one system, files without labels, BIO files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.tasks import arct, aurc, ruarg


def run_file(path: Path, predicted: list[str]) -> Path:
    sentences = {str(n): {"sentence": "a b", "y_true": "0 2", "y_pred": labels} for n, labels in enumerate(predicted)}
    path.write_text(json.dumps(sentences), "utf-8")
    return path


def test_runs_of_a_system_are_told_from_systems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = ["0 2"] * 6, ["2 0"] * 6
    paths = [
        run_file(tmp_path / f"{name}.json", labels)
        for name, labels in (
            ("crf_001", good),
            ("crf_002", good),
            ("bert_seed1", bad),
            ("bert_seed2", good),
            ("other", bad),
        )
    ]
    tests = aurc.significance([aurc.read_run(path) for path in paths], rounds=100, seed=1).tests
    assert {name for test in tests for name in (test.first, test.second)} == {"crf", "bert", "other.json"}
    with pytest.raises(aifgraph.InputError, match=r"runs of one system \(crf\)"):
        aurc.significance([aurc.read_run(path) for path in paths[:2]], rounds=100, seed=1)
    assert main(["task", "aurc", "score", *map(str, paths[:2]), "--seed", "1"]) == 0
    assert "averaged" not in capsys.readouterr().err
    assert main(["task", "aurc", "score", str(paths[0]), str(paths[4]), "--seed", "1"]) == 0
    assert "averaged as runs of one system" in capsys.readouterr().err


def test_findings_have_lines(tmp_path: Path) -> None:
    head, *rows = Path("fixtures/tasks/ruarg/gold.tsv").read_text("utf-8").splitlines()
    cells = rows[1].split("\t")
    names = head.split("\t")
    cells[names.index("masks_stance")], cells[names.index("masks_argument")] = "-1", "2"
    (tmp_path / "file.tsv").write_text("\n".join([head, rows[0], "\t".join(cells)]) + "\n", "utf-8")
    [finding] = [found for found in ruarg.check(ruarg.read(tmp_path / "file.tsv")).findings if found.claim == "masks"]
    assert finding.line == 3


def test_files_without_labels_get_a_remedy(tmp_path: Path) -> None:
    head, *rows = Path("fixtures/tasks/ruarg/gold.tsv").read_text("utf-8").splitlines()
    empty = ["\t".join([*row.split("\t")[:2], *[""] * 6]) for row in rows]
    (tmp_path / "file.tsv").write_text("\n".join([head, *empty]) + "\n", "utf-8")
    with pytest.raises(aifgraph.FormatError, match="labels are missing"):
        ruarg.read(tmp_path / "file.tsv")
    header = "#id\twarrant0\twarrant1\treason\tclaim\tdebateTitle\tdebateInfo\n"
    (tmp_path / "data.txt").write_text(header + "1\ta\tb\tc\td\te\tf\n", "utf-8")
    with pytest.raises(aifgraph.InputError, match="instances without labels; give answers"):
        arct.read_answers(tmp_path / "data.txt")


@pytest.mark.parametrize("name", ["x.bio", "x.txt", "x.tsv"])
def test_bio_files_get_a_remedy(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("The\tO\nmasks\tB-Claim\nhelp\tI-Claim\n", "utf-8")
    with pytest.raises(aifgraph.FormatError, match="BIO tags"):
        aifgraph.load(tmp_path / name)
    with pytest.raises(aifgraph.FormatError, match="write each sentence"):
        aurc.read_run(tmp_path / name)
