"""Tables and lines made to fit a terminal: cells and heads are wrapped, and columns go below each other if need be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import zip_longest

from aifgraph.cli.terminal import Terminal
from aifgraph.printable import printable
from aifgraph.tables import Table, right_aligned, shown, width

#: Columns of a terminal between two columns of a table.
_GAP = 2
#: What a column of texts is not made narrower than, also for the sake of a long word, and how many lines a cell takes.
_TEXT, _WORD, _LINES = 12, 16, 6
#: A table with more columns of texts than this, and no room, is shown row by row.
_TEXTS = 3


def fitted(table: Table, terminal: Terminal) -> str:
    """The table as text, no line wider than the terminal; ends in a line break."""
    cells = [[printable(shown(cell, table.digits)).replace("\n", " ") for cell in row] for row in table.rows]
    right = right_aligned(table)
    heads = [printable(name) for name in table.columns]
    natural = [max([width(head), *(width(row[at]) for row in cells)]) for at, head in enumerate(heads)]
    room = terminal.width
    lines = [terminal.styled(line, "title") for line in wrapped(printable(table.title), room)] if table.title else []
    if room is None or _total(natural) <= room:
        lines += _block(heads, cells, natural, right, terminal)
    else:
        least = [_min_width(heads[at], [row[at] for row in cells], right[at]) for at in range(len(heads))]
        if right.count(False) > _TEXTS and _total(least) > room:
            lines += _row_by_row(heads, cells, room, terminal)
        else:
            blocks = list(_blocks(least, right, room))
            for number, columns in enumerate(blocks):
                widths = _widths([least[at] for at in columns], [natural[at] for at in columns], room)
                part = [[row[at] for at in columns] for row in cells]
                lines += [""] * (number > 0)
                lines += _block([heads[at] for at in columns], part, widths, [right[at] for at in columns], terminal)
    if table.note:
        note = (line for text in printable(table.note).split("\n") for line in wrapped(text, room))
        lines += [terminal.styled(line, "dim") for line in note]
    return "\n".join(lines) + "\n"


def wrapped(line: str, room: int | None, indent: str = "") -> list[str]:
    """A line in lines of at most ``room`` columns; all but the first begin with ``indent``.

    A text without spaces, such as a signature, is broken behind its bars.

    >>> wrapped("both find the same claims", 14, "  ")
    ['both find the', '  same claims']
    """
    if room is None or width(line) <= room:
        return [line]
    if " " not in line.strip() and "|" in line:
        return _joined(re.findall(r"[^|]*\|?", line), room, indent)
    from rich.console import Console
    from rich.text import Text

    # At any width but this, rich would measure the lines by a terminal of its own.
    console = Console(width=room, file=StringIO())
    first = Text(line).wrap(console, room, tab_size=1)[0].plain
    rest = line[len(first) :].lstrip()
    if not first.strip() or not rest:
        return [line.rstrip()]
    inner = max(room - len(indent), 8)
    return [first.rstrip(), *(f"{indent}{part.plain.rstrip()}" for part in Text(rest).wrap(console, inner, tab_size=1))]


def fitted_lines(text: str, terminal: Terminal) -> str:
    """Text that is no table: too long lines are wrapped, and go on below where their words begin.

    Lines with tabs are for programs, and lines with colour are fitted already: both stay.
    """
    if terminal.width is None:
        return text
    lines: list[str] = []
    for line in text.split("\n"):
        if "\x1b" in line or "\t" in line or width(line) <= terminal.width:
            lines.append(line)
        else:
            lead = len(line) - len(line.lstrip())
            lines += wrapped(line, terminal.width, " " * min(lead + 2, terminal.width // 2))
    return "\n".join(lines)


def _joined(pieces: Sequence[str], room: int, indent: str) -> list[str]:
    lines = [""]
    for piece in pieces:
        # Of a space at the end of a line nothing is seen.
        if lines[-1].strip() and width((lines[-1] + piece).rstrip()) > room:
            lines.append(indent)
        lines[-1] += piece
    return lines


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _min_width(head: str, cells: Sequence[str], number: bool) -> int:
    """How narrow a column can be: numbers are never broken, heads between their words."""
    part = max(map(width, _parts(head)), default=0)
    if number:
        return max([part, *map(width, cells)])
    word = max((width(word) for cell in cells for word in cell.split()), default=0)
    return max(min(max(map(width, cells), default=0), max(_TEXT, min(word, _WORD))), min(part, _TEXT))


def _parts(head: str) -> list[str]:
    """Where a column's name may be broken: at spaces, and after underscores."""
    return re.findall(r"[^ _]+_?", head)


