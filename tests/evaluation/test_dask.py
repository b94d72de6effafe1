"""A Dask cluster of separate processes on this machine: the numbers of one process, matching by meaning, too."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.errors import OptionError
from aifgraph.evaluation import workers as running
from aifgraph.evaluation.run import compare_corpora
from comparison.maps import letter_counts, reconstructed_pair
from evaluation.small_corpora import make_corpora
from sampled import at_night

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts ``python -m distributed.cli.…``; everything started is ended."""
    pytest.importorskip("distributed")
    started: list[subprocess.Popen[bytes]] = []

    def run(kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments]
        log = (tmp_path / f"{kind}{len(started)}.log").open("wb")
        started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.wait()


def cluster(start: Start, workers: int) -> tuple[str, subprocess.Popen[bytes], list[subprocess.Popen[bytes]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    return address, scheduler, [start("worker", address, *options) for _ in range(workers)]


@pytest.mark.slow
@pytest.mark.parametrize("ship", [False, pytest.param(True, marks=at_night)])
def test_a_cluster_that_loses_a_worker_gives_the_numbers_of_one_process(
    tmp_path: Path, start: Start, ship: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "CHUNK", 8)
    ann, ben = make_corpora(tmp_path, 120)
    address, _, workers = cluster(start, 2)
    time.sleep(1.5)

    def kill(done: int, of: int) -> None:
        if done == 40:
            os.kill(workers[0].pid, signal.SIGKILL)

    path = tmp_path / "results.jsonl"
    found = compare_corpora(ann, ben, classes=False, scheduler=address, ship=ship, results=path, progress=kill)
    assert workers[0].wait(10) == -signal.SIGKILL
    expected = compare_corpora(ann, ben, classes=False, results=tmp_path / "one.jsonl")
    assert path.read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert found.macro == expected.macro
    assert found.micro == expected.micro


@pytest.mark.slow
def test_workers_that_die_while_they_start_are_not_blamed_on_the_install(
    tmp_path: Path, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, ben = map(str, make_corpora(tmp_path, 3))
    address, _, _ = cluster(start, 0)
    preload = tmp_path / "dies.py"
    preload.write_text("import os, threading\ndef dask_setup(worker): threading.Timer(0.01, os._exit, [1]).start()\n")
    dying = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--preload", str(preload))
    over = threading.Event()

    def again() -> None:
        while not over.is_set():
            start("worker", address, *dying).wait()

    starting = threading.Thread(target=again)
    starting.start()
    try:
        assert main(["compare", ann, ben, "--scheduler", address]) == 2
    finally:
        over.set()
        starting.join()
    error = capsys.readouterr().err
    assert "install" not in error
    assert re.search("the workers ended before they could answer|the scheduler has no workers", error), error
    cluster_worker = start("worker", address, *dying[:-2])  # one that lives is enough
    assert main(["compare", ann, ben, "--scheduler", address, "--only", "cass"]) == 0
    assert cluster_worker.poll() is None


@pytest.mark.slow
def test_no_scheduler(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ann, ben = map(str, make_corpora(tmp_path, 1))
    begin = time.monotonic()
    assert main(["compare", ann, ben, "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert time.monotonic() - begin < 12
    error = capsys.readouterr().err
    assert "no scheduler answers" in error
    assert len(error.splitlines()) == 1
    assert main(["compare", ann, ben, "--scheduler", "nonsense::"]) == 2


PAIRS = 8
OPTIONS = {"meaning": letter_counts, "min_meaning": 0.7, "chance": 3}


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders of maps with texts beside them, in which much is reconstructed."""
    for number in range(PAIRS):
        given = reconstructed_pair(number)
        for side in ("first", "second"):
            path = tmp_path / side / f"map{number}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(given[side]), encoding="utf-8")
            path.with_suffix(".txt").write_text(given[f"{side}_text"], encoding="utf-8")
    return tmp_path / "first", tmp_path / "second"


def test_the_maps_have_matches_by_meaning(corpora: tuple[Path, Path]) -> None:
    pairs = compare_corpora(*corpora, **OPTIONS).pairs
    assert any(pair.matches.propositions.by_meaning for pair in pairs)


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one(corpora: tuple[Path, Path]) -> None:
    assert compare_corpora(*corpora, **OPTIONS, jobs=2).to_dict() == compare_corpora(*corpora, **OPTIONS).to_dict()


@pytest.mark.slow
@pytest.mark.parametrize("ship", [pytest.param(False, marks=at_night), True])
def test_a_cluster_gives_the_numbers_of_one_process(
    corpora: tuple[Path, Path], start: Start, ship: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[1]}:{Path(aifgraph.__file__).parents[1]}")
    address, _, _ = cluster(start, 2)
    found = compare_corpora(*corpora, **OPTIONS, scheduler=address, ship=ship)
    assert found.to_dict() == compare_corpora(*corpora, **OPTIONS).to_dict()


class Unpicklable:
    """A model that no other process can be given."""

    def __init__(self) -> None:
        self.file = sys.stdout

    def __call__(self, texts: list[str]) -> list[list[int]]:
        return letter_counts(texts)


def test_a_callable_that_cannot_travel_is_one_clear_error(corpora: tuple[Path, Path]) -> None:
    options = {**OPTIONS, "meaning": Unpicklable()}
    assert compare_corpora(*corpora, **options).macro.pairs == PAIRS
    with pytest.raises(OptionError, match="cannot be sent to other processes") as error:
        compare_corpora(*corpora, **options, jobs=2)
    assert "function of a module" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_notebook_says_how_many_matches_came_about_by_meaning() -> None:
    for seed in range(PAIRS):
        given = reconstructed_pair(seed)
        graphs = [aifgraph.loads(json.dumps(given[side])) for side in ("first", "second")]
        texts = {f"{side}_text": given[f"{side}_text"] for side in ("first", "second")}
        result = aifgraph.compare(*graphs, **texts, **OPTIONS)
        if result.to_dict()["alignment"]["propositions"]["by_meaning"]:
            assert "matches are by meaning, which is no agreement" in result._repr_html_()
            return
    pytest.fail("no pair has a match by meaning")
