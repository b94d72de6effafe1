"""The same bytes every time: whatever the seed of Python's hashes, in every format and from every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
#: CI takes two, because each writes everything anew; `make torture` takes twenty.
SEEDS = range(20 if os.environ.get("AIFGRAPH_TORTURE") else 2)


def outputs(seed: int, folder: Path) -> dict[str, str]:
    """The digests of everything that is written under a seed."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "contract.every_output", str(folder)],
        cwd=TESTS,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_no_output_depends_on_the_seed_of_hashes(tmp_path: Path) -> None:
    first = outputs(0, tmp_path / "out")
    assert len(first) > 200
    for seed in SEEDS[1:]:
        again = outputs(seed, tmp_path / "out")
        assert again.keys() == first.keys()
        assert sorted(name for name in first if first[name] != again[name]) == [], f"seed {seed}"
