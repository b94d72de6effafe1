"""The service of an adjudication, killed at random moments while people click: what was answered is in the files."""

from __future__ import annotations

import http.client
import json
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from evaluation.small_corpora import make_corpora

ROUNDS = 12
CHOICES = ("first", "second", "neither")


def start(ann: Path, ben: Path, out: Path) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "aifgraph", "adjudicate", str(ann), str(ben), "-o", str(out), "--port", "0"]
    served = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert served.stdout
    return served, served.stdout.readline().strip()


def post(address: str, pair: int, given: object) -> dict[str, str]:
    with urllib.request.urlopen(f"{address}pairs/{pair}/decisions", timeout=10) as answer:
        token = json.load(answer)["token"]
    headers = {"Content-Type": "application/json", "X-Aifgraph-Token": token}
    request = urllib.request.Request(f"{address}pairs/{pair}/decisions", json.dumps(given).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        found: dict[str, str] = json.load(answer)
        return found


@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGTERM])
def test_a_kill_costs_the_click_under_way_at_most(ended_by: signal.Signals, tmp_path: Path) -> None:
    rng = random.Random(str(ended_by))
    ann, ben = make_corpora(tmp_path / "made", 4, size=12)
    out = tmp_path / "out"
    #: What the service has answered, by pair and row: the truth that the files must hold.
    answered: dict[tuple[int, str], dict[str, str]] = {}
    clicks = 0
    for _ in range(ROUNDS):
        served, address = start(ann, ben, out)
        under_way: set[tuple[int, str]] = set()
        for pair in range(1, 5):
            with urllib.request.urlopen(f"{address}pairs/{pair}/decisions", timeout=10) as answer:
                on_disk = json.load(answer)["rows"]
            for (own, row), decision in answered.items():
                if own == pair:
                    assert on_disk[row] == decision

        def click(pair: int, seed: int, address: str = address, under_way: set[tuple[int, str]] = under_way) -> None:
            nonlocal clicks
            own = random.Random(seed)
            rows = [
                line.split("\t")[0]
                for line in (out / "decisions" / f"map{pair - 1}.tsv").read_text("utf-8").splitlines()[1:]
            ]
            try:
                while True:
                    row = own.choice(rows)
                    seen = answered.get((pair, row), {})
                    choice = own.choice([each for each in CHOICES if each != seen.get("decision")])
                    under_way.add((pair, row))
                    answered[pair, row] = post(address, pair, {"row": row, "decision": choice, "seen": seen})
                    under_way.discard((pair, row))
                    clicks += 1
            except (OSError, http.client.HTTPException, ValueError):
                pass  # the service was killed

        people = [threading.Thread(target=click, args=(pair, rng.random())) for pair in range(1, 5)]
        for each in people:
            each.start()
        time.sleep(rng.uniform(0.05, 1.0))
        served.send_signal(ended_by)
        served.wait(timeout=20)
        for each in people:
            each.join(timeout=20)
        # What was under way may be in the file or not; it is one click of each of the four at most.
        assert len(under_way) <= 4
        for key in under_way:
            answered.pop(key, None)
        for key in list(under_way):
            record = rows_on_disk(out, key[0])[key[1]]
            if record["decision"]:
                answered[key] = record
    assert clicks > ROUNDS
    logged = (out / "log.tsv").read_text("utf-8").splitlines()
    assert len(logged) > clicks


def rows_on_disk(out: Path, pair: int) -> dict[str, dict[str, str]]:
    lines = (out / "decisions" / f"map{pair - 1}.tsv").read_text("utf-8").splitlines()
    columns = lines[0].split("\t")
    records = [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[1:]]
    return {record["row"]: {name: record[name] for name in ("decision", "note", "by", "when")} for record in records}
