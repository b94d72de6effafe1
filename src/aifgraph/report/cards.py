"""The cards of a pair: the rows about one unit of the text together, as people read and decide them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from aifgraph.adjudication.selection import SchemeEnds
from aifgraph.align.alignment import NodeClass
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.differences import Difference
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.comparison.differences.words import Piece
from aifgraph.graph.columns import UnionFind
from aifgraph.report.sentences import HIDDEN, group_of, plain
from aifgraph.text.words import words_of

#: The least share of words that a proposition and the locution that says it have in common; the most pairs to look at.
_ALIKE: Final = 0.4
_MAX_PAIRS: Final = 1_000_000
_ORDER: Final = ("propositions", "locutions", "relations", "illocutions", "transitions")


@dataclass
class Part:
    """A difference as the page shows it: the way it differs, and a sentence for each side."""

    row: Difference
    way: str
    said: tuple[list[Piece], list[Piece]]


@dataclass
class Card:
    """The differences about a unit, what it says first, with its nodes; and where the page shows it: its passage, and
    the classes of the claims that it is about."""

    rows: list[Difference] = field(default_factory=list)
    nodes: list[NodeNumber] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    classes: list[int] = field(default_factory=list)
    passage: int = 0
    number: int = 0

    @property
    def content(self) -> bool:
        """Whether the sides differ in the unit itself, not only in what it is joined to."""
        return self.rows[0].group in _ORDER[:2]

    @property
    def groups(self) -> list[str]:
        """What switches it on and off."""
        return [*dict.fromkeys(map(group_of, self.rows))]

    @property
    def cost(self) -> int:
        return sum(row.cost for row in self.rows)

    @property
    def folded(self) -> bool:
        return {*self.groups} <= {*HIDDEN}

    @property
    def sides(self) -> list[int]:
        return [side for side in (0, 1) if any(node[0] == side for row in self.rows for node in row.nodes)]

    @property
    def title(self) -> str:
        """How the parts differ, each way with what differs so."""
        ways: dict[str, Counter[str]] = {}
        for part in self.parts:
            ways.setdefault(part.way, Counter())[part.row.group] += 1
        named = ((way, [g[:-1] if n == 1 else f"{n} {g}" for g, n in groups.items()]) for way, groups in ways.items())
        return "; ".join(f"{', '.join(what)} {way}" for way, what in named)

    def repeats_passage(self, text: str) -> bool:
        """Say whether it says no more than the text above it: that one side has no such unit."""
        quotes = ([p.text for pieces in part.said for p in pieces if p.quoted] for part in self.parts)
        said = ([*map(plain, texts)] == [plain(text)] for texts in quotes)
        return {row.group for row in self.rows} <= {"propositions", "locutions"} and all(said)


def unsaid_pairs(analysis: Analysis) -> Iterator[tuple[int, int]]:
    """Yield propositions that no illocution anchors in a locution, each with the locution that says about the same and
    has no proposition either: some corpora leave these illocutions out."""
    speaking = {node for locutions in analysis.locutions_of.values() for node in locutions}
    kinds = [*enumerate(analysis.kinds)]

    def words(nodes: Iterable[int]) -> dict[int, set[str]]:
        return {n: set(words_of(analysis.said[n])) for n in nodes}

    claims = words(n for n, kind in kinds if kind == "I" and not analysis.locutions_of.get(n))
    locutions = words(n for n, kind in kinds if kind == "L" and n not in speaking)
    if len(claims) * len(locutions) > _MAX_PAIRS:
        return
    alike = (
        (2 * len(ours & theirs) / (len(ours) + len(theirs) or 1), claim, locution)
        for claim, ours in claims.items()
        for locution, theirs in locutions.items()
    )
    for _, claim, locution in sorted(pair for pair in alike if pair[0] >= _ALIKE)[::-1]:
        if claim in claims and locution in locutions:
            del claims[claim], locutions[locution]
            yield claim, locution


def cards_of(schemes: SchemeEnds) -> list[Card]:
    """Return the rows by unit, in the order of the text.

    A unit is a proposition with the locutions that say it. A relation, illocution or transition is at what it starts
    from (an illocution at what it says), or at what it leads to if the sides differ in that only.
    """
    units: UnionFind[NodeClass] = UnionFind(schemes.classes.values())
    for side, analysis in enumerate(schemes.analyses):
        for claim, locutions in analysis.locutions_of.items():
            said = [schemes.classes[side, n] for n in (claim, *locutions) if (side, n) in schemes.classes]
            units.union(*said) if said else None
        for claim, locution in unsaid_pairs(analysis):
            units.union(schemes.classes[side, claim], schemes.classes[side, locution])
    rows = schemes.differences.rows
    differing = {units[schemes.classes[n]] for row in rows if row.group in _ORDER[:2] for n in row.nodes}

    cards: defaultdict[object, Card] = defaultdict(Card)
    for row in rows:
        about = [units[schemes.classes[n]] for node in row.nodes for n in schemes.units(node)]
        unit = next((near for near in about if near in differing), about[0] if about else row.id)
        cards[unit].rows.append(row)
    for node, node_class in schemes.classes.items():
        if (unit := units[node_class]) in cards:
            cards[unit].nodes.append(node)
    for card in cards.values():
        card.rows.sort(key=lambda row: _ORDER.index(row.group))
    return [*cards.values()]
