"""Counts of a RuArg file (the paper's table 3) and its consistency (section 3.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from aifgraph.tables.table import Table
from aifgraph.tasks.ruarg.data import CLAIMS, NAMES, RuArg, Sentence, Subtask
from aifgraph.tasks.tsv import short


def stats(files: Sequence[RuArg]) -> list[Table]:
    """For each file (a split) and claim, how many sentences have each stance and each premise label."""
    columns = (
        "file",
        "claim",
        *(f"stance: {NAMES['stance'][label]}" for label in "210"),
        *(f"premise: {NAMES['premise'][label]}" for label in "210"),
        "irrelevant",
        "sentences",
    )
    rows: list[tuple[str | int, ...]] = []
    mixed = 0
    for name, file in zip(short([file.name for file in files]), files, strict=True):
        for claim in CLAIMS:
            stance = Counter(s.labels[Subtask(claim, "stance").column] for s in file.sentences)
            premise = Counter(s.labels[Subtask(claim, "premise").column] for s in file.sentences)
            mixed += stance["-1"] != premise["-1"]
            counts = [stance[label] for label in "210"] + [premise[label] for label in "210"]
            rows.append((name, claim, *counts, stance["-1"], len(file.sentences)))
    note = "irrelevant is counted by stance; the premise labels differ in it: see the command check" if mixed else ""
    return [Table("Sentences by label", columns, rows, note=note)]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence whose labels do not go together for a claim; ``problem`` is ``irrelevant`` or ``polarity``."""

    sentence: Sentence
    claim: str
    problem: str
    stance: str
    premise: str


def check(file: RuArg) -> list[Finding]:
    """Sentences irrelevant in one subtask only (an error), and stance and premise of opposite polarity (to look at)."""
    found = []
    for sentence in file.sentences:
        for claim in CLAIMS:
            stance = sentence.labels[Subtask(claim, "stance").column]
            premise = sentence.labels[Subtask(claim, "premise").column]
            if (stance == "-1") != (premise == "-1"):
                found.append(Finding(sentence, claim, "irrelevant", stance, premise))
            elif {stance, premise} == {"0", "2"}:
                found.append(Finding(sentence, claim, "polarity", stance, premise))
    return found


def check_table(findings: Sequence[Finding]) -> Table:
    """The findings, one a row."""
    what = {"irrelevant": "irrelevant in one subtask only", "polarity": "stance and premise of opposite polarity"}
    rows = [
        (
            f.sentence.id,
            f.claim,
            what[f.problem],
            NAMES["stance"][f.stance],
            NAMES["premise"][f.premise],
            f.sentence.text,
        )
        for f in findings
    ]
    return Table("Findings", ("text_id", "claim", "problem", "stance", "premise", "text"), rows)
