"""The calculations of CASS (docs/measures.md, section 4): their items, and their matrices.

A calculation is declared by the labels that one side gives to items, and by the number of items that there are. Items
that nobody labels are counted by arithmetic, the others one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations, zip_longest
from typing import Final, Literal, TypeAlias

from aifgraph.align.alignment import Alignment, NodeKind
from aifgraph.align.analysis import Pair
from aifgraph.comparison.links import (
    AnyLink,
    ClassLinks,
    IllocutionaryConnection,
    InnerLink,
    Item,
    JointSupport,
    Link,
    NodeLabel,
    Relation,
    Undercut,
    node_links,
)
from aifgraph.options import CALCULATION_NAMES, Options
from aifgraph.stats.scores import NONE, ConfusionMatrix

CalculationLayer = Literal["propositional", "dialogical"]
LAYERS: Final[tuple[CalculationLayer, ...]] = ("propositional", "dialogical")
#: A label that a side gives to an item: the item, the label, and what both follow from.
ItemLabel: TypeAlias = "tuple[Item, str, NodeLabel[Item]]"
#: Item → the labels that a side gives it.
Labels = Mapping[Item, frozenset[str]]
_NOTHING: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class UniverseSizes:
    """How many classes, relations and transitions both sides have, and pairs of propositions as in :func:`all_pairs`.

    ``said_pairs`` leave out the reconstructed propositions; ``undercuts`` is whether there is a relation on a relation.
    """

    propositions: int
    locutions: int
    relations: int
    transitions: int
    pairs: int
    said_pairs: int
    undercuts: bool

    @classmethod
    def from_links(cls, sides: Sequence[ClassLinks], propositions: int, locutions: int) -> UniverseSizes:
        """Return the sizes of some analyses whose nodes are in so many classes."""
        pairs = said_pairs = all_pairs([side.proposition_class for side in sides])
        if any(side.reconstructed for side in sides):
            said_pairs = all_pairs([side.said_class for side in sides])
        relations = {(link, type_) for side in sides for _, link, type_ in side.compared}
        transitions = {link for side in sides for link in side.counted_transitions}
        undercuts = any(side.compared_undercuts for side in sides)
        return cls(propositions, locutions, len(relations), len(transitions), pairs, said_pairs, undercuts)

    @property
    def anchors(self) -> int:
        """The number of locution classes and transitions."""
        return self.locutions + self.transitions


def all_pairs(sides: Sequence[Mapping[int, int]]) -> int:
    """Return the number of ordered pairs of different classes, and of different nodes of one side in one class, from
    the classes of each side's nodes."""
    classes = len(set().union(*(side.values() for side in sides)))
    inner = sum(size * (size - 1) for side in sides for size in Counter(side.values()).values())
    return classes * (classes - 1) + inner


@dataclass(frozen=True, slots=True)
class Calculation:
    """A calculation: which items it has and which labels they get.

    Attributes:
        code: its name in signatures; ``options.CALCULATION_NAMES`` has its name in results.
        labels: the labels that one side gives to items.
        universe_size: the number of items; None if every item has a label.
        needs: the kinds of nodes that both sides must have.
        illocutionary: whether its labels are keys of illocutionary labels.
    """

    code: str
    labels: Callable[[ClassLinks], Iterable[ItemLabel]]
    universe_size: Callable[[UniverseSizes], int] | None
    needs: tuple[NodeKind, ...] = ("propositions",)
    illocutionary: bool = False

    @property
    def name(self) -> str:
        """Its name in results."""
        return CALCULATION_NAMES[self.code]

    @property
    def nodes(self) -> NodeKind:
        """What bare numbers of classes are in its items, and the ends of links."""
        return "locutions" if self.needs == ("locutions",) else "propositions"

    @property
    def layer(self) -> CalculationLayer:
        """The layer of its labels: argument (propositional) or dialogue (dialogical)."""
        return "dialogical" if "locutions" in self.needs else "propositional"

    def __reduce__(self) -> str:
        return self.code  # pickled as the constant of this module that has its code for a name


def relation_labels(side: ClassLinks) -> Iterator[ItemLabel]:
    """Yield links and undercuts with the types of relations."""
    for source in (*side.compared, *side.compared_undercuts):
        _, item, label = source
        yield item, label, source


