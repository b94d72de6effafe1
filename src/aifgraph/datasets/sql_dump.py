"""MySQL dumps, plain or gzipped, read a line at a time into SQLite.

``mysqldump`` writes ``CREATE TABLE`` with the columns, then ``INSERT INTO `post` VALUES (…),(…);``, often a megabyte to
the line. Line breaks in strings are escaped, so a lost quote costs at most the rest of its line.

No pattern can match one text in two ways, and after a damaged row reading goes on behind it: the time is linear in the
length of the file, whatever it holds.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from aifgraph.datasets.dataset import Log
from aifgraph.datasets.rows import raw_lines
from aifgraph.errors import FormatError, InputError

Value: TypeAlias = str | int | float | None

_CREATE: Final = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?`?(\w++)`?\s*+\(", re.IGNORECASE)
_COLUMN: Final = re.compile(rb"\s*+`(\w++)`\s")
_INSERT: Final = re.compile(
    rb"(?:INSERT|REPLACE)\s++(?:IGNORE\s++)?INTO\s++`?(\w++)`?\s*+(?:\(([^)]*+)\)\s*+)?VALUES\s*+", re.IGNORECASE
)
_VALUE: Final = re.compile(rb"\s*+(?:'((?:[^'\\\n]++|\\.|'')*+)'|([^\s'(),;\\]++))\s*+([,)])", re.DOTALL)
_AFTER_ROW: Final = re.compile(rb"\s*+([,;])")
_OPEN: Final = re.compile(rb"\s*+\(")
_BLANK: Final = re.compile(rb"\s*+\Z")
_NUMBER: Final = re.compile(rb"-?[0-9]{1,18}(\.[0-9]++)?+")
_ESCAPE: Final = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED: Final = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a"}
_KEPT: Final = (b"%", b"_")  # these keep their backslash


class DumpRow(NamedTuple):
    """A row of a table: the line of the dump it stands on, and its values by column."""

    table: str
    line: int
    values: dict[str, Value]


class Columns(NamedTuple):
    """What a table has at least: the columns of its key, which are whole numbers, and others."""

    keys: tuple[str, ...]
    others: tuple[str, ...]


def unescape(value: bytes) -> bytes:
    r"""Return the bytes that a quoted string stands for.

    >>> unescape(b"don\\'t\\nsay ''no''")
    b"don't\nsay 'no'"
    """

    def plain(escape: re.Match[bytes]) -> bytes:
        character: bytes | None = escape[1]
        if character is None:
            return b"'"
        return escape[0] if character in _KEPT else _ESCAPED.get(character, character)

    return _ESCAPE.sub(plain, value) if b"\\" in value or b"'" in value else value


def read_dump(path: Path, tables: Mapping[str, Columns], log: Log) -> Iterator[DumpRow]:
    """Yield the rows of some tables as they come; damaged rows are problems and skipped."""
    columns: dict[str, list[str]] = {}
    creating = table = ""  # the table whose columns, or whose rows, the line is about
    names: list[str] = []
    found, number = False, 0
    for number, line in enumerate(raw_lines(path), 1):
        at = 0
        if creating:
            if column := _COLUMN.match(line):
                columns[creating].append(column[1].decode())
            elif line.startswith(b")"):
                creating = ""
        elif not table:
            if created := _CREATE.match(line):
                creating = created[1].decode()
                columns[creating] = []
                found = True
            elif inserted := _INSERT.match(line):
                found = True
                into = inserted[1].decode()
                listed = [column.decode() for column in re.findall(rb"\w+", inserted[2] or b"")]
                if into in tables and (listed or columns.get(into)):
                    table, names, at = into, listed or columns[into], inserted.end()
                elif into in tables:
                    log.problem("columns", f"nothing names the columns of `{into}`", path, number)
        # The rows of a statement may go on over lines.
        while table and not _BLANK.match(line, at):
            values, end = _row(line, at, table, path, number, log)
            after = _AFTER_ROW.match(line, end) if end else None
            if after is None:
                shown = line[at : at + 40].decode("utf-8", "replace").strip()
                log.problem("row", f"damaged row of `{table}`, skipped: {shown!r}", path, number)
                following = line.find(b"),(", at)
                if following < 0:
                    table = ""
                at = following + 2
                continue
            if len(values) == len(names):
                yield DumpRow(table, number, dict(zip(names, values, strict=True)))
            else:
                what = f"{len(values)} values where `{table}` has {len(names)} columns; the row is skipped"
                log.problem("width", what, path, number)
            at = after.end()
            if after[1] == b";":
                table = ""
    if table:
        log.problem("row", f"the rows of `{table}` are cut off", path, number)
    if not found:
        raise FormatError("the file has no CREATE TABLE or INSERT INTO", where=str(path), remedy="give a MySQL dump")


def _row(line: bytes, at: int, table: str, path: Path, number: int, log: Log) -> tuple[list[Value], int]:
    """Return the values of the row at a place, and where it ends; 0 for a damaged row."""
    values: list[Value] = []
    opened = _OPEN.match(line, at)
    if opened is None:
        return values, 0
    at = opened.end()
    while match := _VALUE.match(line, at):
        quoted, bare, delimiter = match.groups()
        at = match.end()
        if quoted is None:
            values.append(_bare(bare))
        else:
            text = unescape(quoted)
            try:
                values.append(text.decode("utf-8"))
            except UnicodeDecodeError:
                log.problem("encoding", f"a text of `{table}` is not UTF-8; read as Windows-1252", path, number)
                values.append(text.decode("cp1252", errors="replace"))
        if delimiter == b")":
            return values, at
    return values, 0


def _bare(value: bytes) -> Value:
    if number := _NUMBER.fullmatch(value):
        return float(value) if number[1] else int(value)
    return None if value.upper() == b"NULL" else value.decode("ascii", "replace")


def load_dump(path: Path, tables: Mapping[str, Columns], log: Log) -> sqlite3.Connection:
    """Read a dump into a database on disk that vanishes when it is closed.

    Every table is there with the columns that it needs, and ``line``. Rows without a key, or with one that came before,
    are problems and skipped.
    """
    database = sqlite3.connect("")
    database.row_factory = sqlite3.Row
    inserts: dict[tuple[str, tuple[str, ...]], str] = {}
    created: set[str] = set()
    for table, line, values in read_dump(path, tables, log):
        names = tuple(values)
        try:
            if table not in created:
                _create(database, table, tables[table], names)
                created.add(table)
            insert = inserts.get((table, names)) or _insert(database, table, names)
        except sqlite3.OperationalError as error:  # a name twice but for case, or thousands of columns
            raise FormatError(f"columns that SQLite cannot have ({error})", where=f"{path}, line {line}") from None
        inserts[table, names] = insert
        key = [values.get(name) for name in tables[table].keys]
        shown = ", ".join(map(str, key))
        if not all(isinstance(part, int) for part in key):
            log.problem("key", f"a row of `{table}` without a key ({shown[:40]}); it is skipped", path, line)
        elif not _added(database, insert, (*values.values(), line)):
            log.problem("duplicate", f"`{table}` has the key ({shown}) twice; the later row is skipped", path, line)
    for table in tables.keys() - created:
        _create(database, table, tables[table], ())
    return database


def _added(database: sqlite3.Connection, insert: str, values: Sequence[Value]) -> bool:
    try:
        return database.execute(insert, values).rowcount > 0
    except sqlite3.OperationalError as error:  # a full disk
        remedy = "make room, or set TMPDIR to another folder"
        raise InputError(f"no room for temporary files ({error})", remedy=remedy) from None


def _create(database: sqlite3.Connection, table: str, needed: Columns, names: Sequence[str]) -> None:
    columns = dict.fromkeys((*needed.keys, *needed.others, *names, "line"))
    # Numbers, so that they are in order and equal to each other, even where a dump quotes them.
    typed = (f'"{name}" INTEGER' if name.endswith(("_id", "_index")) else f'"{name}"' for name in columns)
    database.execute(f"CREATE TABLE {table} ({', '.join(typed)}, PRIMARY KEY ({', '.join(needed.keys)}))")


def _insert(database: sqlite3.Connection, table: str, names: Sequence[str]) -> str:
    known = {row["name"] for row in database.execute(f"PRAGMA table_info({table})")}
    for name in names:
        if name not in known:
            database.execute(f'ALTER TABLE {table} ADD COLUMN "{name}"')
    listed = [f'"{name}"' for name in (*names, "line")]
    return f"INSERT OR IGNORE INTO {table} ({', '.join(listed)}) VALUES ({', '.join('?' * len(listed))})"
