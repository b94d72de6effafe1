"""The corpus page as a diagnosis: matrices with examples, what is confused most, spreads, the lowest pairs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from aifgraph import compare_corpora
from aifgraph.comparison.sides import PairNames
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.report.html import CorpusPages
from aifgraph.report.html.diagnosis import (
    Examples,
    PairLead,
    bins,
    lowest,
    most_confused,
    pooled_matrices,
    shaded,
    spreads,
)
from aifgraph.stats.matrix import ConfusionMatrix

DEBATES = Path("fixtures/debates")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[CorpusComparison, CorpusPages, str]:
    pages = CorpusPages(tmp_path_factory.mktemp("pages"))
    result = compare_corpora(DEBATES / "ann", DEBATES / "ben", classes=False, on_comparison=pages.pair)
    return result, pages, pages.index(result).read_text("utf-8")


def test_the_matrices_are_those_of_the_summed_counts(shown: tuple[CorpusComparison, CorpusPages, str]) -> None:
    result, pages, _ = shown
    for matrix in pooled_matrices(result, pages.examples):
        summed = result.micro.calculations[matrix["name"]].matrix
        assert tuple(tuple(cell["count"] for cell in row) for row in matrix["cells"]) == summed.rows


def test_every_cell_of_a_disagreement_has_examples_that_lead_to_its_pair(
    shown: tuple[CorpusComparison, CorpusPages, str],
) -> None:
    result, pages, html = shown
    cells = 0
    for matrix in pooled_matrices(result, pages.examples):
        for cell in (cell for row in matrix["cells"] for cell in row):
            off_diagonal = cell["count"] and not cell["same"]
            assert bool(cell["examples"]) >= bool(off_diagonal)
            for example in cell["examples"]:
                cells += 1
                assert example.page in pages.pages
                page = (pages.directory / example.page).read_text("utf-8")
                assert example.node in page
                assert f'href="{example.page}#node={example.node}"' in html
    assert cells
    for link in set(re.findall(r'href="#(cell-[^"]+)"', html)):
        assert html.count(f'id="{link}"') == 1


def test_what_is_confused_most_adds_up(shown: tuple[CorpusComparison, CorpusPages, str]) -> None:
    result, pages, _ = shown
    everything = sum(
        count
        for summed in result.micro.calculations.values()
        for i, row in enumerate(summed.matrix.rows)
        for j, count in enumerate(row)
        if i != j
    )
    assert sum(row["count"] for row in most_confused(result, pages.examples, 10**6)) == everything
    counts = [row["count"] for row in most_confused(result, pages.examples)]
    assert counts == sorted(counts, reverse=True)


def test_pairs_that_are_level_are_told_apart_by_what_they_cost(
    shown: tuple[CorpusComparison, CorpusPages, str],
) -> None:
    result, _, _ = shown
    one = result.pairs[1]
    level = [replace(one, names=PairNames(f"map {n}", f"map {n}")) for n in range(14)]
    pages = {pair.names: f"{n}.html" for n, pair in enumerate(level)}
    examples = Examples(leads={f"{n}.html": PairLead("", 1, n) for n in range(14)})
    least = lowest(replace(result, pairs=level), pages, examples)
    assert [pair.name for pair in least["pairs"]] == [f"map {n}" for n in range(13, 3, -1)]
    assert least["tied"] == 0
    assert lowest(replace(result, pairs=level), {}, Examples())["tied"] == 4


def test_spreads_are_of_the_pairs_own_scores(shown: tuple[CorpusComparison, CorpusPages, str]) -> None:
    result, _, _ = shown
    for each, (name, summed) in zip(spreads(result), result.micro.calculations.items(), strict=True):
        assert each["pooled"] == summed["kappa"]
        values = [result.comparison(pair.name).calculations[name].scores["kappa"] for pair in result.pairs]
        known = [value for value in values if value is not None]
        assert (each["spread"].least, each["spread"].greatest) == (min(known), max(known))


def test_shading_leaves_out_what_is_nothing_on_both_sides() -> None:
    matrix = ConfusionMatrix(("RA", "none"), ((4, 2), (0, 99)))
    assert [[cell["heat"] for cell in row] for row in shaded(matrix)] == [[9, 5], [0, 0]]
    assert shaded(ConfusionMatrix(("a", "b"), ((1, 0), (0, 4))))[1][1]["heat"] == 9


def test_bins_count_every_value() -> None:
    chart = bins([None, -0.2, 0.0, 0.049, 0.05, 0.999, 1.0])
    assert (chart["counts"][0], chart["counts"][1], chart["counts"][19], chart["undefined"]) == (3, 1, 2, 1)


def test_the_order_of_the_pairs_is_next_to_them(shown: tuple[CorpusComparison, CorpusPages, str]) -> None:
    _, pages, _ = shown
    order = (pages.directory / "assets" / "pairs.js").read_text("utf-8")
    assert order == (
        'globalThis.aifgraphPairs = [{"page":"00001.html","name":"nodeset1"},'
        '{"page":"00002.html","name":"nodeset2"},{"page":"00003.html","name":"nodeset3"}];'
    )
