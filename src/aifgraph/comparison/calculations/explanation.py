"""What stands behind a number: an item in words, and the nodes that it is made of (docs/measures.md, section 4)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from typing import Any, Literal

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.items import Anchor, Content, InnerLink, Link, Relation
from aifgraph.comparison.calculations.links import SideLinks, links_of_both
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


#: Words for an item, and the ids of its nodes on the first and on the second side.
Wording = tuple[str, list[str], list[str]]


class Explainer:
    """Puts items of one alignment into words."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment
        self._quotations: dict[tuple[bool, int], str] = {}
        self._classes: dict[tuple[Nodes, int], Wording] = {}

    @cached_property
    def texts(self) -> list[str]:
        """All texts of both sides, sorted, so that those with the same beginning stand together."""
        return sorted({*self.alignment.first.said.values(), *self.alignment.second.said.values()})

    def sides(self, types: frozenset[str]) -> tuple[SideLinks, SideLinks]:
        """The links of both sides, made of the relations of these types."""
        return links_of_both(self.alignment, types)

    def anchor(self, anchor: Anchor) -> Wording:
        """A locution class, or a transition."""
        return self.class_("locutions", anchor) if isinstance(anchor, int) else self.link("locutions", anchor)

    def content(self, content: Content) -> Wording:
        """A proposition class, or a relation."""
        return self.relation(content) if isinstance(content, Relation) else self.class_("propositions", content)

    def relation(self, relation: Relation) -> Wording:
        """A relation with its type."""
        text, first, second = self.link("propositions", relation.link)
        return f"{relation.type} ({text})", first, second

    def link(self, layer: Nodes, link: Link | InnerLink) -> Wording:
        """From one class, or node of a class, to another."""
        if isinstance(link, Link):
            return self.both(self.class_(layer, link.start), " → ", self.class_(layer, link.end))
        side = self.alignment.second if link.owner else self.alignment.first
        start, end = self.quoted(side, link.start), self.quoted(side, link.end)
        text = f"{start} → {end} (inside one unit of the other)"
        ids = [side.ids[link.start], side.ids[link.end]]
        return (text, [], ids) if link.owner else (text, ids, [])

    def class_(self, layer: Nodes, number: int) -> Wording:
        """A class by the text of its first node."""
        if (layer, number) not in self._classes:
            self._classes[layer, number] = self._class(layer, number)
        return self._classes[layer, number]

    def _class(self, layer: Nodes, number: int) -> Wording:
        first, second = self.alignment.ids(layer, number)
        node_class = getattr(self.alignment, layer).classes[number]
        if node_class.first:
            return self.quoted(self.alignment.first, node_class.first[0]), first, second
        return self.quoted(self.alignment.second, node_class.second[0]), first, second

    def quoted(self, side: Analysis, node: int) -> str:
        """The text of a node in quotes, cut where it is long, but not before the words that no other text has there.

        A speaker (in some corpora a hash) is shortened, so that it does not take the place of the words.
        """
        key = side is self.alignment.second, node
        if key not in self._quotations:
            self._quotations[key] = self._quotation(side, node)
        return self._quotations[key]

    def _quotation(self, side: Analysis, node: int) -> str:
        utterance = side.said[node]
        speaker = speaker_prefix(side.texts[node]) if side.kinds[node] == "L" else ""
        if len(speaker) > _SPEAKER:
            speaker = f"{speaker[: _SPEAKER - 1]}…"
        end = len(utterance)
        if end > _SAID:
            end = _SAID - 1
            start = utterance[:end]
            following = islice(self.texts, bisect_left(self.texts, start), None)
            alike = [text for text in takewhile(lambda text: text.startswith(start), following) if text != utterance]
            for text in alike:
                same = (
                    number for number, (one, other) in enumerate(zip(utterance, text, strict=False)) if one != other
                )
                end = max(end, next(same, min(len(utterance), len(text))) + 1)
            while alike and end < len(utterance) and not utterance[end].isspace():
                end += 1
        words = " ".join(utterance[:end].split()) + ("…" if end < len(utterance) else "")
        return f"“{speaker}: {words}”" if speaker else f"“{words}”"

    @staticmethod
    def both(one: Wording, between: str, other: Wording) -> Wording:
        """Two wordings, and all of their nodes."""
        return one[0] + between + other[0], one[1] + other[1], one[2] + other[2]
