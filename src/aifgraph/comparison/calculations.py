"""The calculations of CASS (docs/measures.md, section 4): their items, and their matrices.

A calculation is declared by the labels that one side gives to items, and by what its items are made of. Items that
nobody labels are counted by arithmetic, the others one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations, zip_longest
from typing import Final, Literal, TypeAlias

from aifgraph.align.alignment import Alignment, NodeKind
from aifgraph.align.analysis import Pair
from aifgraph.comparison.links import ClassLinks, Item, Relation, node_links
from aifgraph.graph.columns import check_products
from aifgraph.options import CALCULATION_NAMES
from aifgraph.stats.scores import NONE, ConfusionMatrix

CalculationLayer = Literal["propositional", "dialogical"]
LAYERS: Final[tuple[CalculationLayer, ...]] = ("propositional", "dialogical")
#: A label that a side gives to an item: the item, the label, and the scheme node and the item of it that say so.
ItemLabel: TypeAlias = "tuple[Item, str, int, Item]"
#: Item → the labels that a side gives it.
Labels = Mapping[Item, frozenset[str]]
#: What items are made of: classes, relations and transitions; ``undercut`` are the relations if one is undercut.
Part = Literal["propositions", "said", "locutions", "relations", "undercut", "transitions"]
_NOTHING: Final[frozenset[str]] = frozenset()


class Universe:
    """What some analyses have that items are made of, and the number of pairs of nodes of one side in one class."""

    def __init__(self, sides: Sequence[ClassLinks]) -> None:
        nodes: dict[Part, list[Mapping[int, int]]] = {
            "propositions": [side.proposition_class for side in sides],
            "said": [side.said_class for side in sides],
            "locutions": [side.locution_class for side in sides],
        }
        relations = {(link, type_) for side in sides for _, link, type_ in side.compared}
        self.parts: dict[Part, Collection[Item]] = {
            **{part: set().union(*(classes.values() for classes in of_sides)) for part, of_sides in nodes.items()},
            "relations": relations,
            "undercut": relations if any(side.compared_undercuts for side in sides) else (),
            "transitions": set().union(*(side.counted_transitions for side in sides)),
        }
        self.inner: dict[Part, int] = {
            part: sum(size * (size - 1) for classes in nodes[part] for size in Counter(classes.values()).values())
            for part in ("propositions", "said")
        }

    def size(self, parts: Iterable[Part]) -> int:
        """Return how many items of some parts there are."""
        return sum(len(self.parts[part]) for part in parts)

    def has(self, item: Item, parts: Iterable[Part]) -> bool:
        """Return whether an item is in one of some parts."""
        return any(item in self.parts[part] for part in parts)


@dataclass(frozen=True, slots=True)
class Calculation:
    """A calculation: which items it has and which labels they get.

    Attributes:
        code: its name in signatures; ``options.CALCULATION_NAMES`` has its name in results.
        labels: the labels that one side gives to items.
        starts, ends: what its items are made of. Items are pairs, without ends single; without starts each item has a
            label.
        needs: the kinds of nodes that both sides must have.
        illocutionary: whether its labels are keys of illocutionary labels.
    """

    code: str
    labels: Callable[[ClassLinks], Iterable[ItemLabel]]
    starts: tuple[Part, ...] = ()
    ends: tuple[Part, ...] = ()
    needs: tuple[NodeKind, ...] = ("propositions",)
    illocutionary: bool = False

    @property
    def name(self) -> str:
        """Its name in results."""
        return CALCULATION_NAMES[self.code]

    @property
    def layer(self) -> CalculationLayer:
        """The layer of its labels: argument (propositional) or dialogue (dialogical)."""
        return "dialogical" if "locutions" in self.needs else "propositional"

    def __reduce__(self) -> str:
        return self.code  # pickled as the constant of this module that has its code for a name

    def size(self, universe: Universe) -> int:
        """Return the number of items that are made of a universe."""
        if not self.ends:
            return universe.size(self.starts)
        # A class is in no pair with itself, but the nodes of one side in it are.
        both = {*self.starts} & {*self.ends}
        inner = sum(universe.inner.get(part, 0) for part in both)
        return universe.size(self.starts) * universe.size(self.ends) - universe.size(both) + inner

    def has(self, universe: Universe, item: Item) -> bool:
        """Return whether an item is made of the universe of the first side."""
        if isinstance(item, int) or not self.ends:
            return universe.has(item, self.starts)
        if len(item) == 3:
            return bool(item[0] == 0)
        return universe.has(item[0], self.starts) and universe.has(item[1], self.ends)


def relation_labels(side: ClassLinks) -> Iterable[ItemLabel]:
    """Return links and undercuts with the types of relations."""
    return [(item, type_, node, item) for node, item, type_ in (*side.compared, *side.compared_undercuts)]


def structure_labels(side: ClassLinks) -> Iterator[ItemLabel]:
    """Yield pairs of premises, the smaller number first, with their conclusion: ``linked`` where one RA takes both,
    else ``convergent``."""
    inferences: dict[int, dict[int, list[int]]] = {}  # the RAs of each conclusion and premise
    for node, link, type_ in side.relations:
        if type_ == "RA" and len(link) == 2:
            premise, conclusion = link
            inferences.setdefault(conclusion, {}).setdefault(premise, []).append(node)
    # Each RA of a premise labels the pairs of the premise with all others.
    products = ((len(premises) - 1, sum(map(len, premises.values()))) for premises in inferences.values())
    check_products(side.analysis.graph.name, products, "pairs of premises of one conclusion")
    for conclusion, premises in inferences.items():
        for first, second in combinations(sorted(premises), 2):
            label = "convergent" if {*premises[first]}.isdisjoint(premises[second]) else "linked"
            for premise in (first, second):
                for node in premises[premise]:
                    yield (first, second, conclusion), label, node, (premise, conclusion)


def explicit_labels(side: ClassLinks) -> Iterator[ItemLabel]:
    """Yield links between propositions that were said, with the types of the paths between them."""
    if side.paths is None:
        return
    nodes: dict[Relation, list[int]] = {}
    for node, link, type_ in side.compared:
        nodes.setdefault(Relation(link, type_), []).append(node)
    if several := {relation: len(found) for relation, found in nodes.items() if len(found) > 1}:
        steps = (step for path in side.paths.shortest.values() for step in path)
        used = Counter(Relation(side.proposition_link(start, end), type_) for start, type_, end in steps)
        products = ((used[relation], count) for relation, count in several.items())
        check_products(side.analysis.graph.name, products, "paths over several relations")
    for (start, type_, end), path in side.paths.shortest.items():
        for step_start, step_type, step_end in path:
            step = Relation(side.proposition_link(step_start, step_end), step_type)
            for node in nodes[step]:
                yield side.proposition_link(start, end), type_, node, step.link


def illocution_labels(side: ClassLinks) -> Iterable[ItemLabel]:
    """Return anchors with the labels of their illocutions, whatever the content."""
    return [(anchor, label, node, (content, anchor)) for node, (content, anchor), label in side.acts]


def connection_labels(side: ClassLinks) -> Iterable[ItemLabel]:
    """Return pairs of content and anchor with the labels of their illocutions."""
    return [(item, label, node, item) for node, item, label in side.compared_acts]


def transition_labels(side: ClassLinks) -> Iterable[ItemLabel]:
    """Return the transitions between classes."""
    return [(link, label, node, link) for node, link, label in side.transitions if len(link) == 2]


def in_transitions(side: ClassLinks, kind: type[int | Relation]) -> Iterable[ItemLabel]:
    """Return the propositions (``int``) or the relations that are anchored in transitions."""
    return [
        ((content, anchor), "anchored", node, (content, anchor))
        for node, (content, anchor), _ in side.compared_acts
        if isinstance(content, kind) and isinstance(anchor, tuple)
    ]


_BOTH: Final[tuple[NodeKind, ...]] = ("propositions", "locutions")
_ANCHORS: Final[tuple[Part, ...]] = ("locutions", "transitions")
PR: Final = Calculation("PR", relation_labels, ("propositions",), ("propositions", "undercut"))
AS: Final = Calculation("AS", structure_labels)
ER: Final = Calculation("ER", explicit_labels, ("said",), ("said",), ())
IL: Final = Calculation("IL", illocution_labels, _ANCHORS, (), ("locutions",), illocutionary=True)
IA: Final = Calculation("IA", connection_labels, ("propositions", "relations"), _ANCHORS, _BOTH, illocutionary=True)
TR: Final = Calculation("TR", transition_labels, ("locutions",), ("locutions",), ("locutions",))
TP: Final = Calculation("TP", lambda side: in_transitions(side, int), ("propositions",), ("transitions",), _BOTH)
TR2: Final = Calculation("TR2", lambda side: in_transitions(side, Relation), ("relations",), ("transitions",), _BOTH)
#: Every calculation by name, in the order of reports.
CALCULATIONS: Final = {calculation.name: calculation for calculation in (PR, AS, ER, IL, IA, TR, TP, TR2)}


@dataclass(frozen=True)
class LabelledItems:
    """The items of a calculation: how many there are, and the labels that each side gives to some of them.

    ``names`` maps labels to what people read; ``reason`` is why it does not apply, empty where it does. Matrix and
    items need two sides.
    """

    calculation: Calculation
    size: int
    labels: tuple[Labels, ...] = field(repr=False)
    names: Mapping[str, str] = field(repr=False)
    reason: str = ""

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The confusion matrix; rows are the first side's, labels are sorted, ``none`` is last."""
        # Sets of labels are few, items are many: equal ones are counted together.
        first, second = self.labels
        sets = Counter([(labels, second.get(item, _NOTHING)) for item, labels in first.items()])
        sets.update([(_NOTHING, labels) for item, labels in second.items() if item not in first])
        cells: Counter[tuple[str, str]] = Counter({(NONE, NONE): self.size - sets.total()})
        for labels, count in sets.items():
            for first_label, second_label in paired(*labels):
                cells[self.display_name(first_label), self.display_name(second_label)] += count
        return ConfusionMatrix.counts(cells)

    def display_name(self, label: str | None) -> str:
        """Return a label as people read it; one that is called like ``none`` is put in quotes."""
        if label is None:
            return NONE
        name = self.names.get(label, label)
        return f"“{NONE}”" if name == NONE else name


