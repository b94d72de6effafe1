"""The items that the calculations count, each a class of its own (docs/measures.md, section 4).

Classes of propositions and of locutions are numbers, as an alignment gives them. Named tuples, because an item is a key
that is made and looked up for every link of a map.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple


class Link(NamedTuple):
    """From one class to another; whichever side joins them, it is the same link."""

    start: int
    end: int


class InnerLink(NamedTuple):
    """Between two nodes of one class; only their own side can have it. ``owner`` is the number of that side."""

    owner: int
    start: int
    end: int


class Relation(NamedTuple):
    """A link between propositions with the type of its S-node (RA, CA, MA, PA)."""

    link: Link | InnerLink
    type: str


class Undercut(NamedTuple):
    """A proposition class that bears on a relation: against an inference, or for it."""

    premise: int
    relation: Relation


class JointSupport(NamedTuple):
    """Two proposition classes (the smaller number first) that both support the class ``conclusion``."""

    first: int
    second: int
    conclusion: int


#: Where something is done: a locution class, or a transition.
Anchor = int | Link | InnerLink
#: What is done there: a proposition class, or a relation.
Content = int | Relation


class AnchoredContent(NamedTuple):
    """A content and an anchor."""

    content: Content
    anchor: Anchor


class At(NamedTuple):
    """Something done in an anchor, whatever its content, if it has one."""

    anchor: Anchor


#: What a calculation counts: the values above, class numbers, or any other value that can be a key.
Item = Hashable

#: What a scheme node may claim.
Claim = Link | InnerLink | Undercut | AnchoredContent | At
#: The scheme nodes of relations, of transitions, and illocutions.
Group = Literal["S", "TA", "YA"]


class Claimed(NamedTuple):
    """A claim of scheme nodes of one group, under one label, or under any (None)."""

    group: Group
    claim: Claim
    label: str | None = None


#: Item → the labels that a side gives it, each once.
Labels = Mapping[Item, frozenset[str]]


@cache
def only(label: str) -> frozenset[str]:
    """One label alone, as most items have: one value for all of them, not one each."""
    return frozenset((label,))


def label_sets(labelled: Sequence[tuple[Item, str]]) -> dict[Item, frozenset[str]]:
    """The labels of each item, in the order in which the items come.

    >>> [sorted(labels) for labels in label_sets([(1, "Asserting"), (2, "Arguing"), (1, "Arguing")]).values()]
    [['Arguing', 'Asserting'], ['Arguing']]
    """
    labels = {item: only(label) for item, label in labelled}
    if len(labels) < len(labelled):  # an item has several, or one twice
        for item, label in labelled:
            if label not in labels[item]:
                labels[item] |= only(label)
    return labels
