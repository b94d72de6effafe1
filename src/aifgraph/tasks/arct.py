"""SemEval-2018 task 12, argument reasoning comprehension: which of two warrants leads from reason to claim?

Instances, answers, their ranking, significance and difficulty (Habernal et al. 2018). A doubled gold file has for each
instance a twin with the opposite claim, for which the other warrant is right: a cue in a warrant's words then helps as
often as it misleads (section 5).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aifgraph.datasets.arct import LABEL, Instance, read_labels
from aifgraph.datasets.arct import read_instances as instance_rows
from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.rows import lines_of, not_empty, table_name
from aifgraph.errors import FormatError, InputError, NoSuchFileError, OptionError
from aifgraph.formats.files import read_bytes
from aifgraph.formats.xml import parse_xml
from aifgraph.tables import Table
from aifgraph.tasks.scores import (
    Counts,
    PairTests,
    TaskResult,
    check_ids,
    pair_tests,
    ranks,
    short,
    signature,
    some,
)

__all__ = [
    "STATUSES",
    "Answers",
    "Difficulty",
    "Instance",
    "Ranking",
    "difficulty",
    "ranking",
    "read_answers",
    "read_instances",
    "read_systems",
    "significance",
    "stats",
    "without",
]

NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
"""Words that negate, in English."""
FULL = ("#id", "warrant0", "warrant1", LABEL, "reason", "claim", "debateTitle", "debateInfo")
TWIN = "_twin"
"""What a twin's id ends in."""
STATUSES = ("withdrawn", "no response", "baseline")
"""What a metadata file says of systems that a table of the paper may leave out."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a system, or the gold labels: 0 or 1 by the id of the instance.

    ``status`` has those of :data:`aifgraph.tasks.arct.STATUSES` that hold, with commas between.
    """

    name: str
    labels: dict[str, int]
    status: str = ""


def read_instances(path: str | Path, *, unique: bool = True) -> list[Instance]:
    """Read ``*-full.txt``, or ``*-only-data.txt``, which has no labels; ``-`` is standard input.

    Unless ids are ``unique``, one may come twice, as in the training file with swapped warrants.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file is empty.
        FormatError: a column is missing, an id is repeated, a label is not 0 or 1.
    """
    name = table_name(path)
    rows = not_empty(instance_rows(Path(path), Problems.refused(), unique=unique, name=name), path)
    for row, instance in rows:
        if instance.label is None and LABEL in row.cells:
            raise FormatError(f"there is no label of {instance.id}", where=f"{name}, line {row.line}")
    return [instance for _, instance in rows]


def read_answers(path: str | Path, name: str | None = None, status: str = "") -> Answers:
    """Read gold labels, or the answers of a system.

    The file has ``ID label`` on each line, space or tab between (empty lines and those that begin with ``#`` are left
    out), or is a ``*-full.txt`` file, for its labels; ``-`` is standard input.

    Raises:
        NotFoundError: there is no such file.
        InputError: there is no answer in it.
        FormatError: an id is repeated, a line is not an id and a label, a label is not 0 or 1.
    """
    file, problems, where = Path(path), Problems.refused(), table_name(path)
    name = name or file.stem
    if str(path) != "-":
        _, first = next(lines_of(file, problems, where), (1, ""))
        if "warrant0" in first.split("\t") and LABEL not in first.split("\t"):
            raise InputError("instances without labels", where=where, remedy="give answers (ID 0 or ID 1 a line)")
        if first.split("\t")[1:4] == list(FULL[1:4]):
            return Answers(name, {i.id: i.label for i in read_instances(path) if i.label is not None}, status)
    labels = read_labels(file, problems, where)
    if not labels:
        raise InputError("there is no answer in the file", where=where, remedy="it is empty; write: ID 0 or ID 1")
    return Answers(name, labels, status)


def read_metadata(path: Path) -> dict[str, tuple[str, str]]:
    """``metadata-public.xml``: submission id → (name to show, status).

    Raises:
        FormatError: not XML. LimitError: it declares entities, or is nested too deeply.
    """
    root = parse_xml(read_bytes(path), str(path)).root
    systems = {}
    for participant in root.iter("participant"):
        flags = (("withdrawn", "withdrawn"), ("baseline", "baseline"), ("noResponse", "no response"))
        status = ", ".join(word for flag, word in flags if participant.get(flag) == "true")
        name = participant.get("shownName") or participant.get("systemName") or participant.get("username") or ""
        systems[participant.get("submissionID", "")] = (name, status)
    return systems


