"""The three calculations over transitions (paper, section 6, TA).

``transitions``: ordered pairs of different locution classes, which of them a TA joins.
``transition_propositions`` and ``transition_relations``: (proposition class, or relation of either side; transition of
either side), which of them a YA anchors in the transition.
"""

from __future__ import annotations

from typing import Any

from aifgraph.align.alignment import Layer
from aifgraph.comparison.calculations.calculation import Calculation, add
from aifgraph.comparison.calculations.links import SideLinks

TRANSITIONS = "transitions"
PROPOSITIONS = "transition_propositions"
RELATIONS = "transition_relations"
_ANCHORED = "anchored"


def transitions(layer: Layer, links: tuple[SideLinks, SideLinks]) -> Calculation:
    """Transitions inside a class are no items here."""
    first, second = (
        {link: {"TA"} for made in joined.transitions.values() for link in made if len(link) == 2} for joined in links
    )
    count = len(layer.classes)
    return Calculation(TRANSITIONS, count * (count - 1), first, second)


def anchored_contents(
    links: tuple[SideLinks, SideLinks], propositions: int, relations: int, anchored: int
) -> tuple[Calculation, Calculation]:
    """Propositions and relations anchored in transitions; the arguments are the numbers of each, of either side."""
    to_propositions: tuple[dict[Any, set[str]], dict[Any, set[str]]] = ({}, {})
    to_relations: tuple[dict[Any, set[str]], dict[Any, set[str]]] = ({}, {})
    for side, joined in enumerate(links):
        for _, _, contained, hooks in joined.acts:
            for hook in hooks:
                for link in joined.transitions.get(hook, ()):
                    for content in contained:
                        found = to_propositions if isinstance(content, int) else to_relations
                        add(found[side], (content, link), _ANCHORED)
    return (
        Calculation(PROPOSITIONS, propositions * anchored, *to_propositions),
        Calculation(RELATIONS, relations * anchored, *to_relations),
    )
