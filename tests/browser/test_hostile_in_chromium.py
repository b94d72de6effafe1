"""No text of a map runs in a browser, in whatever page it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aifgraph.report.graphviz import installed
from browser.conftest import Page
from report.hostile_pages import pages, script


@pytest.mark.slow
@pytest.mark.skipif(not installed(), reason="needs Graphviz")
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


@pytest.mark.slow
def test_the_texts_would_run_where_they_are_not_escaped(open_page: Callable[[str], Page]) -> None:
    page = open_page(f"<!doctype html><p>{script('a field')}")
    page.until("window.hits && window.hits.length >= 2")
