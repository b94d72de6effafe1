"""A rule. Importing the module enters it; the entry point names the module."""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.graph.rules import GraphIndex, rule

LONGEST = 60


@rule(901, "our annotation manual, section 2", aif="N", iat="W", xaif="N")
def i_length(index: GraphIndex) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A proposition has at most 60 words."""
    for id_ in index.of("I"):
        words = len(index.node(id_).text.split())
        if words > LONGEST:
            yield f"{index.name(id_)} has {words} words", (id_,)
