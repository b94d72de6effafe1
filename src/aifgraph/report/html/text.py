"""The text as both analyses cut it, in rows: what both end at the same place stands side by side, and each boundary is
marked agreed, near or missed.

Where there is no text, the locutions in order, each with what it is taken to say, or else the propositions. What stands
nowhere in the text follows at the end.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Literal

from aifgraph.align.alignment import Alignment
from aifgraph.evaluation.reading_order import reading_order
from aifgraph.graph import SourceText
from aifgraph.report.html.listed import ListedDifference
from aifgraph.report.html.merged_map import Element, Member, MergedMap
from aifgraph.text.markup import plain_text
from aifgraph.text.segmentation import transposed
from aifgraph.text.words import words_with_places

#: agreed: both cut here; near: the other one word away; own: only this side; other: only the other side cuts here.
Cut = Literal["", "agreed", "near", "own", "other"]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A stretch of a text: the mark in front of it, the elements whose units cover it, and its place on the axis.

    ``claim``: it is no text but what a locution above is taken to say.
    """

    cut: Cut
    text: str
    elements: tuple[int, ...]
    place: int = 0
    claim: bool = False


def pieces_of(alignment: Alignment, merged: MergedMap) -> tuple[tuple[TextPiece, ...], tuple[TextPiece, ...]] | None:
    """The texts of both sides in pieces; None where there is no text or it does not fit."""
    placement = alignment.placement
    texts = _both(placement.texts)
    if placement.axis is None or not placement.fits or texts is None:
        return None
    cuts = (placement.first.boundaries, placement.second.boundaries)
    near = transposed(*cuts)
    moved = {place for pair in near for place in pair}
    pieces: list[tuple[TextPiece, ...]] = []
    for side, text in enumerate(texts):
        plain = plain_text(text.text).text if text.spans is None else text.text
        places = placement.axis.second if side and placement.texts[1] else placement.axis.first
        positions = alignment.second_positions if side else alignment.first_positions
        runs = [(run, merged.of[side, node]) for node, position in positions.items() for run in position]
        pieces.append(_pieces(plain, places, cuts[side], cuts[1 - side], moved, runs))
    return pieces[0], pieces[1]


def _both(texts: tuple[SourceText | None, SourceText | None]) -> tuple[SourceText, SourceText] | None:
    first, second = texts
    one, other = first or second, second or first
    return (one, other) if one is not None and other is not None else None


def _pieces(
    text: str,
    places: Sequence[int] | None,
    own: frozenset[int],
    others: frozenset[int],
    moved: set[int],
    runs: list[tuple[tuple[int, int], int]],
) -> tuple[TextPiece, ...]:
    words = words_with_places(text)
    count = len(words.words)
    axis = range(count) if places is None else places
    if len(axis) != count:
        return (TextPiece("", text, ()),)
    ends = {edge for run, _ in runs for edge in run}
    marks: dict[int, Cut] = {}
    for place in sorted(ends | own | others):
        word = bisect_left(axis, place)
        if 0 < word < count:
            marks[word] = _worse(marks.get(word, ""), _cut(place, own, others, moved))
    starts = [0, *marks]
    owners: list[list[int]] = [[] for _ in starts]
    for (start, stop), element in runs:
        for piece in range(bisect_left(starts, bisect_left(axis, start)), bisect_left(starts, bisect_left(axis, stop))):
            owners[piece].append(element)
    chars = [0, *(words.starts[word] for word in marks), len(text)]
    return tuple(
        TextPiece(marks.get(start, ""), text[low:high], tuple(dict.fromkeys(owner)), axis[start] if count else 0)
        for start, owner, (low, high) in zip(starts, owners, pairwise(chars), strict=True)
    )


def _cut(place: int, own: frozenset[int], others: frozenset[int], moved: set[int]) -> Cut:
    if place in own:
        return "agreed" if place in others else "near" if place in moved else "own"
    return "other" if place in others and place not in moved else ""


def _worse(one: Cut, other: Cut) -> Cut:
    order: tuple[Cut, ...] = ("own", "near", "agreed", "other", "")
    return min(one, other, key=order.index)


