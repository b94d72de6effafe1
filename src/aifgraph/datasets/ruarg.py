"""RuArg-2022 (Kotelnikov et al. 2022): stance and premise of Russian comments towards three claims.

Labels are 2 (for), 1 (other; no argument), 0 (against), −1 (irrelevant). A comment is L → YA Asserting → I; for each
claim that it is relevant to there is an I-node; a premise for the claim is RA, one against it CA; a stance without
premise is Agreeing or Disagreeing from the locution to the claim; *other* is no relation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from aifgraph.corpus_names import UniqueNames
from aifgraph.datasets.dataset import Dataset, Problems
from aifgraph.datasets.dialogue_map import DialogueMap, Statement
from aifgraph.datasets.rows import Row, table_file, tsv_rows
from aifgraph.graph import ArgumentGraph

Kind: TypeAlias = Literal["stance", "premise"]

#: The three claims, as the paper's annotation guide words them.
CLAIMS: Mapping[str, str] = {
    "masks": "Wearing masks is beneficial for society.",
    "quarantine": "The introduction and observance of quarantine is beneficial for society.",
    "vaccines": "Vaccination is beneficial for society.",
}
KINDS: tuple[Kind, ...] = ("stance", "premise")
LABELS = ("2", "1", "0", "-1")
"""For, other (of a premise: no argument), against, irrelevant."""
_SIDES = {"2": "for", "0": "against"}


@dataclass(frozen=True, slots=True)
class Subtask:
    """A claim (``masks``, ``quarantine`` or ``vaccines``) and what is asked about it.

    >>> Subtask("masks", "premise").column
    'masks_argument'
    """

    claim: str
    kind: Kind

    @property
    def column(self) -> str:
        """The column of the published files, which call a premise an argument."""
        return f"{self.claim}_{'stance' if self.kind == 'stance' else 'argument'}"


SUBTASKS = tuple(Subtask(claim, kind) for claim in CLAIMS for kind in KINDS)
LABEL_COLUMNS = tuple(subtask.column for subtask in SUBTASKS)
COLUMNS = ("text_id", "text", *LABEL_COLUMNS)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A comment and its labels by the column of the subtask, without those that are missing."""

    id: str
    text: str
    labels: dict[str, str]


def read_sentences(
    path: Path, problems: Problems, needed: Sequence[str], *, labelled: bool, name: str = ""
) -> Iterator[tuple[Row, Sentence]]:
    """The rows of a table with at least the columns ``needed``.

    Labels are 2, 1, 0, −1, or those behind ``__class__`` (fastText's form). One that is out of range is a problem, as
    is, if ``labelled``, one that is missing; a ``text_id`` that is empty or given twice is a problem, too. A text in
    quotes is read without them; the row keeps it as it stands in the file.
    """
    name = name or path.name
    ids: set[str] = set()
    for row in tsv_rows(path, problems, needed, name):
        id_ = row.cells.get("text_id", "").strip()
        if "text_id" in row.cells:
            if not id_:
                problems.add("id", "the text_id is empty", name, row.line)
            elif id_ in ids:
                problems.add("duplicate", f"the text_id {id_} is given twice", name, row.line)
            ids.add(id_)
        labels = {}
        for column in LABEL_COLUMNS:
            cell = row.cells.get(column, "").strip()
            label = cell.removeprefix("__class__").removesuffix(".0")
            if label in LABELS:
                labels[column] = label
            elif cell or labelled:
                what = f"the label {cell[:20]!r} in the column {column} is none of {', '.join(LABELS)}"
                problems.add("label", what, name, row.line)
        yield row, Sentence(id_, unquoted(row.cells.get("text", "")), labels)


def unquoted(cell: str) -> str:
    """A cell without the quotes that CSV puts around one that holds quotes; any other as it is.

    >>> unquoted('"the ""second"" wave"'), unquoted('"so" they say')
    ('the "second" wave', '"so" they say')
    """
    inner = cell[1:-1]
    if len(cell) < 2 or cell[0] != '"' or cell[-1] != '"' or '"' in inner.replace('""', ""):
        return cell
    return inner.replace('""', '"')


class RuArg(Dataset):
    """A TSV table, labelled or not (empty labels): one map per comment."""

    name = "ruarg"
    title = "RuArg-2022"

    def maps(self) -> Iterator[ArgumentGraph]:
        path = table_file(self.path, "*.tsv")
        names = UniqueNames()
        for row, sentence in read_sentences(path, self.problems, COLUMNS, labelled=False):
            yield self._map(names.unique(sentence.id), row, sentence)

    def _map(self, name: str, row: Row, sentence: Sentence) -> ArgumentGraph:
        dialogue = DialogueMap(name)
        comment = dialogue.say("", sentence.text.strip(), words=sentence.text)
        for claim, wording in CLAIMS.items():
            stance, premise = (sentence.labels.get(Subtask(claim, kind).column, "") for kind in KINDS)
            if (stance == "-1") != (premise == "-1"):
                self.counts["relevant in one subtask only"] += 1
            if {stance, premise} == {"2", "0"}:
                self.counts["stance and premise of opposite polarity"] += 1
            if {stance, premise} <= {"-1", ""}:
                continue
            for what, label in (("stances", stance), ("premises", premise)):
                if label in _SIDES:
                    self._held(what, _SIDES[label])
            record = {"ruarg": {"claim": claim, "stance": stance, "argument": premise}}
            target = Statement(None, dialogue.build.proposition(wording, record=record))
            if premise in ("2", "0"):
                dialogue.relate("RA" if premise == "2" else "CA", comment, target, "", None, record)
            elif stance in ("2", "0") and comment.locution is not None:
                act = "Agreeing" if stance == "2" else "Disagreeing"
                dialogue.build.illocution(comment.locution, target.proposition, act, record=record)
        return dialogue.graph("ruarg", {"line": row.line, "row": row.as_written()}, sentence.text)
