"""``fetch`` ended at random moments: whole files only, and the next run does the rest."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from aifdb.loopback import Server, a_map, a_zip
from aifgraph.files import MAPS

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)
COUNT = 60
#: The command line with hardly a pause between two requests.
QUICKLY = """
import sys, time
try:
    from aifgraph.aifdb.web import Web
    from aifgraph.cli import run
except KeyboardInterrupt:
    sys.exit(130)
Web._wait = lambda *_: time.sleep(0.02)
run()
"""
ROUNDS = 6


@pytest.fixture(params=["one by one", "archive"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    made = Server()
    members = {f"nodeset{number}.json": a_map(number) for number in range(1, COUNT + 1)}
    made.has_corpus("US", list(range(1, COUNT + 1)), a_zip(members) if request.param == "archive" else None)
    yield made
    made.close()


@pytest.mark.parametrize("ended_by", SIGNALS)
def test_a_download_that_was_ended_goes_on(server: Server, ended_by: signal.Signals, tmp_path: Path) -> None:
    rng = random.Random(str(ended_by))
    settings = {"AIFGRAPH_AIFDB_URL": server.url, "AIFGRAPH_CORPORA_URL": server.url, "AIFGRAPH_TEXT_URL": server.url}
    command = [sys.executable, "-c", QUICKLY, "fetch", "US", "-o", str(tmp_path / "us")]
    for _ in range(ROUNDS):
        run = subprocess.Popen(
            command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        time.sleep(rng.uniform(0.3, 3))
        run.send_signal(ended_by)
        _, error = run.communicate(timeout=120)
        assert b"Traceback" not in error
        for number in range(1, COUNT + 1):
            path = tmp_path / "us" / f"nodeset{number}.json"
            assert not path.exists() or path.read_bytes() == a_map(number)
        if (tmp_path / "us" / MAPS).exists():  # whole, or not there at all
            with zipfile.ZipFile(tmp_path / "us" / MAPS) as archive:
                assert len(archive.namelist()) == COUNT
                assert archive.testzip() is None
    done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "failed" not in done.stderr
    assert f"{COUNT} of {COUNT} maps" in done.stderr
    assert not [path.name for path in (tmp_path / "us").rglob("*.part")]
    asked = len(server.requests)
    subprocess.run(command, env={**os.environ, **settings}, check=True, capture_output=True)
    assert len(server.requests) == asked
