"""The pages of a corpus in a real browser: sorted, filtered, followed to a pair and back; a thousand rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aifgraph import compare, compare_corpora
from aifgraph.report.html import CorpusPages, report_html
from aifgraph.report.html.corpus import corpus_index
from evaluation.small_corpora import scored

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "debates"


@pytest.fixture
def page(open_page: Callable[..., Any], tmp_path: Path) -> Any:
    """The index of a corpus, with the pages of its pairs beside it."""
    pages = CorpusPages(tmp_path)
    pages.index(compare_corpora(FIXTURES / "ann", FIXTURES / "ben", classes=False, on_comparison=pages.pair))
    return open_page((tmp_path / "index.html").read_text("utf-8"), "index.html")


def test_a_pair_is_reached_from_the_index(page: Any) -> None:
    assert page.complaints() == []
    page.click("#pairs a")
    page.until("document.body.classList.contains('ready')")
    assert "drawn" in page.text("#status")
    assert page.js("return getComputedStyle(document.querySelector('.scores')).display") == "flex"
    assert page.complaints() == []
    page.click(".home a")
    page.until("document.getElementById('pairs')")


def test_a_thousand_rows_are_sorted_and_filtered(open_page: Callable[..., Any]) -> None:
    result = compare_corpora(FIXTURES / "ann", FIXTURES / "ben", classes=False)
    one = result.pairs[0]
    kappas = [None if n == 7 else n / 1000 for n in range(1000)]
    rows = [scored(one, f"map {n:04d}", kappa=(0.5, kappa)) for n, kappa in enumerate(kappas)]
    page = open_page(corpus_index(replace(result, pairs=rows), []), "index.html")
    assert page.text("#shown") == "1000 of 1000 pairs"
    heading = "#pairs thead th[data-column=kappa] button"
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


def test_a_cell_leads_to_examples_and_on_to_the_place_in_a_pair(page: Any) -> None:
    page.click("#matrices td:not(.same) a.cell")
    page.until("document.querySelector('details.examples[open]')")
    assert page.js("return document.activeElement.id").startswith("cell-")
    page.click("details.examples[open] a")
    page.until("document.body.classList.contains('ready')")
    assert "#node=" in page.js("return location.hash")
    assert page.complaints() == []


def test_pairs_have_neighbours(page: Any) -> None:
    page.click("#pairs a")
    page.until("document.body.classList.contains('ready')")
    assert "1 of 3" in page.text("#neighbours")
    assert not page.js("return document.querySelector('#neighbours a[rel=prev]')")
    page.click("#neighbours a[rel=next]")
    page.until("document.querySelector('#neighbours a[rel=prev]')")
    page.until("document.body.classList.contains('ready')")
    assert page.text("h1") == "nodeset1"
    assert page.complaints() == []


def test_on_a_phone_tables_are_lists_and_no_word_is_broken(page: Any) -> None:
    with page.window(390):
        assert page.js("return document.documentElement.scrollWidth") == 390
        assert page.js("return getComputedStyle(document.querySelector('#pairs td')).display") == "flex"
        label = "getComputedStyle(document.querySelector('#pairs td:nth-child(2)'), '::before').content"
        assert page.js(f"return {label}") == '"decisions that differ"'
        assert page.js(BROKEN) == []


#: Words of the page that stand on more than one line, but for those of code and of addresses.
BROKEN = """
const broken = [];
const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  if (node.parentElement.closest('code, script, svg, .hidden') || !node.parentElement.checkVisibility()) continue;
  for (const word of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top)));
    if (lines.size > 1) broken.push(word[0]);
  }
}
return broken;
"""


def test_on_a_phone_the_page_of_a_pair_is_no_wider_than_it(open_page: Callable[..., Any]) -> None:
    page = open_page(report_html(compare(FIXTURES / "ann" / "nodeset2.json", FIXTURES / "ben" / "nodeset2.json")))
    with page.window(390):
        assert page.js("return document.documentElement.scrollWidth") == 390
        assert page.js("return getComputedStyle(document.querySelector('.references td')).display") == "table-cell"
        assert page.js(BROKEN) == []
