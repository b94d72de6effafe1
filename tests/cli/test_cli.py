"""The command line from outside: outputs, options, and what comes out of one command and goes into another."""

import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import GraphBuilder, dump, load
from aifgraph.adjudication.decisions import decisions_tsv, rows_of
from aifgraph.cli.output import Output
from documents import FIRST, make_folder

SCREENS = (
    *("show FIRST", "show ANN", "show FIRST --tree", "show ANN --tree", "check FIRST"),
    *("check FIXTURES/zoo/ann.json --profile iat", "compare FIRST SECOND", "compare FIRST SECOND --chance 5"),
    *("compare ANN BEN", "compare ANN BEN --intervals", "differences FIRST SECOND", "differences ANN BEN"),
    *("evaluate ANN BEN --baselines none --set test_rounds=100", "agreement ANN BEN", "query ANN schemes"),
)


@pytest.mark.parametrize("command", SCREENS)
def test_default_output_fits_a_screen(
    command: str, run: Any, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Output, "on_screen", property(lambda self: True))
    done = run(command)
    assert done.code == 0
    lines = done.out.replace(f"{places['FIXTURES'].parent}/", "").splitlines()
    assert 0 < len(lines) <= 40
    assert all(len(line) <= 100 or line.startswith("CASS|") for line in lines), done.out


def test_only_what_has_an_effect_is_listed(run: Any) -> None:
    help_of = {name: run(f"{name} a b --set help").out for name in ("compare", "differences", "evaluate")}
    assert not any("meaning " in text or "min_meaning" in text for text in help_of.values())
    assert all("\nmean " in text and "\ntest_rounds " in text for text in help_of.values())


def test_merge_pairs_by_the_least_similarity_that_is_set(run: Any, places: dict[str, Path]) -> None:
    shutil.copytree(places["BEN"], places["TMP"] / "ben")
    for text in (places["TMP"] / "ben").glob("*.txt"):
        text.write_text(f"{text.read_text('utf-8')} And then they all went home to have some tea.", "utf-8")
    command = "merge ANN TMP/ben --pair-by text --prefer first"
    assert run(f"{command} -o TMP/some --set min_text=0.3").code == 0
    assert run(f"{command} -o TMP/none --set min_text=0.99").code == 2


@pytest.mark.parametrize("given", ["empty", "bad", "else", "renamed", "none", "pairs --pair-by TMP/pairs.tsv"])
def test_what_cannot_be_paired_is_one_line_in_all_commands(given: str, run: Any, places: dict[str, Path]) -> None:
    first, one = FIRST.read_text("utf-8"), places["BEN"] / "nodeset1.json"
    files = {"empty/x": "", "bad/map.json": "{", "else/map.json": first, "pairs.tsv": "first\tsecond\n"}
    files |= {f"renamed/map{suffix}": one.with_suffix(suffix).read_text("utf-8") for suffix in (".json", ".txt")}
    make_folder(places["TMP"], files)
    shutil.copytree(places["BEN"], places["TMP"] / "pairs")
    commands = ("compare", "evaluate", "agreement", "differences")
    ((code, _, line),) = {run(f"{command} ANN TMP/{given}") for command in commands}
    assert (code, line.count("\n"), "--pair-by text" in line) == (2, 1, given == "renamed")


@pytest.mark.parametrize("command", ["compare", "evaluate", "agreement"])
def test_sides_have_names_and_one_each(command: str, run: Any) -> None:
    assert run(f"{command} ANN BEN --names 'Ann, Ben'").code == 0
    assert run(f"{command} ANN BEN --names Ann").code == run(f"{command} ANN BEN --names Ann,").code == 2


def test_fix_does_what_broken_rules_ask(run: Any, tmp_path: Path) -> None:
    debate = load(FIRST)
    build = GraphBuilder(debate)
    first = debate.propositions[0]
    build.proposition(first.text)
    build.edge(debate.propositions[1], first)
    dump(build.graph(), tmp_path / "map.json")
    assert "is joined by RA" in run("check TMP/map.json --fix TMP/fixed.json").out
    fixed = load(tmp_path / "fixed.json")
    assert len(fixed.inferences) == len(debate.inferences) + 1
    assert {node.id for node in build.graph()} < {node.id for node in fixed}
    several = run("check TMP/map.json FIRST --fix TMP/several").out.splitlines()
    assert several[1:3] == ["kind     changes", "direct         1"]
    run("check TMP/map.json --select i-duplicate --fix TMP/merged.json")
    assert [node.text for node in load(tmp_path / "merged.json").propositions].count(first.text) == 1


def test_draw(run: Any) -> None:
    assert run("draw FIRST").out.startswith("<svg")
    assert "first: attacks" in run("draw FIRST SECOND").out
    run("compare FIRST SECOND -o TMP/pair.json")
    assert "--matrix" in run("draw TMP/pair.json").err  # the result of two maps has no intervals
    done = run("draw TMP/pair.json FIRST")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_the_file_of_a_run_is_shown_as_the_run_was_and_the_json_of_two_corpora_is_not_read_back(run: Any) -> None:
    assert run("compare ANN BEN --resume TMP/run.jsonl").out == run("show TMP/run.jsonl").out
    run("compare ANN BEN -o TMP/result.json")
    assert "--resume" in run("show TMP/result.json").err


def test_query(run: Any) -> None:
    assert run("query ANN 'ASK { ?n a aif:CA-node }'").out == "yes\n"
    assert run("query FIRST 'ASK { ?n a aif:PA-node }'") == (1, "no\n", "")


def test_decisions_make_a_gold_map(run: Any, tmp_path: Path) -> None:
    assert run("differences FIRST SECOND -o TMP/decisions.tsv").code == 0
    rows = rows_of(tmp_path / "decisions.tsv").values()
    (tmp_path / "decisions.tsv").write_text(decisions_tsv({**row, "decision": "first"} for row in rows), "utf-8")
    assert run("merge FIRST SECOND --decisions TMP/decisions.tsv -o TMP/gold.json").code == 0
    assert run("differences FIRST TMP/gold.json").out.startswith("No differences")


def test_interrupt_is_130(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("aifgraph.evaluation.evaluate"), "evaluate", interrupted)
    done = run("evaluate ANN BEN -o TMP/board.json")
    assert (done.code, done.err.strip()) == (130, "aifgraph: interrupted")
    assert not list(tmp_path.iterdir())


def test_a_corpus_becomes_one_map(run: Any, tmp_path: Path) -> None:
    first = GraphBuilder(name="first")
    claim = first.proposition("Tea is hot", id=1)
    second, clash = GraphBuilder(first.graph(), name="second"), GraphBuilder(name="clash")
    second.inference(second.proposition("It steams", id=2), claim, id=3)
    clash.proposition("Tea is cold", id=1)
    for folder, other in (("maps", second), ("others", clash)):
        aifgraph.write_corpus([first.graph(), other.graph()], tmp_path / folder)
    for suffix in ("json", "ttl"):
        assert run(f"convert TMP/maps TMP/one.{suffix}").code == 0
        assert [node.id for node in load(tmp_path / f"one.{suffix}")] == ["1", "2", "3"]
    done = run("convert TMP/others TMP/none.json")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert not (tmp_path / "none.json").exists()
