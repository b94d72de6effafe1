"""Files of decisions: what is written is read again, wrong ones are refused, and corpora are merged by them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph.adjudication.decisions import (
    COLUMNS,
    DecisionTable,
    decision_rows,
    decisions_tsv,
    maps_of,
    parse_decision,
    read_decisions,
)
from aifgraph.adjudication.pair_file import decide, rows_of, update_rows
from aifgraph.cli import main
from aifgraph.comparison.differences import Differences
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.printable import printable
from strategies import arguments

ANN, BEN = Path("fixtures/debates/ann"), Path("fixtures/debates/ben")


@pytest.fixture(scope="module")
def debate() -> Differences:
    return aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json").differences()


def cells_of(path: Path) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(path.read_text("utf-8")), delimiter="\t", quoting=csv.QUOTE_NONE)]


@given(arguments(), arguments(), st.text(min_size=3).map(lambda text: f"{text} x"))
def test_what_is_written_is_read_again(
    first: aifgraph.ArgumentGraph, second: aifgraph.ArgumentGraph, text: str
) -> None:
    differences = aifgraph.compare(first, second).differences()
    given_ = {}
    for number, row in enumerate(differences):
        worded = number % 2 and row.group in ("propositions", "locutions")
        given_[row.id] = parse_decision(
            text if worded else row.sides.replace("both", "first"), row, by="=Ann", note=text
        )
    path = Path("build/decisions.tsv")
    path.parent.mkdir(exist_ok=True)
    rows = decision_rows(differences, '"a" b')
    filled = [row | {"decision": given_[row["row"]].text, "by": "=Ann", "note": text} for row in rows]
    for file in (decisions_tsv(filled), differences.to_tsv()):
        path.write_text(file, "utf-8", newline="")
        found = read_decisions(path, differences)
        assert found.keys() == (given_.keys() if "=Ann" in file else set())
        for id_, decision in found.items():
            assert (decision.choice, decision.by) == (given_[id_].choice, "=Ann")
            value = given_[id_].value
            assert decision.value == (printable(value) if isinstance(value, str) else value)


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_a_file_that_a_spreadsheet_has_saved(debate: Differences, tmp_path: Path, quoting: int) -> None:
    rows = [{**row, "decision": "first", "note": 'say "so"'} for row in decision_rows(debate, "debate")]
    table = io.StringIO()
    writer = csv.DictWriter(table, COLUMNS, delimiter="\t", quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    (tmp_path / "d.tsv").write_bytes(b"\xef\xbb\xbf" + table.getvalue().encode())
    if quoting == csv.QUOTE_ALL:
        (tmp_path / "d.tsv").write_text(table.getvalue().replace(table.getvalue().splitlines()[0], "\t".join(COLUMNS)))
    found = read_decisions(tmp_path / "d.tsv", debate)
    assert found.keys() == {row.id for row in debate}
    assert {decision.note for decision in found.values()} == {'say "so"'}


def test_files_that_cannot_be_meant(debate: Differences, tmp_path: Path) -> None:
    path, id_, maps = tmp_path / "d.tsv", debate.rows[0].id, maps_of(debate)
    head = "row\tmaps\tdecision\n"
    refused = {
        "": FormatError,
        "a\tb\n": FormatError,
        "\0\1": FormatError,
        f"{head}{id_}\tx:y\tfirst\n": InputError,
        f"{head}{id_}\t{debate.hashes[1]}:{debate.hashes[0]}\tfirst\n": InputError,
        f"{head}nosuch\t{maps}\tfirst\n": InputError,
        f"{head}{id_}\t{maps}\tfirst\n{id_}\t{maps}\t\n": InputError,
        f"{head}{id_}\t{maps}\tfrist\n": InputError,
        f"{head}{id_}\t{maps}\t{'x' * 200_000}\n": InputError,
    }
    for text, error in refused.items():
        path.write_text(text)
        with pytest.raises(error):
            read_decisions(path, debate)
    with pytest.raises(FileNotFoundError):
        read_decisions(tmp_path / "no.tsv", debate)
    path.write_text(f"{head}{id_}\t{maps}\n\n{id_}x\tx:y\tfirst\n")
    assert read_decisions(path, debate) == {}


def decided(name: str, choice: str) -> tuple[str, aifgraph.ArgumentGraph]:
    """The file of a pair with every row decided alike, and the map that is merged by it."""
    first, second = (aifgraph.load(folder / f"{name}.json") for folder in (ANN, BEN))
    differences = aifgraph.compare(first, second).differences()
    rows = [{**row, "decision": choice} for row in decision_rows(differences, name)]
    return decisions_tsv(rows), aifgraph.merge(first, second, decisions={row["row"]: choice for row in rows}).graph


def test_corpora_are_merged_by_one_file(tmp_path: Path) -> None:
    files = {name: decided(name, "second") for name in ("nodeset1", "nodeset2")}
    text = files["nodeset1"][0] + files["nodeset2"][0].partition("\n")[2]
    (tmp_path / "all.tsv").write_text(text + "x\t\t\t\t\t\t\t\t\t\t\t\t\tp:q\tfirst\n", "utf-8")
    done = aifgraph.merge_corpora(ANN, BEN, tmp_path / "gold", decisions=tmp_path / "all.tsv")
    assert not done.failed
    assert [pair.decided for pair in done.pairs][:2] == [pair.differences for pair in done.pairs][:2]
    for name, (_, wanted) in files.items():
        assert aifgraph.load(tmp_path / "gold" / f"{name}.json") == wanted
    assert any("maps that no pair here has" in caveat for caveat in done.caveats)
    assert len(DecisionTable(tmp_path / "all.tsv").unused) == len(DecisionTable(tmp_path / "all.tsv").rows)


def test_corpora_that_cannot_be_merged(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text("row\tmaps\tdecision\nx\ta:b\tfirst\n", "utf-8")
    for other, wrong, error in (
        (BEN, {"decisions": tmp_path / "d.tsv"}, InputError),
        (BEN, {"prefer": "both"}, OptionError),
        ("fixtures/debate", {}, InputError),
    ):
        with pytest.raises(error):
            aifgraph.merge_corpora(ANN, other, tmp_path / "gold", **wrong)
    assert not (tmp_path / "gold").exists()


def test_merged_maps_have_both_names(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("first\tsecond\nnodeset1\tnodeset2\nnodeset3\tnodeset3\n", "utf-8")
    done = aifgraph.merge_corpora(ANN, BEN, tmp_path / "gold", pair_by=tmp_path / "pairs.tsv", prefer="first")
    assert [pair.name for pair in done.pairs] == ["nodeset1 ~ nodeset2", "nodeset3"]
    assert {path.stem for path in (tmp_path / "gold").glob("*.json")} == {"nodeset1-nodeset2", "nodeset3"}


def test_decisions_are_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "decisions.tsv"
    command = ["differences", "fixtures/debate/first.json", "fixtures/debate/second.json", "-o", str(path)]
    for _ in range(2):  # what nobody has filled in is written again
        assert main(command) == 0
    rows = cells_of(path)
    path.write_text(decisions_tsv([rows[0] | {"note": "ask Ann"}, *rows[1:]]), "utf-8")
    before = path.read_bytes()
    assert main(command) == 2
    with pytest.raises(InputError):
        aifgraph.compare(*command[1:3]).differences().to_tsv(path)
    assert path.read_bytes() == before
    assert main([*command, "--force"]) == 0
    assert path.read_bytes() != before


@pytest.mark.parametrize(
    ("text", "where"),
    [("row\tmaps\tdecision\n1\t2\tkeep\tor not\n", "line 2"), ("row\tmaps\tdecision\trow\n", "d.tsv")],
)
def test_cells_without_a_column_are_refused(text: str, where: str, debate: Differences, tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text(text)
    with pytest.raises(FormatError) as error:
        read_decisions(tmp_path / "d.tsv", debate)
    assert where in str(error.value.where)


#: A row of a pair's own file that nobody has decided.
OPEN = {"decision": "", "note": "", "when": ""}


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
    found = cells_of(path)
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
