"""The commands of the page that need a server, run against one on the loopback."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from aifdb.loopback import Server
from aifgraph.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "corpora.md"


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.S | re.M)
    lines = [line for block in blocks for line in block.splitlines()]
    return lines + re.findall(r"`(aifgraph\s\w+\saifdb:\w+)`", PAGE.read_text("utf-8"))


@pytest.mark.parametrize("command", commands())
def test_command(server: Server, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("aifgraph.aifdb.web.time.sleep", lambda seconds: None)
    server.has_corpus("US2016", [3, 17940])
    server.paths["/list.php"] = (200, "", json.dumps({"corpora": [{"shortname": "US2016"}]}).encode())
    server.paths["/search"] = (200, "text/html", b"<html></html>")
    words = shlex.split(command)[1:]
    assert main([*words, *(["--pause", "0"] if words[0] == "fetch" else [])]) == 0
    assert server.requests


def test_the_page_has_commands() -> None:
    assert len(commands()) == 5
