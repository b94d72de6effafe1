"""Decisions about the rows of differences: as values, and as the file that people fill in.

The file is what ``aifgraph differences --format tsv`` writes, with the columns ``decision``, ``note``, ``by`` and
``when`` filled in; a row with an empty decision is open. Only ``row``, ``maps`` and ``decision`` are needed to read it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from aifgraph.comparison.difference import Difference
from aifgraph.comparison.differences import Differences
from aifgraph.errors import FormatError, InputError, LimitError
from aifgraph.formats.files import decode_strict, read_bytes
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import named
from aifgraph.tables import Cell

Choice = Literal["first", "second", "both", "neither", "other"]
#: What may stand in the column ``decision``, but for a new label or wording.
CHOICES: Final[tuple[Choice, ...]] = ("first", "second", "both", "neither")
#: The columns of a file of differences; the last four are for whoever decides.
COLUMNS: Final = (
    "row", "text", "group", "kind", "first", "second", "first follows", "second follows", "first wording",
    "second wording", "place", "calculation", "decisions", "maps", "decision", "note", "by", "when",
)  # fmt: skip
_NEEDED: Final = ("row", "maps", "decision")
#: Longer than any decision, and more rows than any pair of maps has.
_LONGEST, _MOST = 100_000, 1_000_000
#: The largest file, in bytes.
_LARGEST = 256 << 20


@dataclass(frozen=True, slots=True)
class Decision:
    """What is decided about a row: a choice, with ``value`` the new label or wording of ``other``; who decided when."""

    choice: Choice
    value: str = ""
    note: str = ""
    by: str = ""
    when: str = ""

    def to_dict(self) -> dict[str, str]:
        """As plain values, without what is empty."""
        return {name: value for name, value in asdict(self).items() if value}


def maps_of(differences: Differences) -> str:
    """What tells in a file which two maps its rows are about."""
    return f"{differences.first_hash}:{differences.second_hash}"


def difference_record(
    difference: Difference, differences: Differences, text: str, decision: Decision | None = None
) -> dict[str, Cell]:
    """A row of a file of differences by column; ``text`` names the pair."""
    place = difference.place
    return {
        "row": difference.id,
        "text": text,
        "group": difference.group,
        "kind": difference.kind,
        "first": " ".join(difference.first),
        "second": " ".join(difference.second),
        "first follows": " ".join(difference.first_follows),
        "second follows": " ".join(difference.second_follows),
        "first wording": difference.first_wording,
        "second wording": difference.second_wording,
        "place": f"{place[0] + 1}-{place[1]}" if place else "",
        "calculation": difference.calculation,
        "decisions": difference.decisions,
        "maps": maps_of(differences),
        "decision": (decision.value or decision.choice) if decision else "",
        "note": decision.note if decision else "",
        "by": decision.by if decision else "",
        "when": decision.when if decision else "",
    }


def decisions_tsv(records: Iterable[Mapping[str, Cell]]) -> str:
    """Rows as tab-separated lines below their column names; tabs and line breaks in texts become spaces."""
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(_cell(record.get(name, "")) for name in COLUMNS) for record in records]
    return "\n".join(lines) + "\n"


def _cell(value: Cell) -> str:
    """A value on one line. One in quotes of its own is quoted once more, as ``records_of`` takes one pair off."""
    text = " ".join(str(value).split())
    return '"' + text.replace('"', '""') + '"' if _is_quoted(text) else text


def decisions_text(path: Path) -> str:
    """What is in a file of decisions.

    Raises:
        InputError: no such file, or one that cannot be read.
        FormatError: not UTF-8.
        LimitError: larger than any file of decisions.
    """
    with suppress(OSError, ValueError):  # reading it says what is wrong
        if path.stat().st_size > _LARGEST:
            what = f"larger than {_LARGEST >> 20} MiB"
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
    records = [(f"{name}, line {line}", record) for line, record in records_of(text, name)]
    maps = maps_of(differences)
    own = [(where, record) for where, record in records if record["maps"] == maps]
    if records and not own:
        raise of_other_maps([record["maps"] for _, record in records], differences, name)
    return decisions_among(own, differences)


def decisions_among(records: Iterable[tuple[str, Mapping[str, str]]], differences: Differences) -> dict[str, Decision]:
    """The decisions of rows about these differences by row, each given with its file and line; open rows are left out.

    Raises:
        InputError: an unknown row; two decisions for one row; a decision that the row cannot have.
    """
    rows = {row.id: row for row in differences}
    decisions: dict[str, Decision] = {}
    places: dict[str, str] = {}
    for where, record in records:
        id_ = record["row"]
        if id_ not in rows:
            remedy = "write the differences again, with the options of this comparison"
            raise InputError(f"there is no row {id_!r} in the differences of these maps", where=where, remedy=remedy)
        if id_ in places:
            raise InputError(f"row {id_} stands in {places[id_]}, too", where=where, remedy="keep one of the two")
        places[id_] = where
        if record["decision"]:
            more = {key: record.get(key, "") for key in ("note", "by", "when")}
            decisions[id_] = decision_of(record["decision"], rows[id_], where=where, **more)
    return decisions


def records_of(text: str, name: str) -> list[tuple[int, dict[str, str]]]:
    """The rows of a file by column, stripped, each with its line; the separator is a tab, or a comma where the head has
    no tab.

    Raises:
        FormatError: not a table with the columns that are needed.
        LimitError: too many rows, or a cell that is too long.
    """
    text = text.lstrip("\ufeff")
    if "\0" in text:
        remedy = "give a file as `aifgraph differences --format tsv` writes it"
        raise FormatError("binary data where a table was expected", where=name, remedy=remedy)
    head = text.partition("\n")[0]
    reader = csv.reader(
        io.StringIO(text),
        delimiter="\t" if "\t" in head else ",",
        quoting=csv.QUOTE_NONE if "\t" in head else csv.QUOTE_MINIMAL,
    )
    records: list[tuple[int, dict[str, str]]] = []
    try:
        columns = [column.strip() for column in next(reader, [])]
        if missing := [column for column in _NEEDED if column not in columns]:
            remedy = "give a file as `aifgraph differences --format tsv` writes it"
            raise FormatError(f"no column {missing[0]!r}", where=name, remedy=remedy)
        for cells in reader:
            if len(records) > _MOST or any(len(cell) > _LONGEST for cell in cells):
                raise LimitError("too many rows, or a cell that is too long", where=f"{name}, line {reader.line_num}")
            if any(cell.strip() for cell in cells):
                padded = [*cells, *[""] * (len(columns) - len(cells))]
                record = dict(zip(columns, (_unquoted(cell.strip()) for cell in padded), strict=False))
                records.append((reader.line_num, record))
    except csv.Error as error:
        raise FormatError(f"not a table: {error}", where=f"{name}, line {reader.line_num}") from None
    return records


def _unquoted(cell: str) -> str:
    """A cell without the quotes that spreadsheets put around it."""
    return cell[1:-1].replace('""', '"') if _is_quoted(cell) else cell


def _is_quoted(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def of_other_maps(maps: Iterable[str], differences: Differences, where: str) -> InputError:
    """The error about rows of other ``maps`` than those of the differences."""
    first, second = differences.first_hash, differences.second_hash
    given = {tuple(each.partition(":")[::2]) for each in maps}
    if (second, first) in given:
        return InputError("these decisions are about the two maps the other way round", where=where, remedy="swap them")
    side = "both have"
    if any(one == first for one, _ in given):
        side = "the second has"
    elif any(other == second for _, other in given):
        side = "the first has"
    what = f"these decisions are about other maps, or {side} changed since they were written"
    remedy = "give the maps that were compared, or write the differences again and decide anew"
    return InputError(what, where=where, remedy=remedy)


def choices_of(row: Difference) -> tuple[Choice, ...]:
    """What may be decided about a row: a unit that both have, each in its own way, cannot be both, and a transition has
    no other label."""
    once = row.group in ("propositions", "locutions") and row.sides == "both"
    choices = tuple(choice for choice in CHOICES if not (once and choice == "both"))
    return choices if row.group == "transitions" else (*choices, "other")


def decision_of(
    text: str, row: Difference, *, where: str = "", note: str = "", by: str = "", when: str = ""
) -> Decision:
    """The decision that a text stands for: a choice, in any case of letters, or a new label or wording.

    >>> import aifgraph
    >>> first, second = aifgraph.load("fixtures/debate/first.json"), aifgraph.load("fixtures/debate/second.json")
    >>> rows = aifgraph.compare(first, second).differences().rows
    >>> decision_of("Second", rows[0]).choice, decision_of("Any measurement shows it", rows[0]).value
    ('second', 'Any measurement shows it')
    """
    where = where or f"row {row.id}"
    choice = next((known for known in CHOICES if known == text.strip().casefold()), None)
    if choice is None:
        return Decision("other", _value(text.strip(), row, where), note, by, when)
    if choice not in choices_of(row):
        remedy = "decide first, second or neither, or give a wording"
        raise InputError(f"row {row.id} ({row.kind}) cannot be decided as {choice}", where=where, remedy=remedy)
    return Decision(choice, "", note, by, when)


def _value(text: str, row: Difference, where: str) -> str:
    """A new label or wording, as far as the row can have it."""
    if len(text) > _LONGEST:
        raise LimitError("a decision that is too long", where=where)
    if row.group in ("propositions", "locutions"):
        if any(_near(text.casefold(), choice) for choice in CHOICES):
            remedy = "write first, second, both or neither; a new wording has more than one word"
            raise InputError(f"is the decision {text!r} of row {row.id} a wording?", where=where, remedy=remedy)
        return text
    if row.group == "transitions":
        raise InputError(f"{text!r} is no decision about a transition", where=where, remedy=f"write {_OR}")
    kinds = ("YA",) if row.group == "illocutions" else RELATIONS
    if row.group == "relations" and text.upper() in RELATIONS:
        return text.upper()
    if not any(named(text, kind) for kind in kinds):
        what = "no illocution" if kinds == ("YA",) else "no scheme, and none of RA, CA, MA and PA,"
        remedy = f"write {_OR}, or a label that `aifgraph schemes` lists"
        raise InputError(f"{what} is called {text!r} (row {row.id})", where=where, remedy=remedy)
    return text


_OR = "first, second, both or neither"


def _near(one: str, other: str) -> bool:
    """Whether one word looks like a slip in another."""
    from rapidfuzz.distance import Levenshtein

    return " " not in one and Levenshtein.distance(one, other) <= 2
