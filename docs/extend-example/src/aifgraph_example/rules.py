"""A rule. Importing the module enters it; the entry point names the module."""

from __future__ import annotations

from collections.abc import Iterator

from aifgraph.graph.rules import View, rule

LONGEST = 60


@rule(901, "our annotation manual, section 2", aif="N", iat="W", xaif="N")
def i_length(view: View) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A proposition has at most 60 words."""
    for id_ in view.of("I"):
        words = len(view.node(id_).text.split())
        if words > LONGEST:
            yield f"{view.name(id_)} has {words} words", (id_,)
