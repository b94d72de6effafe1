"""Decisions that a server keeps: each on disk before it is answered, none replaced unseen, none lost."""

from __future__ import annotations

import csv
import re
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import requests

import aifgraph
from aifgraph.cli import main

pytestmark = pytest.mark.slow  # a server with its processes
OPEN = {"decision": "", "note": "", "by": "", "when": ""}


def table(folder: Path, name: str = "debate") -> list[dict[str, str]]:
    with (folder / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("decisions")


@pytest.fixture(scope="module")
def keeper(in_process: Callable[..., Any], corpora: tuple[Path, Path], folder: Path) -> Any:
    """A server of decisions."""
    server = in_process(decisions=folder, corpora=tuple(map(str, corpora)), by="Cleo")
    server.numbers = server.pairs()
    return server


def test_a_decision_is_dated_signed_and_sent_with_what_it_replaces(keeper: Any, folder: Path) -> None:
    pair, row = keeper.numbers["debate"], table(folder)[0]["row"]
    first = keeper.decide(pair, row, OPEN, decision="first", note="as Ann says").json()
    line = table(folder)[0]
    assert {name: line[name] for name in OPEN} == first
    assert (line["decision"], line["note"], line["by"]) == ("first", "as Ann says", "Cleo")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["when"])
    assert keeper.decide(pair, row, OPEN, decision="first", note="as Ann says").json() == first  # sent again
    refused = keeper.decide(pair, row, OPEN, decision="second", by="Dan")
    assert refused.status_code == 409
    assert refused.json()["now"] == first
    assert table(folder)[0] == line
    second = keeper.decide(pair, row, first, decision="second", by="Dan")
    assert second.status_code == 200
    assert keeper.decide(pair, row, first).status_code == 409  # an undo that has not seen the change
    assert keeper.decide(pair, row, second.json()).json() == OPEN


def test_no_text_damages_the_file(keeper: Any, folder: Path) -> None:
    row = next(line["row"] for line in table(folder) if line["group"] == "propositions")
    pair, seen = keeper.numbers["debate"], OPEN
    for text in ("a\tb\nc\x85d", "nul \0 here", "=SUM(A1)", '"in quotes"', "\u202eright to left", "'=x", "-1 + 2"):
        new = {"decision": f"let us say {text}", "note": text, "by": text}
        answer = keeper.decide(pair, row, seen, **new)
        assert answer.status_code == 200
        seen = answer.json()
        assert keeper("GET", f"/pairs/{pair}/rows").json()[row] == seen
        assert keeper.decide(pair, row, seen, **new).json() == seen
    assert keeper.decide(pair, row, seen).json() == OPEN


def test_wrong_decisions(keeper: Any, folder: Path) -> None:
    before, pair = table(folder), keeper.numbers["debate"]
    for number, row, body, status in (
        (pair, "nothing", {"decision": "first", "replaces": OPEN}, 404),
        (77, before[0]["row"], {"decision": "first", "replaces": OPEN}, 404),
        (pair, before[0]["row"], {"decision": "frist", "replaces": OPEN}, 400),
        (pair, before[0]["row"], {"decision": "first"}, 422),
        (pair, before[0]["row"], {"decision": "x" * 20_000, "replaces": OPEN}, 422),
        (pair, before[0]["row"], {"decision": "\ud800", "replaces": OPEN}, 422),
    ):
        answer = keeper("PUT", f"/pairs/{number}/rows/{row}", json=body)
        assert answer.status_code == status
        assert {*answer.json()["error"]} == {"what", "where"}
    assert table(folder) == before


def test_merge_makes_the_gold_corpus(keeper: Any, folder: Path, corpora: tuple[Path, Path], tmp_path: Path) -> None:
    for name, number in keeper.numbers.items():
        for line in table(folder, name):
            assert keeper.decide(number, line["row"], OPEN, decision="first").status_code == 200
    gold = tmp_path / "gold"
    assert main(["merge", *map(str, corpora), "--decisions", str(folder), "-o", str(gold)]) == 0
    assert aifgraph.compare(gold / "debate.json", corpora[0] / "debate.json").f1 == 1


def test_nothing_that_was_answered_is_lost(process: Any, corpora: Any, tmp_path: Path, capfd: Any) -> None:
    server = process(*corpora, "-o", tmp_path)
    pair, answered = server.pairs()["debate"], list[int]()
    rows = [line["row"] for line in table(tmp_path)]
    assert main(["serve", *map(str, corpora), "-o", str(tmp_path), "--port", "0"]) == 2
    assert "another server" in capfd.readouterr().err

    def decide(seen: dict[str, dict[str, str]]) -> None:
        for turn in count():
            row = rows[turn % len(rows)]
            try:
                seen[row] = server.decide(pair, row, seen.get(row, OPEN), decision="first", note=f"{turn}").json()
            except requests.ConnectionError:
                return
            answered.append(turn)

    for seconds in (0.3, 0.8):
        thread = threading.Thread(target=decide, args=(server("GET", f"/pairs/{pair}/rows").json(),))
        thread.start()
        time.sleep(seconds)
        server.kill()
        thread.join()
        lines = table(tmp_path)
        assert [line["row"] for line in lines] == rows
        assert max(int(line["note"]) for line in lines if line["note"]) - answered[-1] in (0, 1)
        server = process(*corpora, "-o", tmp_path)
        assert server.pairs()["debate"] == pair
        kept = {line["row"]: {name: line[name] for name in OPEN} for line in lines if line["note"]}
        assert server("GET", f"/pairs/{pair}/rows").json() == kept
    server.kill()
    text = (tmp_path / "debate.tsv").read_text("utf-8").replace(lines[0]["maps"], "x:y")
    (tmp_path / "debate.tsv").write_text(text, "utf-8")
    again = process(*corpora, "-o", tmp_path)
    assert "debate" not in again.pairs()
    assert "about other maps" in again("GET", "/").text
    assert (tmp_path / "debate.tsv").read_text("utf-8") == text
