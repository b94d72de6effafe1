"""What a service leaves behind that is killed: nothing; and what it keeps of the pairs that it has compared."""

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


def large_map(nodes: int, said: str) -> str:
    texts = [f"claim {at} {said} " + "x y z " * 20 for at in range(nodes)]
    return json.dumps(
        {"nodes": [{"nodeID": str(at), "text": text, "type": "I"} for at, text in enumerate(texts)], "edges": []}
    )


def post(address: str, nodes: int = 4000, said: str = "") -> bytes:
    parts = "".join(
        f'--X\r\nContent-Disposition: form-data; name="{side}"; filename="{side}.json"\r\n\r\n{map_}\r\n'
        for side in ("first", "second")
        for map_ in [large_map(nodes, said)]
    )
    headers = {"Content-Type": "multipart/form-data; boundary=X"}
    request = urllib.request.Request(f"{address}compare?format=html", f"{parts}--X--\r\n".encode(), headers)
    with suppress(OSError), urllib.request.urlopen(request, timeout=30) as answer:
        return bytes(answer.read())
    return b""


def memory(process: int) -> int:
    """The resident memory of a process and of all that it has started, in bytes."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text("utf-8").rpartition(")")[2].split()[1])
    family, found = {process}, -1
    while len(family) > found:
        found = len(family)
        family |= {child for child, parent in parents.items() if parent in family}
    pages = 0
    for each in family:
        with suppress(OSError):
            pages += int(Path(f"/proc/{each}/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_two_hundred_pairs_one_after_the_other_take_no_more_memory_than_twenty() -> None:
    served = subprocess.Popen(
        [sys.executable, "-m", "aifgraph", "serve", "--port", "0"],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert served.stdout
        address = served.stdout.readline().strip()
        used = []
        for pair in range(200):
            assert b"</html>" in post(address, nodes=30, said=f"of pair {pair}")
            used.append(memory(served.pid))
        early, late = max(used[10:20]), max(used[-10:])
        print(f"{early / 1e6:.1f} MB after 20 pairs, {late / 1e6:.1f} MB after 200")
        assert late < 1.1 * early, used
    finally:
        served.kill()
        served.wait()


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
