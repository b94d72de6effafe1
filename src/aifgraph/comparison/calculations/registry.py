"""All calculations of a pair, and whether each says anything.

A calculation does not apply if neither side has a label in it, or if a layer that it needs is missing on a side
(``layers="common"``): comparing an analysis without dialogue with one that has it says nothing about dialogue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.calculations import illocutions, relations, transitions
from aifgraph.comparison.calculations.calculation import Calculation, Sizes
from aifgraph.comparison.calculations.items import Item, Labels
from aifgraph.comparison.calculations.links import SideLinks, links_of_both
from aifgraph.errors import OptionError
from aifgraph.graph import Notice
from aifgraph.graph.nodes import RELATIONS


class Definition(NamedTuple):
    """What a calculation is: its short name for signatures, the layers it needs, its labels and its universe.

    ``illocutionary``: its labels are those of illocutions, shown by their names.
    """

    short: str
    needs_propositions: bool
    needs_locutions: bool
    labels: Callable[[SideLinks], dict[Item, frozenset[str]]]
    universe: Callable[[Sizes, Sequence[Labels]], int]
    illocutionary: bool = False


#: Every calculation by name, in the order of reports.
CALCULATIONS: dict[str, Definition] = {
    "propositional_relations": Definition("PR", True, False, relations.relation_labels, relations.relation_universe),
    "argument_structure": Definition("AS", True, False, relations.structure_labels, relations.structure_universe),
    "illocutions": Definition(
        "IL", False, True, illocutions.illocution_labels, illocutions.illocution_universe, illocutionary=True
    ),
    "illocutionary_anchors": Definition(
        "IA", True, True, illocutions.anchor_labels, illocutions.anchor_universe, illocutionary=True
    ),
    "transitions": Definition("TR", False, True, transitions.transition_labels, transitions.transition_universe),
    "transition_propositions": Definition(
        "TP", True, True, transitions.proposition_labels, transitions.proposition_universe
    ),
    "transition_relations": Definition("TR2", True, True, transitions.relation_labels, transitions.relation_universe),
}

#: What is calculated unless somebody asks otherwise.
DEFAULT = tuple(name for name in CALCULATIONS if name != "argument_structure")

#: Which calculations make up which layer.
LAYERS: dict[str, tuple[str, ...]] = {
    "propositional": tuple(name for name, definition in CALCULATIONS.items() if not definition.needs_locutions),
    "dialogical": tuple(name for name, definition in CALCULATIONS.items() if definition.needs_locutions),
}


def calculate(
    alignment: Alignment,
    names: Iterable[str] = DEFAULT,
    *,
    types: Iterable[str] = RELATIONS,
    layers: str = "common",
) -> tuple[dict[str, Calculation], list[Notice]]:
    """The named calculations in the order of reports, and what there is to say about them."""
    relation_types = frozenset(types)
    if unknown := relation_types - set(RELATIONS):
        raise OptionError(f"no relation type: {sorted(unknown)[0]!r}", remedy="choose from RA, CA, MA, PA")
    sides = links_of_both(alignment, relation_types)
    propositions, locutions = len(alignment.propositions.classes), len(alignment.locutions.classes)
    calculations = applied_calculations(sides, propositions, locutions, names, layers)
    notices = [
        Notice(
            "act-adrift",
            f"the illocution {id_} is anchored in a transition without locutions: it counts nowhere",
            (id_,),
        )
        for side in sides
        for id_ in (side.analysis.ids[node] for node in side.structure.anchored_nowhere)
    ]
    return calculations, notices + _missing_layers(alignment, layers)


def applied_calculations(
    sides: tuple[SideLinks, SideLinks], propositions: int, locutions: int, names: Iterable[str], layers: str
) -> dict[str, Calculation]:
    """The named calculations over two sides whose nodes are in so many classes, marked where they do not apply."""
    calculations = calculations_of(sides, propositions, locutions, names)
    return {name: _applied(calculation, sides, layers) for name, calculation in calculations.items()}


def calculations_of(
    sides: Sequence[SideLinks], propositions: int, locutions: int, names: Iterable[str]
) -> dict[str, Calculation]:
    """The named calculations over two sides or more, whose nodes are in so many classes; each counts as applicable.

    Raises:
        OptionError: a name that no calculation has.
    """
    wanted = set(names)
    if unknown := wanted - CALCULATIONS.keys():
        raise OptionError(
            f"there is no calculation {sorted(unknown)[0]!r}", remedy=f"choose from {', '.join(CALCULATIONS)}"
        )
    sizes = Sizes.of(sides, propositions, locutions)
    label_names: dict[str, str] = {}
    for side in sides:
        for key, name in side.structure.label_names.items():
            label_names[key] = min(name, label_names.get(key, name))
    calculations: dict[str, Calculation] = {}
    for name, definition in CALCULATIONS.items():
        if name in wanted:
            labels = tuple([definition.labels(side) for side in sides])
            shown = label_names if definition.illocutionary else {}
            calculations[name] = Calculation(name, definition.universe(sizes, labels), labels, names=shown)
    return calculations


def _applied(calculation: Calculation, sides: tuple[SideLinks, SideLinks], layers: str) -> Calculation:
    """The calculation, marked where it does not apply."""
    if not any(calculation.sides):
        return replace(calculation, applicable=False, reason="neither side has a label in it")
    if layers == "all":
        return calculation
    definition = CALCULATIONS[calculation.name]
    for side, analysis in (("first", sides[0].analysis), ("second", sides[1].analysis)):
        if definition.needs_propositions and not analysis.propositions:
            return replace(calculation, applicable=False, reason=f"the {side} analysis has no propositions")
        if definition.needs_locutions and not analysis.locutions:
            return replace(calculation, applicable=False, reason=f"the {side} analysis has no locutions")
    return calculation


def _missing_layers(alignment: Alignment, layers: str) -> list[Notice]:
    if layers not in ("common", "all"):
        raise OptionError(f"layers is {layers!r}", remedy="choose common or all")
    notices: list[Notice] = []
    if layers == "common":
        for what, ours, theirs in (
            ("locutions", alignment.first.locutions, alignment.second.locutions),
            ("propositions", alignment.first.propositions, alignment.second.propositions),
        ):
            if bool(ours) != bool(theirs):
                side = "first" if theirs else "second"
                message = f"the {side} analysis has no {what}: calculations that need them are left out"
                notices.append(Notice("layer-missing", message))
    return notices
