"""Commands ended at random moments: what they leave is whole or not there, nobody is left behind, the next run goes on.

It takes many minutes and runs on its own: ``make torture``."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from aifdb.loopback import Server, a_map, a_zip
from evaluation.small_corpora import make_corpora

if not os.environ.get("AIFGRAPH_TORTURE"):
    pytest.skip("takes many minutes: make torture", allow_module_level=True)

COMMANDS = {
    "convert to zip": "convert ANN OUT/corpus.zip",
    "convert to a folder": "convert ANN OUT/corpus",
    "merge": "merge ANN BEN -o OUT/gold.jsonl",
    "differences on two": "differences ANN BEN --format csv -o OUT/differences.csv --jobs 2",
    "compare on two": "compare ANN BEN --resume OUT/results.jsonl --jobs 2",
}


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_corpora(tmp_path_factory.mktemp("made"), 200)


def command(name: str, corpora: tuple[Path, Path], out: Path) -> list[str]:
    places = {"ANN": str(corpora[0]), "BEN": str(corpora[1])}
    words = [places.get(word, word).replace("OUT", str(out)) for word in COMMANDS[name].split()]
    return [sys.executable, "-m", "aifgraph", *words]


def content(folder: Path, *, hidden: bool = True) -> dict[str, bytes]:
    files = ((str(path.relative_to(folder)), path) for path in folder.rglob("*") if path.is_file())
    return {name: path.read_bytes() for name, path in files if hidden or not name.startswith(".")}


def marked(mark: str) -> list[int]:
    """The processes that have the mark in their environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (place / "environ").read_bytes():
                found.append(int(place.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_was_ended_goes_on(
    name: str, ended_by: signal.Signals, corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    rng = random.Random(f"{name}/{ended_by}")
    whole, cut, mark = tmp_path / "whole", tmp_path / "cut", str(uuid.uuid4())
    whole.mkdir()
    cut.mkdir()
    start = time.monotonic()
    subprocess.run(command(name, corpora, whole), check=True, capture_output=True)
    takes = time.monotonic() - start
    expected = content(whole)
    for _ in range(5):
        environment = {**os.environ, "AIFGRAPH_RUN": mark}
        run = subprocess.Popen(command(name, corpora, cut), stderr=subprocess.PIPE, text=True, env=environment)
        time.sleep(rng.uniform(0.1, takes))
        run.send_signal(ended_by)
        _, error = run.communicate(timeout=120)
        assert "Traceback" not in error, error
        until = time.monotonic() + 20
        while marked(mark) and time.monotonic() < until:
            time.sleep(0.1)
        assert marked(mark) == []
        for path, data in content(cut, hidden=False).items():
            assert expected[path].startswith(data) if path == "results.jsonl" else data == expected[path]
        if (cut / "corpus").exists():
            break  # it was faster; a folder that is there is not written again
    if not (cut / "corpus").exists():
        subprocess.run(command(name, corpora, cut), check=True, capture_output=True)
    assert content(cut) == expected


COUNT = 60


@pytest.fixture(params=["one by one", "archive"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    made = Server()
    members = {f"nodeset{number}.json": a_map(number) for number in range(1, COUNT + 1)}
    made.has_corpus("US", list(range(1, COUNT + 1)), a_zip(members) if request.param == "archive" else None)
    yield made
    made.close()


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_download_that_was_ended_goes_on(server: Server, ended_by: signal.Signals, tmp_path: Path) -> None:
    rng = random.Random(str(ended_by))
    names = ("AIFGRAPH_AIFDB_URL", "AIFGRAPH_CORPORA_URL", "AIFGRAPH_TEXT_URL")
    environment = {**os.environ, **dict.fromkeys(names, server.url)}
    command = [sys.executable, "-m", "aifgraph", "fetch", "US", "--pause", "0.02", "-o", str(tmp_path / "us")]
    for _ in range(6):
        run = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(rng.uniform(0.3, 3))
        run.send_signal(ended_by)
        _, error = run.communicate(timeout=120)
        assert b"Traceback" not in error
        for number in range(1, COUNT + 1):
            path = tmp_path / "us" / f"nodeset{number}.json"
            assert not path.exists() or path.read_bytes() == a_map(number)
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"{COUNT} of {COUNT} maps" in done.stderr
    asked = len(server.requests)
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert len(server.requests) == asked