def _blocks(least: Sequence[int], right: Sequence[bool], room: int) -> Iterator[list[int]]:
    """Columns in blocks that fit, each beginning with the columns that say what a row is about."""
    keys = [at for at in range(min(2, len(least))) if not any(right[: at + 1])] or [0]
    if len(keys) > 1 and _total([least[at] for at in keys]) > room // 2:
        keys = keys[:1]
    block = list(keys)
    for at in range(len(least)):
        if at in keys:
            continue
        if len(block) > len(keys) and _total([*(least[column] for column in block), least[at]]) > room:
            yield block
            block = list(keys)
        block.append(at)
    yield block


def _widths(least: Sequence[int], natural: Sequence[int], room: int) -> list[int]:
    """The room that is left goes to the columns that lack most, one column of the terminal at a time."""
    widths = list(least)
    for _ in range(room - _total(least)):
        at = max(range(len(widths)), key=lambda at: natural[at] - widths[at])
        if natural[at] <= widths[at]:
            break
        widths[at] += 1
    return widths


def _block(
    heads: Sequence[str],
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    right: Sequence[bool],
    terminal: Terminal,
) -> list[str]:
    def lines(row: Sequence[list[str]]) -> list[str]:
        joined = []
        for parts in zip_longest(*row, fillvalue=""):
            padded = (
                " " * (wide - width(part)) + part if right[at] else part + " " * (wide - width(part))
                for at, (part, wide) in enumerate(zip(parts, widths, strict=True))
            )
            joined.append((" " * _GAP).join(padded).rstrip())
        return joined

    top = [_head(head, wide) for head, wide in zip(heads, widths, strict=True)]
    tallest = max(map(len, top))
    rule = (" " * _GAP).join("─" * wide for wide in widths)
    body = [
        line for row in cells for line in lines([_cell(cell, wide) for cell, wide in zip(row, widths, strict=True)])
    ]
    return [*lines([[""] * (tallest - len(head)) + head for head in top]), terminal.styled(rule, "dim"), *body]


def _head(head: str, room: int) -> list[str]:
    if width(head) <= room:
        return [head]
    pieces = [piece if piece.endswith("_") else f"{piece} " for piece in _parts(head)]
    return [line.rstrip() for line in _joined(pieces, room, "")]


def _cell(cell: str, room: int) -> list[str]:
    lines = [piece for line in wrapped(cell, room) for piece in _chopped(line, room)]
    return lines if len(lines) <= _LINES else [*lines[: _LINES - 1], lines[_LINES - 1][: max(room - 1, 0)] + "…"]


def _chopped(line: str, room: int) -> Iterator[str]:
    """A line without a place to break it, broken where the room ends."""
    while width(line) > room:
        at = next(at for at in range(len(line), 0, -1) if width(line[:at]) <= room or at == 1)
        yield line[:at]
        line = line[at:]
    yield line


def _row_by_row(heads: Sequence[str], cells: Sequence[Sequence[str]], room: int, terminal: Terminal) -> list[str]:
    """Each row as a list: the column's name, then its cell."""
    wide = min(max(map(width, heads)), room // 3)
    lines: list[str] = []
    for number, row in enumerate(cells):
        lines += [""] * (number > 0)
        for head, cell in zip(heads, row, strict=True):
            name = _head(head, wide)
            text = _cell(cell, room - wide - _GAP)
            for left, part in zip_longest([next(_chopped(line, wide)) for line in name], text, fillvalue=""):
                padded = left + " " * (wide - width(left) + _GAP)
                lines.append((terminal.styled(padded, "dim") + part).rstrip())
    return lines
