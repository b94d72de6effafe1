from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest

from aifgraph import GraphBuilder, dumps, load, loads
from aifgraph.errors import InputError
from aifgraph.interop.frames import edges_frame, nodes_frame
from aifgraph.interop.networkx import from_networkx, to_networkx

MAP = {
    "nodes": [
        {"nodeID": 0, "text": "Ann: a &amp; b", "type": "L", "visible": True},
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


def test_there_and_back() -> None:
    graph = loads(json.dumps(MAP))
    back = from_networkx(to_networkx(graph))
    assert back == graph
    assert json.loads(dumps(back)) == MAP


def test_methods_of_the_graph() -> None:
    graph = loads(json.dumps(MAP))
    assert type(graph).from_networkx(graph.to_networkx()) == graph


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


@pytest.mark.data
def test_real_maps(shared_data: Path) -> None:
    for folder in ("xaif", "qt30"):
        for path in sorted((shared_data / folder).rglob("*.json")):
            graph = load(path)
            assert json.loads(dumps(from_networkx(to_networkx(graph)))) == json.loads(dumps(graph))
