"""How far does negation alone go in argument reasoning comprehension? (Habernal et al. 2018, section 5)

``python arct_negation.py train-full.txt test-full.txt submissions/*.txt`` answers with the warrant that alone is
negated, as often as that is right in the training data, and else at random. It reads neither reason nor claim, so it
cannot do better than one half where each instance has a twin with the opposite claim and the warrants swapped. With
submissions, it counts negation in the instances that all systems and that none of them solved.
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from aifgraph.datasets.arct import Instance
from aifgraph.tables import Cell, Table, render
from aifgraph.tasks import arct


def cue(instance: Instance) -> int | None:
    """Return the warrant, 0 or 1, that alone is negated."""
    first, second = arct.negated(instance.warrant0), arct.negated(instance.warrant1)
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


def opposite(instance: Instance) -> str:
    """Return a stand-in for the opposite claim, which a person has to write for systems that read it."""
    return f"It is not true: {instance.claim}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("systems", type=Path, nargs="*")
    options = parser.parse_args()
    train, test = arct.read_instances(options.train), arct.read_instances(options.test)
    rows = []
    for name, instances in {"train": train, "test": test, "doubled test": arct.double(test, opposite)}.items():
        [place] = arct.ranking(gold_of(instances), [answer(train, instances)]).places
        rows.append((name, place.accuracy, place.right, place.items))
    print(render(Table("The cue", ("instances", "accuracy", "right", "items"), rows)))
    sets = {"all": test}
    if options.systems:
        systems = arct.without(arct.read_systems(options.systems), arct.STATUSES.values())
        right = arct.difficulty(gold_of(test), systems)
        for name, number in {"solved by all": right.systems, "solved by none": 0}.items():
            sets[name] = [one for one in test if right.right[one.id] == number]
    cells = {"only the correct": (True, False), "only the wrong": (False, True), "both": (True, True)}
    counts = {name: arct.negation_table(instances) for name, instances in sets.items()}
    cross: list[tuple[Cell, ...]] = [
        (name, *(of[cell] for cell in cells.values()), of.total()) for name, of in counts.items()
    ]
    print(render(Table("Negated warrants", ("instances", *cells, "all"), cross)))
