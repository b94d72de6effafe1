"""What people expect of a command line: help under headings, hints, --quiet, --verbose, completion, remedies."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aifgraph.cli import main
from aifgraph.cli.group import COMMANDS, HEADINGS

PAIR = ["fixtures/debate/first.json", "fixtures/debate/second.json"]


def test_alone_it_shows_the_most_common_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr()
    assert not shown.err
    for job in ("aifgraph compare first.json", "aifgraph show map.json", "aifgraph convert map.json", "--help"):
        assert job in shown.out


def test_the_jobs_it_shows_can_be_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aifgraph.cli.group import JOBS

    here = Path.cwd()
    for name, source in (("first.json", PAIR[0]), ("second.json", PAIR[1]), ("map.json", PAIR[0])):
        shutil.copy(here / source, tmp_path / name)
    for name, folder in (("annotator1", "ann"), ("annotator2.zip", "ben"), ("corpus", "")):
        source = here / "fixtures" / ("debates" if folder else "microtexts") / folder
        if name.endswith(".zip"):
            shutil.make_archive(str(tmp_path / "annotator2"), "zip", source)
        else:
            shutil.copytree(source, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    lines = [line.split()[1:] for line in JOBS.split("\n") if line.startswith("  aifgraph")]
    assert len(lines) == 6
    for arguments in lines:
        assert main(arguments) in (0, 1), arguments


def test_every_command_stands_under_one_heading(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert sum(map(len, HEADINGS.values())) == len(COMMANDS)
    assert shown.count("\n") <= 40
    for heading, commands in HEADINGS.items():
        lines = shown.split(f"\n{heading}:\n")[1].split("\n")
        assert [line.split()[0] for line in lines[: len(commands)]] == list(commands)
        assert not lines[len(commands)].startswith(" ")


def test_the_help_of_compare_is_short_and_that_of_all_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--help"]) == 0
    short = capsys.readouterr().out
    assert main(["compare", "--help-all"]) == 0
    whole = capsys.readouterr().out
    options = [[line.split()[0] for line in text.split("\n") if line.startswith("  -")] for text in (short, whole)]
    assert len(set(options[0]) - {"-h,", "--help-all"}) == 20
    assert set(options[0]) < set(options[1])
    assert "--min-overlap" in whole


@pytest.mark.parametrize("place", ["before", "after"])
def test_quiet_counts_warnings(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.json"
    document = json.loads(Path(PAIR[0]).read_text("utf-8"))
    document["edges"].append({"edgeID": "x", "fromID": "nosuch", "toID": "nowhere"})
    broken.write_text(json.dumps(document), "utf-8")
    arguments = ["show", str(broken)]
    main(arguments)
    loud = capsys.readouterr()
    assert "warning:" in loud.err
    main(["--quiet", *arguments] if place == "before" else [*arguments, "-q"])
    quiet = capsys.readouterr()
    number = loud.err.count("warning:")
    assert quiet.err == f"aifgraph: {number} warning{'s' * (number > 1)} (without --quiet they are shown)\n"
    assert quiet.out == loud.out


def test_quiet_shows_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "nosuch.json", "-q"]) == 2
    assert "nosuch.json" in capsys.readouterr().err


def test_verbose_says_what_is_done_and_leaves_the_answer_alone() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "aifgraph", *arguments], capture_output=True, text=True)

    plain, verbose = (run("compare", *PAIR, *more) for more in ((), ("--verbose",)))
    assert verbose.stdout == plain.stdout
    assert not plain.stderr
    for path in PAIR:
        assert f"read {path}: aif" in verbose.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_common_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help-all" if name == "compare" else "--help"]) == 0
    shown = capsys.readouterr().out
    for option in ("--color", "--quiet", "--verbose"):
        assert option in shown


def test_help_imports_nothing_heavy() -> None:
    heavy = {"numpy", "networkx", "rdflib", "pydantic", "requests", "rich", "joblib", "scipy", "jinja2"}
    code = (
        "import contextlib, io, sys\n"
        "from aifgraph.cli import main\n"
        "from aifgraph.cli.group import COMMANDS\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        "    for name in COMMANDS: main([name, '--help'])\n"
        "print(' '.join(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {name.split(".")[0] for name in found.stdout.split()} & heavy


def test_comparing_two_maps_imports_no_corpora_and_no_other_measures() -> None:
    code = (
        "import contextlib, io, sys\n"
        "from aifgraph.cli import main\n"
        f"with contextlib.redirect_stdout(io.StringIO()): main(['compare', *{[str(path) for path in PAIR]}])\n"
        "print(' '.join(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    others = ("aifgraph.corpus.", "aifgraph.evaluation", "aifgraph.comparison.measures.smatch", "zipfile", "tarfile")
    assert not [name for name in found.stdout.split() if name.startswith(others)]


@pytest.mark.parametrize(
    ("shell", "words", "expected"),
    [
        ("bash", "aifgraph comp", {"compare"}),
        ("zsh", "aifgraph compare --min-o", {"--min-overlap"}),
        ("fish", "aifgraph compare --min-o", {"--min-overlap"}),
    ],
)
def test_completion_answers(shell: str, words: str, expected: set[str]) -> None:
    """What the shells' scripts ask, asked."""
    number = len(words.split()) - 1
    asked = {"_AIFGRAPH_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
    if shell == "fish":
        asked["COMP_CWORD"] = words.split()[-1]
    program = "from aifgraph.cli import run; import sys; sys.argv = ['aifgraph']; run()"
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, **asked}, capture_output=True, text=True)
    offered = {line.split(",", 1)[-1].split("\t")[0] for line in done.stdout.splitlines()}
    assert expected <= offered


