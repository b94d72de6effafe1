"""Differences in words: their nodes, what kind each is, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from aifgraph.align.alignment import Alignment
from aifgraph.comparison.breakdown import scheme_names
from aifgraph.comparison.differences.find import NodeNumber, id_order
from aifgraph.graph.nodes import RELATIONS
from aifgraph.printable import quantity

if TYPE_CHECKING:
    from aifgraph.comparison.differences.rows import Difference

#: What a relation of each type does, and a transition; and the same of several premises together.
VERBS: Final = {"RA": "supports", "CA": "attacks", "MA": "rephrases", "PA": "is preferred to", "TA": "is followed by"}
PLURALS: Final = {
    "supports": "support",
    "attacks": "attack",
    "rephrases": "rephrase",
    "is preferred to": "are preferred to",
}
#: What a scheme node starts from in words: not the illocutions that anchor it, nor the conflicts that attack it.
_STARTS: Final = {"YA": ("L", "TA"), "TA": ("L",), **dict.fromkeys(RELATIONS, ("I",))}
#: After every word of a text.
NOWHERE: Final = (1 << 60, 1 << 60)


class NodeWording:
    """Puts the nodes of an alignment into words, in the order of the text."""

    def __init__(self, alignment: Alignment) -> None:
        self.sides = alignment.first, alignment.second
        self._positions = alignment.first_positions, alignment.second_positions

    def words(self, node: NodeNumber, depth: int = 0) -> str:
        """Return a node in words; at a ``depth`` of 1 a relation stands in brackets, deeper only its verb."""
        side, number = node
        analysis = self.sides[side]
        kind = analysis.kinds[number]
        if kind in ("I", "L"):
            return f"“{' '.join(analysis.texts[number].split())}”"
        label = analysis.label_names[number] if kind == "YA" else VERBS.get(kind, kind)
        if depth > 1:
            return label
        starts = [start for start in analysis.predecessors[number] if analysis.kinds[start] in _STARTS[kind]]
        ends = [end for end in analysis.successors[number] if kind == "YA" or analysis.kinds[end] != "YA"]
        source, target = self._joined(side, starts, depth), self._joined(side, ends, depth)
        if kind == "YA":
            return f"{label}: {target} in {source}"
        names = [] if depth or kind == "TA" else list(scheme_names(analysis.nodes[number], kind))
        verb = label if len(starts) < 2 else PLURALS.get(label, label)
        words = f"{source} {verb} {target}" + (f" ({', '.join(names)})" if names else "")
        return f"[{words}]" if depth else words

    def _joined(self, side: int, numbers: Sequence[int], depth: int) -> str:
        nodes = self.in_reading_order((side, number) for number in numbers)
        return " and ".join(self.words(node, depth + 1) for node in nodes) or "nothing"

    def in_reading_order(self, nodes: Iterable[NodeNumber]) -> list[NodeNumber]:
        """Return the nodes of the first side, then of the second, each as they stand in the text, then by id."""
        several = list(nodes)
        if len(several) > 1:
            several.sort(key=lambda node: (node[0], self.span(node) or NOWHERE, id_order(self.id(node))))
        return several

    def id(self, node: NodeNumber) -> str:
        """Return the id of a node."""
        return self.sides[node[0]].ids[node[1]]

    def span(self, node: NodeNumber) -> tuple[int, int] | None:
        """Return the first word of what a node is about, and the one after the last."""
        side, number = node
        positions, analysis = self._positions[side], self.sides[side]
        if runs := positions.get(number):
            return runs[0][0], runs[-1][1]
        if analysis.kinds[number] in ("I", "L"):
            return None
        # A relation stands where its premises are, an illocution where its content is said.
        for ends in (analysis.predecessors[number], analysis.successors[number]):
            if found := [positions[end] for end in ends if end in positions]:
                return min(runs[0][0] for runs in found), max(runs[-1][1] for runs in found)
        return None

    def spans(self, nodes: Iterable[NodeNumber]) -> tuple[int, int] | None:
        """Return the words that some nodes are about, from the first to after the last."""
        found = [span for node in nodes if (span := self.span(node))]
        return (min(start for start, _ in found), max(end for _, end in found)) if found else None


def heading(row: Difference) -> str:
    """Return the kind of a difference with what differs: "relation: re-attached"."""
    kind = "another scheme" if row.kind == "scheme" else row.kind
    return f"{row.group.removesuffix('s')}: {kind if row.sides == 'both' else f'only the {row.sides} has it'}"


def cost(row: Difference) -> str:
    """Return what a difference costs, and how many decisions that hang on it are counted in other rows."""
    if not row.at_stake:
        return "no score counts it"
    elsewhere = f", {row.at_stake - row.decisions} more in other rows" if row.counted_with else ""
    return f"{quantity(row.decisions, 'decisions')}{elsewhere}"


def listing(rows: Iterable[Difference]) -> str:
    """Return a paragraph for each difference."""
    lines: list[str] = []
    for row in rows:
        lines.append(f"{row.id}  {heading(row)} ({cost(row)})")
        lines += [
            f"  {side}: {words}"
            for side, words in (("first", row.first_wording), ("second", row.second_wording))
            if words
        ]
        lines += [f"  used in: {relation}" for relation in row.relations]
        lines.append("")
    return "\n".join(lines)
