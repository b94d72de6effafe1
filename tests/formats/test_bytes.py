"""Reading files: bounded, and no more memory than they need."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from aifgraph.formats.files import read_bounded


@pytest.mark.skipif(sys.platform != "linux", reason="needs ulimit")
def test_a_file_takes_memory_for_what_is_in_it(tmp_path: Path) -> None:
    """Reading asks for no room for the largest file that is accepted."""
    path = tmp_path / "map.json"
    nodes = [{"nodeID": str(number), "text": "x" * 100, "type": "I"} for number in range(800)]
    path.write_text(json.dumps({"nodes": nodes, "edges": []}), "utf-8")
    assert path.stat().st_size > 1 << 16
    command = f"ulimit -v 1000000; exec {sys.executable} -m aifgraph check {path}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert done.returncode == 0


def test_reading_in_pieces_gives_all_of_any_length() -> None:
    for length in (0, 1, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 20):
        data = bytes(range(256)) * (length // 256 + 1)
        assert read_bounded(io.BytesIO(data[:length]), "x") == data[:length]
        assert read_bounded(io.StringIO("é" * length), "x") == ("é" * length).encode()
