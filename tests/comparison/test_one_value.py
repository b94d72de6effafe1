"""One name has one value in everything that is written of one comparison."""

import csv
import io
import json
import pickle
import re
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import aifgraph
from aifgraph.cli import main
from aifgraph.comparison.maps import PairNames
from aifgraph.stats.scores import printed_name
from aifgraph.tables import format_cell
from documents import FIXTURES, argument, compared_debate

Named = Iterator[tuple[str, str]]
#: The columns of scores, by what is printed.
SCORES = {"κ": "kappa", "F1": "f1", "precision": "precision", "recall": "recall", "accuracy": "accuracy"}
SCORES |= {"specificity": "specificity", "informedness": "informedness", "balanced accuracy": "balanced_accuracy"}


def numbers_in(text: str) -> Named:
    """Yield the numbers of printed tables by their names: of a table of details its title, and the row and column."""
    titles, columns = [""], list[str]()
    for line in text.partition("\n\nBehind the scores")[0].splitlines():
        line = re.sub(r"^  (?=\S)", "", line)  # a row of those below another
        bare = line.removeprefix("| ").removesuffix(" |").removesuffix(r" \\")
        if line.endswith(r"\\"):  # LaTeX
            bare = bare.replace(r"$\kappa$", "κ").replace("$-$", "-").replace("--", "–").replace("&", "|")
        cells = [cell.strip() for cell in re.split(r" *\| *" if bare != line else " {2,}", bare)]
        if line.startswith("**"):
            titles.append(line.strip("*") if titles[1:] else "")  # the first is that of the whole
        elif cells == ["", "dialogue"]:  # the upper line of a head in two
            titles.append(f"{titles[-1]}{cells[1]}")
        elif len(cells) > 2 and not cells[0]:
            upper = titles.pop() if titles[-1].endswith("dialogue") else ""
            columns = ["dialogue M-κ" if upper and n and cell == "M-κ" and "M-κ" not in cells[:n] else cell
                       for n, cell in enumerate(cells)]  # fmt: skip
        else:
            name, *cells = cells
            cells = [""] * (len(columns) - 1 - len(cells)) + cells  # only those next to the name are empty
            for column, cell in zip(columns[1:], cells, strict=False):
                pooled, _, score = ("", "", column) if column in SCORES else column.rpartition(" ")  # micro κ
                full = f"{pooled or titles[-1]} {name}-{score}" if score in (*SCORES, "value") else f"{name} {column}"
                if (number := re.match(r"-?\d\.\d{3}\b", cell)) and column != "difference":  # of several scores
                    yield full.removesuffix("-value"), number[0]


def numbers_in_html(page: str) -> Named:
    """Yield the numbers of the head of a page and of its first table."""
    head = re.findall(r"<dt>([^,<]*).*?</dt><dd.*?><b>(.*?)</b>(?: κ.*?<b>(.*?)</b>)?", page)
    words = unescape(re.sub("<.*?>", "", page)).replace("\u2011", "-")  # of corpora, in sentences
    for said in (r"mean (argument M)-κ of (\d\.\d{3})()", r"(CASS)-κ, .*? is (\d\.\d{3})()"):
        head += re.findall(said, words)
    table = re.findall(r"<tr>(.*?)</tr>", page.partition("</table>")[0], re.DOTALL)
    rows = [("", "κ", "F1"), *head, *(re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL) for row in table)]
    lines = (" | ".join(unescape(re.sub("<.*?>", "", cell)) for cell in row) for row in rows)
    return numbers_in("\n".join(f"| {line} |" for line in lines))


def numbers_in_csv(text: str) -> Named:
    for row in csv.DictReader(io.StringIO(text)):
        if row.get("value"):
            yield f"{row.get('of', '')} {printed_name(row['number'])}", format_cell(float(row["value"]))
        for printed, score in SCORES.items():
            if row.get(score) and ":" not in row["row"]:
                yield f"{row['row']}-{printed}", format_cell(float(row[score]))


def numbers_in_json(text: str) -> Named:
    """Yield the numbers of a document by the words that lead to them: of a system or annotators, and of which score."""

    def walk(plain: object, name: str) -> Named:
        if isinstance(plain, dict) and plain.get("value") is not None:
            yield name, format_cell(float(plain["value"]))
        elif isinstance(plain, dict):
            for key, value in plain.items():
                yield from walk(value, f"{name} {printed_name(key)}".strip())

    document = json.loads(text)
    if isinstance(document.get("macro"), list):  # of annotators
        document["macro"] = {" – ".join(of["annotators"]): of["numbers"] for of in document["macro"]}
    for key in ("macro", "micro"):
        yield from walk(document.get(key), key)
    if "cass" in document:  # a pair
        scores = {"M": document["mean"], "CASS": document["cass"], "ER": document.get("explicit", {})}
        for layer, name in (("propositional", "argument"), ("dialogical", "dialogue")):
            scores |= {f"{name} M": document["layers"][layer]["mean"], f"{name} CASS": document["layers"][layer]}
        scores |= document["calculations"] | {"S": {"kappa": document["segmentation"]["S"]}}
        for name, of in scores.items():
            for printed, score in SCORES.items():
                if of.get(score) is not None:
                    yield f"{name}-{printed}", format_cell(of[score])


