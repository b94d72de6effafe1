"""What both versions of the Internet Argument Corpus have in common.

Fields of the data set stand under ``iac`` in each node's further fields, by the same names in both:

=========================  ==============================================================================
locution and proposition   ``post_id``, ``parent_post_id``; ``creation_date``; ``start``, ``end``: characters
                           of the post as published; ``markup``: a list of ``type``, ``start``, ``end`` and
                           its own fields
... of a quote             also ``quote_index``, ``source_post_id``
transition                 ``link``: ``parent`` (of posts), ``quote`` (of the post that is quoted) or
                           ``response`` (to a quote)
relation of the crowd      ``page_id``, ``tab_number`` of the pair; ``agreement`` and the other scales
relation of CreateDebate   ``response_type``
map                        ``discussion_id``, ``topic``, ``stances``, ``agree``, ``disagree``
=========================  ==============================================================================

Further columns keep their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aifgraph.datasets.dataset import Statement
from aifgraph.errors import OptionError
from aifgraph.graph import GraphBuilder


def check_limits(agree: float, disagree: float) -> None:
    """Raise ``OptionError`` unless −5 ≤ disagree ≤ agree ≤ 5."""
    if not -5 <= disagree <= agree <= 5:
        raise OptionError(f"agree cannot be {agree} with disagree {disagree}", remedy="give −5 ≤ disagree ≤ agree ≤ 5")


def relation_type(agreement: float | None, agree: float, disagree: float) -> str | None:
    """Return the relation that a mean agreement on −5 … 5 makes."""
    if agreement is None:
        return None
    return "RA" if agreement >= agree else "CA" if agreement <= disagree else None


def link(build: GraphBuilder, start: Statement, end: Statement, kind: str, **extra: Any) -> str:
    """Add the transition from one locution to another and return its id."""
    return build.transition(start.locution, end.locution, extra={"iac": {"link": kind, **extra}})


def relate(
    build: GraphBuilder, type_: str, source: Statement, target: Statement, anchor: str, extra: Mapping[str, Any]
) -> None:
    """Add RA, CA or MA from one proposition to another, with its usual illocution from the transition ``anchor``."""
    relation = build.relation(type_, [source.proposition], target.proposition, extra={"iac": dict(extra)})
    build.illocution(anchor, relation)


def present(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries that have a value.

    >>> present({"points": 3, "url": None})
    {'points': 3}
    """
    return {key: value for key, value in values.items() if value is not None}
