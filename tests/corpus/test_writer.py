"""Writing corpora: every container, whole or not at all, without loss, in the same bytes."""

import json
import os
from pathlib import Path

import pytest

import aifgraph
from aifgraph.corpus import Corpus, open_corpus, open_writer, write_corpus
from aifgraph.errors import InputError, OptionError
from aifgraph.formats import FileContents
from documents import FILES, FIRST, a_map, make_folder, make_zip

TARGETS = ("maps.zip", "maps.jsonl", "maps", "maps/", "v1.1")
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
        except InputError:
            continue
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_lost_on_the_way(corpus: Corpus, tmp_path: Path, target: str) -> None:
    steps: list[tuple[int, ...]] = []
    done = write_corpus(corpus, f"{tmp_path}/{target}", progress=lambda *step: steps.append(step))
    assert (done.written, [Path(place).name for place, _ in done.failed]) == (6, ["damaged.json"])
    assert done.came_out == done.went_in
    assert steps == [(done, 7) for done in range(1, 8)]
    again = open_corpus(tmp_path / target)
    assert contents(again) == contents(corpus)
    write_corpus(again, f"{tmp_path}/beside-{target}", to_format="aif")  # whose texts are files of their own
    assert contents(open_corpus(tmp_path / f"beside-{target}")) == contents(corpus)


@pytest.mark.parametrize("target", TARGETS[:2])
def test_the_same_bytes_each_time(tmp_path: Path, target: str) -> None:
    one = make_folder(tmp_path / "one", FILES)
    other = make_folder(tmp_path / "other", dict(reversed(FILES.items())))
    os.utime(other / "nodeset2.json", (0, 0))
    for number, path in enumerate((one, other, make_zip(tmp_path / "z.zip", FILES))):
        write_corpus(open_corpus(path), tmp_path / f"{number}{target}")
    assert len({(tmp_path / f"{number}{target}").read_bytes() for number in range(3)}) == 1


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_stopped_leaves_all_as_it_was(corpus: Corpus, tmp_path: Path, target: str) -> None:
    if (tmp_path / target).suffix in (".zip", ".jsonl"):
        (tmp_path / target).write_bytes(b"before")
    before = sorted(os.listdir(tmp_path))

    def stop(done: int, _: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_corpus(corpus, tmp_path / target, progress=stop)
    assert sorted(os.listdir(tmp_path)) == before
    assert not (tmp_path / target).exists() or (tmp_path / target).read_bytes() == b"before"


@pytest.mark.parametrize("target", TARGETS[:3])
def test_one_name_is_written_once(tmp_path: Path, target: str) -> None:
    written = FileContents('{"nodes": []}', "x")
    with open_writer(tmp_path / target) as writer:
        writer.add("a", ".json", written)
        writer.add("b/c", ".json", written)
        for name in ("a", "b/c", "a.json/d") if target != "maps.jsonl" else ("a",):
            with pytest.raises(InputError, match="two maps"):
                writer.add(name, ".json", written)
        writer.add("../../up", ".json", written)
    assert sorted(open_corpus(tmp_path / target).names) == ["_.._up", "a", "b/c"]
    assert sorted(os.listdir(tmp_path)) == [target]


def test_a_name_that_no_file_can_have_is_listed_and_the_list_goes_on(tmp_path: Path) -> None:
    """85 Chinese characters are 255 bytes, and the suffix comes behind them."""
    names = [f"{'論' * 85}.json", f"{'論' * 85}/a.json", "fine.json"]
    path = make_zip(tmp_path / "in.zip", {name: json.dumps(a_map(name)) for name in names})
    assert len(open_corpus(path)) == 3
    assert {entry.load().propositions[0].text for entry in open_corpus(path)} == {*names}
    for target, written in {"maps": 2, "maps.zip": 2, "maps.jsonl": 3}.items():
        done = write_corpus(path, tmp_path / target)
        assert (done.written, ["論" * 85 in where for where, _ in done.failed]) == (written, [True] * (3 - written))
        assert len(open_corpus(tmp_path / target)) == written


def test_places_that_will_not_do(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        write_corpus(corpus, tmp_path / "to.rar")
    for place in (tmp_path / "no" / "maps.zip", tmp_path, tmp_path / "file.zip" / "maps"):
        (tmp_path / "file.zip").write_bytes(b"")
        with pytest.raises(InputError):
            write_corpus(corpus, place)
    with pytest.raises(OptionError):
        write_corpus(corpus, tmp_path / "maps", to_format="nosuch")
    with pytest.raises(OptionError):
        write_corpus(corpus, tmp_path / "maps.jsonl", to_format="graphml")
    assert sorted(os.listdir(tmp_path)) == ["file.zip", "from"]


@pytest.mark.parametrize("target", TARGETS[:3])
def test_graphs_are_called_as_their_files_and_a_name_too_long_costs_one_map(target: str, tmp_path: Path) -> None:
    graph, long, cut = aifgraph.load(FIRST), "\u8bba" * 85, "n" * 120
    names = ("../../etc/x.json", "/tmp/z.zip, sub/x.json", "", "aurc/gold/1", "n" * 300, f"../{cut}", long)
    done = write_corpus([graph.with_name(name) for name in names], tmp_path / target, to_format="xaif")
    assert [name for name, _ in done.failed] == ([] if target == "maps.jsonl" else [long])
    found = open_corpus(tmp_path / target).names
    assert {*found} - {long} == {"x", "x-2", "map", "aurc/gold/1", cut, f"{cut}-2"}
    odd = [graph.with_name(name) for name in (long * 2, "a\ud800b", "\udfff", "a\0b")]
    done = write_corpus(odd, tmp_path / f"odd-{target}")
    assert len(open_corpus(tmp_path / f"odd-{target}")) == done.written == len(odd) - len(done.failed)
