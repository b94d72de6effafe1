"""The page of a pair in a browser: exported decisions are what merge takes, nothing is fetched, no text runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest

from aifgraph.adjudication.decisions import Decision
from aifgraph.adjudication.decisions import read_decisions as read_file
from aifgraph.comparison.differences import Differences
from aifgraph.report.graphviz import installed
from aifgraph.report.page import report_html
from browser.conftest import Page
from report.hostile_pages import pages, script
from report.test_html_page import debate, write


def read_decisions(text: str, differences: Differences) -> dict[str, Decision]:
    """The decisions of a file that the page exports."""
    with NamedTemporaryFile() as file:
        file.write(text.encode())
        file.flush()
        return read_file(Path(file.name), differences)


pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.skipif(not installed(), reason="needs Graphviz")]
Open = Callable[..., Page]


def decided(page: Page, choices: dict[str, str]) -> str:
    """The file that the page exports after the keys of some choices, by row; the cards are gone through in order."""
    page.js("document.querySelectorAll('.filter input:not(:checked)').forEach((e) => e.click())")
    page.click("#decide")
    rows = page.js("return JSON.parse(document.querySelector('#data').textContent).rows")
    for row in rows:
        page.press({"first": "1", "second": "2", "both": "3", "neither": "4"}.get(choices.get(row["id"], ""), "j"))
    return str(page.js("return aifgraphPage.tsv()"))


def test_a_file_that_is_read_again_decides_the_same(open_page: Open) -> None:
    result, html = debate(), report_html(debate())
    choices = {row.id: ("first", "second")[n % 2] for n, row in enumerate(result.differences()) if n % 3}
    page = open_page(html)
    exported = decided(page, choices)
    read = read_decisions(exported, result.differences())
    assert read.keys() == choices.keys()
    assert page.complaints() == []
    again = open_page(html)
    again.click("#decide")
    again.js("aifgraphPage.read(arguments[0])", exported)
    assert read_decisions(str(again.js("return aifgraphPage.tsv()")), result.differences()) == read


@pytest.mark.parametrize("note", ["=cmd|' /C calc'!A0", "'=1", "'quoted'", '"=1"', "- or not", "a\ttab\nand a line"])
def test_a_note_is_no_formula_in_the_file_and_comes_back_as_it_was(open_page: Open, note: str) -> None:
    result = debate()
    page = open_page(report_html(result))
    page.click("#decide")
    page.js("const e = document.querySelector('#note'); e.value = arguments[0]; e.onchange();", note)
    page.press("1")
    exported = str(page.js("return aifgraphPage.tsv()"))
    for line in exported.splitlines():
        cells = (cell[1:-1] if cell[:1] == cell[-1:] == '"' else cell for cell in line.split("\t"))
        assert not any(cell.startswith(("=", "-")) for cell in cells)
    [decision] = read_decisions(exported, result.differences()).values()
    assert decision.note == " ".join(note.split())


def test_cards_and_map_lead_to_each_other(open_page: Open) -> None:
    page = open_page(report_html(debate()))
    page.click("article.card:not([hidden])")
    number = page.js("return document.querySelector('article.card.on').dataset.n")
    assert page.js("return location.hash") == f"#c{number}"
    page.js(
        "document.querySelector('.view a.l').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
    )
    chosen = page.js("return document.querySelector('.view a.l').dataset.c.split(' ')[0]")
    assert page.js("return document.querySelector('article.card.on').dataset.n") == chosen


@pytest.mark.parametrize("width", [390, 1366])
def test_no_page_is_wider_than_its_window(open_page: Open, width: int, tmp_path: Path) -> None:
    wide = "return document.documentElement.scrollWidth"
    page = open_page(report_html(debate()))
    with page.window(width):
        assert page.js(wide) <= width
        page.click("#decide")
        assert page.js(wide) <= width
    page = open_page(write(tmp_path / "pages"))
    with page.window(width):
        assert page.js(wide) <= width


def test_no_field_of_a_map_runs(
    tmp_path: Path, open_page: Callable[..., Page], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "maps").mkdir()
    for name, html in pages(tmp_path / "maps"):
        # The policy of the pages would stop what the escaping lets through: here the escaping is tried alone.
        place = f"maps/{name}" if name.endswith(".html") else "page.html"
        page = open_page(html.replace("Content-Security-Policy", "X-No-Policy"), place)
        page.js("return new Promise(done => setTimeout(done, 300))")
        assert page.js("return window.hits || []") == [], name
        # A type is shown in capital letters, in which a script says nothing.
        assert page.js("return document.querySelectorAll('img, svg[onload]').length") == 0, name
    capsys.readouterr()


def test_the_texts_would_run_where_they_are_not_escaped(open_page: Callable[[str], Page]) -> None:
    page = open_page(f"<!doctype html><p>{script('a field')}")
    page.until("window.hits && window.hits.length >= 2")
