"""Measures that studies of annotation report: Kirschner et al. (2015), Afantenos et al. (2012), unitised alpha, gamma.

Kirschner, Eckle-Kohler and Gurevych (2015): agreement of argument graphs over one segmentation.

*Adapted percentage agreement*: pairs of which nobody says anything do not count. *Weighted average*: kappa of each type
of relation against the rest, weighted by how often the type is used.

*Graph-based*, as the CASS paper describes it: a relation of one side counts 1 / d, d the length of the shortest path
between its ends in the other side's graph, whatever the direction and type of its relations; 0 without a path or where
it is longer than :data:`MAX_PATH`. A direction is the mean over a side's relations; the two directions, like precision
and recall, make the harmonic mean (as the CASS paper has it) or the arithmetic one.

The paper's own text was not at hand when this was written. What it leaves open is closed as said above.

F1 over links, as Afantenos et al. (2012) and Muller et al. (2012) score attachment: *attachment* looks at which classes
are linked, in which direction; *labelled* at the type of relation too.

Krippendorff's unitised alpha of where the argument's parts lie, as Habernal and Gurevych (2016) use it. The continuum
is the common axis of words; the units are the runs of words of the propositions, by role: a *premise* of some relation,
else the *claim* of one, else *neither*. Units of one role that overlap on one side are one unit.

Gamma of Mathet, Widlöcher and Métivier (2015), over the same units, by the package ``pygamma-agreement`` (the extra
``gamma``): the units of both sides are aligned so that their dissimilarities, of position and of role, are least, and
that is set against alignments of continua shuffled as in the paper (30 of them and more, for a precision of 1 %).
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.links import links_of_both
from aifgraph.errors import MissingExtraError
from aifgraph.graph.nodes import RELATIONS
from aifgraph.stats.agreement import kappa
from aifgraph.stats.krippendorff import Unit, unitised_alpha
from aifgraph.stats.matrix import NONE, ConfusionMatrix

MAX_PATH = 6
"""A longer path than of so many relations counts as none."""


def adapted_percentage(alignment: Alignment) -> float | None:
    """The share of the relations of either side that both have; None without relations."""
    first, second = (side.typed_links() for side in links_of_both(alignment))
    return len(first & second) / len(first | second) if first | second else None


def weighted_average(alignment: Alignment) -> float | None:
    """Kappa of each type against the rest over ordered pairs of classes, weighted by its relations; None without."""
    first, second = (side.typed_links() for side in links_of_both(alignment))
    classes = len(alignment.propositions.classes)
    pairs = classes * (classes - 1)
    total = weights = 0.0
    for type_ in sorted({type_ for *_, type_ in first | second}):
        ours, theirs = ({link[:2] for link in side if link[2] == type_} for side in (first, second))
        both = len(ours & theirs)
        rest = pairs - len(ours | theirs)
        rows = ((both, len(ours) - both), (len(theirs) - both, rest))
        value = kappa(ConfusionMatrix((type_, NONE), rows))
        if value is not None:
            weight = len(ours) + len(theirs)
            total, weights = total + weight * value, weights + weight
    return total / weights if weights else None


def graph_agreement(alignment: Alignment) -> float | None:
    """The harmonic mean of both directions; None without relations, 0 if only one side has any."""
    directions = _directions(alignment)
    if directions is None:
        return None
    first, second = directions
    return 2 * first * second / (first + second) if first + second else 0.0


def graph_agreement_arithmetic(alignment: Alignment) -> float | None:
    """The arithmetic mean of both directions; None without relations."""
    directions = _directions(alignment)
    return None if directions is None else sum(directions) / 2


def _directions(alignment: Alignment) -> tuple[float, float] | None:
    first, second = ({link[:2] for link in side.typed_links()} for side in links_of_both(alignment))
    if not first and not second:
        return None
    return _relations_near(first, second), _relations_near(second, first)


def _relations_near(first: Set[tuple[int, int]], second: Set[tuple[int, int]]) -> float:
    if not first:
        return 0.0
    import networkx

    graph = networkx.Graph(sorted(second))
    reach: dict[int, dict[int, int]] = {}
    total = 0.0
    for start, end in sorted(first):
        if start in graph and start not in reach:
            reach[start] = dict(networkx.single_source_shortest_path_length(graph, start, cutoff=MAX_PATH))
        distance = reach.get(start, {}).get(end)
        total += 1 / distance if distance else 0.0
    return total / len(first)


def attachment(alignment: Alignment) -> float | None:
    """F1 of links without their types; None if neither side has one."""
    first, second = ({link[:2] for link in side.typed_links()} for side in links_of_both(alignment))
    return _f1(first, second)


def labelled(alignment: Alignment) -> float | None:
    """F1 of links with their types; None if neither side has one."""
    first, second = (side.typed_links() for side in links_of_both(alignment))
    return _f1(first, second)


def _f1(first: Set[tuple[object, ...]], second: Set[tuple[object, ...]]) -> float | None:
    both = len(first) + len(second)
    return 2 * len(first & second) / both if both else None


def unitised(alignment: Alignment) -> float | None:
    """uα over all roles; None without positions, or where nothing is marked."""
    axis = alignment.placement.axis
    if axis is None or not alignment.placement.fits or axis.length < 1:
        return None
    return unitised_alpha(_units_of_both(alignment), axis.length).all.value


def gamma(alignment: Alignment) -> float | None:
    """Gamma over all roles; None without positions, or where a side marks nothing.

    Raises:
        MissingExtraError: without pygamma-agreement.
    """
    try:
        from pyannote.core import Segment
        from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum, ShuffleContinuumSampler
    except ImportError:
        raise MissingExtraError.of("pygamma-agreement", "gamma") from None
    import numpy as np

    units = _units_of_both(alignment) if alignment.placement.fits else []
    if not units or not all(units):
        return None
    continuum = Continuum()
    for side, of_side in enumerate(sorted(map(sorted, units))):  # whichever is given first
        for start, end, role in of_side:
            continuum.add(str(side), Segment(start, end), role)
    state = np.random.get_state()
    np.random.seed(0)
    try:
        result = continuum.compute_gamma(
            CombinedCategoricalDissimilarity(), precision_level="high", sampler=ShuffleContinuumSampler()
        )
    finally:
        np.random.set_state(state)
    return float(result.gamma)


def _units_of_both(alignment: Alignment) -> list[list[Unit]]:
    sides = (alignment.first, alignment.first_positions), (alignment.second, alignment.second_positions)
    return [_units(analysis, positions) for analysis, positions in sides]


def _units(analysis: Analysis, positions: Mapping[int, tuple[tuple[int, int], ...]]) -> list[Unit]:
    runs: dict[str, list[tuple[int, int]]] = {}
    for node in analysis.propositions:
        runs.setdefault(_role(analysis, node), []).extend(positions.get(node, ()))
    units: list[Unit] = []
    for role, role_runs in runs.items():
        joined: list[tuple[int, int]] = []
        for start, end in sorted(role_runs):
            if joined and start < joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        units += [(start, end, role) for start, end in joined]
    return units


def _role(analysis: Analysis, node: int) -> str:
    if any(analysis.kinds[other] in RELATIONS for other in analysis.successors[node]):
        return "premise"
    if any(analysis.kinds[other] in RELATIONS for other in analysis.predecessors[node]):
        return "claim"
    return "neither"
