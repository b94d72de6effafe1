"""The file of a run: a header, then one JSON line for each pair, written as soon as the pair is compared.

A later line of a pair stands in place of an earlier one, and a line that was cut off is no line. So a run is resumed by
comparing the pairs that have no line, failed, or have changed since.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from aifgraph.comparison.cass import JSON
from aifgraph.comparison.result import PairResult, read_document
from aifgraph.errors import FormatError, InputError
from aifgraph.files import errors_at, write_atomic
from aifgraph.options import Signature

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Missing = Literal["", "first", "second"]


class PairKey(NamedTuple):
    """The names of the two maps of a pair, and the side on which a map is missing."""

    first: str
    second: str
    missing: Missing = ""

    def __str__(self) -> str:
        return self.first if self.first == self.second else f"{self.first} ~ {self.second}"


@dataclass(frozen=True)
class Outcome:
    """The result of a pair, or the error that stopped it. Pairs of one ``text`` count as one.

    Where a map is missing, the result is the comparison of the other one with an empty map; so is it where a map that
    counts 0 is ``unreadable``, which has an error as well. ``digests`` are of both maps as they were read.
    """

    __pydantic_config__: ClassVar = JSON

    key: PairKey
    text: str
    result: PairResult | None = None
    error: str = ""
    digests: tuple[str, str] = ("", "")
    unreadable: Missing = ""

    @property
    def missing(self) -> Missing:
        """The side on which a map is missing, or cannot be read."""
        return self.key.missing or self.unreadable


@dataclass(frozen=True, kw_only=True)
class Header:
    """What a run is besides its pairs; a run that is resumed has the same but for the ``names`` of the corpora."""

    kind: Literal["aifgraph results"] = "aifgraph results"
    signature: Signature
    names: tuple[str, str]
    measures: tuple[str, ...] = ()
    unpaired_first: tuple[str, ...] = ()
    unpaired_second: tuple[str, ...] = ()

    @property
    def missing(self) -> str:
        """Whether a text that only one corpus has is left out (``skip``) or scores 0 (``zero``)."""
        return self.signature.words.get("missing", "skip")

    def words(self) -> dict[str, object]:
        """Return all that a resumed run has in common by its name, the parts of the signature by their keys."""
        own = {of.name: getattr(self, of.name) for of in fields(self) if of.name not in ("signature", "names")}
        return own | self.signature.words


def read_record(path: Path) -> tuple[Header, dict[PairKey, Outcome], int]:
    """Return the header of a file, its outcomes, and where its last whole line ends."""
    header_adapter, outcome_adapter = _adapters()
    outcomes: dict[PairKey, Outcome] = {}
    with path.open("rb") as file:
        number, line = 1, file.readline()
        if not line.endswith(b"\n"):
            raise FormatError("not a file of results", where=str(path))
        try:
            header = read_document(header_adapter, line)
            end = len(line)
            for line in file:
                number += 1
                if line.endswith(b"\n"):
                    outcome = read_document(outcome_adapter, line)
                    outcomes[outcome.key] = outcome
                    end += len(line)
        except FormatError as error:
            raise error.at(f"{path}, line {number}") from None
    return header, outcomes, end


def start_record(path: Path, header: Header, keys: Collection[PairKey], *, resume: bool) -> dict[PairKey, Outcome]:
    """Begin the file of a run, or go on with it: return its outcomes of these pairs. It loses the lines of others."""
    line = _line(header)
    if path.exists() and not resume:
        raise InputError("the file exists", where=str(path), remedy="resume the run, or remove the file")
    if not path.exists() or (path.stat().st_size < len(line) and line.startswith(path.read_bytes())):
        with errors_at(path):
            path.write_bytes(line)
    found, outcomes, end = read_record(path)
    old, new = found.words(), header.words()
    if changed := [f"{name} was {old.get(name)}" for name in old | new if old.get(name) != new.get(name)]:
        raise InputError(f"results of another run: {', '.join(changed)}"[:500], where=str(path))
    kept = {key: outcome for key, outcome in outcomes.items() if key in keys}
    if len(kept) < len(outcomes):
        write_atomic(path, b"".join([_line(found), *map(_line, kept.values())]))
        return kept
    with errors_at(path), path.open("r+b") as file:
        file.truncate(end)
    return outcomes


def append_outcome(path: Path, outcome: Outcome) -> None:
    """Write the line of a pair."""
    try:
        line = _line(outcome)
    except ValueError as error:
        if "KeyboardInterrupt" in str(error):  # which pydantic makes an error of its own of
            raise KeyboardInterrupt from None
        raise
    with errors_at(path), path.open("ab") as file:
        file.write(line)


def _line(part: Header | Outcome) -> bytes:
    header, outcome = _adapters()
    values = (
        header.dump_python(part, mode="json")
        if isinstance(part, Header)
        else outcome.dump_python(part, mode="json", by_alias=True, exclude_defaults=True)
    )
    line = json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"
    return line.encode("utf-8", "backslashreplace")  # half surrogates as JSON writes them


@cache
def _adapters() -> tuple[TypeAdapter[Header], TypeAdapter[Outcome]]:
    from pydantic import TypeAdapter  # slow to import

    return TypeAdapter(Header), TypeAdapter(Outcome)
