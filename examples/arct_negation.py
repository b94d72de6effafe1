"""How far does negation alone go in argument reasoning comprehension? (Habernal et al. 2018, section 5)

``python arct_negation.py train-full.txt test-full.txt`` answers with the warrant that alone is negated, if that is
right in most of the training data, and else at random. It reads neither reason nor claim, so it cannot do better than
one half where each instance has a twin with the opposite claim and the warrants swapped.
"""

import argparse
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from aifgraph.datasets.arct import Instance
from aifgraph.tables import Table, render
from aifgraph.tasks import arct

NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)


def negated(text: str) -> bool:
    """Return whether a text has a word that negates."""
    return NEGATION.search(text) is not None


def cue(instance: Instance) -> int | None:
    """Return the warrant, 0 or 1, that alone is negated."""
    first, second = negated(instance.warrant0), negated(instance.warrant1)
    return None if first == second else int(second)


def answer(train: Sequence[Instance], test: Sequence[Instance]) -> arct.Answers:
    """Return the answers of the cue."""
    right = [cue(one) == one.label for one in train if cue(one) is not None]
    favoured = 2 * sum(right) >= len(right)
    labels: dict[str, int] = {}
    for one in test:
        label = cue(one)
        # Drawn with the words, so that a twin, whose warrants are swapped, gets the other answer.
        drawn = random.Random(min(one.warrant0, one.warrant1)).getrandbits(1) ^ (one.warrant0 < one.warrant1)
        labels[one.id] = drawn if label is None else label if favoured else 1 - label
    return arct.Answers("negation", labels)


def gold_of(instances: Sequence[Instance]) -> arct.Answers:
    """Return the gold labels."""
    return arct.Answers("gold", {one.id: one.label for one in instances if one.label is not None})


def doubled(instances: Iterable[Instance]) -> list[Instance]:
    """Return each instance and its twin: the opposite claim, the warrants swapped, and so the same label.

    The opposite claim is a stand-in, which a person has to write for systems that read it.
    """
    pairs = []
    for one in instances:
        claim = f"It is not true: {one.claim}"
        pairs += [one, replace(one, id=f"{one.id}_twin", claim=claim, warrant0=one.warrant1, warrant1=one.warrant0)]
    return pairs


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path)
    options = parser.parse_args()
    train, test = arct.read_instances(options.train), arct.read_instances(options.test)
    rows = []
    for name, instances in {"train": train, "test": test, "doubled test": doubled(test)}.items():
        [place] = arct.ranking(gold_of(instances), [answer(train, instances)]).places
        rows.append((name, place.accuracy, place.right, place.items))
    print(render(Table("The cue", ("instances", "accuracy", "right", "items"), rows)))
