"""The programs in ``examples/`` run on the fixtures; what counts as agreement on "Published and recomputed"."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "files", "shown"),
    [
        ("arct_negation.py", ["arct/instances.txt"] * 2 + ["arct/first.txt", "arct/second.txt"], "solved by no system"),
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


def test_agreement_is_equality_as_published() -> None:
    spec = importlib.util.spec_from_file_location("reproduce", ROOT / "benchmarks" / "reproduce.py")
    assert spec
    assert spec.loader
    reproduce = sys.modules["reproduce"] = importlib.util.module_from_spec(spec)  # dataclasses look it up
    spec.loader.exec_module(reproduce)

    def figure(published: float | None, recomputed: float | None, within: float = 0) -> tuple[str, bool]:
        one = reproduce.Figure("a", "value", published, recomputed, within=within)
        return one.cell(), one.lost

    assert figure(0.749, 0.7494) == ("0.749 ✓", False)
    assert figure(0.749, 0.7496) == ("0.750 (0.749)", True)
    assert figure(0.749, 0.7506, within=0.002) == ("0.751 (0.749)", False)
    assert figure(0.749, None) == ("undefined", True)
    assert figure(None, 0.76) == ("0.760", False)
