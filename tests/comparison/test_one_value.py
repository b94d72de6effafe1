"""One name has one value in everything that is written of one comparison."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path

import pytest

import aifgraph
from aifgraph import Comparison
from aifgraph.cli import main
from aifgraph.stats.scores import printed_name
from aifgraph.tables import render, shown

Named = tuple[str, str]
#: The columns of scores, by what is printed.
SCORES = {"κ": "kappa", "F1": "f1", "precision": "precision", "recall": "recall", "accuracy": "accuracy"}
CALCULATION = {"relations": "propositional relations"}


def of_rows(rows: Iterator[Sequence[str]]) -> Iterator[tuple[Named, str]]:
    """Yield the scores in tables whose first column names what they are of, under a row of names of columns."""
    columns: Sequence[str] = ()
    for row in rows:
        if len(row) > 2 and row[0] in ("", "score", "row") and {"κ", "kappa"} & {*row}:
            columns = row
        elif len(row) == len(columns):
            for column, cell in zip(columns, row, strict=True):
                score = SCORES.get(column, column)
                if score in SCORES.values() and cell.strip() not in ("", "–"):
                    yield (row[0].strip(), score), cell.strip()


def text_rows(text: str) -> Iterator[list[str]]:
    """Yield the rows of aligned columns, up to what stands behind the scores, which repeats its names."""
    columns: list[str] = []
    for line in text.partition("\n\nBehind the scores")[0].splitlines():
        if line.startswith("   "):
            columns = ["", *re.split(" {2,}", line.strip())]
            yield columns
        else:  # only the cells next to the name are empty
            name, *cells = re.split(r"(?<=\S) {2,}", line)
            yield [name, *[""] * (len(columns) - len(cells) - 1), *cells]


def markdown_rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        yield [cell.strip() for cell in line[1:-1].split("|")]


def latex_rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        yield [
            cell.strip()
            for cell in line.replace(r"$\kappa$", "κ")
            .replace("$-$", "-")
            .removesuffix(r"\\")
            .replace("--", "–")
            .split("&")
        ]


def page_rows(page: str) -> Iterator[list[str]]:
    table = re.search(r"<table>(.*?)</table>", page, re.DOTALL)  # the first is of scores
    for row in re.findall(r"<tr>(.*?)</tr>", table[1] if table else "", re.DOTALL):
        yield [unescape(re.sub("<.*?>", "", cell)) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL)]


def json_values(document: dict[str, object]) -> Iterator[tuple[Named, str]]:
    """Yield the scores of a document, under the names that are printed."""
    plain = json.loads(json.dumps(document))
    found = {"M": plain["mean"], "CASS": plain["cass"], "explicit relations (ER)": plain.get("explicit", {})}
    for layer, name in (("propositional", "argument"), ("dialogical", "dialogue")):
        found |= {f"{name} M": plain["layers"][layer]["mean"], f"{name} CASS": plain["layers"][layer]}
    found |= {name.replace("_", " "): scores for name, scores in plain["calculations"].items()}
    for name, scores in found.items():
        yield from (((name, score), shown(scores[score])) for score in SCORES.values() if scores.get(score) is not None)
    yield ("S", "kappa"), shown(plain["segmentation"]["S"])


def written(comparison: Comparison) -> dict[str, Iterator[tuple[Named, str]]]:
    """What each output of a comparison says."""
    tables = comparison.result.tables()
    csv_rows = [
        [shown(float(cell)) if re.fullmatch(r"-?[\d.e-]+", cell) and column not in (1, 2, 3, 4) else cell
         for column, cell in enumerate(row)]
        for row in csv.reader(io.StringIO(comparison.to_csv())) if ":" not in row[0]
    ]  # fmt: skip
    cells = re.findall(r"<dt>(.*?)</dt><dd.*?><b>(.*?)</b>(?: κ.*?<b>(.*?)</b>)?", comparison.to_html())
    head = [["", "κ", "F1"], *map(list, cells)]
    return {
        "text": of_rows(text_rows(str(comparison))),
        "details": of_rows(text_rows(render(tables))),
        "markdown": of_rows(markdown_rows(comparison.to_markdown())),
        "LaTeX": of_rows(latex_rows(comparison.to_latex())),
        "JSON": json_values(comparison.to_dict()),
        "CSV": of_rows(iter(csv_rows)),
        "page": of_rows(page_rows(comparison.to_html())),
        "head of the page": of_rows(iter(head)),
        "notebook": of_rows(page_rows(comparison._repr_html_())),
    }


def values_of(comparison: Comparison) -> dict[Named, dict[str, set[str]]]:
    """Every name with its values, and the outputs that say them."""
    found: defaultdict[Named, dict[str, set[str]]] = defaultdict(dict)
    for output, named in written(comparison).items():
        listed = list(named)
        assert len(listed) > 1, f"nothing was read in {output}"
        for (name, score), value in listed:
            name = re.sub("^– ", "", name).replace("_", " ")
            name = "explicit relations (ER)" if name in ("ER", "explicit relations") else name
            layer, _, calculation = name.partition(": ")
            for each in (layer, CALCULATION.get(calculation, calculation)):
                if each:
                    found[each, score].setdefault(value, set()).add(output)
    return found


def check(comparison: Comparison) -> None:
    found = values_of(comparison)
    assert {name: values for name, values in found.items() if len(values) > 1} == {}
    summary, document = comparison.result.summary, comparison.to_dict()
    for output in (str(comparison), comparison.to_markdown(), comparison._repr_html_()):
        assert summary in output
    assert document["summary"] == summary


PAIRS = [
    ("debate/first.json", "debate/second.json", {}),
    ("zoo/ann.json", "zoo/ben.json", {"calculations": "PR+IL+IA+TR+AS+ER"}),
    ("debates/ann/nodeset2.json", "debates/ben/nodeset2.json", {"chance": 4}),
    ("debate/first.json", "zoo/ann.json", {}),
]


@pytest.mark.parametrize(("first", "second", "options"), PAIRS)
def test_a_name_has_one_value_in_all_outputs_of_a_pair(
    first: str, second: str, options: dict[str, object], fixtures: Path
) -> None:
    check(aifgraph.compare(fixtures / first, fixtures / second, **options))


def numbers_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of printed tables by their names: of a table of details its title, and the row and column."""
    title, columns = "", list[str]()
    for line in text.splitlines():
        bare = line.removeprefix("| ").removesuffix(" |").removesuffix(r" \\")
        if line.endswith(r"\\"):  # LaTeX
            bare = bare.replace(r"$\kappa$", "κ").replace("$-$", "-").replace("--", "–").replace("&", "|")
        cells = [cell.strip() for cell in re.split(r" *\| *" if bare != line else " {2,}", bare)]
        if line.startswith("**"):
            title = line.strip("*")
        elif len(cells) > 2 and not cells[0]:
            columns = cells
        elif len(cells) == len(columns):
            for column, cell in zip(columns[1:], cells[1:], strict=True):
                pooled, _, score = column.rpartition(" ")  # micro κ
                if score in (*SCORES, "value"):
                    name = f"{pooled or title} {cells[0]}-{score}".removesuffix("-value").removeprefix("macro ").strip()
                else:
                    name = f"{cells[0]} {column}"
                if (number := re.match(r"-?\d\.\d{3}\b", cell)) and column != "difference":  # of several scores
                    yield name, number[0]


