"""What CASS sets itself against: other measures of two argument graphs, each with its formula, range and source.

A measure is a function of an alignment, so that it counts over the same classes as CASS; None is undefined. How far a
definition could be compared with its paper is said in ``checked``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from aifgraph.align.alignment import Alignment
from aifgraph.errors import OptionError, choose_from
from aifgraph.tables import Cell, Table


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of two argument graphs; calling it gives the value.

    Attributes:
        name: what options and results call it.
        function: gives the value of an alignment, or None where the measure is undefined.
        range: the least and the greatest value.
        symmetric: whether the value stays the same when the sides are swapped.
        formula: the formula, in one line.
        source: the paper that it is from.
        checked: how far the definition was compared with the paper.
    """

    name: str
    function: Callable[[Alignment], float | None]
    range: tuple[float, float]
    symmetric: bool
    formula: str
    source: str
    checked: str

    def __call__(self, alignment: Alignment) -> float | None:
        return self.function(alignment)


_KIRSCHNER = "Kirschner, Eckle-Kohler, Gurevych 2015, Linking the thoughts"
_DIALAM = "Ruiz-Dolz et al. 2024, Overview of DialAM-2024"
_AS_IN_CASS = "as the CASS paper describes it, by a worked example"
_OFFICIAL = "equal to the published evaluation script on the five pairs of maps of the task's test data"


def _measures() -> Iterable[Measure]:
    from aifgraph.comparison.measures import annotation, dialam

    yield Measure(
        "kirschner_graph",
        annotation.graph_agreement,
        (0, 1),
        True,
        "harmonic mean of both directions' mean of 1 / (length of the other's shortest undirected path, at most 6)",
        _KIRSCHNER,
        _AS_IN_CASS,
    )
    yield Measure(
        "kirschner_graph_arithmetic",
        annotation.graph_agreement_arithmetic,
        (0, 1),
        True,
        "as kirschner_graph, with the arithmetic mean of both directions",
        _KIRSCHNER,
        _AS_IN_CASS,
    )
    yield Measure(
        "unitised_alpha",
        annotation.unitised,
        (-1, 1),
        True,
        "1 − observed / expected, units by role (premise, claim, neither) on the axis of words",
        "Krippendorff 2004; Habernal and Gurevych 2016",
        "alpha as in Krippendorff's worked example; the roles are ours, since AIF has no component types",
    )
    for task, cells, what in (
        ("ari", dialam.ari_cells, "ordered pairs of propositions"),
        ("ilo", dialam.ilo_cells, "locution × proposition"),
    ):
        for view in ("general", "focused"):
            for place, (short, score) in enumerate((("p", "precision"), ("r", "recall"), ("f", "F1"))):
                only = ", where the first side has one" if view == "focused" else ", none a label too"
                yield Measure(
                    f"dialam_{task}_{view}_{short}",
                    partial(dialam.score_of, cells=cells, focused=view == "focused", place=place),
                    (0, 1),
                    False,
                    f"macro {score} over {what}{only}",
                    _DIALAM,
                    _OFFICIAL,
                )


@cache
def all_measures() -> dict[str, Measure]:
    """Every measure by name."""
    return {measure.name: measure for measure in _measures()}


def measure(name: str) -> Measure:
    """The measure of a name.

    >>> measure("kirschner_graph").range
    (0, 1)

    Raises:
        OptionError: there is none.
    """
    known = all_measures()
    if name not in known:
        raise OptionError(f"there is no measure {name!r}", remedy=choose_from(known))
    return known[name]


def measure_all(alignment: Alignment, names: Iterable[str]) -> dict[str, float | None]:
    """The values of the named measures."""
    return {name: measure(name)(alignment) for name in names}


def measures_named(names: str | Iterable[str]) -> tuple[str, ...]:
    """Names of measures (in a string they are joined by ``+``) in full: ``all`` stands for all, ``dialam``
    for those that start with ``dialam_``.

    Raises:
        OptionError: there is no such measure.
    """
    chosen: dict[str, None] = {}
    for name in filter(None, map(str.strip, names.split("+"))) if isinstance(names, str) else names:
        group = [known for known in all_measures() if name == known or known.startswith(f"{name}_") or name == "all"]
        chosen |= dict.fromkeys(group or [measure(name).name])
    return tuple(chosen)


def measure_tables(values: Mapping[str, float | None], column: str = "value") -> list[Table]:
    """A table of the values, if there are any."""
    rows: list[list[Cell]] = [[name, value] for name, value in values.items()]
    return [Table("Other measures", ("measure", column), rows)] if rows else []
