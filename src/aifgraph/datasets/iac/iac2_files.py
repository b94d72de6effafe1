r"""The rows of IAC 2 in its two published forms.

A MySQL dump, plain or gzipped, is read a line at a time: ``mysqldump`` writes ``INSERT INTO `post` VALUES (…),(…);``
with backslash escapes, often a megabyte to the line, and a ``CREATE TABLE`` before it that names the columns.

A folder has one TSV file per table. ``\N`` is NULL; a backslash keeps a tab, a line break or a backslash inside a
value. Columns come from a header row, else from the table's ``CREATE TABLE`` in a ``.sql`` file next to it, else they
are those of the published schema.

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
from aifgraph.datasets.rows import lines_of, raw_lines
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


#: The published columns, where nothing next to the table says otherwise.
COLUMNS: dict[str, tuple[str, ...]] = {
    table: tuple(columns.split())
    for table, columns in {
        "author": "author_id username",
        "discussion": "discussion_id url title initiating_author_id",
        "discussion_stance": "discussion_id discussion_stance_id discussion_stance topic_id topic_stance_id",
        "discussion_topic": "discussion_id topic_id",
        "markup": "text_id markup_id markup_start markup_end type attributes",
        "post": "discussion_id post_id author_id creation_date parent_post_id parent_missing text_id"
        " points discussion_stance_id response_type",
        "quote": "discussion_id post_id quote_index parent_quote_index text_offset text_id"
        " source_discussion_id source_post_id source_start source_end truncated altered",
        "text": "text_id text",
        "topic": "topic_id topic",
        "topic_stance": "topic_id topic_stance_id stance",
    }.items()
}
#: In these a row may be shorter (4forums' posts lack the last columns) or longer (authors have a profile); how short.
_MIN_CELLS = {"author": 2, "discussion": 2, "post": 7}
_SUFFIXES = (".tsv", ".txt", ".tsv.gz", ".txt.gz")
_CELL = re.compile(r"((?:[^\t\\]++|\\.)*+)\t", re.DOTALL)
_TSV_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_TSV_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a"}


def table_files(folder: Path) -> dict[str, Path]:
    """The tables of a folder by name; ``createdebate_post.tsv`` counts as ``post``."""
    tables: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        suffix = next((ending for ending in _SUFFIXES if path.name.lower().endswith(ending)), None)
        if suffix is None or not path.is_file():
            continue
        stem = path.name[: -len(suffix)]
        known = [table for table in (*COLUMNS, *TURK) if stem == table or stem.endswith(("_" + table, "." + table))]
        for table in sorted(known, key=len)[-1:]:
            tables.setdefault(table, path)
    return tables


#: 4forums' annotations.
TURK = ("mturk_2010_qr_entry", "mturk_2010_qr_task1_average_response", "mturk_2010_qr_task2_average_response")


def tsv_records(folder: Path, tables: Collection[str], problems: Problems) -> Iterator[Record]:
    """The rows of the wanted tables, one table after the other. Damaged rows are problems and skipped."""
    for table, path in table_files(folder).items():
        if table in tables:
            yield from _table(table, path, problems)


def _table(table: str, path: Path, problems: Problems) -> Iterator[Record]:
    columns = _columns_in_schema(table, path)
    fixed = columns is not None
    for line, cells in _rows(path, problems):
        if columns is None:
            columns = tuple(COLUMNS.get(table, ()))
            named = [cell.strip("`\"' ") for cell in cells if cell is not None]
            if len(named) == len(cells) and set(named) & ({*columns[:2]} or {"page_id", "tab_number"}):
                columns, fixed = tuple(named), True
                continue
        if not columns:
            problems.add("columns", f"nothing names the columns of {table}", path.name, line)
            return
        if len(cells) != len(columns) and (fixed or len(cells) < _MIN_CELLS.get(table, 1 << 30)):
            problems.add("width", f"{len(cells)} cells where {len(columns)} were expected", path.name, line)
            continue
        yield Record(table, line, dict(zip(columns, cells, strict=False)))


def _columns_in_schema(table: str, path: Path) -> tuple[str, ...] | None:
    for schema in (path.with_name(f"{path.name.split('.')[0]}.sql"), path.with_name(f"{table}.sql")):
        if schema.is_file():
            text = schema.read_text("utf-8", errors="replace")
            body = re.search(rf"CREATE TABLE [^(]*`?{table}`?\s*\((.*)", text, re.DOTALL | re.IGNORECASE)
            names = re.findall(r"^\s*`(\w+)`\s", body[1], re.MULTILINE) if body else []
            if names:
                return tuple(names)
    return None


def _rows(path: Path, problems: Problems) -> Iterator[tuple[int, list[str | None]]]:
    """Rows with the line they begin on: a line that ends in an odd number of backslashes goes on in the next."""
    unfinished = ""
    first = 1
    for number, line in lines_of(path, problems, path.name):
        if not unfinished:
            first = number
        tail = len(line) - len(line.rstrip("\\"))
        if tail % 2:
            unfinished += line + "\n"
            continue
        yield first, _cells(unfinished + line)
        unfinished = ""
    if unfinished:
        problems.add("row", "the last row is cut off", path.name, first)


def _cells(line: str) -> list[str | None]:
    r"""The values of a row.

    >>> _cells("7\t\\N\ta\\tb")
    ['7', None, 'a\tb']
    """
    if "\\" not in line:
        return list(line.split("\t"))
    return [
        None if cell == "\\N" else _TSV_ESCAPE.sub(lambda escape: _TSV_ESCAPES.get(escape[1], escape[1]), cell)
        for cell in _CELL.findall(line + "\t")
    ]


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
