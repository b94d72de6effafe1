"""What is worked out once: how a graph is analysed and where its units stand."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.align import analysis, positions
from aifgraph.graph import ArgumentGraph, Meta, Proposition, SourceText
from aifgraph.text import placing

TEXT = "Masks help everyone. They filter the air. Nobody wears them well. We should wear them."
SENTENCES = [sentence.strip() for sentence in TEXT.split(".") if sentence.strip()]


def graph(*texts: str, source: str | None = TEXT) -> ArgumentGraph:
    nodes = [Proposition(str(number), text) for number, text in enumerate(texts)]
    return ArgumentGraph(nodes, (), Meta(source=None if source is None else SourceText(source)))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often maps are analysed, units are placed, and texts are cut into words."""
    placing._kept_phrases.cache_clear()
    counted: Counter[str] = Counter()

    def count(module: Any, name: str) -> None:
        function: Callable[..., Any] = getattr(module, name)

        def counting(*args: Any, **kwargs: Any) -> Any:
            counted[name] += 1
            return function(*args, **kwargs)

        monkeypatch.setattr(module, name, counting)

    count(analysis, "_parts")
    count(positions, "place_units")
    count(positions, "_on_axis")
    count(placing, "WordIndex")
    return counted


def test_one_gold_map_against_twenty_systems_is_placed_once(calls: Counter[str]) -> None:
    gold = graph(*SENTENCES)
    for number in range(20):
        aifgraph.compare(gold, graph(*SENTENCES[: 1 + number % 4])).kappa  # noqa: B018
    assert calls == {"_parts": 21, "place_units": 21, "_on_axis": 21, "WordIndex": 1}


def test_five_annotators_pairwise_are_placed_once_each(calls: Counter[str]) -> None:
    annotators = [graph(*SENTENCES[number:]) for number in range(4)] + [graph(*SENTENCES)]
    for one, other in combinations(annotators, 2):
        aifgraph.compare(one, other).kappa  # noqa: B018
    assert calls == {"_parts": 5, "place_units": 5, "_on_axis": 5, "WordIndex": 1}


def test_what_is_kept_belongs_to_the_text_it_was_placed_in(calls: Counter[str]) -> None:
    gold, system = graph(*SENTENCES), graph(*SENTENCES)
    whole = aifgraph.compare(gold, system)
    again = aifgraph.compare(gold, system, first_text=SENTENCES[0], second_text=SENTENCES[0])
    assert (whole.alignment.placement.first.placed, again.alignment.placement.first.placed) == (4, 1)
    assert aifgraph.compare(gold, system).to_dict() == whole.to_dict()
    other_name = gold.with_name("other")
    before = calls["place_units"]
    assert aifgraph.compare(other_name, system).first.name == "other"
    assert calls["place_units"] == before


def test_only_a_few_placements_are_kept() -> None:
    gold = graph(*SENTENCES)
    for number in range(20):
        aifgraph.compare(gold, gold, first_text=f"{number} {TEXT}")
    assert len(gold._memo["placed"]) <= positions._KEPT


def test_what_a_graph_keeps_does_not_keep_the_graph() -> None:
    gold = graph(*SENTENCES)
    kept = weakref.ref(aifgraph.compare(gold, gold).alignment)
    gc.disable()
    try:
        nodes = weakref.ref(gold._memo["analysis"][-1])
        assert kept() is None
        del gold
        assert nodes() is None
    finally:
        gc.enable()


def test_one_score_is_asked_for_alone(fixtures: Path) -> None:
    result = aifgraph.compare(fixtures / "debate/first.json", fixtures / "debate/second.json")
    kappa, f1 = result.kappa, result.f1
    assert not any("scores" in scored.__dict__ for scored in result.calculations.values())
    assert (kappa, f1) == (result.cass["kappa"], result.cass["f1"]) == (result.kappa, result.f1)
