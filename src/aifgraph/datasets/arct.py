"""Argument reasoning comprehension, SemEval-2018 task 12 (Habernal et al. 2018): one map per instance.

The reason and the right warrant support the claim together (one RA); the other warrant is an I-node outside the
argument. Without labels neither warrant is a premise. Fields stand under ``arct``: ``role`` (claim, reason, warrant,
alternative warrant, candidate warrant) and the number of the ``warrant``; the edges have the ``role``, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Final

from aifgraph.datasets.dataset import Log, read_lines, read_tsv, the_table
from aifgraph.files import unique_name
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS

ID: Final = "#id"
LABEL: Final = "correctLabelW0orW1"
COLUMNS: Final = (ID, "warrant0", "warrant1", LABEL, "reason", "claim", "debateTitle", "debateInfo")


@dataclass(frozen=True, slots=True)
class Instance:
    """A reason, a claim and two warrants, of which one leads from the reason to the claim.

    ``label`` is the number of that warrant, ``None`` if it is not known; ``title`` and ``info`` are the debate's.
    ``row`` is what the file has on the ``line``.
    """

    id: str
    warrant0: str
    warrant1: str
    label: int | None
    reason: str
    claim: str
    title: str = ""
    info: str = ""
    line: int = field(default=0, compare=False)
    row: dict[str, str] = field(default_factory=dict, compare=False, repr=False)


def read_rows(path: Path, log: Log, *, unique: bool = False) -> Iterator[Instance]:
    """Yield the instances of a ``*-full.txt`` or ``*-only-data.txt`` table; the latter has no labels.

    Unless ids are ``unique``, one may come again with another ``warrant0``, as in the training file with swapped
    warrants.
    """
    keys: set[tuple[str, str]] = set()
    for row in read_tsv(path, log, (ID, "warrant0", "warrant1", "reason", "claim")):
        cells = row.cells
        id_, label = cells[ID].strip(), cells.get(LABEL, "").strip()
        key = id_, "" if unique else cells["warrant0"]
        if not id_ or key in keys:
            log.problem("duplicate" if id_ else "id", f"the id {id_!r} is empty or repeated", path, row.line)
        keys.add(key)
        if label not in ("0", "1", ""):
            log.problem("label", f"the label {label[:20]!r} of {id_} is neither 0 nor 1", path, row.line)
        number = int(label) if label in ("0", "1") else None
        texts = (cells["reason"], cells["claim"], cells.get("debateTitle", ""), cells.get("debateInfo", ""))
        yield Instance(id_, cells["warrant0"], cells["warrant1"], number, *texts, row.line, cells)


def read_labels(path: Path, log: Log) -> dict[str, int]:
    """Return labels by id: ``ID label`` a line, space or tab between; blank and ``#`` lines are ignored."""
    labels: dict[str, int] = {}
    for number, line in read_lines(path, log):
        match line.split():
            case []:
                pass
            case [first, *_] if first.startswith("#"):
                pass
            case [id_, ("0" | "1") as label]:
                if id_ in labels:
                    log.problem("duplicate", f"the id {id_} is repeated", path, number)
                labels.setdefault(id_, int(label))
            case _:
                log.problem("label", f"{line.strip()[:60]!r} is not an id and a label 0 or 1", path, number)
    return labels


def read(path: Path, log: Log, *, labels: str | PathLike[str] | None = None) -> Iterator[ArgumentGraph]:
    """Read a ``*-full.txt`` table, or a ``*-only-data.txt`` one with its file of ``labels``, or without labels."""
    known = read_labels(Path(labels), log) if labels is not None else {}
    names = Counter[str]()
    instances = list(read_rows(the_table(path, "*.txt"), log))
    if others := known.keys() - {instance.id for instance in instances}:
        log.counts["labels of other instances"] = len(others)
    for instance in instances:
        label = known.get(instance.id) if instance.label is None else instance.label
        if label is None:
            log.counts["instances without label"] += 1
        yield _graph(unique_name(names, instance.id), instance, label)


def _graph(name: str, instance: Instance, label: int | None) -> ArgumentGraph:
    build = GraphBuilder(name=name)
    claim = build.proposition(instance.claim, extra={"arct": {"role": "claim"}})
    premises = {"reason": build.proposition(instance.reason, extra={"arct": {"role": "reason"}})}
    for number, text in enumerate((instance.warrant0, instance.warrant1)):
        role = "candidate warrant" if label is None else "warrant" if label == number else "alternative warrant"
        node = build.proposition(text, extra={"arct": {"role": role, "warrant": number}})
        if role == "warrant":
            premises[role] = node
    support = build.node("RA", DEFAULT_TEXTS["RA"])
    for role, premise in premises.items():
        build.edge(premise, support, extra={"arct": {"role": role}})
    build.edge(support, claim, extra={"arct": {"role": "claim"}})
    document = {
        "debateTitle": instance.title,
        "debateInfo": instance.info,
        "label": "" if label is None else str(label),
        "line": instance.line,
        "row": instance.row,
    }
    return build.graph(aif={"arct": document})
