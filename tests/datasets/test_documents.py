"""Microtexts, SciARG, essays, AbstRCT and CDCP: units with places, and what supports what."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, compare, dumps
from documents import read


def relations(graph: ArgumentGraph) -> list[tuple[str, str, list[str], str]]:
    return [
        (node.type, node.text, [premise.id for premise in graph.premises_of(node)], graph.conclusions_of(node)[0].id)
        for node in graph.relations
    ]


def words_of_spans(graph: ArgumentGraph) -> list[str]:
    source = graph.meta.source
    return [source.text[span.start : span.end] for span in source.spans]


def test_microtexts_are_named_after_their_part(data: Path) -> None:
    (layer, part), log = read("microtexts", data / "microtexts")
    assert (layer.name, part.name) == ("multilayer/arg/micro_x001", "part1/en/micro_x001")
    assert part.meta.aif["arggraph"]["stance"] == "pro"
    assert part["a3"].extra["role"] == "opp"
    assert layer.meta.source.origin == "given"
    assert [Path(problem.file).name for problem in log.problems] == ["micro_x002.xml"]
    # One text in two segmentations is one graph.
    assert compare(part, layer).cass["kappa"] == 1.0


def test_sciarg_has_a_corpus_for_each_annotator(data: Path) -> None:
    (ann, bob), _ = read("sciarg", data / "sciarg-abstracts/two.tsv")
    assert (ann.name, bob.name) == ("ann/d1", "bob/d1")
    assert [(node.type, node.text) for node in ann.relations] == [
        ("RA", "info-required"),
        ("RA", "Default Inference"),
        ("CA", "Default Conflict"),
    ]
    assert [node.text for node in ann.conclusions_of(ann.conflicts[0])] == ["They follow sugar."]
    assert words_of_spans(ann) == [node.text for node in ann.propositions]
    assert compare(ann, bob).segmentation.S == 1.0  # the units are the same
    support, _ = read("sciarg", data / "sciarg-abstracts/two.tsv", functions="support")
    assert [len(graph.relations) for graph in support] == [2, 3]


def test_sciarg_trees_that_are_none(data: Path) -> None:
    (graph,), log = read("sciarg", data / "sciarg-abstracts" / "damaged.tsv")
    assert graph.relations == ()
    assert log.problem_counts == {"width": 1, "duplicate": 1, "cycle": 2, "dangling": 1}


def test_a_partial_attack_is_kept_as_such(tmp_path: Path) -> None:
    ann = "T1\tClaim 0 10\tPain fell.\nT2\tPremise 11 35\tSurvival did not change.\n"
    ann += "R1\tPartial-Attack Arg1:T2 Arg2:T1\t\n"
    (tmp_path / "123.txt").write_text("Pain fell. Survival did not change.", "utf-8")
    (tmp_path / "123.ann").write_text(ann, "utf-8")
    (graph,), _ = read("abstrct", tmp_path)
    (conflict,) = graph.conflicts
    assert conflict.extra["relation"] == "Partial-Attack"
    assert "R1\tPartial-Attack Arg1:T2 Arg2:T1" in dumps(graph, format="brat")


def test_cdcp_tells_reasons_from_evidence(data: Path) -> None:
    (graph, _), log = read("cdcp", data / "cdcp")
    assert relations(graph) == [
        ("RA", "Reason", ["p0", "p1"], "p2"),
        ("RA", "Reason", ["p3"], "p2"),
        ("RA", "Evidence", ["p0"], "p4"),
    ]
    types = [node.extra["cdcp"]["type"] for node in graph.propositions]
    assert types == ["testimony", "fact", "policy", "reference", "value"]
    assert graph["p3"].extra["cdcp"]["url"] == "http://example.org/rule"
    assert words_of_spans(graph) == [node.text for node in graph.propositions]
    assert log.problem_counts == {"cycle": 1, "dangling": 1}
    assert {Path(problem.file).name for problem in log.problems} == {"00002.ann.json"}


@pytest.mark.data
def test_the_published_cdcp(shared_data: Path) -> None:
    graphs, _ = read("cdcp", shared_data / "cdcp", strict=True)
    assert len(graphs) == 250
    assert sum(len(graph.propositions) for graph in graphs) == 1617
    texts = [node.text for graph in graphs for node in graph.inferences]
    assert (texts.count("Reason"), texts.count("Evidence")) == (369, 18)
    assert all(words_of_spans(graph) == [node.text for node in graph.propositions] for graph in graphs)
