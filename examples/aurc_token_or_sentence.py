"""Does a model of tokens find argument units better than a model of sentences? (Kamp, Beinborn and Fokkens 2022)

Both are trained on one file of sentences and scored on another, then before and after the published perturbations:
``python aurc_token_or_sentence.py aurc_in_predictions_test_001.json aurc_cr_predictions_test_001.json perturbations/``.
Give the files of the paper; the program takes the tokens and gold labels from them.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from aifgraph.tasks import aurc
from aifgraph.tasks.aurc import Label, labels_of

Model = Callable[[Sequence[str]], tuple[Label, ...]]


def features(tokens: Sequence[str], place: int) -> dict[str, float]:
    """Return the words around a token, its ending, and where it stands."""
    around = range(max(0, place - 2), min(place + 3, len(tokens)))
    words = {f"{at - place}={tokens[at].lower()}": 1.0 for at in around}
    return words | {f"ends {tokens[place][-3:].lower()}": 1.0, "at": place / len(tokens)}


def token_model(train: Sequence[aurc.Predicted]) -> Model:
    """Learn the label of each token from the words around it."""
    rows = [features(one.tokens, place) for one in train for place in range(len(one.tokens))]
    model = make_pipeline(DictVectorizer(), LogisticRegression(max_iter=300, class_weight="balanced"))
    model.fit(rows, [label for one in train for label in one.gold])
    return lambda tokens: labels_of(model.predict([features(tokens, at) for at in range(len(tokens))]), "model")


def sentence_model(train: Sequence[aurc.Predicted]) -> Model:
    """Learn the label of each sentence from its words, and give it to all tokens."""
    labels = [aurc.sentence_label(one.gold, seed=1, key=one.id) for one in train]
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\S+")
    model = make_pipeline(vectors, LogisticRegression(max_iter=300, class_weight="balanced"))
    model.fit([" ".join(one.tokens) for one in train], labels)
    return lambda tokens: labels_of([model.predict([" ".join(tokens)])[0]] * len(tokens), "model")


def run_of(name: str, sentences: Sequence[aurc.Predicted | aurc.Tokens], model: Model) -> aurc.Run:
    """Return the predictions of a model."""
    gold = ((one, one.labels if isinstance(one, aurc.Tokens) else one.gold) for one in sentences)
    return aurc.Run(name, tuple(aurc.Predicted(one.id, one.tokens, labels, model(one.tokens)) for one, labels in gold))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("perturbations", type=Path, nargs="?", help="folder of AURC_DATA_dict_perN_{before,after}.json")
    parser.add_argument("--most", type=int, help="largest number of training sentences")
    options = parser.parse_args()
    train = aurc.read_run(options.train).sentences[: options.most]
    test = aurc.read_run(options.test).sentences
    for name, model in {"token model": token_model(train), "sentence model": sentence_model(train)}.items():
        print(aurc.score([run_of(name, test, model)], seed=1).tables()[0])
        for number in (1, 2, 3) if options.perturbations else ():
            paths = (options.perturbations / f"AURC_DATA_dict_per{number}_{side}.json" for side in ("before", "after"))
            before, after = ([run_of(f"{name}, T{number}", aurc.read_topics(path), model)] for path in paths)
            print(aurc.perturbation(before, after).tables()[0])
