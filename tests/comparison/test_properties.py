"""What must hold for any two maps: symmetry, self-comparison, independence of order and ids, honest signatures."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aifgraph
from aifgraph.comparison.calculations.registry import CALCULATIONS
from aifgraph.comparison.options import Options
from aifgraph.stats.scores import SCORES
from comparison.maps import assert_close, cells, compared, pair, swapped, told_apart
from reference.perturb import rename
from strategies import graphs

SEEDS = st.integers(0, 2**32)
SYMMETRIC = [name for name, score in SCORES.items() if score.symmetric]
#: Each option with values other than the default.
CHOICES: dict[str, list[Any]] = {
    "matching": ["optimal"],
    "granularity": ["strict"],
    "gate": [False],
    "min_overlap": [0.0, 0.6, 1.0],
    "min_similarity": [0.0, 0.3, 0.9],
    "layers": ["all"],
    "relations": [("RA",), ("CA", "MA"), ("RA", "CA")],
    "calculations": [tuple(CALCULATIONS), ("propositional_relations",), ("illocutions", "transitions")],
    "segmentation": ["segeval"],
}
ALL = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in CHOICES.items() if name != "segmentation"}
)


def test_the_scores_that_the_page_calls_symmetric() -> None:
    assert set(SYMMETRIC) == {"kappa", "f1", "macro_f1", "accuracy", "mcc", "pi", "alpha", "ac1"}


def assert_perfect(result: aifgraph.Comparison) -> None:
    for each in result.calculations.values():
        if each.applicable:
            matrix = each.matrix.rows
            assert all(n == 0 or i == j for i, row in enumerate(matrix) for j, n in enumerate(row)), each.name
            assert all(each[name] in (1.0, None) for name in SCORES if name != "informedness"), each.name
            assert each["kappa"] == 1
    assert result.segmentation.S == 1
    if result.wordless or not any(each.applicable for each in result.calculations.values()):
        assert result.cass["kappa"] is None
    else:
        assert result.cass["kappa"] == 1
        assert result.cass["f1"] == 1


def numbers(result: aifgraph.Comparison) -> dict[str, Any]:
    """Everything that is a number, without ids and their order."""
    data = result.to_dict()
    found = {key: data[key] for key in ("text_overlap", "segmentation", "n", "mean", "cass", "layers")}
    found["calculations"] = {
        name: {**each, "matrix": cells(each), "labels": sorted(each["labels"])}
        for name, each in data["calculations"].items()
    }
    for side in ("first", "second"):
        found[side] = {key: value for key, value in data[side].items() if key != "source"}
    return found


@given(SEEDS, ALL)
def test_a_map_agrees_with_itself(seed: int, options: dict[str, Any]) -> None:
    drawn = pair(seed)
    text = drawn["first_text"]
    both = {"first": drawn["first"], "second": drawn["first"], "first_text": text, "second_text": text}
    assert_perfect(compared(both, **options))


@given(graphs())
def test_any_graph_agrees_with_itself(graph: aifgraph.ArgumentGraph) -> None:
    assert_perfect(aifgraph.compare(graph, graph))


@given(SEEDS)
def test_a_shuffled_and_renamed_copy_agrees(seed: int) -> None:
    drawn = pair(seed)
    wrapped: dict[str, Any] = {"AIF": drawn["first"], "text": drawn["first_text"] or ""}
    copy = rename(wrapped, seed)
    assert_perfect(aifgraph.compare(aifgraph.loads(json.dumps(wrapped)), aifgraph.loads(json.dumps(copy))))


@given(SEEDS, ALL)
def test_swapping_transposes(seed: int, options: dict[str, Any]) -> None:
    drawn = pair(seed)
    if options.get("matching") == "optimal":  # several assignments may be the best where texts are repeated
        drawn = told_apart(drawn)
    one, other = compared(drawn, **options), compared(swapped(drawn), **options)
    for name, each in one.calculations.items():
        mirrored = other.calculations[name]
        assert each.applicable == mirrored.applicable
        assert each.matrix.labels == mirrored.matrix.labels
        assert each.matrix.rows == tuple(zip(*mirrored.matrix.rows, strict=True))
        for score in SYMMETRIC:
            assert_close(each[score], mirrored[score], f"{name} {score}")
    assert_close(one.segmentation.S, other.segmentation.S, "S")
    assert_close(one.segmentation.B, other.segmentation.B, "B")
    for score in SYMMETRIC:
        assert_close(one.mean[score], other.mean[score], score)
        assert_close(one.cass[score], other.cass[score], score)
    for layer in one.layers:
        assert_close(one.layers[layer].cass["kappa"], other.layers[layer].cass["kappa"], layer)


@given(SEEDS, ALL)
def test_order_and_ids_do_not_matter(seed: int, options: dict[str, Any]) -> None:
    drawn = told_apart(pair(seed))
    documents = [{"AIF": drawn[side], "text": drawn[f"{side}_text"] or ""} for side in ("first", "second")]
    copies = [rename(document, seed + turn) for turn, document in enumerate(documents)]
    plain, copied = (
        aifgraph.compare(*(aifgraph.loads(json.dumps(each)) for each in pair_), **options)
        for pair_ in (documents, copies)
    )
    assert numbers(plain) == numbers(copied)


@given(SEEDS, ALL)
def test_what_changes_a_number_shows_in_the_signature(seed: int, options: dict[str, Any]) -> None:
    """Equal signatures, equal numbers; the other way round, each option has a part of its own (below)."""
    drawn = pair(seed)
    one, other = compared(drawn), compared(drawn, **options)
    if one.signature == other.signature:
        assert numbers(one) == numbers(other)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in CHOICES.items() for value in values])
def test_every_option_has_a_place_in_the_signature(name: str, value: Any) -> None:
    default, chosen = Options().signature.split("|"), Options(**{name: value}).signature.split("|")
    assert sum(a != b for a, b in zip(default, chosen, strict=True)) == 1


def test_no_option_is_left_out_above() -> None:
    assert set(CHOICES) == set(Options.__dataclass_fields__)


def test_each_option_can_change_a_number() -> None:
    """An option that nothing depends on would be noise in the signature (segeval is an engine for the same number)."""
    drawn = [pair(seed) for seed in range(60)]
    plain = [numbers(compared(each)) for each in drawn]
    for name, values in CHOICES.items():
        if name != "segmentation":
            changed = any(
                numbers(compared(each, **{name: value})) != before
                for value in values
                for each, before in zip(drawn, plain, strict=True)
            )
            assert changed, name


def test_order_of_chosen_names_does_not_matter() -> None:
    names = list(CALCULATIONS)
    random.Random(3).shuffle(names)
    assert Options(calculations=tuple(names)).signature == Options(calculations=tuple(CALCULATIONS)).signature
    assert Options(relations=("PA", "RA")) == Options(relations=("RA", "PA"))
