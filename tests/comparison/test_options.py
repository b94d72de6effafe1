"""Options are declared once: the signature, the command line and the docs follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import aifgraph
from aifgraph import GraphBuilder
from aifgraph.comparison.calculations import CALCULATIONS, Calculation, Labelled
from aifgraph.comparison.items import Link
from aifgraph.comparison.links import Claims
from aifgraph.comparison.options import OPTIONS, Options, read_option, short_signature, signature_of, signature_words
from aifgraph.errors import OptionError


def values(name: str) -> st.SearchStrategy[Any]:
    """All values that an option may have."""
    match OPTIONS[name].metadata:
        case {"choices": choices}:
            return st.sampled_from(list(choices.values()))
        case {"names": names}:
            return st.lists(st.sampled_from([*names, *names.values()]), min_size=1)
        case {"bounds": (low, high)}:
            numbers: st.SearchStrategy[Any] = st.integers(low, high) if isinstance(low, int) else st.floats(low, high)
            return st.none() | numbers if name == "chance" else numbers
    return st.none()  # the word of a model in a signature does not hold it


ALL = st.builds(Options, **{name: values(name) for name in OPTIONS})


@given(ALL, ALL)
@example(Options(min_overlap=1 / 3, min_similarity=0.1 + 0.2), Options(min_overlap=0.333333333333, min_similarity=0.3))
@example(Options(min_overlap=5e-324, min_similarity=0), Options(min_overlap=0, min_similarity=0))
def test_the_signature_gives_the_options_back(options: Options, others: Options) -> None:
    words = signature_words(signature_of(options, axis="anchors", pair_by="table@1"))
    given = {name: read_option(name, words[name]) for name in OPTIONS if name in words}
    assert Options(**given).signature == options.signature
    same = replace(options, seed=0) if options.chance is None else options  # a seed is written with its rounds
    assert Options(**given) == same
    assert (short_signature(signature_of(options)) == short_signature(signature_of(others))) == (
        options.signature == others.signature
    )


@pytest.mark.parametrize("relations", ["RA+CA", "ca, ra", ["CA", "RA"], {"RA": 1, "CA": 1}, "RA,CA"])
def test_names_are_given_in_any_order_and_form(relations: Any) -> None:
    assert Options(relations=relations).relations == ("RA", "CA")


WRONG: dict[str, list[Any]] = {
    "min_overlap": [True, "0.5", None, float("nan"), -0.1, 1.1],
    "min_meaning": [2, -1],
    "chance": [0, -3, 2.5, True, "100", 10**9],
    "seed": [-1, 2**32, 1.0],
    "matching": ["magic"],
    "gate": ["maybe"],
    "relations": [[], "XX", [1]],
    "calculations": [["PR", ""]],
    "layers": [None],
    "meaning": [5, 0.6, True, ["a"], b"folder", "", "model", Path()],
}


def test_a_value_that_is_not_allowed_is_an_option_error() -> None:
    for name, value in ((name, value) for name, values in WRONG.items() for value in values):
        with pytest.raises(OptionError):
            Options(**{name: value})
    for name, option in OPTIONS.items():
        bounds = option.metadata.get("bounds", ())
        assert [getattr(Options(**{name: bound}), name) for bound in bounds] == list(bounds)


def test_an_unknown_keyword_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        aifgraph.compare("a.json", "b.json", matchin="greedy")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        aifgraph.compare("a.json", "b.json", options=Options(), matchin="greedy")  # type: ignore[call-arg]


# -- a calculation that somebody adds


def _polarities(side: Claims) -> Iterator[Labelled]:
    polarity = {"RA": "pro", "CA": "con"}
    for claim in side.relations:
        _, link, type_ = claim
        if isinstance(link, Link) and type_ in polarity:
            yield link, polarity[type_], claim


def test_a_calculation_that_somebody_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    ordered_pairs = lambda sizes: sizes.propositions * (sizes.propositions - 1)  # noqa: E731
    added = Calculation("polarity", "PO", _polarities, ordered_pairs)
    monkeypatch.setitem(CALCULATIONS, added.name, added)
    monkeypatch.setitem(OPTIONS["calculations"].metadata["names"], added.code, added.name)
    graphs = []
    for kind in ("RA", "CA"):
        build = GraphBuilder()
        claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
        build.relation(kind, [reason], claim)
        graphs.append(build.graph())
    result = aifgraph.compare(*graphs, calculations="PR+PO")
    assert result.calculations["polarity"].matrix.cells["pro", "con"] == 1
    assert result.layers["propositional"].n == 2
    assert "|calculations=PR+PO|" in result.signature
    (item,) = result.items()["polarity"]
    assert item["cell"] == ["pro", "con"]
    assert [row.costs for row in result.differences()] == [{"propositional_relations": 1, "polarity": 1}]
    assert any("polarity" in str(table.rows) for table in result.result.tables())
    assert aifgraph.PairResult.from_dict(result.to_dict()) == result.result
