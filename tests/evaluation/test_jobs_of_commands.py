"""``--jobs``: every command that takes it writes the same bytes with two processes as with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph.cli import main
from evaluation.small_corpora import make_corpora

#: Commands about two corpora, and what their output is called.
COMMANDS = {
    "pages": ("compare ANN BEN --format html -o OUT", "pages"),
    "differences for people": ("differences ANN BEN --context -o OUT", "list.txt"),
    "differences for decisions": ("differences ANN BEN --format tsv -o OUT", "list.tsv"),
    "differences as values": ("differences ANN BEN --format json -o OUT", "list.json"),
    "merged maps": ("merge ANN BEN --prefer both -o OUT", "gold"),
    "counts": ("stats ANN BEN --format json -o OUT", "counts.json"),
    "findings": ("check ANN BEN --profile iat --all -o OUT", "findings.txt"),
    "a folder in another format": ("convert BEN OUT/ --to xaif", "maps"),
    "JSON lines": ("convert BEN OUT", "maps.jsonl"),
}


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Two corpora of 6 maps, one of them damaged."""
    ann, ben = make_corpora(tmp_path_factory.mktemp("made"), 6)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    return {"ANN": str(ann), "BEN": str(ben)}


def files_of(path: Path) -> dict[str, bytes]:
    """What is in a file, or in the files of a folder."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {each.relative_to(path).as_posix(): each.read_bytes() for each in path.rglob("*") if each.is_file()}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.slow) if what == "pages" else what for what in COMMANDS]
)
def test_two_processes_write_the_bytes_of_one(
    what: str, corpora: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, called = COMMANDS[what]
    out, said, codes = tmp_path / called, [], []
    for jobs in ("1", "2"):
        arguments = [corpora.get(word, word.replace("OUT", str(out))) for word in words.split()]
        codes.append(main([*arguments, "--jobs", jobs]))
        said.append(capsys.readouterr().err)
        out.rename(tmp_path / jobs)
    assert said[0] == said[1]
    assert "map3" in said[0]
    assert codes == [2, 2]
    one, two = files_of(tmp_path / "1"), files_of(tmp_path / "2")
    assert one == two
    assert any(one.values())


@pytest.mark.parametrize("command", ["differences", "merge"])
def test_two_maps_need_no_jobs(command: str, fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (str(fixtures / "debate" / name) for name in ("first.json", "second.json"))
    assert main([command, first, second, "-o", "-", "-j", "2"]) == 2
    assert "--jobs has an effect only with" in capsys.readouterr().err


def test_decisions_are_read_by_every_process(corpora: dict[str, str], tmp_path: Path) -> None:
    table, other = str(tmp_path / "decisions.tsv"), tmp_path / "other.tsv"
    both = [corpora["ANN"], corpora["BEN"]]
    assert main(["differences", *both, "--format", "tsv", "-o", table]) == 2
    lines = Path(table).read_text("utf-8").splitlines()
    place = lines[0].split("\t").index("decision")
    rows = [line.split("\t") for line in lines]
    decided = [
        "\t".join([*row[:place], "second" if number else row[place], *row[place + 1 :]])
        for number, row in enumerate(rows)
    ]
    other.write_text("\n".join(decided) + "\n", "utf-8")
    for jobs in ("1", "2"):
        assert main(["merge", *both, "--decisions", str(other), "-o", str(tmp_path / jobs), "-j", jobs]) == 2
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")