def test_errors_are_on_standard_error_and_data_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", PAIR[0], "nosuch.json"]) == 2
    shown = capsys.readouterr()
    assert "nosuch.json" in shown.err
    assert "nosuch.json" not in shown.out


DEBATE = "fixtures/debate/first.json"


@pytest.mark.parametrize("arguments", [["task"], ["task", "aurc"]])
def test_a_bare_group_shows_its_help_in_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    lines = (shown.err or shown.out).splitlines()
    assert lines[0].startswith("Usage: aifgraph")
    assert "Commands:" in lines


def test_show_as_json_has_keys_that_do_not_depend_on_the_map(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", DEBATE, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["Map", "Types", "Speakers", "Schemes", "Illocutions", "Longest chains"]
    assert data["Map"] == [{"file": DEBATE, "nodes": 77, "edges": 96}]
    assert sum(row["nodes"] for row in data["Types"]) == 77


def test_show_as_csv_starts_with_the_map(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", DEBATE, "--format", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[:2] == [["file", "nodes", "edges"], [DEBATE, "77", "96"]]


def test_a_file_of_pairs_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    ann = "fixtures/debates/ann"
    assert main(["compare", ann, ann, "--pairs", "nothing.tsv"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "nothing.tsv" in line
    assert "does not exist" in line


def test_corpora_without_a_common_name_get_one_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.json").write_text('{"nodes": [], "edges": []}')
    assert main(["compare", "fixtures/debates/ann", str(tmp_path)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.count("pair by text or by a mapping file") == 1


def test_a_binary_file_is_no_source_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.txt").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    target = tmp_path / "result.json"
    arguments = ["--first-text", str(tmp_path / "text.txt"), "--format", "json", "-o", str(target)]
    assert main(["compare", DEBATE, DEBATE, *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "text.txt: binary data where a text was expected" in line
    assert not target.exists()


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["comapre", "a", "b"], "did you mean 'compare'?"),
        (["compare", "--formt", "csv", DEBATE, DEBATE], "--format"),
        (["convert", DEBATE, "-", "--to", "json"], "did you mean 'aif'?"),
        (["convert", DEBATE, "-", "--to", "xiaf"], "did you mean 'xaif'?"),
        (["convert", DEBATE, "-", "--to", "ttl"], "did you mean 'turtle'?"),
        (["unzip", "maps.zip"], "did you mean pack ARCHIVE -o FOLDER?"),
        (["check", DEBATE, "--strict"], "exit code 1"),
        (["stats", "fixtures/debates/ann", "--by-map"], "aifgraph show CORPUS"),
        (["show", "fixtures/debates/ann", "--map", "nodeset11"], "did you mean 'nodeset1'?"),
        (["show", "fixtures/debates/ann", "--name", "nodeset1"], "did you mean --map NAME?"),
        (["query", "SELECT * {?s ?p ?o}", DEBATE], "the query comes last"),
        (["query", "undercuts", DEBATE], "the query comes last"),
        (["repair", DEBATE], "give -o FILE, or --report alone"),
        (["repair", DEBATE, "--report", "--to", "xaif"], "--to has an effect only with --output"),
    ],
)
def test_a_wrong_name_is_told_the_nearest(arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert meant in line


def test_a_file_that_is_there_is_never_offered_as_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *PAIR, DEBATE]) == 2
    said = capsys.readouterr().err
    assert "several maps are a folder" in said
    assert "-o" not in said


def test_repairs_are_listed_without_a_repaired_map(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repair", DEBATE, "--report"]) == 0
    assert json.loads(capsys.readouterr().out)["repairs"]


def test_a_corpus_is_shown_as_its_maps_and_one_of_them_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pack", "fixtures/debates/ann", "-o", str(tmp_path / "ann.zip")]) == 0
    capsys.readouterr()
    for corpus in ("fixtures/debates/ann", str(tmp_path / "ann.zip")):
        assert main(["show", corpus, "--format", "csv"]) == 0
        header, first, *others = csv.reader(io.StringIO(capsys.readouterr().out))
        assert header[:5] == ["map", "nodes", "edges", "I", "L"]
        assert first[:5] == ["nodeset1", "17", "18", "4", "4"]
        assert [row[0] for row in others] == ["nodeset2", "nodeset3", "nodeset4"]
    assert main(["show", corpus, "--map", "nodeset1", "--format", "json"]) == 0
    of_archive = json.loads(capsys.readouterr().out)
    assert main(["show", "fixtures/debates/ann/nodeset1.json", "--format", "json"]) == 0
    assert of_archive["Types"] == json.loads(capsys.readouterr().out)["Types"]
