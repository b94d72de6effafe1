"""The pages of a corpus: one per pair, linked from an index that counts them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aifgraph.cli import main


def test_pages_of_a_corpus(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ann, ben = fixtures / "debates" / "ann", fixtures / "debates" / "ben"
    out = tmp_path / "pages"
    for _ in range(2):  # a second run writes over the first
        main(["compare", str(ann), str(ben), "--format", "html", "-o", str(out)])
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
