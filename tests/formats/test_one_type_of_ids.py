"""Ids in files of AIF JSON: of one type in a file, whatever was added to the map, and ends of edges exactly as the
entries of the nodes have them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.formats.registry import codec
from formats.roundtrip import changed, fixture_files, shared_files
from sampled import some_of

WRITERS = ("aif", "ova3", "xaif", "jsonl")


def documents(graph: ArgumentGraph) -> Iterator[tuple[str, dict[str, Any]]]:
    """The files of a graph, by what wrote them."""
    for name in WRITERS:
        yield name, json.loads(codec(name).write(graph).encodable().text)


def check(graph: ArgumentGraph) -> None:
    for writer, document in documents(graph):
        document = document.get("map", document)
        aif = document.get("AIF", document)
        lists = {key: entries for key, entries in aif.items() if isinstance(entries, list)}

        def ids(section: str, *fields: str, lists: dict[str, Any] = lists) -> list[Any]:
            entries = lists.get(section, [])
            return [entry[field] for entry in entries for field in fields if entry.get(field) is not None]

        nodes, people = ids("nodes", "nodeID"), ids("participants", "participantID") + ids("locutions", "personID")
        for each in (nodes, ids("edges", "edgeID"), people):
            assert len(set(map(type, each))) <= 1, writer
        spelt = {str(id_): id_ for id_ in nodes}
        ova = document.get("OVA") or {}
        for id_ in (
            *ids("edges", "fromID", "toID"),
            *ids("locutions", "nodeID"),
            *ids("schemefulfillments", "nodeID"),
            *(box["nodeID"] for box in ova.get("nodes", [])),
            *(line[end] for line in ova.get("edges", []) for end in ("fromID", "toID")),
        ):  # others are of nodes that are not there
            assert id_ == spelt.get(str(id_), id_), writer


def test_fixtures(fixtures: Path) -> None:
    for path in fixture_files(fixtures):
        if path.suffix in (".json", ".xaif", ".xml"):
            try:
                graph = aifgraph.load(path)
            except aifgraph.AifgraphError:  # corpora, broken on purpose
                continue
            check(graph)
            check(changed(graph))


@pytest.mark.data
def test_real_maps(shared_data: Path) -> None:
    for path in some_of(shared_files(shared_data), every=25):
        graph = aifgraph.load(path)
        check(graph)
        check(changed(graph))


IDS = st.sampled_from([0, 1, 7, 12, -3, 5.0, "1", "7", "08", "12", "a1", "4_163", "é"])


@given(st.lists(IDS, min_size=1, max_size=6), st.lists(st.tuples(IDS, IDS, IDS | st.none()), max_size=5), st.data())
def test_mixed_ids(nodes: list[Any], edges: list[tuple[Any, Any, Any]], data: st.DataObject) -> None:
    aif = {
        "nodes": [{"nodeID": id_, "type": data.draw(st.sampled_from(["I", "L", "RA"])), "text": "a"} for id_ in nodes],
        "edges": [{"fromID": source, "toID": target, "edgeID": id_} for source, target, id_ in edges],
        "locutions": [{"nodeID": data.draw(IDS), "personID": data.draw(IDS)} for _ in range(2)],
        "participants": [{"participantID": data.draw(IDS), "firstname": "Ann", "surname": "Lee"}],
    }
    graph = aifgraph.from_dict(aif)
    check(graph)
    check(changed(graph))
    for name in ("aif", "jsonl"):
        back = aifgraph.loads(codec(name).write(graph).text, format=name)
        assert (back.nodes, set(back.edges), back.participants) == (graph.nodes, set(graph.edges), graph.participants)


def test_numbers_stay_numbers_in_the_flat_form() -> None:
    aif = {"nodes": [{"nodeID": 1, "type": "I", "text": "Masks help"}], "edges": []}
    build = GraphBuilder(aifgraph.from_dict({"AIF": aif, "text": ""}))
    build.inference([build.proposition("They filter")], "1")
    written = json.loads(aifgraph.dumps(build.graph(), format="aif"))
    assert [node["nodeID"] for node in written["nodes"]] == [1, 2, 3]
    assert [(edge["fromID"], edge["toID"]) for edge in written["edges"]] == [(2, 3), (3, 1)]
