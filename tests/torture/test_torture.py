"""Commands ended at random moments: what they leave is whole or not there, nobody is left behind, the next run goes on.

It takes many minutes and runs on its own: ``make torture``."""

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from aifdb.loopback import Server, a_map
from cli.test_streams import processes
from documents import zipped
from evaluation.small_corpora import make_corpora

if not os.environ.get("AIFGRAPH_TORTURE"):
    pytest.skip("takes many minutes: make torture", allow_module_level=True)

COMMANDS = (
    "convert ANN OUT/corpus.zip",
    "convert ANN OUT/corpus",
    "merge ANN BEN -o OUT/gold.jsonl",
    "differences ANN BEN --format csv -o OUT/differences.csv --jobs 2",
    "compare ANN BEN --resume OUT/results.jsonl --jobs 2",
)
every_signal = pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    ann, ben = make_corpora(tmp_path_factory.mktemp("made"), 200)
    return {"ANN": str(ann), "BEN": str(ben)}


def content(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, without what a killed command left, which stays there for a day."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".part" not in path.as_posix())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def end(command: list[str], after: float, ended_by: signal.Signals, **environment: str) -> None:
    """Start a command and end it; its processes, found by a mark in their environment, all end."""
    mark = str(uuid.uuid4())
    marked = {**os.environ, **environment, "AIFGRAPH_RUN": mark}
    run = subprocess.Popen(command, env=marked, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(after)
    run.send_signal(ended_by)
    _, error = run.communicate(timeout=120)
    assert b"Traceback" not in error, error
    until = time.monotonic() + 20
    while left := processes(mark):
        assert time.monotonic() < until, left
        time.sleep(0.1)


@every_signal
@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_that_was_ended_goes_on(
    words: str, ended_by: signal.Signals, corpora: dict[str, str], tmp_path: Path
) -> None:
    rng = random.Random(f"{words}/{ended_by}")
    whole, cut = tmp_path / "whole", tmp_path / "cut"

    def command(out: Path) -> list[str]:
        out.mkdir(exist_ok=True)
        given = [corpora.get(word, word).replace("OUT", str(out)) for word in words.split()]
        return [sys.executable, "-m", "aifgraph", *given]

    start = time.monotonic()
    subprocess.run(command(whole), check=True, capture_output=True)
    takes = time.monotonic() - start
    expected = content(whole)
    for _ in range(5):
        end(command(cut), rng.uniform(takes / 5, takes), ended_by)  # not while Python starts
        for path, data in content(cut).items():
            if not path.startswith("."):
                assert expected[path].startswith(data) if path == "results.jsonl" else data == expected[path]
        if (cut / "corpus").exists():
            break  # it was faster; a folder that is there is not written again
    if not (cut / "corpus").exists():
        subprocess.run(command(cut), check=True, capture_output=True)
    assert content(cut) == expected


@every_signal
@pytest.mark.parametrize("archive", [False, True])
def test_a_download_that_was_ended_goes_on(archive: bool, ended_by: signal.Signals, tmp_path: Path) -> None:
    rng = random.Random(str(ended_by))
    maps = {f"nodeset{number}.json": a_map(number) for number in range(1, 61)}
    server = Server()
    server.has_corpus("US", list(range(1, 61)), zipped(maps) if archive else None)
    places = dict.fromkeys(("AIFGRAPH_AIFDB_URL", "AIFGRAPH_CORPORA_URL", "AIFGRAPH_TEXT_URL"), server.url)
    command = [sys.executable, "-m", "aifgraph", "fetch", "US", "--pause", "0.02", "-o", str(tmp_path / "us")]
    for _ in range(6):
        end(command, rng.uniform(0.3, 3), ended_by, **places)
        for path, data in content(tmp_path).items():
            assert data == maps.get(Path(path).name, data)
    done = subprocess.run(command, env={**os.environ, **places}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "60 of 60 maps" in done.stderr
    asked = len(server.requests)
    subprocess.run(command, env={**os.environ, **places}, check=True, capture_output=True)
    assert len(server.requests) == asked
    server.close()