#: More differences of a row than this are counted, not named next to it.
MARKED = 8


@dataclass(frozen=True, slots=True)
class TextRow:
    """A stretch of the text: its pieces on both sides, and the differences that are marked next to it."""

    first: tuple[TextPiece, ...]
    second: tuple[TextPiece, ...]
    differences: tuple[ListedDifference, ...] = ()
    speakers: tuple[str, str] = ("", "")

    @property
    def same(self) -> bool:
        """Whether both sides have the same words in the same units."""
        return [_key(piece) for piece in self.first] == [_key(piece) for piece in self.second]

    @property
    def unchanged(self) -> bool:
        """Whether nothing differs here."""
        return self.same and not self.differences


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows that follow each other and in all of which nothing differs (``unchanged``), or something does."""

    unchanged: bool
    rows: tuple[TextRow, ...]

    @property
    def begins(self) -> str:
        """The first words, and the last."""
        texts = [" ".join(piece.text.split()) for row in self.rows for piece in row.first]
        whole = " ".join(filter(None, texts)).split()
        return " ".join(whole) if len(whole) <= 14 else f"{' '.join(whole[:8])} … {' '.join(whole[-4:])}"


@dataclass(frozen=True, slots=True)
class TextView:
    """What the page shows as the text: of which ``kind`` it is, and what nobody said, apart."""

    kind: Literal["text", "locutions", "propositions"]
    stretches: tuple[Stretch, ...]
    unsaid: tuple[Stretch, ...] = ()
    count: int = field(default=0)


def text_view(alignment: Alignment, merged: MergedMap, differences: Iterable[ListedDifference]) -> TextView:
    """The rows of both analyses, with the differences marked where they are."""
    marks: dict[int, list[ListedDifference]] = {}
    for difference in differences:
        for element in difference.marked:
            marks.setdefault(element, []).append(difference)
    rows: list[TextRow]
    pieces = pieces_of(alignment, merged)
    kind: Literal["text", "locutions", "propositions"]
    if pieces is not None:
        kind, rows = "text", list(_rows_of_text(alignment, *pieces))
    elif alignment.locutions.classes:
        kind, rows = "locutions", list(_rows_of_locutions(alignment, merged))
    else:
        kind, rows = "propositions", []
    shown = {
        element for row in rows for side in (row.first, row.second) for piece in side for element in piece.elements
    }
    parts: dict[int, list[Element]] = {}
    for each in merged.elements:
        if each.part_of is not None:
            parts.setdefault(each.part_of, []).append(each)
    unsaid = [
        _alone(each, parts.get(each.number, []))
        for each in merged.elements
        if each.kind == "I" and each.part_of is None and each.number not in shown
    ]
    rows = [_marked(row, marks) for row in rows]
    unsaid = [_marked(row, marks) for row in unsaid]
    if kind == "propositions":
        return TextView(kind, _stretches(unsaid), (), len(unsaid))
    return TextView(kind, _stretches(rows), _stretches(unsaid), len(rows) + len(unsaid))


def _key(piece: TextPiece) -> tuple[str, tuple[int, ...]]:
    return " ".join(piece.text.split()), piece.elements


def _stretches(rows: Sequence[TextRow]) -> tuple[Stretch, ...]:
    return tuple(Stretch(unchanged, tuple(group)) for unchanged, group in groupby(rows, key=lambda row: row.unchanged))


def _marked(row: TextRow, marks: dict[int, list[ListedDifference]]) -> TextRow:
    """The row with its differences."""
    elements = [element for side in (row.first, row.second) for piece in side for element in piece.elements]
    found = {each.number: each for element in elements for each in marks.get(element, ())}
    differences = tuple(found[number] for number in sorted(found))
    return TextRow(row.first, row.second, differences, row.speakers)


def _rows_of_text(
    alignment: Alignment, first: tuple[TextPiece, ...], second: tuple[TextPiece, ...]
) -> Iterator[TextRow]:
    placement = alignment.placement
    agreed = sorted(placement.first.boundaries & placement.second.boundaries)
    rows: dict[int, tuple[list[TextPiece], list[TextPiece]]] = {}
    for side, pieces in enumerate((first, second)):
        for piece in pieces:
            rows.setdefault(bisect_right(agreed, piece.place), ([], []))[side].append(piece)
    for number in sorted(rows):
        one, other = rows[number]
        if any(piece.text.strip() for piece in (*one, *other)):
            yield TextRow(tuple(one), tuple(other))


def _rows_of_locutions(alignment: Alignment, merged: MergedMap) -> Iterator[TextRow]:
    """Each class of locutions, in the order in which the first, and between them the second, are read."""
    layer = alignment.locutions
    order: dict[int, tuple[int, int]] = {}
    for of_second, (analysis, class_of) in enumerate(
        ((alignment.first, layer.first_class), (alignment.second, layer.second_class))
    ):
        index = {node.id: number for number, node in enumerate(analysis.nodes)}
        units = (index[unit.node.id] for unit in reading_order(analysis.graph))
        numbers = [class_of[node] for node in units if node in class_of]
        # What only the second has follows what it says before it.
        before, after = -1, 0
        for number in numbers:
            if number in order:
                before, after = order[number][0], 0
            else:
                after += 1
                order[number] = (before, after) if of_second else (len(order), 0)
    said = _said(merged)
    for number in sorted(order, key=lambda each: order[each]):
        node_class = layer.classes[number]
        sides: list[tuple[TextPiece, ...]] = []
        speakers: list[str] = []
        for side, nodes in enumerate((node_class.first, node_class.second)):
            locutions = [merged.of[side, node] for node in nodes]
            own = [_member(merged.elements[locution], side) for locution in locutions]
            speakers.append(own[0].speaker if own and own[0] else "")
            sides.append(
                tuple(
                    piece
                    for locution in locutions
                    for piece in _spoken(merged, side, locution, said[side].get(locution, []))
                )
            )
        yield TextRow(sides[0], sides[1], (), (speakers[0], speakers[1]))


def _spoken(merged: MergedMap, side: int, locution: int, claims: list[int]) -> Iterator[TextPiece]:
    """What is said; what it is taken to say is shown beneath where its words differ."""
    member = _member(merged.elements[locution], side)
    text = member.text if member else ""
    texts = [(claim, own.text) for claim in claims if (own := _member(merged.elements[claim], side))]
    same = [claim for claim, wording in texts if _words(wording) == _words(_without(text, member))]
    # A blank follows: of several, each is a unit of its own.
    yield TextPiece("", f"{_without(text, member)} ", (locution, *same))
    for claim, wording in texts:
        if claim not in same:
            yield TextPiece("", f"{wording} ", (claim,), claim=True)


def _without(text: str, member: Member | None) -> str:
    """A locution without the speaker in front, who is named above it."""
    prefix = f"{member.speaker}" if member else ""
    rest = text.removeprefix(prefix) if prefix else text
    return rest.lstrip(" :") if rest != text and rest.lstrip().startswith(":") else text


def _words(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def _said(merged: MergedMap) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """By side: the propositions that each locution says, as elements."""
    found: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    elements = merged.elements
    for side in (0, 1):
        acts: dict[int, list[int]] = {}
        for line in merged.lines:
            if not (line.second if side else line.first):
                continue
            if elements[line.source].kind == "L" and elements[line.target].kind == "YA":
                acts.setdefault(line.target, []).append(line.source)
        for line in merged.lines:
            if (line.second if side else line.first) and elements[line.target].kind == "I":
                for locution in acts.get(line.source, ()):
                    found[side].setdefault(locution, []).append(line.target)
    return found


def _alone(element: Element, parts: list[Element]) -> TextRow:
    """A proposition by itself, with the parts that are joined to it."""
    sides: list[tuple[TextPiece, ...]] = []
    for side in (0, 1):
        members = [(each.number, own) for each in (element, *parts) if (own := _member(each, side))]
        sides.append(tuple(TextPiece("", f"{own.text} ", (number,)) for number, own in members))
    return TextRow(sides[0], sides[1])


def _member(element: Element, side: int) -> Member | None:
    return element.second if side else element.first
