"""Decisions about the differences of two maps, and the TSV file that holds them.

The file has a row for each difference; another wording alone needs no decision. Whoever decides fills in the column
``decision``: ``keep`` or ``drop`` what only one side has; ``first``, ``second``, ``both`` or ``neither`` of what both
have, each in its own way; or a new wording or label. An empty cell leaves the row open. Only the columns ``row``,
``maps`` and ``decision`` are needed to read a file, which may hold the rows of many pairs. A server keeps a file for
each pair: a decision is on disk before anybody is told so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Final
from unicodedata import category

from aifgraph.adjudication.selection import Choice, Consequences, choices_of, needs_decision
from aifgraph.comparison.differences import Difference, Differences
from aifgraph.errors import FormatError, InputError
from aifgraph.files import write_atomic
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import schemes_named
from aifgraph.tables import read_tsv, tsv_cell, tsv_text

CHOICES: Final[tuple[Choice, ...]] = ("keep", "drop", "first", "second", "both", "neither")
FILLED_IN: Final = ("decision", "note", "by", "when")
COLUMNS: Final = (
    *("row", "text", "group", "kind", "first", "second", "first wording", "second wording", "place"),
    *("lost with first", "lost with second", "lost with drop", "cost", "maps"),
    *FILLED_IN,
)
_NEEDED: Final = ("row", "maps", "decision")
_MAPS: Final = re.compile(r"[^:\s]+:[^:\s]+")
#: Characters of a decision or note, and of a name, that a server takes.
MAX_TEXT, MAX_NAME = 10_000, 100
#: A decision is compared with what it replaces, and written, before the next one.
_WRITING: Final = Lock()

#: The cells of a row by column.
Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about a row: its ``choice``, a new wording or label (``value``), and who decided when."""

    choice: Choice
    value: str = ""
    note: str = ""
    by: str = ""
    when: str = ""

    @property
    def text(self) -> str:
        """The decision as it stands in the column ``decision`` of a file."""
        return self.value or self.choice


def parse_decision(
    text: str, row: Difference, note: str = "", by: str = "", when: str = "", *, where: str = ""
) -> Decision:
    """Return the decision that a cell stands for. ``first`` and ``second`` keep or drop what only one side has."""
    text = " ".join(text.split())
    choice: Choice | None = next((known for known in CHOICES if known == text.casefold()), None)
    if choice in ("first", "second") and row.sides != "both":
        choice = "keep" if choice == row.sides else "drop"
    if choice in choices_of(row):
        return Decision(choice, "", note, by, when)
    if choice is None and _fits(text, row):
        value = text.upper() if row.group == "relations" and text.upper() in RELATIONS else text
        return Decision("other", value, note, by, when)
    wording = " or a wording of several words"
    free = {"transitions": "", "propositions": wording, "locutions": wording}.get(row.group, " or a known label")
    choices = ", ".join(known for known in choices_of(row) if known != "other")
    what = f"row {row.id} ({row.group}, {row.kind}) cannot be decided as {text[:100]!r}"
    raise InputError(what, where=where, remedy=f"write {choices}{free}")


def _fits(value: str, row: Difference) -> bool:
    """Whether a row can have a new wording or label.

    A single word is taken for a choice that is written wrongly, but not one of a script without capital letters:
    Chinese, Japanese and Thai have no blanks between words.
    """
    match row.group:
        case "propositions" | "locutions":
            return " " in value or any(category(char) == "Lo" for char in value)
        case "relations":
            return value.upper() in RELATIONS or any(schemes_named(value, kind) for kind in RELATIONS)
        case "illocutions":
            return bool(schemes_named(value, "YA"))
        case _:
            return False


# -- the file ---------------------------------------------------------------------------------------------------------


def maps_of(differences: Differences) -> str:
    """Return the hashes that name the two maps of a file of decisions."""
    return ":".join(differences.hashes)


