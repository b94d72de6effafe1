"""What goes to a terminal, a pipe, a full disk, a closed stream."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from aifgraph import GraphBuilder, dump
from aifgraph.cli import main
from aifgraph.errors import FormatError
from aifgraph.tables import Table, render, with_formula, without_formula

HOSTILE = "\x1b]0;title\x07\x9b31m\u202eevil"


@pytest.fixture
def map_file(tmp_path: Path) -> Path:
    path = tmp_path / "map.json"
    build = GraphBuilder()
    who = build.participant("Ann" + HOSTILE)
    claim = build.proposition("Masks help κ 😀" + HOSTILE)
    build.illocution(build.locution("Ann: κ" + HOSTILE, speaker=who), claim, "Asserting" + HOSTILE)
    build.inference([build.proposition("=HYPERLINK(1)" + HOSTILE)], claim, "Inference" + HOSTILE)
    dump(build.graph(), path)
    return path


def aifgraph(*arguments: str | Path, **settings: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "aifgraph", *map(str, arguments)], capture_output=True, env={**os.environ, **settings}
    )


@pytest.mark.parametrize(
    "command",
    [
        ["show"],
        ["show", "--tree"],
        ["show", "--format", "markdown"],
        ["show", "--format", "latex"],
        ["check"],
        ["compare", "SAME"],
        ["compare", "SAME", "--format", "markdown"],
        ["stats"],
        ["show", "--nosuch" + HOSTILE],
    ],
)
def test_no_escapes_reach_a_terminal(map_file: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(map_file.read_text("utf-8"))
    document["nodes"].append({"nodeID": "99" + HOSTILE, "text": "x", "type": "type" + HOSTILE})
    map_file.write_text(json.dumps(document), "utf-8")
    main([command[0], str(map_file), *(str(map_file) if part == "SAME" else part for part in command[1:])])
    shown = capsys.readouterr()
    for text in (shown.out, shown.err):
        assert not set(text) & set("\x1b\x07\x9b\u202e")


def test_errors_show_no_escapes() -> None:
    assert str(FormatError(f"no such {HOSTILE}")) == r"no such \x1b]0;title\x07\x9b31m\u202eevil"


def test_json_keeps_what_is_in_a_map(map_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(map_file), "-"]) == 0
    texts = [node["text"] for node in json.loads(capsys.readouterr().out)["nodes"]]
    assert any(HOSTILE in text for text in texts)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_standard_output_of_any_encoding(map_file: Path, encoding: str) -> None:
    done = aifgraph("show", map_file, "--tree", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"\\u03ba \\ud83d\\ude00" in done.stdout) is (encoding != "utf-8")
    data = aifgraph("convert", map_file, "-", PYTHONIOENCODING=encoding)
    assert json.loads(data.stdout.decode(encoding)) == json.loads(map_file.read_text("utf-8"))


@pytest.mark.skipif(os.name == "nt", reason="closes streams as a shell does")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams(map_file: Path, tmp_path: Path, closed: str) -> None:
    out = tmp_path / "out.txt"
    command = f"{sys.executable} -m aifgraph show {map_file}"
    done = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, text=True)
    assert done.returncode == (2 if closed.startswith(">") else 0)
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == (closed == ">&-")
    assert subprocess.run(["sh", "-c", f"{command} -o {out} {closed}"], capture_output=True).returncode == 0
    assert out.read_text("utf-8").startswith("Map\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_behind_standard_output(map_file: Path) -> None:
    for command in (f"show {map_file}", f"convert {map_file} -", "schemes", "--help"):
        done = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m aifgraph {command} > /dev/full"], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (2, "aifgraph: standard output: No space left on device\n"), command


@pytest.mark.skipif(os.name == "nt", reason="a shell's pipe")
def test_a_reader_that_leaves(map_file: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m aifgraph schemes --format json | true"], capture_output=True, text=True
    )
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="a shell's pipe")
@pytest.mark.parametrize("command", ["formats", "show MAP", "convert MAP -"])
def test_a_reader_that_has_left_before_is_no_failure(map_file: Path, command: str) -> None:
    read, write = os.pipe()
    os.close(read)
    words = command.replace("MAP", str(map_file)).split()
    done = subprocess.run([sys.executable, "-m", "aifgraph", *words], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(("command", "code"), [("pair CORPUS CORPUS2", 0), ("show nosuch.json", 2)])
def test_a_full_disk_behind_standard_error_changes_nothing(map_file: Path, command: str, code: int) -> None:
    debates = Path(__file__).resolve().parents[2] / "fixtures" / "debates"
    words = command.replace("CORPUS2", str(debates / "ben")).replace("CORPUS", str(debates / "ann")).split()
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "aifgraph", *words], stdout=subprocess.PIPE, stderr=full)
    assert done.returncode == code
    assert (b"nodeset1" in done.stdout) is (code == 0)


def test_formulas_are_quoted_in_csv_unless_it_is_raw() -> None:
    texts = ["=cmd|' /C calc'!A0", "+1", "-1", "@x", "\tx", "\rx", "x=1", "", "'quoted"]
    table = Table("T", ("text", "number"), [(text, -1.5) for text in texts])
    rows = list(csv.reader(io.StringIO(render(table, "csv"), newline="")))[1:]
    assert [row[0] for row in rows] == [f"'{text}" for text in texts[:6]] + texts[6:]
    assert {row[1] for row in rows} == {"-1.5"}
    raw = list(csv.reader(io.StringIO(render(table, "csv", raw=True), newline="")))[1:]
    assert [row[0] for row in raw] == texts


def test_raw_on_the_command_line(map_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "=1+1.json").write_bytes(map_file.read_bytes())
    arguments = ["pair", str(folder), str(folder), "--format", "csv"]
    assert main(arguments) == 0
    assert "'=1+1" in capsys.readouterr().out
    assert main([*arguments, "--raw"]) == 0
    out = capsys.readouterr().out
    assert "=1+1" in out
    assert "'=1+1" not in out


def test_rows_that_latex_would_take_for_a_length() -> None:
    assert "\n{}[x] & 1" in render(Table("T", ("text", "n"), [("[x]", 1)]), "latex")


@pytest.mark.parametrize("text", ["＝1+1", "\ufeff=1", "\u00a0=1", " \t+1", "＠x", "'=1", "\u200b-1"])
def test_formulas_behind_what_spreadsheets_pass_over(text: str) -> None:
    row = list(csv.reader(io.StringIO(render(Table("T", ("text",), [(text,)]), "csv"), newline="")))[1]
    assert row == [f"'{text}"]
    assert with_formula(without_formula(text)) == text
