"""Counting the items of a calculation: by arithmetic where nobody labels them, one by one where somebody does.

An item adds 1 on the diagonal for every label both sides give it; the labels left over are sorted and paired, first
with second, the longer side's rest with ``none``; an item without any label adds 1 to (none, none) (docs/measures.md,
section 4).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aifgraph.stats.matrix import NONE, ConfusionMatrix

#: Item → the labels that a side gives it, each once.
Labels = Mapping[Any, set[str]]


@dataclass(frozen=True)
class Calculation:
    """One calculation of CASS: a universe of ``items``, the labels that the two sides give to some of them.

    ``applicable`` is false where it says nothing, with the ``reason``; ``names`` maps labels to what people read.
    """

    name: str
    items_total: int
    first: Labels = field(repr=False)
    second: Labels = field(repr=False)
    applicable: bool = True
    reason: str = ""
    names: Mapping[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The counts; rows are the first analysis, labels are sorted, ``none`` is last."""
        cells: dict[tuple[str | None, str | None], int] = {}
        seen = 0
        first, second = self.first, self.second
        for item, labels in first.items():
            others = second.get(item)
            seen += 1
            if others is None:
                for label in labels:
                    key = (label, None)
                    cells[key] = cells.get(key, 0) + 1
            elif labels == others:
                for label in labels:
                    same = (label, label)
                    cells[same] = cells.get(same, 0) + 1
            else:
                for pair in paired(labels, others):
                    cells[pair] = cells.get(pair, 0) + 1
        for item, labels in second.items():
            if item not in first:
                seen += 1
                for label in labels:
                    other = (None, label)
                    cells[other] = cells.get(other, 0) + 1
        cells[None, None] = self.items_total - seen
        found = {label for cell in cells for label in cell if label is not None}
        order = sorted(found, key=lambda label: (self.shown(label), label))
        place: dict[str | None, int] = {label: index for index, label in enumerate(order)}
        place[None] = len(order)
        rows = [[0] * (len(order) + 1) for _ in range(len(order) + 1)]
        for (one, other_label), count in cells.items():
            rows[place[one]][place[other_label]] += count
        return ConfusionMatrix((*map(self.shown, order), NONE), tuple(map(tuple, rows)))

    def shown(self, label: str) -> str:
        """A label as people read it; one that is called like the marker is put in quotes."""
        name = self.names.get(label, label)
        return f"“{name}”" if name == NONE else name

    def labelled(self, first: str, second: str) -> Iterator[Hashable]:
        """The items that add to a cell, by the labels shown in the matrix. (none, none) is not listed: it is everything
        else."""
        for item in dict.fromkeys((*self.first, *self.second)):
            for one, other in paired(self.first.get(item, set()), self.second.get(item, set())):
                names = (NONE if one is None else self.shown(one), NONE if other is None else self.shown(other))
                if names == (first, second):
                    yield item


def paired(first: set[str], second: set[str]) -> Iterator[tuple[str | None, str | None]]:
    """The cells that one item adds to, None for ``none``.

    >>> list(paired({"RA", "MA"}, {"RA", "CA"})), list(paired({"RA"}, set()))
    ([('RA', 'RA'), ('MA', 'CA')], [('RA', None)])
    """
    for label in sorted(first & second):
        yield label, label
    ours, theirs = sorted(first - second), sorted(second - first)
    for index in range(max(len(ours), len(theirs))):
        yield ours[index] if index < len(ours) else None, theirs[index] if index < len(theirs) else None


def add(labels: dict[Any, set[str]], item: Any, label: str) -> None:
    """Give an item a label."""
    if item in labels:
        labels[item].add(label)
    else:
        labels[item] = {label}
