"""Files of decisions: read, written row by row while people work on them, and those of many pairs together.

The file is what ``aifgraph differences --format tsv`` writes, with the columns ``decision``, ``note``, ``by`` and
``when`` filled in; a row with an empty decision is open. Only ``row``, ``maps`` and ``decision`` are needed to read it.
"""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import Final
from unicodedata import category

from aifgraph.adjudication.decisions import MAX_CHARACTERS, Decision, decision_of
from aifgraph.comparison.differences import Difference, Differences
from aifgraph.errors import FormatError, InputError, LimitError
from aifgraph.formats.files import decode_strict, read_bytes, write_atomic
from aifgraph.tables import Cell, with_formula, without_formula

#: The columns of a file of differences; the last four are for whoever decides.
COLUMNS: Final = (
    "row", "text", "group", "kind", "first", "second", "first follows", "second follows", "first wording",
    "second wording", "relations", "place", "calculation", "decisions", "counted with", "maps",
    "decision", "note", "by", "when",
)  # fmt: skip
#: The columns that a decision fills in.
FILLED: Final = COLUMNS[-4:]
_NEEDED: Final = ("row", "maps", "decision")
#: More rows than any pair of maps has, and the largest file, in bytes.
_MAX_ROWS, _MAX_BYTES = 1_000_000, 256 << 20
#: A note is no essay; a wording is bounded where it is read.
_MAX_NOTE = 10_000
_REMEDY: Final = "give a file as `aifgraph differences --format tsv` or differences().to_tsv(path) writes it"
#: A row of a file, by column.
Row = dict[str, str]


def maps_of(differences: Differences) -> str:
    """What tells in a file which two maps its rows are about."""
    return f"{differences.first_hash}:{differences.second_hash}"


def difference_row(
    difference: Difference, differences: Differences, text: str, decision: Decision | None = None
) -> dict[str, Cell]:
    """A row of a file of differences by column; ``text`` names the pair."""
    return {
        "row": difference.id,
        "text": text,
        **difference.cells,
        "maps": maps_of(differences),
        "decision": (decision.value or decision.choice) if decision else "",
        "note": decision.note if decision else "",
        "by": decision.by if decision else "",
        "when": decision.when if decision else "",
    }


def decisions_tsv(rows: Iterable[Mapping[str, Cell]]) -> str:
    """Rows as tab-separated lines below their column names; tabs and line breaks in texts become spaces."""
    return _tsv(map(_line_of, rows))


def differences_tsv(differences: Differences) -> str:
    """The rows of a pair, as ``aifgraph differences --format tsv`` writes them."""
    name = Path(differences.alignment.first.graph.name).stem
    return decisions_tsv(difference_row(row, differences, name) for row in differences)


def _tsv(lines: Iterable[str]) -> str:
    return "\n".join(["\t".join(COLUMNS), *lines]) + "\n"


def _line_of(row: Mapping[str, Cell]) -> str:
    return "\t".join([as_cell(row.get(name, "")) for name in COLUMNS])


def as_cell(value: Cell) -> str:
    """A value on one line, no formula. One in quotes of its own is quoted once more, as reading takes a pair off."""
    text = without_formula(" ".join(str(value).split()))
    return '"' + text.replace('"', '""') + '"' if _is_quoted(text) else text


def text_of_cell(cell: str) -> str:
    """A cell without the quotes that spreadsheets put around it, and the apostrophe in front of a formula."""
    return with_formula(cell[1:-1].replace('""', '"') if _is_quoted(cell) else cell)


