"""Readers that leave at a random moment, and readers that are slow: whole lines, one exit code, no traceback."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evaluation.small_corpora import make_corpora

COMMANDS = (
    "compare ANN BEN --format csv",
    "compare ANN BEN --format json",
    "compare ANN BEN --jobs 2 --intervals",
    "differences ANN BEN --format tsv",
    "convert ANN/map1.json - --to xaif",
    "check ANN --format json",
    "show ANN --format json",
    "query ANN schemes",
    "compare --set help ANN BEN",
)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_corpora(tmp_path_factory.mktemp("made"), 60)


def started(command: str, corpora: tuple[Path, Path]) -> subprocess.Popen[bytes]:
    words = command.replace("ANN", str(corpora[0])).replace("BEN", str(corpora[1])).split()
    return subprocess.Popen(
        [sys.executable, "-m", "aifgraph", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_leaves_at_a_random_moment(command: str, corpora: tuple[Path, Path]) -> None:
    rng = random.Random(command)
    for _ in range(4):
        run = started(command, corpora)
        assert run.stdout
        assert run.stderr
        if rng.random() < 0.5:
            run.stdout.read(rng.choice((1, 100, 5000)))
        else:
            time.sleep(rng.uniform(0, 1))
        run.stdout.close()
        error = run.stderr.read()
        assert run.wait(60) == 0, error
        assert b"Traceback" not in error
        assert b"Broken" not in error


@pytest.mark.parametrize("command", COMMANDS)
def test_a_slow_reader_gets_everything(command: str, corpora: tuple[Path, Path]) -> None:
    expected, _ = started(command, corpora).communicate(timeout=120)
    run = started(command, corpora)
    assert run.stdout
    parts = []
    while part := run.stdout.read(max(512, len(expected) // 40)):
        parts.append(part)
        time.sleep(0.02)
    assert run.wait(60) == 0
    assert b"".join(parts) == expected
