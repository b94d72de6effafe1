"""Tab-separated files without quoting, as the shared tasks publish them: quotes are plain characters."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aifgraph.errors import FormatError, InputError
from aifgraph.formats.files import decode_strict, read_bytes


@dataclass(frozen=True, slots=True)
class Sheet:
    """A header and rows of as many cells, each with its line number (from 1) in the file ``name``.

    A ``#`` before the first column's name is not part of it.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def require(self, wanted: Sequence[str]) -> None:
        """Raise ``FormatError``, with the columns expected and found, unless all ``wanted`` are there."""
        missing = [column for column in wanted if column not in self.columns]
        if missing:
            raise FormatError(
                f"expected the columns {', '.join(wanted)}; found {', '.join(self.columns)[:300] or 'none'}",
                where=self.name,
                remedy=f"add {', '.join(missing)}",
            )

    def records(self) -> Iterable[tuple[int, dict[str, str]]]:
        """(line number, column → cell) of each row."""
        return ((line, dict(zip(self.columns, cells, strict=True))) for line, cells in self.rows)


def read_text(path: str | Path) -> str:
    """The text of a file, or of standard input for ``-``; an empty one is an error."""
    name = "standard input" if str(path) == "-" else str(path)
    data = sys.stdin.buffer.read() if str(path) == "-" else read_bytes(Path(path))
    text = decode_strict(data, name)
    if not text.strip():
        raise InputError("the file is empty", where=name)
    return text


def read_sheet(path: str | Path, wanted: Sequence[str] = ()) -> Sheet:
    """A file with a header line that has at least the columns ``wanted``; empty lines are left out.

    Raises:
        InputError: the file is empty, or has a header only.
        FormatError: a column is missing or there twice, or a row has more or fewer cells than the header.
    """
    name = str(path)
    # Not splitlines(): a comment may hold U+2028 and its like.
    lines = [line.removesuffix("\r") for line in read_text(path).split("\n")]
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    (_, head), *rest = numbered
    columns = tuple(cell.strip() for cell in head.removeprefix("#").split("\t"))
    if len(set(columns)) < len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise FormatError(f"the column {twice!r} is there twice", where=name)
    # The names first: a file of another kind is best told by them.
    Sheet(name, columns, ()).require(wanted)
    rows = tuple((number, tuple(line.split("\t"))) for number, line in rest)
    for number, cells in rows:
        if len(cells) != len(columns):
            raise FormatError(
                f"{len(cells)} cells where the header has {len(columns)}",
                where=f"{name}, line {number}",
                remedy="separate the columns by tabs, without quoting",
            )
    if not rows:
        raise InputError("there is a header but no row", where=name)
    return Sheet(name, columns, rows)


def write_sheet(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The text of a file with a header line. A tab or line break in a cell becomes a space."""
    lines = [columns, *rows]
    return "".join("\t".join(" ".join(str(c).splitlines()).replace("\t", " ") for c in line) + "\n" for line in lines)


def short(names: Sequence[str]) -> list[str]:
    """File names without their folders, unless two would then be the same.

    >>> short(["a/x.json", "b/y.json"]), short(["a/x.json", "b/x.json"])
    (['x.json', 'y.json'], ['a/x.json', 'b/x.json'])
    """
    bare = [Path(name).name for name in names]
    return bare if len(set(bare)) == len(bare) else list(names)


def some(ids: Iterable[str], most: int = 3) -> str:
    """Ids for an error's one line: the first few, and how many more.

    >>> some(["7", "8", "9", "10"])
    '7, 8, 9 and 1 more'
    """
    every = list(ids)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more
