"""The service: what it answers, what it refuses, and that what a client calls its files stays a word."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import aifgraph

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from starlette.testclient import TestClient

from aifgraph.comparison.options import OPTIONS, Options
from aifgraph.errors import InputError
from aifgraph.report.service.app import Limits, application

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "debate"
FIRST, SECOND = ((FIXTURES / name).read_bytes() for name in ("first.json", "second.json"))
SMALL = b'{"nodes": [{"nodeID": 1, "type": "I", "text": "Masks help"}], "edges": []}'


def client(**limits: Any) -> TestClient:
    return TestClient(application(Limits(**limits)), base_url="http://127.0.0.1")


def files(first: bytes = FIRST, second: bytes = SECOND, name: str = "first.json") -> dict[str, tuple[str, bytes]]:
    return {"first": (name, first), "second": ("second.json", second)}


def test_the_numbers_are_those_of_the_library() -> None:
    with_texts = files() | {
        "first_text": ("first.txt", (FIXTURES / "first.txt").read_bytes()),
        "second_text": ("second.txt", (FIXTURES / "second.txt").read_bytes()),
    }
    found = client().post("/compare", files=with_texts)
    assert found.status_code == 200
    expected = aifgraph.compare(*(aifgraph.load(FIXTURES / name) for name in ("first.json", "second.json")))
    assert found.json()["cass"] == expected.cass
    assert found.headers["cache-control"] == "no-store"


def test_chance_is_worked_out_where_it_is_asked_for() -> None:
    found = client().post("/compare", files=files(), data={"chance": "4", "seed": "2"}).json()
    assert found["chance"]["rounds"] == 4
    assert "|chance:4.2|" in found["signature"]
    assert "chance" not in client().post("/compare", files=files(), data={"chance": ""}).json()
    refused = client().post("/compare", files=files(), data={"chance": "0"})
    assert refused.status_code == 422
    assert refused.json()["error"]["remedy"] == "give a whole number from 1 to 1000000"


@pytest.mark.slow
def test_a_page_is_given_where_it_is_asked_for() -> None:
    for found in (
        client().post("/compare?format=html", files=files(SMALL, SMALL)),
        client().post("/compare", files=files(SMALL, SMALL), data={"format": "html"}),
    ):
        assert found.status_code == 200
        assert found.text.startswith("<!DOCTYPE html>")
        assert "CASS-κ" in found.text


@pytest.mark.parametrize(
    "name",
    ["../../etc/</title>passwd\n", pytest.param("C:\\x\\..\\" + "x" * 300 + "evil.json", marks=pytest.mark.slow)],
)
def test_names_of_files_are_only_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = client().post("/compare", files=files(SMALL, SMALL, name))
    assert found.status_code == 200
    shown = found.json()["first"]["source"]
    assert "/" not in shown
    assert "\\" not in shown
    assert len(shown) <= 120
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("status", "given"),
    [
        (400, {"files": {"first": ("a.json", FIRST)}}),
        (400, {"files": files(b"not a map")}),
        (415, {"json": {"first": 1}}),
        (422, {"files": files(), "data": {"matching": "magic"}}),
        (422, {"files": files(), "data": {"format": "exe"}}),
        (413, {"files": files(b"x" * 300_000)}),
    ],
)
def test_refusals_say_what_and_what_to_do(status: int, given: dict[str, Any]) -> None:
    found = client(size=200_000).post("/compare", **given)
    assert found.status_code == status
    assert found.json()["error"]["what"]
    assert "Traceback" not in found.text


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ({"matching": "", "min_overlap": "0.6", "gate": "false"}, {"min_overlap": 0.6, "gate": False}),
        ({"relations": ["", "CA", "RA"]}, {"relations": ["RA", "CA"]}),
        ({"calculations": "PR+AS"}, {"calculations": ["propositional_relations", "argument_structure"]}),
    ],
)
def test_options_are_those_of_the_library(data: dict[str, Any], options: dict[str, Any]) -> None:
    response = client().post("/compare", files=files(), data=data)
    assert response.status_code == 200
    assert Options.parse(response.json()["signature"]) == Options(**options)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"min_overlap": "2"}, "min_overlap is '2'"),
        ({"gate": "perhaps"}, "gate is 'perhaps'"),
        ({"relations": [""]}, "relations is empty"),
        ({"minoverlap": "0.6"}, "there is no option 'minoverlap'"),
    ],
)
def test_options_out_of_range_are_refused(data: dict[str, Any], what: str) -> None:
    response = client().post("/compare", files=files(), data=data)
    assert response.status_code == 422
    assert response.json()["error"]["what"] == what
    assert response.json()["error"]["remedy"]


def test_the_form_as_it_stands_asks_for_the_defaults() -> None:
    page = client().get("/").text
    data: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="(?:number|hidden)" name="(\w+)" value="([^"]*)"', page):
        data.setdefault(name, []).append(value)
    for name, value in re.findall(r'<input type="checkbox" name="(\w+)" value="(\w+)" checked>', page):
        data.setdefault(name, []).append(value)
    for name, choices in re.findall(r'<select name="(\w+)">(.*?)</select>', page):
        data[name] = re.findall(r"<option selected>(\w+)</option>", choices)
        assert len(data[name]) == 1
    assert set(data) == set(OPTIONS) - {"meaning", "min_meaning"}  # there is no model
    response = client().post("/compare", files=files(), data=data)
    assert Options.parse(response.json()["signature"]) == Options()


def test_a_request_cannot_choose_which_files_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[object] = []
    monkeypatch.setattr("aifgraph.comparison.option.encoder_of", loaded.append)
    for data in ({"meaning": str(tmp_path)}, {"meaning": "some/model"}):
        refused = client().post("/compare", files=files(), data=data)
        assert refused.status_code == 422
        assert refused.json()["error"]["what"] == "there is no option 'meaning'"
    assert loaded == []
    refused = client().post("/compare", files=files(), data={"min_meaning": "0.6"})
    assert refused.json()["error"]["what"] == "this service has no model of sentences"


REWORDED = [
    json.dumps({"nodes": [{"nodeID": 1, "type": "I", "text": text}], "edges": []}).encode()
    for text in ("Zoos should be banned", "We ought to close every zoo")
]


@pytest.mark.slow
@pytest.mark.data
def test_a_request_switches_the_models_meaning_on(shared_data: Path) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    model = shared_data.parent / "models" / "all-minilm-l6-v2-int8"
    if not model.is_dir():
        pytest.skip(f"needs {model}")
    with_model = TestClient(application(meaning=str(model)), base_url="http://127.0.0.1")
    off = with_model.post("/compare", files=files(*REWORDED)).json()
    assert "|meaning:off|" in off["signature"]
    on = with_model.post("/compare", files=files(*REWORDED), data={"min_meaning": "0.5"}).json()
    assert "|meaning:all-minilm-l6-v2-int8@" in on["signature"]
    assert "|cos:0.5|" in on["signature"]
    assert (off["alignment"]["propositions"]["matched"], on["alignment"]["propositions"]["matched"]) == (0, 1)
    refused = with_model.post("/compare", files=files(), data={"min_meaning": "1.5"})
    assert (refused.status_code, refused.json()["error"]["what"]) == (422, "min_meaning is '1.5'")
    assert 'name="min_meaning" value=""' in with_model.get("/").text


def test_a_model_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        application(meaning=str(tmp_path))


def test_errors_for_readers_are_escaped_pages() -> None:
    found = client().post("/compare?format=html", files=files(b"<b>no</b>", name="<img src=x>"))
    assert found.status_code == 400
    assert "<img" not in found.text
    assert "default-src 'none'" in found.headers["content-security-policy"]


def test_time_is_bounded() -> None:
    started = time.monotonic()
    found = client(seconds=0.05).post("/compare", files=files())
    assert found.status_code == 504
    assert time.monotonic() - started < 5


def test_pages_of_elsewhere_cannot_ask() -> None:
    assert client().get("/", headers={"host": "evil.example"}).status_code == 400


def test_the_form() -> None:
    page = client().get("/")
    assert page.status_code == 200
    assert 'name="first_text"' in page.text


@pytest.mark.slow
def test_the_command_serves_on_loopback() -> None:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    served = subprocess.Popen([sys.executable, "-m", "aifgraph", "serve", "--port", str(port)], stderr=subprocess.PIPE)
    try:
        for _ in range(100):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
                    assert b"Compare two argument maps" in answer.read()
                break
            except OSError:
                assert served.poll() is None, served.stderr and served.stderr.read()
                time.sleep(0.1)
        else:
            pytest.fail("the service did not start")
    finally:
        served.terminate()
        served.communicate(timeout=10)


def test_pages_of_other_sites_are_refused() -> None:
    for origin, status in (("http://evil.example", 403), ("null", 403), ("http://127.0.0.1", 200)):
        assert client().post("/compare", files=files(), headers={"Origin": origin}).status_code == status


def _asgi(body: list[dict[str, Any]], app: Any) -> Any:
    """One raw request to the application, whose body comes as the messages say; then it waits."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if body:
            return body.pop(0)
        await asyncio.sleep(60)
        raise AssertionError("asked for more")

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"multipart/form-data; boundary=x")]
    scope = {"type": "http", "method": "POST", "path": "/compare", "query_string": b"", "headers": headers}
    scope |= {"scheme": "http", "server": ("127.0.0.1", 80), "http_version": "1.1", "asgi": {"version": "3.0"}}
    return app(scope, receive, send), sent