def numbers_in_csv(text: str) -> Iterator[tuple[str, str]]:
    for row in csv.DictReader(io.StringIO(text)):
        of = row.get("pooled") or row.get("of") or ""
        if row.get("value"):
            yield f"{of} {printed_name(row['number'])}".removeprefix("macro "), shown(float(row["value"]))


def numbers_in_json(text: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of a document by the words that lead to them: of a system or annotators, and of which score."""

    def walk(plain: object, name: str) -> Iterator[tuple[str, str]]:
        if isinstance(plain, dict) and plain.get("value") is not None:
            yield name.removeprefix("macro ").strip(), shown(float(plain["value"]))
        elif isinstance(plain, dict):
            for key, value in plain.items():
                yield from walk(value, f"{name} {printed_name(key)}".strip())

    document = json.loads(text)
    if isinstance(document["macro"], list):  # of annotators
        document["macro"] = {" – ".join(of["annotators"]): of["numbers"] for of in document["macro"]}
    for key in ("macro", "micro"):
        yield from walk(document.get(key), key)


@pytest.mark.parametrize("command", ["compare", "evaluate", "agreement"])
def test_a_name_has_one_value_in_all_outputs_of_corpora(
    command: str, fixtures: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pages = tmp_path / "pages" if command == "compare" else None
    check_corpora([command, str(fixtures / "debates/ann"), str(fixtures / "debates/ben")], capsys, pages)


def numbers_in_page(page: str) -> Iterator[tuple[str, str]]:
    for name, value in re.findall(r"<dt>(.*?)</dt><dd><b>(.*?)</b>", page):
        yield f"{name.split(',')[0]}-κ", value


def check_corpora(run: list[str], capsys: pytest.CaptureFixture[str], pages: Path | None = None) -> None:
    found: defaultdict[str, dict[str, set[str]]] = defaultdict(dict)
    if pages:
        assert main([*run, "--format", "html", "-o", str(pages)]) == 0
        for name, value in numbers_in_page((pages / "index.html").read_text("utf-8")):
            found[name].setdefault(value, set()).add("page")
        assert len(found) == 2
    for output in ("text", "text --intervals", "markdown", "markdown --details", "latex", "csv", "json"):
        if "--intervals" in output and run[0] == "evaluate":
            continue  # it always has them
        rounds = ("--set", "rounds=50") if run[0] == "evaluate" or "--intervals" in output else ()
        assert main([*run, "--format", *output.split(), *rounds]) == 0
        said = capsys.readouterr().out
        listed = list({"csv": numbers_in_csv, "json": numbers_in_json}.get(output, numbers_in)(said))
        assert len(listed) > 2, f"nothing was read in {output}"
        for name, value in listed:
            found[name.replace(" baseline", "")].setdefault(value, set()).add(output)
    assert {name: values for name, values in found.items() if len(values) > 1} == {}
    assert any("text" in outputs and "csv" in outputs for values in found.values() for outputs in values.values())
