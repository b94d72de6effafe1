"""Every data set keeps these promises, whole or damaged; a new one is picked up by its fixtures."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, dumps, loads, read_dataset, validate
from aifgraph.corpus import write_corpus
from aifgraph.datasets import READERS, Log
from aifgraph.errors import AifgraphError, FormatError, InputError, NotFoundError, OptionError
from documents import read
from fuzz.mutate import mutated
from strategies import LONG

#: Where the fixture of a data set is, if not in the folder of its name below ``fixtures/datasets``.
PLACES = {
    "iac2": "datasets/iac2/small.sql",
    "sciarg": "datasets/sciarg-abstracts/two.tsv",
    "ruarg": "datasets/ruarg/train.tsv",
    "arct": "datasets/arct/full.txt",
    "essays": "brat",
    "abstrct": "brat",
}


@pytest.fixture(params=sorted(READERS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(name: str, fixtures: Path) -> Path:
    return fixtures / PLACES.get(name, f"datasets/{name}")


@pytest.fixture
def graphs(name: str, place: Path) -> list[ArgumentGraph]:
    return read(name, place)[0]


def errors_in(graph: ArgumentGraph) -> list[object]:
    return [finding for finding in validate(graph) if finding.level == "error"]


def test_maps_come_one_by_one_and_the_same_again(name: str, place: Path, graphs: list[ArgumentGraph]) -> None:
    log = Log()
    maps = read_dataset(name, place, log=log)
    assert isinstance(maps, Iterator)
    assert next(maps) == graphs[0]
    assert log.counts["maps"] == 1
    assert [graphs[0], *maps] == graphs
    assert len({graph.name for graph in graphs}) == len(graphs)
    assert [graph.name for graph in graphs if errors_in(graph)] == []
    assert log.counts["maps"] == len(graphs)
    assert len(log.problems) == log.problem_counts.total()


def test_maps_survive_a_file_with_all_they_keep(graphs: list[ArgumentGraph]) -> None:
    for graph in graphs:
        again = loads(dumps(graph, format="aif"))
        assert [(node.id, node.type, node.text) for node in again] == [(n.id, n.type, n.text) for n in graph]
        ends = [(edge.source, edge.target) for edge in graph.edges]
        assert [(edge.source, edge.target) for edge in again.edges] == ends
        assert {**again.meta.aif, **graph.meta.aif} == again.meta.aif
        assert all(again[node.id].extra.items() >= node.extra.items() for node in graph)


def test_wrong_arguments_and_places(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        read_dataset(name, tmp_path / "nowhere")
    with pytest.raises(TypeError):
        read_dataset(name, tmp_path, color="red")
    with pytest.raises(InputError) as error:
        read(name, tmp_path)
    assert str(tmp_path) in str(error.value)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("iac1", {"agree": -2, "disagree": 2}),
        ("iac2", {"agree": 6}),
        ("sciarg", {"functions": "some"}),
        ("essays", {"major": "some"}),
        ("aurc", {"annotator": "some"}),
    ],
)
def test_options_out_of_their_range(name: str, option: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        read(name, tmp_path, **option)


@pytest.mark.parametrize(
    ("name", "place", "line"),
    [
        ("ruarg", "ruarg/damaged.tsv", 2),
        ("aurc", "aurc", 3),
        ("sciarg", "sciarg-abstracts/damaged.tsv", 7),
        ("iac1", "iac1", 6),
    ],
)
def test_a_strict_log_stops_at_the_first_problem(name: str, place: str, line: int, data: Path) -> None:
    _, log = read(name, data / place)
    with pytest.raises(FormatError) as error:
        read(name, data / place, strict=True)
    first = log.problems[0]
    assert (error.value.what, error.value.where, first.line) == (first.message, first.place, line)


@pytest.mark.parametrize("seed", range(25 if LONG else 4))
def test_damage_is_told(name: str, place: Path, seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{name} {seed}")
    target = tmp_path / place.name
    if place.is_dir():
        shutil.copytree(place, target)
    else:
        shutil.copy(place, target)
    victim = rng.choice(sorted(path for path in [target, *target.rglob("*")] if path.is_file()))
    victim.write_bytes(mutated(rng, victim.read_bytes()))
    try:
        graphs, _ = read(name, target)
    except AifgraphError:
        return
    assert [graph.name for graph in graphs if errors_in(graph)] == []
    assert write_corpus(graphs, tmp_path / "out.jsonl").written == len(graphs)
