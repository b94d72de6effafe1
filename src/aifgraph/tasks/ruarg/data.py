"""Files of RuArg-2022 (Kotelnikov et al. 2022): sentences with a stance and a premise label for each of three claims.

>>> Subtask("masks", "stance").column, NAMES["premise"]["1"]
('masks_stance', 'no argument')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from aifgraph.errors import FormatError, InputError
from aifgraph.tasks.tsv import Sheet, read_sheet, some, write_sheet

Kind: TypeAlias = Literal["stance", "premise"]

CLAIMS = ("masks", "quarantine", "vaccines")
KINDS: tuple[Kind, ...] = ("stance", "premise")
LABELS = ("2", "1", "0", "-1")
"""For, other (of a premise: no argument), against, irrelevant."""
RELEVANT = ("2", "1", "0")
NAMES: dict[Kind, dict[str, str]] = {
    "stance": {"2": "for", "1": "other", "0": "against", "-1": "irrelevant"},
    "premise": {"2": "for", "1": "no argument", "0": "against", "-1": "irrelevant"},
}


@dataclass(frozen=True, slots=True)
class Subtask:
    """A claim and what is asked about it."""

    claim: str
    kind: Kind

    @property
    def column(self) -> str:
        """The column of the published files, which call a premise an argument."""
        return f"{self.claim}_{'stance' if self.kind == 'stance' else 'argument'}"


SUBTASKS = tuple(Subtask(claim, kind) for claim in CLAIMS for kind in KINDS)
COLUMNS = tuple(subtask.column for subtask in SUBTASKS)


@dataclass(frozen=True, slots=True)
class Sentence:
    """``id`` and ``text`` are empty where the file does not give them; ``labels`` by column, empty in a test file."""

    id: str
    text: str
    labels: dict[str, str]


@dataclass(frozen=True, slots=True)
class RuArg:
    """The sentences of the file ``name``; ``has_ids`` says whether it has a column ``text_id``."""

    name: str
    sentences: tuple[Sentence, ...]
    has_ids: bool = True


def read(path: str | Path, *, labelled: bool = True) -> RuArg:
    """A file of the task; labels are 2, 1, 0, −1, or those behind ``__class__`` (fastText's form).

    A file without ``text_id`` is read by position. Unless ``labelled``, label columns may be missing or empty.

    Raises:
        InputError: the file is empty, an id is repeated, a label is out of range.
        FormatError: columns are missing; the error names those expected and found.
    """
    sheet = read_sheet(path, COLUMNS if labelled else ("text",))
    sentences = tuple(_sentence(sheet, line, record, labelled) for line, record in sheet.records())
    has_ids = "text_id" in sheet.columns
    if has_ids:
        seen: set[str] = set()
        repeated = [s.id for s in sentences if s.id in seen or seen.add(s.id)]  # type: ignore[func-returns-value]
        if repeated:
            raise InputError(f"the id {some(repeated)} is repeated", where=sheet.name, remedy="give each row once")
    return RuArg(sheet.name, sentences, has_ids)


def _sentence(sheet: Sheet, line: int, record: dict[str, str], labelled: bool) -> Sentence:
    labels = {}
    for column in COLUMNS:
        cell = record.get(column, "").strip()
        if not cell and not labelled:
            continue
        label = cell.removeprefix("__class__").removesuffix(".0")
        if label not in LABELS:
            raise FormatError(
                f"the label {cell!r} in the column {column} is out of range",
                where=f"{sheet.name}, line {line}",
                remedy="use 2 (for), 1 (other), 0 (against) or -1 (irrelevant), or __class__2 and so on",
            )
        labels[column] = label
    identity = record.get("text_id", "").strip()
    if "text_id" in sheet.columns and not identity:
        raise FormatError("the text_id is empty", where=f"{sheet.name}, line {line}")
    return Sentence(identity, record.get("text", ""), labels)


def paired(gold: RuArg, predicted: RuArg) -> list[tuple[Sentence, Sentence]]:
    """Each gold sentence with its prediction: by id where both files have ids, else by position.

    Raises:
        InputError: ids are missing or extra (named), or without ids the numbers of rows differ.
    """
    if not (gold.has_ids and predicted.has_ids):
        if len(gold.sentences) != len(predicted.sentences):
            raise InputError(
                f"{len(predicted.sentences)} rows where the gold file has {len(gold.sentences)}",
                where=predicted.name,
                remedy="without text_id there must be one row for each of the gold file, in its order",
            )
        return list(zip(gold.sentences, predicted.sentences, strict=True))
    found = {sentence.id: sentence for sentence in predicted.sentences}
    wanted = {sentence.id for sentence in gold.sentences}
    if missing := [sentence.id for sentence in gold.sentences if sentence.id not in found]:
        raise InputError(f"no prediction for the id {some(missing)}", where=predicted.name)
    if extra := [identity for identity in found if identity not in wanted]:
        raise InputError(f"the id {some(extra)} is not in the gold file", where=predicted.name)
    return [(sentence, found[sentence.id]) for sentence in gold.sentences]


def written(sentences: Sequence[Sentence]) -> str:
    """Sentences as a file of the task that :func:`read` takes: id, text and the six labels."""
    rows = ([s.id, s.text, *(s.labels[column] for column in COLUMNS)] for s in sentences)
    return write_sheet(("text_id", "text", *COLUMNS), rows)
