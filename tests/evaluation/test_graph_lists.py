"""Comparisons as people ask for them: of paths, documents and lists, by codes, each pair again when it is wanted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aifgraph
from aifgraph import OptionError, compare, compare_corpora
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import Options

FIRST, SECOND = "fixtures/debate/first.json", "fixtures/debate/second.json"


def test_paths_and_documents() -> None:
    result = compare(aifgraph.load(FIRST), aifgraph.load(SECOND))
    assert compare(FIRST, Path(SECOND)).to_dict() == result.to_dict()
    assert compare(FIRST, aifgraph.to_dict(aifgraph.load(SECOND))).cass == result.cass
    assert (result.kappa, result.f1) == (result.cass["kappa"], result.cass["f1"])
    with pytest.raises(OptionError, match="cannot load from int"):
        compare(FIRST, 3)
    with pytest.raises(FileNotFoundError):
        compare(FIRST, "nothing.json")


def test_codes() -> None:
    result = compare(FIRST, SECOND, calculations="PR", relations="RA+CA")
    assert result.options == Options(calculations=["propositional_relations"], relations=["RA", "CA"])
    assert result.calculations["PR"] is result.calculations["propositional_relations"]
    assert list(result.calculations) == ["propositional_relations"]
    assert Options(calculations=["PR", "transitions"]).calculations == ("propositional_relations", "transitions")
    assert Options(relations="CA").relations == ("CA",)
    with pytest.raises(KeyError, match="did you mean 'propositional_relations'"):
        result.calculations["propositional_relation"]


@pytest.mark.parametrize(
    ("keywords", "meant"),
    [
        ({"matchin": "greedy"}, "did you mean 'matching'"),
        ({"matching": "optimall"}, "did you mean 'optimal'"),
        ({"calculations": "transitoins"}, "did you mean 'transitions'"),
        ({"relations": "RA+XX"}, "there is no 'XX'; choose from RA, CA"),
        ({"min_overlap": 3}, "from 0 to 1"),
    ],
)
def test_a_wrong_option_names_the_one_that_was_meant(keywords: dict[str, object], meant: str) -> None:
    with pytest.raises(OptionError, match=meant):
        compare(FIRST, SECOND, **keywords)


def test_comparisons_of_a_corpus_are_made_when_asked_for(tmp_path: Path) -> None:
    result = compare_corpora("fixtures/debates/ann", "fixtures/debates/ben")
    comparisons = list(result.comparisons)
    assert len(comparisons) == len(result.pairs)
    for pair, comparison in zip(result.pairs, comparisons, strict=True):
        assert isinstance(comparison, Comparison)
        assert comparison.cass == pair.cass
        assert result.comparison(pair.name).cass == comparison.cass
    assert result.kappa == result.macro.cass["kappa"]
    with pytest.raises(KeyError, match="there is no pair"):
        result.comparison("nothing")
    again = compare_corpora("fixtures/debates/ann", "fixtures/debates/ben", results=tmp_path / "results.jsonl")
    assert [comparison.cass for comparison in again.comparisons] == [comparison.cass for comparison in comparisons]


@pytest.mark.parametrize("jobs", [1, 2])
def test_lists_of_graphs_and_of_pairs(jobs: int) -> None:
    ann, ben = (aifgraph.open_corpus(f"fixtures/debates/{name}") for name in ("ann", "ben"))
    wanted = compare_corpora(ann, ben)
    names = [pair.name for pair in wanted.pairs]
    ours, theirs = ([corpus[name].load() for name in names] for corpus in (ann, ben))
    lists = compare_corpora(ours, theirs, jobs=jobs)
    pairs = compare_corpora(list(zip(ours, theirs, strict=True)), jobs=jobs)
    assert lists.macro.to_dict() == pairs.macro.to_dict() == wanted.macro.to_dict()
    assert lists.micro.to_dict() == wanted.micro.to_dict()
    assert [pair.name for pair in lists.pairs] == names
    assert [pair.name for pair in pairs.pairs] == [str(number) for number in range(1, len(names) + 1)]
    assert pairs.comparison("1").cass == wanted.comparison(names[0]).cass
    assert json.dumps(lists.to_dict())


def test_lists_of_loaded_folders_are_paired_as_the_folders_are() -> None:
    ann, ben = (aifgraph.open_corpus(f"fixtures/debates/{name}") for name in ("ann", "ben"))
    wanted = compare_corpora(ann, ben)
    ours, theirs = ([entry.load() for entry in corpus] for corpus in (ann, ben))
    for others in (theirs, theirs[::-1]):
        lists = compare_corpora(ours, others)
        assert lists.macro.to_dict() == wanted.macro.to_dict()
        assert lists.unpaired == wanted.unpaired == (("nodeset4",), ("nodeset5",))
    assert len(compare_corpora(ours, theirs[1:])) == 2
    # Names that come twice, or are on one side alone, say nothing.
    assert len(compare_corpora([ours[0]] * 2, [theirs[0]] * 2)) == 2
    assert len(compare_corpora(ours[:2], [graph.with_name("x") for graph in theirs[:2]])) == 2


def test_lists_that_are_none() -> None:
    graph = aifgraph.load(FIRST)
    for first, second, message in (
        ([graph], [graph, graph], "the lists have 1 and 2 graphs"),
        ([graph], None, "no second corpus"),
        ("fixtures/debates/ann", None, "no second corpus"),
        ([], [], "empty list"),
        ([graph], ["x"], "a list with a str"),
        ([(graph, "x")], None, "a list with a str"),
        (3, [graph], "cannot open int"),
    ):
        with pytest.raises(OptionError, match=message):
            compare_corpora(first, second)
