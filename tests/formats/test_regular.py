"""Maps read column by column are the graphs that the plain reader gives; what is out of the ordinary is left to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph.formats.aif.read import _repaired, _schemes
from aifgraph.formats.aif.regular import columns_of
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.meta import Meta

REGULAR = ("1", "2", "3")
ODD = (1, 2, 1.0, True, None, "", ["1"], {})
TEXTS = ("a", "b &amp; c", "&#8217;s", "")


def entries(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Maps of few nodes whose ids are strings or numbers alike, or with ``odd`` anything."""
    kinds = st.sampled_from(("I", "L", "RA", "YA", "CA", "TA", *(("i", "EN", "", None, ["I"]) if odd else ())))
    texts = st.sampled_from((*TEXTS, *((None, 3) if odd else ())))
    schemes = st.dictionaries(st.sampled_from(("scheme", "schemeID")), st.sampled_from(("", "15", 74, None)))

    def of_ids(ids: list[Any]) -> st.SearchStrategy[dict[str, Any]]:
        nodes = st.tuples(
            *(
                st.builds(lambda id_, kind, text, more: {"nodeID": id_, "type": kind, "text": text} | more, *of_node)
                for of_node in ((st.just(id_), kinds, texts, schemes) for id_ in ids)
            )
        ).map(list)
        end = st.sampled_from((*ids, *ODD) if odd else (*ids, "9"))
        edge = st.fixed_dictionaries({"fromID": end, "toID": end}, optional={"edgeID": st.sampled_from((None, 7, "x"))})
        lists = {"nodes": nodes, "edges": st.lists(edge, max_size=4)}
        fulfilment = st.fixed_dictionaries({"nodeID": end, "schemeID": st.sampled_from(("15", 74, None))})
        return st.fixed_dictionaries(lists, optional={"schemefulfillments": st.lists(fulfilment, max_size=2)})

    if odd:
        return st.lists(st.sampled_from((*REGULAR, *ODD)), min_size=1, max_size=4).flatmap(of_ids)
    numbers = st.booleans().map(lambda as_numbers: [int(id_) for id_ in REGULAR] if as_numbers else list(REGULAR))
    return numbers.flatmap(of_ids)


def everything(graph: ArgumentGraph) -> tuple[object, ...]:
    """What equality of graphs leaves out, too: records, ids of edges, the order of schemes."""
    nodes = [(type(node), node.id, node.text, node.schemes, node.record) for node in graph]
    edges = [(edge.source, edge.target, edge.id, edge.record) for edge in graph.edges]
    return nodes, edges, graph.notices, graph.meta.leftovers


@given(st.booleans().flatmap(entries))
def test_both_readers_agree(document: dict[str, Any]) -> None:
    before = json.dumps(document)
    columns = columns_of(document, _schemes)
    if columns is not None:
        plain = _repaired(document, "a map")
        assert everything(ArgumentGraph._from_columns(columns, Meta(), "a map")) == everything(plain)
        assert not plain.notices
    assert json.dumps(document) == before


@given(entries(odd=False))
def test_what_the_plain_reader_repairs_is_left_to_it(document: dict[str, Any]) -> None:
    plain = _repaired(document, "a map")
    assert (columns_of(document, _schemes) is None) == bool(plain.notices or plain.meta.leftovers)


@pytest.mark.parametrize("change", [{"type": "EN"}, {"type": "i"}, {"text": None}, {"nodeID": 1.5}, {"nodeID": True}])
def test_one_odd_entry_among_regular_ones(change: dict[str, Any]) -> None:
    nodes: list[dict[str, Any]] = [{"nodeID": id_, "type": "I", "text": "a"} for id_ in REGULAR]
    assert columns_of({"nodes": nodes, "edges": []}, _schemes)
    assert (
        columns_of({"nodes": [*nodes, {"nodeID": "4", "type": "I", "text": "a"} | change], "edges": []}, _schemes)
        is None
    )


def test_maps_of_the_fixtures_are_read_so(fixtures: Path) -> None:
    for path in (fixtures / "debates").rglob("*.json"):
        document = json.loads(path.read_text("utf-8"))
        document = document.get("AIF", document)
        assert columns_of(document, _schemes) is not None, path


def test_nodes_and_edges_are_made_when_asked_for(fixtures: Path) -> None:
    """A comparison that is asked for its scores makes none; whoever asks later gets them, each once."""
    graph = aifgraph.load(fixtures / "debate/first.json")
    assert aifgraph.compare(graph, graph).kappa == 1
    assert graph._made is None
    assert graph._edges is None
    assert graph.nodes[0] is graph.nodes[0]
    assert graph.edges is graph.edges
    assert len(graph) == len(graph.nodes)


@given(st.booleans().flatmap(entries))
def test_a_large_map_kept_compactly_is_the_same(document: dict[str, Any]) -> None:
    columns = columns_of(document, _schemes)
    if columns is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aifgraph.graph.columns._MANY", 0)
        compact = columns.compact()
    ours, theirs = (ArgumentGraph._from_columns(each, Meta(), "a map") for each in (compact, columns))
    assert everything(ours) == everything(theirs)
    assert [list(node.record) for node in ours] == [list(node.record) for node in theirs]
    assert aifgraph.dumps(ours, format="xaif") == aifgraph.dumps(theirs, format="xaif")