def paired(first: AbstractSet[str], second: AbstractSet[str]) -> Iterator[tuple[str | None, str | None]]:
    """Yield the cells that one item adds to, None for ``none``.

    >>> list(paired({"RA", "MA"}, {"RA", "CA"})), list(paired({"RA"}, set()))
    ([('RA', 'RA'), ('MA', 'CA')], [('RA', None)])
    """
    for label in sorted(first & second):
        yield label, label
    yield from zip_longest(sorted(first - second), sorted(second - first))


def label_items(
    sides: Sequence[ClassLinks], names: Iterable[str], *, reference: bool = False
) -> dict[str, LabelledItems]:
    """Return the items of the named calculations for some analyses.

    With ``reference`` an item that nobody labels counts only if all that it is made of is the first side's.
    """
    universe = Universe(sides[:1] if reference else sides)
    spellings = {spelling for side in sides for spelling in node_links(side.analysis.graph).label_names.items()}
    label_names = dict(sorted(spellings, reverse=True))
    chosen = set(names)
    labelled: dict[str, LabelledItems] = {}
    for name, calculation in CALCULATIONS.items():
        if name in chosen:
            labels = tuple(_label_sets(calculation.labels(side)) for side in sides)
            items = set().union(*labels) if reference or not calculation.starts else ()
            size = calculation.size(universe) + sum(not calculation.has(universe, item) for item in items)
            labelled[name] = LabelledItems(calculation, size, labels, label_names if calculation.illocutionary else {})
    return labelled


