"""A Dask cluster of separate processes on this machine, one of them killed in mid-run: the numbers of one process."""

from __future__ import annotations

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

from aifgraph.cli import main
from aifgraph.evaluation import workers as running
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.workers import Workers
from evaluation.small_corpora import make_corpora

pytest.importorskip("distributed")

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts ``python -m distributed.cli.…``; everything started is ended."""
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
@pytest.mark.parametrize("ship", [False, True])
def test_a_cluster_that_loses_a_worker_gives_the_numbers_of_one_process(
    tmp_path: Path, start: Start, ship: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "CHUNK", 8)
    ann, ben = make_corpora(tmp_path, 400)
    address, _, workers = cluster(start, 2)
    time.sleep(1.5)

    def kill(done: int, of: int) -> None:
        if done == 40:
            os.kill(workers[0].pid, signal.SIGKILL)

    path = tmp_path / "results.jsonl"
    cluster_ = Workers(backend="dask", scheduler=address, ship=ship)
    found = compare_corpora(ann, ben, details=False, workers=cluster_, results=path, progress=kill)
    assert workers[0].wait(10) == -signal.SIGKILL
    expected = compare_corpora(ann, ben, details=False, results=tmp_path / "one.jsonl")
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
