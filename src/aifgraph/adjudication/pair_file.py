"""The decisions about a pair in a file of its own, as ``merge --decisions`` reads it. A decision is on disk before
anybody is told so."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final

from aifgraph.adjudication.decisions import (
    COLUMNS,
    FILLED_IN,
    DecisionTable,
    as_read_back,
    decision_rows,
    decisions_tsv,
    maps_of,
    parse_decision,
    read_decisions,
    row_of_cells,
)
from aifgraph.comparison.differences import Differences
from aifgraph.errors import InputError
from aifgraph.files import write_atomic

Row = dict[str, str]

#: One decision after the other is compared with what it replaces, and written.
_WRITING: Final = Lock()


class ChangedError(Exception):
    """A row says something else than what was to be replaced; ``row`` is what it says."""

    def __init__(self, row: Row) -> None:
        super().__init__(row["row"])
        self.row = row


def update_rows(path: Path, differences: Differences, text: str) -> None:
    """Write the rows of a pair to its file, with what is decided there and the columns that it has besides.

    Raises:
        InputError: the file is about other maps or other differences.
    """
    rows = decision_rows(differences, text)
    if path.exists():
        read_decisions(path, differences)
        kept = rows_of(path)
        if any(row["maps"] != maps_of(differences) for row in kept.values()):
            remedy = "move it to another folder"
            raise InputError("this file holds rows about other maps, too", where=str(path), remedy=remedy)
        rows = [kept.get(row["row"], {}) | {name: row[name] for name in row if name not in FILLED_IN} for row in rows]
    write_atomic(path, decisions_tsv(rows), durable=True)


def rows_of(path: Path) -> dict[str, Row]:
    """Return the rows of a file by id, with all columns.

    Raises:
        InputError: two rows of one id.
    """
    found: dict[str, Row] = {}
    for where, cells in (row for rows in DecisionTable(path).rows.values() for row in rows):
        if cells["row"] in found:
            raise InputError(f"row {cells['row']} is in this file twice", where=where)
        found[cells["row"]] = dict.fromkeys(COLUMNS, "") | cells
    return found


def progress_of(path: Path) -> tuple[int, int]:
    """Return how many rows are decided, and how many there are; a mere rewording needs no decision."""
    rows = [row for row in rows_of(path).values() if row["kind"] != "reworded" or row["decision"]]
    return sum(bool(row["decision"]) for row in rows), len(rows)


def decide(path: Path, id_: str, decision: str, note: str, by: str, replaces: Mapping[str, str]) -> Row:
    """Write a decision about a row, and return the row; an empty decision opens it again.

    Raises:
        KeyError: there is no such row.
        InputError: the row cannot be decided so.
        ChangedError: the row does not say what is to be replaced.
    """
    with _WRITING:
        rows = rows_of(path)
        row = rows[id_]
        decision, note, by = map(as_read_back, (decision, note, by))
        if decision:
            if not row["kind"]:  # a file of the least columns
                what = f"the file does not say what row {id_} is about"
                raise InputError(what, where=str(path), remedy="start the server again")
            decision = parse_decision(decision, row_of_cells(row)).text
        if (row["decision"], row["note"]) == (decision, note):  # sent again: the answer was lost
            return row
        if any(row[name] != replaces[name] for name in ("decision", "note", "when")):
            raise ChangedError(row)
        when = datetime.now(UTC).isoformat(timespec="milliseconds")
        signed = {"by": by, "when": when} if decision or note else {"by": "", "when": ""}
        rows[id_] = {**row, "decision": decision, "note": note, **signed}
        write_atomic(path, decisions_tsv(rows.values()), durable=True)
        return rows[id_]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a folder to this process, whatever ends it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError("another server has this folder open", where=str(folder)) from None
        yield