def test_a_body_that_drips_is_given_up() -> None:
    call, sent = _asgi([{"type": "http.request", "body": b"--x", "more_body": True}], application(Limits(arrival=0.2)))
    asyncio.run(asyncio.wait_for(call, 5))
    assert sent[0]["status"] == 408


@pytest.mark.slow
def test_who_is_busy_reads_no_body() -> None:
    async def both() -> dict[str, Any]:
        app = application(Limits(together=1, arrival=1))
        first, _ = _asgi([{"type": "http.request", "body": b"--x", "more_body": True}], app)
        waiting = asyncio.create_task(first)
        await asyncio.sleep(0.1)
        second, sent = _asgi([], app)  # it would wait for a body that never comes
        await asyncio.wait_for(second, 0.5)
        await waiting
        return dict(sent[0])

    answer = asyncio.run(both())
    assert answer["status"] == 503
    assert (b"retry-after", b"5") in answer["headers"]


def test_work_of_a_client_that_left_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    from aifgraph.report.service.http import Workers

    ended: list[str] = []

    async def slow(workers: Workers, job: object, seconds: float, **more: str) -> dict[str, Any]:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            ended.append("ended")
            raise
        return {}

    monkeypatch.setattr(Workers, "run", slow)
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="{name}"; filename="a.json"\r\n\r\n{{}}\r\n'
        for name in ("first", "second")
    ]
    body = ("".join(parts) + "--x--\r\n").encode()
    call, _ = _asgi([{"type": "http.request", "body": body}, {"type": "http.disconnect"}], application())
    asyncio.run(asyncio.wait_for(call, 5))
    assert ended == ["ended"]


def test_a_connection_without_a_request_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    uvicorn = pytest.importorskip("uvicorn")
    from aifgraph.report.service import http as protocol

    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.3)

    async def silent() -> bytes:
        config = uvicorn.Config(application(), port=0, http=protocol.BoundedProtocol, ws="none", log_level="error")
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: ")
        rest = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        server.should_exit = True
        await running
        return rest

    assert asyncio.run(silent()) == b""


def test_more_than_one_file_a_side_is_refused() -> None:
    given = [("first", ("a.json", SMALL)), ("first", ("b.json", SMALL)), ("second", ("c.json", SMALL))]
    found = client().post("/compare", files=given)
    assert (found.status_code, found.json()["error"]["where"]) == (400, "first")


def test_a_text_is_no_map() -> None:
    text = (FIXTURES / "first.txt").read_bytes()
    found = client().post("/compare", files={"first": ("first.txt", text), "second": ("second.json", SECOND)})
    assert found.status_code == 400
    assert found.json()["error"]["what"] == "a text, where a map is needed"
