"""The service of an adjudication: what it answers and refuses, and that two who decide at once lose nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import aifgraph

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from starlette.testclient import TestClient

from aifgraph.adjudication.study import Study
from aifgraph.cli import main
from aifgraph.comparison.options import Options
from aifgraph.corpus import open_corpus
from aifgraph.corpus.pairing import Pair, Pairing
from aifgraph.report.service.adjudication import application
from aifgraph.report.service.app import Limits
from aifgraph.report.service.app import application as comparing

DEBATE = Path("fixtures/debate")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    entries = []
    for side in ("first", "second"):
        for suffix in (".json", ".txt"):
            shutil.copy(DEBATE / f"{side}{suffix}", tmp_path / f"{side}{suffix}")
        entries.append(open_corpus(tmp_path / f"{side}.json")[0])
    with Study(tmp_path / "out", Pairing((Pair(entries[0], entries[1], "given"),)), Options()) as opened:
        yield opened


@pytest.fixture
def client(study: Study) -> TestClient:
    return opened(study)


def opened(study: Study, **options: Any) -> TestClient:
    """A client that sends with each request what a page of the service sends with a decision."""
    client = TestClient(
        application(study, by="Cleo", **options), base_url="http://127.0.0.1", raise_server_exceptions=False
    )
    _, _, token = client.get("/").text.partition('name="token" value="')
    client.headers["X-Aifgraph-Token"] = token.partition('"')[0]
    return client


def decide(client: TestClient, row: str, decision: str, seen: dict[str, str] | None = None, **more: Any) -> Any:
    given = {"row": row, "decision": decision, "seen": seen or {}, **more}
    return client.post("/pairs/1/decisions", json=given)


def test_a_decision_is_answered_when_it_is_in_the_file(client: TestClient, study: Study) -> None:
    row, *_ = rows = list(study.pairs[0].decisions.rows())
    answer = decide(client, row, "second", note="why not")
    assert answer.status_code == 200
    assert answer.json().keys() == {"decision", "note", "by", "when"}
    assert f"\tsecond\twhy not\tCleo\t{answer.json()['when']}\n" in study.pairs[0].decisions.path.read_text("utf-8")
    shown = client.get("/pairs/1/decisions").json()
    assert shown["rows"] == {row: answer.json()}
    assert "rows" not in client.get("/pairs/1/decisions", params={"state": shown["state"]}).json()
    assert client.get("/pairs/1/decisions.tsv").text == study.pairs[0].decisions.path.read_text("utf-8")
    page = client.get("/").text
    assert f"1 of {len(rows)} differences of 1 pair are decided" in page
    assert "Cleo" in page


def test_the_list_has_the_texts_in_order_of_what_they_cost(tmp_path: Path) -> None:
    ann, ben = (open_corpus(Path("fixtures/debates") / side) for side in ("ann", "ben"))
    pairing = Pairing(tuple(Pair(one, ben[one.name], "given") for one in ann if one.name in ben.names))
    with Study(tmp_path / "out", pairing, Options()) as study:
        costs = [sum(row.decisions for row in pair.compared(Options()).differences()) for pair in study.pairs]
        listed = opened(study).get("/").text
    shown = [int(number) - 1 for number in re.findall(r'<th scope="row"><a href="/pairs/(\d+)">', listed)]
    assert [costs[number] for number in shown] == sorted(costs, reverse=True)
    assert costs != sorted(costs, reverse=True)
    assert listed.count("Most depends on: <bdi>") == sum(cost > 0 for cost in costs)


@pytest.mark.parametrize("wording", ["second", "longer", pytest.param("first", marks=pytest.mark.slow)])
def test_the_merged_map_and_the_gold_map_are_those_of_merge(wording: Any, study: Study, tmp_path: Path) -> None:
    client = opened(study, wording=wording)
    decisions = {}
    for number, (row, record) in enumerate(study.pairs[0].decisions.rows().items()):
        decisions[row] = ("first", "second")[number % 2]
        if record["kind"] == "reworded":
            decisions.pop(row)
            continue
        assert decide(client, row, decisions[row]).status_code == 200
    maps = [aifgraph.load(tmp_path / f"{side}.json") for side in ("first", "second")]
    expected = aifgraph.merge(*maps, decisions=decisions, wording=wording).graph
    answer = client.get("/pairs/1/merged.json")
    assert answer.status_code == 200
    assert len(aifgraph.loads(answer.text)) == len(expected)
    assert "1 gold map in" in client.post("/finish", data={"token": client.headers["X-Aifgraph-Token"]}).text
    file = study.pairs[0].decisions.path
    gold = tmp_path / "gold.json"
    arguments = [*(str(tmp_path / f"{side}.json") for side in ("first", "second")), "--decisions", str(file)]
    assert main(["merge", *arguments, "--wording", wording, "-o", str(gold)]) == 0
    written = next((tmp_path / "out" / "gold").glob("*.json"))
    assert written.read_bytes() == gold.read_bytes() == answer.content


def test_the_page_of_a_pair(client: TestClient) -> None:
    page = client.get("/pairs/1")
    assert page.status_code == 200
    assert "CASS-κ" in page.text
    assert "default-src &#39;none&#39;" in page.text


@pytest.mark.parametrize(
    ("status", "given"),
    [
        (400, {"json": []}),
        (400, {"json": {"row": 1}}),
        (400, {"json": {"row": "x", "seen": {"when": 3}}}),
        (400, {"content": b"{" * 100_000, "headers": {"content-type": "application/json"}}),
        (415, {"data": {"row": "x", "decision": "first"}}),
        (415, {"content": b'{"row": "x"}', "headers": {"content-type": "text/plain"}}),
        (413, {"json": {"row": "x" * (1 << 20)}}),
        (422, {"json": {"row": "x", "decision": "first", "seen": {}}}),
        (403, {"json": {"row": "x"}, "headers": {"origin": "http://evil.example"}}),
        (403, {"json": {"row": "x"}, "headers": {"origin": "null"}}),
        (403, {"json": {"row": "x"}, "headers": {"sec-fetch-site": "cross-site"}}),
    ],
)
def test_what_is_refused(client: TestClient, study: Study, status: int, given: dict[str, Any]) -> None:
    before = study.pairs[0].decisions.path.read_bytes()
    answer = client.post("/pairs/1/decisions", **given)
    assert answer.status_code == status
    assert answer.json()["error"]["what"]
    assert study.pairs[0].decisions.path.read_bytes() == before


def test_other_sites_cannot_finish_or_ask(client: TestClient, tmp_path: Path) -> None:
    assert client.post("/finish", headers={"origin": "http://evil.example"}).status_code == 403
    assert not (tmp_path / "out" / "gold").exists()
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/pairs/2").status_code == 404
    assert client.get("/pairs/0/decisions").status_code == 404


@pytest.mark.parametrize("given", ["", "x", "\xe9"])
def test_who_cannot_read_the_pages_cannot_decide_or_finish(
    client: TestClient, study: Study, tmp_path: Path, given: str
) -> None:
    assert client.get("/pairs/1/decisions").json()["token"] == client.headers["X-Aifgraph-Token"]
    row = next(iter(study.pairs[0].decisions.rows()))
    before = study.pairs[0].decisions.path.read_bytes()
    headers = {"X-Aifgraph-Token": given.encode("latin-1")}
    answer = client.post("/pairs/1/decisions", json={"row": row, "decision": "first"}, headers=headers)
    assert (answer.status_code, study.pairs[0].decisions.path.read_bytes()) == (403, before)
    assert "reload" in answer.json()["error"]["remedy"]
    assert client.post("/finish", data={"token": given}).status_code == 403
    assert not (tmp_path / "out" / "gold").exists()


@pytest.mark.parametrize("service", ["serve", "adjudicate"])
@pytest.mark.parametrize("path", ["/", "/pairs/1", "/pairs/1/decisions", "/pairs/9", "/nosuch", "/compare"])
@pytest.mark.parametrize("host", ["127.0.0.1", "evil.example"])
def test_every_answer_has_the_headers_of_a_careful_service(
    client: TestClient, service: str, path: str, host: str
) -> None:
    if service == "serve":
        client = TestClient(comparing(), base_url="http://127.0.0.1")
    for answer in (client.get(path, headers={"host": host}), client.post(path, headers={"host": host})):
        headers = answer.headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert (headers["x-frame-options"], headers["x-content-type-options"]) == ("DENY", "nosniff")
        assert headers["cross-origin-resource-policy"] == headers["cross-origin-opener-policy"] == "same-origin"
        assert (headers["referrer-policy"], headers["cache-control"]) == ("same-origin", "no-store")
    if host == "127.0.0.1" and path == "/":
        assert "default-src 'none'" in client.get("/").headers["content-security-policy"]


def test_a_map_that_changes_meanwhile(client: TestClient, study: Study, tmp_path: Path) -> None:
    row = next(iter(study.pairs[0].decisions.rows()))
    place = tmp_path / "second.json"
    place.write_bytes(place.read_bytes() + b"\n")
    for answer in (decide(client, row, "first"), client.get("/pairs/1/merged.json")):
        assert answer.status_code == 422
        assert "has changed since" in answer.json()["error"]["what"]
    page = client.get("/pairs/1")
    assert page.status_code == 422
    assert "has changed since" in page.text
    place.unlink()
    assert decide(client, row, "first").status_code == 422
    assert study.pairs[0].decisions.progress().decided == 0


def test_a_file_of_decisions_that_is_gone_or_broken(client: TestClient, study: Study) -> None:
    row = next(iter(study.pairs[0].decisions.rows()))
    study.pairs[0].decisions.path.write_text("nonsense\n")
    assert decide(client, row, "first").status_code == 422
    assert "no column" in client.get("/").text
    study.pairs[0].decisions.path.unlink()
    assert "no such file" in decide(client, row, "first").json()["error"]["what"]


def test_time_is_bounded(study: Study) -> None:
    slow = TestClient(application(study, by="", limits=Limits(seconds=0.05)), base_url="http://127.0.0.1")
    assert slow.get("/pairs/1").status_code == 504


def test_two_at_once_lose_nothing(client: TestClient, study: Study) -> None:
    rows = list(study.pairs[0].decisions.rows())
    with ThreadPoolExecutor(8) as pool:
        # Every row twice, with another choice each: one of the two is told that it comes too late.
        given = [(row, choice) for row in rows for choice in ("first", "second")]
        codes = list(pool.map(lambda each: decide(client, *each).status_code, given))
    assert sorted(codes) == [200] * len(rows) + [409] * len(rows)
    assert study.pairs[0].decisions.progress().decided == len(rows)
    told = decide(client, rows[0], "neither").json()
    assert told["current"]["decision"] == study.pairs[0].decisions.rows()[rows[0]]["decision"]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_command_serves_and_goes_on_after_a_kill(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "aifgraph", "adjudicate", "fixtures/debates/ann", "fixtures/debates/ben"]
    command += ["-o", str(out), "--port", "0", "--as", "Cleo"]
    for count, end in enumerate((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)):
        served = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert served.stdout
        address = served.stdout.readline().strip()
        again = subprocess.run(command, capture_output=True, text=True)
        assert again.returncode == 2
        assert "another process has this study open" in again.stderr
        with urllib.request.urlopen(f"{address}pairs/2/decisions", timeout=10) as answer:
            shown = json.load(answer)
        before = shown["rows"]
        assert len(before) == min(count, 1)
        row = next(iter(rows_of(out)))
        body = json.dumps({"row": row, "decision": ("first", "second", "neither")[count], "seen": before.get(row, {})})
        headers = {"Content-Type": "application/json", "X-Aifgraph-Token": shown["token"]}
        request = urllib.request.Request(f"{address}pairs/2/decisions", body.encode(), headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert json.load(answer)["by"] == "Cleo"
        served.send_signal(end)
        _, error = served.communicate(timeout=20)
        assert "Traceback" not in error
    assert len((out / "log.tsv").read_text("utf-8").splitlines()) == 4


def rows_of(out: Path) -> list[str]:
    lines = (out / "decisions" / "nodeset2.tsv").read_text("utf-8").splitlines()[1:]
    return [line.split("\t")[0] for line in lines]


def test_the_gold_map_so_far_and_decisions_that_cannot_stand_together(tmp_path: Path) -> None:
    """The library makes the preview; what contradicts is said in words, with links, until it is changed."""
    one, other = aifgraph.GraphBuilder(), aifgraph.GraphBuilder()
    for build, text in ((one, "Masks help everyone"), (other, "Masks help everybody")):
        claim, reason = build.proposition(text), build.proposition("They filter the air")
        build.inference([reason], claim) if build is one else None
    entries = []
    for side, build in (("first", one), ("second", other)):
        aifgraph.dump(build.graph(), tmp_path / f"{side}.json")
        entries.append(open_corpus(tmp_path / f"{side}.json")[0])
    with Study(tmp_path / "out", Pairing((Pair(entries[0], entries[1], "given"),)), Options()) as study:
        client = opened(study)
        rows = {record["kind"]: id_ for id_, record in study.pairs[0].decisions.rows().items()}
        shown = client.get("/pairs/1/gold").json()
        assert (shown["propositions"], shown["relations"], shown["open"]) == (2, 1, 1)
        assert decide(client, rows["missing"], "keep").status_code == 200
        seen = decide(client, rows["reworded"], "neither").json()
        refused = client.get("/pairs/1/gold")
        assert refused.status_code == 422
        error = refused.json()["error"]
        assert set(error["rows"]) == set(rows.values())
        assert "“keep” of “They filter the air” supports “Masks help everyone”" in error["what"]
        assert "“neither” of “Masks help everyone”" in error["what"]
        listed = client.get("/").text
        assert "cannot stand together" in listed
        assert all(f'/pairs/1#difference={id_}"' in listed for id_ in rows.values())
        assert decide(client, rows["reworded"], "first", seen=seen).status_code == 200
        assert "cannot stand together" not in client.get("/").text
        assert client.get("/pairs/1/gold").json()["open"] == 0


def test_the_process_of_the_next_job_is_ready_and_none_is_left(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Recorded(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    with TestClient(application(study, by="Cleo"), base_url="http://127.0.0.1") as client:
        (ready,) = started
        assert ready.poll() is None
        assert client.get("/pairs/1").status_code == 200
        assert ready.returncode == 0
        assert [worker.poll() for worker in started] == [0, None]
    assert all(worker.returncode is not None for worker in started)
