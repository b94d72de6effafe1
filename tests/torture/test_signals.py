"""Commands ended at random moments: what they leave is whole or not there, and the next run does the rest."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evaluation.small_corpora import make_corpora

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)
ROUNDS = 6


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_corpora(tmp_path_factory.mktemp("made"), 400)


def command(name: str, corpora: tuple[Path, Path], out: Path) -> list[str]:
    ann, ben = map(str, corpora)
    compare = ["compare", ann, ben, "--resume", str(out / "results.jsonl")]
    arguments = {
        "convert to zip": ["convert", ann, str(out / "corpus.zip")],
        "convert to a folder": ["convert", ann, str(out / "corpus")],
        "convert": ["convert", ann, str(out / "corpus.jsonl")],
        "compare": compare,
        "compare on two": [*compare, "--jobs", "2"],
    }[name]
    return [sys.executable, "-m", "aifgraph", *arguments]


def content(folder: Path, *, hidden: bool = True) -> dict[str, bytes]:
    files = ((str(path.relative_to(folder)), path) for path in folder.rglob("*") if path.is_file())
    return {name: path.read_bytes() for name, path in files if hidden or not name.startswith(".")}


@pytest.mark.parametrize("ended_by", SIGNALS)
@pytest.mark.parametrize("name", ["convert to zip", "convert to a folder", "convert", "compare", "compare on two"])
def test_a_command_that_was_ended_goes_on(
    name: str, ended_by: signal.Signals, corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    rng = random.Random(f"{name}/{ended_by}")
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    whole.mkdir()
    cut.mkdir()
    start = time.monotonic()
    subprocess.run(command(name, corpora, whole), check=True, capture_output=True)
    takes = time.monotonic() - start
    expected = content(whole)
    for _ in range(ROUNDS):
        run = subprocess.Popen(
            command(name, corpora, cut), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        time.sleep(rng.uniform(0.1, takes))
        run.send_signal(ended_by)
        _, error = run.communicate(timeout=120)
        if run.returncode == 0 and name == "convert to a folder":
            break  # it was faster; a folder that is there is not written again
        if ended_by == signal.SIGINT and run.returncode not in (0, -signal.SIGINT):
            assert error.split() in (["aifgraph:", "interrupted"], []), error
        for path, data in content(cut, hidden=False).items():
            assert expected[path].startswith(data) if path == "results.jsonl" else data == expected[path]
    if not (cut / "corpus").exists():
        subprocess.run(command(name, corpora, cut), check=True, capture_output=True)
    # Nobody can put away what was half written when the process is killed; it has a name of its own.
    assert content(cut, hidden=ended_by != signal.SIGKILL) == expected
