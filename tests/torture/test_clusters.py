"""A run on a Dask cluster, ended at random moments: the lines are whole, and the next run does the rest."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.small_corpora import make_corpora

pytest.importorskip("distributed")

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)
ROUNDS = 3


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("cluster")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    common = ["--host", "127.0.0.1", "--no-dashboard"]
    found = f"tcp://127.0.0.1:{port}"
    words = [["scheduler", "--port", str(port), *common]]
    words += [["worker", found, "--nthreads", "1", "--no-nanny", *common]] * 2
    started = []
    for kind, *more in words:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *more]
        log = (place / f"{len(started)}.log").open("wb")
        started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=place))
        time.sleep(2)
    yield found
    for each in started:
        each.kill()
        each.wait()


@pytest.mark.parametrize("ended_by", SIGNALS)
def test_a_run_on_a_cluster_that_was_ended_goes_on(ended_by: signal.Signals, address: str, tmp_path: Path) -> None:
    rng = random.Random(str(ended_by))
    ann, ben = make_corpora(tmp_path / "made", 300)
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    command = [sys.executable, "-m", "aifgraph", "compare", str(ann), str(ben), "--only", "cass", "--results"]
    subprocess.run([*command, str(whole)], check=True, capture_output=True)
    on_cluster = [*command, str(cut), "--resume", "--scheduler", address]
    for _ in range(ROUNDS):
        run = subprocess.Popen(on_cluster, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(rng.uniform(0.5, 6))
        run.send_signal(ended_by)
        _, error = run.communicate(timeout=60)
        assert b"Traceback" not in error, error
        if cut.exists():
            assert whole.read_bytes().startswith(cut.read_bytes())
    subprocess.run(on_cluster, check=True, capture_output=True)
    assert cut.read_bytes() == whole.read_bytes()
