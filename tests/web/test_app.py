"""What the web app answers and refuses; decisions that it keeps: none is replaced unseen, none lost."""

import csv
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import requests

from aifdb.loopback import Server as FakeAIFdb
from aifgraph.cli import main
from aifgraph.report.app.jobs import Jobs, Limits
from documents import FIXTURES, zipped

CORPORA = {"first": "debates/ann", "second": "debates/ben"}
MAPS = {"first": "debate/first.json", "second": "debate/second.json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def files(first: bytes, second: bytes, one: str = "ann.json", other: str = "ben.json") -> dict[str, Any]:
    return {"first_file": (one, first), "second_file": (other, second)}


def error(answer: requests.Response) -> dict[str, str]:
    """Return the error of an answer, which has the one form."""
    document: dict[str, str] = answer.json()["error"]
    assert {*document} == {"what", "where"}
    assert "Traceback" not in answer.text
    return document


def raw(client: Any, request: str) -> str:
    with socket.create_connection(("127.0.0.1", int(client.url.rpartition(":")[2]))) as connection:
        connection.settimeout(10)
        connection.sendall(request.encode())
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
        return answer.decode().lower()


def without_bar(page: str) -> str:
    """What the server puts above a page: the way back, the download."""
    return re.sub('<nav class="bar".*</nav>\n', "", page, count=1)


@pytest.mark.slow
def test_two_corpora_give_the_pages_of_the_command(client: Any, tmp_path: Path) -> None:
    command = ["compare", *(str(FIXTURES / place) for place in CORPORA.values()), "--format", "html"]
    assert main([*command, "-o", str(tmp_path / "pages")]) == 0
    answer = client.compare(data=CORPORA)
    assert without_bar(answer.text) == (tmp_path / "pages/index.html").read_text("utf-8")
    for page in (tmp_path / "pages/pairs").iterdir():
        assert client("GET", answer.url.replace("index.html", f"pairs/{page.name}")).content == page.read_bytes()


@pytest.mark.slow
def test_two_corpora_as_zip_with_options(client: Any) -> None:
    both = (
        zipped({path.name: path.read_bytes() for path in (FIXTURES / place).iterdir()}) for place in CORPORA.values()
    )
    options = {"options": "matching=optimal relations=RA+CA", "pair_by": "text"}
    by_upload = without_bar(client.compare(files=files(*both, "ann.zip", "ben"), data=options).text)
    assert all(part in by_upload for part in ("matching=optimal", "relations=RA+CA", "pair_by=text"))
    by_path = without_bar(client.compare(data=CORPORA | options).text)
    assert by_upload.replace("ann.zip", "ann").replace("ben.zip", "ben") == by_path


OUTSIDE = (
    "debate/../../pyproject.toml",
    "/etc/passwd",
    "debate//etc/passwd",
    "..",
    "debate/\0",
    "nowhere/x",
    "x" * 999,
)


def test_what_is_not_below_the_folders(client: Any, in_process: Any, tmp_path: Path) -> None:
    for path in ("", "aifdb:17940", "http://corpora.aifdb.org/US2016", *OUTSIDE):
        answer = client.compare(data=MAPS | {"second": path})
        assert answer.status_code == 400
        assert ("below the folders of this server" if path else "nothing is given") in answer.text
        assert ("without AIFdb" in answer.text) == path.startswith(("aifdb:", "http:"))
        assert 'value="debate/first.json"' in answer.text  # the form keeps what was right
        assert 'aria-describedby="second-problem"' in answer.text
    (tmp_path / "maps").mkdir()
    for name in ("secret.json", "maps/.hidden.json"):
        (tmp_path / name).write_bytes((FIXTURES / MAPS["first"]).read_bytes())
    (tmp_path / "maps/link.json").symlink_to(tmp_path / "secret.json")
    (tmp_path / "maps/ann.ann").write_text("T1\tClaim 0 1\ta\n", "utf-8")
    (tmp_path / "maps/ann.txt").symlink_to(tmp_path / "secret.json")
    (tmp_path / "maps/out").symlink_to(FIXTURES / "debates", target_is_directory=True)
    other = in_process(folders={"maps": tmp_path / "maps"})
    for name in ("maps/link.json", "maps/.hidden.json", "maps/ann.ann"):
        assert other.compare(data={"first": name, "second": name}).status_code == 400
    form = other("GET", "/").text
    assert not [name for name in (".hidden", "maps/link.json", "maps/out") if name in form]


@pytest.mark.slow
def test_refused_inputs(client: Any) -> None:
    for data, what in (
        (MAPS | {"second": "debates/ann"}, "one is a corpus"),
        (CORPORA | {"options": "magic=on"}, "no option"),
        (MAPS | {"options": "meaning=/etc/passwd"}, "meaning"),
    ):
        refused = client.compare(data=data)
        assert (refused.status_code, what in refused.text) == (400, True)
    half = {"nodes": [{"nodeID": "1", "type": "I", "text": "half \ud800"}], "edges": []}
    both = [(FIXTURES / place).read_bytes() for place in MAPS.values()]
    for name in ("../../evil.json", "C:\\x.json", "a\nb.json", "x" * 300, "<script>.json", ".json", "json.py"):
        answer = client.compare(files=files(*both, name, "ben.json"))
        assert (answer.status_code, "<script>.json" in answer.text) == (200, False)
    assert "half \\ud800" in client.compare(files=files(json.dumps(half).encode(), both[1])).text
    damaged = client.compare(files=files(b'{"nodes": [', both[1]))
    assert (damaged.status_code, "ann.json" in damaged.text) == (400, True)
    for data in (zipped({"1.json": b" " * (200 << 20)}), b"PK\3\4", b""):
        answer = client.compare(files=files(data, data))
        assert answer.status_code in (200, 400, 413)
        assert "Traceback" not in answer.text


def test_headers_on_every_answer(client: Any, in_process: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = ("/", "/nothing", "/results/x", "/results/x/index.html", "/pairs/0/")
    answers = [client("DELETE", "/"), client("PUT", "/"), *(client("GET", path) for path in paths)]
    assert [answer.status_code for answer in answers] == [405, 405, 200, 404, 404, 404, 404]
    monkeypatch.setattr(Jobs, "prepare", lambda self: 1 / 0)
    fault = in_process()("POST", "/", data=CORPORA)
    assert (fault.status_code, "ZeroDivisionError" in fault.text) == (500, False)
    headers = ("content-security-policy", "x-frame-options", "x-content-type-options", "cross-origin-resource-policy")
    for answer in (*answers, fault):
        assert all(name in answer.headers for name in headers)
        assert "server" not in answer.headers
        assert answer.status_code < 400 or error(answer)


def test_hosts_and_origins(client: Any) -> None:
    own, other = ("localhost", "127.0.0.1:9", "[::1]"), ("evil.example", "127.0.0.1.evil.example", "", "localhost@evil")
    for host in (*own, *other):
        answer = raw(client, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        assert f" {200 if host in own else 400} " in answer.split("\r\n")[0]
    origins = ({"Origin": origin} for origin in ("http://evil.example", "null", "http://127.0.0.1:1"))
    for headers in (*origins, {"Sec-Fetch-Site": "cross-site"}):
        for path in ("/", "/results/x/remove"):
            assert error(client("POST", path, headers=headers))["where"] == "Origin"


def test_large_requests(in_process: Any) -> None:
    small = in_process(limits=Limits(upload=100_000))
    assert small("POST", "/", files=files(b" " * 200_000, b"{}")).status_code == 413
    pieces = (piece for piece in [b"first=", *[b"y" * 10_000] * 30])
    assert small("POST", "/", data=pieces, headers=FORM).status_code == 413


def test_a_form_with_another_value_is_refused(client: Any) -> None:
    answer = client("POST", "/", data={**MAPS, "pair_by": "size"})
    assert (answer.status_code, error(answer)["where"]) == (422, "body.pair_by")


def test_the_oldest_results_go_where_all_are_too_large(in_process: Any, tmp_path: Path) -> None:
    server = in_process(results=tmp_path, limits=Limits(keep=150_000))
    for number in range(6):
        server.compare(files={"first_file": (f"{number}.json", b" " * 60_000)})
    assert {path.name for path in tmp_path.glob("*/first/*")} == {"3.json", "4.json", "5.json"}


@pytest.mark.slow
def test_a_comparison_ends_at_its_limit(in_process: Any) -> None:
    assert in_process(limits=Limits(seconds=0.2)).compare(data=CORPORA).status_code == 504
    assert in_process(limits=Limits(memory=64 << 20)).compare(data=CORPORA).status_code in (413, 500)


@pytest.mark.slow
def test_comparisons_have_a_bound_on_their_whole_time_and_on_what_they_write(in_process: Any, tmp_path: Path) -> None:
    """The time does not begin anew with each pair, nor is the size one of a single page."""
    for side in ("ann", "ben"):
        (tmp_path / side).mkdir()
        for n in range(150):
            shutil.copy(FIXTURES / "debates" / side / "nodeset1.json", tmp_path / side / f"{n}.json")
    for limits in (Limits(whole=1.5), Limits(written=1 << 20)):
        server = in_process(folders={"all": tmp_path}, limits=limits)
        start = time.monotonic()
        answer = server.compare(data={"first": "all/ann", "second": "all/ben"})
        assert answer.status_code == (504 if limits.whole < 2 else 413), answer.text
        assert time.monotonic() - start < 20


@pytest.mark.slow
def test_nothing_of_a_served_folder_is_written_over_whatever_it_is_called(in_process: Any, tmp_path: Path) -> None:
    names = ("pages", "outcome.json", "first")
    for name in names:
        shutil.copytree(FIXTURES / "debate", tmp_path / name)
        (tmp_path / name / "page.html").write_text("mine")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    server = in_process(folders={name: tmp_path / name for name in names})
    both = [(FIXTURES / place).read_bytes() for place in MAPS.values()]
    for name in names:
        data = {"first": f"{name}/first.json", "second": f"{names[0]}/second.json"}
        assert server.compare(data=data).url.endswith("page.html"), name
        assert server.compare(data={"second": data["first"]}, files={"first_file": ("a.json", both[0])}).ok, name
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_name_with_a_line_break(in_process: Any, tmp_path: Path) -> None:
    for name in ("a\nb.json", "é.json"):
        shutil.copy(FIXTURES / MAPS["first"], tmp_path / name)
    server = in_process(folders={"odd": tmp_path})
    assert server.compare(data={"first": "odd/a\nb.json", "second": "odd/é.json"}).url.endswith("page.html")


def test_uploads_of_one_name_are_all_kept(in_process: Any, tmp_path: Path) -> None:
    (tmp_path / "README.txt").write_text("mine", "utf-8")
    server = in_process(results=tmp_path)
    names = ["a/n.json", "b/n.json", "b/n.txt", "n-2.json", "c/n.json", "c/n.txt", "n.json", "n.json", "../n.json"]
    uploads = [("first_file", (name, f'"{number}"'.encode())) for number, name in enumerate(names)]
    assert server.compare(files=uploads).status_code == 400  # nothing for the other side
    (folder,) = tmp_path.glob("*/first")
    stored = {path.name: path.read_text("utf-8").strip('"') for path in folder.iterdir()}
    assert sorted(stored.values()) == [str(number) for number in range(len(names))]
    assert {Path(name).suffix for name in stored} == {".json", ".txt"}
    of = {number: Path(name) for name, number in stored.items()}
    assert (of["1"].stem, of["4"].stem) == (of["2"].stem, of["5"].stem)
    assert (of["0"].stem, of["1"].stem) == ("n", "n-2")
    assert (tmp_path / "README.txt").read_text("utf-8") == "mine"


def test_a_result_that_somebody_else_removes_is_no_result(in_process: Any, tmp_path: Path) -> None:
    server = in_process(results=tmp_path / "results")
    answer = server.compare(data=MAPS)
    shutil.rmtree(tmp_path / "results")
    assert "/results/" not in server("GET", "/").text
    for path in (answer.url, answer.url.replace("page.html", "pages.zip")):
        assert server("GET", path).status_code == 404
    assert server.compare(data=MAPS).ok


def test_several_load_the_pages_at_once(in_process: Any) -> None:
    server = in_process()
    address = server.compare(data=CORPORA).url.replace("index.html", "pages.zip")
    with ThreadPoolExecutor() as pool:
        loaded = [*pool.map(lambda _: requests.get(address, timeout=60).content, range(16))]
    for content in loaded:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert archive.testzip() is None
            assert "index.html" in archive.namelist()


def test_a_pipe_is_not_offered_and_not_read(in_process: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    server = in_process(folders={"maps": tmp_path})
    assert "pipe.json" not in server("GET", "/").text
    refused = server.compare(data={"first": "maps/pipe.json", "second": "maps/pipe.json"})
    assert (refused.status_code, "there is no" in refused.text) == (400, True)
    assert server.compare(data={"first": "maps", "second": "maps"}).status_code == 400


@pytest.mark.slow
def test_waiting_and_cancelling(in_process: Any) -> None:
    client = in_process(limits=Limits(waiting=4))
    with ThreadPoolExecutor(8) as pool:
        how: dict[str, Any] = {"data": CORPORA, "allow_redirects": False, "timeout": 60}
        answers = [*pool.map(lambda _: requests.post(client.url, **how), range(8))]
    assert {answer.status_code for answer in answers} == {303, 503}
    places = [answer.headers["location"] for answer in answers if answer.status_code == 303]
    waiting = [place for place in places if "Comparing" in client("GET", place).text]
    assert {*client("GET", f"{waiting[-1]}/state").json()} == {"done", "total", "text", "finished"}
    assert client("POST", f"{waiting[-1]}/remove", allow_redirects=False).status_code == 303
    assert client("GET", waiting[-1]).status_code == 404


def workers(parent: int) -> list[str]:
    found = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True, check=False)
    return found.stdout.split()


def runs(pid: str) -> bool:
    path = Path("/proc", pid, "stat")
    return path.exists() and " Z " not in path.read_text("utf-8")


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_work_ends_with_the_server(process: Any) -> None:
    server = process(FIXTURES / "debates")
    ask = f"import requests; requests.post({server.url!r} + '/', data={CORPORA})"
    asking = subprocess.Popen([sys.executable, "-c", ask], stderr=subprocess.DEVNULL)
    wait_for(lambda: workers(server.process.pid))
    started = workers(server.process.pid)
    server.kill()
    asking.wait()
    wait_for(lambda: not any(map(runs, started)))


@pytest.mark.slow
def test_aifdb_by_name(process: Any, tmp_path: Path) -> None:
    aifdb = FakeAIFdb()
    aifdb.has_corpus("Debate", [101])
    aifdb.has_map(102)
    env = {"AIFGRAPH_AIFDB_URL": aifdb.url, "AIFGRAPH_CORPORA_URL": aifdb.url, "AIFGRAPH_CACHE": str(tmp_path)}
    server = process("--aifdb", **env)
    answer = server.compare(data={"first": "aifdb:101", "second": "aifdb:102"})
    assert (answer.status_code, "Claim 101" in answer.text) == (200, True)
    assert server.compare(data={"first": "aifdb:Debate", "second": "aifdb:Debate"}).url.endswith("index.html")
    missing = server.compare(data={"first": "aifdb:101", "second": "aifdb:103"})
    assert (missing.status_code, "AIFdb has no 103" in missing.text) == (400, True)
    assert 'aria-describedby="second-problem"' in missing.text
    aifdb.close()


OPEN = {"decision": "", "note": "", "by": "", "when": ""}


def table(folder: Path) -> list[dict[str, str]]:
    with (folder / "debate.tsv").open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("decisions")


@pytest.fixture(scope="module")
def keeper(in_process: Callable[..., Any], corpora: tuple[Path, Path], folder: Path) -> Any:
    """A server of decisions."""
    server = in_process(decisions=folder, corpora=tuple(map(str, corpora)), by="Cleo")
    server.numbers = server.pairs()
    return server


@pytest.mark.slow
def test_a_decision_is_dated_signed_and_sent_with_what_it_replaces(keeper: Any, folder: Path) -> None:
    pair, row = keeper.numbers["debate"], table(folder)[0]["row"]
    first = keeper.decide(pair, row, OPEN, decision="first", note="as Ann says").json()
    line = table(folder)[0]
    assert {name: line[name] for name in OPEN} == first
    assert (line["decision"], line["note"], line["by"]) == ("first", "as Ann says", "Cleo")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["when"])
    assert keeper.decide(pair, row, OPEN, decision="first", note="as Ann says").json() == first  # sent again
    refused = keeper.decide(pair, row, OPEN, decision="second", by="Dan")
    assert refused.status_code == 409
    assert refused.json()["now"] == first
    assert table(folder)[0] == line
    second = keeper.decide(pair, row, first, decision="second", by="Dan")
    assert second.status_code == 200
    assert keeper.decide(pair, row, first).status_code == 409  # an undo that has not seen the change
    assert keeper.decide(pair, row, second.json()).json() == OPEN


@pytest.mark.slow
def test_no_text_damages_the_file(keeper: Any, folder: Path) -> None:
    row = next(line["row"] for line in table(folder) if line["group"] == "propositions")
    pair, seen = keeper.numbers["debate"], OPEN
    for text in ("a\tb\nc\x85d", "nul \0 here", "=SUM(A1)", '"in quotes"', "\u202eright to left", "'=x", "-1 + 2"):
        new = {"decision": f"let us say {text}", "note": text, "by": text}
        answer = keeper.decide(pair, row, seen, **new)
        assert answer.status_code == 200
        seen = answer.json()
        assert keeper("GET", f"/pairs/{pair}/rows").json()[row] == seen
        assert keeper.decide(pair, row, seen, **new).json() == seen
    assert keeper.decide(pair, row, seen).json() == OPEN


@pytest.mark.slow
def test_wrong_decisions(keeper: Any, folder: Path) -> None:
    before, pair = table(folder), keeper.numbers["debate"]
    for number, row, body, status in (
        (pair, "nothing", {"decision": "first", "replaces": OPEN}, 404),
        (77, before[0]["row"], {"decision": "first", "replaces": OPEN}, 404),
        (pair, before[0]["row"], {"decision": "frist", "replaces": OPEN}, 400),
        (pair, before[0]["row"], {"decision": "first"}, 422),
        (pair, before[0]["row"], {"decision": "x" * 20_000, "replaces": OPEN}, 400),
        (pair, before[0]["row"], {"decision": "\ud800", "replaces": OPEN}, 400),
        # Shown as escapes, they are six times as long.
        (pair, before[0]["row"], {"note": "mine", "by": "\u200e" * 20, "replaces": OPEN}, 400),
        (pair, before[0]["row"], {"note": "\x07" * 4_000, "replaces": OPEN}, 400),
    ):
        answer = keeper("PUT", f"/pairs/{number}/rows/{row}", json=body)
        assert answer.status_code == status
        assert {*answer.json()["error"]} == {"what", "where"}
    assert table(folder) == before


@pytest.mark.slow
def test_what_somebody_has_written_into_the_file_is_never_refused(keeper: Any, folder: Path) -> None:
    path, pair = folder / "debate.tsv", keeper.numbers["debate"]
    before, row = path.read_bytes(), table(folder)[0]["row"]
    try:
        path.write_bytes(before.replace(b"\t\t\t\t\n", f"\t\t{'n' * 20_000}\t{'a' * 500}\t\n".encode(), 1))
        seen = keeper("GET", f"/pairs/{pair}/rows").json()[row]
        assert (len(seen["note"]), len(seen["by"])) == (20_000, 500)
        assert keeper.decide(pair, row, seen).json() == OPEN
        path.write_bytes(b"row\tno table\n")
        index = keeper("GET", "/")
        assert index.status_code == 200
        assert "does not name the columns" in index.text
        assert {*keeper.pairs()} == {*keeper.numbers} - {"debate"}
    finally:
        path.write_bytes(before)
    assert keeper.pairs() == keeper.numbers


@pytest.mark.slow
def test_nothing_that_was_answered_is_lost(process: Any, corpora: Any, tmp_path: Path, capfd: Any) -> None:
    server = process(*corpora, "-o", tmp_path)
    pair, answered = server.pairs()["debate"], list[int]()
    rows = [line["row"] for line in table(tmp_path)]
    assert main(["serve", *map(str, corpora), "-o", str(tmp_path), "--port", "0"]) == 2
    assert "another server" in capfd.readouterr().err

    def decide(seen: dict[str, dict[str, str]]) -> None:
        for turn in count():
            row = rows[turn % len(rows)]
            try:
                seen[row] = server.decide(pair, row, seen.get(row, OPEN), decision="first", note=f"{turn}").json()
            except requests.ConnectionError:
                return
            answered.append(turn)

    for seconds in (0.3, 0.8):
        thread = threading.Thread(target=decide, args=(server("GET", f"/pairs/{pair}/rows").json(),))
        thread.start()
        time.sleep(seconds)
        server.kill()
        thread.join()
        lines = table(tmp_path)
        assert [line["row"] for line in lines] == rows
        assert max(int(line["note"]) for line in lines if line["note"]) - answered[-1] in (0, 1)
        server = process(*corpora, "-o", tmp_path)
        # The pairs are still compared: the page waits and comes by itself.
        assert "Comparing" in server("GET", f"/pairs/{pair}/", headers={"Accept": "text/html"}).text
        assert server.pairs()["debate"] == pair
        kept = {line["row"]: {name: line[name] for name in OPEN} for line in lines if line["note"]}
        assert server("GET", f"/pairs/{pair}/rows").json() == kept
    server.kill()
    text = (tmp_path / "debate.tsv").read_text("utf-8").replace(lines[0]["maps"], "x:y")
    (tmp_path / "debate.tsv").write_text(text, "utf-8")
    again = process(*corpora, "-o", tmp_path)
    assert "debate" not in again.pairs()
    assert "about other maps" in again("GET", "/").text
    assert (tmp_path / "debate.tsv").read_text("utf-8") == text


@pytest.mark.slow
def test_the_pairing_is_chosen_and_said(in_process: Any, tmp_path: Path) -> None:
    (tmp_path / "ben").mkdir()
    for path in (FIXTURES / "debates/ben").iterdir():
        (tmp_path / "ben" / f"nodeset{900 + int(path.stem[7:])}{path.suffix}").write_bytes(path.read_bytes())
    other = in_process(folders={"debates": FIXTURES / "debates", "mine": tmp_path})
    assert "Paired by text" in other.compare(data={"first": "debates/ann", "second": "mine/ben"}).text
    assert "Paired by name" in other.compare(data=CORPORA).text
    nothing = in_process(folders={"all": FIXTURES}).compare(
        data={"first": "all/debates/ann", "second": "all/microtexts"}
    )
    assert (nothing.status_code, str(FIXTURES) in nothing.text, "--pair-by" in nothing.text) == (400, False, False)


@pytest.mark.slow
def test_results_stay_and_can_be_repeated_and_taken_along(process: Any, tmp_path: Path) -> None:
    server = process(FIXTURES / "debates", "--results", tmp_path / "kept")
    both = [(FIXTURES / place).read_bytes() for place in MAPS.values()]
    answer = server.compare(files=files(*both))
    id_ = answer.url.split("/results/")[1].split("/")[0]
    server("POST", "/", data={"first": "debates/ann", "second": "debates/ben"}, allow_redirects=False)
    server.kill()
    for part in (tmp_path / "kept").glob(".*"):  # what was being written goes after a day
        os.utime(part, (0, 0))
    again = process(FIXTURES / "debates", "--results", tmp_path / "kept")
    front = again("GET", "/").text
    assert [path.name for path in (tmp_path / "kept").glob(".*")] == []
    assert f"/results/{id_}" in front
    assert again("GET", f"/results/{id_}/pages.zip").content[:2] == b"PK"
    repeated = again("GET", f"/?again={id_}").text
    assert "<details open>" in repeated
    given = dict(re.findall(r'name="(first|second)" list="places" value="([^"]+)"', repeated))
    assert again.compare(data=given | {"options": "matching=optimal"}).status_code == 200
    several = [("first_file", (f"{n}.json", both[0])) for n in (1, 2)] + [
        ("second_file", (f"{n}.json", both[1])) for n in (1, 2)
    ]
    assert again.compare(files=several).url.endswith("index.html")
    again("POST", f"/results/{id_}/remove")
    assert not (tmp_path / "kept" / id_).exists()
