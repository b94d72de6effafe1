"""What a service that is killed leaves behind: nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

MAP = json.dumps(
    {
        "nodes": [{"nodeID": str(at), "text": f"claim {at} " + "x y z " * 20, "type": "I"} for at in range(4000)],
        "edges": [],
    }
)


def post(address: str) -> None:
    parts = "".join(
        f'--X\r\nContent-Disposition: form-data; name="{side}"; filename="{side}.json"\r\n\r\n{MAP}\r\n'
        for side in ("first", "second")
    )
    headers = {"Content-Type": "multipart/form-data; boundary=X"}
    request = urllib.request.Request(f"{address}compare?format=html", f"{parts}--X--\r\n".encode(), headers)
    with suppress(OSError):
        urllib.request.urlopen(request, timeout=30).read()


@pytest.mark.parametrize("seconds", [0.05, 0.3, 1.0, 3.0])
def test_serve_leaves_no_file_when_it_is_killed(seconds: float, tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("TMPDIR", "HOME", "XDG_CACHE_HOME", "cwd")}
    for place in places.values():
        place.mkdir()
    environment = os.environ | {name: str(place) for name, place in places.items() if name.isupper()}
    served = subprocess.Popen(
        [sys.executable, "-m", "aifgraph", "serve", "--port", "0"],
        env=environment,
        cwd=places["cwd"],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert served.stdout
    address = served.stdout.readline().strip()
    asking = threading.Thread(target=post, args=(address,))
    asking.start()
    time.sleep(seconds)
    served.kill()
    served.wait()
    asking.join()
    time.sleep(1)  # its workers end by themselves
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
