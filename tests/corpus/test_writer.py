"""Containers: every command that writes many maps writes the same set, atomically, without loss, in the same bytes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus_files import FILES, a_map, make_folder, make_zip

from aifgraph.cli import main
from aifgraph.corpus import Corpus, open_corpus
from aifgraph.corpus.conversion import convert_corpus
from aifgraph.corpus.writer import open_writer, write_maps
from aifgraph.errors import AifgraphError, InputError, OptionError

FIXTURES = Path(__file__).parents[2] / "fixtures"
ANN, BEN = (str(FIXTURES / "debates" / name) for name in ("ann", "ben"))
TARGETS = ("maps.zip", "maps.jsonl", "maps", "v1.1")
COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "merge": lambda target: ["merge", ANN, BEN, "-o", target],
    "convert": lambda target: ["convert", ANN, target, "--to", "xaif"],
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_take_the_same_containers(command: str, target: str, tmp_path: Path) -> None:
    place = tmp_path / target
    assert main(COMMANDS[command](str(place))) == 0
    names = open_corpus(place).names
    assert len(names) == (3 if command == "merge" else len(open_corpus(ANN)))
    assert set(names) <= set(open_corpus(ANN).names)
    assert [path.name for path in tmp_path.iterdir()] == [target]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_takes_another_suffix(command: str, tmp_path: Path) -> None:
    assert main(COMMANDS[command](str(tmp_path / "maps.rar"))) == 2
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


SUFFIXES = [".zip", ".jsonl", ""]
MORE = {
    **FILES,
    "damaged.json": "{oops",
    "x.xaif": json.dumps({"AIF": a_map("x"), "text": "own"}),
    "é/ü.json": json.dumps(a_map("\ud800 lone", "日本")),
    "old.json": "Warning: PHP " + json.dumps(a_map("behind a warning")),
}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return open_corpus(make_folder(tmp_path / "from", MORE))


def contents(corpus: Corpus) -> dict[str, object]:
    found: dict[str, object] = {}
    for entry in corpus:
        try:
            graph = entry.load()
            found[entry.name] = [(node.type, node.text) for node in graph], len(graph.edges), graph.meta.source
        except InputError as error:
            found[entry.name] = type(error)
    return found


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_lost_on_the_way(corpus: Corpus, tmp_path: Path, suffix: str) -> None:
    done = convert_corpus(corpus, tmp_path / f"to{suffix}")
    assert (done.written, [Path(place).name for place, _ in done.failed]) == (6, ["damaged.json"])
    again = open_corpus(tmp_path / f"to{suffix}")
    expected = {name: content for name, content in contents(corpus).items() if name != "damaged"}
    assert contents(again) == expected
    convert_corpus(again, tmp_path / "back")
    assert contents(open_corpus(tmp_path / "back")) == expected


@pytest.mark.parametrize("suffix", SUFFIXES[:-1])
def test_the_same_bytes_each_time(tmp_path: Path, suffix: str) -> None:
    one = open_corpus(make_folder(tmp_path / "one", FILES))
    other = make_folder(tmp_path / "other", dict(reversed(FILES.items())))
    os.utime(other / "nodeset2.json", (0, 0))
    others = [one, open_corpus(other), open_corpus(make_zip(tmp_path / "z.zip", FILES))]
    for number, corpus in enumerate(others):
        convert_corpus(corpus, tmp_path / f"{number}{suffix}")
    assert len({(tmp_path / f"{number}{suffix}").read_bytes() for number in range(3)}) == 1


def test_whole_or_not_at_all(corpus: Corpus, tmp_path: Path) -> None:
    target = tmp_path / "to.zip"
    target.write_bytes(b"before")

    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert_corpus(corpus, target, progress=stop)
    assert target.read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["from", "to.zip"]
    convert_corpus(corpus, target)
    assert len(open_corpus(target)) == 6


def test_places_that_will_not_do(tmp_path: Path) -> None:
    graphs = [entry.load().with_name(entry.name) for entry in open_corpus(ANN)]
    with pytest.raises(OptionError, match=r"not written as \.rar"):
        write_maps(graphs, tmp_path / "to.rar")
    (tmp_path / "dir.zip").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_maps(graphs, tmp_path / "dir.zip")
