"""All calculations of a pair, and whether each says anything.

A calculation does not apply if neither side has a label in it, or if a layer that it needs is missing on a side
(``layers="common"``): comparing an analysis without dialogue with one that has it says nothing about dialogue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations import anchors, illocutions, relations, structure
from aifgraph.comparison.calculations import transitions as ta
from aifgraph.comparison.calculations.calculation import Calculation
from aifgraph.comparison.calculations.links import links_of
from aifgraph.errors import OptionError
from aifgraph.graph import Notice
from aifgraph.graph.kinds import RELATIONS

#: Name → (short name for signatures, needs propositions, needs locutions), in the order of reports.
CALCULATIONS: dict[str, tuple[str, bool, bool]] = {
    relations.NAME: ("PR", True, False),
    structure.NAME: ("AS", True, False),
    illocutions.NAME: ("IL", False, True),
    anchors.NAME: ("IA", True, True),
    ta.TRANSITIONS: ("TR", False, True),
    ta.PROPOSITIONS: ("TP", True, True),
    ta.RELATIONS: ("TR2", True, True),
}

#: What is calculated unless somebody asks otherwise.
DEFAULT = tuple(name for name in CALCULATIONS if name != structure.NAME)

#: Which calculations make up which layer.
LAYERS: dict[str, tuple[str, ...]] = {
    "propositional": (relations.NAME, structure.NAME),
    "dialogical": (illocutions.NAME, anchors.NAME, ta.TRANSITIONS, ta.PROPOSITIONS, ta.RELATIONS),
}


def calculate(
    alignment: Alignment,
    names: Iterable[str] = DEFAULT,
    *,
    types: Iterable[str] = RELATIONS,
    layers: str = "common",
) -> tuple[dict[str, Calculation], list[Notice]]:
    """The named calculations in the order of reports, and what there is to say about them."""
    wanted = set(names)
    if unknown := wanted - CALCULATIONS.keys():
        raise OptionError(
            f"there is no calculation {sorted(unknown)[0]!r}", remedy=f"choose from {', '.join(CALCULATIONS)}"
        )
    kinds = frozenset(types)
    if not kinds <= set(RELATIONS):
        raise OptionError(
            f"no relation type: {sorted(kinds - set(RELATIONS))[0]!r}", remedy="choose from RA, CA, MA, PA"
        )
    sides = (alignment.first, alignment.second)
    links = (links_of(alignment, 0, kinds), links_of(alignment, 1, kinds))
    either = {each for joined in links for made in joined.relations.values() for each in made}
    transitions = links[0].anchored | links[1].anchored
    shown = dict(links[0].labels)
    for key, name in links[1].labels.items():
        shown[key] = min(name, shown.get(key, name))
    propositions, locutions = len(alignment.propositions.classes), len(alignment.locutions.classes)
    places = locutions + len(transitions)
    found: dict[str, Calculation] = {}
    if relations.NAME in wanted:
        found[relations.NAME] = relations.calculate(alignment.propositions, sides, links, len(either), kinds)
    if structure.NAME in wanted:
        found[structure.NAME] = structure.calculate(alignment.propositions, sides)
    if illocutions.NAME in wanted:
        found[illocutions.NAME] = illocutions.calculate(links, places, shown)
    if anchors.NAME in wanted:
        found[anchors.NAME] = anchors.calculate(links, propositions + len(either), places, shown)
    if ta.TRANSITIONS in wanted:
        found[ta.TRANSITIONS] = ta.transitions(alignment.locutions, links)
    if {ta.PROPOSITIONS, ta.RELATIONS} & wanted:
        for each in ta.anchored_contents(links, propositions, len(either), len(transitions)):
            if each.name in wanted:
                found[each.name] = each
    notices = [
        Notice(
            "act-adrift",
            f"the illocution {node} is anchored in a transition without locutions: it counts nowhere",
            (node,),
        )
        for joined, side in zip(links, sides, strict=True)
        for node in (side.nodes[index].id for index in joined.adrift)
    ]
    return {name: _judged(each, alignment, layers) for name, each in found.items()}, notices + _layers(
        alignment, layers
    )


def _judged(each: Calculation, alignment: Alignment, layers: str) -> Calculation:
    """The calculation, marked where it does not apply."""
    if not each.first and not each.second:
        return replace(each, applicable=False, reason="neither side has a label in it")
    if layers == "all":
        return each
    _, needs_propositions, needs_locutions = CALCULATIONS[each.name]
    for side, analysis in (("first", alignment.first), ("second", alignment.second)):
        if needs_propositions and not analysis.propositions:
            return replace(each, applicable=False, reason=f"the {side} analysis has no propositions")
        if needs_locutions and not analysis.locutions:
            return replace(each, applicable=False, reason=f"the {side} analysis has no locutions")
    return each


def _layers(alignment: Alignment, layers: str) -> list[Notice]:
    if layers not in ("common", "all"):
        raise OptionError(f"layers is {layers!r}", remedy="choose common or all")
    found: list[Notice] = []
    if layers == "common":
        for what, ours, theirs in (
            ("locutions", alignment.first.locutions, alignment.second.locutions),
            ("propositions", alignment.first.propositions, alignment.second.propositions),
        ):
            if bool(ours) != bool(theirs):
                side = "first" if theirs else "second"
                message = f"the {side} analysis has no {what}: calculations that need them are left out"
                found.append(Notice("layer-missing", message))
    return found
