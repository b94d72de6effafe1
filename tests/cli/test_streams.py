"""What goes to a terminal, a pipe, a full disk, a closed stream; places that may not be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from aifgraph import GraphBuilder, dump
from aifgraph.cli import main

HOSTILE = "\x1b]0;title\x07\x9b31m\u202eevil"
FIRST, SECOND = "fixtures/debate/first.json", "fixtures/debate/second.json"
ANN = "fixtures/debates/ann"


@pytest.fixture
def map_file(tmp_path: Path) -> Path:
    path = tmp_path / "map.json"
    build = GraphBuilder()
    who = build.participant("Ann" + HOSTILE)
    claim = build.proposition("Masks help κ 😀" + HOSTILE)
    build.illocution(build.locution("Ann: κ" + HOSTILE, speaker=who), claim, "Asserting" + HOSTILE)
    build.inference([build.proposition("=HYPERLINK(1)" + HOSTILE)], claim, "Inference" + HOSTILE)
    dump(build.graph(), path)
    return path


def aifgraph(*arguments: str | Path, **settings: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "aifgraph", *map(str, arguments)], capture_output=True, env={**os.environ, **settings}
    )


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_standard_output_of_any_encoding(map_file: Path, encoding: str) -> None:
    done = aifgraph("show", map_file, "--tree", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"\\u03ba \\ud83d\\ude00" in done.stdout) is (encoding != "utf-8")
    data = aifgraph("convert", map_file, "-", PYTHONIOENCODING=encoding)
    assert json.loads(data.stdout.decode(encoding)) == json.loads(map_file.read_text("utf-8"))


@pytest.mark.skipif(os.name == "nt", reason="closes streams as a shell does")
@pytest.mark.parametrize(("closed", "code"), [(">&-", 2), ("2>&-", 0), ("<&-", 0)])
def test_closed_streams(map_file: Path, tmp_path: Path, closed: str, code: int) -> None:
    out = tmp_path / "out.txt"
    command = f"{sys.executable} -m aifgraph show {map_file}"
    done = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, text=True)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == (code == 2)
    assert subprocess.run(["sh", "-c", f"{command} -o {out} {closed}"], capture_output=True).returncode == 0
    assert out.read_text("utf-8").startswith("map.json\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", ["show MAP", "convert MAP -", "compare --set help", "--help"])
def test_a_full_disk_behind_standard_output(map_file: Path, command: str) -> None:
    words = command.replace("MAP", str(map_file))
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m aifgraph {words} > /dev/full"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (2, "aifgraph: standard output: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="a shell's pipe")
@pytest.mark.parametrize("command", ["--help", "show MAP", "convert MAP -"])
def test_a_reader_that_has_left_before_is_no_failure(map_file: Path, command: str) -> None:
    read, write = os.pipe()
    os.close(read)
    words = command.replace("MAP", str(map_file)).split()
    done = subprocess.run([sys.executable, "-m", "aifgraph", *words], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_no_formula_in_csv(map_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side in ("ann", "ben"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "=1+1.json").write_bytes(map_file.read_bytes())
    assert main(["compare", str(tmp_path / "ann"), str(tmp_path / "ben"), "--format", "csv", "--details"]) == 0
    assert "'=1+1" in capsys.readouterr().out


@pytest.mark.skipif(not Path("/proc/self/fdinfo").is_dir(), reason="needs /proc")
@pytest.mark.parametrize(
    "command",
    [
        f"convert {ANN} OUT.jsonl",
        f"convert {ANN} OUT.zip --to aif",
        f"convert {ANN} OUT",
        f"check {FIRST} --fix OUT.json",
        f"show {FIRST} -o OUT.json",
        f"compare {FIRST} {SECOND} -o OUT.txt",
        f"merge {FIRST} {SECOND} -o OUT.json --prefer first",
        f"draw {FIRST} -o OUT.svg",
    ],
)
def test_a_place_that_cannot_be_written_is_one_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    closed = "/proc/self/fdinfo"  # nothing can be made there, by root neither
    assert main(["--quiet", *command.replace("OUT", f"{closed}/out").split()]) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert f"{closed}/out" in error
    assert ".part" not in error
