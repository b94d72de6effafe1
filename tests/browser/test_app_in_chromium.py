"""The web app in a browser: somebody else decides meanwhile, and the server is killed and started again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")
from web.servers import Process, make_corpora
from web.test_web_decisions import OPEN, table


@pytest.mark.slow
@pytest.mark.browser
def test_two_browsers_and_a_restart(fixtures: Path, tmp_path: Path, chromium: Any) -> None:
    corpora, folder = make_corpora(tmp_path, fixtures), tmp_path / "decisions"
    server = Process(*corpora, "-o", folder, "--as", "Cleo")
    pair = server.pairs()["debate"]

    def until(script: str) -> Any:
        end = time.monotonic() + 30
        while not (found := chromium.execute_script(f"return {script}")):
            assert time.monotonic() < end, script
            time.sleep(0.05)
        return found

    def press(key: str) -> None:
        event = "new KeyboardEvent('keydown', {key: arguments[0], bubbles: true})"
        chromium.execute_script(f"document.body.dispatchEvent({event})", key)

    def said() -> list[dict[str, str]]:
        return [line for line in table(folder) if line["decision"]]

    chromium.get(f"{server.url}/pairs/{pair}/")
    press("d")
    until("!document.querySelector('#deciding').hidden")
    press("1")
    until("document.querySelector('.keeping')?.textContent.startsWith('Saved')")
    assert [line["by"] for line in said()] == ["Cleo"]
    mine = said()[0]
    # Somebody else decides the next card, which this browser shows as open.
    for line in table(folder):
        if not line["decision"]:
            answer = server.decide(pair, line["row"], OPEN, decision="second", by="Dan")
            assert answer.status_code == 200
    press("1")
    assert "Dan" in until("document.querySelector('dialog p')?.textContent")
    assert len({line["by"] for line in said()}) == 2
    chromium.execute_script("document.querySelector('dialog button:last-of-type').click()")
    until("!document.querySelector('dialog') && document.querySelector('.keeping').textContent.startsWith('Saved')")
    assert sum(line["by"] == "Cleo" for line in said()) == 2
    # The server is away: nothing moves on, and what was decided is sent again.
    server.kill()
    press("u")
    until("document.querySelector('.keeping.trouble')")
    again = Process(*corpora, "-o", folder, "--as", "Cleo", "--port", server.url.rpartition(":")[2])
    again.pairs()
    until("!document.querySelector('.keeping.trouble')")
    time.sleep(0.5)
    assert sum(line["by"] == "Cleo" for line in said()) == 1
    assert mine in table(folder)
    again.close()