def _is_quoted(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def decisions_text(path: Path) -> str:
    """The text of a file of decisions.

    Raises:
        InputError: no such file, or one that cannot be read.
        FormatError: not UTF-8.
        LimitError: larger than any file of decisions.
    """
    with suppress(OSError, ValueError):  # reading it says what is wrong
        if path.stat().st_size > _MAX_BYTES:
            what = f"larger than {_MAX_BYTES >> 20} MiB"
            raise LimitError(what, where=str(path), remedy="give the decisions of fewer pairs at a time")
    return decode_strict(read_bytes(path), str(path))


def read_decisions(text: str, differences: Differences, *, name: str = "<decisions>") -> dict[str, Decision]:
    """The decisions of a file about these differences by row; open rows are left out.

    A file may hold the rows of several pairs: those of other maps are passed over, unless none is about this pair.

    Raises:
        FormatError: not a table with the columns that are needed.
        InputError: the file is about other maps, or a map has changed since; an unknown row; two decisions for one
            row; a decision that the row cannot have.
    """
    rows = [(f"{name}, line {line}", row) for line, row in _rows_of(text, name)]
    maps = maps_of(differences)
    own = [(where, row) for where, row in rows if row["maps"] == maps]
    if rows and not own:
        raise _of_other_maps([row["maps"] for _, row in rows], differences, name)
    return _decisions_among(own, differences)


def _decisions_among(rows: Iterable[tuple[str, Row]], differences: Differences) -> dict[str, Decision]:
    """The decisions of rows about these differences by row, each row with its file and line; open ones are left out."""
    known = {difference.id: difference for difference in differences}
    decisions: dict[str, Decision] = {}
    places: dict[str, str] = {}
    for where, row in rows:
        id_ = row["row"]
        if id_ not in known:
            remedy = "write the differences again, with the options of this comparison"
            raise InputError(f"there is no row {id_!r} in the differences of these maps", where=where, remedy=remedy)
        if id_ in places:
            raise InputError(f"row {id_} stands in {places[id_]}, too", where=where, remedy="keep one of the two")
        places[id_] = where
        if row["decision"]:
            more = {key: row.get(key, "") for key in ("note", "by", "when")}
            decisions[id_] = decision_of(row["decision"], known[id_], where=where, **more)
    return decisions


def _rows_of(text: str, name: str) -> list[tuple[int, Row]]:
    """The rows of a file, cells stripped, each with its line; the separator is a tab, or a comma where the head has no
    tab.

    Raises:
        FormatError: not a table with the columns that are needed.
        LimitError: too many rows, or a cell that is too long.
    """
    text = text.lstrip("\ufeff")
    if "\0" in text:
        raise FormatError("binary data where a table was expected", where=name, remedy=_REMEDY)
    tabbed = "\t" in text.partition("\n")[0]
    quoting: Final = csv.QUOTE_NONE if tabbed else csv.QUOTE_MINIMAL
    reader = csv.reader(io.StringIO(text), delimiter="\t" if tabbed else ",", quoting=quoting)
    rows: list[tuple[int, Row]] = []
    try:
        columns = [column.strip() for column in next(reader, [])]
        if missing := [column for column in _NEEDED if column not in columns]:
            raise FormatError(f"no column {missing[0]!r}", where=name, remedy=_REMEDY)
        for cells in reader:
            if len(rows) > _MAX_ROWS or any(len(cell) > MAX_CHARACTERS for cell in cells):
                raise LimitError("too many rows, or a cell that is too long", where=f"{name}, line {reader.line_num}")
            if any(cell.strip() for cell in cells):
                padded = [*cells, *[""] * (len(columns) - len(cells))]
                row = dict(zip(columns, (text_of_cell(cell.strip()) for cell in padded), strict=False))
                rows.append((reader.line_num, row))
    except csv.Error as error:
        raise FormatError(f"not a table: {error}", where=f"{name}, line {reader.line_num}") from None
    return rows


def _of_other_maps(maps: Iterable[str], differences: Differences, where: str) -> InputError:
    """The error about rows of other ``maps`` than those of the differences."""
    first, second = differences.first_hash, differences.second_hash
    pairs = {tuple(pair.partition(":")[::2]) for pair in maps}
    if (second, first) in pairs:
        return InputError("these decisions are about the two maps the other way round", where=where, remedy="swap them")
    side = "both have"
    if any(one == first for one, _ in pairs):
        side = "the second has"
    elif any(other == second for _, other in pairs):
        side = "the first has"
    what = f"these decisions are about other maps, or {side} changed since they were written"
    remedy = "give the maps that were compared, or write the differences again and decide anew"
    return InputError(what, where=where, remedy=remedy)


# -- while people work on it --------------------------------------------------------------------------------------


class StaleError(InputError):
    """Somebody else has decided the row since; ``current`` is what it says now, by column."""

    def __init__(
        self,
        what: str,
        current: Mapping[str, str] | None = None,
        *,
        where: str | None = None,
        remedy: str | None = "look at that decision, and decide again if you disagree",
    ) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.current = {name: (current or {}).get(name, "") for name in FILLED}


@dataclass(frozen=True, slots=True)
class Progress:
    """How many rows there are, are decided, and are open: a row of another wording needs no decision."""

    rows: int
    decided: int
    open: int


class DecisionFile:
    """The file of one pair, whose rows are decided one by one.

    Each change is in the file, whole, before :meth:`decide` returns. What others write into the file meanwhile is read
    again and kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._state_read: object = None
        self._rows: dict[str, Row] = {}
        #: The lines of the rows, once one is written: the next decision changes one of thousands.
        self._lines: dict[str, str] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return (DecisionFile, (self.path,))

    def rows(self) -> dict[str, Row]:
        """The rows by id, as they are in the file now.

        Raises:
            InputError: the file is gone, cannot be read, or is no file of decisions.
        """
        with self._lock:
            return {id_: dict(row) for id_, row in self._read().items()}

    def decide(
        self, id_: str, decision: str, *, note: str = "", by: str = "", when: str = "", seen: Mapping[str, str]
    ) -> Row:
        """Write a decision about a row (a choice, a new wording or label; an empty text opens it again); gives the row
        as it is now.

        ``seen`` is what whoever decides saw there (``decision`` and ``when``).

        Raises:
            StaleError: the row says something else than what was seen.
            InputError: no such row, a decision that the row cannot have, or a file that cannot be read or written.
        """
        if len(note) > _MAX_NOTE:
            raise InputError("a note that is too long", remedy=f"use at most {_MAX_NOTE} characters")
        with self._lock:
            rows = self._read()
            if id_ not in rows:
                raise InputError(f"there is no row {id_[:80]!r} in these differences", where=str(self.path))
            row = rows[id_]
            decision, note = _one_line(decision), _one_line(note)
            if decision:
                decided = decision_of(decision, difference_of(row))
                decision = decided.value or decided.choice
            if (row["decision"], row["note"]) == (decision, note):
                return dict(row)
            if (row["decision"], row["when"]) != (seen.get("decision", ""), seen.get("when", "")):
                now = repr(row["decision"][:100]) if row["decision"] else "open again"
                now += f" by {row['by']}" if row["by"] else ""
                raise StaleError(f"row {id_} has been decided meanwhile: {now}", row, where=str(self.path))
            person = {"by": by, "when": when} if decision or note else {"by": "", "when": ""}
            changed = {**row, "decision": decision, "note": note, **person}
            lines = {other: self._lines.get(other) or _line_of(row) for other, row in rows.items()}
            lines[id_] = _line_of(changed)
            write_atomic(self.path, _tsv(lines.values()))
            self._rows, self._lines, self._state_read = {**rows, id_: changed}, lines, _state(self.path)
            return dict(changed)

    def progress(self) -> Progress:
        """How far it is."""
        rows = self.rows().values()
        decided = sum(bool(row["decision"]) for row in rows)
        return Progress(len(rows), decided, sum(not row["decision"] and row["kind"] != "reworded" for row in rows))

    def state(self) -> str:
        """A word that is another one when the file has been changed."""
        return str(_state(self.path))

    def _read(self) -> dict[str, Row]:
        state = _state(self.path)
        if state is None or state != self._state_read:
            rows: dict[str, Row] = {}
            for line, row in _rows_of(decisions_text(self.path), str(self.path)):
                for name in (*FILLED, "group", "kind", "first", "second"):
                    row.setdefault(name, "")
                if row["row"] in rows:
                    raise InputError(f"a second row {row['row']}", where=f"{self.path}, line {line}")
                rows[row["row"]] = row
            self._rows, self._lines, self._state_read = rows, {}, state
        return self._rows


def difference_of(row: Row) -> Difference:
    """As much of a difference as its row in a file says: enough to know what may be decided about it."""
    return Difference(
        id=row["row"],
        group=row["group"],  # type: ignore[arg-type]
        kind=row["kind"],  # type: ignore[arg-type]
        first=tuple(row["first"].split()),
        second=tuple(row["second"].split()),
        first_follows=(),
        second_follows=(),
        first_wording=row.get("first wording", ""),
        second_wording=row.get("second wording", ""),
        relations=(),
        place=None,
        costs={},
        counted_with={},
        nodes=(),
        follows=(),
    )


def _one_line(text: str) -> str:
    """A text on one line, without what no file of text should hold (control characters, half surrogates)."""
    return " ".join("".join(char for char in text if char.isspace() or category(char) not in ("Cc", "Cs")).split())


def _state(path: Path) -> object:
    """What tells that a file is another one than before; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


# -- the files of many pairs --------------------------------------------------------------------------------------


class DecisionTables:
    """The rows of a file, of all ``.tsv`` files of a folder, or of the folder of ``aifgraph adjudicate``.

    Raises:
        InputError: no file of decisions there, or one that cannot be read.
        FormatError: a file that is not UTF-8, or no table with the columns that are needed.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._run = path, token_hex(8)
        self._by_maps: dict[str, list[tuple[str, Row]]] = {}
        self._by_text: dict[str, tuple[str, set[str]]] = {}
        self._unused: dict[str, str] = {}
        for file in _files(path):
            for line, row in _rows_of(decisions_text(file), str(file)):
                where = f"{file}, line {line}"
                self._by_maps.setdefault(row["maps"], []).append((where, row))
                if text := row.get("text"):
                    self._by_text.setdefault(text, (str(file), set()))[1].add(row["maps"])
                self._unused.setdefault(row["maps"], where)

    def __reduce__(self) -> tuple[object, ...]:
        # Every process reads the decisions once: they are too many to be sent with every pair.
        return _tables_of, (self.path, self._run)

    def of(self, differences: Differences, name: str) -> dict[str, Decision]:
        """The decisions about a pair, whose name is ``name``; none where no row is about it.

        Raises:
            InputError: rows of this name are about other maps, or a row is wrong (``read_decisions``).
        """
        maps, *others = self.about(differences, name)
        self.use((maps, *others))
        if others:
            raise _of_other_maps(others, differences, f"{self._by_text[name][0]}, the rows of {name}")
        return _decisions_among(self._by_maps.get(maps, ()), differences)

    def about(self, differences: Differences, name: str) -> tuple[str, ...]:
        """A pair's two maps as rows name them; after them the other maps that the rows of its name are about, where no
        row is about its own."""
        maps = maps_of(differences)
        wrong = maps not in self._by_maps and len(differences) and name in self._by_text
        return (maps, *sorted(self._by_text[name][1])) if wrong else (maps,)

    def use(self, maps: Iterable[str]) -> None:
        """Count the rows about these maps as used."""
        for pair in maps:
            self._unused.pop(pair, None)

    @property
    def unused(self) -> tuple[str, ...]:
        """The first rows about maps that no pair so far has, by file and line."""
        return tuple(self._unused.values())


@lru_cache(maxsize=2)
def _tables_of(path: Path, run: str) -> DecisionTables:
    return DecisionTables(path)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    folder = path / "decisions" if (path / "study.json").is_file() else path
    try:
        files = sorted(folder.glob("*.tsv"))
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(folder)) from None
    if not files:
        remedy = "give the folder that `aifgraph adjudicate` writes, or a file of decisions"
        raise InputError("there is no .tsv file in it", where=str(folder), remedy=remedy)
    return files