def decision_rows(differences: Differences, text: str) -> list[Row]:
    """Return the rows of a file about a pair, by column; ``text`` names the pair."""
    consequences = Consequences(differences)
    rows: list[Row] = []
    for row in filter(needs_decision, differences):
        cells = {name: str(cell) for name, cell in row.cells.items()}
        cells |= {f"lost with {choice}": words for choice, words in consequences.lost_in_words(row).items()}
        rows.append({name: cells.get(name, "") for name in COLUMNS} | {"text": text, "maps": maps_of(differences)})
    return rows


def decisions_tsv(rows: Iterable[Mapping[str, str]]) -> str:
    """Return rows (``decision_rows``) as TSV, columns of the user's own last; line breaks and tabs become spaces."""
    listed = list(rows)
    columns = dict.fromkeys([*COLUMNS, *(name for row in listed for name in row)])
    lines = [[*columns], *([row.get(name, "") for name in columns] for row in listed)]
    return "".join("\t".join(map(tsv_cell, line)) + "\n" for line in lines)


def read_rows(path: Path) -> list[tuple[str, Row]]:
    """Return the rows of a file, or of all ``.tsv`` files in a folder, each with its place; what a file leaves out is
    empty.

    Raises:
        FormatError: no table with the columns that are needed.
    """
    files = sorted(path.glob("[!.]*.[tT][sS][vV]")) if path.is_dir() else [path]
    found = ((file, *row) for file in files for row in read_tsv(file, _NEEDED))
    return [(f"{file}, line {line}", dict.fromkeys(COLUMNS, "") | cells) for file, line, cells in found]


