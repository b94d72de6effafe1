"""Containers: every command that writes many maps writes the same set of them, atomically."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus_files import a_map, make_folder

from aifgraph import open_corpus
from aifgraph.cli import main
from aifgraph.corpus.conversion import convert_corpus
from aifgraph.corpus.writer import open_writer, write_maps
from aifgraph.errors import AifgraphError, InputError

FIXTURES = Path(__file__).parents[2] / "fixtures"
ANN, BEN = (str(FIXTURES / "debates" / name) for name in ("ann", "ben"))
TARGETS = ("maps.zip", "maps.tar.gz", "maps.tgz", "maps.jsonl", "maps.jsonl.gz", "maps", "v1.1")
COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "merge": lambda target: ["merge", ANN, BEN, "-o", target],
    "pack": lambda target: ["pack", ANN, "-o", target],
    "sample": lambda target: ["sample", ANN, "-n", "2", "--seed", "1", "--folder", target],
    "baseline": lambda target: ["baseline", ANN, "--kind", "chain", "-o", target],
    "convert": lambda target: ["convert", ANN, target, "--to", "xaif"],
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_take_the_same_containers(command: str, target: str, tmp_path: Path) -> None:
    place = tmp_path / target
    assert main(COMMANDS[command](str(place))) == 0
    names = open_corpus(place).names
    assert len(names) == (2 if command == "sample" else len(open_corpus(ANN)) if command != "merge" else 3)
    assert set(names) <= set(open_corpus(ANN).names)
    assert [path.name for path in tmp_path.iterdir()] == [target]


@pytest.mark.parametrize("target", TARGETS)
def test_training_data_take_them_too(target: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    place = tmp_path / target
    assert main(["export", ANN, "--task", "relations", "-o", str(place)]) == 0
    if "jsonl" in target:
        data = gzip.decompress(place.read_bytes()) if target.endswith("gz") else place.read_bytes()
        assert all("label" in json.loads(line) for line in data.splitlines())
        return
    if target.endswith(".zip"):
        files = zipfile.ZipFile(place).namelist()
    elif place.is_dir():
        files = [path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()]
    else:
        with tarfile.open(fileobj=io.BytesIO(place.read_bytes())) as archive:
            files = archive.getnames()
    assert "README.md" in files
    assert "data/train-00000-of-00001.parquet" in files


@pytest.mark.parametrize("command", [*COMMANDS, "export"])
def test_no_command_takes_another_suffix(command: str, tmp_path: Path) -> None:
    words = COMMANDS.get(command, lambda target: ["export", ANN, "--task", "relations", "-o", target])
    assert main(words(str(tmp_path / "maps.rar"))) == 2
    assert not list(tmp_path.iterdir())


def test_progress_ends_at_the_number_of_maps_although_some_failed(tmp_path: Path) -> None:
    files = {f"{number}.json": json.dumps(a_map("one")) if number % 2 else "{" for number in range(5)}
    corpus = open_corpus(make_folder(tmp_path / "maps", files))
    steps: list[tuple[int, int]] = []
    done = convert_corpus(corpus, tmp_path / "out.zip", to_format="xaif", progress=lambda *step: steps.append(step))
    assert (done.written, len(done.failed)) == (2, 3)
    assert steps == [(number, 5) for number in range(1, 6)]


@pytest.mark.parametrize("target", TARGETS)
def test_a_writer_that_is_stopped_leaves_nothing(target: str, tmp_path: Path) -> None:
    graphs = [entry.load().with_name(entry.name) for entry in open_corpus(ANN)]
    with pytest.raises(ZeroDivisionError):
        write_maps((graph for graph in graphs if len(graph) / (graph is not graphs[-1])), tmp_path / target)
    assert not list(tmp_path.iterdir())
    with open_writer(tmp_path / target):
        pass  # nothing is written where there are no maps
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("target", TARGETS)
def test_one_name_is_written_once(target: str, tmp_path: Path) -> None:
    graph = next(iter(open_corpus(ANN))).load()
    with pytest.raises(InputError, match="another map is written to a"):
        write_maps([graph.with_name("a"), graph.with_name("a")], tmp_path / target)


def test_a_folder_that_holds_files_takes_more_in_place(tmp_path: Path) -> None:
    make_folder(tmp_path, {"a.json": "{", "note.txt": "mine"})
    graph = next(iter(open_corpus(ANN))).load()
    write_maps([graph.with_name("a"), graph.with_name("sub/b")], tmp_path)
    assert open_corpus(tmp_path)["a"].load().nodes == open_corpus(tmp_path)["sub/b"].load().nodes == graph.nodes
    assert (tmp_path / "note.txt").read_text() == "mine"
    with pytest.raises(AifgraphError, match="not empty"), open_writer(tmp_path):
        pass
