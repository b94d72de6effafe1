"""The library and the reference, called in one way: two documents in, plain values out. A case runs over both."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

import aifgraph
from reference.cass import reference_compare
from reference.read import read, words


@dataclass(frozen=True)
class Implementation:
    """``compare`` takes two AIF documents, two source texts or None, and options."""

    name: str
    compare: Callable[..., dict[str, Any]]
    #: Values of options that it does not offer.
    missing: dict[str, list[Any]] = field(default_factory=dict)

    def __call__(self, *documents: Any, **options: Any) -> dict[str, Any]:
        return self.compare(*documents, **options)

    def known(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options without those that it does not offer."""
        return {name: value for name, value in options.items() if value not in self.missing.get(name, [])}


def library_compare(
    first: dict[str, Any] | str,
    second: dict[str, Any] | str,
    first_text: str | None = None,
    second_text: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    graphs = (aifgraph.loads(side if isinstance(side, str) else json.dumps(side)) for side in (first, second))
    result = aifgraph.compare(*graphs, first_text=first_text, second_text=second_text, **options)
    document = result.to_dict()
    for layer in ("propositions", "locutions"):
        document["alignment"][layer]["pairs"] = list(result.classes(layer))
    return document


LIBRARY = Implementation("library", library_compare)
REFERENCE = Implementation("reference", reference_compare, {"matching": ["optimal"], "segmentation": ["segeval"]})

over_both = pytest.mark.parametrize("compare", [LIBRARY, REFERENCE], ids=lambda implementation: implementation.name)


def has_words(document: dict[str, Any]) -> bool:
    """Whether any unit of a map has a word; without one no number is defined."""
    analysis = read(document)
    return any(words(analysis.said[unit]) for unit in analysis.units())
