"""Small inputs after public bug reports of other programs: each was read wrongly once."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph import compare, load, open_corpus, read_dataset
from aifgraph.graph.schemes import fold_name
from aifgraph.tables import read_tsv
from formats.roundtrip import codes, ends

REPORTED = Path(__file__).parents[2] / "fixtures" / "reported"


@pytest.mark.parametrize("program", ["networkx", "cytoscape", "yed"])
def test_an_edge_called_attack_is_a_conflict(program: str) -> None:
    graph = load(REPORTED / "graphml-edge-labels" / f"{program}.graphml")
    assert len(graph.conflicts) == 1
    assert len(graph.inferences) == (0 if program == "yed" else 1)


def test_argdown_s_graphml_is_what_its_json_is() -> None:
    drawn, exported = (load(REPORTED / "argdown-graphml" / f"tea.{suffix}") for suffix in ("graphml", "json"))
    assert {node.text for node in drawn.propositions} == {node.text for node in exported.propositions}
    assert [len(ends(graph, type_)) for graph in (drawn, exported) for type_ in ("RA", "CA")] == [1, 1, 1, 1]


def test_labels_of_graphml() -> None:
    assert load(REPORTED / "graphml-labels" / "igraph-empty-text.graphml").inferences[0].text == ""
    shown = load(REPORTED / "graphml-labels" / "yed-blank-first-label.graphml")
    assert [node.text for node in shown] == ["Tea is hot.", "Tea burns."]


@pytest.mark.parametrize("path", sorted((REPORTED / "rdf-no-prefix").iterdir()), ids=lambda path: path.name)
def test_rdf_goes_by_its_suffix(path: Path) -> None:
    assert load(path).propositions[0].text == "Tea is hot"


def test_brat_in_any_order_and_without_annotation() -> None:
    before, after, dangling = (
        load(REPORTED / f"brat-attribute-first/{name}.ann") for name in ["before", "after", "dangling"]
    )
    assert before == after
    assert codes(dangling) == ["lines-unknown"]
    assert [len(entry.load()) for entry in open_corpus(REPORTED / "brat-empty" / "ben")][-1] == 0


def test_a_list_within_a_claim_of_kialo() -> None:
    graph = load(REPORTED / "kialo-numbers" / "list.txt")
    assert graph["1.1"].text == "Two reasons:\n2. It is warm.\n3. It is cheap."


@pytest.mark.parametrize("name", ["plain", "hex", "double-quoted", "no-backticks", "qualified", "one-line"])
def test_dumps_of_mysql(name: str) -> None:
    [graph] = read_dataset("iac2", REPORTED / "sql" / f"{name}.sql")
    assert [node.text for node in graph.propositions] == ["Hot" if name == "double-quoted" else "Tea is hot"]


def test_marks_and_normal_forms_of_names() -> None:
    names = REPORTED / "unicode-names"
    assert compare(load(names / "lab1.json"), load(names / "lab2.json")).mean["kappa"] < 1
    assert compare(load(names / "nfc.json"), load(names / "nfd.json")).mean["kappa"] == 1
    assert fold_name("Zoë") == fold_name("Zoe\u0308")


def test_a_table_in_quotes() -> None:
    assert [row for _, row in read_tsv(REPORTED / "tsv-quoted" / "pairs.tsv", ("first", "second"))] == [
        {"first": "map1", "second": "map1"}
    ]
