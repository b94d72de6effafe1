"""Where the argument view of a page has its boxes and lines: laid out here, once for all maps of the page, which only
draw it.

What hangs together is laid out by Graphviz for itself; these components are packed in the order of the text. How large
a box is, is estimated with the widths of a wide font, so that the text fits in any.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from aifgraph.comparison.differences import VERBS, Difference
from aifgraph.errors import AifgraphError
from aifgraph.graph.nodes import RELATIONS
from aifgraph.groups import Groups
from aifgraph.report.graphviz import Laid, installed, lay_out
from aifgraph.report.html.merged_map import Element, Member, MergedMap

#: Pixels: width of a box with a text, height of a line, of a letter; widest text in the box of a relation.
_TEXT, _LINE, _FONT, _PILL = 220, 18, 14, 106
#: Letters of a text that a box shows (``LETTERS`` of boxes.js).
_LETTERS: Final = 180
#: Boxes of the map of one difference: with what is beside it, and at most.
_FEW, _MANY = 6, 12
#: Pixels between components, and the least width that they are packed into.
_APART, _ROOM = 28, 1000
#: Widths of letters, in parts of the size of the font.
_WIDTHS: Final = {
    letter: width
    for width, letters in (
        (0.30, "'ijlIJ"), (0.36, ",. /:;\\|f-"), (0.42, "t()[]!r"), (0.53, '"*_`sz?'), (0.59, "cLkFvxy"),
        (0.65, "PaoTYebdghnpquES0123456789${}"), (0.70, "KAVBRXZC"), (0.79, "UHNDG&OQ"), (0.86, "w#+<=>^~M"),
        (1.0, "%mW@"),
    )
    for letter in letters
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A box: its upper left corner and its size, in pixels."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Tip:
    """Where a line ends, and the direction in which it arrives there."""

    x: float
    y: float
    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class Path:
    """A line as SVG draws it, its end, and the box around it."""

    d: str
    tip: Tip
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True)
class MapLayout:
    """Places by the number of an element, lines by the numbers of their ends; ``why`` says why there are none."""

    places: Mapping[int, Place]
    paths: Mapping[tuple[int, int], Path]
    width: float
    height: float
    why: str = ""


def argument_layout(merged: MergedMap, order: Sequence[int]) -> MapLayout:
    """The layout of propositions and their relations, for which ``order`` has the place in the text.

    >>> import aifgraph
    >>> from aifgraph.report.html.merged_map import merged_map
    >>> build = aifgraph.GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter the air")], build.proposition("Masks help"))
    >>> merged = merged_map(aifgraph.compare(build.graph(), build.graph()).differences())
    >>> layout = argument_layout(merged, range(len(merged.elements)))
    >>> len(layout.places), len(layout.paths)
    (3, 2)
    """
    if not installed():
        return MapLayout(
            {}, {}, 0, 0, "pygraphviz is not installed, which lays out this view (pip install 'pygraphviz>=2.0')."
        )
    shown = {each.number: each for each in merged.elements if each.kind == "I" or each.kind in RELATIONS}
    sizes = {number: _size(shown[number]) for number in sorted(shown, key=order.__getitem__)}
    links = list(dict.fromkeys(_links(merged, shown)))
    groups = Groups(sizes)
    for link in links:
        groups.join(*link)
    boxes: dict[int, dict[int, tuple[float, float]]] = {}
    for number, size in sizes.items():
        boxes.setdefault(groups[number], {})[number] = size
    joined: dict[int, list[tuple[int, int]]] = {}
    for link in links:
        joined.setdefault(groups[link[0]], []).append(link)
    try:
        laid = [lay_out(own, joined.get(at, ())) for at, own in boxes.items()]
    except AifgraphError as error:
        return MapLayout({}, {}, 0, 0, f"{error}")
    return _packed(laid, sizes)


@dataclass(frozen=True, slots=True)
class SmallMap:
    """A map of a few elements, and the number of its layout, which has them in this order, counted from 0."""

    elements: tuple[int, ...]
    layout: int


class SmallMaps:
    """What a difference is about in a map of its own: the boxes that it names, with what they join or are joined by.

    Maps with boxes of one size and the same lines share one of the ``layouts``.
    """

    def __init__(self, merged: MergedMap) -> None:
        self.merged = merged
        self.layouts: list[MapLayout] = []
        self.numbers: dict[_Shape, int] = {}
        self.near: dict[int, list[int]] = {element.number: [] for element in merged.elements}
        for source, target in _links(merged, self.near):
            self.near[source].append(target)
            self.near[target].append(source)
        self.lines = {(line.source, line.target): (line.first, line.second) for line in merged.lines}
        self.size = cache(lambda number, side: _size(merged.elements[number], side))

    def of(self, row: Difference) -> list[SmallMap]:
        """The maps of a difference, from left to right: as the first side has it, and as the second has it. None where
        nothing lays them out."""
        own = list(dict.fromkeys(self.merged.of[node] for node in row.nodes if node in self.merged.of))
        return [self.side(self.around(own), side) for side in (0, 1)] if own and installed() else []

    def side(self, around: list[int], side: int) -> SmallMap:
        elements = [self.merged.elements[number] for number in around]
        numbers = [each.number for each in elements if (each.second if side else each.first) is not None]
        at = {number: index for index, number in enumerate(numbers)}
        sizes = tuple(self.size(number, side) for number in numbers)
        links = tuple((at[a], at[b]) for a in numbers for b in self.near[a] if b in at and self.has(a, b, side))
        layout = self.numbers.setdefault((sizes, links), len(self.layouts))
        if layout == len(self.layouts):
            self.layouts.append(_alike(sizes, links))
        return SmallMap(tuple(numbers), layout)

    def has(self, source: int, target: int, side: int) -> bool:
        """Whether a side has this line."""
        if self.merged.elements[source].part_of == target:
            return True
        return self.lines.get((source, target), (False, False))[side]

    def around(self, own: list[int]) -> list[int]:
        """These elements with the ends of those that are schemes; of a text alone the relations that it is in, while
        there is room."""
        found = dict.fromkeys(own)
        for number in own:
            found |= dict.fromkeys(self.ends(number))
        for number in own:
            for scheme in () if self.scheme(number) else self.near[number]:
                more = dict.fromkeys([scheme, *self.ends(scheme)])
                if self.kind(scheme) != "YA" and len(found | more) <= _FEW:
                    found |= more
        return list(found)[:_MANY]

    def ends(self, number: int) -> list[int]:
        """What a scheme joins, and for a scheme among these what that joins in turn."""
        if not self.scheme(number):
            return []
        ends = [other for other in self.near[number] if self.kind(other) != "YA"]
        further = [end for other in ends if self.scheme(other) for end in self.near[other] if not self.scheme(end)]
        return [*ends, *further]

    def kind(self, number: int) -> str:
        return self.merged.elements[number].kind

    def scheme(self, number: int) -> bool:
        return self.kind(number) not in ("I", "L")


#: The sizes of boxes, and what joins them.
_Shape = tuple[tuple[tuple[float, float], ...], tuple[tuple[int, int], ...]]


@lru_cache(1000)
def _alike(sizes: tuple[tuple[float, float], ...], links: tuple[tuple[int, int], ...]) -> MapLayout:
    """Most differences are of one shape, in other pairs, too: a relation with its two ends."""
    boxes = dict(enumerate(sizes))
    return _packed([lay_out(boxes, links, "LR" if links else "TB")] if boxes else [], boxes)


def _links(merged: MergedMap, shown: Mapping[int, Any]) -> Iterator[tuple[int, int]]:
    for line in merged.lines:
        if line.source in shown and line.target in shown and line.source != line.target:
            yield line.source, line.target
    for number in shown:
        whole = merged.elements[number].part_of
        if whole is not None and whole in shown:
            yield number, whole


def _packed(laid: list[Laid], sizes: Mapping[int, tuple[float, float]]) -> MapLayout:
    """Components beside and below each other, as far up as there is room; what nothing joins comes last."""
    area = sum((each.width + _APART) * (each.height + _APART) for each in laid)
    room = max([_ROOM, area**0.5, *(each.width for each in laid)])
    #: Pieces of the lower outline of what is packed: start, end, height.
    outline = [(0.0, room + _APART, 0.0)]
    places, paths = {}, {}
    width = height = 0.0
    for each in sorted(laid, key=lambda component: not component.curves):
        span = each.width + _APART
        starts = [start for start, _, _ in outline if start + span <= room + _APART]
        y, x = min((max(h for a, b, h in outline if a < start + span and b > start), start) for start in starts)
        lower = y + each.height + _APART
        rest = [
            piece
            for a, b, h in outline
            for piece in ((a, min(b, x), h), (max(a, x + span), b, h))
            if piece[0] < piece[1]
        ]
        outline = sorted([*rest, (x, x + span, lower)])
        for number, (left, top) in each.places.items():
            places[number] = Place(round(x + left, 1), round(y + top, 1), *sizes[number])
        for ends, points in each.curves.items():
            paths[ends] = _path([(round(x + a, 1), round(y + b, 1)) for a, b in points])
        width, height = max(width, x + each.width), max(height, y + each.height)
    return MapLayout(places, paths, width, height)


def _path(points: list[tuple[float, float]]) -> Path:
    start, *rest = (f"{x:g},{y:g}" for x, y in points)
    pieces = "".join(f"C{' '.join(rest[at : at + 3])}" for at in range(0, len(rest), 3))
    before = next((point for point in reversed(points[:-1]) if point != points[-1]), points[-1])
    (x, y), xs, ys = points[-1], [x for x, _ in points], [y for _, y in points]
    tip = Tip(x, y, round(x - before[0], 1), round(y - before[1], 1))
    return Path(f"M{start}{pieces}", tip, min(xs), max(xs), min(ys), max(ys))


# -- how large a box is --------------------------------------------------------------------------------------------


def _size(element: Element, side: int | None = None) -> tuple[float, float]:
    """The size of a box that has room for what it says in the map of both, or of one side."""
    sides = (element.first, element.second) if side is None else ((element.first, element.second)[side],)
    members = [member for member in sides if member is not None]
    sign = "① " if element.status in ("first", "second") and side is None else ""
    if element.kind not in ("I", "L"):
        names = dict.fromkeys(_name(member) for member in members)
        text = f"{sign}＋ {' / '.join(names)}"[:60]
        inner = min(_PILL, _width(text)) + 2
        return round(inner + 20, 1), _lines(text, inner) * _LINE + 8
    texts = dict.fromkeys(" ".join(member.text.split()) for member in members)
    said = [_said(member, sign) for member in members] if len(texts) > 1 else [_said(members[0], sign)]
    return _TEXT, sum(_lines(each, _TEXT - 26) for each in said) * _LINE + (len(said) - 1) * 6 + 16


def _name(member: Member) -> str:
    return "then" if member.kind == "TA" else VERBS.get(member.kind, member.text or member.kind)


def _said(member: Member, sign: str) -> str:
    text = " ".join(member.text.split()) or "(no text)"
    who = f"{member.speaker[:24]}: " if member.speaker and member.kind == "I" else ""
    return f"{sign}{who}{text[:_LETTERS]}{'…' if len(text) > _LETTERS else ''}"


@lru_cache(10_000)
def _lines(text: str, width: float) -> int:
    """Lines that a text fills, words broken only where they are longer than a line."""
    lines, used = 1, 0.0
    for word in text.split():
        wide = _width(word)
        if used and used + _width(" ") + wide > width:
            lines, used = lines + 1, 0.0
        if wide > width:
            lines, used = lines + int(wide / (width * 0.94)), width
        else:
            used += wide + (_width(" ") if used else 0)
    return lines


@lru_cache(10_000)
def _width(text: str) -> float:
    return _FONT * sum(_letter(letter) for letter in text)


@cache
def _letter(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if unicodedata.combining(letter):
        return 0.0
    return 1.3 if unicodedata.east_asian_width(letter) in "WF" else 0.75
