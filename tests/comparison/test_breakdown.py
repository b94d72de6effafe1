"""What stands behind a score: folded matrices, schemes and speakers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.comparison.breakdown import FoldedCalculation
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import score_all


def _map(*, scheme: tuple[str, str] | None = None, speaker: str = "", kind: str = "RA") -> aifgraph.ArgumentGraph:
    """Two statements with a relation between them; the first has a record where there is a speaker."""
    schemes = [{"schemeID": scheme[0], "scheme": scheme[1]}] if scheme else []
    nodes = [
        {"nodeID": "1", "type": "L", "text": "Ann: masks help everyone"},
        {"nodeID": "2", "type": "L", "text": "Bob: they filter the air"},
        {"nodeID": "3", "type": "YA", "text": "Asserting"},
        {"nodeID": "4", "type": "YA", "text": "Asserting"},
        {"nodeID": "5", "type": "I", "text": "masks help everyone"},
        {"nodeID": "6", "type": "I", "text": "they filter the air"},
        {"nodeID": "7", "type": kind, "text": "x", **({"scheme": scheme[1], "schemeID": scheme[0]} if scheme else {})},
    ]
    edges = [("1", "3"), ("3", "5"), ("2", "4"), ("4", "6"), ("6", "7"), ("7", "5")]
    document = {
        "nodes": nodes,
        "edges": [{"edgeID": str(n), "fromID": a, "toID": b} for n, (a, b) in enumerate(edges)],
        "schemefulfillments": [{"nodeID": "7", **each} for each in schemes],
        "participants": [{"participantID": "9", "firstname": speaker, "surname": ""}] if speaker else [],
        "locutions": [{"nodeID": "1", "personID": "9"}] if speaker else [],
    }
    return aifgraph.loads(json.dumps(document))


def test_the_folds_of_a_matrix_by_hand() -> None:
    behind = FoldedCalculation.of(21, ConfusionMatrix(("CA", "RA", "none"), ((1, 1, 0), (0, 3, 1), (0, 2, 14))))
    assert behind.decisions == 22
    assert behind.attachment.scores["f1"] == pytest.approx(10 / 13)
    assert (behind.attachment.first, behind.attachment.second) == (6, 7)
    assert behind.label_given_attachment.scores["accuracy"] == 0.8
    assert behind.labels["RA"].scores["precision"] == 0.5
    assert behind.labels["RA"].scores["recall"] == 0.75
    assert (behind.labels["RA"].first, behind.labels["RA"].second) == (4, 6)


def test_a_label_that_one_side_never_gives_has_a_reason_and_no_score() -> None:
    behind = FoldedCalculation.of(4, ConfusionMatrix(("CA", "RA", "none"), ((0, 0, 1), (0, 0, 1), (0, 0, 2))))
    assert behind.label_given_attachment.scores["kappa"] is None
    assert behind.label_given_attachment.undefined.keys() == {"kappa", "accuracy"}
    assert behind.labels["CA"].scores["precision"] is None
    assert behind.labels["CA"].to_dict()["undefined"]["precision"]


def test_the_folds_agree_with_the_matrices_of_the_result(fixtures: Path) -> None:
    first, second = (aifgraph.load(fixtures / "debate" / name) for name in ("first.json", "second.json"))
    result = aifgraph.compare(first, second)
    data = result.to_dict()["breakdown"]
    names = {"propositional_relations", "explicit_relations", "illocutions", "illocutionary_anchors"}
    assert data["calculations"].keys() == names
    for name, behind in result.breakdown.calculations.items():
        matrix = (result.explicit if name == "explicit_relations" else result.calculations[name]).matrix
        assert behind.decisions == matrix.total == data["calculations"][name]["decisions"]
        for label, fold in behind.labels.items():
            scores = score_all(matrix.collapse(label), ("precision", "recall", "f1", "kappa"))
            assert {score: data["calculations"][name]["labels"][label][score] for score in scores} == scores
            assert fold.first == matrix.row_sums[matrix.labels.index(label)]


def test_an_item_with_two_labels_is_two_decisions() -> None:
    build = aifgraph.GraphBuilder()
    claim, reason = build.proposition("masks help everyone"), build.proposition("they filter the air")
    build.inference([reason], claim)
    build.rephrase(reason, claim)
    graph = build.graph()
    result = aifgraph.compare(graph, graph)
    behind = result.breakdown.calculations["propositional_relations"]
    assert (behind.items, behind.decisions) == (2, 3)
    (calculations,) = (table for table in result.tables() if table.title == "Calculations")
    row = calculations.records()[0]
    assert (row["items"], row["decisions"]) == (2, 3)
    assert "two decisions" in calculations.note


@pytest.mark.parametrize(
    ("one", "other", "cells"),
    [
        (("15", "ExpertOpinion"), ("15", "Expert Opinion"), [["Expert Opinion", "Expert Opinion", 1]]),
        (("15", "ExpertOpinion"), ("30", "Sign"), [["ExpertOpinion", "Sign", 1]]),
        (("15", "ExpertOpinion"), ("72", "Default Inference"), [["ExpertOpinion", "none", 1]]),
        (None, ("72", "Default Inference"), [["none", "none", 1]]),
    ],
)
def test_schemes_of_relations_that_both_have(
    one: tuple[str, str] | None, other: tuple[str, str] | None, cells: list[list[str | int]]
) -> None:
    result = aifgraph.compare(_map(scheme=one), _map(scheme=other))
    assert result.to_dict()["breakdown"]["schemes"]["RA"]["cells"] == cells


def test_a_relation_that_only_one_side_has_is_no_decision_on_schemes() -> None:
    assert aifgraph.compare(_map(), _map(kind="CA")).breakdown.schemes == {}


def test_speakers_go_by_the_record_and_else_by_the_prefix() -> None:
    speakers = aifgraph.compare(_map(speaker="Anne"), _map()).breakdown.speakers
    assert speakers.cells == (("Anne", "Ann", 1), ("Bob", "Bob", 1))
    assert speakers.scores["accuracy"] == 0.5
    support = speakers.to_dict()["support"]
    assert {name: tuple(of.values()) for name, of in support.items()} == {"Ann": (0, 1), "Anne": (1, 0), "Bob": (1, 1)}


@pytest.mark.parametrize("format_", ["text", "csv", "markdown", "latex"])
def test_every_output_shows_it(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: str
) -> None:
    pair = [fixtures / "debate" / f"{side}.json" for side in ("first", "second")]
    output = tmp_path / "out"
    details = ["--details"] if format_ in ("text", "markdown", "latex") else []
    assert main(["compare", *map(str, pair), "--format", format_, *details, "-o", str(output)]) == 0
    text = output.read_text("utf-8")
    assert "label given attachment" in text
    assert "matched locutions" in text
    assert "decisions" in text
