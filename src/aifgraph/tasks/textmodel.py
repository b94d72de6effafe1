"""The one text classifier and the one text similarity of the baselines, over TF-IDF (scikit-learn, an extra)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from aifgraph.errors import InputError, MissingExtraError


class Sentence(Protocol):
    """What a similarity is told about a sentence: ``text`` is its tokens with spaces between."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...


Similarities = Callable[[Sequence[Sentence], Sequence[Sentence]], Sequence[Sequence[float]]]
"""(test, training sentences) → a row per test sentence, a column per training one, numbers that grow with likeness."""


def _sklearn(module: str, name: str) -> Any:
    from importlib import import_module

    try:
        return getattr(import_module(module), name)
    except ImportError:
        raise MissingExtraError.of("scikit-learn", "baselines") from None


def most_frequent(labels: Sequence[str]) -> str:
    """The most frequent label; of equally frequent ones the first in alphabetical order."""
    return min(Counter(labels).items(), key=lambda item: (-item[1], item[0]))[0]


def classifier(texts: Sequence[str], labels: Sequence[str], *, seed: int = 0) -> Callable[[Sequence[str]], list[str]]:
    """Learn ``labels``; gives the function from texts to predicted labels.

    Logistic regression (L2, C = 1, balanced class weights) over TF-IDF of words and word pairs, sublinear counts. One
    label only in the training data is always predicted.

    Raises:
        MissingExtraError: scikit-learn is not installed. InputError: no training text has a word.
    """
    vectorizer = _sklearn("sklearn.feature_extraction.text", "TfidfVectorizer")
    regression = _sklearn("sklearn.linear_model", "LogisticRegression")
    if len(set(labels)) == 1:
        only = labels[0]
        return lambda unseen: [only] * len(unseen)
    vectors = vectorizer(ngram_range=(1, 2), sublinear_tf=True)
    model = regression(class_weight="balanced", max_iter=1000, random_state=seed)
    try:
        model.fit(vectors.fit_transform(texts), list(labels))
    except ValueError as error:
        raise InputError(f"nothing can be learned from the training texts ({error})") from None
    return lambda unseen: [str(label) for label in model.predict(vectors.transform(unseen))]


def tfidf_cosine(tests: Sequence[Sentence], trains: Sequence[Sentence]) -> Sequence[Sequence[float]]:
    """Cosine of TF-IDF vectors whose frequencies are those of the training texts; 0 where no word is shared.

    Raises:
        MissingExtraError: scikit-learn is not installed. InputError: no training text has a word.
    """
    vectorizer = _sklearn("sklearn.feature_extraction.text", "TfidfVectorizer")
    vectors = vectorizer()
    try:
        known = vectors.fit_transform([one.text for one in trains])
    except ValueError as error:
        raise InputError(f"the training texts cannot be compared ({error})") from None
    similarities: list[list[float]] = (vectors.transform([one.text for one in tests]) @ known.T).toarray().tolist()
    return similarities
