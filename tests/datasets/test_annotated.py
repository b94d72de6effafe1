"""CDCP and Sci-Arg: propositions with places and types, and what supports what."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aifgraph import dumps, load
from aifgraph.datasets import open_dataset
from aifgraph.errors import InputError
from aifgraph.graph import ArgumentGraph


def support(graph: ArgumentGraph) -> list[tuple[str, list[str], str]]:
    return [
        (node.text, [premise.id for premise in graph.premises_of(node)], graph.conclusions_of(node)[0].id)
        for node in graph.inferences
    ]


def test_reasons_and_evidence_are_told_apart(fixtures: Path) -> None:
    graph = next(iter(open_dataset("cdcp", fixtures / "datasets/cdcp")))
    assert support(graph) == [
        ("Reason", ["p0", "p1"], "p2"),
        ("Reason", ["p3"], "p2"),
        ("Evidence", ["p0"], "p4"),
    ]
    assert [node.record["cdcp"]["type"] for node in graph.propositions] == [
        "testimony",
        "fact",
        "policy",
        "reference",
        "value",
    ]
    assert graph["p3"].record["cdcp"]["url"] == "http://example.org/rule"
    source = graph.meta.source
    assert source is not None
    assert [source.text[span.start : span.end] for span in source.spans or ()] == [n.text for n in graph.propositions]


def test_relations_that_are_none_are_named_with_their_file(fixtures: Path) -> None:
    reading = open_dataset("cdcp", fixtures / "datasets/cdcp")
    list(reading)
    assert [str(problem) for problem in reading.problems] == [
        "00002.ann.json: reasons[0] supports itself; it is left out",
        "00002.ann.json: evidences[0] names proposition 9, which is not there",
    ]


def test_a_comment_without_its_text_is_skipped(fixtures: Path, tmp_path: Path) -> None:
    shutil.copytree(fixtures / "datasets/cdcp", tmp_path / "cdcp/train")
    (tmp_path / "cdcp/train/00002.txt").unlink()
    reading = open_dataset("cdcp", tmp_path / "cdcp")
    assert [graph.name for graph in reading] == ["train/00001"]
    assert [str(problem) for problem in reading.problems] == [
        "train/00002.ann.json: there is no 00002.txt next to it; it is skipped"
    ]


@pytest.mark.data
def test_the_published_cdcp(shared_data: Path) -> None:
    reading = open_dataset("cdcp", shared_data / "cdcp", strict=True)
    graphs = list(reading)
    assert len(graphs) == 250
    assert sum(len(graph.propositions) for graph in graphs) == 1617
    relations = [node.text for graph in graphs for node in graph.inferences]
    assert (relations.count("Reason"), relations.count("Evidence")) == (369, 18)
    for graph in graphs:
        source = graph.meta.source
        assert source is not None
        assert all(source.text[span.start : span.end] == graph[span.node_id].text for span in source.spans or ())


def test_parts_of_the_same_are_one_proposition(fixtures: Path) -> None:
    graph = load(fixtures / "datasets/sciarg/A01.ann")
    assert [node.id for node in graph.propositions] == ["T1", "T2", "T4", "T5", "T6"]
    assert graph["T2"].text == "Our method closes holes in one pass"
    assert graph["T2"].record["component"] == "own_claim"
    source = graph.meta.source
    assert source is not None
    places = [(span.start, span.end) for span in source.spans or () if span.node_id == "T2"]
    assert [source.text[start:end] for start, end in places] == ["Our method", "closes holes in one pass"]
    assert [(node.type, node.record["relation"]) for node in graph.relations] == [
        ("RA", "supports"),
        ("CA", "contradicts"),
        ("MA", "semantically_same"),
        ("RA", "supports"),
    ]
    # The relations of every part are those of the whole.
    assert support(graph) == [("Default Inference", ["T2"], "T4"), ("Default Inference", ["T1"], "T2")]


def test_a_whole_is_written_as_one_unit_and_read_again(fixtures: Path, tmp_path: Path) -> None:
    graph = load(fixtures / "datasets/sciarg/A01.ann")
    (tmp_path / "A01.ann").write_text(dumps(graph, format="brat"), "utf-8")
    shutil.copy(fixtures / "datasets/sciarg/A01.txt", tmp_path)
    again = load(tmp_path / "A01.ann")
    assert [(node.id, node.type, node.text) for node in again] == [(n.id, n.type, n.text) for n in graph]
    assert again.meta.source == graph.meta.source


def test_parts_of_two_kinds_are_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("We won. So they lost.", "utf-8")
    lines = ["T1\town_claim 0 6\tWe won", "T2\tdata 8 20\tSo they lost", "R1\tparts_of_same Arg1:T2 Arg2:T1"]
    (tmp_path / "a.ann").write_text("\n".join(lines), "utf-8")
    assert [notice.code for notice in load(tmp_path / "a.ann").notices] == ["parts-differ"]
    (tmp_path / "a.ann").write_text("\n".join([*lines[:1], lines[2]]), "utf-8")
    with pytest.raises(InputError, match="R1 names T2, which is not there"):
        load(tmp_path / "a.ann")


def test_a_relation_is_what_its_attribute_names(fixtures: Path) -> None:
    """As INCEpTION exports its layers; what no attribute names is kept aside."""
    graph = load(fixtures / "datasets/inception/masks.ann")
    assert [(node.type, node.id, node.record["relation"]) for node in graph.relations] == [
        ("RA", "R1", "custom-Relation"),
        ("CA", "R2", "custom-Relation"),
    ]
    assert graph["T1"].record["attributes"] == [["A1", "custom-Span_label", "Claim"]]
    written = dumps(graph, format="brat").splitlines()
    given = (fixtures / "datasets/inception/masks.ann").read_text("utf-8").splitlines()
    assert sorted(written) == sorted(given)
