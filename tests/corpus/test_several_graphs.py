"""``dump`` of several graphs, and ``convert`` of a corpus that names no format."""

from __future__ import annotations

from pathlib import Path

import pytest

import aifgraph
from aifgraph import ArgumentGraph, InputError, OptionError, open_corpus

ANN = "fixtures/debates/ann"


def graphs() -> list[ArgumentGraph]:
    return [aifgraph.load("fixtures/debate/first.json"), aifgraph.load("fixtures/debate/second.json")]


@pytest.mark.parametrize("target", ["maps", "maps/", "maps.zip", "maps.jsonl"])
def test_a_list_is_a_corpus(tmp_path: Path, target: str) -> None:
    aifgraph.dump(graphs(), f"{tmp_path}/{target}")
    corpus = open_corpus(tmp_path / target)
    assert corpus.names == ("first", "second")
    assert [entry.load().nodes for entry in corpus] == [graph.nodes for graph in graphs()]


def test_a_corpus_and_a_data_set_keep_their_names(tmp_path: Path) -> None:
    aifgraph.dump(open_corpus(ANN), tmp_path / "ann.zip")
    assert open_corpus(tmp_path / "ann.zip").names == open_corpus(ANN).names
    ruarg = list(aifgraph.read_dataset("ruarg", "fixtures/datasets/ruarg/train.tsv"))
    aifgraph.dump(iter(ruarg), tmp_path / "ruarg.jsonl")
    assert list(open_corpus(tmp_path / "ruarg.jsonl").names) == [graph.name for graph in ruarg]


def test_names_are_names_of_files_and_given_once(tmp_path: Path) -> None:
    [first, second] = graphs()
    named = [first.with_name("../../etc/x.json"), second.with_name("/tmp/z.zip, sub/x.json"), first.with_name("")]
    report = aifgraph.dump((graph for graph in named), tmp_path / "out", format="xaif")
    assert not report
    assert sorted(path.name for path in tmp_path.rglob("*.json")) == ["map.json", "x-2.json", "x.json"]
    assert all(path.parent == tmp_path / "out" for path in tmp_path.rglob("*.json"))


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"a corpus is not written as \.json; choose \.zip"):
        aifgraph.dump(graphs(), tmp_path / "out.json")
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        aifgraph.dump(graphs()[0], tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x"])
def test_a_name_that_climbs_is_no_part_of_a_path(tmp_path: Path, name: str) -> None:
    (tmp_path / "out" / "a").mkdir(parents=True)
    with pytest.raises(OptionError, match="name of the graph is a path"):
        aifgraph.dump(graphs()[0].with_name(name), f"{tmp_path}/out/{name}.json")
    assert not list(tmp_path.rglob("*.json"))


def test_a_graph_goes_back_to_where_it_came_from(tmp_path: Path) -> None:
    place = f"{tmp_path}/../{tmp_path.name}/map.json"
    aifgraph.dump(graphs()[0], place)
    again = aifgraph.load(place)
    aifgraph.dump(again, again.name)


@pytest.mark.parametrize(("target", "suffix"), [("ann.zip", ".json"), ("ann", ".json"), ("ann.jsonl", ".json")])
def test_a_corpus_is_aif_json_where_no_format_is_named(tmp_path: Path, target: str, suffix: str) -> None:
    aifgraph.convert(ANN, tmp_path / target)
    corpus = open_corpus(tmp_path / target)
    assert corpus.names == open_corpus(ANN).names
    assert {entry.suffix for entry in corpus} == {suffix}


def test_an_entry_is_loaded_as_a_path_is() -> None:
    entry = open_corpus(ANN)[0]
    assert aifgraph.load(entry) == entry.load() == aifgraph.load(entry, strict=True)
    assert aifgraph.compare(entry, entry).cass["kappa"] == 1
