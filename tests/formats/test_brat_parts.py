"""brat: parts of one unit (Sci-Arg), and relations that an attribute names (INCEpTION)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aifgraph import dumps, load
from aifgraph.errors import InputError
from aifgraph.graph import ArgumentGraph


def support(graph: ArgumentGraph) -> list[tuple[str, list[str], str]]:
    return [
        (node.text, [premise.id for premise in graph.premises_of(node)], graph.conclusions_of(node)[0].id)
        for node in graph.inferences
    ]


def test_parts_of_the_same_are_one_proposition(fixtures: Path) -> None:
    graph = load(fixtures / "datasets/sciarg/A01.ann")
    assert [node.id for node in graph.propositions] == ["T1", "T2", "T4", "T5", "T6"]
    assert graph["T2"].text == "Our method closes holes in one pass"
    assert graph["T2"].extra["component"] == "own_claim"
    source = graph.meta.source
    assert source is not None
    places = [(span.start, span.end) for span in source.spans or () if span.node_id == "T2"]
    assert [source.text[start:end] for start, end in places] == ["Our method", "closes holes in one pass"]
    assert [(node.type, node.extra["relation"]) for node in graph.relations] == [
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
    assert [(node.type, node.id, node.extra["relation"]) for node in graph.relations] == [
        ("RA", "R1", "custom-Relation"),
        ("CA", "R2", "custom-Relation"),
    ]
    assert graph["T1"].extra["attributes"] == [["A1", "custom-Span_label", "Claim"]]
    written = dumps(graph, format="brat").splitlines()
    assert {"R1\tsupports Arg1:T2 Arg2:T1", "A1\tcustom-Span_label T1 Claim"} <= set(written)
