"""SemEval-2018 task 12, argument reasoning comprehension (Habernal et al. 2018): which warrant leads to the claim?

>>> gold = Answers("gold", {"1": 0, "2": 1})
>>> systems = [Answers("one", {"1": 0, "2": 0}), Answers("other", {"1": 0, "2": 1})]
>>> [(place.rank, place.name, place.accuracy) for place in ranking(gold, systems).places]
[(1, 'other', 1.0), (2, 'one', 0.5)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from aifgraph.datasets.arct import LABEL, Instance, read_labels, read_rows
from aifgraph.datasets.dataset import Log, read_lines
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.evaluation.estimates import MetricName, PairedTest, mean_table, paired_test, with_holm
from aifgraph.files import parse_xml, read_bytes
from aifgraph.stats.resampling import Bootstrap
from aifgraph.tables import Table
from aifgraph.tasks import scores
from aifgraph.tasks.scores import TaskResult, signature

#: What a metadata file says of systems that a table of the paper may leave out, by its attribute.
STATUSES: Final = {"withdrawn": "withdrawn", "baseline": "baseline", "noResponse": "no response"}


# -- files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a system, or the gold labels: 0 or 1 by the id of the instance; ``status``: some ``STATUSES``."""

    name: str
    labels: dict[str, int]
    status: frozenset[str] = frozenset()


def read_instances(path: str | Path, *, unique: bool = True) -> list[Instance]:
    """Read ``*-full.txt``, or ``*-only-data.txt``, which has no labels."""
    instances = list(read_rows(Path(path), Log(strict=True), unique=unique))
    for instance in instances:
        if instance.label is None and LABEL in instance.row:
            raise FormatError(f"there is no label of {instance.id}", where=f"{path}, line {instance.line}")
    return instances


def read_answers(path: str | Path, name: str | None = None, status: Iterable[str] = ()) -> Answers:
    """Read gold labels, or the answers of a system: ``ID label`` a line, or a ``*-full.txt`` table, for its labels."""
    file, log = Path(path), Log(strict=True)
    _, head = next(read_lines(file, log), (1, ""))
    if "warrant0" in head.split("\t"):
        labels = {instance.id: instance.label for instance in read_instances(file) if instance.label is not None}
    else:
        labels = read_labels(file, log)
    if not labels:
        raise InputError("the file has no answers", where=str(path))
    return Answers(name or file.stem, labels, frozenset(status))


def read_metadata(path: Path) -> dict[str, tuple[str, set[str]]]:
    """Read ``metadata-public.xml``: the name to show and the status of each system by the id of its submission."""
    systems = {}
    for participant in parse_xml(read_bytes(path), str(path)).iter("participant"):
        names = (participant.get(key) for key in ("shownName", "systemName", "username"))
        status = {word for flag, word in STATUSES.items() if participant.get(flag) == "true"}
        systems[participant.get("submissionID", "")] = next(filter(None, names), ""), status
    return systems


def read_systems(paths: Iterable[str | Path], metadata: str | Path | None = None) -> list[Answers]:
    """Read the answers of several systems, named by the metadata, or by ``metadata-public.xml`` next to the files."""
    files = [Path(path) for path in paths]
    known: dict[str, tuple[str, set[str]]] = {}
    for source in [Path(metadata)] if metadata else {file.parent / "metadata-public.xml" for file in files}:
        known |= read_metadata(source) if metadata or source.is_file() else {}
    systems = [read_answers(file, *known.get(file.stem, (file.stem, ()))) for file in files]
    scores.check_names([system.name for system in systems])
    return systems


def without(systems: Sequence[Answers], excluded: Iterable[str]) -> list[Answers]:
    """Leave out systems by their status or name.

    >>> one, other = Answers("one", {"1": 0}), Answers("other", {"1": 0}, frozenset(["withdrawn"]))
    >>> [system.name for system in without([one, other], ["withdrawn"])]
    ['one']
    """
    excluded = {*excluded}
    if unknown := excluded - {system.name for system in systems} - {*STATUSES.values()}:
        raise OptionError(f"there is no system or status {min(unknown)!r}")
    return [system for system in systems if system.name not in excluded and excluded.isdisjoint(system.status)]


def hits(gold: Answers, system: Answers) -> list[int]:
    """Return 1 for each gold id that a system has right, else 0."""
    scores.check_ids(gold.labels, system.labels, system.name)
    return [int(system.labels[id_] == label) for id_, label in gold.labels.items()]


