"""The file of decisions about one pair while people work on it: one row is changed at a time, and written at once."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from unicodedata import category

from aifgraph.adjudication.decisions import CHOICES, Choice, decision_of, decisions_tsv, records_of
from aifgraph.comparison.difference import Difference
from aifgraph.errors import InputError
from aifgraph.formats.files import decode_strict, read_bytes, write_atomic

#: The columns that a decision fills in.
FILLED: Final = ("decision", "note", "by", "when")
#: What a row has by column; the four of ``FILLED`` among them.
Record = dict[str, str]
#: A note is no essay; a wording is bounded where it is read.
_LONGEST_NOTE = 10_000


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
    """A file as ``aifgraph differences --format tsv`` writes it, whose rows are decided one by one.

    Each change is in the file, whole, before :meth:`decide` returns. What others write into the file meanwhile is read
    again and kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._seen: object = None
        self._records: dict[str, Record] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return (DecisionFile, (self.path,))

    def records(self) -> dict[str, Record]:
        """The rows by id, as they are in the file now.

        Raises:
            InputError: the file is gone, cannot be read, or is no file of decisions.
        """
        with self._lock:
            return {id_: dict(record) for id_, record in self._read().items()}

    def decide(
        self, row: str, decision: str, *, note: str = "", by: str = "", when: str = "", seen: Mapping[str, str]
    ) -> Record:
        """Write a decision about a row (``first``, ``second``, ``both``, ``neither``, a new wording or label; nothing
        opens it again); gives the row as it is now.

        ``seen`` is what whoever decides saw there (``decision`` and ``when``).

        Raises:
            StaleError: the row says something else than what was seen.
            InputError: no such row, a decision that the row cannot have, or a file that cannot be read or written.
        """
        if len(note) > _LONGEST_NOTE:
            raise InputError("a note that is too long", remedy=f"use at most {_LONGEST_NOTE} characters")
        with self._lock:
            records = self._read()
            if row not in records:
                raise InputError(f"there is no row {row[:80]!r} in these differences", where=str(self.path))
            record = records[row]
            decision, note = _line(decision), _line(note)
            if decision:
                made = decision_of(decision, difference_of(record))
                decision = made.value or made.choice
            if (record["decision"], record["note"]) == (decision, note):
                return dict(record)
            if (record["decision"], record["when"]) != (seen.get("decision", ""), seen.get("when", "")):
                what = f"row {row} has been decided meanwhile: {_told(record)}"
                raise StaleError(what, record, where=str(self.path))
            named = {"by": by, "when": when} if decision or note else {"by": "", "when": ""}
            changed = {**record, "decision": decision, "note": note, **named}
            after = {**records, row: changed}
            write_atomic(self.path, decisions_tsv(after.values()))
            self._records, self._seen = after, _state(self.path)
            return dict(changed)

    def progress(self) -> Progress:
        """How far it is."""
        records = self.records().values()
        decided = sum(bool(record["decision"]) for record in records)
        return Progress(len(records), decided, sum(_needs_decision(record) for record in records))

    def state(self) -> str:
        """A word that is another one when the file has been changed."""
        return str(_state(self.path))

    def _read(self) -> dict[str, Record]:
        state = _state(self.path)
        if state is None or state != self._seen:
            records: dict[str, Record] = {}
            for line, record in records_of(decode_strict(read_bytes(self.path), str(self.path)), str(self.path)):
                for name in (*FILLED, "group", "kind", "first", "second"):
                    record.setdefault(name, "")
                if record["row"] in records:
                    raise InputError(f"a second row {record['row']}", where=f"{self.path}, line {line}")
                records[record["row"]] = record
            self._records, self._seen = records, state
        return self._records


def difference_of(record: Mapping[str, str]) -> Difference:
    """As much of a difference as its row in a file says: enough to know what may be decided about it."""
    return Difference(
        record["row"],
        record["group"],  # type: ignore[arg-type]
        record["kind"],  # type: ignore[arg-type]
        tuple(record["first"].split()),
        tuple(record["second"].split()),
        (),
        (),
        record.get("first wording", ""),
        record.get("second wording", ""),
        None,
        {},
        (),
        (),
    )


def choice_of(record: Mapping[str, str]) -> Choice | Literal["open"]:
    """What was chosen in a row: a side, both, neither, something other; or that it is open."""
    decision = record["decision"].casefold()
    return "open" if not decision else next((choice for choice in CHOICES if choice == decision), "other")


def _line(text: str) -> str:
    """A text on one line, without what no file of text should hold (control characters, half surrogates)."""
    return " ".join("".join(char for char in text if char.isspace() or category(char) not in ("Cc", "Cs")).split())


def _needs_decision(record: Mapping[str, str]) -> bool:
    return not record["decision"] and record["kind"] != "reworded"


def _told(record: Mapping[str, str]) -> str:
    decision = repr(record["decision"][:100]) if record["decision"] else "open again"
    return decision + (f" by {record['by']}" if record["by"] else "")


def _state(path: Path) -> object:
    """What tells that a file is another one than before; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
