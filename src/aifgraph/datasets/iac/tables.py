"""The tables of IAC 2 in a database on disk while they are read: texts come last in a dump, and never fit in memory."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Any

from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.iac.iac2_files import Record
from aifgraph.formats.archives import temporary_room

#: Table → its key columns.
KEYS: dict[str, tuple[str, ...]] = {
    "author": ("author_id",),
    "discussion": ("discussion_id",),
    "discussion_stance": ("discussion_id", "discussion_stance_id"),
    "discussion_topic": ("discussion_id",),
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

    def of_discussion(self, table: str, discussion: int) -> list[Values]:
        """The rows of a table that belong to a discussion, by key."""
        query = f"SELECT row FROM {table} WHERE discussion_id = ? ORDER BY {', '.join(KEYS[table])}"
        return [json.loads(row) for (row,) in self._db.execute(query, (discussion,))]

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
