"""The pages of a corpus: one per pair, linked from an index that counts them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aifgraph.cli import main


def test_pages_of_a_corpus(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ann, ben = fixtures / "debates" / "ann", fixtures / "debates" / "ben"
    out = tmp_path / "pages"
    arguments = ["compare", str(ann), str(ben), "--format", "html", "-o", str(out)]
    assert main(arguments) == 0
    (out / "pairs" / "99999.html").write_text("of a longer result")
    assert main(arguments) == 2
    assert "add --force" in capsys.readouterr().err
    assert main([*arguments, "--force"]) == 0
    index = (out / "index.html").read_text("utf-8")
    linked = re.findall(r'href="(pairs/\d{5}\.html)"', index)
    pages = sorted(path.relative_to(out).as_posix() for path in out.glob("pairs/*"))
    assert sorted(set(linked)) == pages
    assert pages
    page = (out / pages[0]).read_text("utf-8")
    assert 'href="../index.html"' in page
    assert 'src="../assets/report.js"' in page
    assert len(page) < 200_000
    assert (out / "assets" / "report.js").is_file()


def test_a_corpus_needs_a_folder(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = str(fixtures / "debates" / "ann")
    assert main(["compare", corpus, corpus, "--format", "html"]) == 2
    assert "-o FOLDER" in capsys.readouterr().err


def test_a_pair_is_a_file(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (str(fixtures / "debate" / name) for name in ("first.json", "second.json"))
    assert main(["compare", first, second, "--format", "html", "-o", str(tmp_path)]) == 2
    assert main(["compare", first, second, "--format", "html", "-o", str(tmp_path / "report.html")]) == 0
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_pages_with_intervals(fixtures: Path, tmp_path: Path) -> None:
    ann, ben = (str(fixtures / "debates" / name) for name in ("ann", "ben"))
    arguments = ["compare", ann, ben, "--format", "html", "--intervals", "--rounds", "50", "-o", str(tmp_path / "out")]
    assert main(arguments) == 0
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "0.95 intervals" in index
    assert "|ci:percentile.0.95.50.0" in index


def test_a_folder_with_other_files_is_never_touched(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    corpus = str(fixtures / "debates" / "ann")
    assert main(["compare", corpus, corpus, "--format", "html", "--force", "-o", str(tmp_path)]) == 2
    assert "holds other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_name_of_a_file_never_becomes_a_folder(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = str(fixtures / "debates" / "ann")
    assert main(["compare", corpus, corpus, "--format", "html", "-o", str(tmp_path / "report.html")]) == 2
    assert "name a folder, such as report" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_error_of_the_input_leaves_no_folder(fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "unknown.json").write_text('{"nodes": [], "edges": []}')
    corpus, out = str(fixtures / "debates" / "ann"), tmp_path / "out"
    assert main(["compare", corpus, str(tmp_path / "other"), "--format", "html", "-o", str(out)]) == 2
    assert not out.exists()
