"""Rows of tables: TSV without quoting, CSV with it. Lines end at ``\\n`` only, as texts hold other line separators."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import IO, Final

from aifgraph.datasets.dataset import Log
from aifgraph.errors import FormatError, InputError, LimitError, NoSuchFileError

#: The longest line that is read, in bytes.
MAX_LINE: Final = 1 << 27


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its cells by column, and the line it stands on."""

    line: int
    cells: dict[str, str]


def raw_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file with their ends; gzip is unpacked."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            source: IO[bytes] = gzip.GzipFile(fileobj=file) if packed else file  # type: ignore[assignment]
            while line := source.readline(MAX_LINE):
                if len(line) == MAX_LINE:
                    raise LimitError(f"a line is longer than {MAX_LINE >> 20} MiB", where=str(path))
                yield line
    except FileNotFoundError:
        raise NoSuchFileError("no such file", where=str(path)) from None
    except IsADirectoryError:
        raise InputError("this is a folder; give a file", where=str(path)) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"cannot be unpacked ({error})", where=str(path)) from None


def read_lines(path: Path, log: Log) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file with their numbers; one that is not UTF-8 is read as Windows-1252."""
    for number, raw in enumerate(raw_lines(path), 1):
        line = raw.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            log.problem("encoding", f"byte {error.start + 1} is not UTF-8; read as Windows-1252", path, number)
            yield number, line.decode("cp1252", errors="replace")


def read_tsv(path: Path, log: Log, needed: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a TSV file; rows of another width than the header are skipped."""
    return _rows(((number, line.split("\t")) for number, line in read_lines(path, log)), path, log, needed)


def read_csv(path: Path, log: Log, needed: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a CSV file, as ``read_tsv`` does; the line of a row is where it ends."""
    return _rows(_csv_cells(path, log), path, log, needed)


def _csv_cells(path: Path, log: Log) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(line + "\n" for _, line in read_lines(path, log))
    while True:
        try:
            for cells in reader:
                yield reader.line_num, cells
            return
        except csv.Error as error:
            log.problem("csv", str(error), path, reader.line_num)


def _rows(lines: Iterable[tuple[int, list[str]]], path: Path, log: Log, needed: Sequence[str]) -> Iterator[Row]:
    columns: list[str] = []
    for number, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if not columns:
            columns = [cell.strip() for cell in cells]
            if missing := [column for column in needed if column not in columns]:
                raise FormatError(f"the column {missing[0]} is missing", where=str(path))
            if len(set(columns)) < len(columns):
                raise FormatError("a column occurs twice", where=str(path))
        elif len(cells) == len(columns):
            yield Row(number, dict(zip(columns, cells, strict=True)))
        else:
            log.problem("width", f"{len(cells)} cells where the header has {len(columns)}", path, number)
    if not columns:
        raise InputError("the file is empty", where=str(path))


def number_in(cell: str) -> float | None:
    """Return the number in a cell, ``None`` for an empty one; ``ValueError`` where it is no finite number."""
    if not cell.strip():
        return None
    number = float(cell)
    if not isfinite(number):
        raise ValueError(f"{cell[:40]!r} is not a finite number")
    return number
