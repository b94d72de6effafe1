"""The web app in a browser: somebody else decides meanwhile, and the server is killed and started again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")
from browser.conftest import Page
from web.servers import Process, make_corpora
from web.test_web_decisions import OPEN, table

SAVED = "!document.querySelector('dialog') && document.querySelector('.keeping')?.textContent.startsWith('Saved')"


@pytest.mark.slow
@pytest.mark.browser
def test_two_browsers_and_a_restart(fixtures: Path, tmp_path: Path, chromium: Any) -> None:
    corpora, page = make_corpora(tmp_path, fixtures), Page(chromium)
    server = Process(*corpora, "-o", tmp_path, "--as", "Cleo", TMPDIR=str(tmp_path))
    pair = server.pairs()["debate"]

    def deciders() -> list[str]:
        return sorted(line["by"] for line in table(tmp_path) if line["decision"])

    chromium.get(f"{server.url}/pairs/{pair}/")
    page.press("d", "1")
    page.until(SAVED, 60)
    assert deciders() == ["Cleo"]
    # Somebody else decides all others, which this browser shows as open.
    others = [line["row"] for line in table(tmp_path) if not line["decision"]]
    for row in others:
        assert server.decide(pair, row, OPEN, decision="second", by="Dan").status_code == 200
    page.press("1")
    assert "Dan" in page.until("document.querySelector('dialog p')?.textContent")
    assert deciders() == ["Cleo", *["Dan"] * len(others)]
    page.click("dialog button:last-of-type")
    page.until(SAVED, 60)
    assert deciders().count("Cleo") == 2
    # The server is away: what was decided is sent again.
    server.kill()
    page.press("u")
    page.until("document.querySelector('.keeping.trouble')", 60)
    again = Process(*corpora, "-o", tmp_path, "--port", server.url.rpartition(":")[2], TMPDIR=str(tmp_path))
    again.pairs()
    page.until(f"{SAVED} && !document.querySelector('.keeping.trouble')", 60)
    assert deciders() == ["Cleo", *["Dan"] * (len(others) - 1)]
    again.close()
