"""Places that may not be written: one line that names what was asked for, and nothing left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aifgraph.cli import main

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
def test_a_place_that_cannot_be_written_is_one_line(
    command: str, closed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--quiet", *command.replace("OUT", str(closed / "out")).split()]) == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if "warning" not in line]
    assert len(errors) == 1, errors
    assert f"{closed}/out" in errors[0]
    assert ".part" not in errors[0]
