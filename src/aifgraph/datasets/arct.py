"""Argument reasoning comprehension, SemEval-2018 task 12 (Habernal et al. 2018): reason, claim and two warrants.

The reason and the right warrant support the claim together (one RA, linked premises); the other warrant is an I-node
outside the argument. Without labels neither warrant is a premise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from aifgraph.corpus_names import UniqueNames
from aifgraph.datasets.dataset import Dataset, Problems
from aifgraph.datasets.rows import Row, lines_of, table_file, tsv_rows
from aifgraph.errors import NoSuchFileError
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS

LABEL = "correctLabelW0orW1"
TEXTS = ("warrant0", "warrant1", "reason", "claim")


@dataclass(frozen=True, slots=True)
class Instance:
    """A reason, a claim and two warrants, of which one leads from the reason to the claim.

    ``label`` is the number of that warrant, None where it is not known; ``title`` and ``info`` are the debate's.
    """

    id: str
    warrant0: str
    warrant1: str
    label: int | None
    reason: str
    claim: str
    title: str = ""
    info: str = ""


def read_instances(
    path: Path, problems: Problems, *, unique: bool = False, name: str = ""
) -> Iterator[tuple[Row, Instance]]:
    """The rows of a ``*-full.txt`` or ``*-only-data.txt`` table; the latter has no labels.

    An empty id, a repeated one and a label that is neither 0, 1 nor empty are problems. Unless ``unique``, an id may
    come again with another ``warrant0``: the training data with swapped warrants holds each id twice.
    """
    name = name or path.name
    keys: set[tuple[str, str]] = set()
    for row in tsv_rows(path, problems, ("id", *TEXTS), name):
        cells = row.cells
        id_ = cells["id"].strip()
        key = id_, "" if unique else cells["warrant0"]
        if not id_:
            problems.add("id", "the id is empty", name, row.line)
        elif key in keys:
            problems.add("duplicate", f"the id {id_} is repeated", name, row.line)
        keys.add(key)
        label = cells.get(LABEL, "").strip()
        if label not in ("0", "1", ""):
            problems.add("label", f"the label {label[:20]!r} of {id_} is neither 0 nor 1", name, row.line)
        debate = (cells.get(column, "") for column in ("debateTitle", "debateInfo"))
        number = int(label) if label in ("0", "1") else None
        yield row, Instance(id_, cells["warrant0"], cells["warrant1"], number, cells["reason"], cells["claim"], *debate)


def read_labels(path: Path, problems: Problems, name: str) -> dict[str, int]:
    """The labels by id: ``ID label`` a line, space or tab between; blank and ``#`` lines are ignored."""
    labels: dict[str, int] = {}
    for number, line in lines_of(path, problems, name):
        id_, *label = line.split() or ["#"]
        if id_.startswith("#"):
            continue
        if len(label) != 1:
            problems.add("label", f"{line.strip()[:60]!r} is not an id and a label 0 or 1", name, number)
        elif label[0] not in ("0", "1"):
            problems.add("label", f"the label {label[0][:20]!r} of {id_} is neither 0 nor 1", name, number)
        elif id_ in labels:
            problems.add("duplicate", f"the id {id_} is repeated", name, number)
        else:
            labels[id_] = int(label[0])
    return labels


@dataclass(eq=False, kw_only=True)
class Arct(Dataset):
    """A ``*-full.txt`` table, or a ``*-only-data.txt`` one with its ``labels`` file (or without): a map an instance."""

    name = "arct"
    title = "Argument reasoning comprehension (SemEval-2018 task 12)"

    labels: str | PathLike[str] | None = None

    def maps(self) -> Iterator[ArgumentGraph]:
        labels: dict[str, int] = {}
        if self.labels is not None:
            file = Path(self.labels)
            if not file.is_file():
                raise NoSuchFileError("the labels are missing", where=str(file))
            labels = read_labels(file, self.problems, file.name)
        names = UniqueNames()
        for row, instance in read_instances(table_file(self.path, "*.txt"), self.problems):
            label = instance.label if LABEL in row.cells else labels.get(instance.id)
            if label is None:
                self.counts["without label"] += 1
            yield _map(names.unique(instance.id), row, instance, label)


def _map(name: str, row: Row, instance: Instance, label: int | None) -> ArgumentGraph:
    build = GraphBuilder(name=name)
    claim = build.proposition(instance.claim, record={"arct": {"role": "claim"}})
    premises = {"reason": build.proposition(instance.reason, record={"arct": {"role": "reason"}})}
    for number, text in enumerate((instance.warrant0, instance.warrant1)):
        role = "candidate warrant" if label is None else "warrant" if label == number else "alternative warrant"
        warrant = build.proposition(text, record={"arct": {"role": role, "warrant": number}})
        if role == "warrant":
            premises[role] = warrant
    support = build.node("RA", DEFAULT_TEXTS["RA"])
    for number, (role, premise) in enumerate(premises.items(), 1):
        build.edge(premise, support, id=str(number), record={"role": role})
    build.edge(support, claim, id=str(len(premises) + 1), record={"role": "claim"})
    document = {
        "debateTitle": instance.title,
        "debateInfo": instance.info,
        "label": "" if label is None else str(label),
    }
    return build.graph(aif={"arct": {**document, "line": row.line, "row": row.as_written()}})
