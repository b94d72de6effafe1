"""Normalised Levenshtein similarity of two texts (docs/measures.md, section 2).

Insertions, deletions and substitutions all cost 1: this is not the ``2·M/T`` ratio that many libraries call similarity
(kitten/sitting is 0.571 here, 0.615 there).
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import import_module
from typing import Any


def normalised(text: str) -> str:
    """A text as it is compared: NFKC, casefold, white space collapsed and stripped.

    >>> normalised("  Two\\n WORDS ")
    'two words'
    """
    if text.isascii():
        folded = text.lower()
        if text.isprintable() and "  " not in text:  # of white space only single spaces, as in most texts
            return folded.strip()
    else:
        folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split())


def similarity(first: str, second: str) -> float:
    """``1 − lev / longer`` of two *normalised* texts, from 0 to 1; 1 if both are empty, 0 if one is.

    >>> round(similarity("kitten", "sitting"), 3), similarity("", ""), similarity("", "a")
    (0.571, 1.0, 0.0)
    """
    if first == second:
        return 1.0
    if not first or not second:
        return 0.0
    distance: int = _distance()(first, second)
    longer = max(len(first), len(second))
    # One division: 1 − 9/10 is not 0.1, and thresholds are written as 0.1.
    return (longer - distance) / longer


@cache
def _distance() -> Any:
    # The same engine under two names; python-Levenshtein (GPL) need not be there.
    try:
        return import_module("Levenshtein").distance
    except ImportError:
        return import_module("rapidfuzz.distance.Levenshtein").distance
