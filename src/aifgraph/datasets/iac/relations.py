"""From mean agreement to a relation: thresholds, as parameters, with the corpus paper's as defaults.

Walker et al. (LREC 2012) call a response agreeing from a mean of 1 on the scale −5 … 5, and disagreeing to −1; AIFdb's
own conversion draws the line at 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from aifgraph.errors import OptionError


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Agreement from ``agree`` upwards is RA, to ``disagree`` downwards CA, between them nothing.

    >>> paper = Thresholds(1.0, -1.0)
    >>> [paper.relation(mean) for mean in (1.0, 0.9, -1.0, None)]
    ['RA', None, 'CA', None]
    >>> Thresholds(0.0, 0.0).relation(0.0)
    'RA'
    """

    agree: float
    disagree: float

    def relation(self, agreement: float | None) -> str | None:
        """``RA``, ``CA`` or ``None``; no agreement, no relation."""
        if agreement is None:
            return None
        return "RA" if agreement >= self.agree else "CA" if agreement <= self.disagree else None


def thresholds(threshold: float | None, agree: float | None, disagree: float | None) -> Thresholds:
    """From the options: one ``threshold`` T means T and −T; defaults 1 and −1.

    >>> thresholds(0, None, None), thresholds(None, 2, None)
    (Thresholds(agree=0, disagree=0), Thresholds(agree=2, disagree=-1.0))
    """
    if threshold is not None:
        if agree is not None or disagree is not None:
            raise OptionError("threshold and agree or disagree are given", remedy="give the one or the others")
        if not 0 <= threshold <= 5:
            raise OptionError(f"threshold is {threshold}", remedy="give a number from 0 to 5")
        return Thresholds(threshold, -threshold if threshold else 0)
    upper = 1.0 if agree is None else agree
    lower = -1.0 if disagree is None else disagree
    if not -5 <= lower <= upper <= 5:
        raise OptionError(f"agree is {upper} and disagree {lower}", remedy="give −5 ≤ disagree ≤ agree ≤ 5")
    return Thresholds(upper, lower)


#: What is done in a transition that makes a relation: IAT's illocutions for each.
ILLOCUTIONS = {"RA": "Arguing", "CA": "Disagreeing", "MA": "Restating"}
