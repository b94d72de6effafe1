"""The rows of tables, read and written: TSV without quoting, CSV with it. One reader for every data set and task.

Lines end at ``\\n`` only: comments hold other characters that Python's ``splitlines`` would break at.
"""

from __future__ import annotations

import csv
import gzip
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import IO, TypeVar

from aifgraph.datasets.dataset import Problems
from aifgraph.errors import FormatError, InputError, LimitError, NoSuchFileError
from aifgraph.formats.files import decode_strict, read_bytes

T = TypeVar("T")
#: A longer line is no line of a table.
_MAX_LINE = 1 << 27
_STDIN = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: the line it stands on (from 1), its cells by column, and the header as the file has it.

    The names of the columns are without a ``#`` before the first one, and without white space around them.
    """

    line: int
    cells: dict[str, str]
    header: tuple[str, ...]

    def as_written(self) -> dict[str, str]:
        """The cells under the names that the header has in the file."""
        return dict(zip(self.header, self.cells.values(), strict=True))


def table_name(path: str | Path) -> str:
    """What messages call a file: its path, or standard input for ``-``."""
    return "standard input" if str(path) == _STDIN else str(path)


def open_file(path: Path) -> IO[bytes]:
    """A file to read from, unpacked where it begins as gzip does; an ``InputError`` says why there is none."""
    if path.is_dir():
        raise InputError("a folder where a file is needed", where=str(path))
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise NoSuchFileError("no such file", where=str(path)) from None
    except (OSError, ValueError) as error:
        raise InputError(getattr(error, "strerror", None) or "cannot be read", where=str(path)) from None
    if file.peek(2)[:2] != b"\x1f\x8b":
        return file
    file.close()
    return gzip.open(path)  # type: ignore[return-value]


def raw_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file as bytes with their ends (``-``: standard input), unpacked where it begins as gzip does."""
    file = sys.stdin.buffer if str(path) == _STDIN else open_file(path)
    try:
        with nullcontext() if str(path) == _STDIN else file:
            raw = file.readline(_MAX_LINE)
            if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
                # UTF-16, as spreadsheets save it: a line break is two bytes.
                text = decode_strict(raw + file.read(), table_name(path))
                yield from (line.encode() for line in text.split("\n"))
                return
            while raw:
                if len(raw) == _MAX_LINE:
                    raise LimitError(f"a line of more than {_MAX_LINE >> 20} MiB", where=table_name(path))
                yield raw
                raw = file.readline(_MAX_LINE)
    except (EOFError, zlib.error, OSError) as error:
        raise FormatError(f"cannot be read to its end ({error})", where=table_name(path)) from None


def lines_of(path: Path, problems: Problems, name: str) -> Iterator[tuple[int, str]]:
    """The lines of a text file (``-``: standard input; gzip is unpacked) with their numbers, in constant memory.

    Line ends are left out. Text is UTF-8 (a byte order mark is dropped) or UTF-16 with its mark; a line that is
    neither is read as Windows-1252, and a problem.
    """
    for number, raw in enumerate(raw_lines(path), 1):
        line = raw.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            problems.add("encoding", f"byte {error.start + 1} is not UTF-8; read as Windows-1252", name, number)
            yield number, line.decode("cp1252", errors="replace")


def read_text(path: str | Path) -> str:
    """The text of a file, or of standard input for ``-``; an empty one is an ``InputError``."""
    data = sys.stdin.buffer.read() if str(path) == _STDIN else read_bytes(Path(path))
    text = decode_strict(data, table_name(path))
    if not text.strip():
        raise InputError("the file is empty", where=table_name(path))
    return text


def tsv_rows(path: Path, problems: Problems, needed: Sequence[str], name: str = "") -> Iterator[Row]:
    """The rows of a TSV file without quoting; rows of another width than the header are problems and skipped.

    Raises:
        InputError: the file is empty. FormatError: the header lacks a ``needed`` column, or has one twice.
    """
    name = name or path.name
    lines = ((number, line.split("\t") if line else []) for number, line in lines_of(path, problems, name))
    yield from _rows(lines, path, problems, needed, name)


def csv_rows(path: Path, problems: Problems, needed: Sequence[str], name: str = "") -> Iterator[Row]:
    """The rows of a CSV file with quoting; as ``tsv_rows``. ``line`` is where a row of several lines ends."""
    name = name or path.name
    yield from _rows(_csv_cells(path, problems, name), path, problems, needed, name)


def _csv_cells(path: Path, problems: Problems, name: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(line + "\n" for _, line in lines_of(path, problems, name))
    while True:
        try:
            cells = next(reader)
            yield reader.line_num, cells
        except StopIteration:
            return
        except csv.Error as error:
            problems.add("csv", f"{error}", name, reader.line_num)


def _rows(
    lines: Iterable[tuple[int, list[str]]],
    path: Path,
    problems: Problems,
    needed: Sequence[str],
    name: str,
) -> Iterator[Row]:
    header: tuple[str, ...] = ()
    columns: list[str] = []
    for number, cells in lines:
        if not header:
            if any(cell.strip() for cell in cells):
                header = tuple(cells)
                columns = _columns(header, needed, table_name(path))
        elif len(cells) == len(header):
            yield Row(number, dict(zip(columns, cells, strict=True)), header)
        elif any(cell.strip() for cell in cells):
            problems.add("width", f"{len(cells)} cells where the header has {len(header)}", name, number)
    if not header:
        raise InputError("the file is empty", where=table_name(path))


def _columns(header: Sequence[str], needed: Sequence[str], where: str) -> list[str]:
    columns = [header[0].removeprefix("#").strip(), *(cell.strip() for cell in header[1:])]
    lacking = [column for column in needed if column not in columns]
    if lacking:
        what = f"expected the columns {', '.join(needed)}; found {', '.join(columns)[:300] or 'none'}"
        raise FormatError(what, where=where, remedy=f"add {', '.join(lacking)}")
    if len(set(columns)) < len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise FormatError(f"the column {twice!r} is there twice", where=where)
    return columns


def not_empty(rows: Iterable[T], path: str | Path) -> list[T]:
    """All rows of a table; an ``InputError`` where it has only a header."""
    every = list(rows)
    if not every:
        raise InputError("there is a header but no row", where=table_name(path))
    return every


def number_in(value: str, what: str) -> float | None:
    """A number, or ``None`` for an empty cell; raises ``ValueError`` with one line for anything else.

    >>> number_in("-1.8", "agreement"), number_in("", "agreement")
    (-1.8, None)
    """
    if not value.strip():
        return None
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise ValueError(f"{what} is {value[:40]!r}, not a number")
    return number


def table_file(path: Path, pattern: str) -> Path:
    """The table to read: the path itself, or the only file of a folder that fits; an ``InputError`` names them."""
    if not path.is_dir():
        return path
    fitting = sorted(file for file in path.glob(pattern) if file.is_file())
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(file.name for file in fitting[:6])
    what = f"the folder holds {len(fitting)} tables" if fitting else f"the folder holds no table ({pattern})"
    raise InputError(what, where=str(path), remedy=f"give one of {names}" if fitting else "give the folder of the data")
