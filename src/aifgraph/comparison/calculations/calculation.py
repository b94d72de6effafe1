"""A calculation of CASS: its definition, its universe of items, what each side says of them, and the matrix that they
add up to.

Items that nobody labels are counted by arithmetic, the others one by one. An item adds 1 on the diagonal for every
label both sides give it; the labels left over are sorted and paired, first with second, the longer side's rest with
``none``; an item without any label adds 1 to (none, none) (docs/measures.md, section 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from aifgraph.comparison.calculations.items import Claimed, Item, Labels
from aifgraph.stats.matrix import NONE, ConfusionMatrix

if TYPE_CHECKING:
    from aifgraph.comparison.calculations.explanation import ExplainedItem, Explainer, Wording
    from aifgraph.comparison.calculations.links import SideLinks


@dataclass(frozen=True, slots=True)
class Sizes:
    """What universes are counted from: how many classes, relations and transitions the sides have together.

    ``inner_pairs`` are the ordered pairs of propositions of one side that are in one class; ``said`` and ``inner_said``
    are the same of the propositions that were said, without the reconstructed ones.
    """

    propositions: int
    locutions: int
    relations: int
    transitions: int
    inner_pairs: int
    said: int
    inner_said: int

    @classmethod
    def of(cls, sides: Sequence[SideLinks], propositions: int, locutions: int) -> Sizes:
        """From the sides, of a pair or of several annotators, and the numbers of their classes."""
        relations = {relation for side in sides for of_node in side.relations.values() for relation in of_node}
        transitions = {link for side in sides for link in side.counted_transitions()}
        inner_pairs = sum(side.inner_pairs() for side in sides)
        said, inner_said = propositions, inner_pairs
        if any(side.reconstructed for side in sides):
            said = len({number for side in sides for number in side.said_classes.values()})
            inner_said = sum(side.inner_pairs(side.said_classes) for side in sides)
        return cls(propositions, locutions, len(relations), len(transitions), inner_pairs, said, inner_said)

    @property
    def anchors(self) -> int:
        """The number of locution classes and transitions."""
        return self.locutions + self.transitions


@dataclass(frozen=True, slots=True)
class Definition:
    """What a calculation is. To add one, write it in a file of its own and list it in the registry.

    ``code`` stands for it in signatures, ``needs`` are the layers without which it says nothing, ``question`` says what
    it asks to people who do not know CASS. ``labels`` are a side's items with their labels, ``universe`` is how many
    items there are, for any number of sides. ``explain`` puts an item into words, with the nodes that it is made of.
    ``claims`` are the claims of scheme nodes that an item with a label hangs on: the first that differs is the
    difference that a decision counts for, and a page lights up all of them. ``illocutionary``: the labels are keys of
    illocutions' labels, and shown by their names. ``coverage``: how many of a side's relations take part, of how many,
    for a calculation that leaves some out.
    """

    name: str
    code: str
    needs: tuple[Literal["propositions", "locutions"], ...]
    question: str
    labels: Callable[[SideLinks], dict[Item, frozenset[str]]]
    universe: Callable[[Sizes, Sequence[Labels]], int]
    explain: Callable[[Explainer, Any], Wording]
    claims: Callable[[Any, str], tuple[Claimed, ...]]
    illocutionary: bool = False
    coverage: Callable[[SideLinks], tuple[int, int]] | None = None

    @property
    def layer(self) -> Literal["propositional", "dialogical"]:
        """The layer that it counts in."""
        return "dialogical" if "locutions" in self.needs else "propositional"


@dataclass(frozen=True)
class Calculation:
    """A universe of ``items_total`` items, and the labels that each of ``sides`` gives to some of them.

    ``applicable`` is false where it says nothing, with the ``reason``; ``names`` maps labels to what people read;
    ``coverage`` is by side, where not all relations take part. The matrix and the items behind its cells need two
    sides.
    """

    definition: Definition
    items_total: int
    sides: tuple[Labels, ...] = field(repr=False)
    applicable: bool = True
    reason: str = ""
    names: Mapping[str, str] = field(default_factory=dict, repr=False)
    coverage: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        """The name of its definition."""
        return self.definition.name

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The counts; rows are the first analysis, labels are sorted, ``none`` is last."""
        first, second = self.sides
        unlabelled: frozenset[str] = frozenset()
        items = dict.fromkeys((*first, *second))
        # Sets of labels are few, items are many: equal ones are counted together.
        sets = Counter([(first.get(item, unlabelled), second.get(item, unlabelled)) for item in items])
        cells: Counter[tuple[str | None, str | None]] = Counter()
        for labels, count in sets.items():
            for pair in paired(*labels):
                cells[pair] += count
        cells[None, None] = self.items_total - len(items)
        displayed = {label: self.displayed(label) for cell in cells for label in cell if label is not None}
        order = sorted(displayed, key=lambda label: (displayed[label], label))
        place: dict[str | None, int] = {label: index for index, label in enumerate(order)}
        place[None] = len(order)
        rows = [[0] * len(place) for _ in place]
        for (one, other_label), count in cells.items():
            rows[place[one]][place[other_label]] += count
        return ConfusionMatrix((*(displayed[label] for label in order), NONE), tuple(map(tuple, rows)))

    def displayed(self, label: str) -> str:
        """A label as people read it; one that is called like the marker is put in quotes."""
        name = self.names.get(label, label)
        return f"“{name}”" if name == NONE else name

    def explained(self, item: Item, explainer: Explainer) -> ExplainedItem:
        """An item in words, with its nodes."""
        from aifgraph.comparison.calculations.explanation import ExplainedItem

        text, first, second = self.definition.explain(explainer, item)
        return ExplainedItem(text, tuple(dict.fromkeys(first)), tuple(dict.fromkeys(second)))

    def labelled(self, first: str, second: str) -> Iterator[Item]:
        """The items that add to a cell, by the labels shown in the matrix. (none, none) is not listed: it is everything
        else."""
        return iter(self._by_cell.get((first, second), ()))

    @cached_property
    def _by_cell(self) -> dict[tuple[str, str], list[Item]]:
        """The items of every cell: a page asks for each cell in turn."""
        ours, theirs = self.sides
        cells: dict[tuple[str, str], list[Item]] = {}
        for item in dict.fromkeys((*ours, *theirs)):
            for one, other in paired(ours.get(item, frozenset()), theirs.get(item, frozenset())):
                names = (NONE if one is None else self.displayed(one), NONE if other is None else self.displayed(other))
                cells.setdefault(names, []).append(item)
        return cells


def paired(first: AbstractSet[str], second: AbstractSet[str]) -> Iterator[tuple[str | None, str | None]]:
    """The cells that one item adds to, None for ``none``.

    >>> list(paired({"RA", "MA"}, {"RA", "CA"})), list(paired({"RA"}, set()))
    ([('RA', 'RA'), ('MA', 'CA')], [('RA', None)])
    """
    for label in sorted(first & second):
        yield label, label
    ours, theirs = sorted(first - second), sorted(second - first)
    for index in range(max(len(ours), len(theirs))):
        yield ours[index] if index < len(ours) else None, theirs[index] if index < len(theirs) else None
