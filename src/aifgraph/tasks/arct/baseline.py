"""Baselines for argument reasoning comprehension: majority, random, and the negation cue.

The cue baseline reads neither reason nor claim: where exactly one of the two warrants has a negation, it takes the one
that the training data favours; elsewhere it draws. What it scores above one half is not reasoning (the paper's
section 5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from aifgraph.datasets.arct import Instance
from aifgraph.errors import InputError, OptionError

METHODS = ("majority", "random", "negation")

NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
"""Words that negate, in English."""


def cue(instance: Instance) -> int | None:
    """The warrant, 0 or 1, that alone has a negation.

    >>> cue(Instance("1", "people can be trusted", "people can't be trusted", None, "", ""))
    1
    """
    first, second = (bool(NEGATION.search(text)) for text in (instance.warrant0, instance.warrant1))
    return None if first == second else int(second)


def predict(
    train: Sequence[Instance], test: Sequence[Instance], method: str = "negation", *, seed: int = 0
) -> dict[str, int]:
    """A label by id for each test instance, independent of their order.

    Raises:
        OptionError: there is no such method. InputError: the training instances have no labels.
    """
    if method not in METHODS:
        raise OptionError(f"there is no baseline {method!r}", remedy=f"choose from {', '.join(METHODS)}")
    labelled = [one for one in train if one.label is not None]
    if method != "random" and not labelled:
        raise InputError("the training instances have no labels", remedy="give a *-full.txt file")
    if method == "majority":
        ones = sum(one.label == 1 for one in labelled)
        return {one.id: int(2 * ones > len(labelled)) for one in test}
    drawn = {one.id: Random(f"{seed}|{one.id}").getrandbits(1) for one in test}
    if method == "random":
        return drawn
    cued = [one.label == cue(one) for one in labelled if cue(one) is not None]
    favoured = 2 * sum(cued) >= len(cued)
    cues = {one.id: cue(one) for one in test}
    return {
        identity: drawn[identity] if label is None else label if favoured else 1 - label
        for identity, label in cues.items()
    }
