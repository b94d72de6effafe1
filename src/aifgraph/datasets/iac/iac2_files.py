r"""The rows of IAC 2.

A MySQL dump, plain or gzipped, is read a line at a time: ``mysqldump`` writes ``INSERT INTO `post` VALUES (…),(…);``
with backslash escapes, often a megabyte to the line, and a ``CREATE TABLE`` before it that names the columns.

While they are read, the rows are in a database on disk: texts come last in a dump, and never fit in memory.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Any, NamedTuple

from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.rows import raw_lines
from aifgraph.errors import FormatError
from aifgraph.formats.archives import temporary_room

_CREATE = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)`?\s*\(", re.IGNORECASE)
_COLUMN = re.compile(rb"\s*`(\w+)`\s")
_INSERT = re.compile(rb"(?:INSERT|REPLACE)\s+(?:IGNORE\s+)?INTO\s+`?(\w+)`?\s*(\([^)]*\))?\s*VALUES\s*", re.IGNORECASE)
# No raw line break in a string: mysqldump escapes them, and a lost quote must not swallow the lines behind it.
# Possessive: a row that does not end in the line must not be tried in every other way.
_ROW = re.compile(rb"\s*\(((?:[^'()]++|'(?:[^'\\\n]++|\\.|'')*+')*+)\)\s*([,;])", re.DOTALL)
_BLANK = re.compile(rb"\s*+\Z")
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


def dump_rows(path: Path, tables: Collection[str], problems: Problems) -> Iterator[Record]:
    """The rows of the wanted ``tables`` as they come. Damaged rows are problems and skipped.

    Raises ``FormatError`` where the file is no dump or its compression is broken.
    """
    name = path.name
    columns: dict[str, list[str]] = {}
    creating = table = ""  # the table whose columns, or whose rows, the line is about
    names: list[str] = []
    statements = number = 0
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
                statements += 1
            elif inserted := _INSERT.match(line):
                statements += 1
                if (into := inserted[1].decode()) in tables:
                    listed = [column.decode() for column in re.findall(rb"`(\w+)`", inserted[2] or b"")]
                    if listed or columns.get(into):
                        table, names, at = into, listed or columns[into], inserted.end()
                    else:
                        problems.add("columns", f"nothing names the columns of `{into}`", name, number)
        # The rows of a statement may go on over lines, but none over a line break.
        while table and not _BLANK.match(line, at):
            row = _ROW.match(line, at)
            if row is not None:
                if (values := _values(row[1], table, names, name, number, problems)) is not None:
                    yield Record(table, number, values)
                table, at = "" if row[2] == b";" else table, row.end()
                continue
            shown = line[at : at + 60].lstrip()[:40].decode("utf-8", "replace").split("\n")[0]
            problems.add("row", f"damaged row of `{table}`, skipped: {shown!r}", name, number)
            # On with the next row of the same line, if there is one.
            following = line.find(b"),(", at)
            table, at = (table, following + 2) if following >= 0 else ("", at)
    if table:
        problems.add("row", f"the rows of `{table}` are cut off", name, number)
    if not statements:
        raise FormatError("no CREATE TABLE and no INSERT INTO in it", where=name, remedy="give a MySQL dump")


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


#: Table → its key columns.
KEYS: dict[str, tuple[str, ...]] = {
    "author": ("author_id",),
    "discussion": ("discussion_id",),
    "discussion_stance": ("discussion_id", "discussion_stance_id"),
    "discussion_topic": ("discussion_id",),
    "markup": ("text_id", "markup_id"),
    "post": ("discussion_id", "post_id"),
    "quote": ("discussion_id", "post_id", "quote_index"),
    "text": ("text_id",),
    "topic": ("topic_id",),
    "topic_stance": ("topic_id", "topic_stance_id"),
    "mturk_2010_qr_entry": ("page_id", "tab_number"),
    "mturk_2010_qr_task1_average_response": ("page_id", "tab_number"),
    "mturk_2010_qr_task2_average_response": ("page_id", "tab_number"),
}

Values = dict[str, Any]


class Store:
    """Rows by table and key; whatever a row holds besides stays with it, ``line`` included."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        for table, keys in KEYS.items():
            columns = ", ".join(f"{key} INTEGER" for key in keys)
            connection.execute(f"CREATE TABLE {table} ({columns}, row TEXT, PRIMARY KEY ({', '.join(keys)}))")

    def fill(self, records: Iterable[Record], problems: Problems, file: str) -> dict[str, int]:
        """Store all records; gives the number of rows by table. Repeated and missing keys are problems."""
        counts: dict[str, int] = {}
        for table, line, values in records:
            keys = [_integer(values.get(key)) for key in KEYS[table]]
            if None in keys:
                shown = ", ".join(f"{key} = {str(values.get(key))[:20]}" for key in KEYS[table])
                problems.add("key", f"a row of `{table}` without a key ({shown}); it is skipped", file, line)
                continue
            text = json.dumps({**values, "line": line}, ensure_ascii=False, separators=(",", ":"))
            marks = ", ".join("?" * (len(keys) + 1))
            done = self._db.execute(
                f"INSERT OR IGNORE INTO {table} VALUES ({marks})", (*keys, text.encode("utf-8", "replace").decode())
            )
            if done.rowcount == 0:
                shown = ", ".join(map(str, keys))
                problems.add(
                    "duplicate", f"`{table}` has the key ({shown}) twice; the later row is skipped", file, line
                )
            else:
                counts[table] = counts.get(table, 0) + 1
        self._db.commit()
        return counts

    def one(self, table: str, *keys: Any) -> Values | None:
        """The row with this key."""
        numbers = [_integer(key) for key in keys]
        if None in numbers:
            return None
        where = " AND ".join(f"{key} = ?" for key in KEYS[table])
        row = self._db.execute(f"SELECT row FROM {table} WHERE {where}", numbers).fetchone()
        return None if row is None else json.loads(row[0])

    def those_of(self, table: str, owner: Any) -> list[Values]:
        """The rows of a table that belong to a discussion or, of markup, to a text, by key."""
        number = _integer(owner)
        query = f"SELECT row FROM {table} WHERE {KEYS[table][0]} = ? ORDER BY {', '.join(KEYS[table])}"
        return [] if number is None else [json.loads(row) for (row,) in self._db.execute(query, (number,))]

    def discussions(self) -> Iterator[int]:
        """The discussions that have posts."""
        for (discussion,) in self._db.execute("SELECT DISTINCT discussion_id FROM post ORDER BY discussion_id"):
            yield discussion

    def entries(self) -> dict[int, list[Values]]:
        """4forums' annotated pairs by discussion."""
        entries: dict[int, list[Values]] = {}
        for (row,) in self._db.execute("SELECT row FROM mturk_2010_qr_entry ORDER BY page_id, tab_number"):
            values = json.loads(row)
            discussion = _integer(values.get("discussion_id"))
            if discussion is not None:
                entries.setdefault(discussion, []).append(values)
        return entries


def _integer(value: object) -> int | None:
    try:
        number = int(str(value))
    except ValueError:
        return None
    return number if -(2**63) <= number < 2**63 else None  # SQLite's integers


@contextmanager
def temporary_store() -> Iterator[Store]:
    """A store that is deleted afterwards."""
    with temporary_room(), tempfile.TemporaryDirectory(prefix="aifgraph-") as folder:
        connection = sqlite3.connect(Path(folder) / "tables.db")
        try:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            yield Store(connection)
        except sqlite3.OperationalError as error:
            if "disk" not in str(error):
                raise
            raise OSError(ENOSPC, str(error)) from None
        finally:
            connection.close()
