"""Types, ids, schemes, speakers, file names: all of it is text, in every HTML output."""

from __future__ import annotations

import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.report.hostile_pages import pages

pytest.importorskip("starlette", reason="needs aifgraph[web]")

pytestmark = pytest.mark.skipif(not shutil.which("dot"), reason="needs Graphviz")


class _Found(HTMLParser):
    """Elements that only the hostile texts have: images, handlers of events, scripts that call them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._script = tag == "script" and dict(attrs).get("type") != "application/json"
        if tag == "img" or any(name.startswith("on") for name, _ in attrs):
            self.found.append(f"{tag} {attrs}"[:200])

    def handle_endtag(self, tag: str) -> None:
        self._script = False

    def handle_data(self, data: str) -> None:
        if self._script and "window.hits" in data:
            self.found.append(data[:200])


@pytest.mark.slow
def test_everything_is_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for name, page in pages(tmp_path):
        parser = _Found()
        parser.feed(page)
        assert parser.found == [], name
        assert "window.hits" in page, f"{name}: nothing hostile is in it at all"
        names.append(name)
    capsys.readouterr()
    assert len(names) >= 11


def test_the_type_of_a_node_in_a_notebook(tmp_path: Path) -> None:
    import aifgraph

    name, page = next(iter(pages(tmp_path)))
    assert name == "a map in a notebook"
    parser = _Found()
    parser.feed(page)
    assert parser.found == []
    graph = aifgraph.loads('{"nodes": [{"nodeID": "1", "type": "<img src=x onerror=alert(1)>", "text": "a"}]}')
    assert "<img" not in graph._repr_html_()
