"""Caveats printed with scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from aifgraph.comparison.calculations import ER
from aifgraph.comparison.cass import means_over
from aifgraph.printable import enumerated, quantity, shortened
from aifgraph.tables import shown

if TYPE_CHECKING:
    from aifgraph.comparison.result import PairResult

#: A calculation in which fewer items have a label says little.
MIN_ITEMS: Final = 5
_MAX_QUOTED: Final = 40


class Caveat(NamedTuple):
    """A caveat; the code is the same in all pairs that have it, so that corpora can count them."""

    code: str
    message: str


def caveats_of(pair: PairResult) -> Iterator[Caveat]:
    """Yield the caveats of one pair."""
    first, second = pair.sides
    if pair.same_map:
        yield Caveat("same map", "both sides are the same map")
    if pair.one_sided:
        yield Caveat("one empty", "one side is empty: CASS is 0")
    if not (first.units or second.units):
        yield Caveat("both empty", "both maps are empty: there is no score")
    matched = pair.matches.propositions.matched or pair.matches.locutions.matched
    if pair.different_documents:
        yield Caveat("different documents", pair.summary)
    elif first.units and second.units and not matched:
        yield Caveat("no match", "no proposition or locution matches, so that no label agrees")
    if pair.wording.pairs:
        texts = pair.wording.pairs[0]
        quoted = " and ".join(f"“{shortened(text, _MAX_QUOTED)}”" for text in (texts.first, texts.second))
        share = f"{pair.wording.count} of {pair.wording.of} matches by place"
        yield Caveat("wording", f"{share} share less than half of their wording, for example {quoted}")
    if by_meaning := pair.matches.propositions.by_meaning:
        matches = "1 match is" if by_meaning == 1 else f"{by_meaning} matches are"
        yield Caveat("meaning", f"{matches} by meaning, which is no test of agreement")
    if few := _without(pair, thin_calculations(pair)):
        yield Caveat("few", few)
    if first.reconstructed or second.reconstructed:
        unsaid = quantity(first.reconstructed, "propositions")
        beside = pair.explicit and ER.name not in pair.calculations
        paths = "; paths of explicit relations (ER) lead through them" if beside else ""
        message = f"nobody says {unsaid} of the first map and {second.reconstructed} of the second{paths}"
        yield Caveat("reconstructed", message)


def thin_calculations(pair: PairResult) -> dict[str, int]:
    """Return the calculations in M in which fewer than 5 items have a label, with the number of these items."""
    numbers = {name: of.labelled_items for name, of in pair.calculations.items() if of.applicable}
    return {name: number for name, number in numbers.items() if number < MIN_ITEMS}


def mean_without_thin(pair: PairResult) -> float | None:
    """Return M-κ of a pair without its thin calculations, or with them where M is 0 by definition or has no others."""
    thin = thin_calculations(pair)
    scores = {name: of.scores for name, of in pair.calculations.items() if of.applicable and name not in thin}
    if pair.one_sided or not scores:
        return pair.mean["kappa"]
    mean: float | None = means_over(scores, ["kappa"], mean_of_layers=pair.mean_of_layers)["kappa"]
    return mean


def _without(pair: PairResult, thin: dict[str, int]) -> str:
    """Return what M-κ is without thin calculations; nothing where it is the same."""
    names = [name.replace("_", " ") for name in thin]
    if thin and (pair.one_sided or len(thin) == pair.n):
        counts = [f"{number} in {name}" for name, number in zip(names, thin.values(), strict=True)]
        return f"few items have a label: {enumerated(counts)}"
    mean = shown(mean_without_thin(pair))
    if mean == shown(pair.mean["kappa"]):  # and where none is thin
        return ""
    numbers = enumerated([str(number) for number in thin.values()])
    items = f"where {numbers} {'item has' if numbers == '1' else 'items have'} a label"
    return f"M-κ is {mean} without {enumerated(names)}, {items}"
