"""The two calculations over propositions (paper, section 5; docs/measures.md, section 4).

``propositional_relations``: which propositions are related, and how. ``argument_structure``: linked against convergent
support; the label is ``linked`` where one RA takes both premises, else ``convergent``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from aifgraph.comparison.calculations.calculation import Definition, Sizes
from aifgraph.comparison.calculations.items import (
    Claimed,
    InnerLink,
    Item,
    JointSupport,
    Labels,
    Link,
    Undercut,
    label_sets,
    only,
)

if TYPE_CHECKING:
    from aifgraph.comparison.calculations.explanation import Explainer, Wording
    from aifgraph.comparison.calculations.links import SideLinks


def relation_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Links and undercuts with the types of relations."""
    kinds = side.analysis.kinds
    labelled: list[tuple[Item, str]] = [relation for relations in side.relations.values() for relation in relations]
    for node in side.structure.undercutting:
        if kinds[node] in side.types:
            labelled += [(undercut, kinds[node]) for undercut in side.undercuts(node)]
    return label_sets(labelled)


def relation_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """The ordered pairs of proposition classes, and of nodes inside a class; where a side has a relation on a relation,
    also every (proposition class, relation)."""
    has_undercut = any(isinstance(item, Undercut) for labels in sides for item in labels)
    classes = sizes.propositions
    return classes * (classes - 1) + sizes.inner_pairs + (classes * sizes.relations if has_undercut else 0)


def explain_relation(explainer: Explainer, item: Link | InnerLink | Undercut) -> Wording:
    """From premise to conclusion."""
    if isinstance(item, Undercut):
        return explainer.both(explainer.class_("propositions", item.premise), " on ", explainer.relation(item.relation))
    return explainer.link("propositions", item)


def structure_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """Pairs of premises over the inferences; links inside a class are left out."""
    analysis, class_of = side.analysis, side.proposition_class
    supports: dict[int, set[int]] = {}
    linked: set[JointSupport] = set()
    for node, kind in enumerate(analysis.kinds):
        if kind != "RA":
            continue
        premises = {class_of[other] for other in analysis.predecessors[node] if analysis.kinds[other] == "I"}
        for conclusion in {class_of[other] for other in analysis.successors[node] if analysis.kinds[other] == "I"}:
            together = premises - {conclusion}
            supports.setdefault(conclusion, set()).update(together)
            linked.update(JointSupport(*pair, conclusion) for pair in combinations(sorted(together), 2))
    return {
        support: only("linked" if support in linked else "convergent")
        for conclusion, premises in supports.items()
        for support in (JointSupport(*pair, conclusion) for pair in combinations(sorted(premises), 2))
    }


def explain_structure(explainer: Explainer, item: JointSupport) -> Wording:
    """Both premises and their conclusion."""
    first, second, conclusion = (explainer.class_("propositions", number) for number in item)
    return explainer.both(explainer.both(first, " and ", second), " for ", conclusion)


#: Which propositions are related, and how.
PROPOSITIONAL_RELATIONS = Definition(
    "propositional_relations",
    "PR",
    ("propositions",),
    "Which propositions are related, and how?",
    labels=relation_labels,
    universe=relation_universe,
    explain=explain_relation,
    claims=lambda item, label: (Claimed("S", item, label),),
)
#: Linked against convergent support: the pairs of classes that both support a conclusion, on any side, with that one.
ARGUMENT_STRUCTURE = Definition(
    "argument_structure",
    "AS",
    ("propositions",),
    "Do premises support a conclusion together or each for itself?",
    labels=structure_labels,
    universe=lambda sizes, sides: len({item for labels in sides for item in labels}),
    explain=explain_structure,
    claims=lambda item, label: tuple(
        Claimed("S", Link(premise, item.conclusion), "RA") for premise in (item.first, item.second)
    ),
)
