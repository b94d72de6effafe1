"""Which nodes of two sides share places: found by sweeping along the axis, so that only neighbours are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aifgraph.align.positions import Position


def size(position: Position) -> int:
    """The number of places of a position."""
    return sum(stop - start for start, stop in position)


def overlapping(first: Mapping[int, Position], second: Mapping[int, Position]) -> Iterator[tuple[int, int, int]]:
    """Every pair of nodes that share places, once, with the number of places they share.

    >>> list(overlapping({1: ((0, 4),)}, {7: ((3, 9),), 8: ((5, 6),)}))
    [(1, 7, 1)]
    """
    runs = sorted(
        [(start, stop, 0, node) for node, position in first.items() for start, stop in position]
        + [(start, stop, 1, node) for node, position in second.items() for start, stop in position]
    )
    common: dict[tuple[int, int], int] = {}
    open_runs: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for start, stop, side, node in runs:
        others = open_runs[1 - side]
        ended = False
        for other_stop, other in others:
            shared = (other_stop if other_stop < stop else stop) - start
            if shared > 0:
                pair = (node, other) if side == 0 else (other, node)
                common[pair] = common.get(pair, 0) + shared
            else:
                ended = True
        if ended:
            others[:] = [each for each in others if each[0] > start]
        own = open_runs[side]
        if len(own) > 8:
            own[:] = [each for each in own if each[0] > start]
        own.append((stop, node))
    for (one, other), shared in common.items():
        yield one, other, shared
