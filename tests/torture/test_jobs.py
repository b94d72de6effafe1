"""Commands with two processes, ended at random moments: nobody is left behind, and nothing half written."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from evaluation.small_corpora import make_corpora

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)
COMMANDS = {
    "merge": "merge ANN BEN --prefer both -o OUT/gold",
    "differences": "differences ANN BEN --format csv -o OUT/differences.csv",
    "pages": "compare ANN BEN --format html -o OUT/pages",
    "show": "show ANN --format csv -o OUT/counts.csv",
    "check": "check ANN --format json -o OUT/findings.json",
    "convert": "convert ANN OUT/maps --to xaif",
}
ROUNDS = 4


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_corpora(tmp_path_factory.mktemp("made"), 60)


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


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("ended_by", SIGNALS)
@pytest.mark.parametrize("name", COMMANDS)
def test_nobody_is_left_and_nothing_half_written(
    name: str, ended_by: signal.Signals, corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    rng = random.Random(f"{name}/{ended_by}")

    def command(out: Path) -> list[str]:
        out.mkdir()
        places = {"ANN": str(corpora[0]), "BEN": str(corpora[1])}
        words = [places.get(word, word).replace("OUT", str(out)) for word in COMMANDS[name].split()]
        return [sys.executable, "-m", "aifgraph", *words, "--jobs", "2"]

    start = time.monotonic()
    done = subprocess.run(command(tmp_path / "whole"), capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    takes = time.monotonic() - start
    expected = content(tmp_path / "whole")
    for number in range(ROUNDS):
        mark = f"AIFGRAPH_RUN={uuid.uuid4()}"
        name_of, _, value = mark.partition("=")
        out = tmp_path / f"cut{number}"
        run = subprocess.Popen(
            command(out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, name_of: value},
        )
        time.sleep(rng.uniform(0.1, takes))
        run.send_signal(ended_by)
        _, error = run.communicate(timeout=60)
        assert "Traceback" not in error, error
        until = time.monotonic() + 20
        while marked(mark) and time.monotonic() < until:
            time.sleep(0.1)
        assert marked(mark) == []
        for path, data in content(out).items():
            if ".part/" not in path and not path.endswith(".part"):  # the next run takes those away
                assert expected.get(path) == data, path
