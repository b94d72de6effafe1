"""No page has a violation that axe-core finds, its headings in order: at three widths, light and dark (at night at
every width), and after something was chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aifgraph import compare, compare_corpora, open_corpus
from aifgraph.evaluation.leaderboard import evaluate
from aifgraph.report.html import CorpusPages, report_html
from aifgraph.report.html.embed import tables_html
from sampled import LONG

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = (390, 1280, 1920)


def violations(page: Any, width: int, scheme: str) -> list[str]:
    """What axe finds, each as its rule and the first element that breaks it."""
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    page.driver.set_script_timeout(120)
    if not page.js("return 'axe' in window"):
        page.js(AXE.read_text("utf-8"))
    found = page.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']})"
        ".then((r) => done(r.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes[0].html.slice(0, 200)}`)),"
        " (e) => done([String(e)]));"
    )
    return [str(each) for each in found]


def both_schemes(page: Any, width: int = 1280) -> dict[str, list[str]]:
    """What axe finds at one width, by the scheme of colours."""
    return {scheme: found for scheme in ("light", "dark") if (found := violations(page, width, scheme))}


@pytest.fixture
def every_width(chromium: Any) -> Any:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (make browser installs it)")
    yield lambda page: {
        f"{width} {scheme}": found
        for width in WIDTHS
        for scheme in (("light", "dark") if LONG or width == 1280 else ("light",))
        if (found := violations(page, width, scheme))
    }
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("pair", ["debate", "twins"])
def test_a_pair(pair: str, open_page: Callable[[str], Any], every_width: Callable[[Any], dict[str, list[str]]]) -> None:
    if pair == "twins":
        first, second = (FIXTURES / "debates" / side / "nodeset2.json" for side in ("ann", "ben"))
    else:
        first, second = (FIXTURES / "debate" / f"{side}.json" for side in ("first", "second"))
    page = open_page(report_html(compare(first, second)))
    assert every_width(page) == {}
    # What is chosen, found and decided has colours of its own, in the list, the panel, the text and the maps.
    page.type("#search", "the")
    page.js("document.querySelector('button.difference').click()")
    page.until("document.querySelector('#details .card')")
    page.click("button.cell")
    page.until("document.querySelector('.behind .item')")
    page.click("li.row button.difference")
    assert both_schemes(page) == {}
    page.click("button.decide")
    page.until("document.querySelector('.decisions .choice')")
    page.until("!document.querySelector('.decisions').hasAttribute('aria-busy')")
    assert both_schemes(page) == {}


def test_a_corpus(
    open_page: Callable[..., Any], every_width: Callable[[Any], dict[str, list[str]]], tmp_path: Path
) -> None:
    pages = CorpusPages(tmp_path / "pages")
    ann, ben = (FIXTURES / "debates" / side for side in ("ann", "ben"))
    result = compare_corpora(ann, ben, classes=False, on_comparison=pages.pair, chance=5, intervals=True, rounds=50)
    index = pages.index(result)
    page = open_page(index.read_text("utf-8"), "index.html")
    page.js("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert every_width(page) == {}


def test_a_leaderboard(open_page: Callable[..., Any], every_width: Callable[[Any], dict[str, list[str]]]) -> None:
    ann, ben = (str(FIXTURES / "debates" / side) for side in ("ann", "ben"))
    result = evaluate(open_corpus(ann), {"ben": open_corpus(ben)}, rounds=20)
    html = tables_html("Leaderboard", result.tables(), result.signature)
    assert every_width(open_page(html, "leaderboard.html")) == {}
