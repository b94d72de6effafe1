"""Stance and premise of Russian comments by TF-IDF and logistic regression, as participants of RuArg-2022 began.

Irrelevant comments are found first, then the label of the relevant ones. ``python ruarg_tfidf.py train_full.tsv``
splits the file 80 to 20 with a seed and ranks the model beside the most frequent and random labels.
``python ruarg_tfidf.py ann.tsv ben.tsv cleo.tsv`` first makes gold labels by majority.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from aifgraph.datasets.ruarg import SUBTASKS, Comment
from aifgraph.tasks import ruarg

#: From training texts and labels, and test texts, to the labels of these.
Method = Callable[[Sequence[str], Sequence[str], Sequence[str]], Sequence[str]]


def majority(files: Sequence[ruarg.RuArgFile]) -> list[Comment]:
    """Return the comments on whose labels two of three, or three of four annotators agree (section 3.3)."""
    by_id = [{comment.id: comment for comment in file.comments} for file in files]
    gold = []
    for id_, comment in by_id[0].items():
        counts = {subtask: Counter(of[id_].labels[subtask] for of in by_id if id_ in of) for subtask in SUBTASKS}
        if all(count.most_common(1)[0][1] >= max(2, len(files) - 1) for count in counts.values()):
            labels = {subtask: count.most_common(1)[0][0] for subtask, count in counts.items()}
            gold.append(replace(comment, labels=labels))
    return gold


def learned(texts: Sequence[str], labels: Sequence[str], unseen: Sequence[str]) -> list[str]:
    """Learn labels from words and pairs of words."""
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    model = make_pipeline(vectors, LogisticRegression(class_weight="balanced", max_iter=1000))
    model = model if len({*labels}) > 1 else DummyClassifier()
    return [str(label) for label in model.fit(texts, labels).predict(unseen)]


def tfidf(texts: Sequence[str], labels: Sequence[str], unseen: Sequence[str]) -> list[str]:
    """Find the irrelevant comments, then the labels of the others."""
    relevance = learned(texts, ["-1" if label == "-1" else "relevant" for label in labels], unseen)
    relevant = [text for text, label in zip(texts, labels, strict=True) if label != "-1"]
    then = learned(relevant, [label for label in labels if label != "-1"], unseen)
    return ["-1" if first == "-1" else label for first, label in zip(relevance, then, strict=True)]


def predict(name: str, method: Method, train: Sequence[Comment], test: Sequence[Comment]) -> ruarg.RuArgFile:
    """Return the test comments with the labels of a method."""
    texts, unseen = [comment.text for comment in train], [comment.text for comment in test]
    columns = [method(texts, [comment.labels[subtask] for comment in train], unseen) for subtask in SUBTASKS]
    rows = (dict(zip(SUBTASKS, row, strict=True)) for row in zip(*columns, strict=True))
    return ruarg.RuArgFile(name, tuple(replace(one, labels=row) for one, row in zip(test, rows, strict=True)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="a labelled file, or one of each annotator")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = [ruarg.read(path) for path in options.files]
    comments = majority(files) if len(files) > 1 else list(files[0].comments)
    draw = random.Random(options.seed)
    draw.shuffle(comments)
    size = len(comments) * 4 // 5
    methods: dict[str, Method] = {
        "TF-IDF": tfidf,
        "most frequent": lambda texts, labels, unseen: Counter(labels).most_common(1)[0][:1] * len(unseen),
        "random": lambda texts, labels, unseen: [draw.choice(labels) for _ in unseen],
    }
    systems = [predict(name, method, comments[:size], comments[size:]) for name, method in methods.items()]
    print(ruarg.ranking(ruarg.RuArgFile("gold", tuple(comments[size:])), systems))
