"""How far does negation alone go in argument reasoning comprehension? (Habernal et al. 2018, section 5)

``python arct_negation.py train-full.txt test-full.txt submissions/*.txt`` answers with the warrant that alone is
negated, if that is right in most of the training data, and else at random. It reads neither reason nor claim, so it is
right in half of the instances where each has a twin with the opposite claim and the warrants swapped. With submissions,
it counts negation in the instances that all systems and that none of them solved.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from aifgraph.datasets.arct import Instance
from aifgraph.tables import Cell, Table, render
from aifgraph.tasks import arct

NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)


def negated(instance: Instance) -> tuple[bool, bool]:
    """Return whether warrant 0 and warrant 1 have a word that negates."""
    return bool(NEGATION.search(instance.warrant0)), bool(NEGATION.search(instance.warrant1))


def answer(train: Sequence[Instance], test: Sequence[Instance]) -> arct.Answers:
    """Return the answers of the cue."""
    cues = {(True, False): 0, (False, True): 1}
    right = [cues[negated(one)] == one.label for one in train if negated(one) in cues]
    wrong = 2 * sum(right) < len(right)
    labels: dict[str, int] = {}
    for one in test:
        # Drawn with the words, so that a twin, whose warrants are swapped, gets the other answer.
        drawn = random.Random(min(one.warrant0, one.warrant1)).getrandbits(1) ^ (one.warrant0 < one.warrant1)
        labels[one.id] = cues[negated(one)] ^ wrong if negated(one) in cues else drawn
    return arct.Answers("negation", labels)


def gold_of(instances: Sequence[Instance]) -> arct.Answers:
    """Return the gold labels."""
    return arct.Answers("gold", {one.id: one.label for one in instances if one.label is not None})


def twin(one: Instance) -> Instance:
    """Return the instance with the opposite claim, which a person has to write for systems that read it."""
    claim = f"It is not true: {one.claim}"
    return replace(one, id=f"{one.id}_twin", claim=claim, warrant0=one.warrant1, warrant1=one.warrant0)


def cross_table(instances: Sequence[Instance]) -> Counter[tuple[bool, bool]]:
    """Count the instances by whether the correct and the wrong warrant are negated."""
    pairs = ((negated(one), one.label or 0) for one in instances)
    return Counter((pair[label], pair[1 - label]) for pair, label in pairs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("systems", type=Path, nargs="*")
    options = parser.parse_args()
    train, test = arct.read_instances(options.train), arct.read_instances(options.test)
    rows, cross, sets = list[tuple[Cell, ...]](), list[tuple[Cell, ...]](), {"all": test}
    for name, instances in {"train": train, "test": test, "doubled test": [*test, *map(twin, test)]}.items():
        [row] = arct.ranking(gold_of(instances), [answer(train, instances)]).records("Ranking")
        rows.append((name, row["accuracy"], row["right"], row["items"]))
    if options.systems:
        systems = arct.without(arct.read_systems(options.systems), arct.STATUSES.values())
        solved = arct.difficulty(gold_of(test), systems).records("Solved by all or none")
        for by, name in {"all": "all systems", "none": "no system"}.items():
            ids = {row["id"] for row in solved if row["solved by"] == by}
            sets[f"solved by {name}"] = [instance for instance in test if instance.id in ids]
    cells = {"only the correct": (True, False), "only the wrong": (False, True), "both": (True, True)}
    for name, instances in sets.items():
        cross.append((name, *(cross_table(instances)[cell] for cell in cells.values()), len(instances)))
    tables = [Table("The cue", ("instances", "accuracy", "right", "items"), rows)]
    print(render([*tables, Table("Negated warrants", ("instances", *cells, "items"), cross)]))
