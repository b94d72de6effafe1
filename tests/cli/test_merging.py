"""``aifgraph differences`` and ``merge`` of maps and of corpora, and decisions that are refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main

#: Changes a row of the file, given by column.
Change = Callable[[dict[str, str]], None]


@pytest.fixture
def debate(fixtures: Path) -> tuple[str, str]:
    return str(fixtures / "debate" / "first.json"), str(fixtures / "debate" / "second.json")


@pytest.fixture
def debates(fixtures: Path) -> tuple[str, str]:
    return str(fixtures / "debates" / "ann"), str(fixtures / "debates" / "ben")


def decisions(path: Path, pair: tuple[str, str], change: Change | None = None, *options: str) -> Path:
    """The differences of a pair as a file, each decided for the first, with one of its rows changed."""
    assert main(["differences", *pair, *options, "--format", "tsv", "-o", str(path)]) == 0
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        row["decision"] = "first"
    if change:
        change(next(row for row in rows if row["group"] == "relations"))
    lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def refused(
    capsys: pytest.CaptureFixture[str], folder: Path, pair: tuple[str, str], path: Path, *messages: str
) -> None:
    """The command says what is wrong in one line, with exit code 2, and writes nothing."""
    before = sorted(folder.iterdir())
    capsys.readouterr()
    assert main(["merge", *pair, "--decisions", str(path), "-o", str(folder / "gold.json")]) == 2
    err = capsys.readouterr().err
    lines = [line for line in err.splitlines() if not line.startswith("aifgraph: warning")]
    assert len(lines) == 1, err
    for message in (path.name, *messages):
        assert message in lines[0]
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        (lambda row: row.update(row="ffffffff"), ("line ", "no row 'ffffffff'", "write the differences again")),
        (lambda row: row.update(decision="Assertin"), ("no scheme", "'Assertin'", "aifgraph schemes")),
        (lambda row: row.update(decision="XA"), ("no scheme", "'XA'")),
    ],
)
def test_a_wrong_row_is_named(
    change: Change,
    messages: tuple[str, ...],
    debate: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    refused(capsys, tmp_path, debate, decisions(tmp_path / "d.tsv", debate, change), *messages)


def test_two_decisions_for_a_row_are_named(
    debate: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = decisions(tmp_path / "d.tsv", debate)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines, lines[1].replace("\tfirst\t", "\tsecond\t")]) + "\n", encoding="utf-8")
    refused(capsys, tmp_path, debate, path, f"line {len(lines) + 1}", "line 2, too", "keep one of the two")


def test_decisions_about_other_maps(
    debate: tuple[str, str], debates: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = decisions(tmp_path / "d.tsv", debate)
    refused(capsys, tmp_path, debate[::-1], path, "the other way round", "swap them")
    others = tuple(f"{folder}/nodeset1.json" for folder in debates)
    refused(capsys, tmp_path, others, path, "are about other maps", "give the maps that were compared")


def test_a_map_that_has_changed_since(
    debate: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = decisions(tmp_path / "d.tsv", debate)
    document = json.loads(Path(debate[1]).read_text("utf-8"))
    document["nodes"][0]["text"] += " indeed"
    changed = tmp_path / "second.json"
    changed.write_text(json.dumps(document), encoding="utf-8")
    refused(capsys, tmp_path, (debate[0], str(changed)), path, "the second has changed", "decide anew")


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        (b"row\tdecision\n1\tfirst\n", ("no column 'maps'", "aifgraph differences --format tsv")),
        (b"", ("no column 'row'",)),
        (b'{"row": 1}', ("no column 'row'",)),
        ("row\tmaps\tdecision\n1\t2\tf\xfcr\n".encode("latin-1"), ("UTF-8",)),
        (b"row\tmaps\tdecision\n1\t2\tfirst\0\n", ("binary data",)),
        (b"row\tmaps\tdecision\n1\t2\t" + b"x" * 100_001 + b"\n", ("line 2", "too long")),
    ],
    ids=["columns", "empty", "json", "latin-1", "zero-byte", "huge-cell"],
)
def test_what_is_no_file_of_decisions(
    content: bytes,
    messages: tuple[str, ...],
    debate: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "d.tsv"
    path.write_bytes(content)
    refused(capsys, tmp_path, debate, path, *messages)


def test_a_huge_file_is_not_read(debate: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "d.tsv"
    with path.open("wb") as file:
        file.write(b"row\tmaps\tdecision\n")
        file.truncate(3_000_000_000)
    refused(capsys, tmp_path, debate, path, "larger than 256 MiB")


def test_every_pair_of_corpora_is_merged(debates: tuple[str, str], tmp_path: Path) -> None:
    path = decisions(tmp_path / "d.tsv", debates)
    gold = tmp_path / "gold"
    assert main(["merge", *debates, "--decisions", str(path), "--complete", "-o", str(gold)]) == 0
    assert sorted(each.stem for each in gold.glob("*.json")) == ["nodeset1", "nodeset2", "nodeset3"]
    for each in gold.glob("*.json"):
        assert aifgraph.compare(each, f"{debates[0]}/{each.name}").kappa in (1.0, None)
    assert main(["check", str(gold), "--profile", "iat"]) in (0, 1)
    assert main(["merge", *debates, "--prefer", "both", "-o", str(tmp_path / "gold.zip")]) == 0
    assert len(aifgraph.open_corpus(tmp_path / "gold.zip")) == 3


def test_a_folder_of_decisions_with_a_file_a_pair(debates: tuple[str, str], tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    for name in ("nodeset1", "nodeset2"):
        decisions(study / f"{name}.tsv", tuple(f"{folder}/{name}.json" for folder in debates))
    gold = tmp_path / "gold"
    assert main(["merge", *debates, "--decisions", str(study), "--complete", "-o", str(gold)]) == 0
    assert len(list(gold.glob("*.json"))) == 3


def test_a_pair_that_fails_is_that_pair_alone(
    debates: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = decisions(tmp_path / "d.tsv", debates)
    text = path.read_text("utf-8")
    path.write_text(
        text.replace("\tnodeset2\t", "\tnodeset2\t", 1).replace("\tfirst\t\t\t", "\tfrist\t\t\t", 1), "utf-8"
    )
    gold = tmp_path / "gold"
    assert main(["merge", *debates, "--decisions", str(path), "-o", str(gold)]) == 2
    err = capsys.readouterr().err
    assert err.count("not merged") == 1
    assert "d.tsv, line 2" in err
    assert "2 maps written" in err
    assert len(list(gold.glob("*.json"))) == 2


def test_an_output_that_holds_something_is_left_alone(
    debates: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold"
    gold.mkdir()
    (gold / "study.json").write_text("{}", encoding="utf-8")
    assert main(["merge", *debates, "--prefer", "both", "-o", str(gold)]) == 2
    assert "name a new folder" in capsys.readouterr().err
    assert [path.name for path in gold.iterdir()] == ["study.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--decisions", "{empty}"], "no .tsv file"),
        (["--decisions", "{other}"], "about no pair of these corpora"),
        (["-o", "-"], "a folder or an archive"),
        (["--complete", "--pair-by", "nothing"], "cannot pair by"),
        (["-o", "{empty}/no/gold"], "no such folder"),
    ],
)
def test_refused_merges_of_corpora(
    arguments: list[str],
    message: str,
    debates: tuple[str, str],
    debate: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    other = decisions(tmp_path / "other.tsv", debate)
    given = [each.format(empty=empty, other=other) for each in arguments]
    assert main(["merge", *debates, "-o", str(tmp_path / "gold"), *given]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "gold").exists()


def test_a_map_against_a_corpus(debates: tuple[str, str], debate: tuple[str, str], tmp_path: Path) -> None:
    assert main(["merge", debate[0], debates[1], "-o", str(tmp_path / "gold")]) == 2
    assert main(["merge", *debate, "--pair-by", "text", "-o", str(tmp_path / "gold.json")]) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.data
@pytest.mark.slow
def test_differences_of_a_real_corpus_in_every_format(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "araucaria"
    command = ["differences", str(folder), str(folder), "--pairs", str(folder / "same_text_pairs.tsv")]
    written = {name: tmp_path / f"rows.{name}" for name in ("text", "tsv", "csv", "json", "markdown")}
    for name, path in written.items():
        assert main([*command, "--format", name, "-o", str(path)]) == 0
    pairs = json.loads(written["json"].read_text("utf-8"))
    rows = [row["row"] for pair in pairs for row in pair["rows"]]
    assert len(pairs) == 56
    for name, separator in (("tsv", "\t"), ("csv", ",")):
        with written[name].open(encoding="utf-8", newline="") as file:
            assert [row["row"] for row in csv.DictReader(file, delimiter=separator)] == rows
    for name in ("text", "markdown"):
        text = written[name].read_text("utf-8")
        assert all(row in text for row in rows)