def structure_labels(side: ClassLinks) -> Iterator[ItemLabel]:
    """Yield pairs of premises of a conclusion: ``linked`` where one RA takes both, else ``convergent``."""
    inferences: dict[int, dict[int, list[NodeLabel[AnyLink]]]] = {}
    for source in side.relations:
        _, link, type_ = source
        if type_ == "RA" and isinstance(link, Link):
            inferences.setdefault(link.end, {}).setdefault(link.start, []).append(source)
    for conclusion, premises in inferences.items():
        for first, second in combinations(sorted(premises), 2):
            nodes = {node for node, _, _ in premises[first]}
            linked = any(node in nodes for node, _, _ in premises[second])
            for source in (*premises[first], *premises[second]):
                yield JointSupport(first, second, conclusion), "linked" if linked else "convergent", source


def explicit_labels(side: ClassLinks) -> Iterator[ItemLabel]:
    """Yield links between propositions that were said, with the types of the paths between them."""
    if side.paths is None:
        return
    sources: dict[tuple[Item, str], list[NodeLabel[AnyLink]]] = {}
    for source in side.compared:
        sources.setdefault(source[1:], []).append(source)
    for (start, type_, end), path in side.paths.shortest.items():
        for step_start, step_type, step_end in path:
            for source in sources[side.link(step_start, step_end), step_type]:
                yield side.link(start, end), type_, source


def illocution_labels(side: ClassLinks) -> Iterator[ItemLabel]:
    """Yield anchors with the labels of their illocutions, whatever the content."""
    for source in side.acts:
        _, (_, anchor), label = source
        yield anchor, label, source


def connection_labels(side: ClassLinks) -> Iterator[ItemLabel]:
    """Yield pairs of content and anchor with the labels of their illocutions."""
    for source in side.acts:
        _, act, label = source
        content, _ = act
        if isinstance(content, int) or (content and content.type in side.types):
            yield act, label, source


def transition_labels(side: ClassLinks) -> Iterator[ItemLabel]:
    """Yield the transitions between classes."""
    for source in side.transitions:
        _, link, label = source
        if isinstance(link, Link):
            yield link, label, source


def in_transitions(side: ClassLinks, kind: type[int | Relation]) -> Iterator[ItemLabel]:
    """Yield the propositions (``int``) or the relations that are anchored in transitions."""
    for source in side.acts:
        _, (content, anchor), _ = source
        if isinstance(anchor, int) or not isinstance(content, kind):
            continue
        if isinstance(content, int) or content.type in side.types:
            yield source[1], "anchored", source


def related_pairs(sizes: UniverseSizes) -> int:
    """Return the number of pairs of propositions, with undercuts also of propositions and relations."""
    return sizes.pairs + (sizes.propositions * sizes.relations if sizes.undercuts else 0)


_BOTH: Final[tuple[NodeKind, ...]] = ("propositions", "locutions")
PR: Final = Calculation("PR", relation_labels, related_pairs)
AS: Final = Calculation("AS", structure_labels, None)
ER: Final = Calculation("ER", explicit_labels, lambda sizes: sizes.said_pairs, ())
IL: Final = Calculation("IL", illocution_labels, lambda sizes: sizes.anchors, ("locutions",), illocutionary=True)
IA: Final = Calculation(
    "IA",
    connection_labels,
    lambda sizes: (sizes.propositions + sizes.relations) * sizes.anchors,
    _BOTH,
    illocutionary=True,
)
TR: Final = Calculation("TR", transition_labels, lambda sizes: sizes.locutions * (sizes.locutions - 1), ("locutions",))
TP: Final = Calculation(
    "TP", lambda side: in_transitions(side, int), lambda sizes: sizes.propositions * sizes.transitions, _BOTH
)
TR2: Final = Calculation(
    "TR2", lambda side: in_transitions(side, Relation), lambda sizes: sizes.relations * sizes.transitions, _BOTH
)
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

    def labelled(self) -> Iterator[tuple[Item, frozenset[str], frozenset[str]]]:
        """Yield the items that a side labels, with the labels of both."""
        first, second = self.labels
        for item in dict.fromkeys((*first, *second)):
            yield item, first.get(item, _NOTHING), second.get(item, _NOTHING)

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
    sides: Sequence[ClassLinks], propositions: int, locutions: int, names: Iterable[str]
) -> dict[str, LabelledItems]:
    """Return the items of the named calculations for two analyses or more whose nodes are in so many classes."""
    sizes = UniverseSizes.from_links(sides, propositions, locutions)
    spellings = {spelling for side in sides for spelling in node_links(side.analysis.graph).label_names.items()}
    label_names = dict(sorted(spellings, reverse=True))
    chosen = set(names)
    labelled: dict[str, LabelledItems] = {}
    for name, calculation in CALCULATIONS.items():
        if name in chosen:
            labels = tuple(_label_sets(calculation.labels(side)) for side in sides)
            size_of = calculation.universe_size
            size = size_of(sizes) if size_of else len(set().union(*labels))
            labelled[name] = LabelledItems(calculation, size, labels, label_names if calculation.illocutionary else {})
    return labelled


