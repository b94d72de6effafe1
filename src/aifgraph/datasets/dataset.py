"""What the readers of data sets share: the log, rows of tables, and what somebody says.

TSV has no quoting, CSV has it. Lines end at ``\\n`` only, as texts hold other line separators.
"""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from math import isfinite
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, TypeVar

import networkx

from aifgraph.errors import FormatError, InputError, LimitError, NoSuchFileError
from aifgraph.graph import ArgumentGraph, GraphBuilder, LocutionRecord, SourceText, Span

K = TypeVar("K", bound=Hashable)
#: So many problems are listed; all are counted.
MAX_LISTED: Final = 1000
#: The remedy where links are all that there is.
COPY_LINKS: Final = "copy what links lead to (cp -rL)"
#: The name of a speaker whom the data does not name.
UNKNOWN: Final = "unknown"


class Log:
    """What was found while files were read.

    Attributes:
        strict: whether the first problem is raised.
        problems: the first thousand problems, as errors that say what is wrong and where.
        problem_counts: the number of all problems by kind.
        counts: what the files hold, and what was left out although nothing is wrong with it, by name.
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self.problems: list[FormatError] = []
        self.problem_counts: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()

    def problem(self, kind: str, message: str, file: Path | str, line: int | None = None) -> None:
        """Add a problem, or raise it if the log is strict; ``kind`` is one word, lines are counted from 1."""
        problem = FormatError(message, where=str(file) if line is None else f"{file}, line {line}")
        if self.strict:
            raise problem
        self.problem_counts[kind] += 1
        if len(self.problems) < MAX_LISTED:
            self.problems.append(problem)


def files_in(path: Path, pattern: str, log: Log, *, below: bool = False) -> list[Path]:
    """Return the path itself, or the files of a folder whose names fit a pattern, perhaps also of the folders below it.

    Links, which may lead anywhere, and folders below that cannot be read are problems.
    """
    if not path.is_dir():
        return [path]
    found, folders = list[Path](), [path]
    for folder in folders:  # which grows
        try:
            for entry in sorted(os.scandir(folder), key=attrgetter("name")):
                file, is_folder = folder / entry.name, below and entry.is_dir()
                fits = fnmatch(entry.name, pattern)
                if entry.is_symlink():
                    if fits or is_folder:
                        log.problem("link", "a link; it is skipped", file)
                elif is_folder:
                    folders.append(file)
                elif fits and entry.is_file():
                    found.append(file)
        except OSError as error:
            if folder == path:
                raise InputError(error.strerror or "cannot be read", where=str(path)) from None
            log.problem("folder", f"{error.strerror}; the folder is skipped", folder)
    return sorted(found)


def place_below(root: Path, name: str, log: Log) -> Path | None:
    """Return a file or folder of a data set; None where there is none, or (and a problem) where a link leads to it."""
    place = root / name
    try:
        place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(place)) from None
    if place.resolve() != root.resolve() / name:
        log.problem("link", "a link, or below one; it is not followed", place)
        return None
    return place if place.is_file() or place.is_dir() else None  # no pipe, socket or device


def the_table(path: Path, pattern: str) -> Path:
    """Return the path itself, or the only file of a folder that fits a pattern."""
    if not path.is_dir():
        return path
    fitting = files_in(path, pattern, Log())
    if len(fitting) != 1:
        names = ", ".join(file.name for file in fitting[:6])
        raise InputError(f"the folder holds {len(fitting)} tables ({pattern})", where=str(path), remedy=names or None)
    return fitting[0]


# -- rows of tables ----------------------------------------------------------------------------------------------------

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
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(path)) from None


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


def read_tsv(path: Path, log: Log, needed: Sequence[str], *, unique: str = "") -> Iterator[Row]:
    """Yield the rows of a TSV file, without those of another width than the header.

    Of rows with the same cell in a ``unique`` column, all but the first are skipped.
    """
    return _rows(((number, line.split("\t")) for number, line in read_lines(path, log)), path, log, needed, unique)


def read_csv(path: Path, log: Log, needed: Sequence[str], *, unique: str = "") -> Iterator[Row]:
    """Yield the rows of a CSV file, as ``read_tsv`` does; the line of a row is where it ends."""
    return _rows(_csv_cells(path, log), path, log, needed, unique)


def _csv_cells(path: Path, log: Log) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader((line + "\n" for _, line in read_lines(path, log)), strict=True)
    end = 0
    while True:
        try:
            for cells in reader:
                end = reader.line_num
                yield end, cells
            return
        except csv.Error as error:  # perhaps the file ends in quotes that were opened long before
            log.problem("csv", f"{error}; lines {end + 1} to {reader.line_num} are skipped", path, end + 1)
            end = reader.line_num


def _rows(
    lines: Iterable[tuple[int, list[str]]], path: Path, log: Log, needed: Sequence[str], unique: str
) -> Iterator[Row]:
    columns: list[str] = []
    keys: set[str] = set()
    for number, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if not columns:
            columns = [cell.strip() for cell in cells]
            if missing := [column for column in needed if column not in columns]:
                raise FormatError(f"the column {missing[0]} is missing", where=str(path))
            if len(set(columns)) < len(columns):
                raise FormatError("a column occurs twice", where=str(path))
        elif len(cells) != len(columns):
            log.problem("width", f"{len(cells)} cells where the header has {len(columns)}", path, number)
        elif unique and (key := cells[columns.index(unique)]) in keys:
            log.problem("duplicate", f"the {unique} {key} is given twice; the later row is skipped", path, number)
        else:
            row = Row(number, dict(zip(columns, cells, strict=True)))
            keys.add(row.cells.get(unique, ""))
            yield row
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


# -- maps --------------------------------------------------------------------------------------------------------------


class Statement(NamedTuple):
    """The ids of a locution and of the proposition that it asserts."""

    locution: str
    proposition: str


def say(
    build: GraphBuilder,
    speaker: str,
    text: str,
    *,
    words: str | None = None,
    start: str | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Statement:
    """Add L → YA Asserting → I; the locution has a ``start`` and says ``words``, where they are not the text.

    ``speaker`` is empty if the data names nobody. ``extra`` are fields of both the locution and the proposition.

    >>> build = GraphBuilder()
    >>> _ = say(build, "Ann", "Masks help")
    >>> [(node.type, node.text) for node in build.graph()]
    [('L', 'Ann: Masks help'), ('YA', 'Asserting'), ('I', 'Masks help')]
    """
    name, fields = speaker or UNKNOWN, dict(extra or {})
    locution = build.locution(f"{name}: {text if words is None else words}", extra=fields)
    build.record(LocutionRecord(locution, build.participant(name), start))
    asserting = build.node("YA", "Asserting")
    proposition = build.proposition(text, extra=fields)
    build.edge(locution, asserting)
    build.edge(asserting, proposition)
    return Statement(locution, proposition)


def finished(
    build: GraphBuilder, key: str, document: Mapping[str, Any], text: str = "", spans: Iterable[Span] = ()
) -> ArgumentGraph:
    """Return the map with its text; ``document`` stands in the map's further fields under a key."""
    if text:
        build.source(SourceText(text, tuple(spans)))
    return build.graph(aif={key: dict(document)})


def missing_words(what: str) -> str:
    """Return the text of a proposition whose words the copy of the data does not hold.

    >>> missing_words("post 7")
    '[post 7: text not in this copy]'
    """
    return f"[{what}: text not in this copy]"


def closing_links(links: Iterable[tuple[K, K]]) -> set[tuple[K, K]]:
    """Return links (from, to) without which the others form no cycle.

    >>> sorted(closing_links([("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")]))
    [('c', 'a'), ('d', 'd')]
    """
    graph: networkx.DiGraph[K] = networkx.DiGraph(links)
    walked: set[K] = set()  # on the way from the root to the current node
    closing: set[tuple[K, K]] = set()
    for start, end, kind in networkx.dfs_labeled_edges(graph):
        if kind == "forward":
            walked.add(end)
        elif kind == "reverse":
            walked.discard(end)
        elif end in walked:
            closing.add((start, end))
    return closing
