"""What the web app answers to two maps and two corpora, and what it refuses."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests

import aifgraph
from aifdb.loopback import Server as FakeAIFdb
from aifgraph.cli import main
from aifgraph.report.app.jobs import Jobs
from aifgraph.report.app.web import Server

CORPORA = {"first": "debates/ann", "second": "debates/ben"}
MAPS = {"first": "debate/first.json", "second": "debate/second.json"}
HEADERS = ("content-security-policy", "x-frame-options", "x-content-type-options", "cross-origin-resource-policy")


def files(first: bytes, second: bytes, names: tuple[str, str] = ("ann.json", "ben.json")) -> dict[str, Any]:
    return {"first_file": (names[0], first), "second_file": (names[1], second)}


def zipped(folder: Path) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, path.name)
    return target.getvalue()


def error(answer: requests.Response) -> dict[str, str]:
    """Return the error of an answer, which has the one form."""
    document = answer.json()["error"]
    assert {*document} == {"what", "where"}
    assert "Traceback" not in answer.text
    return document  # type: ignore[no-any-return]


def raw(client: Any, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", int(client.url.rpartition(":")[2]))) as connection:
        connection.settimeout(10)
        connection.sendall(request)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
        return answer


# -- pages -------------------------------------------------------------------------------------------------------------


def test_two_uploads_give_the_page_of_the_command(client: Any, fixtures: Path, tmp_path: Path) -> None:
    for side, name in (("first", "ann.json"), ("second", "ben.json")):
        (tmp_path / name).write_bytes((fixtures / f"debate/{side}.json").read_bytes())
    both = (tmp_path / "ann.json").read_bytes(), (tmp_path / "ben.json").read_bytes()
    answer = client.compare(files=files(*both))
    assert (
        main(["compare", *(str(tmp_path / f"{name}.json") for name in ("ann", "ben")), "-o", str(tmp_path / "p.html")])
        == 0
    )
    assert answer.content == (tmp_path / "p.html").read_bytes()


def test_two_corpora_give_the_pages_of_the_command(client: Any, fixtures: Path, tmp_path: Path) -> None:
    answer = client.compare(data=CORPORA)
    command = ["compare", *(str(fixtures / f"debates/{side}") for side in ("ann", "ben")), "--format", "html"]
    assert main([*command, "-o", str(tmp_path / "pages")]) == 0
    assert answer.content == (tmp_path / "pages/index.html").read_bytes()
    pages = sorted((tmp_path / "pages/pairs").iterdir())
    assert len(pages) == 3
    for page in pages:
        assert client("GET", answer.url.replace("index.html", f"pairs/{page.name}")).content == page.read_bytes()


@pytest.mark.slow
def test_two_corpora_as_zip_with_options(client: Any, fixtures: Path) -> None:
    both = (zipped(fixtures / "debates/ann"), zipped(fixtures / "debates/ben"))
    options = {"options": "matching=optimal relations=RA+CA", "pair_by": "text"}
    by_upload = client.compare(files=files(*both, names=("ann.zip", "ben")), data=options)
    assert "matching=optimal" in by_upload.text
    assert "relations=RA+CA" in by_upload.text
    assert "pair_by=text" in by_upload.text
    by_path = client.compare(data=CORPORA | options)
    assert by_upload.text.replace("ann.zip", "ann").replace("ben.zip", "ben") == by_path.text


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"first": "debate/first.json"}, "nothing is given"),
        (MAPS | {"second": "aifdb:17940"}, "there is no"),
        *((MAPS | {"second": path}, "below the folders of this server") for path in (
            "debate/../../pyproject.toml", "/etc/passwd", "debate//etc/passwd", "..", "debate/\0", "nowhere/x",
            "debate/.", "x" * 999,
        ) if path != "debate/."),
        pytest.param(MAPS | {"second": "debates/ann"}, "one is a corpus", marks=pytest.mark.slow),
        pytest.param(CORPORA | {"options": "magic=on"}, "no option", marks=pytest.mark.slow),
        pytest.param(CORPORA | {"options": "matching=magic"}, "matching", marks=pytest.mark.slow),
        pytest.param(MAPS | {"options": "meaning=/etc/passwd"}, "meaning", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_refused_inputs(client: Any, data: dict[str, str], what: str) -> None:
    answer = client.compare(data=data)
    assert answer.status_code == 400
    assert what in answer.text


def test_links_and_hidden_files_are_not_read(in_process: Callable[..., Any], fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "secret.json").write_bytes((fixtures / "debate/first.json").read_bytes())
    (tmp_path / "maps/link.json").symlink_to(tmp_path / "secret.json")
    (tmp_path / "maps/.hidden.json").write_bytes((fixtures / "debate/first.json").read_bytes())
    client = in_process(Server({"maps": tmp_path / "maps"}))
    for name in ("maps/link.json", "maps/.hidden.json"):
        assert client.compare(data={"first": name, "second": name}).status_code == 400
        assert error(client("POST", "/api/check", json={"map": name}))["where"] == "map"
    assert ".hidden" not in client("GET", "/").text


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["../../evil.json", "/etc/cron.d/x", "C:\\x.json", "a\nb.json", "x" * 300, "<script>.json", ".json", "json.py"],
)
def test_names_of_uploads_are_only_shown(client: Any, fixtures: Path, name: str) -> None:
    both = ((fixtures / f"debate/{side}.json").read_bytes() for side in ("first", "second"))
    answer = client.compare(files=files(*both, names=(name, "ben.json")))
    assert answer.status_code == 200
    assert "<script>.json" not in answer.text


@pytest.mark.slow
def test_damaged_uploads(client: Any, fixtures: Path) -> None:
    second = (fixtures / "debate/second.json").read_bytes()
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.json", b" " * (200 << 20))
    answer = client.compare(files=files(b'{"nodes": [', second))
    assert answer.status_code == 400
    assert "ann.json" in answer.text
    for both in ((bomb.getvalue(), bomb.getvalue()), (b"PK\3\4", b"PK\3\4"), (b"", b"")):
        answer = client.compare(files=files(*both))
        assert answer.status_code in (200, 400, 413)
        assert "Traceback" not in answer.text


# -- for programs ------------------------------------------------------------------------------------------------------


def test_compare_as_json(client: Any, fixtures: Path) -> None:
    options = {"matching": "optimal", "gate": False, "min_overlap": 0.6, "relations": ["RA", "CA"]}
    first = json.loads((fixtures / MAPS["first"]).read_text("utf-8"))
    answer = client("POST", "/api/compare", json={"first": first, "second": MAPS["second"], "options": options}).json()
    result = aifgraph.compare(first, fixtures / MAPS["second"], **options)
    expected = json.loads(json.dumps(result.to_dict()))
    for key in ("mean", "cass", "layers", "calculations", "signature", "segmentation"):
        assert answer["result"][key] == expected[key]
    assert [row["row"] for row in answer["differences"]] == [row.id for row in result.differences()]


@pytest.mark.slow
def test_corpora_as_json(client: Any, fixtures: Path) -> None:
    answer = client("POST", "/api/compare", json=CORPORA).json()
    result = aifgraph.compare_corpora(*(fixtures / place for place in CORPORA.values())).to_dict()
    assert answer["result"]["macro"] == json.loads(json.dumps(result["macro"]))


def test_check_as_json(client: Any) -> None:
    nodes = [{"nodeID": id, "type": "I", "text": id} for id in "12"]
    document = {"nodes": nodes, "edges": [{"edgeID": "1", "fromID": "1", "toID": "2"}]}
    answer = client("POST", "/api/check", json={"map": document}).json()
    assert not answer["ok"]
    assert answer["findings"][0]["code"] == "E111"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 422),
        (b"[" * 200_000, 422),
        (b'{"first": {}, "second": []}', 422),
        (b'{"first": {}, "second": {}, "more": 1}', 422),
        (b'{"first": "debate/nothing", "second": {}}', 400),
        pytest.param(b'{"first": {"nodes": 1}, "second": {}}', 400, marks=pytest.mark.slow),
        pytest.param(
            b'{"first": {}, "second": {}, "options": {"meaning": "/etc/passwd"}}', 400, marks=pytest.mark.slow
        ),
        pytest.param(b'{"first": {}, "second": {}, "options": {"magic": true}}', 400, marks=pytest.mark.slow),
    ],
)
def test_errors_have_one_form(client: Any, body: bytes, status: int) -> None:
    answer = client("POST", "/api/compare", data=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (status, 400)
    error(answer)


def test_openapi_describes_the_results(client: Any) -> None:
    document = client("GET", "/openapi.json").json()
    assert [*document["paths"]] == ["/api/compare", "/api/check"]
    schemas = document["components"]["schemas"]
    assert {"signature", "calculations", "segmentation"} <= {*schemas["PairResult"]["properties"]}
    assert {"code", "rule", "message", "nodes"} == {*schemas["Finding"]["properties"]}
    assert "/api/compare" in client("GET", "/api").text


# -- what every request passes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 200), ("GET", "/nothing", 404), ("DELETE", "/", 405), ("POST", "/api/compare", 422),
     ("GET", "/results/x", 404), ("GET", "/results/x/index.html", 404), ("GET", "/pairs/0/", 404)],
)  # fmt: skip
def test_headers_on_every_answer(client: Any, method: str, path: str, status: int) -> None:
    answer = client(method, path)
    assert answer.status_code == status
    assert all(name in answer.headers for name in HEADERS)
    assert "server" not in answer.headers
    if status >= 400:
        error(answer)


def test_a_fault_has_headers_and_no_traceback(limited: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Jobs, "prepare", lambda self: 1 / 0)
    answer = limited()("POST", "/", data=CORPORA)
    assert answer.status_code == 500
    assert all(name in answer.headers for name in HEADERS)
    assert "ZeroDivisionError" not in error(answer)["what"]


def test_headers_where_there_is_no_http(client: Any) -> None:
    answer = raw(client, b"NONSENSE\r\n\r\n").lower()
    assert b" 400 " in answer
    assert all(name.encode() in answer for name in HEADERS)


@pytest.mark.parametrize(
    ("host", "status"),
    [("evil.example", 400), ("127.0.0.1.evil.example", 400), ("", 400), ("localhost@evil.example", 400), ("[::1]", 200),
     ("localhost", 200), ("127.0.0.1:9", 200)],
)  # fmt: skip
def test_hosts(client: Any, host: str, status: int) -> None:
    answer = raw(client, f"GET /openapi.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert f" {status} ".encode() in answer.split(b"\r\n")[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Origin", "http://127.0.0.1:1"),
    ],
)
def test_other_origins_change_nothing(client: Any, name: str, value: str) -> None:
    for path in ("/", "/api/compare", "/results/x/cancel"):
        assert error(client("POST", path, headers={name: value}))["where"] == "Origin"


def test_large_bodies(limited: Callable[..., Any]) -> None:
    client = limited(upload=100_000)
    assert client("POST", "/", files=files(b" " * 200_000, b"{}")).status_code == 413
    pieces = (piece for piece in [b'{"first": {"x": "', *[b"y" * 10_000] * 30])
    assert client("POST", "/api/compare", data=pieces, headers={"Content-Type": "application/json"}).status_code == 413


def test_slow_requests_are_cut_off(in_process: Callable[..., Any]) -> None:
    client = in_process(Server(), head_seconds=0.3, body_seconds=0.3)
    start = time.monotonic()
    assert raw(client, b"GET / HTTP/1.1\r\nHost: loc") == b""
    head = (
        b"POST /api/compare HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    )
    assert b" 408 " in raw(client, head).split(b"\r\n")[0]
    assert time.monotonic() - start < 5
    assert client("GET", "/").status_code == 200


# -- processes and limits ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("limits", "statuses"), [({"seconds": 0.2}, {504}), ({"memory": 64 << 20}, {413, 500})])
def test_a_comparison_ends_at_its_limit(limited: Callable[..., Any], limits: Any, statuses: set[int]) -> None:
    answer = limited(**limits).compare(data=CORPORA)
    assert answer.status_code in statuses
    assert "Traceback" not in answer.text


@pytest.mark.slow
def test_waiting_and_cancelling(limited: Callable[..., Any]) -> None:
    client, answers = limited(waiting=4), list[requests.Response]()

    def ask() -> None:
        answers.append(requests.post(client.url, data=CORPORA, allow_redirects=False, timeout=60))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {303, 503}
    places = [answer.headers["location"] for answer in answers if answer.status_code == 303]
    waiting = [place for place in places if "Comparing" in client("GET", place).text]
    assert {*client("GET", f"{waiting[-1]}/state").json()} == {"done", "total", "finished"}
    assert client("POST", f"{waiting[-1]}/cancel", allow_redirects=False).status_code == 303
    assert client("GET", waiting[-1]).status_code == 404


@pytest.mark.slow
def test_old_results_are_removed(limited: Callable[..., Any]) -> None:
    client = limited(results=2)
    places = [client.compare(data=MAPS).url for _ in range(4)]
    assert [client("GET", place).status_code for place in places] == [404, 404, 200, 200]


def workers(parent: int) -> list[str]:
    found = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True, check=False)
    return found.stdout.split()


@pytest.mark.slow
def test_memory_stays_where_it_was(process: Callable[..., Any], fixtures: Path) -> None:
    server = process(fixtures)

    def compare(times: int) -> int:
        for _ in range(times):
            assert server.compare(data={side: f"fixtures/{place}" for side, place in MAPS.items()}).status_code == 200
        status = Path(f"/proc/{server.process.pid}/status").read_text("utf-8")
        return int(status.split("VmRSS:")[1].split()[0]) // 1024

    before = compare(5)
    assert compare(30) < before + 5  # MB
    assert not workers(server.process.pid)
    assert "Traceback" not in server.close()


@pytest.mark.slow
def test_work_ends_with_the_server_and_with_the_client(process: Callable[..., Any], fixtures: Path) -> None:
    server = process(fixtures / "debates")
    ask = f"import requests; requests.post({server.url!r} + '/', data={CORPORA})"
    asking = subprocess.Popen([sys.executable, "-c", ask], stderr=subprocess.DEVNULL)
    while not (started := workers(server.process.pid)):
        assert asking.poll() is None
    server.kill()
    asking.wait()
    end = time.monotonic() + 20
    while any(
        Path("/proc", pid).exists() and " Z " not in Path("/proc", pid, "stat").read_text("utf-8") for pid in started
    ):
        assert time.monotonic() < end
    again = process(fixtures / "debates")
    with pytest.raises(requests.Timeout):
        again("POST", "/api/compare", json=CORPORA, timeout=0.15)
    end = time.monotonic() + 20
    while workers(again.process.pid):
        assert time.monotonic() < end


@pytest.mark.slow
def test_aifdb_by_name(process: Callable[..., Any], tmp_path: Path) -> None:
    aifdb = FakeAIFdb()
    aifdb.has_corpus("Debate", [101])
    aifdb.has_map(102)
    env = {"AIFGRAPH_AIFDB_URL": aifdb.url, "AIFGRAPH_CORPORA_URL": aifdb.url, "AIFGRAPH_CACHE": str(tmp_path)}
    server = process("--aifdb", **env)
    answer = server.compare(data={"first": "aifdb:101", "second": "aifdb:102"})
    assert answer.status_code == 200
    assert "Claim 101" in answer.text
    assert "Claim 102" in answer.text
    assert server.compare(data={"first": "aifdb:Debate", "second": "aifdb:Debate"}).url.endswith("index.html")
    missing = server.compare(data={"first": "aifdb:101", "second": "aifdb:103"})
    assert missing.status_code == 400
    assert "103" in missing.text
    aifdb.close()
