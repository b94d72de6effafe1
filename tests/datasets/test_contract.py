"""Every data set in the registry keeps these promises, whole or damaged; a new one is picked up by its fixtures."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, dumps, loads, open_corpus, validate
from aifgraph.corpus.writer import write_maps
from aifgraph.datasets import DATASETS, dataset_class, open_dataset, options_of
from aifgraph.errors import AifgraphError, InputError, NotFoundError, OptionError
from sampled import LONG

#: Where the fixture of a data set is below ``fixtures/datasets``; a data set without one reads its folder.
PLACES = {
    "iac2": "iac2/small.sql",
    "sciarg-abstracts": "sciarg-abstracts/two.tsv",
    "ruarg": "ruarg/train.tsv",
    "arct": "arct/full.txt",
}


@pytest.fixture(params=sorted(DATASETS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(name: str, fixtures: Path) -> Path:
    place = fixtures / "datasets" / PLACES.get(name, name)
    if not place.exists():
        place = fixtures / "brat" if name in ("essays", "abstrct") else place
    if not place.exists():
        pytest.skip(f"no fixture for {name}")
    return place


@pytest.fixture
def graphs(name: str, place: Path) -> list[ArgumentGraph]:
    return list(open_dataset(name, place))


def test_names_itself(name: str) -> None:
    cls = dataset_class(name)
    assert cls.name == name
    assert cls.title


def test_gives_maps_under_names_of_their_own(graphs: list[ArgumentGraph]) -> None:
    assert graphs
    assert len({graph.name for graph in graphs}) == len(graphs)


def test_is_lazy_and_gives_the_same_maps_again(name: str, place: Path, graphs: list[ArgumentGraph]) -> None:
    data = open_dataset(name, place)
    assert isinstance(iter(data), Iterator)
    assert list(data) == graphs
    first = dict(data.problems.counts)
    assert list(data) == graphs
    assert dict(data.problems.counts) == first


def test_maps_are_structurally_clean(graphs: list[ArgumentGraph]) -> None:
    for graph in graphs:
        assert [finding for finding in validate(graph) if finding.level == "error"] == [], graph.name


def test_maps_survive_a_file_with_all_they_keep(graphs: list[ArgumentGraph]) -> None:
    for graph in graphs:
        again = loads(dumps(graph, format="aif"))
        assert [(node.id, node.type, node.text) for node in again] == [(n.id, n.type, n.text) for n in graph]
        ends = [(edge.source, edge.target) for edge in graph.edges]
        assert [(edge.source, edge.target) for edge in again.edges] == ends
        # A section that the file has now is kept as such, even an empty one.
        assert again.meta.aif | graph.meta.aif == again.meta.aif
        assert not any(value for key, value in again.meta.aif.items() if key not in graph.meta.aif)
        for node in graph:
            kept = {key: again[node.id].record[key] for key in node.record}
            assert kept == dict(node.record)


@pytest.mark.parametrize("suffix", ["", ".zip", ".jsonl"])
def test_is_written_as_a_corpus(suffix: str, graphs: list[ArgumentGraph], tmp_path: Path) -> None:
    target = tmp_path / f"corpus{suffix}"
    assert write_maps(graphs, target) == len(graphs)
    back = {tuple((n.type, n.text) for n in entry.load()) for entry in open_corpus(target)}
    assert back == {tuple((n.type, n.text) for n in graph) for graph in graphs}
    assert not list(tmp_path.glob(".*"))


def test_what_is_not_there_is_said(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no such file"):
        open_dataset(name, tmp_path / "nowhere")


def test_an_empty_folder_is_the_wrong_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        list(open_dataset(name, tmp_path))
    assert str(tmp_path) in str(error.value)
    assert error.value.remedy


def test_an_unknown_option_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="has no option color"):
        open_dataset(name, tmp_path, color="red")
    assert "strict" in options_of(name)


def test_an_unknown_data_set_is_named() -> None:
    with pytest.raises(OptionError, match="there is no data set 'iac3'; choose from iac1, iac2, microtexts"):
        dataset_class("iac3")


DAMAGED = [
    ("iac1", "datasets/iac1"),
    ("iac2", "datasets/iac2/small.sql"),
    ("sciarg-abstracts", "datasets/sciarg-abstracts"),
    ("cdcp", "datasets/cdcp"),
    ("ruarg", "datasets/ruarg/train.tsv"),
    ("arct", "datasets/arct/full.txt"),
    ("aurc", "datasets/aurc"),
    ("microtexts", "datasets/microtexts"),
    ("essays", "brat"),
]


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The bytes with one to three things done to them."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data) + 1)
        end = at + rng.randint(1, 40)
        data = rng.choice(
            (
                data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :],
                data[:at] + data[end:],
                data[:at] + data[at:end] + data[at:],
                data[:at],
                data[:at] + rng.choice((b"\t", b"\n", b"'", b'"', b"\\", b"(", b")", b"[", b"\0", b"\xff")) + data[at:],
                data.replace(b"1", rng.choice((b"999", b"-3", b"null", b"1e400", b"")), 1),
                b"\n".join(sorted(data.split(b"\n"), key=lambda line: rng.random())),
            )
        )
    return data


@pytest.mark.parametrize("seed", range(25 if LONG else 6))
@pytest.mark.parametrize(("name", "place"), DAMAGED)
def test_damage_is_told(name: str, place: str, seed: int, fixtures: Path, tmp_path: Path) -> None:
    rng = random.Random(f"{place} {seed}")
    source = fixtures / place
    target = tmp_path / source.name
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy(source, target)
    files = sorted(path for path in ([target] if target.is_file() else target.rglob("*")) if path.is_file())
    victim = rng.choice(files)
    victim.write_bytes(damaged(victim.read_bytes(), rng))
    reading = open_dataset(name, target)
    try:
        graphs = list(reading)
    except AifgraphError:
        return
    assert graphs
    for graph in graphs:
        assert [finding for finding in validate(graph) if finding.level == "error"] == []
    assert write_maps(graphs, tmp_path / "out.jsonl") == len(graphs)


def test_counts_are_those_of_the_latest_reading(name: str, place: Path) -> None:
    data = open_dataset(name, place)
    assert len(list(data)) == data.counts["maps"]
    assert len(data.problems) == data.problems.counts.total()
