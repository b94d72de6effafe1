r"""The rows of IAC 2 in its other published form: a folder of one TSV file per table.

``\N`` is NULL; a backslash keeps a tab, a line break or a backslash inside a value. Columns come from a header row,
else from the table's ``CREATE TABLE`` in a ``.sql`` file next to it, else they are those of the published schema.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.iac.sql_dump import Record
from aifgraph.datasets.rows import lines_of

#: The published columns, where nothing next to the table says otherwise.
COLUMNS: dict[str, tuple[str, ...]] = {
    table: tuple(columns.split())
    for table, columns in {
        "author": "author_id username",
        "discussion": "discussion_id url title initiating_author_id",
        "discussion_stance": "discussion_id discussion_stance_id discussion_stance topic_id topic_stance_id",
        "discussion_topic": "discussion_id topic_id",
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
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a"}


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
        None if cell == "\\N" else _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1], escape[1]), cell)
        for cell in _CELL.findall(line + "\t")
    ]
