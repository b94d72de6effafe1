"""One-to-one matching: greedy as the paper traverses, optimal against every assignment; what joins a class."""

import gc
import weakref
from itertools import permutations
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import aifgraph
from aifgraph import compare
from aifgraph.align import matching
from aifgraph.align.alignment import _contained, align
from aifgraph.errors import LimitError
from aifgraph.graph import SourceText
from aifgraph.options import Options
from aifgraph.text.similarity import normalised, similarity
from aifgraph.text.words import words_of
from documents import argument

TEXTS = st.lists(st.text(alphabet="abc", min_size=1, max_size=5), max_size=3)


def graph(texts: list[str]) -> aifgraph.ArgumentGraph:
    build = aifgraph.GraphBuilder()
    for text in texts:
        build.proposition(text)
    return build.graph()


def similarities(first: list[str], second: list[str], matching: str) -> list[float]:
    options: Any = {"matching": matching, "granularity": "strict"}
    layer = align((graph(first), graph(second)), Options(**options)).propositions
    return sorted(each.similarity for each in layer.classes if each.similarity is not None)


def allowed(first: list[str], second: list[str]) -> dict[tuple[int, int], float]:
    values = {
        (i, j): similarity(normalised(a), normalised(b)) for i, a in enumerate(first) for j, b in enumerate(second)
    }
    return {pair: value for pair, value in values.items() if value >= 0.5}


@given(TEXTS, TEXTS)
def test_optimal_is_the_best_of_all_assignments(first: list[str], second: list[str]) -> None:
    values = allowed(first, second)
    padded = [*range(len(second)), *[-1] * len(first)]
    best = max(
        sum(values.get((i, j), 0.0) for i, j in enumerate(order)) for order in set(permutations(padded, len(first)))
    )
    assert sum(similarities(first, second, "optimal")) == pytest.approx(best)


def test_of_two_pairs_with_the_same_smaller_text_the_larger_text_decides() -> None:
    found = align((graph(["tea is hot"]), graph(["tea is rot", "tea is not"])), Options()).propositions
    assert next(each.second for each in found.classes if each.first) == (1,)


# The last one is one word whose normal form has spaces in it.
WORD = st.sampled_from(["a", "A", "ab", "b", "é", "صلى", "الله", "\ufdfa"])
REPEATED = st.lists(
    st.sampled_from(["filter", "they filter", "Ann: they filter", "masks help", "Masks help"]), max_size=4
)
RUNS = st.lists(st.lists(WORD, max_size=5).map(", ".join), max_size=6)


@given(RUNS, RUNS)
@example(["صلى, الله"], ["الله, \ufdfa, صلى"])
def test_contained_by_definition(texts: list[str], hosts: list[str]) -> None:
    expected = [
        (node, host)
        for node, run in enumerate(map(words_of, texts))
        for host, words in enumerate(map(words_of, hosts))
        if run and any(words[start : start + len(run)] == run for start in range(len(words)))
    ]
    said, other_said = dict(enumerate(texts)), dict(enumerate(hosts))
    found = _contained(said, list(said), other_said, list(other_said))
    assert sorted(found) == expected


def test_of_equal_totals_optimal_takes_that_of_equal_relations() -> None:
    texts = {"one": "Tea is hot", "two": "Tea is hot"}
    first = argument("rain RA one", "wind CA two", **texts, rain="It rains", wind="It blows")
    second = argument("snow CA one", "frost RA two", **texts, snow="Much snow", frost="Very cold")
    found = align((first, second), Options(matching="optimal", granularity="strict")).propositions
    assert {each.first: each.second for each in found.classes if each.match} == {(0,): (1,), (1,): (0,)}


