"""All calculations of a pair, and whether each says anything.

A calculation does not apply if neither side has a label in it, or if a layer that it needs is missing on a side
(``layers="common"``): comparing an analysis without dialogue with one that has it says nothing about dialogue.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from aifgraph.comparison.calculations.argument import ARGUMENT_STRUCTURE, PROPOSITIONAL_RELATIONS
from aifgraph.comparison.calculations.calculation import Calculation, Definition, Sizes
from aifgraph.comparison.calculations.dialogue import (
    ILLOCUTIONARY_ANCHORS,
    ILLOCUTIONS,
    TRANSITION_PROPOSITIONS,
    TRANSITION_RELATIONS,
    TRANSITIONS,
)
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.errors import NoSuchNameError, OptionError, choose_from
from aifgraph.graph import Notice
from aifgraph.graph.nodes import RELATIONS

if TYPE_CHECKING:
    from aifgraph.align.alignment import Alignment
    from aifgraph.comparison.calculations.links import SideLinks

Value = TypeVar("Value")

#: Every calculation by name, in the order of reports. What is added here is known to options, differences and pages.
CALCULATIONS: dict[str, Definition] = {
    definition.name: definition
    for definition in (
        PROPOSITIONAL_RELATIONS,
        ARGUMENT_STRUCTURE,
        EXPLICIT_RELATIONS,
        ILLOCUTIONS,
        ILLOCUTIONARY_ANCHORS,
        TRANSITIONS,
        TRANSITION_PROPOSITIONS,
        TRANSITION_RELATIONS,
    )
}


def _named(name: str) -> Definition:
    return CALCULATIONS[name]


# A definition is pickled by its name: its functions cannot be.
copyreg.pickle(Definition, lambda definition: (_named, (definition.name,)))


class _OfCalculations(Mapping[str, Value]):
    """A mapping that follows from what is registered at the time."""

    def __init__(self, derive: Callable[[], dict[str, Value]]) -> None:
        self._derive = derive
        self._known: tuple[Definition, ...] = ()
        self._derived: dict[str, Value] = {}

    def _now(self) -> dict[str, Value]:
        # Scores of every pair ask for it several times: it is derived again only where a definition has changed.
        known = tuple(CALCULATIONS.values())
        if known != self._known:
            self._known, self._derived = known, self._derive()
        return self._derived

    def __getitem__(self, key: str) -> Value:
        return self._now()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())


#: What is calculated unless somebody asks otherwise.
DEFAULT = tuple(name for name in CALCULATIONS if name not in ("argument_structure", EXPLICIT_RELATIONS.name))

#: The code of each calculation, by name.
CODES: Mapping[str, str] = _OfCalculations(lambda: {name: definition.code for name, definition in CALCULATIONS.items()})


class ByCalculation(dict[str, Value]):
    """Something of every calculation that was computed, by name and by code: ``["PR"]``."""

    def __missing__(self, name: object) -> Value:
        for full, code in CODES.items():
            if code == name and full in self:
                return self[full]
        raise NoSuchNameError(f"there is no calculation {name!r}"[:200], remedy=choose_from(self))


#: Which calculations make up which layer.
LAYERS: Mapping[str, tuple[str, ...]] = _OfCalculations(
    lambda: {
        layer: tuple(name for name, definition in CALCULATIONS.items() if definition.layer == layer)
        for layer in ("propositional", "dialogical")
    }
)


def calculate(
    alignment: Alignment,
    names: Iterable[str] = DEFAULT,
    *,
    types: Iterable[str] = RELATIONS,
    layers: str = "common",
) -> tuple[dict[str, Calculation], list[Notice]]:
    """The named calculations in the order of reports, and what there is to say about them."""
    from aifgraph.comparison.calculations.links import links_of_both

    relation_types = frozenset(types)
    if layers not in ("common", "all"):
        raise OptionError(f"layers is {layers!r}", remedy="choose common or all")
    if unknown := relation_types - set(RELATIONS):
        raise OptionError(f"no relation type: {sorted(unknown)[0]!r}", remedy="choose from RA, CA, MA, PA")
    sides = links_of_both(alignment, relation_types)
    calculations = calculations_of_both(alignment, sides, names, layers)
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


def calculations_of_both(
    alignment: Alignment, sides: tuple[SideLinks, SideLinks], names: Iterable[str], layers: str
) -> dict[str, Calculation]:
    """The named calculations over two sides with the classes of an alignment, marked where they do not apply."""
    if alignment.one_sided:  # an empty analysis is not left out of anything
        layers = "all"
    propositions, locutions = len(alignment.propositions.classes), len(alignment.locutions.classes)
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
        raise OptionError(f"there is no calculation {sorted(unknown)[0]!r}", remedy=choose_from(CALCULATIONS))
    sizes = Sizes.of(sides, propositions, locutions)
    label_names: dict[str, str] = {}
    for side in sides:
        for key, name in side.structure.label_names.items():
            label_names[key] = min(name, label_names.get(key, name))
    calculations: dict[str, Calculation] = {}
    for name, definition in CALCULATIONS.items():
        if name in wanted:
            labels = tuple([definition.labels(side) for side in sides])
            displayed = label_names if definition.illocutionary else {}
            coverage = tuple(map(definition.coverage, sides)) if definition.coverage else ()
            universe = definition.universe(sizes, labels)
            calculations[name] = Calculation(definition, universe, labels, names=displayed, coverage=coverage)
    return calculations


def _applied(calculation: Calculation, sides: tuple[SideLinks, SideLinks], layers: str) -> Calculation:
    """The calculation, marked where it does not apply."""
    if not any(calculation.sides):
        unplaced = calculation.definition.coverage is not None and sides[0].reconstructed is None
        reason = "positions in the text are not known" if unplaced else "neither side has a label in it"
        return replace(calculation, applicable=False, reason=reason)
    if layers == "all":
        return calculation
    for side, analysis in (("first", sides[0].analysis), ("second", sides[1].analysis)):
        nodes = {"propositions": analysis.propositions, "locutions": analysis.locutions}
        for what in calculation.definition.needs:
            if not nodes[what]:
                return replace(calculation, applicable=False, reason=f"the {side} analysis has no {what}")
    return calculation


def _missing_layers(alignment: Alignment, layers: str) -> list[Notice]:
    notices: list[Notice] = []
    if layers == "common" and not alignment.one_sided:
        for what, ours, theirs in (
            ("locutions", alignment.first.locutions, alignment.second.locutions),
            ("propositions", alignment.first.propositions, alignment.second.propositions),
        ):
            if bool(ours) != bool(theirs):
                side = "first" if theirs else "second"
                message = f"the {side} analysis has no {what}: calculations that need them are left out"
                notices.append(Notice("layer-missing", message))
    return notices
