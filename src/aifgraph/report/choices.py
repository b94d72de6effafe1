"""The consequences of choices about a difference, and the decisions that a choice needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from aifgraph.comparison.differences import Difference
from aifgraph.comparison.differences.find import NodeNumber
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.rules import validate
from aifgraph.printable import quantity
from aifgraph.report.sentences import Pair, shorten

#: Rows by id, each with a side.
Group = list[tuple[str, int]]


class Choices:
    """The consequences of choices about the rows of a pair; ``numbers`` are those of its cards, by row."""

    def __init__(self, pair: Pair, numbers: Mapping[str, int]) -> None:
        self.pair, self.numbers = pair, numbers

    def also(self, row: Difference) -> dict[str, str]:
        """Return what goes, in words, without the first side of a row ("0"), the second ("1"), or both ("01")."""
        keys = ("0", "1", "01") if row.sides == "both" else (str(int(row.sides == "second")),)
        found = {key: self.lost_in_words(self.lost(row, key), row) for key in keys}
        return {key: words for key, words in found.items() if words}

    def lost(self, row: Difference, key: str) -> list[NodeNumber]:
        """Return the other relations, illocutions and transitions that go with these sides of a row.

        A scheme node goes when all goes that it starts from, or all that it leads to.
        """
        pair, units = self.pair, ("I", "L")
        own = [node for node in (*row.nodes, *row.follows) if str(node[0]) in key]
        if row.sides == "both" and len(key) == 1:  # what the other side has stands for it
            own = [node for node in row.follows if str(node[0]) == key and pair.kind(node) not in units]
        elif row.sides != "both" and row.group in (
            "propositions",
            "locutions",
        ):  # the rest goes when it has lost its ends
            own = [node for node in own if pair.kind(node) in units]
        gone, todo = set(own), list(own)
        while todo:
            side, node = todo.pop()
            for other in (*pair.sides[side].predecessors[node], *pair.sides[side].successors[node]):
                each = (side, other)
                idle = any(ends and all((side, end) in gone for end in ends) for ends in pair.ends(*each))
                if idle and each not in gone and pair.kind(each) not in (*units, ""):
                    gone.add(each)
                    todo.append(each)
        equal = {(1, other) for one, other in pair.differences.equal.items() if (0, one) in gone}
        return sorted(n for n in gone - equal - set(row.nodes) if pair.kind(n) not in units)

    def lost_in_words(self, nodes: list[NodeNumber], row: Difference) -> str:
        relations = [n for n in nodes if self.pair.kind(n) in RELATIONS]
        rest = Counter(
            "illocutions" if self.pair.kind(n) == "YA" else "transitions" for n in nodes if n not in relations
        )
        said = []
        for node in relations[:6]:
            words = "".join(f"“{shorten(p.text, 60)}”" if p.quoted else p.text for p in self.pair.sentence(*node))
            card = self.numbers.get(self.pair.row_of[node].id) if self.pair.row_of.get(node, row) is not row else None
            said.append(f"{words}{f' (card {card})' if card else ''}")
        said += [f"{len(relations) - 6} more relations"] if len(relations) > 6 else []
        said += [quantity(count, noun) for noun, count in rest.items()]
        return "; ".join(said)

    def needs(self, row: Difference) -> tuple[list[Group], list[Group]]:
        """Return, by side, groups of which a kept relation of the row needs one each: what it starts from, leads
        to, or is anchored in."""
        found: tuple[list[Group], list[Group]] = ([], [])
        for side, node in (*row.nodes, *row.follows):
            kind = self.pair.kind((side, node))
            groups = [*self.pair.ends(side, node)] if (side, node) in row.nodes and kind not in ("I", "L") else []
            if kind in RELATIONS and self.anchored:
                groups.append(self.anchors(side, node))
            found[side].extend(group for group in (self.deciding(side, ends) for ends in groups) if group)
        return found

    def anchors(self, side: int, node: int) -> list[int]:
        analysis = self.pair.sides[side]
        acts = [other for other in analysis.predecessors[node] if analysis.kinds[other] == "YA"]
        return [anchor for act in acts for anchor in analysis.predecessors[act]]

    @cached_property
    def anchored(self) -> bool:
        """Whether both maps keep the rules of IAT: then every relation of the merged one is anchored in it, too."""
        return not any(validate(side.graph, "iat", select="E").errors for side in self.pair.sides)

    def deciding(self, side: int, nodes: Sequence[int]) -> Group | None:
        """Return the rows that decide whether any of some nodes stays; None where one does in any case."""
        found: Group = []
        for node in nodes:
            row = self.pair.row_of.get((side, node))
            inner = [(row.id, side)] if row else None
            if row is None and self.pair.kind((side, node)) == "TA":
                inner = next(filter(None, (self.deciding(side, ends) for ends in self.pair.ends(side, node))), None)
            if inner is None:
                return None
            found += inner
        return found
