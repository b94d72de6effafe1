"""What becomes of each row: which sides' nodes are kept, by a decision or by a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from aifgraph.adjudication.decisions import Decision
from aifgraph.comparison.difference import Difference
from aifgraph.comparison.differences import Differences

Side = Literal[0, 1]
Wording = Literal["first", "second", "longer"]
Preference = Literal["first", "second", "agreed", "both"]

_KEPT: Mapping[str, frozenset[int]] = {
    "first": frozenset((0,)),
    "second": frozenset((1,)),
    "both": frozenset((0, 1)),
    "neither": frozenset(),
}


@dataclass(frozen=True, slots=True)
class Resolved:
    """The sides of a row whose nodes are kept, and why: by a ``decision``, by a rule, or being ``open``."""

    sides: frozenset[int]
    decision: Decision | None = None
    open: bool = False


@dataclass(frozen=True)
class Resolution:
    """Every row resolved, by its id, and the side that the merged map starts from."""

    rows: Mapping[str, Resolved]
    base: Side


def is_content(row: Difference) -> bool:
    """Whether a row is about propositions or locutions that both sides have, each in its own way."""
    return row.group in ("propositions", "locutions") and row.sides == "both"


def resolve(
    differences: Differences, decisions: Mapping[str, Decision], wording: Wording, prefer: Preference | None
) -> Resolution:
    """Every row by its decision, else by the rules. The map starts from the side that all decisions follow, where they
    do, else from that of the wording."""
    usual: Side = 1 if wording == "second" else 0
    if wording == "longer" and differences.first_hash > differences.second_hash:
        usual = 1
    rows: dict[str, Resolved] = {}
    for row in differences:
        decision = decisions.get(row.id)
        if decision is None:
            rows[row.id] = _by_rule(row, wording, prefer, usual)
        elif decision.choice == "other":
            sides = {"first": 0, "second": 1, "both": usual}
            rows[row.id] = Resolved(frozenset((sides[row.sides],)), decision)
        else:
            rows[row.id] = Resolved(_KEPT[decision.choice], decision)
    chosen = {side for each in rows.values() if len(each.sides) == 1 for side in each.sides}
    base: Side = usual if len(chosen) != 1 else 1 if 1 in chosen else 0
    return Resolution(rows, base)


def _by_rule(row: Difference, wording: Wording, prefer: Preference | None, usual: Side) -> Resolved:
    if row.kind == "reworded":
        lengths = len(row.first_wording), len(row.second_wording)
        longer = usual if wording != "longer" or lengths[0] == lengths[1] else int(lengths[1] > lengths[0])
        return Resolved(frozenset((longer,)))
    if prefer in ("first", "second"):
        return Resolved(_KEPT[prefer])
    opened = prefer is None
    if is_content(row) or row.kind == "scheme":
        # Both have it, if not alike: it is in the map once.
        return Resolved(frozenset((usual,)), open=opened)
    return Resolved(_KEPT["neither" if prefer == "agreed" else "both"], open=opened)
