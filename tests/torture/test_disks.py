"""A disk of 300 KB: one error, nothing half written, and the place is as it was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.small_corpora import make_corpora


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", place], capture_output=True)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", place], check=False)


@pytest.mark.parametrize("target", ["corpus.zip", "corpus.jsonl", "corpus"])
def test_a_full_disk(small_disk: Path, tmp_path: Path, target: str) -> None:
    ann, _ = make_corpora(tmp_path / "made", 900, size=30)
    command = [sys.executable, "-m", "aifgraph", "convert", str(ann), str(small_disk / target)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1, run.stderr
    assert "No space left" in run.stderr
    assert list(small_disk.iterdir()) == []
