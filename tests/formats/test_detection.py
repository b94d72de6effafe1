"""A file is taken for what it is: every writer's output of every map, and files that look like others."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from roundtrip import BOTH, fixture_files, shared_files, written_input

from aifgraph import dumps, load, loads
from aifgraph.formats.registry import codec, detect
from sampled import some_of


def wrong_guesses(paths: Iterable[Path]) -> list[tuple[str, str, str]]:
    """File, format written, format guessed."""
    wrong = []
    for path in paths:
        graph = load(path)
        for name in BOTH:
            written = codec(name).write(graph)
            guessed = detect(written_input(written, codec(name))).name
            if guessed != name and not same_file(name, guessed, written.text):
                wrong.append((path.name, name, guessed))
    return wrong


def same_file(name: str, guessed: str, text: str) -> bool:
    """Whether saving in the guessed format loses nothing: an xAIF with OVA's layout is what OVA3 saves."""
    if {name, guessed} != {"xaif", "ova3"}:
        return False
    graph = loads(text)
    again = codec(guessed).write(graph)
    return loads(again.text) == graph


def test_what_is_written_of_fixtures_is_recognised(fixtures: Path) -> None:
    assert wrong_guesses(fixture_files(fixtures)) == []


@pytest.mark.slow
@pytest.mark.data
def test_what_is_written_of_real_maps_is_recognised(shared_data: Path) -> None:
    assert wrong_guesses(some_of(shared_files(shared_data))) == []


def flat(**fields: object) -> str:
    people = [{"participantID": "1", "firstname": "Ann", "surname": "Lee"}]
    nodes = [{"nodeID": "1", "text": "a", "type": "I"}, {"nodeID": "2", "text": "RA", "type": "RA"}]
    document: dict[str, object] = {"nodes": nodes, "edges": [{"fromID": "1", "toID": "2"}]}
    return json.dumps({**document, "schemefulfillments": [], "participants": people, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"edges": [{"edgeID": "7", "fromID": "1", "toID": "2", "formEdgeID": None}]},
        {"locutions": [{"nodeID": "1", "personID": "1", "start": "2021-11-11 21:50:00"}]},
        {"locutions": [{"nodeID": "1", "personID": "1", "source": "debate"}]},
        {"descriptorfulfillments": [{"nodeID": "1", "descriptorID": "3"}]},
    ],
)
def test_a_map_with_lists_comes_back(fields: dict[str, object]) -> None:
    text = flat(**fields)
    assert loads(text).meta.form == "aif"
    assert json.loads(dumps(loads(text))) == json.loads(text)


def test_nodes_at_the_top_with_a_header_called_aif() -> None:
    text = flat(AIF={"version": "1.0"})
    for format in (None, "aif", "xaif"):
        assert [node.id for node in loads(text, format=format)] == ["1", "2"]
    assert json.loads(dumps(loads(text))) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ('{"nodes": [], "edges": []}', "aif"),
        ('{"AIF": {}, "text": ""}', "xaif"),
        ("<ARG><TEXT>words</TEXT></ARG>", "aml"),
    ],
)
def test_a_map_without_nodes_is_a_notice(text: str, format: str) -> None:
    graph = loads(text)
    assert graph.meta.form == format
    assert [notice.code for notice in graph.notices][-1] == "map-empty"
