"""The cost of each difference: labels off the diagonals of the matrices, each counted in one row."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from aifgraph.align.alignment import NodeKind
from aifgraph.comparison.calculations import Count, paired
from aifgraph.comparison.differences.find import Disagreement, Found, group_of, id_order
from aifgraph.comparison.items import Act, Claim, InnerLink, Item, Link, Relation
from aifgraph.comparison.links import Claims


class Costs:
    """In whose row a label off the diagonal is counted, and on which others it hangs.

    A label hangs on the scheme nodes that say so, and on what these join and one side lacks. It is counted in the
    row of what is missing, of a premise rather than of a conclusion; else in that of the scheme node, on the first side
    rather than on the second, of several the first by id.
    """

    def __init__(self, found: Found, claims: tuple[Claims, Claims]) -> None:
        self.found = found
        self.claims = claims
        self.of_row: defaultdict[Disagreement, Counter[str]] = defaultdict(Counter)
        self.elsewhere: defaultdict[Disagreement, Counter[Disagreement]] = defaultdict(Counter)
        equal = found.equal.keys(), set(found.equal.values())
        #: The scheme nodes that a label may hang on, by side.
        self._open = [
            {
                node
                for node, facts in found.facts[side].items()
                if (side, node) in found.row_of or (node in equal[side] and len(facts) > 1)
            }
            for side in (0, 1)
        ]
        self._entries: dict[tuple[int, int, Item], tuple[list[tuple[int, str]], list[Disagreement]]] = {}
        #: The scheme nodes that join two classes, by side and link.
        self._joining: defaultdict[tuple[int, NodeKind, Item], list[int]] = defaultdict(list)
        for side, analysis in enumerate(found.sides):
            for node, facts in found.facts[side].items():
                nodes: NodeKind = "locutions" if analysis.kinds[node] == "TA" else "propositions"
                for item, _ in facts:
                    if isinstance(item, Link | InnerLink):
                        self._joining[side, nodes, item].append(node)

    def add(self, counts: Mapping[str, Count]) -> None:
        """Count the labels that differ in the calculations that apply."""
        for name, count in counts.items():
            if count.reason:
                continue
            differing = [(item, ours, theirs) for item, ours, theirs in count.items() if ours != theirs]
            claims = self._claims_of(count, {item for item, _, _ in differing})
            for item, ours, theirs in differing:
                links = list(_links_in(item, count.calculation.nodes))
                for first, second in paired(ours, theirs):
                    if first == second:
                        continue
                    said = [(side, claims[side, item, label]) for side, label in enumerate((first, second))]
                    rows = dict.fromkeys(row for side, own in said for row in self._rows(side, own, links))
                    # A claim of another wording may be one that only one side says: then no relation differs.
                    rows = rows or dict.fromkeys(
                        row for _, own in said for _, link, _ in own for row in self.found.rows_of_parts(link)
                    )
                    if rows:
                        counted, *others = rows
                        self.of_row[counted][name] += 1
                        for row in others:
                            self.elsewhere[row][counted] += 1

    def _rows(
        self, side: int, claims: list[Claim], links: list[tuple[NodeKind, Link | InnerLink]]
    ) -> Iterator[Disagreement]:
        """Yield the rows that a label of a side hangs on: those of its claims, then of the links of its item."""
        for _, said in groupby(claims, key=_link_of):
            yield from self._hanging_on(side, [(node, item) for node, item, _ in said])
        for nodes, link in links if claims else ():
            yield from self._hanging_on(side, [(node, link) for node in self._joining[side, nodes, link]])

    def _claims_of(self, count: Count, items: set[Item]) -> defaultdict[tuple[int, Item, str | None], list[Claim]]:
        """Return the claims that the labels of some items follow from, by side, item and label."""
        claims: defaultdict[tuple[int, Item, str | None], list[Claim]] = defaultdict(list)
        for side, of_side in enumerate(self.claims):
            for item, label, claim in count.calculation.labels(of_side):
                if item in items:
                    claims[side, item, label].append(claim)
        return claims

    def _hanging_on(self, side: int, said: Iterable[tuple[int, Item]]) -> list[Disagreement]:
        """Return the rows that hang together with what some scheme nodes say, in the order of ids."""
        entries = [self._entry(side, node, item) for node, item in said if node in self._open[side]]
        return [row for _, rows in sorted(entries, key=itemgetter(0)) for row in rows]

    def _entry(self, side: int, node: int, item: Item) -> tuple[list[tuple[int, str]], list[Disagreement]]:
        """Return the rows that hang together with what a scheme node says, with what puts it in order."""
        key = (side, node, item)
        if key not in self._entries:
            found, analysis = self.found, self.found.sides[side]
            rows = found.rows_of_ends(item, group_of(analysis.kinds[node]))
            own = found.row_of.get((side, node))
            # What scheme a relation is of changes no end of it.
            if own and own.kind != "scheme" and own not in rows:
                rows.append(own)
            first = [min(id_order(found.sides[of].ids[number]) for of, number in row.nodes) for row in rows[:1]]
            self._entries[key] = [id_order(analysis.ids[node]), *first], rows
        return self._entries[key]


def _link_of(claim: Claim) -> Item | None:
    """Return the link of a claim that is of one: the label of a path hangs on its links one after the other."""
    return claim[1] if isinstance(claim[1], Link | InnerLink) else None


def _links_in(item: Item, nodes: NodeKind) -> Iterator[tuple[NodeKind, Link | InnerLink]]:
    """Yield the relation and the transition that an illocution is about, or is anchored in."""
    if isinstance(item, Act):
        if isinstance(item.content, Relation):
            yield "propositions", item.content.link
        if not isinstance(item.anchor, int):
            yield "locutions", item.anchor
    elif isinstance(item, Link | InnerLink) and nodes == "locutions":
        yield nodes, item
