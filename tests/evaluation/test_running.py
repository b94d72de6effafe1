"""Many cores, and a run that stopped and goes on: the same numbers, and never half a line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from aifgraph.errors import InputError, NotFoundError, OptionError, RemoteError
from aifgraph.evaluation import workers as running
from aifgraph.evaluation.record import ResultLines
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.workers import Workers
from evaluation.small_corpora import make_corpora

TEXTS = 12


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_corpora(tmp_path_factory.mktemp("made"), TEXTS)


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one_in_the_same_order(corpora: tuple[Path, Path]) -> None:
    one, two = compare_corpora(*corpora), compare_corpora(*corpora, n_jobs=2)
    assert [pair.name for pair in one.pairs] == [f"map{number}" for number in range(TEXTS)]
    assert one.to_dict() == two.to_dict()
    assert 0.2 < one.macro.cass["kappa"] < 0.98


@pytest.mark.slow
def test_a_map_that_fails_in_a_worker_is_that_pair_alone(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 5)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    found = compare_corpora(ann, ben, n_jobs=2)
    assert [pair.name for pair in found.pairs] == ["map0", "map1", "map2", "map4"]
    assert [name for name, _ in found.failed] == ["map3"]
    assert "map3.json" in found.failed[0][1]
    assert compare_corpora(ann, ben).failed == found.failed


def test_results_in_a_file_are_the_results(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    found, plain = compare_corpora(*corpora, n_jobs=2, results=path), compare_corpora(*corpora)
    assert isinstance(found.pairs, ResultLines)
    assert list(found.pairs) == list(plain.pairs)
    assert found.pairs[-1] == plain.pairs[-1]
    assert found.pairs[2:4] == list(plain.pairs[2:4])
    assert found.to_dict() == plain.to_dict()
    assert len(path.read_text().splitlines()) == TEXTS + 1


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.31, 0.5, 0.77, 0.999, 1.0])
def test_a_run_cut_anywhere_ends_as_if_it_had_not_been(
    corpora: tuple[Path, Path], tmp_path: Path, share: float
) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    expected = compare_corpora(*corpora, results=whole, details=False)
    data = whole.read_bytes()
    cut.write_bytes(data[: int(len(data) * share)])
    found = compare_corpora(*corpora, results=cut, details=False, resume=True)
    assert cut.read_bytes() == data
    assert found.macro == expected.macro
    assert found.micro == expected.micro


def test_a_file_that_is_there_is_not_written_over(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("precious\n")
    with pytest.raises(InputError, match="already"):
        compare_corpora(*corpora, results=path)
    with pytest.raises(InputError, match="no line of results"):
        compare_corpora(*corpora, results=path, resume=True)
    path.write_text("precious")
    with pytest.raises(InputError, match="not a file of results"):
        compare_corpora(*corpora, results=path, resume=True)
    assert path.read_text() == "precious"


def test_another_runs_results_are_refused(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    compare_corpora(*corpora, results=path, details=False)
    before = path.read_bytes()
    with pytest.raises(InputError, match="other options"):
        compare_corpora(*corpora, results=path, details=False, resume=True, granularity="strict")
    with pytest.raises(InputError, match="choice of details"):
        compare_corpora(*corpora, results=path, resume=True)
    others = make_corpora(tmp_path / "others", TEXTS, seed=1)
    with pytest.raises(InputError, match="a map of map0 has changed"):
        compare_corpora(*others, results=path, details=False, resume=True)
    fewer = make_corpora(tmp_path / "fewer", TEXTS - 1)
    with pytest.raises(InputError, match="other corpora"):
        compare_corpora(*fewer, results=path, details=False, resume=True)
    assert path.read_bytes() == before


def test_two_runs_do_not_write_one_file(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    path = tmp_path / "results.jsonl"
    compare_corpora(*corpora, results=path, details=False)
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another run"):
            compare_corpora(*corpora, results=path, details=False, resume=True)


def test_nothing_in_common(tmp_path: Path) -> None:
    ann, _ = make_corpora(tmp_path / "a", 2)
    other = tmp_path / "b"
    other.mkdir()
    (other / "else.json").write_text((ann / "map0.json").read_text())
    with pytest.raises(InputError, match="no map in common"):
        compare_corpora(ann, other)
    assert compare_corpora(ann, other, missing="zero").macro.cass["kappa"] == 0


@pytest.mark.parametrize(
    "bad", [{"jobs": 0}, {"jobs": -2}, {"jobs": 10**6}, {"backend": "magic"}, {"backend": "dask"}, {"scheduler": "x"}]
)
def test_workers_out_of_range(bad: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        Workers(**bad)  # type: ignore[arg-type]


def test_results_that_just_end_are_not_taken_for_all(
    corpora: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = running.run_each
    monkeypatch.setattr(running, "run_each", lambda *given: islice(whole(*given), 5))
    with pytest.raises(RemoteError, match=f"went away after 5 of {TEXTS} pairs"):
        compare_corpora(*corpora)


def test_resuming_nothing(corpora: tuple[Path, Path]) -> None:
    with pytest.raises(OptionError, match="nothing to resume"):
        compare_corpora(*corpora, resume=True)
    with pytest.raises(NotFoundError):
        ResultLines("nowhere.jsonl")


_RUN = """
import sys
from aifgraph.cli import run
run()
"""


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 400)
    path = tmp_path / "results.jsonl"
    command = [sys.executable, "-c", _RUN, "compare", str(ann), str(ben), "--only", "cass", "--results", str(path)]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not (path.exists() and path.stat().st_size > 20_000) and time.monotonic() < deadline:
        time.sleep(0.005)
    run.send_signal(signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    assert path.read_bytes().count(b"\n") < 400
    assert subprocess.run([*command, "--resume"], stdout=subprocess.DEVNULL).returncode == 0
    whole = tmp_path / "whole.jsonl"
    compare_corpora(ann, ben, results=whole, details=False)
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="no limit on the size of files here")
def test_a_full_disk_gives_one_error_and_whole_lines(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000));"
    arguments = ["compare", *map(str, corpora), "--only", "cass", "--results", str(path)]
    run = subprocess.run([sys.executable, "-B", "-c", limit + _RUN, *arguments], capture_output=True, text=True)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "make room and resume" in run.stderr
    lines = path.read_bytes().splitlines(keepends=True)
    assert 1 < len(lines) < TEXTS + 1
    assert all(line.endswith(b"\n") and json.loads(line) for line in lines)
    whole = tmp_path / "whole.jsonl"
    compare_corpora(*corpora, results=whole, details=False)
    compare_corpora(*corpora, results=path, details=False, resume=True)
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.slow
def test_ctrl_c_is_clean(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 600)
    path = tmp_path / "results.jsonl"
    arguments = ["compare", str(ann), str(ben), "--only", "cass", "--results", str(path), "--jobs", "2"]
    run = subprocess.Popen(
        [sys.executable, "-c", _RUN, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 30
    while not (path.exists() and path.stat().st_size > 20_000) and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, error = run.communicate(timeout=20)
    assert run.returncode == 130
    assert error.split("\n") == ["", "aifgraph: interrupted", ""], error
    assert path.read_bytes().endswith(b"\n")


def _processes(session: int) -> list[str]:
    """The processes of a session that still run."""
    listed = subprocess.run(["ps", "-eo", "sid,stat,pid,args"], capture_output=True, text=True).stdout
    lines = [line.split(None, 2) for line in listed.splitlines()[1:]]
    return [rest for sid, state, rest in lines if sid == str(session) and not state.startswith("Z")]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt" or not shutil.which("ps"), reason="no ps here")
@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_parent(tmp_path: Path, ended_by: signal.Signals) -> None:
    ann, ben = make_corpora(tmp_path, 600)
    path = tmp_path / "results.jsonl"
    arguments = ["compare", str(ann), str(ben), "--only", "cass", "--results", str(path), "--jobs", "2"]
    run = subprocess.Popen(
        [sys.executable, "-c", _RUN, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 30
    while not (path.exists() and path.stat().st_size > 5_000) and time.monotonic() < deadline:
        time.sleep(0.005)
    assert len(_processes(run.pid)) >= 3
    run.send_signal(ended_by)
    run.wait()
    deadline = time.monotonic() + 10
    while (left := _processes(run.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    for line in left:
        os.kill(int(line.split()[0]), signal.SIGKILL)
    assert left == []
