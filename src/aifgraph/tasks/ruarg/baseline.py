"""Baselines for RuArg-2022: what a system has to beat.

``majority`` and ``random`` look at no text. ``tfidf`` first finds irrelevant sentences and then classifies the rest, as
several participants did: logistic regression over TF-IDF of words and word pairs, with balanced class weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from aifgraph.datasets.ruarg import CLAIMS, SUBTASKS, Sentence, Subtask
from aifgraph.errors import OptionError
from aifgraph.tasks.ruarg.score import RuArgFile
from aifgraph.tasks.textmodel import classifier

METHODS = ("majority", "random", "tfidf")


def predict(
    train: RuArgFile,
    test: RuArgFile,
    method: str = "tfidf",
    *,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> list[Sentence]:
    """The test sentences with predicted labels. ``random`` draws each label with its frequency in ``train``.

    Raises:
        OptionError: there is no such method. MissingExtraError: ``tfidf`` without scikit-learn.
    """
    if method not in METHODS:
        raise OptionError(f"there is no baseline {method!r}", remedy=f"choose from {', '.join(METHODS)}")
    predicted = {}
    if method == "tfidf":
        for claim in CLAIMS:
            if progress:
                progress(f"ruarg baseline: {claim}")
            predicted.update(_tfidf(train, test, claim, seed))
    else:
        draw = Random(seed)
        for subtask in SUBTASKS:
            known = [s.labels[subtask.column] for s in train.sentences]
            most = min(Counter(known).items(), key=lambda item: (-item[1], item[0]))[0]
            predicted[subtask.column] = [most if method == "majority" else draw.choice(known) for _ in test.sentences]
    return [
        replace(
            sentence,
            id=sentence.id or str(row),
            labels={subtask.column: predicted[subtask.column][row] for subtask in SUBTASKS},
        )
        for row, sentence in enumerate(test.sentences)
    ]


def _tfidf(train: RuArgFile, test: RuArgFile, claim: str, seed: int) -> dict[str, list[str]]:
    stance, premise = Subtask(claim, "stance").column, Subtask(claim, "premise").column
    texts = [sentence.text for sentence in test.sentences]
    relevant = ["-1" if s.labels[stance] == "-1" else "relevant" for s in train.sentences]
    first = classifier([s.text for s in train.sentences], relevant, seed=seed)(texts)
    labels = {}
    for column in (stance, premise):
        relevant_ones = [s for s in train.sentences if s.labels[stance] != "-1" and s.labels[column] != "-1"]
        guess = _classes(relevant_ones, column, seed)(texts)
        labels[column] = ["-1" if out == "-1" else label for out, label in zip(first, guess, strict=True)]
    return labels


def _classes(sentences: Sequence[Sentence], column: str, seed: int) -> Callable[[Sequence[str]], list[str]]:
    if not sentences:  # no relevant sentence in train: none will be predicted
        return lambda texts: ["-1"] * len(texts)
    return classifier([s.text for s in sentences], [s.labels[column] for s in sentences], seed=seed)
