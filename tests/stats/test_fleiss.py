from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import OptionError
from aifgraph.stats.agreement import fleiss_kappa, fleiss_of_sums, fleiss_sums, pi
from aifgraph.stats.matrix import ConfusionMatrix


def test_by_hand() -> None:
    # Three items, three coders: shares of agreeing pairs 1/3, 1, 1; pro 5 of 9, con 4 of 9.
    found = fleiss_kappa({("pro", "pro", "con"): 1, ("con", "con", "con"): 1, ("pro", "pro", "pro"): 1})
    agreed, chance = (1 / 3 + 1 + 1) / 3, (5 / 9) ** 2 + (4 / 9) ** 2
    assert found.value == pytest.approx((agreed - chance) / (1 - chance))


def test_a_table_of_ten_items_and_fourteen_coders() -> None:
    # The table many textbooks print; worked out it gives P = 0.378, Pe = 0.213.
    table = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    items = Counter(tuple(label for label, count in enumerate(row) for _ in range(count)) for row in table)
    assert fleiss_kappa(items).value == pytest.approx(0.210, abs=0.0005)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20))
def test_of_two_coders_it_is_scotts_pi(rows: list[tuple[str, str]]) -> None:
    assert fleiss_kappa(Counter(rows)).value == pytest.approx(pi(ConfusionMatrix.of_pairs(rows)), abs=1e-12)


@given(st.lists(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), max_size=9), min_size=1, max_size=3))
def test_added_up_over_texts_it_is_that_of_all_items(texts: list[list[tuple[str, str, str]]]) -> None:
    expected = fleiss_kappa(Counter(row for text in texts for row in text)).value
    sums = np.sum([fleiss_sums(Counter(text), "abc") for text in texts], axis=0)
    found = fleiss_of_sums(np.array([sums]))[0]
    assert found == pytest.approx(expected, abs=1e-9) if expected is not None else np.isnan(found)


def test_degenerate_cases() -> None:
    assert fleiss_kappa({("a", "a"): 2}).value == 1.0
    assert fleiss_kappa({}).reason == "there are no items"
    with pytest.raises(OptionError, match="1 labels, where 2"):
        fleiss_kappa({("a", "b"): 1, ("a",): 1})
    with pytest.raises(OptionError, match="2 are needed"):
        fleiss_kappa({("a",): 1})
