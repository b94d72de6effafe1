"""Carneades, JSON Graph Format, Cytoscape, and the formats that are refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aifgraph import dumps, load, loads
from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.files import Input
from aifgraph.formats.registry import detect


def test_carneades_arguments_undercutters_and_issues(fixtures: Path) -> None:
    graph = load(fixtures / "carneades" / "masks.yml")
    assert [node.id for node in graph.premises_of("a1")] == ["filter", "fog"]
    assert [scheme.id for scheme in graph["a2"].schemes] == ["15"]
    assert graph["a2"].record["roles"] == {"assertion": "study"}
    assert graph["filter"].record["assumed"] is True
    ends = {
        (graph.premises_of(node)[0].id, graph.conclusions_of(node)[0].id, node.record.get("issue"))
        for node in graph.conflicts
    }
    assert ends == {("¬app(a2)", "a2", None), ("masks", "free", "i1"), ("free", "masks", "i1")}
    assert load(fixtures / "carneades" / "masks.json")["a1"].record["weight"] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("statements: {a: x}\narguments: {r: {premises: [a]}}", "without conclusion"),
        ("statements: {a: x}\narguments: {r: {conclusion: b, premises: [a]}}", "the statement b is not there"),
        ("statements: {a: x}\narguments: {a: {conclusion: a, premises: [a]}}", "a is a statement, too"),
        ("statements: [a]\narguments: {}", "no statements"),
        ("statements: {a: &x y, b: *x}\narguments: {}", "an alias"),
    ],
)
def test_broken_carneades_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        loads(text, format="carneades")


def test_a_large_issue_is_refused() -> None:
    names = [f"s{number}" for number in range(200)]
    text = json.dumps({"statements": dict.fromkeys(names, "x"), "arguments": {}, "issues": {"i": {"positions": names}}})
    with pytest.raises(LimitError):
        loads(text, format="carneades")


def test_json_for_other_tools(fixtures: Path) -> None:
    graph = load(fixtures / "aif" / "masks.json")
    whole = json.loads(dumps(graph, format="jgf"))["graph"]
    assert set(whole["nodes"]) == {node.id for node in graph}
    assert [(edge["source"], edge["target"]) for edge in whole["edges"]] == [(e.source, e.target) for e in graph.edges]
    assert all(whole["nodes"][node.id]["metadata"]["type"] == node.type for node in graph)
    elements = json.loads(dumps(graph, format="cytoscape"))["elements"]
    ids = [element["data"]["id"] for element in (*elements["nodes"], *elements["edges"])]
    assert len(ids) == len(set(ids)) == len(graph) + len(graph.edges)


@pytest.mark.parametrize(
    ("name", "data", "title"),
    [
        ("map.rtnl", b"PK\x03\x04", "Rationale's RTNL"),
        ("map.xml", b"<?xml version='1.0'?><lkif><sources/></lkif>", "LKIF"),
        ("map.caf", b"<caf/>", "CAF"),
    ],
)
def test_what_is_not_read_is_refused_by_name(name: str, data: bytes, title: str) -> None:
    with pytest.raises(FormatError, match=title):
        detect(Input(name, data, name[name.rindex(".") :])).read(Input(name, data))
