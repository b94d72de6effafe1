"""Microtexts, SciARG, essays and AbstRCT: documents, annotators, and CASS across schemes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, compare, dumps, loads
from aifgraph.datasets import open_dataset
from aifgraph.errors import InputError, OptionError

#: Two annotators of one abstract.
TWO = "datasets/sciarg-abstracts/two.tsv"


def test_microtexts_are_named_after_their_part(fixtures: Path) -> None:
    reading = open_dataset("microtexts", fixtures / "datasets" / "microtexts")
    layer, part = reading
    assert (layer.name, part.name) == ("multilayer/arg/micro_x001", "part1/en/micro_x001")
    assert part.meta.aif["arggraph"]["stance"] == "pro"
    assert part["a3"].record["role"] == "opp"
    assert layer.meta.source.origin == "given"
    assert [str(problem).split(":")[0] for problem in reading.problems] == ["multilayer/corpus/arg/micro_x002.xml"]


def test_a_file_of_another_kind_is_no_empty_corpus(fixtures: Path) -> None:
    with pytest.raises(InputError, match="nothing in it could be converted"):
        list(open_dataset("microtexts", fixtures / "datasets" / "ruarg" / "train.tsv"))


def test_one_text_in_two_segmentations_is_one_graph(fixtures: Path) -> None:
    layer, part = open_dataset("microtexts", fixtures / "datasets" / "microtexts")
    assert compare(part, layer).cass["kappa"] == 1.0


def test_sciarg_gives_one_corpus_per_annotator(fixtures: Path) -> None:
    ann, bob = open_dataset("sciarg-abstracts", fixtures / TWO)
    assert (ann.name, bob.name) == ("ann/d1", "bob/d1")
    assert [(node.type, node.text) for node in ann.relations] == [
        ("RA", "info-required"),
        ("RA", "Default Inference"),
        ("CA", "Default Conflict"),
    ]
    assert [node.text for node in ann.conclusions_of(ann.conflicts[0])] == ["They follow sugar."]
    # Units are the same, two of three parents too.
    assert compare(ann, bob).segmentation.S == 1.0
    assert [graph.name for graph in open_dataset("sciarg-abstracts", fixtures / TWO, annotator="bob")] == ["bob/d1"]


def test_an_annotator_is_no_path(fixtures: Path, tmp_path: Path) -> None:
    table = (fixtures / TWO).read_text("utf-8")
    (tmp_path / "in.tsv").write_text(table.replace("\tann\t", "\t../../ann\t"), "utf-8")
    names = [graph.name for graph in open_dataset("sciarg-abstracts", tmp_path / "in.tsv")]
    assert names == ["_.._ann/d1", "bob/d1"]


def test_sciarg_can_leave_discourse_functions_out(fixtures: Path) -> None:
    reading = open_dataset("sciarg-abstracts", fixtures / TWO, functions="support")
    assert [len(graph.relations) for graph in reading] == [2, 3]
    assert reading.counts["info-required left out"] == 1
    with pytest.raises(OptionError, match="give all or support"):
        open_dataset("sciarg-abstracts", ".", functions="some")


def test_sciarg_trees_that_are_none(fixtures: Path) -> None:
    reading = open_dataset("sciarg-abstracts", fixtures / "datasets" / "sciarg-abstracts" / "damaged.tsv")
    (graph,) = reading
    assert graph.relations == ()
    assert reading.problems.counts == {"width": 1, "duplicate": 1, "cycle": 2, "dangling": 1}


def test_essays_are_read_by_the_codec_of_brat(fixtures: Path, tmp_path: Path) -> None:
    reading = open_dataset("essays", fixtures / "brat")
    (essay,) = reading
    assert essay.name == "essay"
    assert essay.meta.source.spans
    merged = next(iter(open_dataset("essays", fixtures / "brat", major="merge")))
    assert len(merged.propositions) < len(essay.propositions)
    (tmp_path / "essay.ann").write_bytes((fixtures / "brat" / "essay.ann").read_bytes())
    with pytest.raises(InputError, match=r"there is no essay.txt next to it"):
        list(open_dataset("essays", tmp_path))


def test_a_partial_attack_is_kept_as_such(tmp_path: Path) -> None:
    text = "Pain fell. Survival did not change."
    ann = "T1\tClaim 0 10\tPain fell.\nT2\tPremise 11 35\tSurvival did not change.\n"
    ann += "R1\tPartial-Attack Arg1:T2 Arg2:T1\t\n"
    (tmp_path / "123.txt").write_text(text, "utf-8")
    (tmp_path / "123.ann").write_text(ann, "utf-8")
    (graph,) = open_dataset("abstrct", tmp_path)
    (conflict,) = graph.conflicts
    assert conflict.record["relation"] == "Partial-Attack"
    assert "R1\tPartial-Attack Arg1:T2 Arg2:T1" in dumps(graph, format="brat")


@pytest.mark.slow
@pytest.mark.data
def test_the_published_microtexts_in_two_schemes(shared_data: Path) -> None:
    """The figures of docs/convert-data-sets.md: part 1 and the multilayer edition are the same graphs."""
    root = shared_data / "microtexts"
    part = {graph.name: graph for graph in open_dataset("microtexts", root / "part1/corpus/en", strict=True)}
    layer = {graph.name: graph for graph in open_dataset("microtexts", root / "multilayer/corpus/arg", strict=True)}
    assert part.keys() == layer.keys()
    assert len(part) == 112
    edus = [sum(len(g.meta.aif["arggraph"]["edus"]) for g in side.values()) for side in (part, layer)]
    assert edus == [576, 680]
    scores = [compare(loads_again(part[name]), layer[name]).cass["kappa"] for name in sorted(part)[:12]]
    assert scores == [1.0] * 12


def loads_again(graph: ArgumentGraph) -> ArgumentGraph:
    return loads(dumps(graph, format="aif"))


@pytest.mark.slow
@pytest.mark.data
def test_the_published_sciarg(shared_data: Path) -> None:
    reading = open_dataset("sciarg-abstracts", shared_data / "sciarg/bio")
    names = [graph.name for graph in reading]
    assert len(names) == len(set(names)) == 355
    assert reading.problems.counts == {"duplicate": 2}


def test_a_relation_with_a_missing_unit_says_that_the_document_is_skipped(fixtures: Path, tmp_path: Path) -> None:
    shutil.copytree(fixtures / "brat", tmp_path / "essays")
    (tmp_path / "essays/b.txt").write_text("Masks help.", "utf-8")
    (tmp_path / "essays/b.ann").write_text("T1\tClaim 0 5\tMasks\nR1\tsupports Arg1:T1 Arg2:T9\n", "utf-8")
    reading = open_dataset("essays", tmp_path / "essays")
    assert "b" not in [graph.name for graph in reading]
    assert [str(problem) for problem in reading.problems] == [
        "b.ann: R1 names T9, which is not there; the document is skipped"
    ]
