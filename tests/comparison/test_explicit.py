"""The argument among what was said (docs/measures.md, section 4): paths over claims that nobody said."""

from __future__ import annotations

from typing import Any

import pytest

from comparison.maps import Implementation, over_both
from documents import CA, MA, PA, RA, aif

TEXT = "alfa bravo. charlie delta. echo foxtrot. golf hotel."
SAID = {"a": ("I", "alfa bravo"), "b": ("I", "charlie delta"), "c": ("I", "echo foxtrot"), "d": ("I", "golf hotel")}
UNSAID = {"u": ("I", "india"), "v": ("I", "juliett kilo")}
TYPES = {"RA": RA, "CA": CA, "MA": MA, "PA": PA}


def analysis(*relations: str) -> dict[str, Any]:
    """What the text says and two claims that it does not say, with relations such as ``a RA u``."""
    nodes = {**SAID, **UNSAID}
    paths = []
    for number, relation in enumerate(relations):
        premise, kind, conclusion = relation.split()
        nodes[f"s{number}"] = TYPES[kind]
        paths.append(f"{premise} s{number} {conclusion}")
    return aif(nodes, *paths)


def found(compare: Implementation, *relations: str, **options: Any) -> dict[str, Any]:
    """What comes of these relations against none but a → b, which says nothing of them."""
    result = compare(analysis(*relations), analysis("a RA b"), TEXT, **options)
    explicit: dict[str, Any] = result["explicit"]
    return explicit


COMPOSED = [
    ("RA", "RA", "RA"),
    ("RA", "CA", "CA"),
    ("CA", "RA", "CA"),
    ("CA", "CA", "RA"),
    ("MA", "MA", "MA"),
    *((one, two, one if two == "MA" else two) for kind in ("RA", "CA") for one, two in (("MA", kind), (kind, "MA"))),
]


@over_both
@pytest.mark.parametrize(("one", "two", "whole"), COMPOSED)
def test_the_type_of_a_path(compare: Implementation, one: str, two: str, whole: str) -> None:
    explicit = found(compare, f"c {one} u", f"u {two} d")
    assert explicit["items"] == 12
    assert explicit["labels"] == [*sorted({"RA", whole}), "none"]
    assert sum(explicit["matrix"][explicit["labels"].index(whole)]) == 1
    assert {side: list(of) for side, of in explicit["coverage"].items()} == {"first": [2, 2], "second": [1, 1]}


@over_both
@pytest.mark.parametrize(
    ("relations", "labelled", "coverage"),
    [
        (("c PA d",), ["PA"], [1, 1]),  # a PA between what was said is a path of its own
        (("c PA u", "u RA d"), [], [0, 2]),  # and goes on nowhere
        (("c RA u", "u PA d"), [], [0, 2]),
        (("c RA u",), [], [0, 1]),  # leads nowhere
        (("c RA u", "u RA c"), [], [2, 2]),  # leads back to where it came from: no path, but both take part
        (("c RA u", "u RA v", "v RA u", "v RA d"), ["RA"], [4, 4]),  # round and round
        (("c RA u", "u CA u", "u RA d"), ["RA"], [2, 2]),  # no node is related to itself
        (("c RA u", "u CA v", "v CA u", "u RA d"), ["RA"], [4, 4]),
        (("c RA u", "u CA v", "v RA u", "u RA d"), ["CA", "RA"], [4, 4]),  # passed a second time, it is an attack
        (("c RA d", "d RA b"), ["RA", "RA"], [2, 2]),  # what was said is not passed through
        (("c RA u", "c RA u", "u RA d"), ["RA"], [2, 2]),  # the same twice
    ],
)
def test_paths_and_coverage(
    compare: Implementation, relations: tuple[str, ...], labelled: list[str], coverage: list[int]
) -> None:
    explicit = found(compare, *relations)
    rows = {label: sum(row) for label, row in zip(explicit["labels"], explicit["matrix"], strict=True)}
    assert sorted(label for label, count in rows.items() for _ in range(count) if label != "none") == labelled
    assert list(explicit["coverage"]["first"]) == coverage


@over_both
def test_where_it_applies(compare: Implementation) -> None:
    none, some = aif({}), analysis("a RA u", "u RA b")
    assert "explicit" not in compare(some, some), "positions are not known"
    assert "explicit" not in compare(analysis("a RA u"), analysis("u RA b"), TEXT), "no path"
    explicit = compare(some, none, TEXT)["explicit"]
    assert (explicit["kappa"], explicit["f1"]) == (0, 0)
    assert compare(analysis("c RA u"), some, TEXT)["explicit"]["kappa"] == 0
