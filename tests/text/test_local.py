"""Nearly found: the windowed Smith-Waterman against the whole table, ties included."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aifgraph.text.local import nearly_found
from aifgraph.text.words import WordIndex


def whole_table(text: list[str], unit: list[str]) -> tuple[int, int, int] | None:
    """Every local alignment by its score and first matched word: for each cell the set of (score, start) that can be
    reached, kept as the best score with its latest start."""
    if len(unit) < 4:
        return None
    rows, columns = len(unit) + 1, len(text) + 1
    score = [[0] * columns for _ in range(rows)]
    start = [[-1] * columns for _ in range(rows)]
    ends: list[tuple[int, int, int]] = []
    for i in range(1, rows):
        for j in range(1, columns):
            same = unit[i - 1] == text[j - 1]
            begun = start[i - 1][j - 1] if score[i - 1][j - 1] else j - 1
            reached = [
                (score[i - 1][j - 1] + 1, begun) if same else (score[i - 1][j - 1] - 1, start[i - 1][j - 1]),
                (score[i - 1][j] - 1, start[i - 1][j]),
                (score[i][j - 1] - 1, start[i][j - 1]),
            ]
            best = max(reached)
            if best[0] > 0:
                score[i][j], start[i][j] = best
                if same and best == reached[0]:
                    ends.append((best[0], j, best[1]))
    if not ends:
        return None
    top = max(end[0] for end in ends)
    if top < 3 or 2 * top < len(unit):
        return None
    first_end = min(end for value, end, _ in ends if value == top)
    return max(begun for value, end, begun in ends if (value, end) == (top, first_end)), first_end, top


FEW = st.lists(st.sampled_from("abcde"), max_size=40)


@given(FEW, st.lists(st.sampled_from("abcdef"), max_size=12))
def test_as_the_whole_table(text: list[str], unit: list[str]) -> None:
    assert nearly_found(WordIndex(text), unit) == whole_table(text, unit)


@given(st.lists(st.integers(0, 30).map(str), min_size=4, max_size=60), st.data())
def test_edited_runs_of_longer_texts(text: list[str], data: st.DataObject) -> None:
    low = data.draw(st.integers(0, len(text) - 4))
    unit = text[low : low + data.draw(st.integers(4, 14))]
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(unit) - 1))
        unit[at : at + 1] = data.draw(st.sampled_from([[], ["x"], [unit[at], "y"]]))
        if not unit:
            break
    assert nearly_found(WordIndex(text), unit) == whole_table(text, unit)


def test_thresholds() -> None:
    text = WordIndex(["p", "q", "a", "b", "c", "r", "s"])
    assert nearly_found(text, ["a", "b", "c"]) is None  # three words are too short
    assert nearly_found(text, ["a", "b", "c", "z"]) == (2, 5, 3)  # 3 of 4
    assert nearly_found(text, ["a", "b", "c", "z", "z", "z"]) == (2, 5, 3)  # 3 is half of 6
    assert nearly_found(text, ["a", "b", "c", "z", "z", "z", "z"]) is None  # less than half
    assert nearly_found(text, ["a", "b", "z", "z"]) is None  # less than 3
    assert nearly_found(WordIndex([]), ["a", "b", "c", "d"]) is None
