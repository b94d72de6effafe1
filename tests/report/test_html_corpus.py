"""The pages of a corpus, linked from an index; hostile texts are text in every HTML output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.comparison.options import short_signature
from aifgraph.errors import InputError
from aifgraph.evaluation.run import pair_tasks
from aifgraph.report.corpus_page import check_folder, write_pages
from aifgraph.report.graphviz import installed
from report.hostile_pages import Harm, pages

ANN, BEN = Path("fixtures/debates/ann"), Path("fixtures/debates/ben")


def write(out: Path) -> str:
    pairing = aifgraph.pair(ANN, BEN)
    result = aifgraph.compare_corpora(ANN, BEN, pair_by=pairing).with_intervals(aifgraph.Bootstrap(50))
    return write_pages(out, result, pair_tasks(pairing)).read_text("utf-8")


def test_every_pair_has_a_page_and_those_that_cost_most_come_first(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    index = write(out)
    linked = re.findall(r'href="(pairs/\d{5}\.html)"', index)
    assert sorted(linked) == sorted(path.relative_to(out).as_posix() for path in out.glob("pairs/*"))
    costs = [int(cost) for cost in re.findall(r"</th><td>(\d+)</td>", index)]
    differing = [
        sum(m.total - sum(m.rows[n][n] for n in range(len(m.labels))) for m in pair.matrices.values())
        for pair in aifgraph.compare_corpora(ANN, BEN).pairs
    ]
    assert costs == sorted(differing, reverse=True)
    page = (out / linked[0]).read_text("utf-8")
    assert 'href="../index.html"' in page
    assert not re.search(r'src="|href="(?!#|\.\./index\.html)', page)


def test_the_two_numbers_are_those_of_the_result_with_their_intervals(tmp_path: Path) -> None:
    index = write(tmp_path / "pages")
    result = aifgraph.compare_corpora(ANN, BEN).with_intervals(aifgraph.Bootstrap(50))
    shown = re.findall(r"<b>([\d.]+)</b> κ <small>95 % interval ([\d.]+) to ([\d.]+)", index)
    found = [result.macro["argument M-kappa"], result.macro["CASS-kappa"]]
    assert sorted(shown) == sorted((f"{i.value:.3f}", f"{i.low:.3f}", f"{i.high:.3f}") for i in found)
    assert "nodeset4 (only ann)" in index
    assert short_signature(result.signature) in index


def test_results_are_never_mixed_and_other_files_never_touched(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    write(out)
    (out / "pairs" / "99999.html").write_text("of a longer result")
    write(out)
    assert not (out / "pairs" / "99999.html").exists()
    (tmp_path / "thesis.tex").write_text("mine")
    for place in (tmp_path, tmp_path / "thesis.tex"):
        with pytest.raises(InputError):
            check_folder(place)
        with pytest.raises(InputError):
            write(place)
    assert (tmp_path / "thesis.tex").read_text() == "mine"


def test_an_error_of_the_input_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "unknown.json").write_text('{"nodes": [], "edges": []}')
    out = tmp_path / "out"
    check_folder(out)
    assert main(["compare", str(ANN), str(tmp_path / "other"), "--format", "html", "-o", str(out)]) == 2
    assert not out.exists()


@pytest.mark.slow
@pytest.mark.skipif(not installed(), reason="needs Graphviz")
def test_everything_is_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for name, page in pages(tmp_path):
        assert Harm(page).found == [], name
        assert "window.hits" in page, f"{name}: nothing hostile is in it at all"
        names.append(name)
    capsys.readouterr()
    assert len(names) >= 9


def test_the_two_numbers_have_intervals_even_where_nobody_asked(tmp_path: Path) -> None:
    pairing = aifgraph.pair(ANN, BEN)
    result = aifgraph.compare_corpora(ANN, BEN, pair_by=pairing)
    index = write_pages(tmp_path / "pages", result, pair_tasks(pairing)).read_text("utf-8")
    macro = result.with_intervals(aifgraph.Bootstrap()).macro
    for number in ("argument M-kappa", "CASS-kappa"):
        assert f"interval {macro[number].low:.3f} to {macro[number].high:.3f}" in index
