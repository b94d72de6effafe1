"""The measures beside CASS, on graphs small enough to work out by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from aifgraph import ArgumentGraph, GraphBuilder, compare
from aifgraph.cli import main
from aifgraph.comparison.measures.dialam import ari_cells, ilo_cells, macro_scores
from aifgraph.comparison.measures.registry import MEASURES, measure, measure_all
from aifgraph.errors import OptionError

TEXTS = {"a": "nuclear power is clean", "b": "it emits no carbon", "c": "uranium mines do emit", "d": "wind is cheaper"}


def graph(*relations: str, text: str | None = None) -> ArgumentGraph:
    """Four propositions and relations such as ``RA a b``."""
    build = GraphBuilder()
    for id_, words in TEXTS.items():
        build.proposition(words, id=id_)
    for each in relations:
        kind, start, end = each.split()
        build.relation(kind, [start], end, "Default")
    if text is not None:
        build.source(text)
    return build.graph()


def values(first: ArgumentGraph, second: ArgumentGraph) -> dict[str, float | None]:
    return measure_all(compare(first, second).alignment, MEASURES)


def test_kirschner() -> None:
    first, second = graph("RA b a", "RA c b", "CA d a"), graph("RA b a", "RA c a", "CA d a")
    found = values(first, second)
    assert found["kirschner_apa"] == 2 / 4
    # RA: 12 pairs, both 1, only first 1, only second 1: po 10/12, pe (2·2 + 10·10)/144, kappa (120 − 104)/(144 − 104);
    # CA: 1. Weights 4 and 2.
    assert found["kirschner_weighted"] == pytest.approx((4 * 16 / 40 + 2 * 1) / 6)
    # first in second: b→a 1, c→b no path, d→a 1: 2/3. Second in first: b→a 1, c→a by b 1/2, d→a 1: 5/6
    assert found["kirschner_graph"] == pytest.approx((2 / 3 + 5 / 6) / 2)


def test_afantenos() -> None:
    found = values(graph("RA b a", "RA c b", "CA d a"), graph("RA b a", "CA c b"))
    assert found["afantenos_attachment"] == 2 * 2 / 5
    assert found["afantenos_labelled"] == 2 * 1 / 5


def test_dialam_ari_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = graph("RA b a", "RA c b", "CA d a", "MA d c"), graph("RA b a", "CA c b", "CA d a", "RA a d")
    cells = ari_cells(compare(first, second).alignment)
    assert cells == Counter(
        {("RA", "RA"): 1, ("RA", "CA"): 1, ("CA", "CA"): 1, ("MA", ""): 1, ("", "RA"): 1, ("", ""): 7}
    )
    items = [cell for cell, count in cells.items() for _ in range(count)]
    found = values(first, second)
    for view, kept in (("general", items), ("focused", [item for item in items if item[0]])):
        gold, other = [one for one, _ in kept], [two for _, two in kept]
        expected = metrics.precision_recall_fscore_support(gold, other, average="macro", zero_division=0.0)
        for short, value in zip("prf", expected, strict=False):
            assert found[f"dialam_ari_{view}_{short}"] == pytest.approx(value)


def test_dialam_ilo_by_hand() -> None:
    graphs = []
    for labels in (("Asserting", "Asserting"), ("Asserting", "Agreeing")):
        build = GraphBuilder()
        for number, label in enumerate(labels):
            words = list(TEXTS.values())[number]
            build.illocution(build.locution(f"Ann: {words}"), build.proposition(words), label)
        graphs.append(build.graph())
    alignment = compare(*graphs).alignment
    cells = ilo_cells(alignment)
    assert cells.total() == 4
    # focused: Asserting p 1, r 1/2, F 2/3; Agreeing, which gold has nowhere, 0
    assert macro_scores(cells, focused=True) == pytest.approx((0.5, 0.25, 1 / 3))
    assert measure("dialam_ilo_focused_f")(alignment) == pytest.approx(1 / 3)
    assert macro_scores(Counter()) is None


def test_unitised_alpha_needs_positions_and_is_one_for_the_same() -> None:
    text = ". ".join(TEXTS.values())
    assert values(graph("RA b a"), graph("RA b a"))["unitised_alpha"] is None
    same = values(graph("RA b a", text=text), graph("RA b a", text=text))
    assert same["unitised_alpha"] == 1
    turned = values(graph("RA b a", text=text), graph("RA a b", text=text))["unitised_alpha"]
    assert turned is not None
    assert turned < 1


def test_smatch_looks_at_structure_alone() -> None:
    # 4 + 1 nodes and 2 edges a side. The other relation can be laid over the first, whatever the texts say
    assert values(graph("RA b a"), graph("RA c d"))["smatch"] == 1
    # 7 triples against 4: the four propositions match
    assert values(graph("RA b a"), graph())["smatch"] == pytest.approx(2 * 4 / (7 + 4))
    # the types differ: only the propositions match
    assert values(graph("RA b a"), graph("CA b a"))["smatch"] == pytest.approx(2 * 4 / 14)


def test_the_same_graph_scores_full_and_symmetric_ones_are() -> None:
    text = ". ".join(TEXTS.values())
    first, second = graph("RA b a", "CA c a", text=text), graph("RA b a", "RA c b", "MA d a", text=text)
    for name, value in values(first, first).items():
        assert value in (1, None), name
    there, back = values(first, second), values(second, first)
    for name, each in MEASURES.items():
        if each.symmetric:
            assert there[name] == pytest.approx(back[name]), name
        low, high = each.range
        value = there[name]
        assert value is None or low <= value <= high, name


def test_nothing_is_undefined_and_no_error() -> None:
    empty = GraphBuilder().graph()
    assert set(values(empty, empty).values()) == {None}
    with pytest.raises(OptionError, match="no measure"):
        measure("magic")


def test_the_commands(fixtures: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--format", "markdown"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in MEASURES)
    maps = [f"{fixtures}/debate/first.json", f"{fixtures}/debate/second.json"]
    assert main(["compare", *maps, "--metrics", "kirschner+smatch"]) == 0
    shown = capsys.readouterr().out
    assert "kirschner_graph" in shown
    assert "smatch" in shown
    assert "dialam" not in shown
    assert main(["compare", f"{fixtures}/debates/ann", f"{fixtures}/debates/ben", "--metrics", "all"]) == 0
    assert "dialam_ilo_focused_f" in capsys.readouterr().out
    assert main(["compare", *maps, "--metrics", "magic"]) == 2
