"""Caveats printed with scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from aifgraph.comparison.calculations import ER
from aifgraph.printable import shortened
from aifgraph.stats.matrix import NONE, ConfusionMatrix

if TYPE_CHECKING:
    from aifgraph.comparison.result import PairResult

Kind = Literal["same map", "one empty", "both empty", "no match", "wording", "meaning", "few", "reconstructed"]
#: A calculation with fewer decisions in which a side has a label says little.
MIN_DECISIONS: Final = 5
_MAX_QUOTED: Final = 40


class Caveat(NamedTuple):
    """A caveat, by its kind, so that those of many pairs can be counted."""

    kind: Kind
    text: str


def labelled(matrix: ConfusionMatrix) -> int:
    """Return the number of decisions in which one side or both have a label."""
    return matrix.total - matrix.count(NONE, NONE)


def caveats_of(pair: PairResult) -> Iterator[Caveat]:
    """Yield the caveats of one pair."""
    first, second = pair.sides
    if pair.same_map:
        yield Caveat("same map", "both sides are the same map")
    if bool(first.units) != bool(second.units):
        yield Caveat("one empty", "one side is empty: CASS is 0")
    if not (first.units or second.units):
        yield Caveat("both empty", "both maps are empty: there is no score")
    if first.units and second.units and not (pair.matches.propositions.matched or pair.matches.locutions.matched):
        yield Caveat("no match", "no unit of the first map matches any of the second")
    if pair.wording.pairs:
        texts = pair.wording.pairs[0]
        quoted = " and ".join(f"“{shortened(text, _MAX_QUOTED)}”" for text in (texts.first, texts.second))
        share = f"{pair.wording.count} of {pair.wording.of} matches by place"
        yield Caveat("wording", f"{share} share less than half of their wording, least {quoted}")
    if by_meaning := pair.matches.propositions.by_meaning:
        yield Caveat("meaning", f"{by_meaning} matches are by meaning, which is no agreement")
    few = {name: number for name, matrix in pair.matrices.items() if (number := labelled(matrix)) < MIN_DECISIONS}
    if few:
        names = ", ".join(f"{name.replace('_', ' ')} ({number})" for name, number in few.items())
        yield Caveat("few", f"few decisions in {len(few)} of {pair.n} calculations: {names}")
    if first.reconstructed or second.reconstructed:
        added = f"the first adds {first.reconstructed} propositions that nobody says, the second {second.reconstructed}"
        instead = "; explicit relations pass over them" if pair.explicit and ER.name not in pair.calculations else ""
        yield Caveat("reconstructed", f"{added}{instead}")
