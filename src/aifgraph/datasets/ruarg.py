"""RuArg-2022 (Kotelnikov et al. 2022): stance and premise of Russian comments towards three claims; a map per comment.

A comment is L → YA Asserting → I. Each claim that it is relevant to is an I-node: a premise for the claim is RA, one
against it CA; a stance without a premise is Agreeing or Disagreeing from the locution to the claim. Fields stand under
``ruarg``: ``claim``, ``stance``, ``argument`` of claims and relations; ``line`` and ``row`` of the map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from aifgraph.datasets.dataset import Log, Row, finished, read_tsv, say, the_table
from aifgraph.errors import FormatError
from aifgraph.files import unique_name
from aifgraph.graph import ArgumentGraph, GraphBuilder

Kind: TypeAlias = Literal["stance", "premise"]
KINDS: Final[tuple[Kind, ...]] = ("stance", "premise")
#: The three claims, as the paper's annotation guide words them.
CLAIMS: Final = {
    "masks": "Wearing masks is beneficial for society.",
    "quarantine": "The introduction and observance of quarantine is beneficial for society.",
    "vaccines": "Vaccination is beneficial for society.",
}
#: For, other (of a premise: no argument), against, irrelevant.
LABELS: Final = ("2", "1", "0", "-1")


class Subtask(NamedTuple):
    """A claim and what is asked about it.

    >>> Subtask("masks", "premise").column
    'masks_argument'
    """

    claim: str
    kind: Kind

    @property
    def column(self) -> str:
        """The column of the published files, which call a premise an argument."""
        return f"{self.claim}_{'stance' if self.kind == 'stance' else 'argument'}"


SUBTASKS: Final = tuple(Subtask(claim, kind) for claim in CLAIMS for kind in KINDS)
COLUMNS: Final = ("text_id", "text", *(subtask.column for subtask in SUBTASKS))


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its labels by subtask, without those that are missing; ``row`` is what the file has."""

    id: str
    text: str
    labels: dict[Subtask, str]
    line: int
    row: dict[str, str]


def read_comments(path: Path, log: Log, *, labelled: bool = False, label_log: Log | None = None) -> Iterator[Comment]:
    """Yield the comments of a table.

    A label is 2, 1, 0 or −1, or one of these behind ``__class__``; with ``__class__3``, ``__class__0`` to
    ``__class__3`` are the classes in order of their labels, −1 to 2. Other cells are problems of ``label_log`` (by
    default of ``log``), as are empty ones if the table is ``labelled``. The columns ``text_id`` and ``text`` may be
    missing there, as in files of predictions.
    """
    ids: set[str] = set()
    label_log = label_log or log
    needed = COLUMNS[2:] if labelled else COLUMNS[:2]
    codes, reading = _label_codes(list(read_tsv(path, Log(), needed)), path)
    for row in read_tsv(path, log, needed):
        if reading:
            label_log.counts[f"rows with labels {reading}"] += 1
        id_ = row.cells.get("text_id", "").strip()
        if "text_id" in row.cells and (not id_ or id_ in ids):
            log.problem("duplicate" if id_ else "id", f"the text_id {id_!r} is empty or given twice", path, row.line)
        ids.add(id_)
        cells = _label_cells(row)
        for subtask, cell in cells.items():
            if cell not in codes and (cell or labelled):
                what = f"the label {cell[:20]!r} in the column {subtask.column} is not one of {', '.join(LABELS)}"
                label_log.problem("label", what, path, row.line)
        labels = {subtask: codes[cell] for subtask, cell in cells.items() if cell in codes}
        yield Comment(id_, unquoted(row.cells.get("text", "")), labels, row.line, row.cells)


#: How files write labels; the numbers are the codes that pandas gives sorted labels, as in the organisers' baseline.
_PLAIN: Final = {label: label for label in LABELS}
_MARKED: Final = {f"__class__{label}": label for label in LABELS}
_NUMBERED: Final = {f"__class__{number}": label for number, label in enumerate(sorted(LABELS, key=int))}


def _label_cells(row: Row) -> dict[Subtask, str]:
    return {subtask: row.cells.get(subtask.column, "").strip().removesuffix(".0") for subtask in SUBTASKS}


def _label_codes(rows: Sequence[Row], path: Path) -> tuple[Mapping[str, str], str]:
    """Return the label of each cell that is one, in the only way to write labels that a file may have.

    The second value says how numbers are read that could be labels or classes.
    """
    found = {cell for row in rows for cell in _label_cells(row).values()}
    codes, reading = _PLAIN, ""
    if "__class__3" in found:
        codes, reading = _NUMBERED, "__class__0 to __class__3, read as -1 to 2"
    elif not found.isdisjoint(_MARKED):
        codes = _MARKED
        reading = "" if "__class__-1" in found else "__class__0 to __class__2 alone, read as 0 to 2"
    foreign = (found & (_PLAIN.keys() | _MARKED.keys() | _NUMBERED.keys())) - codes.keys()
    for row in rows if foreign else ():
        for subtask, cell in _label_cells(row).items():
            if cell in foreign:
                what = f"{subtask.column} is {cell!r}, where other labels are {', '.join(sorted(found & codes.keys()))}"
                raise FormatError(what, where=f"{path}, line {row.line}", remedy="write all labels in the same way")
    return codes, reading


def unquoted(cell: str) -> str:
    """Return a cell without the quotes that CSV puts around one that holds quotes.

    >>> unquoted('"the ""second"" wave"'), unquoted('"so" they say')
    ('the "second" wave', '"so" they say')
    """
    inner = cell[1:-1]
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if quoted else cell


def read(path: Path, log: Log) -> Iterator[ArgumentGraph]:
    """Read a table, labelled or not, or the only one of a folder."""
    names = Counter[str]()
    for comment in read_comments(the_table(path, "*.tsv"), log):
        yield _graph(unique_name(names, comment.id), comment, log)


def _graph(name: str, comment: Comment, log: Log) -> ArgumentGraph:
    build = GraphBuilder(name=name)
    said = say(build, "", comment.text.strip(), words=comment.text)
    for claim, wording in CLAIMS.items():
        stance, premise = (comment.labels.get(Subtask(claim, kind), "") for kind in KINDS)
        if {stance, premise} <= {"-1", ""}:
            continue
        extra = {"ruarg": {"claim": claim, "stance": stance, "argument": premise}}
        target = build.proposition(wording, extra=extra)
        if premise in ("2", "0"):
            build.relation("RA" if premise == "2" else "CA", [said.proposition], target, extra=extra)
        elif stance in ("2", "0"):
            build.illocution(said.locution, target, "Agreeing" if stance == "2" else "Disagreeing", extra=extra)
        log.counts[f"with stance {stance}"] += 1
        log.counts[f"with premise {premise}"] += 1
    return finished(build, "ruarg", {"line": comment.line, "row": comment.row}, comment.text)
