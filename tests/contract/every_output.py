"""``python -m contract.every_output FOLDER``: the digest of everything that every format and command writes, as JSON.

It is run in a process of its own for each seed of Python's hashes. The command lines are those of the fuzzer, here
with nothing changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import sys
from pathlib import Path

import aifgraph
from aifgraph.cli import main
from aifgraph.formats import FORMATS
from fuzz import commands, seeds
from fuzz.attempt import Attempt, arguments_for

#: Maps with everything: dialogue, schemes, several annotators, a microtext.
MAPS = ("debate/first.json", "zoo/ann.json", "debates/ann/nodeset2.json", "xaif/masks.json", "ova3/masks.json")


def digests(folder: Path) -> dict[str, str]:
    """What is written, by a name: of files, of standard output and standard error, and the exit code."""
    found: dict[str, str] = {}
    for place in MAPS:
        graph = aifgraph.load(seeds.FIXTURES / place)
        for format in FORMATS.values():
            if format.writes:
                found[f"{format.name} of {place}"] = _digest(repr(format.written(graph)).encode())
        found[f"the notebook's view of {place}"] = _digest(graph._repr_html_().encode())
    for role, line in commands.LINES:
        name, data = seeds.of("aif" if role == "map" else role)[0]
        found |= _of_command(Attempt("command", line, role, name, data, ""), folder)
    return found


def _of_command(attempt: Attempt, folder: Path) -> dict[str, str]:
    place = folder / "work"
    place.mkdir()
    os.chdir(place)
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments_for(attempt, place))
    out.flush()
    found = {f"{attempt.target}: said": _digest(out.buffer.getvalue() + err.getvalue().encode() + bytes([code]))}
    for path in sorted(place.rglob("*")):
        if path.is_file():
            found[f"{attempt.target}: {path.relative_to(place)}"] = _digest(path.read_bytes())
    os.chdir(folder)
    shutil.rmtree(place)
    return found


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


if __name__ == "__main__":
    json.dump(digests(Path(sys.argv[1])), sys.stdout)
