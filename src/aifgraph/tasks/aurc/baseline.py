"""Baselines for AURC: each sentence gets one label, which all of its tokens then have.

``majority`` and ``random`` draw on the labels of the training sentences; ``tfidf`` is a logistic regression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from aifgraph.errors import OptionError
from aifgraph.tasks.aurc.corpus import Tokens
from aifgraph.tasks.aurc.predictions import Label, Predicted, Ties, labels_of, sentence_label
from aifgraph.tasks.textmodel import classifier

METHODS = ("majority", "random", "tfidf")


def predict(
    train: Sequence[Tokens], test: Sequence[Tokens], method: str = "tfidf", *, ties: Ties = "random", seed: int = 0
) -> list[Predicted]:
    """The test sentences with gold and predicted labels; their ids become their numbers where they are not unique.

    Raises:
        OptionError: there is no such method. MissingExtraError: ``tfidf`` without scikit-learn.
    """
    if method not in METHODS:
        raise OptionError(f"there is no baseline {method!r}", remedy=f"choose from {', '.join(METHODS)}")
    known: list[str] = [sentence_label(one.labels, ties, seed, one.id) for one in train]
    if method == "tfidf":
        labels = classifier([one.text for one in train], known, seed=seed)([one.text for one in test])
    elif method == "majority":
        labels = [min(Counter(known).items(), key=lambda item: (-item[1], item[0]))[0]] * len(test)
    else:
        draw = Random(seed)
        labels = [draw.choice(known) for _ in test]
    unique = len({one.id for one in test}) == len(test)
    return [
        Predicted(one.id if unique else str(number), one.tokens, one.labels, _spread(label, len(one.tokens)))
        for number, (one, label) in enumerate(zip(test, labels, strict=True))
    ]


def _spread(label: str, length: int) -> tuple[Label, ...]:
    return labels_of([label] * length, "baseline")
