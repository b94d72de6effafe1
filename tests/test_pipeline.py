"""The script of docs/graph.md, run as a reader would; and mistakes that a type checker finds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "docs" / "examples" / "pipeline.py"


@pytest.mark.slow
def test_the_pipeline_runs(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    command = [sys.executable, str(SCRIPT), "fixtures/debates", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "50 maps" in done.stdout
    assert "200 OK" in done.stdout
    assert "400 Bad Request" in done.stdout
    for name in ("NoSuchFileError", "NoSuchNameError", "FormatError", "LimitError", "InputError", "OptionError"):
        assert f"{name}: " in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"masks.json", "map.graphml", "nodes.csv"}


@pytest.mark.slow
def test_a_wrong_option_fails_in_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    lines = {
        'compare("a", "b", relations="RA+CA", calculations=["PR", "transitions"])': "",
        'compare("a", {"nodes": []}, calculations="PR")': "",
        'compare("a", "b", matchin="greedy")': "matchin",
        'compare("a", "b", matching="optimall")': "matching",
        'compare("a", "b", relations=["RX"])': "list-item",
        'GraphBuilder().inference(["1"], "2", scheme="x")': "scheme",
    }
    script = tmp_path / "wrong.py"
    script.write_text("from aifgraph import GraphBuilder, compare\n\n" + "\n".join(lines) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), script.name]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    for number, message in enumerate(lines.values(), 3):
        said = [
            line for line in done.stdout.splitlines() if line.startswith(f"{script.name}:{number}:") and "error" in line
        ]
        assert bool(said) == bool(message), done.stdout
        assert message in " ".join(said)