def label_items_of_pair(
    alignment: Alignment, links: Pair[ClassLinks], options: Options, names: Iterable[str] = ()
) -> dict[str, LabelledItems]:
    """Return the items of the calculations of the options, or the named ones, with the reason where one does not
    apply."""
    propositions, locutions = (len(nodes.classes) for nodes in alignment.kinds)
    labelled = label_items(links, propositions, locutions, names or options.calculations)
    reference = options.reference == "first"
    if reference:
        held = _Held(links[0])
        labelled = {name: replace(items, size=held.size(items)) for name, items in labelled.items()}
    # Against a reference, what the second side lacks is wrong; an empty analysis is not left out of anything.
    common = () if options.layers == "all" or alignment.one_sided or reference else links
    for name, items in labelled.items():
        if reason := _reason(items, links, common, reference):
            labelled[name] = replace(items, reason=reason)
    return labelled


class _Held:
    """What the reference has: an item that nobody labels counts only if all that it is made of is the reference's."""

    def __init__(self, first: ClassLinks) -> None:
        self.propositions, self.locutions = {*first.proposition_class.values()}, {*first.locution_class.values()}
        self.said = {*first.said_class.values()}
        self.relations = {(link, type_) for _, link, type_ in first.compared}
        self.transitions = first.counted_transitions
        self.sizes = UniverseSizes.from_links([first], len(self.propositions), len(self.locutions))

    def size(self, items: LabelledItems) -> int:
        """Return the number of items of a calculation that are the reference's, or have a label."""
        labelled = set().union(*items.labels)
        size_of = items.calculation.universe_size
        if size_of is None:
            return len(labelled)
        return size_of(self.sizes) + sum(not self.has(item, items.calculation) for item in labelled)

    def has(self, item: Item, calculation: Calculation) -> bool:
        """Return whether an item is made of what the reference has."""
        match item:
            case IllocutionaryConnection(content, anchor):
                return self._has_content(content) and self._has_anchor(anchor)
            case Undercut(premise, relation):
                return self.sizes.undercuts and premise in self.propositions and relation in self.relations
            case int() | Link() | InnerLink() if calculation is IL:
                return self._has_anchor(item)
            case InnerLink(side):
                return side == 0
            case Link(start, end):
                nodes = self.locutions if calculation is TR else self.said if calculation is ER else self.propositions
                return start in nodes and end in nodes
        return False

    def _has_content(self, content: int | Relation | None) -> bool:
        return content in (self.propositions if isinstance(content, int) else self.relations)

    def _has_anchor(self, anchor: int | AnyLink) -> bool:
        return anchor in (self.locutions if isinstance(anchor, int) else self.transitions)


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
    labels = {item: _only(label) for item, label, _ in listed}
    if len(labels) < len(listed):  # an item has several labels, or one from several sources
        for item, label, _ in listed:
            if label not in labels[item]:
                labels[item] |= {label}
    return labels


@cache
def _only(label: str) -> frozenset[str]:
    """Return the set of one label, as most items have: one object, so that it is quickly compared."""
    return frozenset((label,))