def read_systems(paths: Sequence[str | Path], metadata: str | Path | None = None) -> list[Answers]:
    """Read the answers of several systems, named by the ``metadata``, or by ``metadata-public.xml`` next to each file.

    Raises:
        NotFoundError: a file is not there.
        InputError: there is no answer in a file, or two systems have one name.
        FormatError: a file of answers is damaged, or the metadata are not XML. LimitError: they declare entities.
    """
    known: dict[Path, dict[str, tuple[str, str]]] = {}
    systems = []
    for path in map(Path, paths):
        source = Path(metadata) if metadata else path.parent / "metadata-public.xml"
        if metadata and not source.is_file():
            raise NoSuchFileError("no such file", where=str(source))
        if source not in known:
            known[source] = read_metadata(source) if source.is_file() else {}
        name, status = known[source].get(path.stem, (path.stem, ""))
        systems.append(read_answers(path, name or path.stem, status))
    names = [system.name for system in systems]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"two systems are called {some(twice)}", remedy="rename one of the files")
    return systems


def without(systems: Sequence[Answers], statuses: Iterable[str]) -> list[Answers]:
    """Leave out systems by their status (:data:`aifgraph.tasks.arct.STATUSES`) or name.

    Raises:
        OptionError: a status is neither of these.
        InputError: no system is left.

    >>> one, other = Answers("one", {"1": 0}), Answers("other", {"1": 0}, "withdrawn")
    >>> [system.name for system in without([one, other], ["withdrawn"])]
    ['one']
    """
    left_out, names = set(statuses), {system.name for system in systems}
    if unknown := sorted(left_out - names - set(STATUSES)):
        raise OptionError(
            f"nothing is called {some(unknown)}", remedy=f"exclude {', '.join(STATUSES)}, or a system by its name"
        )
    remaining = [one for one in systems if one.name not in left_out and left_out.isdisjoint(one.status.split(", "))]
    if not remaining:
        raise InputError("every system is excluded", remedy="exclude fewer")
    return remaining


def right(gold: Answers, system: Answers) -> list[int]:
    """For each gold id, in order, 1 if the system has it right, else 0.

    Raises:
        InputError: the system has no answer for a gold id, or one for an id that is not in the gold file.
    """
    check_ids(gold.labels, system.labels, answer="answer", item="id", gold="the gold file", where=system.name)
    return [int(system.labels[identity] == label) for identity, label in gold.labels.items()]


def cue(instance: Instance) -> int | None:
    """The warrant, 0 or 1, that alone has a negation.

    >>> cue(Instance("1", "people can be trusted", "people can't be trusted", None, "", ""))
    1
    """
    first, second = (bool(NEGATION.search(text)) for text in (instance.warrant0, instance.warrant1))
    return None if first == second else int(second)


@dataclass(frozen=True, slots=True)
class Placed:
    """The place of a system in the ranking, with the number of gold ids that it has ``right``.

    ``rank`` is None for a withdrawn system. ``pairs`` is the share of instances that are right together with their
    twin; None unless the gold file is doubled.
    """

    rank: int | None
    name: str
    right: int
    items: int
    status: str = ""
    pairs: float | None = None

    @property
    def accuracy(self) -> float:
        """The share of gold ids that are right."""
        return self.right / self.items


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(TaskResult):
    """Systems by accuracy, best first, equal ones by name (Habernal et al. 2018, table 2)."""

    places: tuple[Placed, ...]

    @property
    def signature(self) -> str:
        return signature("arct.accuracy", missing="error", extra="error")

    def tables(self) -> list[Table]:
        """One table with a row for each system."""
        doubled = any(place.pairs is not None for place in self.places)
        columns = ("rank", "system", "accuracy", "right", "items", "status", *(["pairs right"] if doubled else []))
        rows = [
            (p.rank, p.name, p.accuracy, p.right, p.items, p.status, *([p.pairs] if doubled else []))
            for p in self.places
        ]
        return [Table("Ranking", columns, rows)]


def ranking(gold: Answers, systems: Sequence[Answers]) -> Ranking:
    """Rank systems by their accuracy over all gold ids (Habernal et al. 2018, table 2).

    Raises:
        InputError: a system lacks an answer, or has one to an id that is not in the gold file.

    >>> from aifgraph.tasks import arct
    >>> gold = arct.Answers("gold", {"1": 0, "2": 1})
    >>> systems = [arct.Answers("other", {"1": 0, "2": 0}), arct.Answers("one", {"1": 0, "2": 1})]
    >>> [(place.rank, place.name, place.accuracy) for place in arct.ranking(gold, systems).places]
    [(1, 'one', 1.0), (2, 'other', 0.5)]
    """
    results = sorted(((right(gold, system), system) for system in systems), key=lambda r: (-sum(r[0]), r[1].name))
    numbers = ranks([None if "withdrawn" in system.status else sum(hits) for hits, system in results])
    return Ranking(
        tuple(
            Placed(rank, system.name, sum(hits), len(hits), system.status, _pairs(gold, hits))
            for rank, (hits, system) in zip(numbers, results, strict=True)
        )
    )


