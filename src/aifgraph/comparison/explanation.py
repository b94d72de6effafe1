"""What stands behind a number: the nodes of an item, and why a class is a class (docs/measures.md, sections 3, 4)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from typing import Any, Literal

from aifgraph.align.alignment import Alignment, NodeClass
from aifgraph.align.analysis import Analysis
from aifgraph.align.match import Match
from aifgraph.comparison.calculations.items import (
    Anchor,
    AnchoredContent,
    InnerLink,
    Item,
    JointSupport,
    Link,
    Relation,
    Undercut,
)
from aifgraph.graph.meta import speaker_prefix

Nodes = Literal["propositions", "locutions"]

#: Characters of what was said, and of a speaker's name, that a quotation has where fewer would do.
_SAID = 60
_SPEAKER = 16


@dataclass(frozen=True, slots=True)
class ExplainedItem:
    """An item of a calculation in words, with the ids of the nodes it is made of on each side."""

    text: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"text": self.text, "first": list(self.first), "second": list(self.second)}

    def __str__(self) -> str:
        return self.text


def because(alignment: Alignment, node_class: NodeClass) -> str:
    """How a class came about: matched, with what joined it as a part, or alone."""
    if node_class.match is None:
        return "alone: no node of the other analysis is admissible and free"
    parts = [_matched(alignment, node_class.match)]
    for side, node, share in node_class.joined:
        id_ = (alignment.second if side else alignment.first).ids[node]
        parts.append(f"joined as part: {('first', 'second')[side]} {id_}, {share:.0%} of its words are covered")
    return "; ".join(parts)


def _matched(alignment: Alignment, match: Match) -> str:
    same = "equal texts" if match.similarity == 1 else f"similarity {match.similarity:.3f}"
    if match.by == "meaning":
        return f"matched by meaning, {match.cosine:.2f} ({same})"
    place, other_place = alignment.first_positions.get(match.first), alignment.second_positions.get(match.second)
    if place and other_place:
        where = "at the same place" if place == other_place else "at places that overlap"
    else:
        where = "by text alone, a position being unknown"
    return f"matched: {same}, {where}"


def explain(alignment: Alignment, calculation: str, item: Item) -> ExplainedItem:
    """An item of a calculation in words; for many items, use one ``Explainer``."""
    return Explainer(alignment).explained(calculation, item)


_Parts = tuple[str, list[str], list[str]]


class Explainer:
    """Puts items of one alignment into words."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment

    def explained(self, calculation: str, item: Item) -> ExplainedItem:
        """An item of a calculation in words."""
        text, first, second = self.item(calculation, item)
        return ExplainedItem(text, tuple(dict.fromkeys(first)), tuple(dict.fromkeys(second)))

    @cached_property
    def texts(self) -> list[str]:
        """All texts of both sides, sorted, so that those with the same beginning stand together."""
        return sorted({*self.alignment.first.said.values(), *self.alignment.second.said.values()})

    def item(self, calculation: str, item: Item) -> _Parts:
        match item:
            case Undercut(premise, relation):
                return self.both(self.class_("propositions", premise), " on ", self.relation(relation))
            case JointSupport(first, second, conclusion):
                pair = self.both(self.class_("propositions", first), " and ", self.class_("propositions", second))
                return self.both(pair, " for ", self.class_("propositions", conclusion))
            case AnchoredContent(content, anchor):
                what = self.relation(content) if isinstance(content, Relation) else self.class_("propositions", content)
                return self.both(what, " in ", self.anchor(anchor))
            case Link() | InnerLink() if calculation == "propositional_relations":
                return self.link("propositions", item)
            case _:
                return self.anchor(item)

    def anchor(self, anchor: Anchor) -> _Parts:
        return self.class_("locutions", anchor) if isinstance(anchor, int) else self.link("locutions", anchor)

    def relation(self, relation: Relation) -> _Parts:
        text, first, second = self.link("propositions", relation.link)
        return f"{relation.type} ({text})", first, second

    def link(self, layer: Nodes, link: Link | InnerLink) -> _Parts:
        if isinstance(link, Link):
            return self.both(self.class_(layer, link.start), " → ", self.class_(layer, link.end))
        side = self.alignment.second if link.owner else self.alignment.first
        start, end = self.quoted(side, link.start), self.quoted(side, link.end)
        text = f"{start} → {end} (inside one unit of the other)"
        ids = [side.ids[link.start], side.ids[link.end]]
        return (text, [], ids) if link.owner else (text, ids, [])

    def class_(self, layer: Nodes, number: int) -> _Parts:
        first, second = self.alignment.ids(layer, number)
        node_class = getattr(self.alignment, layer).classes[number]
        if node_class.first:
            return self.quoted(self.alignment.first, node_class.first[0]), first, second
        return self.quoted(self.alignment.second, node_class.second[0]), first, second

    def quoted(self, side: Analysis, node: int) -> str:
        """The text of a node in quotes, cut where it is long, but not before the words that no other text has there.

        A speaker (in some corpora a hash) is shortened, so that it does not take the place of the words.
        """
        kept, key = self.alignment.quotations, (side is self.alignment.second, node)
        if key not in kept:
            kept[key] = self._quotation(side, node)
        return kept[key]

    def _quotation(self, side: Analysis, node: int) -> str:
        said = side.said[node]
        speaker = speaker_prefix(side.texts[node]) if side.kinds[node] == "L" else ""
        if len(speaker) > _SPEAKER:
            speaker = f"{speaker[: _SPEAKER - 1]}…"
        end = len(said)
        if end > _SAID:
            end = _SAID - 1
            start = said[:end]
            following = islice(self.texts, bisect_left(self.texts, start), None)
            alike = [text for text in takewhile(lambda text: text.startswith(start), following) if text != said]
            for text in alike:
                same = (number for number, (one, other) in enumerate(zip(said, text, strict=False)) if one != other)
                end = max(end, next(same, min(len(said), len(text))) + 1)
            while alike and end < len(said) and not said[end].isspace():
                end += 1
        words = " ".join(said[:end].split()) + ("…" if end < len(said) else "")
        return f"“{speaker}: {words}”" if speaker else f"“{words}”"

    @staticmethod
    def both(one: _Parts, between: str, other: _Parts) -> _Parts:
        return one[0] + between + other[0], one[1] + other[1], one[2] + other[2]
