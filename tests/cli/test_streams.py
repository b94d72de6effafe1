"""What goes to a terminal, a pipe, a full disk, a closed stream; places that may not be written."""

import contextlib
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import pytest

from aifgraph import GraphBuilder, dump
from aifgraph.cli import main
from aifgraph.cli import run as console_script

HOSTILE = "\x1b]0;title\x07\x9b31m\u202eevil"


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


def stream(encoding: str = "utf-8") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding)


def written(stream: Any) -> bytes:
    stream.flush()
    return bytes(stream.buffer.getvalue())


@pytest.fixture
def aifgraph(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int | None]:
    """The console script in this process, with other streams in the place of the standard ones."""

    def aifgraph(command: str, **streams: TextIO | None) -> int | None:
        with monkeypatch.context() as patched:
            patched.setattr("signal.signal", lambda *_: None)
            patched.setattr("sys.argv", ["aifgraph", *command.split()])
            for name in ("stdin", "stdout", "stderr"):
                patched.setattr(sys, name, streams.get(name, getattr(sys, name)))
            with pytest.raises(SystemExit) as ended:
                console_script()
        return ended.value.code  # type: ignore[return-value]

    return aifgraph


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_standard_output_of_any_encoding(
    map_file: Path, encoding: str, aifgraph: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, data, errors = stream(encoding), stream(encoding), stream()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    assert aifgraph(f"show {map_file} --tree", stdout=shown, stderr=errors) == 0
    assert aifgraph(f"convert {map_file} -", stdout=data, stderr=errors) == 0
    assert written(errors) == b""
    assert (b"\\u03ba \\U0001f600" in written(shown)) is (encoding != "utf-8")
    assert written(data) == map_file.read_bytes()


@pytest.mark.parametrize(("closed", "code"), [("stdout", 2), ("stderr", 0), ("stdin", 0)])
def test_closed_streams(map_file: Path, tmp_path: Path, closed: str, code: int, aifgraph: Callable[..., int]) -> None:
    errors = stream()
    assert aifgraph(f"show {map_file}", **{"stdout": stream(), "stderr": errors, closed: None}) == code
    assert written(errors).count(b"\n") == (code == 2)
    assert aifgraph(f"show {map_file} -o {tmp_path}/out.txt", **{closed: None}) == 0
    assert (tmp_path / "out.txt").read_text("utf-8").startswith("map.json\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", ["show MAP", "convert MAP -", "compare --set help", "--help"])
def test_a_full_disk_behind_standard_output(map_file: Path, command: str, aifgraph: Callable[..., int]) -> None:
    errors = stream()
    full = open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115  closing it fails too
    assert aifgraph(command.replace("MAP", str(map_file)), stdout=full, stderr=errors) == 2
    with contextlib.suppress(OSError):
        full.close()
    assert written(errors) == b"aifgraph: standard output: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("command", "size", "place"),
    [
        ("convert FIXTURES/debate/first.json -", 300, "standard output"),
        ("compare ANN BEN --resume TMP/run.jsonl", 0, "TMP/run.jsonl"),
        ("compare ANN BEN --resume TMP/run.jsonl", 3000, "TMP/run.jsonl"),
        ("convert ANN TMP/maps", 300, "TMP/maps"),
    ],
)
def test_a_disk_that_is_full_half_way(
    command: str, size: int, place: str, unbuffered: str, places: dict[str, Path], tmp_path: Path
) -> None:
    import resource

    for name, path in places.items():
        command, place = command.replace(name, str(path)), place.replace(name, str(path))
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "aifgraph", *command.split()],
            stdout=out,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
            # Nor may Python write half a file of bytecode, which the next process would read.
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "PYTHONDONTWRITEBYTECODE": "1"},
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1].startswith(f"aifgraph: {place}: ")
    assert not (tmp_path / "maps").exists()