def _pairs(gold: Answers, hits: Sequence[int]) -> float | None:
    hit = dict(zip(gold.labels, hits, strict=True))
    both = [hit[one] * hit[one + TWIN] for one in hit if one + TWIN in hit]
    return sum(both) / len(both) if both else None


def significance(gold: Answers, systems: Sequence[Answers], *, rounds: int = 10_000, seed: int = 0) -> PairTests:
    """Whether systems differ: the two-sided approximate randomisation test of the accuracies of all pairs.

    In each of R rounds the two answers to an instance are swapped with probability ½. p = (c + 1) / (R + 1), where c
    counts the rounds with a difference at least as large as the observed one. It depends neither on other systems nor
    on the order of the files.

    Raises:
        InputError: fewer than two systems, or ids that are not those of the gold file.
        OptionError: ``rounds`` or ``seed`` is out of its range.
    """
    import numpy as np

    by_name = {system.name: system for system in systems}
    # Sorted ids: the draws must not depend on the order of the gold file's lines.
    ids = sorted(gold.labels)
    for system in systems:
        right(gold, system)
    hits = {
        name: np.array([[float(system.labels[i] == gold.labels[i]), 1.0] for i in ids])
        for name, system in by_name.items()
    }
    return pair_tests(
        hits,
        lambda sums: sums[:, 0] / sums[:, 1],
        item="instance",
        measure="arct.significance",
        rounds=rounds,
        seed=seed,
    )


@dataclass(frozen=True, slots=True, repr=False)
class Difficulty(TaskResult):
    """How many systems have each instance right (Habernal et al. 2018, figure 3)."""

    right: dict[str, int]  # by gold id
    systems: int

    @property
    def histogram(self) -> list[int]:
        """Instances that 0, 1, … all systems have right."""
        counts = list(self.right.values())
        return [counts.count(number) for number in range(self.systems + 1)]

    @property
    def solved_by_all(self) -> list[str]:
        """Ids that every system has right."""
        return [identity for identity, count in self.right.items() if count == self.systems]

    @property
    def solved_by_none(self) -> list[str]:
        """Ids that no system has right."""
        return [identity for identity, count in self.right.items() if not count]

    @property
    def signature(self) -> str:
        return signature("arct.difficulty", systems=self.systems)

    def tables(self) -> list[Table]:
        """The histogram, and the ids that all or no systems have right."""
        ids = [("all", identity) for identity in self.solved_by_all]
        ids += [("none", identity) for identity in self.solved_by_none]
        return [
            Table("Histogram", ("systems right", "instances"), list(enumerate(self.histogram))),
            Table("Solved by all or none", ("solved by", "id"), ids),
        ]


def difficulty(gold: Answers, systems: Sequence[Answers]) -> Difficulty:
    """How many systems have each instance right (Habernal et al. 2018, figure 3).

    Raises:
        InputError: no system, or ids that are not those of the gold file.
    """
    if not systems:
        raise InputError("there is no system", remedy="give one answer file or more")
    hits = [right(gold, system) for system in systems]
    return Difficulty(dict(zip(gold.labels, map(sum, zip(*hits, strict=True)), strict=True)), len(systems))


def stats(files: Mapping[str, tuple[Instance, ...]]) -> Counts:
    """How many instances, labels, debates, claims and negated warrants each file (a split) has.

    >>> one = Instance("1", "it is safe", "it is not safe", 0, "Many fly.", "Flying is good", "Air travel")
    >>> stats({"train": (one,)}).tables()[0].rows
    [('train', 1, 1, 0, 0, 1, 1, 1, 0)]
    """
    rows = []
    for name, instances in zip(short(list(files)), files.values(), strict=True):
        labels = Counter(one.label for one in instances)
        cued = [one for one in instances if cue(one) is not None]
        right = sum(one.label == cue(one) for one in cued) if labels[None] < len(instances) else None
        debates, claims = len({one.title for one in instances}), len({one.claim for one in instances})
        rows.append((name, len(instances), labels[0], labels[1], labels[None], debates, claims, len(cued), right))
    counted = ("instances", "label 0", "label 1", "no label", "debates", "claims", "one negated", "and right")
    note = "one negated: exactly one of the two warrants has a negation; and right: that warrant is the right one"
    return Counts("arct.stats", (Table("Instances", ("file", *counted), rows, note=note),))
