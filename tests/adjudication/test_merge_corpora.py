"""Two corpora as one: the decisions of a folder or of one file, and the names of what is written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import aifgraph
from aifgraph.errors import InputError

DEBATES = Path("fixtures/debates")
ANN, BEN = DEBATES / "ann", DEBATES / "ben"


def decided(name: str, choice: str) -> tuple[str, aifgraph.ArgumentGraph]:
    """The file of a pair with every row decided alike, and the map that is merged by it."""
    first, second = (aifgraph.load(folder / f"{name}.json") for folder in (ANN, BEN))
    head, *lines = aifgraph.compare(first, second).differences().to_tsv().splitlines()
    at = head.split("\t").index("decision")
    rows = [line.split("\t") for line in lines]
    text = "\n".join([head, *("\t".join([*row[:at], choice, *row[at + 1 :]]) for row in rows)]) + "\n"
    return text, aifgraph.merge(first, second, decisions={row[0]: choice for row in rows}).graph


def test_a_folder_of_decisions_and_one_file_of_all_rows_decide_the_same(tmp_path: Path) -> None:
    files = {name: decided(name, "second") for name in ("nodeset1", "nodeset2")}
    folder = tmp_path / "decisions"
    folder.mkdir()
    for name, (text, _) in files.items():
        (folder / f"{name}.tsv").write_text(text, "utf-8")
    head = files["nodeset1"][0].splitlines()[0]
    rows = [line for text, _ in files.values() for line in text.splitlines()[1:]]
    (tmp_path / "all.tsv").write_text("\n".join([head, *rows]), "utf-8")
    for number, source in enumerate((folder, tmp_path / "all.tsv")):
        for jobs in (1, 2):
            out = tmp_path / f"gold{number}{jobs}"
            done = aifgraph.merge_corpora(ANN, BEN, out, decisions=source, complete=True, jobs=jobs)
            assert not done.failed
            assert [pair.decided for pair in done.pairs][:2] == [pair.differences for pair in done.pairs][:2]
            for name, (_, wanted) in files.items():
                assert aifgraph.load(out / f"{name}.json") == wanted


def test_decisions_about_no_pair_are_refused(tmp_path: Path) -> None:
    (tmp_path / "decisions.tsv").write_text("row\tmaps\tdecision\nx\ta:b\tfirst\n", "utf-8")
    with pytest.raises(InputError, match="about no pair"):
        aifgraph.merge_corpora(ANN, BEN, tmp_path / "gold", decisions=tmp_path / "decisions.tsv")
    assert not (tmp_path / "gold").exists()
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no \.tsv file"):
        aifgraph.merge_corpora(ANN, BEN, tmp_path / "gold", decisions=tmp_path / "empty")


def test_merged_maps_are_called_as_every_system_takes_them(tmp_path: Path) -> None:
    folders = tmp_path / "ann", tmp_path / "ben"
    for folder in folders:
        shutil.copytree(DEBATES / folder.name, folder)
    names = {"nodeset1": ("CON", "aux"), "nodeset2": ("a b", "A_b"), "nodeset3": ("one", "two")}
    for of_pair in names.items():
        for folder, name in zip(folders, of_pair[1], strict=True):
            (folder / f"{of_pair[0]}.json").rename(folder / f"{name}.json")
    table = tmp_path / "pairs.tsv"
    table.write_text("".join(f"{one}\t{other}\n" for one, other in [("first", "second"), *names.values()]), "utf-8")
    merged = aifgraph.merge_corpora(*folders, tmp_path / "gold", pair_by=table, prefer="first")
    assert len(merged.pairs) == 3
    assert {path.stem for path in (tmp_path / "gold").glob("*.json")} == {"CON-aux", "a b-A_b", "one-two"}
