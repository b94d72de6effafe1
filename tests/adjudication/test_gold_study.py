"""A study in a folder: begun, gone on with, refused where it is another one; its decisions are those of ``merge``."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

import aifgraph
from aifgraph.adjudication.decision_file import DecisionFile, StaleError, read_decisions
from aifgraph.adjudication.finish import finish
from aifgraph.adjudication.merge_corpora import merge_corpora
from aifgraph.adjudication.study import Study
from aifgraph.cli import main
from aifgraph.comparison.options import Options
from aifgraph.corpus import open_corpus
from aifgraph.corpus.pairing import pair
from aifgraph.errors import InputError

DEBATES = Path("fixtures/debates")


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, Path]:
    found = tmp_path / "ann", tmp_path / "ben"
    for folder in found:
        shutil.copytree(DEBATES / folder.name, folder)
    return found


def opened(corpora: tuple[Path, Path], out: Path, options: Options | None = None) -> Study:
    return Study(out, pair(*map(open_corpus, corpora)), options or Options())


def first_row(study: Study, number: int = 0) -> str:
    return next(iter(study.pairs[number].decisions.rows()))


@pytest.mark.parametrize("note", ["=cmd|' /C calc'!A0", "＝1", "'=1", "'quoted'", '"=1"', "- or not"])
def test_a_note_is_no_formula_in_the_file_and_comes_back_as_it_was(
    corpora: tuple[Path, Path], tmp_path: Path, note: str
) -> None:
    with opened(corpora, tmp_path / "out") as study:
        row = first_row(study)
        study.decide(0, row, "second", note=note, by="Cleo", seen={})
        assert study.pairs[0].decisions.rows()[row]["note"] == note
    for path in (tmp_path / "out").rglob("*.tsv"):
        for line in path.read_text("utf-8").splitlines():
            cells = (cell[1:-1] if cell[:1] == cell[-1:] == '"' else cell for cell in line.split("\t"))
            assert not any(cell.startswith(("=", "＝", "-")) for cell in cells)


def test_decisions_are_on_disk_at_once_and_merge_takes_them(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    with opened(corpora, tmp_path / "out") as study:
        row = first_row(study)
        made = study.decide(0, row, "Second", note='"so" she said:\n\there', by="Cleo", seen={})
        assert (made["decision"], made["note"], made["by"]) == ("second", '"so" she said: here', "Cleo")
        file = tmp_path / "out" / "decisions" / "nodeset1.tsv"
        first, second = (aifgraph.load(folder / "nodeset1.json") for folder in corpora)
        differences = aifgraph.compare(first, second).differences()
        decided = read_decisions(file.read_text("utf-8"), differences)
        assert decided[row].choice == "second"
        assert decided[row].when == made["when"]
        log = (tmp_path / "out" / "log.tsv").read_text("utf-8").splitlines()
        assert log[1].split("\t") == [
            made["when"], "Cleo", "nodeset1", row, "illocutions", "relabelled", "second", made["note"], "",
        ]  # fmt: skip
    gold = tmp_path / "gold.json"
    assert (
        main(
            ["merge", *(str(folder / "nodeset1.json") for folder in corpora), "--decisions", str(file), "-o", str(gold)]
        )
        == 0
    )
    with opened(corpora, tmp_path / "out") as study:
        finished = finish(study)
    assert finished.gold == ("nodeset1", "nodeset3")
    assert finished.open == (("nodeset2", 1),)
    assert aifgraph.load(tmp_path / "out" / "gold" / "nodeset1.json") == aifgraph.load(gold)
    choices = (tmp_path / "out" / "choices.tsv").read_text("utf-8").splitlines()
    assert choices[1] == "relabelled\t0\t0\t0\t1\t0\t0\t0\t0\t0.0000"


def test_a_stale_change_is_refused_and_another_row_is_kept(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = DEBATES.parent / "debate" / "first.json", DEBATES.parent / "debate" / "second.json"
    out = tmp_path / "d.tsv"
    assert main(["differences", str(first), str(second), "--format", "tsv", "-o", str(out)]) == 0
    one, other = DecisionFile(out), DecisionFile(out)
    rows = list(one.rows())
    one.decide(rows[0], "first", when="1", by="a", seen={})
    other.decide(rows[1], "second", when="2", by="b", seen={})
    with pytest.raises(StaleError, match="has been decided meanwhile: 'first' by a") as caught:
        other.decide(rows[0], "second", when="3", seen={})
    assert caught.value.current["decision"] == "first"
    # Whoever agrees with what is there by now changes nothing.
    assert other.decide(rows[0], "first", when="3", seen={})["by"] == "a"
    assert other.decide(rows[0], "second", when="4", seen={"decision": "first", "when": "1"})["when"] == "4"
    records = one.rows()
    assert [records[row]["decision"] for row in rows[:2]] == ["second", "second"]
    assert one.decide(rows[1], "", seen={"decision": "second", "when": "2"})["by"] == ""
    assert other.progress().decided == 1


@pytest.mark.parametrize(
    ("row", "decision", "what"),
    [("nowhere", "first", "no row 'nowhere'"), ("", "no such act", "no illocution"), ("", "x" * 200_000, "too long")],
)
def test_what_no_row_can_have_is_refused(
    corpora: tuple[Path, Path], tmp_path: Path, row: str, decision: str, what: str
) -> None:
    with opened(corpora, tmp_path / "out") as study:
        before = study.pairs[0].decisions.path.read_bytes()
        with pytest.raises(InputError, match=what):
            study.decide(0, row or first_row(study), decision, by="", seen={})
        assert study.pairs[0].decisions.path.read_bytes() == before


def test_another_study_and_other_files_are_refused(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    opened(corpora, out).close()
    with pytest.raises(InputError, match="other options"):
        opened(corpora, out, Options(matching="optimal"))
    (corpora[0] / "nodeset1.json").unlink()
    with pytest.raises(InputError, match=r"another study \(3 pairs, nodeset1 …\)"):
        opened(corpora, out)
    with pytest.raises(InputError, match="holds other files"):
        opened(corpora, corpora[0])
    assert not (corpora[0] / "study.json").exists()
    with pytest.raises(InputError, match="is no folder"):
        opened(corpora, corpora[1] / "nodeset1.json")
    (out / "study.json").write_text('{"kind": "aifgraph study 1", "pairs": [1]}')
    with pytest.raises(InputError, match="not the study"):
        opened(corpora, out)


def test_a_changed_map_is_one_clear_error(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    out, place = tmp_path / "out", corpora[1] / "nodeset1.json"
    whole = place.read_bytes()
    with opened(corpora, out) as study:
        row = first_row(study)
        study.decide(0, row, "first", by="", seen={})
        place.write_bytes(whole.replace(b"Challenging", b"Agreeing"))
        with pytest.raises(InputError, match="the second map of nodeset1 has changed"):
            study.decide(0, row, "second", by="", seen={"decision": "first"})
        assert study.pairs[0].decisions.rows()[row]["decision"] == "first"
        assert finish(study).failed[0][0] == "nodeset1"
    with pytest.raises(InputError, match="has changed since 1 of its rows were decided"):
        opened(corpora, out)
    place.write_bytes(whole)
    with opened(corpora, out) as study:
        assert study.pairs[0].decisions.progress().decided == 1
    # Where nobody has decided anything, the differences are listed anew.
    other = corpora[1] / "nodeset2.json"
    other.write_bytes((corpora[0] / "nodeset2.json").read_bytes())
    with opened(corpora, out) as study:
        assert len(study.pairs[1].decisions.rows()) == 0


def test_a_study_goes_on_under_another_version(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    with opened(corpora, out) as study:
        study.decide(0, first_row(study), "first", by="", seen={})
    place = out / "study.json"
    place.write_text(re.sub(r"\|v:[^|]*", "|v:0.0.9", place.read_text("utf-8")), "utf-8")
    # A row that the other version did not list is open.
    file = out / "decisions" / "nodeset1.tsv"
    with opened(corpora, out) as study:
        assert study.pairs[0].decisions.progress().decided == 1
        file.write_text(file.read_text("utf-8").splitlines(keepends=True)[0], "utf-8")
        assert finish(study).open[0] == ("nodeset1", 1)


def test_one_process_at_a_time(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    with opened(corpora, tmp_path / "out"), pytest.raises(InputError, match="another process has this study open"):
        opened(corpora, tmp_path / "out")
    opened(corpora, tmp_path / "out").close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o500)
    with pytest.raises(InputError, match="Permission denied"):
        opened(corpora, out)


def test_the_log_catches_up_with_decisions_made_without_it(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    with opened(corpora, out) as study:
        row = first_row(study)
        # As a process that is killed between the two leaves it, with a line cut short.
        study.pairs[0].decisions.decide(row, "first", by="Cleo", when="now", seen={})
        with (out / "log.tsv").open("a") as log:
            log.write("2026-01-01\tCl")
    opened(corpora, out).close()
    opened(corpora, out).close()
    lines = (out / "log.tsv").read_text("utf-8").splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(f"now\tCleo\tnodeset1\t{row}\t")


def test_a_map_that_cannot_be_read_costs_only_itself(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    (corpora[1] / "nodeset2.json").write_text("no map")
    with opened(corpora, tmp_path / "out") as study:
        assert [bool(each.error) for each in study.pairs] == [False, True, False]
        assert finish(study).failed[0][0] == "nodeset2"


def test_files_of_a_pair_are_called_alike_and_as_every_system_takes_them(
    corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    names = {"nodeset1": ("CON", "aux"), "nodeset2": ("a b", "A_b"), "nodeset3": ("one", "two")}
    for of_pair in names.items():
        for folder, name in zip(corpora, of_pair[1], strict=True):
            (folder / f"{of_pair[0]}.json").rename(folder / f"{name}.json")
    table = tmp_path / "pairs.tsv"
    table.write_text("".join(f"{one}\t{other}\n" for one, other in [("first", "second"), *names.values()]), "utf-8")
    with Study(tmp_path / "out", pair(*map(open_corpus, corpora), by=table), Options()) as study:
        files = {each.decisions.path.stem for each in study.pairs}
    assert files == {"CON-aux", "a_b-A_b", "one-two"}
    merged = merge_corpora(*corpora, tmp_path / "gold", pair_by=table, prefer="first")
    assert len(merged.pairs) == 3
    assert {path.stem for path in (tmp_path / "gold").glob("*.json")} == {"CON-aux", "a b-A_b", "one-two"}


def test_the_command_says_what_is_wrong(
    corpora: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, ben = map(str, corpora)
    out = ["-o", str(tmp_path / "out")]
    for arguments, what in (
        ([ann, f"{ben}/nodeset1.json"], "a single map against a corpus"),
        (["-", "-"], "standard input"),
        ([ann, ben, "--as", " "], "--as is no name"),
        ([ann, ben, "--pairs", f"{ann}/nodeset1.json", "--pair-by", "text"], "--pairs has no effect with --pair-by"),
        ([ann, str(tmp_path)], "no map in common"),
        (
            [f"{ann}/nodeset1.json", f"{ben}/nodeset1.json", "--pair-by", "text"],
            "--pair-by has an effect only with two corpora",
        ),
    ):
        assert main(["adjudicate", *arguments, *out]) == 2
        error = capsys.readouterr().err
        assert what in error
        assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_finish_on_the_command_line(
    corpora: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, ben = map(str, corpora)
    out = tmp_path / "out"
    assert main(["adjudicate", ann, ben, "-o", str(out), "--finish"]) == 1
    assert "nodeset2: not written: 1 row open" in capsys.readouterr().err
    assert main(["adjudicate", ann, ben, "-o", str(out), "--finish", "--prefer", "first"]) == 0
    assert main(["check", *map(str, sorted((out / "gold").glob("*.json")))]) == 0
    single = [f"{ann}/nodeset1.json", f"{ben}/nodeset1.json"]
    assert main(["adjudicate", *single, "-o", str(tmp_path / "one"), "--finish", "--prefer", "second"]) == 0
    assert (tmp_path / "one" / "gold" / "nodeset1.json").exists()
