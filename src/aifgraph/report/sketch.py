"""What a picture of a map shows: boxes and arrows, with no place yet; and the parts that it falls into."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.difference_row import VERBS
from aifgraph.comparison.facts import Status
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.nodes import RELATIONS
from aifgraph.printable import printable, unhashed
from aifgraph.report.html.merged_map import Element, MapView, merged_map

_WIDTH = 32
_LETTERS = 240
_SAYS: Final[dict[Status, str]] = {
    "first": "first only",
    "second": "second only",
    "different": "labelled differently",
}


@dataclass(frozen=True, slots=True)
class Box:
    """A node of a picture: its type in AIF, its lines of text, and for two compared maps what they agree on."""

    number: int
    kind: str
    lines: tuple[str, ...]
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge between two boxes; ``kind`` is the type of the relation that it leads out of, empty for one into it."""

    source: int
    target: int
    kind: str = ""
    status: Status | None = None
    inner: bool = False


@dataclass(frozen=True)
class Sketch:
    """Boxes and arrows, in the order of the map.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> masks, air, alone = (build.proposition(text) for text in ("Masks help", "They filter", "It rains"))
    >>> _ = build.inference([air], masks)
    >>> sketch = sketch_of(build.graph(), "argument")
    >>> [len(part.boxes) for part in sketch.parts], sketch.arrows[1].kind
    ([3, 1], 'RA')
    """

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    @cached_property
    def parts(self) -> tuple[Sketch, ...]:
        """The connected parts, the largest first; parts of one size in the order of the map."""
        host = {box.number: box.number for box in self.boxes}

        def find(number: int) -> int:
            while host[number] != number:
                host[number] = host[host[number]]
                number = host[number]
            return number

        for arrow in self.arrows:
            host[find(arrow.source)] = find(arrow.target)
        boxes: dict[int, list[Box]] = {}
        arrows: dict[int, list[Arrow]] = {}
        for box in self.boxes:
            boxes.setdefault(find(box.number), []).append(box)
        for arrow in self.arrows:
            arrows.setdefault(find(arrow.source), []).append(arrow)
        found = [Sketch(tuple(each), tuple(arrows.get(root, ()))) for root, each in boxes.items()]
        return tuple(sorted(found, key=lambda part: -len(part.boxes)))


def sketch_of(shown: ArgumentGraph | Comparison, view: MapView) -> Sketch:
    """The sketch of a map, or of two compared maps in one.

    Args:
        shown: A map, or the comparison of two.
        view: ``argument`` for propositions and their relations, ``dialogue`` for everything.

    Returns:
        Boxes and arrows.
    """
    return _of_comparison(shown, view) if isinstance(shown, Comparison) else _of_graph(shown, view)


def _in_view(kind: str, view: MapView) -> bool:
    return view == "dialogue" or kind == "I" or kind in RELATIONS


def _of_graph(graph: ArgumentGraph, view: MapView) -> Sketch:
    numbers = {node.id: number for number, node in enumerate(graph) if _in_view(node.kind, view)}
    kinds = {node.id: node.kind for node in graph}
    boxes = [
        Box(numbers[node.id], node.kind, _lines(node.text if node.text.strip() else node.type))
        for node in graph
        if node.id in numbers
    ]
    arrows = [
        Arrow(numbers[edge.source], numbers[edge.target], _leading(kinds[edge.source]))
        for edge in graph.edges
        if edge.source in numbers and edge.target in numbers
    ]
    return Sketch(tuple(boxes), tuple(arrows))


def _of_comparison(result: Comparison, view: MapView) -> Sketch:
    merged = merged_map(result.alignment)
    elements = {each.number: each for each in merged.elements if _in_view(each.kind, view)}
    boxes = [Box(each.number, each.kind, _label(each), each.status) for each in elements.values()]
    arrows = [
        Arrow(line.source, line.target, _leading(elements[line.source].kind), line.status)
        for line in merged.lines
        if line.source in elements and line.target in elements
    ]
    parts = (each for each in elements.values() if each.part_of in elements)
    arrows += (Arrow(each.number, each.part_of, "", "part", inner=True) for each in parts if each.part_of is not None)
    return Sketch(tuple(boxes), tuple(arrows))


def _leading(kind: str) -> str:
    return "" if kind in ("I", "L") else kind


def _label(element: Element) -> tuple[str, ...]:
    members = [member for member in (element.first, element.second) if member is not None]
    if element.kind in ("I", "L"):
        member = members[0]
        speaker = f"{member.speaker}: " if member.speaker and member.kind == "I" else ""
        text = speaker + (member.text or "(no text)")
    else:
        text = " / ".join(dict.fromkeys(VERBS.get(member.kind, member.text or member.kind) for member in members))
    said = _SAYS.get(element.status)
    return (*_lines(text), *([f"({said})"] if said else []))


def _lines(text: str) -> tuple[str, ...]:
    """Text for a box: control characters as escapes, so that no program stops at them, in lines that fit."""
    whole = " ".join(unhashed(printable(text)).split())
    short = textwrap.shorten(whole, _LETTERS, placeholder=" …")
    if short == "…" or (len(short) < 4 < len(whole)):
        short = f"{whole[:_LETTERS]} …"
    return tuple(textwrap.wrap(short, _WIDTH)) or ("(no text)",)
