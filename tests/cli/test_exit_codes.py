"""One meaning of each exit code in every command, as the page says; a missing extra is named."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from aifgraph.cli import main
from fuzz.commands import all_commands

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
PAGE = (ROOT / "docs" / "reference" / "exit-codes.md").read_text("utf-8")


@pytest.fixture
def some_damaged(tmp_path: Path) -> Path:
    """A corpus one of whose maps cannot be read."""
    folder = tmp_path / "maps"
    shutil.copytree(FIXTURES / "debates" / "ann", folder)
    (folder / "nodeset2.json").write_text("{", "utf-8")
    return folder


#: Each command that takes a corpus; ``CORPUS`` has one damaged map.
OF_CORPORA = (
    "show CORPUS/nodeset1.json CORPUS/nodeset2.json",
    "check CORPUS",
    "convert CORPUS OUT.jsonl",
    "compare CORPUS BEN",
    "compare CORPUS BEN --only cass",
    "compare CORPUS BEN --format html -o OUT",
    "differences CORPUS BEN",
    "merge CORPUS BEN -o OUT --prefer first",
    "stats CORPUS",
    "significance BEN CORPUS BEN --rounds 5",
    "sample CORPUS -n 2",
    "plan CORPUS BEN --rounds 5",
    "evaluate BEN CORPUS --rounds 5 --test-rounds 5 --baselines units",
    "export CORPUS --task relations -o OUT.csv",
    "agreement CORPUS BEN",
    "baseline CORPUS --kind chain -o OUT",
    "baseline CORPUS --kind majority -o OUT",
    "perturb CORPUS --draws 1 --shares 10",
    "query CORPUS schemes",
    "store add OUT CORPUS",
)


def run(command: str, tmp_path: Path, corpus: Path | None = None) -> int:
    places = {
        "CORPUS": str(corpus),
        "BEN": str(FIXTURES / "debates" / "ben"),
        "ANN": str(FIXTURES / "debates" / "ann"),
        "FIXTURES": str(FIXTURES),
        "OUT": str(tmp_path / "out"),
    }
    return main([re.sub("|".join(places), lambda found: places[found[0]], word) for word in command.split()])


@pytest.mark.parametrize("command", OF_CORPORA)
def test_some_damaged_maps_are_code_2_everywhere(
    command: str, some_damaged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command, tmp_path, some_damaged) == 2
    said = capsys.readouterr()
    assert "nodeset2" in said.err + (said.out if command.startswith("check") else "")
    assert "Traceback" not in said.err


#: For each command of the page that answers a question: a command line whose answer is no.
NO = {
    "check": "check FIXTURES/rules/E202-breaks.json",
    "schemes WORD": "schemes nosuch",
    "query": "query ANN ASK{<x:a><x:b><x:c>}",
    "task ruarg check": "",
    "compare --against RESULT": "",
}


def test_the_page_names_the_commands_that_say_no() -> None:
    table = PAGE.split("1 means |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `([^`]+)` \|", table, re.M) == list(NO)


@pytest.mark.parametrize("command", [line for line in NO.values() if line])
def test_no_is_code_1(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command, tmp_path) == 1
    capsys.readouterr()


def test_a_scheme_that_there_is_not_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes", "nosuch"]) == 1
    assert "no scheme is called 'nosuch'" in capsys.readouterr().err


@pytest.mark.parametrize("command", sorted(all_commands()))
def test_wrong_usage_is_code_2_and_help_is_code_0(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--no-such-option"]) == 2
    assert main([*command.split(), "--help"]) == 0
    capsys.readouterr()


MAPS = [str(FIXTURES / "debate" / name) for name in ("first.json", "second.json")]
CORPORA = [str(FIXTURES / "debates" / name) for name in ("ann", "ben")]
TRAINING = ["export", CORPORA[0], "--task", "relations", "-o", "FOLDER/out.parquet", "--splits", "train=1"]
ARCT = [str(FIXTURES / "tasks" / "arct" / name) for name in ("instances.txt", "first.txt", "second.txt")]
DIFFICULTY = ["task", "arct", "difficulty", *ARCT]


@pytest.mark.parametrize(
    ("extra", "missing", "command"),
    [
        ("meaning", ["onnxruntime", "tokenizers"], ["compare", *MAPS, "--meaning", "FOLDER"]),
        ("gamma", ["pygamma_agreement"], ["compare", *MAPS, "--metrics", "gamma"]),
        ("plots", ["matplotlib", "matplotlib.figure"], ["agreement", *CORPORA, "--plot", "FOLDER/out.svg"]),
        ("plots", ["matplotlib", "matplotlib.figure", "matplotlib.ticker"], [*DIFFICULTY, "--plot", "FOLDER/out.svg"]),
        ("training", ["pyarrow", "pyarrow.parquet"], TRAINING),
        ("oxigraph", ["oxrdflib", "oxrdflib.store", "pyoxigraph"], ["store", "add", "FOLDER/store", CORPORA[0]]),
        ("distributed", ["distributed"], ["compare", *CORPORA, "--scheduler", "tcp://127.0.0.1:9"]),
    ],
)
def test_the_extra_is_named(
    extra: str,
    missing: list[str],
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"{}")
    for name in missing:
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    assert main([part.replace("FOLDER", str(tmp_path)) for part in command]) == 2
    shown = capsys.readouterr()
    assert f"pip install 'aifgraph[{extra}]'" in shown.err
    assert shown.err.count("\n") == 1
    assert not shown.out
    assert {file.name for file in tmp_path.iterdir()} <= {"model.onnx", "tokenizer.json"}