@given(REPEATED, REPEATED)
@example(["masks help", "filter", "masks help"], ["masks", "masks help", "masks"])
@example(["filter", "they filter air", "Ann: they filter"], ["they filter", "they filter", "masks help"])
def test_of_equal_totals_optimal_takes_the_same_whichever_map_is_first(ours: list[str], theirs: list[str]) -> None:
    def classes(*texts: list[str]) -> list[list[list[str]]]:
        found = align((graph(texts[0]), graph(texts[1])), Options(matching="optimal")).propositions.classes
        return [[sorted(texts[side][n] for n in nodes) for side, nodes in enumerate(each.sides)] for each in found]

    assert sorted(classes(ours, theirs)) == sorted(each[::-1] for each in classes(theirs, ours))


def test_optimal_matching_refuses_what_would_take_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all texts are alike each is compared with each."""
    one, other = (graph([f"yes {side}{number % 9}" for number in range(10)]) for side in "ab")
    monkeypatch.setattr(matching, "MAX_OPTIMAL", 100)
    aifgraph.compare(one, other, matching="optimal")
    monkeypatch.setattr(matching, "MAX_OPTIMAL", 99)
    with pytest.raises(LimitError, match="matching=greedy"):
        aifgraph.compare(one, other, matching="optimal")


def test_without_an_overlap_to_share_unequal_texts_match_as_equal_ones_do() -> None:
    text = "masks help everyone here. masks help everyone there"
    one, other = graph(["masks help everyone here"]), graph(["masks help everyone there"])
    for least, matched in ((0.5, 0), (0.0, 1)):
        result = compare(one, other, first_text=text, second_text=text, min_overlap=least)
        assert result.alignment.propositions.matched == matched


@pytest.mark.parametrize(("others", "fits"), [(3, True), (4, False)])
def test_a_quarter_of_the_units_is_enough(others: int, fits: bool) -> None:
    map_ = graph(["Tea is good", *(f"qqq{n} zzz{n}" for n in range(others))])
    text = SourceText.from_html("Tea is good. Rain is wet.", "given")
    found = align((map_, graph(["Tea is good"])), Options(), (text, None))
    assert found.placement.fits is fits
    assert found.reconstructed == ((frozenset(range(1, others + 1)), frozenset()) if fits else (None, None))


def test_what_is_kept_belongs_to_the_text_it_was_placed_in() -> None:
    sentences = ["Masks help everyone", "They filter the air", "Nobody wears them well", "We should wear them"]
    gold, system = (graph(sentences).with_meta(source=SourceText(". ".join(sentences))) for _ in "ab")
    whole = aifgraph.compare(gold, system)
    again = aifgraph.compare(gold, system, first_text=sentences[0], second_text=sentences[0])
    assert (whole.first.placed, again.first.placed) == (4, 1)
    assert aifgraph.compare(gold, system).to_dict() == whole.to_dict()
    assert aifgraph.compare(gold.with_name("other"), system).first.name == "other"


def test_what_is_cached_does_not_keep_the_comparison() -> None:
    gold = graph(["Masks help everyone", "They filter the air"])
    gc.disable()
    try:
        alignment = weakref.ref(aifgraph.compare(gold, gold).alignment)
        assert alignment() is None
    finally:
        gc.enable()


def test_nested_spans_where_the_texts_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    def nested(words: list[str]) -> aifgraph.ArgumentGraph:
        build = aifgraph.GraphBuilder()
        for number in range(50):
            build.proposition(f"claim {number}", id=f"n{number}")
        opened = "".join(f'<span id="n{number}">{words[number]} ' for number in range(50))
        build.source(aifgraph.SourceText.from_html(opened + " ".join(words[50:]) + "</span>" * 50))
        return build.graph()

    words = [f"w{number}" for number in range(400)]
    monkeypatch.setattr("aifgraph.align.matching.MAX_RUNS", 1000)
    assert aifgraph.compare(nested(words), nested([*words[:-1], "other"]))
    alternating = [word if number % 2 else f"v{number}" for number, word in enumerate(words)]
    with pytest.raises(aifgraph.LimitError):
        aifgraph.compare(nested(words), nested(alternating))
