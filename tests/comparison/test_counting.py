"""Counting by arithmetic against visiting the universe."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from aifgraph.comparison.calculations.argument import PROPOSITIONAL_RELATIONS
from aifgraph.comparison.calculations.calculation import Calculation, paired
from aifgraph.comparison.calculations.items import Item, label_sets

LABELS = st.dictionaries(st.integers(0, 9), st.frozensets(st.sampled_from(["RA", "CA", "MA", "none"]), min_size=1))


def visited(
    items: int, first: dict[int, frozenset[str]], second: dict[int, frozenset[str]]
) -> Counter[tuple[str, str]]:
    cells: Counter[tuple[str, str]] = Counter()
    for item in range(items):
        ours, theirs = first.get(item, frozenset()), second.get(item, frozenset())
        common = ours & theirs
        for label in common:
            cells[label, label] += 1
        left, right = sorted(ours - common), sorted(theirs - common)
        while left or right:
            cells[left.pop(0) if left else "", right.pop(0) if right else ""] += 1
        if not ours and not theirs:
            cells["", ""] += 1
    return cells


@given(LABELS, LABELS, st.integers(10, 30))
def test_arithmetic_is_visiting(
    first: dict[int, frozenset[str]], second: dict[int, frozenset[str]], items: int
) -> None:
    calculation = Calculation(PROPOSITIONAL_RELATIONS, items, (dict(first), dict(second)))
    matrix = calculation.matrix
    names = [label.strip("“”") for label in matrix.labels[:-1]] + [""]
    found = {
        (one, other): n
        for one, row in zip(names, matrix.rows, strict=True)
        for other, n in zip(names, row, strict=True)
        if n
    }
    assert found == dict(visited(items, first, second))
    assert matrix.labels[-1] == "none"


@given(LABELS, LABELS)
def test_the_items_behind_a_cell_make_up_the_cell(
    first: dict[int, frozenset[str]], second: dict[int, frozenset[str]]
) -> None:
    calculation = Calculation(PROPOSITIONAL_RELATIONS, 10, (dict(first), dict(second)))
    labels, rows = calculation.matrix.labels, calculation.matrix.rows
    for i, one in enumerate(labels):
        for j, other in enumerate(labels):
            if (i, j) != (len(labels) - 1, len(labels) - 1):
                assert len(list(calculation.labelled(one, other))) == rows[i][j], (one, other)


def test_paired_by_hand() -> None:
    assert list(paired(set(), set())) == []
    assert list(paired({"a", "b", "c"}, {"b", "x"})) == [("b", "b"), ("a", "x"), ("c", None)]
    assert list(paired({"a"}, {"b", "c"})) == [("a", "b"), (None, "c")]


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["RA", "CA", "MA"]))))
def test_label_sets_collect(labelled: list[tuple[Item, str]]) -> None:
    expected: dict[Item, set[str]] = {}
    for item, label in labelled:
        expected.setdefault(item, set()).add(label)
    found = label_sets(labelled)
    assert list(found) == list(expected)
    assert {item: set(labels) for item, labels in found.items()} == expected
