"""Whatever happens to the files of a data set: an error of this library or clean maps, and never anything else."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from aifgraph import validate
from aifgraph.corpus.writer import write_maps
from aifgraph.datasets import open_dataset
from aifgraph.errors import AifgraphError

PLACES = [
    ("iac1", "datasets/iac1"),
    ("iac2", "datasets/iac2/small.sql"),
    ("iac2", "datasets/iac2/tabs"),
    ("sciarg", "datasets/sciarg"),
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


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize(("name", "place"), PLACES)
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
    reading = open_dataset(name, target, propositions_only=seed % 3 == 0)
    try:
        graphs = list(reading)
    except AifgraphError:
        return
    assert graphs
    for graph in graphs:
        assert [finding for finding in validate(graph) if finding.level == "error"] == []
    assert write_maps(graphs, tmp_path / "out.jsonl") == len(graphs)
