"""A pair's file of decisions: nothing that somebody has written there is lost."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import aifgraph
from aifgraph.adjudication.decisions import decision_rows, decisions_tsv
from aifgraph.adjudication.pair_file import decide, rows_of, update_rows
from aifgraph.comparison.differences import Differences
from aifgraph.errors import InputError

OPEN = {"decision": "", "note": "", "when": ""}


@pytest.fixture(scope="module")
def debate() -> Differences:
    return aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json").differences()


def test_rows_of_other_maps_are_not_deleted(debate: Differences, tmp_path: Path) -> None:
    path, rows = tmp_path / "debate.tsv", decision_rows(debate, "debate")
    path.write_text(decisions_tsv([*rows, rows[0] | {"row": "other", "maps": "x:y", "decision": "keep"}]), "utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError):
        update_rows(path, debate, "debate")
    assert path.read_bytes() == before
    path.write_text(decisions_tsv([rows[0], *rows]), "utf-8")
    with pytest.raises(InputError):
        decide(path, rows[0]["row"], "first", "", "Ann", OPEN)


def test_columns_of_the_user_stay(debate: Differences, tmp_path: Path) -> None:
    path, rows = tmp_path / "debate.tsv", decision_rows(debate, "debate")
    path.write_text(decisions_tsv(row | {"mine": f"at {row['row']}", "decision": "first"} for row in rows), "utf-8")
    update_rows(path, debate, "debate")
    decide(path, rows[0]["row"], "second", "", "Ann", OPEN | {"decision": "first"})
    with path.open(encoding="utf-8", newline="") as file:
        found = [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    assert [row["mine"] for row in found] == [f"at {row['row']}" for row in rows]
    assert {row["decision"] for row in found[1:]} == {"first"}


def test_the_least_columns_are_enough(debate: Differences, tmp_path: Path) -> None:
    path, row = tmp_path / "debate.tsv", decision_rows(debate, "debate")[0]
    path.write_text(f"row\tmaps\tdecision\n{row['row']}\t{row['maps']}\tfirst\n", "utf-8")
    assert rows_of(path)[row["row"]].items() >= (OPEN | {"decision": "first"}).items()
    with pytest.raises(InputError):  # "first" would be "drop" of a row that only the second has
        decide(path, row["row"], "second", "", "Ann", OPEN | {"decision": "first"})
    update_rows(path, debate, "debate")
    assert decide(path, row["row"], "second", "", "Ann", OPEN | {"decision": "first"})["kind"] == row["kind"]
