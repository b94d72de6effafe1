"""The corpus page as a diagnosis: matrices with examples, what is confused most, spreads, the lowest pairs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from markupsafe import escape

from aifgraph import GraphBuilder, compare, compare_corpora
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.report.html import CorpusPages
from aifgraph.report.html.diagnosis import (
    bins,
    cost_of,
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


def test_labels_that_differ_leave_out_what_follows_from_something_else(tmp_path: Path) -> None:
    with_reason, without, attacked = GraphBuilder(), GraphBuilder(), GraphBuilder()
    for build in (with_reason, without, attacked):
        claim = build.proposition("Masks help everyone")
        if build is not without:
            reason = build.proposition("They filter the air")
            build.relation("CA" if build is attacked else "RA", [reason], claim, "")
    pages = CorpusPages(tmp_path)
    for name, other in (("missing", without), ("relabelled", attacked)):
        pages.pair(name, compare(with_reason.graph(), other.graph()))
    # The relation of the claim that one side lacks follows from that; the other one is a clash of labels.
    (row,) = most_confused(pages.examples)
    assert (row["of"], row["first"], row["second"], row["count"], row["pairs"]) == ("relation", "RA", "CA", 1, 1)
    assert row["example"].pair == "relabelled"


def test_the_page_names_both_corpora_and_its_texts_by_what_they_cost(
    shown: tuple[CorpusComparison, CorpusPages, str],
) -> None:
    result, _, html = shown
    heading = re.search(r"<h1>(.*)</h1>", html)
    assert heading
    assert re.sub("<[^>]*>", "", heading[1]) == "ann and ben"
    costs = {pair.name: cost_of(pair) for pair in result.pairs}
    assert costs == {
        pair.name: sum(row.decisions for row in result.comparison(pair.name).differences()) for pair in result.pairs
    }
    named = re.findall(r'<li><a href="pairs/\d+.html"><bdi>([^<]+)</bdi></a>: (\d+) decision', html)
    assert [(name, int(cost)) for name, cost in named] == sorted(
        ((name, cost) for name, cost in costs.items() if cost), key=lambda pair: -pair[1]
    )
    for name, _ in named:
        assert escape(result.comparison(name).summary) in html


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
    listed = json.loads(order.partition(" = ")[2].rstrip(";"))
    assert [(pair["page"], pair["name"]) for pair in listed] == [
        ("00002.html", "nodeset2"),
        ("00001.html", "nodeset1"),
        ("00003.html", "nodeset3"),
    ]
