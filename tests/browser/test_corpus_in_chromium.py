"""The pages of a corpus in a real browser: sorted, filtered, followed to a pair and back; a thousand rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aifgraph import compare_corpora
from aifgraph.evaluation.pooled import PairNames
from aifgraph.report.html import CorpusPages
from aifgraph.report.html.corpus import corpus_index

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "debates"


def test_a_pair_is_reached_from_the_index(open_page: Callable[..., Any], tmp_path: Path) -> None:
    pages = CorpusPages(tmp_path)
    pages.index(compare_corpora(FIXTURES / "ann", FIXTURES / "ben", details=False, on_comparison=pages.pair))
    page = open_page((tmp_path / "index.html").read_text("utf-8"), "index.html")
    assert page.complaints() == []
    page.click("#pairs a")
    page.until("document.body.classList.contains('ready')")
    assert "drawn" in page.text("#status")
    assert page.js("return getComputedStyle(document.querySelector('.scores')).display") == "flex"
    assert page.complaints() == []
    page.click(".home a")
    page.until("document.getElementById('pairs')")


def test_a_thousand_rows_are_sorted_and_filtered(open_page: Callable[..., Any]) -> None:
    result = compare_corpora(FIXTURES / "ann", FIXTURES / "ben", details=False)
    one = result.pairs[0]
    rows = []
    for n in range(1000):
        cass = {**one.cass, "all": {**one.cass["all"], "kappa": None if n == 7 else n / 1000}}
        rows.append(replace(one, names=PairNames(f"map {n:04d}", f"map {n:04d}"), cass=cass))
    page = open_page(corpus_index(replace(result, pairs=rows), []), "index.html")
    assert page.text("#shown") == "1000 of 1000 pairs"
    heading = "#pairs thead th:nth-child(5) button"
    first = "return document.querySelector('#pairs tbody tr').cells[0].textContent"
    page.click(heading)
    assert page.js(first) == "map 0000"
    page.click(heading)
    assert page.js(first) == "map 0999"
    # What is undefined stands last, either way.
    assert page.js("return [...document.querySelectorAll('#pairs tbody tr')].at(-1).cells[0].textContent") == "map 0007"
    page.type("#below", "0.1")
    assert page.text("#shown") == "100 of 1000 pairs"
    page.type("#filter", "map 005")
    assert page.text("#shown") == "10 of 1000 pairs"
    assert page.complaints() == []
