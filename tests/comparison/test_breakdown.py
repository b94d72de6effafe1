"""What stands beside the scores: folded matrices, schemes and speakers, how alike matched texts are, caveats, names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.comparison.breakdown import MatchedTexts, fold
from aifgraph.comparison.sides import short_names
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import score_all
from comparison.maps import letter_counts
from documents import RA, aif


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
    behind = fold(21, ConfusionMatrix(("CA", "RA", "none"), ((1, 1, 0), (0, 3, 1), (0, 2, 14))))
    assert behind["decisions"] == 22
    assert behind["attachment"]["f1"] == pytest.approx(10 / 13)
    assert behind["attachment"]["support"] == {"first": 6, "second": 7}
    assert behind["label_given_attachment"]["accuracy"] == 0.8
    assert (behind["labels"]["RA"]["precision"], behind["labels"]["RA"]["recall"]) == (0.5, 0.75)
    assert behind["labels"]["RA"]["support"] == {"first": 4, "second": 6}


def test_what_is_undefined_has_a_reason() -> None:
    behind = fold(4, ConfusionMatrix(("CA", "RA", "none"), ((0, 0, 1), (0, 0, 1), (0, 0, 2))))
    assert behind["label_given_attachment"]["undefined"].keys() == {"kappa", "accuracy"}
    assert behind["labels"]["CA"]["undefined"]["precision"]
    one = aif({"1": ("I", "dogs bark"), "2": ("I", "cats do not"), "s": RA}, "1 s 2")
    other = aif({"1": ("I", "dogs bark"), "2": ("I", "cats do not")})
    calculation = _compared(one, other).calculations["propositional_relations"]
    assert calculation.scores["precision"] is None
    assert calculation.undefined["precision"]


def test_the_folds_agree_with_the_matrices_of_the_result(fixtures: Path) -> None:
    first, second = (aifgraph.load(fixtures / "debate" / name) for name in ("first.json", "second.json"))
    result = aifgraph.compare(first, second)
    behind = result.to_dict()["breakdown"]["calculations"]
    names = {"propositional_relations", "explicit_relations", "illocutions", "illocutionary_anchors"}
    assert behind.keys() == names
    for name, folded in behind.items():
        matrix = (result.explicit if name == "explicit_relations" else result.calculations[name]).matrix
        assert folded["decisions"] == matrix.total
        for label, scored in folded["labels"].items():
            scores = score_all(matrix.collapse(label), ("precision", "recall", "f1", "kappa"))
            assert {score: scored[score] for score in scores} == scores
            assert scored["support"]["first"] == matrix.row_sums[matrix.labels.index(label)]


def test_an_item_with_two_labels_is_two_decisions() -> None:
    build = aifgraph.GraphBuilder()
    claim, reason = build.proposition("masks help everyone"), build.proposition("they filter the air")
    build.inference([reason], claim)
    build.rephrase(reason, claim)
    graph = build.graph()
    result = aifgraph.compare(graph, graph)
    behind = result.breakdown["calculations"]["propositional_relations"]
    assert (behind["items"], behind["decisions"]) == (2, 3)
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
    assert aifgraph.compare(_map(), _map(kind="CA")).breakdown["schemes"] == {}


def test_speakers_go_by_the_record_and_else_by_the_prefix() -> None:
    speakers = aifgraph.compare(_map(speaker="Anne"), _map()).breakdown["speakers"]
    assert speakers["cells"] == [["Anne", "Ann", 1], ["Bob", "Bob", 1]]
    assert speakers["accuracy"] == 0.5
    support = {name: tuple(of.values()) for name, of in speakers["support"].items()}
    assert support == {"Ann": (0, 1), "Anne": (1, 0), "Bob": (1, 1)}


# -- matched texts, names

BARKING = "dogs bark loud at night. cats do not"


def _compared(first: dict[str, Any], second: dict[str, Any], **given: Any) -> aifgraph.Comparison:
    return aifgraph.compare(*(aifgraph.loads(json.dumps(each)) for each in (first, second)), **given)


def test_matches_by_place_that_share_little_wording() -> None:
    first = aif({"1": ("I", "dogs bark loud at night"), "2": ("I", "cats do not")})
    second = aif({"1": ("I", "at night"), "2": ("I", "cats do not")})
    result = _compared(first, second, first_text=BARKING)
    # 8 of the 23 characters
    assert (result.result.wording.count, result.result.wording.of) == (1, 2)
    assert result.result.wording.pairs == (MatchedTexts("dogs bark loud at night", "at night", 8 / 23),)
    document = result.to_dict()
    assert document["wording"]["pairs"] == [
        {"first": "dogs bark loud at night", "second": "at night", "similarity": 8 / 23}
    ]
    assert aifgraph.PairResult.from_dict(document).wording == result.result.wording
    assert _compared(first, second, min_similarity=0).result.wording.of == 0, "no place is known"


def test_every_match_by_meaning_is_listed_with_both_texts_and_the_cosine() -> None:
    first = aif({"1": ("I", "abc"), "2": ("I", "fgh")})
    second = aif({"1": ("I", "cab cab"), "2": ("I", "ghf ghf")})
    result = _compared(first, second, meaning=letter_counts, min_similarity=0.9)
    listed = result.to_dict()["matched_by_meaning"]
    assert {(each["first"], each["second"]) for each in listed} == {("abc", "cab cab"), ("fgh", "ghf ghf")}
    assert [each["cosine"] for each in listed] == sorted((each["cosine"] for each in listed), reverse=True)
    assert all(0.75 <= each["cosine"] <= 1 for each in listed)
    assert aifgraph.PairResult.from_dict(result.to_dict()).matched_by_meaning == result.result.matched_by_meaning


def test_schemes_and_speakers_that_nobody_names_are_undefined() -> None:
    map_ = aif({"1": ("I", "dogs bark"), "2": ("I", "cats do not"), "s": RA, "l": ("L", "dogs bark")}, "1 s 2")
    breakdown = _compared(map_, map_).to_dict()["breakdown"]
    for names in (breakdown["schemes"]["RA"], breakdown["speakers"]):
        assert (names["decisions"], names["kappa"], names["accuracy"]) == (1, None, None)
        assert names["undefined"] == "neither side names one"


FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ANN, BEN = FIXTURES / "debates" / "ann", FIXTURES / "debates" / "ben"


@pytest.mark.parametrize(
    ("first", "second"),
    [("gold/a.json", "system/a.json"), ("x/gold/a.json", "a.json"), ("a", "a"), ("", ""), ("a\\b.json", "c\\b.json")],
)
def test_names_differ_and_swapping_swaps_them(first: str, second: str) -> None:
    one, other = short_names(first, second)
    assert one != other
    if first != second:
        assert short_names(second, first) == (other, one)


def test_names_change_no_number() -> None:
    graph = aifgraph.load(FIXTURES / "debate" / "first.json")
    result = aifgraph.compare(graph, graph)
    named = result.named("Ann", "Ben")
    assert named.names == ("Ann", "Ben")
    assert (named.cass, named.signature) == (result.cass, result.signature)


def test_what_matches_and_what_differs_is_counted() -> None:
    first, second = (aifgraph.load(FIXTURES / "debate" / f"{side}.json") for side in ("first", "second"))
    summary = aifgraph.compare(first, second).result.summary
    assert summary.startswith("12 of 13 and 13 propositions")
    assert "16 of 79 decisions" in summary
    assert "0 of 76 decisions" in aifgraph.compare(first, first).result.summary


def test_items_in_plain_values(fixtures: Path) -> None:
    result = aifgraph.compare(*(fixtures / "debate" / f"{side}.json" for side in ("first", "second")))
    for name, items in result.items().items():
        matrix = result.result.counted[name].matrix
        assert len(items) == matrix.total - matrix.rows[-1][-1]
        for item in items:
            assert set(item["cell"]) <= set(matrix.labels)
            assert item["text"]
            assert item["first"] or item["second"]


# -- caveats

FIRST, SECOND = "fixtures/debate/first.json", "fixtures/debate/second.json"
TEXT = "Lions walk in circles all day. Zoos should close."


def caveats(result: aifgraph.Comparison) -> dict[str, str]:
    """The caveats of a pair by their kind, each at most once."""
    found = {caveat.kind: caveat.text for caveat in result.caveats}
    assert len(found) == len(result.caveats)
    return found  # type: ignore[return-value]


def monologue(middle: str) -> ArgumentGraph:
    """A reason for a claim that nobody said, which is a reason for another that was said."""
    build = GraphBuilder()
    claim, unsaid, reason = map(build.proposition, ("Zoos should close", middle, "Lions walk in circles all day"))
    build.inference([reason], unsaid)
    build.inference([unsaid], claim)
    return build.graph()


def monologues(**options: Any) -> aifgraph.Comparison:
    first, second = monologue("Animals suffer in cages there"), monologue("What is caged is not happy")
    return aifgraph.compare(first, second, first_text=TEXT, second_text=TEXT, **options)


def test_the_same_map_on_both_sides() -> None:
    assert "same map" in caveats(aifgraph.compare(FIRST, FIRST))
    assert "same map" not in caveats(aifgraph.compare(FIRST, SECOND))


def test_empty_sides() -> None:
    empty = GraphBuilder().graph()
    assert "one empty" in caveats(aifgraph.compare(FIRST, empty))
    assert "both empty" in caveats(aifgraph.compare(empty, empty))
    assert not {"one empty", "both empty"} & caveats(aifgraph.compare(FIRST, SECOND)).keys()


def test_nothing_that_matches() -> None:
    one, other = GraphBuilder(), GraphBuilder()
    one.proposition("Zoos should close")
    other.proposition("Trams are late again")
    assert "no match" in caveats(aifgraph.compare(one.graph(), other.graph()))


def test_few_decisions() -> None:
    found = caveats(aifgraph.compare("fixtures/zoo/ann.json", "fixtures/zoo/ben.json", relations="CA"))
    assert list(found) == ["few"]
    assert "propositional relations (2)" in found["few"]


def test_reconstructed_propositions() -> None:
    result = monologues()
    assert [side.reconstructed for side in result.sides] == [1, 1]
    assert result.explicit is not None
    assert result.explicit.matrix.count("RA", "RA") == 1
    line = caveats(result)["reconstructed"]
    assert "first adds 1" in line
    assert "second" in line


def test_matches_by_meaning() -> None:
    result = monologues(meaning=lambda texts: [[1.0, 0.1 * ("not" in text)] for text in texts])
    (match,) = result.result.matched_by_meaning
    assert {match.first, match.second} == {"Animals suffer in cages there", "What is caged is not happy"}
    assert match.cosine == pytest.approx(0.995, abs=1e-3)
    assert caveats(result)["meaning"].startswith("1 ")