def one_names(name: str) -> list[str]:
    """The names of a number, each said in one way: a calculation that is all of a layer has two."""
    name = name.replace(" baseline", "").replace("_", " ").removeprefix("macro ").strip("– ")
    of, _, score = name.rpartition("-")
    if of in ("ER", "explicit relations"):
        return [f"explicit relations (ER)-{score}"]
    layer, _, calculation = of.partition(": ")
    if not layer.endswith((" M", " CASS")) or not calculation:
        return [name]
    return [f"{layer}-{score}", f"{calculation.replace('relations', 'propositional relations')}-{score}"]


MAPS = "debate/first.json debate/second.json"
CORPORA = "debates/ann debates/ben"
READERS = {"csv": numbers_in_csv, "json": numbers_in_json, "html": numbers_in_html}


@pytest.mark.parametrize(
    "line",
    [
        f"compare {MAPS}",
        "compare zoo/ann.json zoo/ben.json --set calculations=PR+IL+IA+TR+AS+ER",
        "compare debates/ann/nodeset2.json debates/ben/nodeset2.json --chance 4",
        "compare debate/first.json zoo/ann.json",
        f"compare {CORPORA}",
        f"compare {CORPORA} --intervals --set rounds=50",
        f"evaluate {CORPORA} --set rounds=50",
        f"agreement {CORPORA} --intervals --set rounds=50",
    ],
)
def test_a_name_has_one_value_in_all_outputs(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command, first, second, *options = line.split()
    run = [command, str(FIXTURES / first), str(FIXTURES / second), *options, "--format"]
    said = {}
    details = "text --details" if first.endswith(".json") else "markdown --details"
    for format_ in ("text", details, "markdown", "latex", "csv", "json"):
        assert main([*run, *format_.split()]) == 0
        said[format_] = capsys.readouterr().out
    if command == "compare":
        assert main([*run, "html", "-o", str(tmp_path / "page")]) == 0
        page = tmp_path / "page" / "index.html" if (tmp_path / "page").is_dir() else tmp_path / "page"
        said["html"] = page.read_text("utf-8")
    if first.endswith(".json"):
        summary = json.loads(said["json"])["summary"]
        assert all(summary in " ".join(said[of].split()) for of in ("text", "text --details", "markdown"))
    found: defaultdict[str, dict[str, set[str]]] = defaultdict(dict)
    for output, text in said.items():
        listed = list(READERS.get(output, numbers_in)(text))
        assert len(listed) > 1, f"nothing was read in {output}"
        for name, value in ((name, value) for full, value in listed for name in one_names(full)):
            found[name].setdefault(value, set()).add(output)
    assert {name: values for name, values in found.items() if len(values) > 1} == {}
    assert max(len(outputs) for values in found.values() for outputs in values.values()) == len(said)


def test_the_notebook_shows_the_numbers_of_the_text() -> None:
    comparison = compared_debate()
    assert {*numbers_in_html(comparison._repr_html_())} == {*numbers_in(str(comparison))}


def test_what_scores_do_not_need_is_made_when_it_is_asked_for() -> None:
    comparison, whole = compared_debate(), compared_debate().result
    assert comparison.kappa == whole.kappa
    later = ("first", "name_counts", "wording", "explicit", "shared_words", "same_map", "same_ids", "notices")
    assert not vars(comparison).keys() & {*later}
    named = comparison.renamed(PairNames("a", "b"))
    assert (named.names, named.graphs) == (("a", "b"), comparison.graphs)
    assert comparison == whole == pickle.loads(pickle.dumps(comparison))
    assert TypeAdapter(aifgraph.Comparison).dump_json(compared_debate()) == TypeAdapter(aifgraph.Comparison).dump_json(
        whole
    )


def test_half_a_surrogate_pair_is_read_back(tmp_path: Path) -> None:
    """A text may have half a pair of surrogates, which JSON can write as an escape."""
    first, second = argument(a="the \ud800 cat sat there"), argument(a="a \ud800 cat sat there")
    result = aifgraph.compare(first, second, names=("x\udfff", "y"))
    result.to_json(tmp_path / "result.json")
    assert aifgraph.Comparison.load(tmp_path / "result.json") == result
    assert aifgraph.Comparison.from_dict(result.to_dict()) == result
    path = tmp_path / "run.jsonl"
    run = aifgraph.compare_corpora([first], [second], names=("x\udfff", "y"), results=path)
    assert aifgraph.CorpusComparison.load(path).to_dict() == run.to_dict()
