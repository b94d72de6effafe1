"""A graph as one of networkx, and as frames."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest
from hypothesis import given

from aifgraph import ArgumentGraph, FormatError, GraphBuilder, load, loads
from aifgraph.errors import InputError
from aifgraph.interop import edges_frame, from_networkx, nodes_frame, to_networkx
from strategies import graphs

MAP = {
    "nodes": [
        {"nodeID": 0, "text": "Ann: a & b", "type": "L", "visible": True},
        {"nodeID": 1, "text": "a & b", "type": "I"},
        {"nodeID": 2, "text": "Asserting", "type": "YA", "scheme": "Asserting", "schemeID": "74"},
    ],
    "edges": [
        {"edgeID": 7, "fromID": 2, "toID": 1, "formEdgeID": None},
        {"edgeID": 6, "fromID": 0, "toID": 2, "weight": 3},
        {"edgeID": 8, "fromID": 0, "toID": 9},
    ],
    "locutions": [{"nodeID": 0, "personID": 4, "start": None}],
}


def test_graphs_of_others() -> None:
    given = networkx.MultiDiGraph()
    given.add_node(1, type="I", text="a")
    given.add_node("r", type="RA")
    given.add_edge(1, "r")
    assert [(node.id, node.type) for node in from_networkx(given)] == [("1", "I"), ("r", "RA")]
    given.add_edge(1, "r")
    with pytest.raises(InputError, match="twice"):
        from_networkx(given)
    given.add_node("x")
    with pytest.raises(InputError, match="node x"):
        from_networkx(given)
    with pytest.raises(InputError, match="undirected"):
        from_networkx(networkx.Graph())


def test_frames() -> None:
    pytest.importorskip("pandas")
    graph = loads(json.dumps(MAP))
    nodes, edges = nodes_frame(graph), edges_frame([graph, graph])
    assert list(nodes["speaker"]) == ["Ann", None, None]
    assert list(nodes["scheme_id"]) == [None, None, "74"]
    assert len(edges) == 4
    assert list(edges["source_type"])[:2] == ["YA", "L"]
    assert "map" in nodes_frame(GraphBuilder().graph()).columns


def test_fields_are_attributes_and_columns() -> None:
    build = GraphBuilder()
    claim, reason = build.proposition("A", extra={"confidence": 0.5}), build.proposition("B", extra={"map": [1]})
    build.inference([reason], claim, extra={"confidence": 0.9, "text": "x"})
    build.edge(claim, reason, extra={"weight": 2})
    graph = build.graph()
    given_ = graph.to_networkx()
    assert [data.get("confidence") for _, data in given_.nodes(data=True)] == [0.5, None, 0.9]
    assert given_.nodes[reason]["map"] == "[1]"
    assert given_.edges[claim, reason, 0]["weight"] == 2
    assert given_.nodes["3"]["text"] == "Default Inference"
    given_.nodes[claim]["confidence"] = 0.25
    given_.nodes[reason]["new"] = True
    again = from_networkx(given_)
    assert again[claim].extra == {"confidence": 0.25}
    assert again[reason].extra == {"map": [1], "new": True}
    assert again["3"].extra == graph["3"].extra
    rows = graph.to_frame()
    assert list(rows["confidence"]) == [0.9]
    assert list(rows["target_confidence"]) == [0.5]
    assert list(graph.nodes_frame()["confidence"]) == [0.5, None, 0.9]
    assert list(graph.nodes_frame()["extra_map"]) == [None, [1], None]
    assert list(graph.edges_frame()["weight"]) == [None, None, 2]


@given(graphs())
def test_any_graph_comes_back(graph: ArgumentGraph) -> None:
    back = from_networkx(to_networkx(graph))
    assert back == graph
    assert back.meta.locutions == graph.meta.locutions
    assert [node.extra for node in back] == [node.extra for node in graph]
    assert [edge.id for edge in back.edges] == [edge.id for edge in graph.edges]


@pytest.mark.parametrize("side_data", [True, False])
def test_files_of_networkx(tmp_path: Path, side_data: bool) -> None:
    graph = load("fixtures/debate/first.json")
    given_ = graph.to_networkx()
    if not side_data:
        del given_.graph["aif"]
    networkx.write_graphml(given_, tmp_path / "map.graphml")
    networkx.write_gexf(given_, tmp_path / "map.gexf")
    document = json.loads(json.dumps(networkx.node_link_data(given_, edges="links")))
    back = [
        networkx.read_graphml(tmp_path / "map.graphml", force_multigraph=True),
        networkx.node_link_graph(document, edges="links"),
    ]
    for each in back:
        again = from_networkx(each)
        if side_data:
            assert again == graph
        assert {node.id: node.text for node in again} == {node.id: node.text for node in graph}
        assert len(again.edges) == len(graph.edges)
    assert len(networkx.read_gexf(tmp_path / "map.gexf")) == len(graph)
    assert all(isinstance(value, str) for _, data in given_.nodes(data=True) for value in data.values())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"nodes": 5}', '{"meta": [1]}', "[" * 200_000])
def test_damaged_side_data(text: str) -> None:
    given_ = networkx.DiGraph(aif=text)
    with pytest.raises(FormatError, match="damaged"):
        from_networkx(given_)


def test_changes_in_networkx_count() -> None:
    graph = load("fixtures/debate/first.json")
    claim, locution = graph.roots()[0].id, graph.locutions[0].id
    given_ = graph.to_networkx()
    given_.nodes[claim]["text"] = "Another claim"
    given_.nodes[graph.inferences[0].id]["scheme"] = "Sign"
    given_.remove_node(locution)
    given_.add_node("new", type="I", text="One more")
    again = from_networkx(given_)
    assert again[claim].text == "Another claim"
    assert [scheme.name for scheme in again[graph.inferences[0].id].schemes] == ["Sign"]
    assert again.nodes[-1].id == "new"
    assert locution not in again
    assert all(record.node_id != locution for record in again.meta.locutions)
