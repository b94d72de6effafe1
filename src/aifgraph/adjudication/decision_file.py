"""Files of decisions, of one pair or of many.

The file is what ``aifgraph differences --format tsv`` writes, with the columns ``decision``, ``note``, ``by`` and
``when`` filled in; a row with an empty decision is open. Only ``row``, ``maps`` and ``decision`` are needed to read it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import Final

from aifgraph.adjudication.decisions import MAX_CHARACTERS, Decision, decision_of
from aifgraph.comparison.differences import Difference, Differences
from aifgraph.errors import FormatError, InputError, LimitError
from aifgraph.files import decode_strict, read_bytes
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
_REMEDY: Final = "give a file as `aifgraph differences --format tsv` or differences().to_tsv(path) writes it"
#: A row of a file, by column.
Row = dict[str, str]


def maps_of(differences: Differences) -> str:
    """What tells in a file which two maps its rows are about."""
    return f"{differences.first_hash}:{differences.second_hash}"


def difference_row(difference: Difference, differences: Differences, text: str) -> dict[str, Cell]:
    """A row of a file of differences by column, without a decision; ``text`` names the pair."""
    return {
        "row": difference.id,
        "text": text,
        **difference.cells,
        "maps": maps_of(differences),
        **dict.fromkeys(FILLED, ""),
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


# -- the files of many pairs --------------------------------------------------------------------------------------


class DecisionTables:
    """The rows of a file, or of all ``.tsv`` files of a folder.

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
    try:
        files = sorted(path.glob("*.tsv"))
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(path)) from None
    if not files:
        raise InputError("there is no .tsv file in it", where=str(path), remedy="give a file of decisions")
    return files
