"""How many sentences of AURC-8 are argument, and in which split (Kamp et al. 2022, section 3.1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from aifgraph.tables import Cell, Table
from aifgraph.tasks.aurc.corpus import DOMAINS, SPLIT_NAMES, AurcCorpus, label_at, read_folder
from aifgraph.tasks.scores import Result, signature

_KINDS = ("all pro", "all con", "mixed", "non")
_FULL_STOP = 2
"""So many characters outside of the one segment are taken for a mark at an end."""


@dataclass(frozen=True, slots=True)
class AurcCounts(Result):
    """How many sentences there are.

    Attributes:
        kinds: by topic, the sentences by kind: ``all pro``, ``all con``, ``mixed`` or ``non``.
        splits: by topic, the sentences by domain and split.
    """

    kinds: dict[str, Counter[str]]
    splits: dict[str, Counter[tuple[str, str]]]

    @property
    def signature(self) -> str:
        return signature("aurc.stats", full_stop=f"{_FULL_STOP} characters")

    def tables(self) -> list[Table]:
        """The counts as tables.

        Returns:
            The kinds, and the splits where there are any, with a row for each topic and one for all.
        """
        kinds = {**self.kinds, "all topics": sum(self.kinds.values(), Counter[str]())}
        splits = {**self.splits, "all topics": sum(self.splits.values(), Counter[tuple[str, str]]())}
        columns = [(domain, split) for domain in DOMAINS.values() for split in SPLIT_NAMES]
        rows: list[tuple[Cell, ...]] = [
            (topic, *(count[kind] for kind in _KINDS), count.total() - count["non"], count.total())
            for topic, count in kinds.items()
        ]
        tables = [
            Table(
                "Sentences",
                ("topic", *_KINDS, "argument", "sentences"),
                rows,
                note="all pro, all con: one segment is the whole sentence, but for up to 2 characters",
            )
        ]
        if any(self.splits.values()):
            names = [f"{'in' if domain == DOMAINS['in'] else 'cross'}: {split}" for domain, split in columns]
            tables.append(
                Table(
                    "Splits",
                    ("topic", *names),
                    [(topic, *(count[column] for column in columns)) for topic, count in splits.items()],
                )
            )
        return tables


def stats(source: str | Path | AurcCorpus) -> AurcCounts:
    """Count the sentences of AURC-8 by topic, kind and split (Kamp et al. 2022, section 3.1).

    Args:
        source: the folder, or what :func:`aifgraph.tasks.aurc.read_folder` read of it.

    Returns:
        The counts.

    Raises:
        NotFoundError: there is no such folder or data file.
        InputError: the file is empty.
        FormatError: a row, a length or gold segments are damaged.
    """
    corpus = source if isinstance(source, AurcCorpus) else read_folder(source)
    kinds: dict[str, Counter[str]] = {}
    splits: dict[str, Counter[tuple[str, str]]] = {}
    for one in corpus.sentences:
        labels = [label_at(one.gold, place, place + 1) for place in range(one.length)]
        runs = [(label, sum(1 for _ in group)) for label, group in groupby(labels)]
        argument = [label for label, _ in runs if label != "non"]
        outside = sum(size for label, size in runs if label == "non")
        whole = len(argument) == 1 and outside <= _FULL_STOP
        kind = "non" if not argument else f"all {argument[0]}" if whole else "mixed"
        kinds.setdefault(one.topic, Counter())[kind] += 1
        splits.setdefault(one.topic, Counter()).update(corpus.splits.get(one.id, {}).items())
    return AurcCounts(kinds, splits)