# -- scores -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a system, with the number of gold ids that it has right."""

    rank: int | None
    name: str
    right: int
    items: int
    status: frozenset[str] = frozenset()

    @property
    def accuracy(self) -> float:
        """The share of gold ids that are right."""
        return self.right / self.items


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(TaskResult):
    """Systems by accuracy, best first (the paper's table 2); one that was withdrawn has no rank."""

    places: tuple[Place, ...]


def ranking(gold: Answers, systems: Iterable[Answers]) -> Ranking:
    """Rank systems by their accuracy over all gold ids."""
    results = sorted(
        ((hits(gold, system), system) for system in systems), key=lambda result: (-sum(result[0]), result[1].name)
    )
    ranks = scores.ranks([None if "withdrawn" in system.status else sum(right) for right, system in results])
    places = tuple(
        Place(rank, system.name, sum(right), len(right), system.status)
        for rank, (right, system) in zip(ranks, results, strict=True)
    )
    rows = [(p.rank, p.name, p.accuracy, p.right, p.items, ", ".join(sorted(p.status))) for p in places]
    table = Table("Ranking", ("rank", "system", "accuracy", "right", "items", "status"), rows)
    return Ranking(signature("arct.accuracy", missing="error", extra="error"), (table,), places)


_ACCURACY: Final = MetricName("accuracy")


@dataclass(frozen=True, slots=True, repr=False)
class Significance(TaskResult):
    """Tests of every two systems, best first: is the difference of their accuracies more than chance?"""

    tests: tuple[PairedTest, ...]

    def p(self, first: str, second: str) -> float | None:
        """Return the p-value of two systems."""
        return _p_value(self.tests, first, second)


def _p_value(tests: Iterable[PairedTest], *systems: str) -> float | None:
    return next(test.p for test in tests if {test.first, test.second} == {*systems})


def significance(gold: Answers, systems: Sequence[Answers], *, rounds: int = 10_000, seed: int = 0) -> Significance:
    """Test every two systems by the two-sided approximate randomisation test.

    In each round the two answers to an instance are swapped with probability ½; p = (c + 1) / (rounds + 1), where c
    counts the rounds with a difference at least as large as the observed one. It does not depend on other systems, nor
    on the order of the files. The second table is the lower triangle of p-values (the paper's table 3).
    """
    order = [place.name for place in ranking(gold, systems).places]
    if len(order) < 2:
        raise InputError("a test needs two systems or more")
    by_name = {system.name: system.labels for system in systems}
    ids = sorted(gold.labels)
    means = {
        name: mean_table(ids, {_ACCURACY: [float(by_name[name][id_] == gold.labels[id_]) for id_ in ids]})
        for name in order
    }
    tests = with_holm(
        paired_test({name: means[name] for name in pair}, _ACCURACY, rounds=rounds, bootstrap=Bootstrap(seed=seed))
        for pair in combinations(order, 2)
    )
    columns = ("first", "second", "number", "texts", "difference", "low", "high", "p", "p_holm")
    tested = [[test.to_dict()[column] for column in columns] for test in tests]
    triangle = [
        (name, *(_p_value(tests, name, better) for better in order[:place]), *("" for _ in order[place:]))
        for place, name in enumerate(order)
    ]
    tables = (Table("Paired tests", columns, tested, digits=4), Table("p-values", ("", *order), triangle, digits=4))
    made = signature("arct.significance", test="approximate-randomisation", sided=2, rounds=rounds, seed=seed)
    return Significance(made, tables, tests)


@dataclass(frozen=True, slots=True, repr=False)
class Difficulty(TaskResult):
    """How many of some systems have each gold id ``right`` (the paper's figure 3).

    ``histogram`` has the number of instances that 0, 1, … all systems have right.
    """

    right: dict[str, int]
    histogram: list[int]

    def solved_by(self, number: int) -> list[str]:
        """Return the ids that so many systems have right."""
        return [id_ for id_, count in self.right.items() if count == number]


def difficulty(gold: Answers, systems: Sequence[Answers]) -> Difficulty:
    """Count how many systems have each instance right."""
    if not systems:
        raise InputError("give at least one system")
    right = dict(zip(gold.labels, np.sum([hits(gold, system) for system in systems], axis=0).tolist(), strict=True))
    counts = Counter(right.values())
    histogram = [counts[number] for number in range(len(systems) + 1)]
    solved = [(name, id_) for name, n in (("all", len(systems)), ("none", 0)) for id_ in right if right[id_] == n]
    tables = (
        Table("Histogram", ("systems right", "instances"), list(enumerate(histogram))),
        Table("Solved by all or none", ("solved by", "id"), solved),
    )
    return Difficulty(signature("arct.difficulty", systems=len(systems)), tables, right, histogram)
