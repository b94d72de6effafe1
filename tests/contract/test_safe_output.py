"""Whatever a map says, nothing that steers a terminal comes out of a command: in a terminal in no format, and never in
what is for people. And the same bytes every time: whatever the seed of Python's hashes."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.formats import FORMATS
from documents import FIRST
from fuzz import commands, seeds
from fuzz.attempt import Attempt, arguments_for

TESTS = Path(__file__).resolve().parents[1]
HOSTILE = "\x1b]0;x\x07\x9b31m\u202e\u200e\u200f\u061c\u2028\u2029\x85"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
DATA = ("csv", "json", "jsonl", "sarif", "html", "tsv")
LINES = [(role, line) for role, line in commands.LINES if role in ("map", "corpus", "pairs")]
#: The commands that print most of what is in a map; the others are tried at night, with all there are.
QUICK = ("show FILE --tree", "check FILE", "differences FILE OTHER", "convert FILE - --to graphml")


class Shown(io.TextIOWrapper):
    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), "utf-8", newline="")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def poisoned(value: Any) -> Any:
    """JSON with something hostile at the end of each text."""
    if isinstance(value, dict):
        return {key: poisoned(part) for key, part in value.items()}
    if isinstance(value, list):
        return list(map(poisoned, value))
    return value + HOSTILE if isinstance(value, str) and " " in value else value


def out_and_err(arguments: list[str], terminal: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    streams = Shown(terminal), Shown(terminal)
    monkeypatch.setattr("sys.stdout", streams[0])
    monkeypatch.setattr("sys.stderr", streams[1])
    main(arguments)
    out, err = (stream.text() for stream in streams)
    monkeypatch.undo()
    return out, err


@pytest.mark.parametrize(
    ("role", "line"),
    [pytest.param(*each, id=each[1], marks=() if each[1] in QUICK else pytest.mark.slow) for each in LINES],
)
def test_nothing_that_steers_a_terminal_is_printed(
    role: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, data = next(seed for seed in seeds.of("aif" if role == "map" else role) if role != "map" or b'"L"' in seed[1])
    if role == "map":
        data = json.dumps(poisoned(json.loads(data))).encode()
    for terminal in (True, False):
        place = tmp_path / str(terminal)
        place.mkdir()
        arguments = arguments_for(
            Attempt("command", line, role, "map.json" if role == "map" else name, data, ""), place
        )
        out, err = out_and_err(arguments, terminal, monkeypatch)
        # A progress bar clears its own line.
        assert not STEERING.search(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", err))
        if terminal or not (set(line.replace("-", " ").split()) & {*DATA, "graphml"}):
            assert not STEERING.search(out), out


def test_a_file_name_that_steers_a_terminal_is_shown_as_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    for name in ("a\x1b]0;x\x07\u202e.json", "b.json"):  # one pair has no table of pairs
        (folder / name).write_bytes(FIRST.read_bytes())
    out, err = out_and_err(["compare", str(folder), str(folder)], True, monkeypatch)
    assert "a\\x1b]0;x\\x07\\u202e" in out, err


def test_json_in_a_terminal_is_json_of_the_same_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "map.json"
    document = {"nodes": [{"nodeID": "1", "text": "a" + HOSTILE, "type": "I"}], "edges": []}
    path.write_text(json.dumps(document), "utf-8")
    for command in (["convert", str(path), "-"], ["show", str(path), "--format", "json"]):
        shown, _ = out_and_err(command, True, monkeypatch)
        piped, _ = out_and_err(command, False, monkeypatch)
        assert json.loads(shown) == json.loads(piped)
        assert not STEERING.search(shown)


def written(folder: Path) -> dict[str, str]:
    """The digests of what every command says and leaves in files, and of what every format writes."""
    graph, made = aifgraph.load(FIRST), {}
    for format in FORMATS.values():
        made[format.name] = repr(format.serialize(graph)).encode() if format.writer else b""
    for role, line in commands.LINES:
        name, data = seeds.of("aif" if role == "map" else role)[0]
        out, err = Shown(terminal=False), Shown(terminal=False)
        work = folder / "work"
        work.mkdir(parents=True)
        with redirect_stdout(out), redirect_stderr(err), chdir(work):
            main(arguments_for(Attempt("command", line, role, name, data, ""), work))
        files = [path.read_bytes() for path in sorted(work.rglob("*")) if path.is_file()]
        made[f"{role} {line}"] = (out.text() + err.text()).encode() + b"".join(files)
        shutil.rmtree(work)
    return {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}


@pytest.mark.slow
def test_no_output_depends_on_the_seed_of_hashes(tmp_path: Path) -> None:
    program = "import json, pathlib, sys; from contract.test_safe_output import written\n"
    program += "print(json.dumps(written(pathlib.Path(sys.argv[1]))))"

    def outputs(seed: str) -> dict[str, str]:
        command, environment = [sys.executable, "-W", "ignore", "-c", program], {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([*command, str(tmp_path)], cwd=TESTS, env=environment, capture_output=True, check=True)
        found: dict[str, str] = json.loads(done.stdout)
        return found

    first, again = outputs("0"), outputs("1")
    assert len(first) > 60
    assert [name for name in first if first[name] != again[name]] == []