@pytest.mark.parametrize("command", ["--help", "show MAP", "convert MAP -"])
def test_a_reader_that_has_left_before_is_no_failure(
    map_file: Path, command: str, aifgraph: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    read, write = os.pipe()
    os.close(read)
    pipe = os.fdopen(write, "w", encoding="utf-8")
    assert aifgraph(command.replace("MAP", str(map_file)), stdout=pipe) == 0
    with contextlib.suppress(OSError):
        pipe.close()
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not Path("/proc/self/fdinfo").is_dir(), reason="needs /proc")
@pytest.mark.parametrize(
    "command",
    [
        *("convert ANN CLOSED.jsonl", "convert ANN CLOSED.zip --to aif", "convert ANN CLOSED"),
        *("check FIRST --fix CLOSED.json", "show FIRST -o CLOSED.json", "compare FIRST SECOND -o CLOSED.txt"),
        *("merge FIRST SECOND -o CLOSED.json --prefer first", "draw FIRST -o CLOSED.svg"),
    ],
)
def test_a_place_that_cannot_be_written_is_one_line(command: str, run: Any, places: dict[str, Path]) -> None:
    places["CLOSED"] = Path("/proc/self/fdinfo/out")  # nothing can be made there, by root neither
    done = run(f"--quiet {command}")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert str(places["CLOSED"]) in done.err
    assert ".part" not in done.err


def processes(mark: str) -> list[int]:
    """Return the living processes that have a mark in their environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is not ours
            alive = (place / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            found += [int(place.name)] if alive and mark.encode() in (place / "environ").read_bytes() else []
    return found


def wait_until(condition: Callable[[], object], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.1)


CTRL_C = "os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize(
    ("module", "when", "code"),
    [
        ("click", CTRL_C, 130),
        ("sitecustomize", f"atexit.register(lambda: {CTRL_C})", 0),
    ],
    ids=["while aifgraph is imported", "while Python ends"],
)
def test_ctrl_c_shows_no_traceback(module: str, when: str, code: int, map_file: Path, tmp_path: Path) -> None:
    (tmp_path / f"{module}.py").write_text(f"import atexit, os, signal\n{when}\n", "utf-8")
    command = [sys.executable, "-m", "aifgraph", "show", map_file]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_in_a_finalizer_counts(map_file: Path, tmp_path: Path) -> None:
    code = f"""
import os, signal, sys, time
class Finalized:
    def __del__(self):
        {CTRL_C}
class Finder:
    def find_spec(name, *_):
        if name == "aifgraph.formats.aif":
            Finalized()
            time.sleep(5)
sys.meta_path.insert(0, Finder)
"""
    (tmp_path / "sitecustomize.py").write_text(code, "utf-8")
    command = [sys.executable, "-m", "aifgraph", "show", map_file]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (130, b"aifgraph: interrupted")


def test_ctrl_c_of_which_another_error_was_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise ValueError("cannot be closed now")

    monkeypatch.setattr("aifgraph.cli.cli.main", interrupted)
    assert main(["show"]) == 130
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_no_worker_is_left_five_seconds_after_its_parent_is_killed(tmp_path: Path, places: dict[str, Path]) -> None:
    """Ten of ten with AIFGRAPH_TORTURE, else two of two; in every other run workers have begun to compare, else they
    are still starting. A machine that has more to do may take longer."""
    line = json.dumps({"map": json.loads(places["FIRST"].read_text("utf-8"))})
    for side in ("ann", "ben"):
        (tmp_path / f"{side}.jsonl").write_text(f"{line}\n" * 3000, "utf-8")
    command = [sys.executable, "-m", "aifgraph", "compare", tmp_path / "ann.jsonl", tmp_path / "ben.jsonl", "-j", "2"]
    left = []
    for number in range(10 if os.environ.get("AIFGRAPH_TORTURE") else 2):
        mark = f"aifgraph-{os.getpid()}-{number}"
        results = tmp_path / f"{number}.jsonl"
        words = [*command, "--resume", results]
        run = subprocess.Popen(words, env={**os.environ, "AIFGRAPH_RUN": mark}, stderr=subprocess.DEVNULL)
        compared = lambda results=results: results.exists() and results.stat().st_size > 5000  # noqa: E731
        wait_until(compared if number % 2 else lambda mark=mark: len(processes(mark)) >= 3, 120)
        assert run.poll() is None
        run.kill()
        run.wait()
        wait_until(lambda mark=mark: not processes(mark), 5 * (1 + os.getloadavg()[0] // (os.cpu_count() or 1)))
        left.append(processes(mark))
    assert not any(left)
