"""Tables as rows with their line numbers: TSV without quoting, and CSV with it.

Lines end at ``\\n`` only: comments hold other characters that Python's ``splitlines`` would break at.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aifgraph.datasets.problems import Problems
from aifgraph.errors import FormatError, InputError, NotFoundError


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: the line it stands on (from 1) and its cells by column."""

    line: int
    cells: dict[str, str]


def lines_of(path: Path, problems: Problems, name: str) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers, without line ends, in constant memory.

    Text is UTF-8 (a byte order mark is dropped); a line that is not is read as Windows-1252, and a problem.
    """
    if path.is_dir():
        raise InputError("a folder where a file is needed", where=str(path))
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise NotFoundError("the table is missing", where=str(path)) from None
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(path)) from None
    with file:
        for number, raw in enumerate(file, 1):
            line = raw[:-1] if raw.endswith(b"\n") else raw
            line = line[:-1] if line.endswith(b"\r") else line
            if number == 1 and line.startswith(b"\xef\xbb\xbf"):
                line = line[3:]
            try:
                yield number, line.decode("utf-8")
            except UnicodeDecodeError as error:
                problems.add("encoding", f"byte {error.start + 1} is not UTF-8; read as Windows-1252", name, number)
                yield number, line.decode("cp1252", errors="replace")


def tsv_rows(path: Path, problems: Problems, needed: Sequence[str], name: str = "") -> Iterator[Row]:
    """The rows of a TSV file without quoting; rows of another width than the header are problems and left out.

    Raises ``FormatError`` where the header lacks a needed column (or there is no header at all).
    """
    name = name or path.name
    header: list[str] = []
    for number, line in lines_of(path, problems, name):
        cells = line.split("\t")
        if not header:
            header = cells
            _check(header, needed, str(path))
        elif not line:
            continue
        elif len(cells) != len(header):
            problems.add("width", f"{len(cells)} cells where {len(header)} were expected", name, number)
        else:
            yield Row(number, dict(zip(header, cells, strict=True)))
    if not header:
        _check(header, needed, str(path))


def csv_rows(path: Path, problems: Problems, needed: Sequence[str], name: str = "") -> Iterator[Row]:
    """The rows of a CSV file with quoting; as ``tsv_rows``. ``line`` is where a row of several lines ends."""
    name = name or path.name
    reader = csv.reader(line + "\n" for _, line in lines_of(path, problems, name))
    header: list[str] = []
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            problems.add("csv", f"{error}", name, reader.line_num)
            continue
        if not header:
            header = cells
            _check(header, needed, str(path))
        elif not cells:
            continue
        elif len(cells) != len(header):
            problems.add("width", f"{len(cells)} cells where {len(header)} were expected", name, reader.line_num)
        else:
            yield Row(reader.line_num, dict(zip(header, cells, strict=True)))
    if not header:
        _check(header, needed, str(path))


def _check(header: Sequence[str], needed: Sequence[str], where: str) -> None:
    lacking = [column for column in needed if column not in header]
    if lacking:
        raise FormatError(
            f"the header lacks {', '.join(lacking)}", where=where, remedy=f"it needs the columns {', '.join(needed)}"
        )


def number_in(value: str, what: str) -> float | None:
    """A number, or ``None`` for an empty cell; raises ``ValueError`` with one line for anything else.

    >>> number_in("-1.8", "agreement"), number_in("", "agreement")
    (-1.8, None)
    """
    if not value.strip():
        return None
    try:
        found = float(value)
    except ValueError:
        raise ValueError(f"{what} is {value[:40]!r}, not a number") from None
    if found != found or found in (float("inf"), float("-inf")):
        raise ValueError(f"{what} is {value[:40]!r}, not a number")
    return found
