"""Decisions that a server keeps: each on disk before it is answered, none replaced unseen, none lost."""

from __future__ import annotations

import csv
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests

import aifgraph
from aifgraph.cli import main
from aifgraph.report.app.web import Server

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
    server = in_process(Server(decisions=folder, corpora=tuple(map(str, corpora)), by="Cleo"))
    server.numbers = server.pairs()
    return server


def test_pairs_are_listed_by_cost(keeper: Any) -> None:
    assert {*keeper.numbers} == {"debate", "nodeset1", "nodeset2", "nodeset3"}
    costs = [int(cost) for cost in re.findall(r"</th><td>(\d+)</td>", keeper("GET", "/").text)]
    assert costs == sorted(costs, reverse=True)
    assert "servedDecisions" in keeper("GET", f"/pairs/{keeper.numbers['debate']}/").text


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


# -- servers that are killed -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_that_was_answered_is_lost_by_kill(
    process: Callable[..., Any], corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "decisions"
    server = process(*corpora, "-o", folder)
    pair, answered = server.pairs()["debate"], list[str]()
    rows = [line["row"] for line in table(folder)]

    def decide() -> None:
        for turn in range(100_000):
            row = rows[turn % len(rows)]
            try:
                seen = server("GET", f"/pairs/{pair}/rows").json().get(row, OPEN)
                answer = server.decide(pair, row, seen, decision="first" if turn % 2 else "second", note=f"{turn}")
            except requests.ConnectionError:
                return
            assert answer.status_code == 200
            answered.append(f"{turn}")

    for seconds in (0.3, 0.8):
        answered.clear()
        thread = threading.Thread(target=decide)
        thread.start()
        while not answered:
            time.sleep(0.01)
        time.sleep(seconds)
        server.kill()
        thread.join()
        lines = table(folder)
        assert [line["row"] for line in lines] == rows
        notes = {line["row"]: line["note"] for line in lines if line["note"]}
        assert max(map(int, notes.values())) in (len(answered) - 1, len(answered))
        server = process(*corpora, "-o", folder)
        assert server.pairs()["debate"] == pair
        kept = server("GET", f"/pairs/{pair}/rows").json()
        assert {row: of["note"] for row, of in kept.items()} == notes
        for row, seen in kept.items():
            assert server.decide(pair, row, seen).json() == OPEN


@pytest.mark.slow
def test_other_decisions_and_other_servers(
    process: Callable[..., Any], corpora: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "decisions"
    server = process(*corpora, "-o", folder)
    assert "debate" in server.pairs()
    assert main(["serve", *map(str, corpora), "-o", str(folder), "--port", "0"]) == 2
    assert "another server" in capfd.readouterr().err
    server.kill()
    path = folder / "debate.tsv"
    other = path.read_text("utf-8").replace(table(folder)[0]["maps"], "x:y")
    path.write_text(other, "utf-8")
    again = process(*corpora, "-o", folder)
    assert "debate" not in again.pairs()
    assert "about other maps" in again("GET", "/").text
    assert path.read_text("utf-8") == other
