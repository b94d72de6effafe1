"""Carneades, LKIF, RTNL, JSON Graph Format, Cytoscape, and the formats that are refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, dumps, load, loads
from aifgraph.cli import main
from aifgraph.errors import FormatError, LimitError, OptionError
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


def _ends(graph: ArgumentGraph) -> set[tuple[str, tuple[str, ...], str]]:
    return {
        (node.type, tuple(each.id for each in graph.premises_of(node)), graph.conclusions_of(node)[0].id)
        for node in graph.relations
    }


def test_lkif_arguments_exceptions_and_negations(fixtures: Path) -> None:
    graph = load(fixtures / "lkif" / "masks.lkif")
    assert _ends(graph) == {
        ("RA", ("s2", "s3"), "s1"),
        ("CA", ("s5",), "a1"),
        ("CA", ("s4",), "s1"),
        ("RA", ("¬s6",), "s3"),
        ("CA", ("¬s6",), "s6"),
        ("CA", ("s6",), "¬s6"),
    }
    assert graph["s6"].text == "People keep their distance."
    assert graph["s2"].record["standard"] == "PE"
    assert [scheme.id for scheme in graph["a1"].schemes] == ["15"]
    assert graph["a1"].record["roles"] == {"major": "s2"}
    assert graph["a3"].schemes == ()


LKIF = """<lkif><argument-graphs><argument-graph id="g"><statements>
<statement id="1"><s>A</s></statement><statement id="2"><s>B</s></statement></statements><arguments>
{}</arguments></argument-graph>{}</argument-graphs></lkif>"""


def test_ids_of_lkif_are_not_taken_by_what_has_none() -> None:
    text = """<argument id="a"><conclusion statement="1"/><premises><premise type="exception" statement="2"/></premises>
    </argument><argument id="3"><conclusion statement="1"/><premises><premise statement="2"/></premises></argument>"""
    assert ("RA", ("2",), "1") in _ends(loads(LKIF.format(text, "")))


def test_one_of_several_graphs_of_lkif_is_read() -> None:
    more = """<argument-graph><statements><s id="x">C <i>d</i></s></statements></argument-graph>"""
    text = LKIF.format("", more)
    assert [notice.code for notice in loads(text).notices] == ["graphs-left-out"]
    assert [unit.text for unit in loads(text, graph=2).propositions] == ["C d"]
    with pytest.raises(OptionError, match="choose from 1 to 2"):
        loads(text, graph=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<lkif><rules/></lkif>", "line 1: no argument graph"),
        (LKIF.format("<argument id='a'/>", ""), "line 3: an argument without conclusion"),
        (LKIF.format("<argument id='a'><conclusion statement='7'/></argument>", ""), "statement '7' is not there"),
        (LKIF.format("<argument id='1'><conclusion statement='1'/></argument>", ""), "the id 1 is given twice"),
        (LKIF.replace("<s>A</s>", "<s>A</s></statement><statement>").format("", ""), "a statement without id"),
        (
            LKIF.format(
                "<argument id='a'><conclusion statement='1'/><premises><premise type='x'/></premises></argument>", ""
            ),
            "unknown type 'x'",
        ),
    ],
)
def test_broken_lkif_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        loads(text)


def test_rationale_claims_reasons_and_objections(fixtures: Path) -> None:
    graph = load(fixtures / "rtnl" / "masks.rtnl")
    assert _ends(graph) == {
        ("RA", ("map0_2", "map0_3"), "map0_0"),
        ("CA", ("map0_6",), "map0_1"),
        ("CA", ("map0_8",), "map0_0"),
    }
    assert graph["map0_3"].text == 'A study says: "they do".'
    assert [notice.code for notice in graph.notices] == ["boxes-left-out"]


RTNL = "#Rationale Version 160.66\n"


def test_rationale_as_aifdb_writes_it() -> None:
    text = """a = Create("Claim")
SetText("He said "no" (twice)
and left")
b = CreateChild(a, "CompoundReason")
c = CreateChild(b, "Claim")
SetText("C")
d = CreateChild(b, "CompoundObjection")
c = CreateChild(d, "Claim")
SetText("C")
"""
    graph = loads(RTNL + text)
    assert graph["a"].text == 'He said "no" (twice)\nand left'
    assert _ends(graph) == {("RA", ("c",), "a"), ("CA", ("c",), "b")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no claim"),
        ('a = Create("Claim")\nSetText("A', "line 3: a text that does not end"),
        ('a = Create("Claim")\nb = CreateChild(c, "CompoundReason")', "line 3: c is no box above b"),
        ('a = Create("Claim")\na = Create("Inference")', "line 3: a is a Claim and a Inference"),
        ('a = Create(open("x"))', "line 2: a box that cannot be read"),
    ],
)
def test_broken_rationale_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        loads(RTNL + text)


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
        ("map.ilogos", b"<map/>", "iLogos"),
        ("map.caf", b"<caf/>", "CAF"),
    ],
)
def test_what_is_not_read_is_refused_by_name(name: str, data: bytes, title: str) -> None:
    with pytest.raises(FormatError, match=title):
        detect(Input(name, data, name[name.rindex(".") :])).read(Input(name, data))


def test_tables_of_relations(fixtures: Path, tmp_path: Path) -> None:
    graph = load(fixtures / "csv" / "masks.csv")
    assert [node.type for node in graph.relations] == ["RA", "CA", "MA"]
    assert "Nobody asked." in [unit.text for unit in graph.propositions]
    (tmp_path / "pairs.csv").write_text("reason,claim\na,b\nc,b\n", "utf-8")
    named = load(tmp_path / "pairs.csv", format="csv", source_column="reason", target_column="claim")
    assert [node.type for node in named.relations] == ["RA", "RA"]
    assert len(named.propositions) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "no column 'source'; the columns are a, b"),
        ("source,target,type\na,b,odd\n", "line 2: a relation of unknown type 'odd'"),
        ("source,target\n,b\n", "line 2: a relation without source"),
        ("source,target\na\n", "line 2: 1 columns where 2 are named"),
    ],
)
def test_broken_tables_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        loads(text, format="csv")


def test_options_of_reading_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.csv").write_text("reason,claim\na,b\n", "utf-8")
    command = ["convert", str(tmp_path / "pairs.csv"), str(tmp_path / "map.json"), "--from", "csv"]
    assert main([*command, "--option", "source_column=reason", "--option", "target_column=claim"]) == 0
    assert len(load(tmp_path / "map.json").inferences) == 1
    assert main([*command, "--option", "sorce_column=reason"]) == 2
    assert "is it source_column?" in capsys.readouterr().err