class DecisionTable:
    """The rows of a file or folder by the maps that they are about; ``used`` are the maps that were asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[str, list[tuple[str, Row]]] = {}
        self.used: set[str] = set()
        for where, cells in read_rows(path):
            if not _MAPS.fullmatch(cells["maps"]):  # else the decisions of a damaged row would be lost
                raise FormatError("a row that does not say in “maps” what it is about", where=where)
            self.rows.setdefault(cells["maps"], []).append((where, cells))

    @property
    def unused(self) -> list[str]:
        """The places of the first rows about maps that were not asked for."""
        return [rows[0][0] for maps, rows in self.rows.items() if maps not in self.used]

    def decisions(self, differences: Differences) -> dict[str, Decision]:
        """Return the decisions about these differences by row, without open rows.

        Raises:
            InputError: an unknown row, two rows of one id, or a decision that the row cannot have.
        """
        known = {row.id: row for row in differences}
        decisions: dict[str, Decision] = {}
        self.used.add(maps_of(differences))
        for id_, (where, cells) in _rows_by_id(self.rows.get(maps_of(differences), ())).items():
            if id_ not in known:
                raise InputError(f"there is no row {id_!r} in the differences of these maps", where=where)
            text, *signed = (cells[name] for name in FILLED_IN)
            if text:
                decisions[id_] = parse_decision(text, known[id_], *signed, where=where)
        return decisions


def _rows_by_id(rows: Iterable[tuple[str, Row]]) -> dict[str, tuple[str, Row]]:
    found: dict[str, tuple[str, Row]] = {}
    for where, cells in rows:
        if cells["row"] in found:
            raise InputError(f"row {cells['row']} is in {found[cells['row']][0]}, too", where=where)
        found[cells["row"]] = where, cells
    return found


def refuse_filled_in(path: Path) -> None:
    """Refuse to replace a file that is anything but a table of differences as it was written."""
    remedy = "force it, or name another file"
    try:
        rows = read_rows(path) if path.is_file() and path.stat().st_size else []
    except FormatError as error:  # such as one that a spreadsheet has saved in its own way
        raise InputError(f"this file is not replaced: {error.what}", where=error.where, remedy=remedy) from None
    if any(cells[name] for _, cells in rows for name in cells if name in FILLED_IN or name not in COLUMNS):
        raise InputError("this file holds decisions", where=str(path), remedy=remedy)


def read_decisions(path: Path, differences: Differences) -> dict[str, Decision]:
    """Return the decisions of a file or folder about these differences, by row.

    Raises:
        InputError: as ``DecisionTable.decisions``, or the file is about other maps.
    """
    table = DecisionTable(path)
    if table.rows and maps_of(differences) not in table.rows:
        if ":".join(reversed(differences.hashes)) in table.rows:
            raise InputError("these decisions are about the two maps the other way round", where=str(path))
        what = "these decisions are about other maps, or a map has changed since"
        raise InputError(what, where=str(path), remedy="write the differences again")
    return table.decisions(differences)


# -- the file of a server ----------------------------------------------------------------------------------------------


class ChangedError(Exception):
    """A row says something else than what was to be replaced; ``row`` is what it says."""

    def __init__(self, row: Row) -> None:
        super().__init__(row["row"])
        self.row = row


def update_rows(path: Path, differences: Differences, text: str) -> None:
    """Write the rows of a pair to its file, with what is decided there and the columns that it has besides."""
    rows = decision_rows(differences, text)
    if path.exists():
        read_decisions(path, differences)
        kept = rows_of(path)
        if any(row["maps"] != maps_of(differences) for row in kept.values()):
            remedy = "move it to another folder"
            raise InputError("this file holds rows about other maps, too", where=str(path), remedy=remedy)
        rows = [kept.pop(row["row"], {}) | {name: row[name] for name in row if name not in FILLED_IN} for row in rows]
        rows += [row for row in kept.values() if row["decision"] or row["note"]]  # about wordings
    write_atomic(path, decisions_tsv(rows), durable=True)


def rows_of(path: Path) -> dict[str, Row]:
    """Return the rows of a file by id, with all columns."""
    return {id_: cells for id_, (_, cells) in _rows_by_id(read_rows(path)).items()}


def progress_of(path: Path) -> tuple[int, int]:
    """Return how many rows are decided, and how many there are."""
    rows = rows_of(path)
    return sum(bool(row["decision"]) for row in rows.values()), len(rows)


def decide_row(path: Path, id_: str, decision: str, note: str, by: str, replaces: Mapping[str, str]) -> Row:
    """Write a decision about a row, and return the row; an empty decision opens it again.

    Raises:
        KeyError: there is no such row.
        InputError: the row cannot be decided so, or what it would say is too long.
        ChangedError: the row does not say what is to be replaced.
    """
    with _WRITING:
        rows = rows_of(path)
        row = rows[id_]
        # As the file gives it back: on one line, with control characters shown, which makes it longer.
        decision, note, by = (tsv_text(tsv_cell(text)) for text in (decision, note, by))
        for what, text, most in (("decision", decision, MAX_TEXT), ("note", note, MAX_TEXT), ("name", by, MAX_NAME)):
            if len(text) > most:
                raise InputError(f"the {what} has {len(text)} characters; {most} are the most", where=row["row"])
        if decision:
            if not row["kind"]:  # a file of the least columns
                what = f"the file does not say what row {id_} is about"
                raise InputError(what, where=str(path), remedy="start the server again")
            group: Any = row["group"]
            kind: Any = row["kind"]
            first, second = (tuple(row[side].split()) for side in ("first", "second"))
            decision = parse_decision(decision, Difference(group, kind, id=id_, first=first, second=second)).text
        if (row["decision"], row["note"]) == (decision, note):  # sent again: the answer was lost
            return row
        if any(row[name] != replaces.get(name, "") for name in ("decision", "note", "when")):
            raise ChangedError(row)
        when = datetime.now(UTC).isoformat(timespec="milliseconds")
        signed = {"by": by, "when": when} if decision or note else {"by": "", "when": ""}
        rows[id_] = {**row, "decision": decision, "note": note, **signed}
        write_atomic(path, decisions_tsv(rows.values()), durable=True)
        return rows[id_]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a folder to this process, whatever ends it."""
    import fcntl  # which Windows does not have

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError("another server has this folder open", where=str(folder)) from None
        yield