def label_items_of_pair(
    alignment: Alignment, links: Pair[ClassLinks], names: Iterable[str] = ()
) -> dict[str, LabelledItems]:
    """Return the items of the calculations of M, or the named ones, with the reason where one does not apply."""
    options = alignment.options
    reference = options.reference == "first"
    labelled = label_items(links, names or options.calculations, reference=reference)
    # Against a reference, what the second side lacks is wrong; an empty analysis is not left out of anything.
    common = () if options.layers == "all" or alignment.one_sided or reference else links
    for name, items in labelled.items():
        if reason := _reason(items, links, common, reference):
            labelled[name] = replace(items, reason=reason)
    return labelled


def _reason(items: LabelledItems, links: Pair[ClassLinks], common: Sequence[ClassLinks], reference: bool) -> str:
    """Return why a calculation does not apply, for lack of labels, or of nodes on the sides that must have them;
    nothing where it does."""
    if not any(items.labels[:1] if reference else items.labels):
        if items.calculation is ER and any(side.reconstructed is None for side in links):
            return "positions in the text are not known"
        return "the reference has no label in it" if reference else "neither side has a label in it"
    for name, side in zip(("first", "second"), common, strict=False):
        for nodes in items.calculation.needs:
            if not getattr(side.analysis, nodes):
                return f"the {name} analysis has no {nodes}"
    return ""


def _label_sets(labelled: Iterable[ItemLabel]) -> dict[Item, frozenset[str]]:
    listed = list(labelled)
    labels = {item: _only(label) for item, label, _, _ in listed}
    if len(labels) < len(listed):  # an item has several labels, or one from several sources
        for item, label, _, _ in listed:
            if label not in labels[item]:
                labels[item] |= {label}
    return labels


@lru_cache(maxsize=1024)
def _only(label: str) -> frozenset[str]:
    """Return the set of one label, as most items have: one object, so that it is quickly compared."""
    return frozenset((label,))
