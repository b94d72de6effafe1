"""SemEval-2018 task 12, argument reasoning comprehension (Habernal et al. 2018): which warrant leads to the claim?

>>> gold = Answers("gold", {"1": 0, "2": 1})
>>> systems = [Answers("one", {"1": 0, "2": 0}), Answers("other", {"1": 0, "2": 1})]
>>> [(row["rank"], row["system"], row["accuracy"]) for row in ranking(gold, systems).records("Ranking")]
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
from aifgraph.evaluation.estimates import MetricName, mean_table, paired_test, with_holm
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


def read_instances(path: str | Path) -> list[Instance]:
    """Read ``*-full.txt``, or ``*-only-data.txt``, which has no labels."""
    instances = list(read_rows(Path(path), Log(strict=True), unique=True))
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
        status = {word for flag, word in STATUSES.items() if participant.get(flag, "").strip().lower() in ("true", "1")}
        systems[participant.get("submissionID", "")] = next(filter(None, names), ""), status
    return systems


def read_systems(paths: Iterable[str | Path], metadata: str | Path | None = None) -> list[Answers]:
    """Read the answers of several systems, named by the metadata, or by ``metadata-public.xml`` next to the files."""
    files = [Path(path) for path in paths]
    sources = [Path(metadata) if metadata else file.parent / "metadata-public.xml" for file in files]
    known = {source: read_metadata(source) if metadata or source.is_file() else {} for source in {*sources}}
    if metadata and not any(file.stem in submissions for file in files for submissions in known.values()):
        raise InputError("names none of the systems", where=str(metadata))
    systems = [
        read_answers(file, *known[source].get(file.stem, (file.stem, ())))
        for file, source in zip(files, sources, strict=True)
    ]
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


def ranking(gold: Answers, systems: Iterable[Answers]) -> TaskResult:
    """Rank systems by their accuracy over all gold ids, best first (table 2); a withdrawn one has no rank."""
    order = sorted(((sum(hits(gold, system)), system) for system in systems), key=lambda row: (-row[0], row[1].name))
    ranks = scores.ranks([None if "withdrawn" in system.status else right for right, system in order])
    items = len(gold.labels)
    rows = [
        (rank, system.name, right / items, right, items, ", ".join(sorted(system.status)))
        for rank, (right, system) in zip(ranks, order, strict=True)
    ]
    table = Table("Ranking", ("rank", "system", "accuracy", "right", "items", "status"), rows)
    return TaskResult(signature("arct.accuracy", missing="error", extra="error"), (table,))


_ACCURACY: Final = MetricName("accuracy")


def significance(gold: Answers, systems: Sequence[Answers], *, rounds: int = 10_000, seed: int = 0) -> TaskResult:
    """Test every two systems, best first, by the two-sided approximate randomisation test.

    In each round the two answers to an instance are swapped with probability ½; p = (c + 1) / (rounds + 1), where c
    counts the rounds with a difference at least as large as the observed one. It does not depend on other systems, nor
    on the order of the files. The second table is the lower triangle of p-values (the paper's table 3).
    """
    order = [str(row["system"]) for row in ranking(gold, systems).records("Ranking")]
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
    p = {(test.second, test.first): test.p for test in tests}
    triangle = [
        (name, *(p[name, better] for better in order[:rank]), *("" for _ in order[rank:]))
        for rank, name in enumerate(order)
    ]
    tables = (Table("Paired tests", columns, tested, digits=4), Table("p-values", ("", *order), triangle, digits=4))
    made = signature("arct.significance", test="approximate-randomisation", sided=2, rounds=rounds, seed=seed)
    return TaskResult(made, tables)


def difficulty(gold: Answers, systems: Sequence[Answers]) -> TaskResult:
    """Count how many instances 0, 1, … all systems have right (figure 3), and list those of all and of none."""
    if not systems:
        raise InputError("give at least one system")
    right = dict(zip(gold.labels, np.sum([hits(gold, system) for system in systems], axis=0).tolist(), strict=True))
    counts = Counter(right.values())
    histogram = [(number, counts[number]) for number in range(len(systems) + 1)]
    solved = [(name, id_) for name, n in (("all", len(systems)), ("none", 0)) for id_ in right if right[id_] == n]
    tables = (
        Table("Histogram", ("systems right", "instances"), histogram),
        Table("Solved by all or none", ("solved by", "id"), solved),
    )
    return TaskResult(signature("arct.difficulty", systems=len(systems)), tables)
