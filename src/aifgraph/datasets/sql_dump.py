"""MySQL dumps, plain or gzipped, read a line at a time into SQLite.

``mysqldump`` writes ``CREATE TABLE`` with the columns, then ``INSERT INTO `post` VALUES (…),(…);``, often a megabyte to
the line. No pattern can match one text in two ways, so the time is linear in the length of the file.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from aifgraph.datasets.dataset import Log, raw_lines
from aifgraph.errors import FormatError

Value = str | int | float | None

#: A table, perhaps of a named database.
_TABLE: Final = rb"(?:`?\w++`?\.)?+`?(\w++)`?\s*+"
_CREATE: Final = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?" + _TABLE + rb"(?:\(|$)", re.IGNORECASE)
_COLUMN: Final = re.compile(
    rb"\s*+(?!(?:PRIMARY|UNIQUE|KEY|INDEX|FULLTEXT|SPATIAL|CONSTRAINT|CHECK|FOREIGN)\b)`?(\w++)`?\s", re.I
)
_INLINE: Final = re.compile(rb"[(,]" + _COLUMN.pattern, re.IGNORECASE)  # a statement on one line
_INSERT: Final = re.compile(
    rb"(?:INSERT|REPLACE)\s++(?:IGNORE\s++)?INTO\s++" + _TABLE + rb"(?:\(([^)]*+)\)\s*+)?VALUES", re.IGNORECASE
)
_VALUE: Final = re.compile(
    rb"\s*+(?:(?:_\w++\s*+)?+(?:'((?:[^'\\\n]++|\\.|'')*+)'|\"((?:[^\"\\\n]++|\\.|\"\")*+)\"|0x([0-9a-fA-F]++))"
    rb"|([^\s'\"(),;\\]++))\s*+(,|\)\s*+[,;])",
    re.DOTALL,
)
_OPEN: Final = re.compile(rb"\s*+\(")
_NUMBER: Final = re.compile(rb"-?[0-9]{1,18}(\.[0-9]++)?+")
_ESCAPE: Final = re.compile(rb"\\([^%_])|''|\"\"", re.DOTALL)  # \% and \_ keep their backslash
_ESCAPED: Final = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a"}


class DumpRow(NamedTuple):
    """A row of a table: the line of the dump it stands on, and its values by column."""

    table: str
    line: int
    values: dict[str, Value]


class Columns(NamedTuple):
    """What a table has at least: the columns of its key, which are whole numbers, and others."""

    keys: tuple[str, ...]
    others: tuple[str, ...]


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
            creating = "" if line.startswith(b")") else creating
        elif not table and (created := _CREATE.match(line)):
            found = True
            creating = created[1].decode()
            columns[creating] = [name.decode() for name in _INLINE.findall(line, created.end() - 1)]
            creating = "" if line.rstrip().endswith(b";") else creating
        elif not table and (inserted := _INSERT.match(line)):
            found = True
            table, at = inserted[1].decode(), inserted.end()
            names = [name.decode() for name in re.findall(rb"\w+", inserted[2] or b"")] or columns.get(table, [])
            if table in tables and not names:
                log.problem("columns", f"nothing names the columns of `{table}`", path, number)
            table = table if table in tables and names else ""
        while table and line[at:].strip():  # the rows of a statement may go on over lines
            start = at
            values, at, end = _row(line, at, table, path, number, log)
            if not at:
                shown = line[start : start + 40].decode("utf-8", "replace").strip()
                log.problem("row", f"damaged row of `{table}`, skipped: {shown!r}", path, number)
                at, end = line.find(b"),(", start) + 2, b""
                if at == 1:
                    break
            elif len(values) == len(names):
                yield DumpRow(table, number, dict(zip(names, values, strict=True)))
            else:
                what = f"{len(values)} values where `{table}` has {len(names)} columns; the row is skipped"
                log.problem("width", what, path, number)
            table = "" if end == b";" else table
        table = table if at != 1 else ""
    if table:
        log.problem("row", f"the rows of `{table}` are cut off", path, number)
    if not found:
        raise FormatError("the file has no CREATE TABLE or INSERT INTO", where=str(path), remedy="give a MySQL dump")


def _row(line: bytes, at: int, table: str, path: Path, number: int, log: Log) -> tuple[list[Value], int, bytes]:
    """Return the values of the row at a place, where it ends (0 for a damaged row), and what stands there."""
    values: list[Value] = []
    opened = _OPEN.match(line, at)
    at = opened.end() if opened else len(line)
    while match := _VALUE.match(line, at):
        single, double, digits, bare, end = match.groups()
        at = match.end()
        if bare is not None:
            values.append(_bare(bare))
        else:
            quoted = single if single is not None else double
            text = (
                bytes.fromhex(digits.decode().zfill(len(digits) + len(digits) % 2))
                if quoted is None
                else _ESCAPE.sub(_plain, quoted)
            )
            try:
                values.append(text.decode("utf-8"))
            except UnicodeDecodeError:
                log.problem("encoding", f"a text of `{table}` is not UTF-8; read as Windows-1252", path, number)
                values.append(text.decode("cp1252", errors="replace"))
        if end != b",":
            return values, at, end[-1:]
    return values, 0, b""


def _plain(escape: re.Match[bytes]) -> bytes:
    return _ESCAPED.get(escape[1], escape[1]) if escape[1] else escape[0][:1]


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
    columns: dict[str, dict[str, None]] = {}
    for table, line, values in read_dump(path, tables, log):
        try:
            if table not in columns:
                columns[table] = _create(database, table, tables[table], *values)
            known = {name: value for name, value in values.items() if name in columns[table]} | {"line": line}
            listed = ", ".join(f'"{name}"' for name in known)
            key = [values.get(name) for name in tables[table].keys]
            if not all(isinstance(part, int) for part in key):
                shown = ", ".join(map(str, key))[:40]
                log.problem("key", f"a row of `{table}` without a key ({shown}); it is skipped", path, line)
                continue
            insert = f"INSERT OR IGNORE INTO {table} ({listed}) VALUES ({', '.join('?' * len(known))})"
            if not database.execute(insert, [*known.values()]).rowcount:
                shown = ", ".join(map(str, key))
                log.problem("duplicate", f"`{table}` has the key ({shown}) twice; the later row is skipped", path, line)
        except sqlite3.OperationalError as error:  # a name twice but for case, thousands of columns, a full disk
            raise FormatError(f"not taken by SQLite ({error})", where=f"{path}, line {line}") from None
    for table in tables.keys() - columns.keys():
        _create(database, table, tables[table])
    return database


def _create(database: sqlite3.Connection, table: str, needed: Columns, *names: str) -> dict[str, None]:
    columns = dict.fromkeys((*needed.keys, *needed.others, *names, "line"))
    # Numbers, so that they are in order and equal to each other, even where a dump quotes them.
    typed = (f'"{name}" INTEGER' if name.endswith(("_id", "_index")) else f'"{name}"' for name in columns)
    database.execute(f"CREATE TABLE {table} ({', '.join(typed)}, PRIMARY KEY ({', '.join(needed.keys)}))")
    return columns
