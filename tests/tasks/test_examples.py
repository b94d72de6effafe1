"""The programs in ``examples/`` run on the fixtures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "files", "shown"),
    [
        ("arct_negation.py", ["arct/instances.txt", "arct/instances.txt", "arct/first.txt"], "doubled test"),
        ("ruarg_tfidf.py", ["ruarg/gold.tsv"] * 3, "TF-IDF"),
        ("aurc_token_or_sentence.py", ["aurc/run.json"] * 2, "sentence model"),
    ],
)
def test_examples_run(program: str, files: list[str], shown: str) -> None:
    pytest.importorskip("sklearn")
    paths = [str(ROOT / "fixtures" / "tasks" / file) for file in files]
    command = [sys.executable, "-B", str(ROOT / "examples" / program), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert shown in done.stdout


def test_examples_are_short() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in (ROOT / "examples").glob("*.py")}
    assert len(lengths) == 3
    assert max(lengths.values()) <= 80
