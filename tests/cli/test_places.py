"""Places that may not be written: one line that names what was asked for, and nothing left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ANN = ROOT / "fixtures" / "debates" / "ann"
FIRST, SECOND = (ROOT / "fixtures" / "debate" / f"{name}.json" for name in ("first", "second"))


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A folder in which nothing can be made, by root neither."""
    folder = Path("/proc/self/fdinfo")
    if not folder.is_dir():
        pytest.skip("needs /proc")
    return folder


@pytest.mark.skipif(os.name == "nt", reason="needs /proc")
@pytest.mark.parametrize(
    "command",
    [
        f"convert {ANN} OUT.jsonl",
        f"convert {ANN} OUT.zip --to aif",
        f"sample {ANN} -n 1 --folder OUT",
        f"baseline {ANN} --kind chain -o OUT",
        f"pack {ANN} -o OUT",
        f"compare {FIRST} {SECOND} -o OUT.txt",
        f"merge {FIRST} {SECOND} -o OUT.json --prefer first",
        f"export {ANN} --task illocutions -o OUT.csv",
    ],
)
def test_a_place_that_cannot_be_written_is_one_line(command: str, closed: Path) -> None:
    words = command.replace("OUT", str(closed / "out")).split()
    done = subprocess.run([sys.executable, "-m", "aifgraph", "--quiet", *words], capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if "warning" not in line]
    assert done.returncode == 2
    assert len(errors) == 1, errors
    assert f"{closed}/out" in errors[0]
    assert ".part" not in errors[0]
