"""Temporary files that find no room: one error that names their folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
pytest.importorskip("resource", reason="no limit on the size of files here")

#: A limit on the size of files stands for a full disk.
_FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
"""
_MAIN = "from aifgraph.cli import main\nsys.exit(main(sys.argv[1:]))\n"
_LISTS = """
import aifgraph
graph = aifgraph.load(sys.argv[1])
try:
    aifgraph.compare_corpora([graph] * 9, [graph] * 9)
except aifgraph.InputError as error:
    sys.exit(f"aifgraph: {error}\\n".rstrip())
"""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (_MAIN, ["convert", "--dataset", "iac2", "datasets/iac2/small.sql", "OUT"]),
        (_MAIN, ["evaluate", "debates/ann", "debates/ben", "--rounds", "5"]),
        (_LISTS, ["debates/ann/nodeset1.json"]),
    ],
    ids=["tables of IAC 2", "trivial systems", "lists of graphs"],
)
def test_no_room_for_temporary_files(code: str, words: list[str], tmp_path: Path) -> None:
    places = {"OUT": str(tmp_path / "out.jsonl")}
    given = [str(FIXTURES / word) if (FIXTURES / word).exists() else places.get(word, word) for word in words]
    done = subprocess.run([sys.executable, "-B", "-c", _FULL + code, *given], capture_output=True, text=True)
    assert done.returncode in (1, 2)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "no room for temporary files" in done.stderr
    assert "set TMPDIR to another folder" in done.stderr
