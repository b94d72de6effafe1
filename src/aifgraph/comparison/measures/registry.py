"""What CASS sets itself against: other measures of two argument graphs.

A measure is a function of an alignment, so that it counts over the same classes as CASS; None is undefined.
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
    """

    name: str
    function: Callable[[Alignment], float | None]
    range: tuple[float, float]
    symmetric: bool

    def __call__(self, alignment: Alignment) -> float | None:
        return self.function(alignment)


def _measures() -> Iterable[Measure]:
    from aifgraph.comparison.measures import annotation, dialam

    yield Measure("kirschner_graph", annotation.graph_agreement, (0, 1), True)
    yield Measure("kirschner_graph_arithmetic", annotation.graph_agreement_arithmetic, (0, 1), True)
    yield Measure("unitised_alpha", annotation.unitised, (-1, 1), True)
    for task, cells in (("ari", dialam.ari_cells), ("ilo", dialam.ilo_cells)):
        for view in ("general", "focused"):
            for place, short in enumerate("prf"):
                yield Measure(
                    f"dialam_{task}_{view}_{short}",
                    partial(dialam.score_of, cells=cells, focused=view == "focused", place=place),
                    (0, 1),
                    False,
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
