"""The rows of a MySQL dump, plain or gzipped, in constant memory: a statement is never held whole, only a row.

``mysqldump`` writes ``INSERT INTO `post` VALUES (…),(…);`` with backslash escapes, often a megabyte to the line, and a
``CREATE TABLE`` before it that names the columns.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from aifgraph.datasets.dataset import Problems
from aifgraph.errors import FormatError, InputError

_CHUNK = 1 << 20
#: As much of a line is looked at to know what it is.
_HEAD = 1 << 12
#: A row longer than this is no row.
_MAX_ROW = 1 << 27

_CREATE = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)`?\s*\(", re.IGNORECASE)
_COLUMN = re.compile(rb"\s*`(\w+)`\s")
_INSERT = re.compile(rb"(?:INSERT|REPLACE)\s+(?:IGNORE\s+)?INTO\s+`?(\w+)`?\s*(\([^)]*\))?\s*VALUES\s*", re.IGNORECASE)
# No raw line break in a string: mysqldump escapes them, and a lost quote must not swallow the lines behind it.
# Possessive: a row that does not end in the buffer must not be tried in every other way.
_ROW = re.compile(rb"\s*\(((?:[^'()]++|'(?:[^'\\\n]++|\\.|'')*+')*+)\)\s*([,;])", re.DOTALL)
_VALUE = re.compile(rb"\s*+(?:'((?:[^'\\]++|\\.|'')*+)'|([^,']++))\s*+(?:,|\Z)", re.DOTALL)
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a", b"%": b"\\%", b"_": b"\\_"}


class Record(NamedTuple):
    """One row of one table: the line of the dump it stands on, and its values (``None`` for NULL) by column."""

    table: str
    line: int
    values: dict[str, str | None]


def unescaped(value: bytes) -> bytes:
    r"""The bytes that a quoted MySQL string stands for.

    >>> unescaped(b"don\\'t\\nsay ''no''")
    b"don't\nsay 'no'"
    """
    if b"\\" not in value and b"'" not in value:
        return value
    return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]) if escape[1] is not None else b"'", value)


class _Buffer:
    """A window on the dump: what is read and not yet used."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.data = b""
        self.at = 0
        self.line = 1

    def more(self) -> bool:
        chunk = self.file.read(_CHUNK)
        if chunk:
            self.data = self.data[self.at :] + chunk
            self.at = 0
        return bool(chunk)

    def use(self, end: int) -> None:
        self.line += self.data.count(b"\n", self.at, end)
        self.at = end

    def next_line(self) -> bytes | None:
        """The next line without using it, without its end; a long one only as far as it is needed to know it."""
        while True:
            end = self.data.find(b"\n", self.at)
            if end >= 0:
                return self.data[self.at : end]
            if len(self.data) - self.at > _HEAD or not self.more():
                return self.data[self.at :] or None

    def skip_line(self) -> None:
        while (end := self.data.find(b"\n", self.at)) < 0:
            self.at = len(self.data)
            if not self.more():
                return
        self.use(end + 1)


def dump_rows(path: Path, tables: Collection[str], problems: Problems) -> Iterator[Record]:
    """The rows of the wanted ``tables`` as they come. Damaged rows are problems and skipped.

    Raises ``FormatError`` where the file is no dump or its compression is broken.
    """
    try:
        with path.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
            plain.seek(0)
            with gzip.open(plain) if packed else plain as file:
                yield from _rows(_Buffer(file), path.name, tables, problems)  # type: ignore[arg-type]
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"the compressed dump is damaged ({error})", where=str(path)) from None
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(path)) from None


def _rows(buffer: _Buffer, name: str, tables: Collection[str], problems: Problems) -> Iterator[Record]:
    columns: dict[str, list[str]] = {}
    creating = ""
    statements = 0
    while (line := buffer.next_line()) is not None:
        if creating:
            column = _COLUMN.match(line)
            if column:
                columns[creating].append(column[1].decode())
            elif line.startswith(b")"):
                creating = ""
        elif created := _CREATE.match(line):
            creating = created[1].decode()
            columns[creating] = []
            statements += 1
        elif inserted := _INSERT.match(line):
            statements += 1
            table = inserted[1].decode()
            if table in tables:
                listed = re.findall(rb"`(\w+)`", inserted[2] or b"")
                names = [column.decode() for column in listed] or columns.get(table, [])
                buffer.use(buffer.at + inserted.end())
                yield from _insert(buffer, table, names, name, problems)
                continue
        buffer.skip_line()
    if not statements:
        raise FormatError("no CREATE TABLE and no INSERT INTO in it", where=name, remedy="give a MySQL dump")


def _insert(buffer: _Buffer, table: str, columns: list[str], name: str, problems: Problems) -> Iterator[Record]:
    """The rows of one statement, up to its semicolon."""
    if not columns:
        problems.add("columns", f"nothing names the columns of `{table}`", name, buffer.line)
        buffer.skip_line()
        return
    while True:
        row = _ROW.match(buffer.data, buffer.at)
        if row is None:
            # Rows may stand on lines of their own, but none goes over a line break: with one in sight behind its
            # beginning, the row is damaged and not just cut by the end of the buffer.
            while buffer.data[buffer.at : buffer.at + 1].isspace():
                buffer.use(buffer.at + 1)
            whole = buffer.data.find(b"\n", buffer.at) >= 0
            if not whole and len(buffer.data) - buffer.at < _MAX_ROW and buffer.more():
                continue
            if not _resume(buffer, table, name, problems):
                return
            continue
        values = _values(row[1], table, columns, name, buffer.line, problems)
        line = buffer.line
        buffer.use(row.end())
        if values is not None:
            yield Record(table, line, values)
        if row[2] == b";":
            buffer.skip_line()
            return


def _resume(buffer: _Buffer, table: str, name: str, problems: Problems) -> bool:
    """Behind a damaged row: at the next row of the same line, if there is one."""
    shown = buffer.data[buffer.at : buffer.at + 40].decode("utf-8", "replace").split("\n")[0]
    problems.add("row", f"damaged row of `{table}`, skipped: {shown!r}", name, buffer.line)
    line_end = buffer.data.find(b"\n", buffer.at)
    end = line_end if line_end >= 0 else len(buffer.data)
    following = buffer.data.find(b"),(", buffer.at, end)
    if following >= 0:
        buffer.use(following + 2)
        return True
    buffer.use(end)
    if line_end >= 0:
        buffer.skip_line()
    return False


def _values(
    row: bytes, table: str, columns: list[str], name: str, line: int, problems: Problems
) -> dict[str, str | None] | None:
    values: list[str | None] = []
    damaged = False
    for quoted, plain in _VALUE.findall(row):
        if plain:
            bare = plain.strip().decode("ascii", "replace")
            values.append(None if bare.upper() == "NULL" else bare)
            continue
        text = unescaped(quoted)
        try:
            values.append(text.decode("utf-8"))
        except UnicodeDecodeError:
            damaged = True
            values.append(text.decode("cp1252", errors="replace"))
    if len(values) != len(columns):
        message = f"{len(values)} values where `{table}` has {len(columns)} columns; the row is skipped"
        problems.add("width", message, name, line)
        return None
    if damaged:
        problems.add("encoding", f"a text of `{table}` is not UTF-8; read as Windows-1252", name, line)
    return dict(zip(columns, values, strict=True))
