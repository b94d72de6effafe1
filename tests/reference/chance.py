"""Section 9: what M would be if it were chance which node is which."""

from __future__ import annotations

from typing import Any

import numpy as np

from .calculate import Table, calculate
from .explicit import NAME, explicit
from .match import Matcher, Meaning, Side, numbered_labels
from .score import LAYERS, SCORES, Number, average, fuse, mean, mean_of_part


def dealing_orders(sides: tuple[Side, Side], side: int, length: int) -> list[list[str]]:
    """Of a side's propositions, and of its locutions."""
    mine = sides[side]
    surroundings = numbered_labels(sides)[side][2]

    def rank(n: str) -> tuple[int, str, int]:
        return mine.first_word(n, length), mine.content[n].whole, surroundings[n]

    return [sorted(mine.analysis.of(kind), key=rank) for kind in ("I", "L")]


def chance_tables(
    sides: tuple[Side, Side], length: int, options: dict[str, Any], meaning: Meaning | None
) -> list[tuple[dict[str, Table], Table]]:
    """The calculations of every round, and ER: first those that deal B, then those that deal A."""
    out = []
    for side in (1, 0):
        rng = np.random.default_rng(options["seed"])
        orders = dealing_orders(sides, side, length)
        for _ in range(-(-options["chance"] // 2)):
            permutations = [[int(k) for k in rng.permutation(len(order))] for order in orders]
            dealt = sides[side].dealt(orders, permutations)
            a, b = (sides[0], dealt) if side == 1 else (dealt, sides[1])
            matcher = Matcher(a, b, length, options, meaning)
            propositions = matcher.match("I")
            tables = calculate(a.analysis, b.analysis, propositions, matcher.match("L"), options)
            said, _ = explicit((a, b), propositions, tuple(options["relations"]))
            chosen = NAME in options["calculations"]
            out.append(({**tables, **({NAME: said} if chosen else {})}, said))
    return out


def against_chance(
    sides: tuple[Side, Side],
    length: int,
    options: dict[str, Any],
    meaning: Meaning | None,
    tables: dict[str, Table],
    said: Table,
    segmentation: Number,
    nothing: bool,
    has_words: bool,
) -> dict[str, dict[str, Any]]:
    """Of the whole (under ""), of each layer, and of the argument among what was said."""
    lone = all(len(s.analysis.of(kind)) <= 1 for s in sides for kind in ("I", "L"))
    rounds = [] if lone else chance_tables(sides, length, options, meaning)
    out: dict[str, dict[str, Any]] = {}
    for part, names in {"": None, **LAYERS, NAME: None}.items():
        over = options["mean"] if part == "" else "calculations"
        found: dict[str, dict[str, Number]] = {"mean": {}, "above": {}, "cass": {}}
        for k in SCORES:
            if part == NAME:
                m = mean({NAME: said}, k)
                e = average(mean({NAME: of}, k) for _, of in rounds)
            else:
                m = mean_of_part(tables, names, k, over, nothing)
                e = average(mean_of_part(r, names, k, over, nothing) for r, _ in rounds)
            e = None if e is None else max(0.0, e)
            above = None if e is None or m is None or e == 1 else (m - e) / (1 - e)
            found["mean"][k], found["above"][k] = e, above
            # Section 7 comes first: an empty analysis is worth 0, whether or not there is anything to deal.
            found["cass"][k] = 0.0 if nothing and m == 0 else fuse(above, segmentation, nothing, has_words)
        reason = "at most one proposition and one locution on each side" if lone else None
        if reason is None and found["mean"]["kappa"] is None:
            reason = "no round has a calculation that applies"
        out[part] = {"rounds": options["chance"], "seed": options["seed"], **found, "reason": reason}
    del out[NAME]["cass"]
    return out
