"""US2016 and QT30 by name: the maps of an archive, and their nodes counted by type and sub-corpus."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from aifgraph.cli import main
from aifgraph.datasets import open_dataset
from aifgraph.errors import InputError


def test_shared_nodes_count_once_in_a_sub_corpus(tmp_path: Path) -> None:
    nodes = [{"nodeID": "1", "text": "Masks help", "type": "I"}, {"nodeID": "2", "text": "They filter", "type": "I"}]
    for name, part in (("R1/nodeset1", nodes), ("R1/nodeset2", nodes[:1]), ("R2/nodeset3", nodes[1:])):
        path = tmp_path / "us2016" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"nodes": part, "edges": [], "locutions": []}), "utf-8")
    archive = shutil.make_archive(str(tmp_path / "us2016"), "zip", tmp_path / "us2016")
    reading = open_dataset("us2016", archive)
    assert [graph.name for graph in reading] == ["R1/nodeset1", "R1/nodeset2", "R2/nodeset3"]
    assert dict(reading.counts) == {
        "maps": 3,
        "propositions, each id once": 2,
        "R1: propositions, each id once": 2,
        "R2: propositions, each id once": 1,
    }


def test_a_damaged_map_is_a_problem_and_the_rest_is_read(fixtures: Path, tmp_path: Path) -> None:
    shutil.copytree(fixtures / "debates" / "ann", tmp_path / "qt30")
    (tmp_path / "qt30" / "nodeset2.json").write_text("{", "utf-8")
    reading = open_dataset("qt30", tmp_path / "qt30")
    assert len(list(reading)) == 3
    assert reading.problems.counts == {"document": 1}
    with pytest.raises(InputError):
        list(open_dataset("qt30", tmp_path / "qt30", strict=True))


KINDS = ("propositions", "locutions", "inferences", "conflicts", "rephrases", "illocutions", "transitions")


def _counts(*numbers: int) -> dict[str, int]:
    return dict(zip(KINDS, numbers, strict=True))


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "maps", "counts"),
    [
        ("us2016", 84, _counts(1550, 3415, 527, 184, 142, 2450, 1502)),
        ("qt30", 88, _counts(1271, 2707, 309, 66, 323, 1940, 1257)),
    ],
)
def test_the_nodes_of_the_copies_here(
    shared_data: Path, name: str, maps: int, counts: dict[str, int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The table of docs/datasets.md, held against a count that only reads JSON."""
    reading = open_dataset(name, shared_data / name)
    assert sum(1 for _ in reading) == maps
    ids: dict[str, set[str]] = {}
    for path in (shared_data / name).glob("*.json"):
        for node in json.loads(path.read_text("utf-8"))["nodes"]:
            ids.setdefault(node["type"], set()).add(str(node["nodeID"]))
    numbers = {kind.split(",")[0]: number for kind, number in reading.counts.items() if kind != "maps"}
    assert sorted(numbers.values()) == sorted(len(each) for each in ids.values())
    assert numbers == counts
    assert main(["convert", "--dataset", name, str(shared_data / name), str(tmp_path / "out.jsonl")]) == 0
    assert f"{counts['inferences']} inferences, each id once" in capsys.readouterr().err
