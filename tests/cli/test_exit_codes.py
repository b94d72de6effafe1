"""One meaning of each exit code in every command, and what a bad input says."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from aifgraph.cli import cli
from fuzz.commands import all_commands

#: Each command that takes a corpus; ``CORPUS`` has one map that is damaged and a file that is none.
OF_CORPORA = (
    *("show CORPUS", "show CORPUS --tree", "check CORPUS", "check CORPUS --fix OUT", "convert CORPUS OUT.jsonl"),
    *("compare CORPUS BEN", "compare CORPUS BEN --format html -o OUT", "differences CORPUS BEN"),
    *("merge CORPUS BEN -o OUT --prefer first", "agreement CORPUS BEN", "query CORPUS schemes"),
    "evaluate BEN CORPUS --set rounds=5 --set test_rounds=5 --baselines units",
)


@pytest.mark.parametrize("command", OF_CORPORA)
def test_some_damaged_maps_are_code_2_and_quiet_keeps_notices_back(
    command: str, run: Any, places: dict[str, Path]
) -> None:
    places["CORPUS"] = shutil.copytree(places["ANN"], places["TMP"] / "maps")
    (places["CORPUS"] / "notes.docx").write_text("", "utf-8")
    assert "notes.docx" in run(command).err
    for number, line in enumerate((f"{command} -q", f"{command} --quiet", f"-q {command}")):
        places["OUT"] = places["TMP"] / str(number)
        assert run(line).err == ""
    places["OUT"] = places["TMP"] / "damaged"
    (places["CORPUS"] / "nodeset2.json").write_text("{", "utf-8")
    done = run(command)
    assert done.code == 2
    assert "nodeset2" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "command",
    [
        "check FIXTURES/rules/E202-breaks.json",
        "differences FIRST SECOND --exit-code",
        "differences ANN BEN --exit-code",
    ],
)
def test_no_is_code_1(command: str, run: Any) -> None:
    done = run(command)
    assert (done.code, done.err) == (1, "")


@pytest.mark.parametrize("command", sorted(all_commands()))
def test_wrong_usage_is_code_2_and_help_is_code_0(command: str, run: Any) -> None:
    assert run(f"{command} --no-such-option").code == 2
    done = run(f"{command} --help")
    assert done.code == run(f"{command} -q --help").code == run(f"{command} --quiet --help").code == 0
    lines = done.out.splitlines()
    assert len(lines) <= 40
    assert all(len(line) <= 80 for line in lines)


#: A command line, and what its one line of error names.
BAD = (
    ("fetch", "fetch"),
    ("show none.json", "none.json"),
    ("show FIRST --nosuch\x1b]0;x\x07\x9b", "--nosuch"),
    ("show FIXTURES/hostile/truncated.json", "truncated.json"),
    ("show ANN --map nosuch", "nosuch"),
    ("check --profile owl FIRST", "owl"),
    ("convert ANN OUT --to kialo", "kialo"),
    ("convert FIRST - --to nosuch", "nosuch"),
    ("convert FIRST OUT.what", ".what"),
    ("convert FIRST OUT.ttl --set base", "base"),
    ("convert FIRST OUT.ttl --set nosuch=1", "no option 'nosuch'"),
    ("convert --dataset nosuch ANN OUT", "nosuch"),
    ("convert --dataset ruarg FIXTURES/datasets/ruarg/train.tsv OUT --set nosuch=1", "nosuch"),
    ("convert --dataset iac1 FIXTURES/datasets/iac1 OUT --set agree=x", "agree"),
    ("convert --dataset ruarg FIXTURES/datasets/ruarg/damaged.tsv OUT --set strict=true", "damaged.tsv, line 2"),
    ("convert --dataset ruarg FIXTURES/datasets/ruarg/damaged.tsv OUT --set strict=yes", "strict"),
    ("compare none.json SECOND", "none.json"),
    ("compare FIRST ANN", "give two maps or two corpora"),
    ("compare FIRST", "SECOND"),
    ("compare FIRST SECOND --formt json", "'--format'"),
    ("compare FIRST SECOND --set matchin=optimal", "matching"),
    ("compare FIRST SECOND --set min_overlap=3", "0 to 1"),
    ("compare FIRST SECOND --set calculations=PR+XX", "XX"),
    ("compare FIRST SECOND --measures nosuch", "nosuch"),
    ("compare FIRST SECOND --seed -1", "--seed"),
    ("compare FIRST SECOND -o OUT.pdf", ".pdf"),
    ("compare FIRST SECOND -o OUT/no/x.json", "no/x.json"),
    ("compare FIRST SECOND --first-text none.txt", "none.txt"),
    ("compare FIRST SECOND --set meaning=model", "meaning"),
    ("compare FIRST SECOND --jobs 2", "--jobs"),
    ("differences FIRST SECOND --pair-by text", "--pair-by"),
    ("merge ANN BEN --first-text FIRST -o OUT", "--first-text"),
    ("differences FIRST SECOND --chance 5", "--chance"),
    ("compare ANN BEN --pair-by none.tsv", "none.tsv"),
    ("compare ANN BEN --format html", "-o FOLDER"),
    ("compare ANN FIXTURES/microtexts --format html -o OUT", "microtexts"),
    ("draw FIRST SECOND --matrix nosuch -o OUT.svg", "nosuch"),
    ("evaluate ANN BEN --baselines nosuch", "units, chain, star"),
    ("evaluate ANN BEN --score nosuch", "nosuch"),
    ("evaluate ANN BEN --against nobody", "no system 'nobody'"),
    ("agreement ANN", "two"),
    ("query ANN nosuch", "undercuts"),
    ("query ANN FIRST", "first.json"),
    ("merge ANN BEN -o ANN", "ann"),
    ("merge FIRST SECOND -o OUT.json --decisions none.tsv", "none.tsv"),
    ("task ruarg score TASKS/ruarg/gold.tsv none.tsv", "none.tsv"),
    ("task ruarg score TASKS/ruarg/gold.tsv TASKS/arct/first.txt", "column"),
    ("task arct score TASKS/arct/instances.txt TASKS/arct/metadata-public.xml", "label"),
    ("task arct score TASKS/arct/instances.txt TASKS/arct/first.txt --tests 9", "two systems"),
    ("task aurc score TASKS/arct/first.txt", "first.txt"),
    ("task aurc agreement none", "AURC_DATA.tsv"),
)


@pytest.mark.parametrize(("command", "named"), BAD)
def test_bad_input_is_one_line_and_code_2(command: str, named: str, run: Any, tmp_path: Path) -> None:
    code, out, err = run(f"--quiet {command}")
    assert (code, out) == (2, "")
    assert named in err
    assert err.startswith("aifgraph: ")
    assert err.count("\n") == 1
    assert err.removesuffix("\n").isprintable()
    assert not list(tmp_path.iterdir())


def test_a_fault_of_the_library_is_a_traceback_and_code_3(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("of our own")

    monkeypatch.setattr(cli.commands["show"], "callback", fail)
    done = run("show FIRST")
    assert (done.code, "Traceback" in done.err) == (3, True)


def test_the_extra_is_named(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    done = run("draw FIRST SECOND --matrix transitions -o OUT.svg")
    assert (done.code, "pip install 'aifgraph[plots]'" in done.err) == (2, True)
    assert not list(tmp_path.iterdir())


RESULTS = (
    "ruarg score TASKS/ruarg/gold.tsv TASKS/ruarg/predicted.tsv",
    "ruarg score TASKS/ruarg/gold.tsv TASKS/ruarg/predicted.tsv TASKS/ruarg/gold.tsv",
    "ruarg check TASKS/ruarg/gold.tsv",
    "ruarg agreement TASKS/ruarg/gold.tsv TASKS/ruarg/gold.tsv",
    "arct score TASKS/arct/instances.txt TASKS/arct/first.txt TASKS/arct/second.txt",
    "aurc score TASKS/aurc/run.json --seed 1",
    "aurc subpopulation TASKS/aurc/run.json",
    "aurc perturbation TASKS/aurc/run.json TASKS/aurc/run.json",
    "aurc agreement TASKS/aurc",
)


@pytest.mark.parametrize("command", RESULTS)
def test_tasks_have_their_signature_in_every_format(command: str, run: Any, tmp_path: Path) -> None:
    formats = ("text", "json", "csv", "markdown", "latex")
    shown = {format: run(f"task {command} --format {format}").out for format in formats}
    data = json.loads(shown["json"])
    assert all(data["signature"] in text for text in shown.values())
    assert shown["latex"].startswith("% ")
    assert run(f"task {command} -o OUT.json").code == 0
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == data
