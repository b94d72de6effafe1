"""``fetch`` ended at random moments: whole files only, and the next run does the rest."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aifdb.loopback import Server, a_map, a_zip

COUNT = 60


@pytest.fixture(params=["one by one", "archive"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    made = Server()
    members = {f"nodeset{number}.json": a_map(number) for number in range(1, COUNT + 1)}
    made.has_corpus("US", list(range(1, COUNT + 1)), a_zip(members) if request.param == "archive" else None)
    yield made
    made.close()


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_download_that_was_ended_goes_on(server: Server, ended_by: signal.Signals, tmp_path: Path) -> None:
    rng = random.Random(str(ended_by))
    names = ("AIFGRAPH_AIFDB_URL", "AIFGRAPH_CORPORA_URL", "AIFGRAPH_TEXT_URL")
    environment = {**os.environ, **dict.fromkeys(names, server.url)}
    command = [sys.executable, "-m", "aifgraph", "fetch", "US", "--pause", "0.02", "-o", str(tmp_path / "us")]
    for _ in range(6):
        run = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(rng.uniform(0.3, 3))
        run.send_signal(ended_by)
        _, error = run.communicate(timeout=120)
        assert b"Traceback" not in error
        for number in range(1, COUNT + 1):
            path = tmp_path / "us" / f"nodeset{number}.json"
            assert not path.exists() or path.read_bytes() == a_map(number)
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"{COUNT} of {COUNT} maps" in done.stderr
    asked = len(server.requests)
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert len(server.requests) == asked
