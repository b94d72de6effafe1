"""The command line from outside: exit codes, outputs, bad inputs. Run in a checkout, where ``fixtures/`` is."""

from __future__ import annotations

import csv
import io
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import aifgraph
from aifgraph import GraphBuilder, dump, load
from aifgraph.cli import main

FIRST, SECOND = "fixtures/debate/first.json", "fixtures/debate/second.json"
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"

_whole = click.Command(
    "aifgraph",
    params=[click.Argument(["args"], nargs=-1, type=click.UNPROCESSED)],
    callback=lambda args: sys.exit(main(args)),
    context_settings={"ignore_unknown_options": True},
    add_help_option=False,
)


def run(*args: str, **settings: Any) -> Result:
    result = CliRunner().invoke(_whole, args, **settings)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def fits(text: str, columns: int = 100, lines: int = 40) -> bool:
    return len(text.splitlines()) <= lines and all(
        len(line) <= columns or line.startswith("CASS|") for line in text.splitlines()
    )


@pytest.mark.parametrize(
    "args",
    [
        ("show", FIRST),
        ("show", ANN),
        ("show", FIRST, "--tree"),
        ("show", ANN, "--tree"),
        ("check", FIRST),
        ("check", "fixtures/zoo/ann.json", "--profile", "iat"),
        ("compare", FIRST, SECOND),
        ("compare", FIRST, SECOND, "--chance", "5"),
        ("compare", ANN, BEN),
        ("compare", ANN, BEN, "--intervals"),
        ("differences", FIRST, SECOND),
        ("differences", ANN, BEN),
        ("evaluate", ANN, BEN, "--baselines", "none", "--set", "test_rounds=100"),
        ("agreement", ANN, BEN),
        ("query", ANN, "schemes"),
    ],
)
def test_default_output_fits_a_screen(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 0
    assert result.stdout
    assert fits(result.stdout), result.stdout


def test_set_changes_the_signature() -> None:
    assert "CASS|v=" in run("compare", FIRST, SECOND).stdout
    assert "CASS|matching=optimal|v=" in run("compare", FIRST, SECOND, "--set", "matching=optimal").stdout
    drawn = ("--intervals", "--set", "level=0.9", "--set", "rounds=50", "--seed", "7")
    assert "CASS|intervals=percentile|level=0.9|rounds=50|seed=7|v=" in run("compare", ANN, BEN, *drawn).stdout
    assert "|gate=on|" in run("compare", FIRST, SECOND, "--format", "latex").stdout.partition("\n")[0]


def test_what_has_no_effect_cannot_be_set(tmp_path: Path) -> None:
    without_effect = [
        ("differences", FIRST, SECOND, "--chance", "5"),
        ("differences", FIRST, SECOND, "--set", "mean=layers"),
        ("merge", FIRST, SECOND, "-o", str(tmp_path / "gold.json"), "--set", "rounds=5"),
        ("compare", FIRST, SECOND, "--set", "meaning=model"),
    ]
    for command in without_effect:
        result = run(*command)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    help_of = {name: run(name, "a", "b", "--set", "help").stdout for name in ("compare", "differences", "evaluate")}
    assert not any("meaning " in text or "min_meaning" in text for text in help_of.values())
    listed = {name: ("\nmean " in text, "\ntest_rounds " in text) for name, text in help_of.items()}
    assert listed == {"compare": (True, True), "differences": (False, False), "evaluate": (True, True)}


def test_merge_pairs_by_the_least_similarity_that_is_set(tmp_path: Path) -> None:
    shutil.copytree(BEN, tmp_path / "ben")
    for text in (tmp_path / "ben").glob("*.txt"):
        text.write_text(f"{text.read_text('utf-8')} And then they all went home to have some tea.", "utf-8")
    command = ("merge", ANN, str(tmp_path / "ben"), "--pair-by", "text", "--prefer", "first")
    assert run(*command, "-o", str(tmp_path / "some"), "--set", "min_text=0.3").exit_code == 0
    assert run(*command, "-o", str(tmp_path / "none"), "--set", "min_text=0.99").exit_code == 2


def test_what_cannot_be_paired_is_one_line_in_all_commands(tmp_path: Path) -> None:
    for name, content in {"empty": "", "bad": "{", "else": Path(FIRST).read_text("utf-8")}.items():
        (tmp_path / name).mkdir()
        if content:
            (tmp_path / name / "map.json").write_text(content, "utf-8")
    (tmp_path / "renamed").mkdir()
    for suffix in (".json", ".txt"):
        shutil.copy(f"{BEN}/nodeset1{suffix}", tmp_path / "renamed" / f"map{suffix}")
    (tmp_path / "pairs.tsv").write_text("first\tsecond\n", "utf-8")
    wrong = [(str(tmp_path / name),) for name in ("empty", "bad", "else", "renamed", "none")]
    for arguments in [*wrong, (BEN, "--pair-by", str(tmp_path / "pairs.tsv"))]:
        found = {
            (result.exit_code, result.stderr)
            for command in ("compare", "evaluate", "agreement", "differences")
            for result in [run(command, ANN, *arguments)]
        }
        ((code, line),) = found
        assert (code, line.count("\n"), "--pair-by text" in line) == (2, 1, "renamed" in arguments[0])


@pytest.mark.parametrize("command", ["compare", "evaluate", "agreement"])
def test_sides_have_names_and_one_each(command: str) -> None:
    result = aifgraph.compare_corpora(ANN, BEN, names=("Ann", "Ben"))
    assert result.header.names == tuple(result.to_dict()["names"]) == ("Ann", "Ben")
    assert run(command, ANN, BEN, "--names", "Ann, Ben").exit_code == 0
    assert run(command, ANN, BEN, "--names", "Ann").exit_code == 2


def test_fix(tmp_path: Path) -> None:
    repaired = tmp_path / "repaired.json"
    result = run("check", "fixtures/rules/E111-breaks.json", "--fix", str(repaired))
    assert result.exit_code == 0
    assert "is joined by RA 3" in result.stdout
    assert run("check", str(repaired)).exit_code == 0


def test_fix_does_what_broken_rules_ask(tmp_path: Path) -> None:
    debate = load(FIRST)
    build = GraphBuilder(debate)
    first = debate.propositions[0]
    build.proposition(first.text)
    build.edge(debate.propositions[1], first)
    dump(build.graph(), tmp_path / "map.json")
    run("check", str(tmp_path / "map.json"), "--fix", str(tmp_path / "fixed.json"))
    fixed = load(tmp_path / "fixed.json")
    assert len(fixed.inferences) == len(debate.inferences) + 1
    assert {node.id for node in build.graph()} < {node.id for node in fixed}
    run("check", str(tmp_path / "map.json"), "--select", "i-duplicate", "--fix", str(tmp_path / "merged.json"))
    assert [node.text for node in load(tmp_path / "merged.json").propositions].count(first.text) == 1


def test_draw(tmp_path: Path) -> None:
    assert run("draw", FIRST).stdout.startswith("<svg")
    assert "first: attacks" in run("draw", FIRST, SECOND).stdout
    pair = str(tmp_path / "pair.json")
    run("compare", FIRST, SECOND, "-o", pair)
    assert "--matrix" in run("draw", pair).stderr  # the result of two maps has no intervals


def test_the_json_of_two_corpora_is_not_read_back(tmp_path: Path) -> None:
    file = str(tmp_path / "result.json")
    run("compare", ANN, BEN, "-o", file)
    assert "--resume" in run("show", file).stderr


def test_query() -> None:
    assert run("query", ANN, "ASK { ?n a aif:CA-node }").stdout == "yes\n"
    no = run("query", ANN, "ASK { ?n a aif:PA-node }")
    assert (no.exit_code, no.stdout) == (1, "no\n")
    assert rows(run("query", ANN, "SELECT ?n WHERE { ?n a aif:CA-node }", "--format", "csv").stdout)
    assert rows(run("query", FIRST, "schemes", "--format", "csv").stdout)


def test_decisions_make_a_gold_map(tmp_path: Path) -> None:
    file, gold = tmp_path / "decisions.tsv", tmp_path / "gold.json"
    assert run("differences", FIRST, SECOND, "-o", str(file)).exit_code == 0
    lines = list(csv.reader(file.read_text("utf-8").splitlines(), delimiter="\t"))
    decision = lines[0].index("decision")
    for line in lines[1:]:
        line[decision] = "first"
    file.write_text("\n".join("\t".join(line) for line in lines), "utf-8")
    assert run("merge", FIRST, SECOND, "--decisions", str(file), "-o", str(gold)).exit_code == 0
    assert run("differences", FIRST, str(gold)).stdout.startswith("No differences")


def test_interrupt_is_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("aifgraph.evaluation.evaluate"), "evaluate", interrupted)
    result = run("evaluate", ANN, BEN, "-o", str(tmp_path / "board.json"))
    assert (result.exit_code, result.stderr.strip()) == (130, "aifgraph: interrupted")
    assert not list(tmp_path.iterdir())
