"""RuArg-2022 (Kotelnikov et al. 2022): stance and premise of Russian comments towards three claims.

>>> gold, system = (read(f"fixtures/tasks/ruarg/{name}.tsv") for name in ("gold", "predicted"))
>>> [round(row["value"], 3) for row in score(gold, system).records("Scores")]
[0.444, 0.519]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

from aifgraph.datasets.dataset import Log
from aifgraph.datasets.ruarg import CLAIMS, KINDS, LABELS, SUBTASKS, Comment, Kind, Subtask, read_comments
from aifgraph.errors import InputError
from aifgraph.printable import pluralize
from aifgraph.stats.alpha import nominal_alpha
from aifgraph.stats.scores import NONE
from aifgraph.tables import Cell, Table
from aifgraph.tasks import scores
from aifgraph.tasks.scores import TaskResult, ZeroDivision, class_rows, class_scores, macro

#: The first three labels are averaged: for, other, against.
AVERAGED: Final = 3
NAMES: Final[Mapping[Kind, tuple[str, ...]]] = {
    "stance": ("for", "other", "against", "irrelevant"),
    "premise": ("for", "no argument", "against", "irrelevant"),
}


@dataclass(frozen=True, slots=True)
class RuArgFile:
    """A file of the task; ``ids`` is whether it has the column ``text_id``, ``caveats`` what reading has to say."""

    name: str
    comments: tuple[Comment, ...]
    ids: bool = True
    caveats: tuple[str, ...] = ()


def read(path: str | Path, *, labelled: bool = True) -> RuArgFile:
    """Read a file of the task.

    Every row needs all six labels. In a file of predictions (not ``labelled``), a cell that is no label counts as
    wrong, as in the organisers' program. Predictions may have labels alone; the rows are then those of the gold file,
    in its order.
    """
    labels = Log(strict=labelled)
    comments = tuple(read_comments(Path(path), Log(strict=True), labelled=True, label_log=labels))
    if not comments:
        raise InputError("the file has no rows", where=str(path))
    caveats = [f"{path}: {number} {what}" for what, number in labels.counts.items()]
    if labels.problems:
        number = pluralize(labels.problem_counts.total(), "cells")
        caveats.append(f"{labels.problems[0]}; {number} of this kind count as wrong")
    return RuArgFile(str(path), comments, all(comment.id for comment in comments), tuple(caveats))


def paired(gold: RuArgFile, system: RuArgFile) -> list[tuple[Comment, Comment]]:
    """Return each gold comment with its prediction: by id where both files have ids, else by position."""
    if not (gold.ids and system.ids):
        if len(gold.comments) != len(system.comments):
            what = f"{len(system.comments)} rows where {gold.name} has {len(gold.comments)}, and no text_id"
            raise InputError(what, where=system.name)
        return list(zip(gold.comments, system.comments, strict=True))
    predictions = {comment.id: comment for comment in system.comments}
    scores.check_ids((comment.id for comment in gold.comments), predictions, system.name)
    return [(comment, predictions[comment.id]) for comment in gold.comments]


# -- scores -----------------------------------------------------------------------------------------------------------


def score(gold: RuArgFile, system: RuArgFile, *, zero_division: ZeroDivision = "0") -> TaskResult:
    """Score the labels of a system (Kotelnikov et al. 2022, section 6).

    ``Scores`` has ``F1_stance`` and ``F1_premise``, the means over claims; ``Stance`` and ``Premise`` have the classes
    of each claim and the macro averages of for, other and against (the paper's tables 5 to 10).

    The class irrelevant is not averaged, but a wrong prediction of it costs recall of the others, as does a cell
    without a label. ``zero_division`` is what the F1 of a class that neither side has counts as.
    """
    scores.one_of("zero_division", zero_division, scores.ZERO_DIVISION)
    pairs = paired(gold, system)
    tables: list[Table] = []
    absent: dict[Subtask, list[str]] = {}
    for kind in KINDS:
        rows: list[tuple[Cell, ...]] = []
        for claim in CLAIMS:
            subtask = Subtask(claim, kind)
            labels = [(right.labels[subtask], given.labels.get(subtask, NONE)) for right, given in pairs]
            unlabelled = (NONE,) if any(given == NONE for _, given in labels) else ()
            cells = scores.confusion(labels, (*LABELS, *unlabelled))
            classes = zip((*LABELS, None), class_rows(cells, (*NAMES[kind], "no label")), strict=False)
            rows += [(claim, name, label and int(label), *numbers) for label, (name, *numbers) in classes]
            by_class = class_scores(cells)
            means = [macro(values[:AVERAGED], zero_division) for values in by_class[:3]]
            sums = [sum(counts[:AVERAGED]) for counts in by_class[3:]]
            rows.append((claim, "macro", None, *means, *sums))
            absent[subtask] = [f"{subtask.column}: {line}" for line in scores.absent(cells, NAMES[kind][:AVERAGED])]
        columns = ("claim", "class", "label", "precision", "recall", "F1", "gold", "predicted")
        tables.append(Table(kind.capitalize(), columns, rows, digits=4))
    signature = scores.signature("ruarg.f1", average="macro", classes="2,1,0", zero_division=zero_division)
    heads = [(f"F1_{kind}", macro(_claim_f1(table), "leave-out")) for kind, table in zip(KINDS, tables, strict=True)]
    caveats = [*system.caveats, *_other_texts(pairs, system.name)]
    caveats += [line for subtask in SUBTASKS for line in absent[subtask]]
    listed = (Table("Scores", ("score", "value"), heads, digits=4), *tables)
    return TaskResult(signature, listed, caveats=tuple(caveats))


def _other_texts(pairs: Sequence[tuple[Comment, Comment]], name: str) -> list[str]:
    """Return a caveat if comments are paired whose texts, beyond white space, are not the same."""
    texts = ((given.line, right.text.split(), given.text.split()) for right, given in pairs)
    lines = [line for line, right, given in texts if right and given and right != given]
    return [f"{name}, line {lines[0]}: not gold's text; {pluralize(len(lines), 'rows')} of this kind"] if lines else []


def _claim_f1(table: Table) -> list[Any]:
    return [row["F1"] for row in table.records() if row["class"] == "macro"]


def ranking(gold: RuArgFile, systems: Sequence[RuArgFile], *, zero_division: ZeroDivision = "0") -> TaskResult:
    """Rank systems, each called as its file, by stance as in the paper's table 4; below, the macro F1 of each claim."""
    names = scores.file_names([system.name for system in systems])
    scores.check_names(names)
    results = {
        name: score(gold, system, zero_division=zero_division) for name, system in zip(names, systems, strict=True)
    }
    f1 = ([row["value"] for row in result.records("Scores")] for result in results.values())
    stance, premise = zip(*f1, strict=True)
    columns = (scores.ranks(stance), names, stance, premise, scores.ranks(premise))
    rows = sorted(zip(*columns, strict=True), key=lambda row: (row[0] or len(names) + 1, row[4] or 0, row[1]))
    by_claim = {name: zip(*map(_claim_f1, result.listed[1:]), strict=True) for name, result in results.items()}
    claims = [(row[1], *chain.from_iterable(by_claim[row[1]])) for row in rows]
    tables = (
        Table("Ranking", ("rank", "system", "F1_stance", "F1_premise", "rank by premise"), rows, digits=4),
        Table("Macro F1 by claim", ("system", *(f"{claim} {kind}" for claim, kind in SUBTASKS)), claims, digits=4),
    )
    caveats = tuple(caveat for result in results.values() for caveat in result.caveats)
    return TaskResult(next(iter(results.values())).signature, tables, caveats=caveats)


# -- annotations ------------------------------------------------------------------------------------------------------


def check(file: RuArgFile) -> TaskResult:
    """Count stance against premise for each claim, and list the sentences in which the two do not fit (section 3.3).

    They do not fit if they have opposite polarity, or if only one of them is irrelevant.
    """
    counts: Counter[tuple[str, str, str]] = Counter()
    opposed: list[tuple[Cell, ...]] = []
    for comment in file.comments:
        for claim in CLAIMS:
            stance, premise = (comment.labels[Subtask(claim, kind)] for kind in KINDS)
            counts[claim, stance, premise] += 1
            if {stance, premise} == {"0", "2"} or (stance == "-1") != (premise == "-1"):
                names = NAMES["stance"][LABELS.index(stance)], NAMES["premise"][LABELS.index(premise)]
                opposed.append((claim, comment.id, comment.line, *names, comment.text))
    rows: list[tuple[Cell, ...]] = [
        (claim, name, *(counts[claim, stance, premise] for premise in LABELS))
        for claim in CLAIMS
        for stance, name in zip(LABELS, NAMES["stance"], strict=True)
    ]
    tables = (
        Table("Stance and premise", ("claim", "stance", *(f"premise: {name}" for name in NAMES["premise"])), rows),
        Table("Stance against premise", ("claim", "text_id", "line", "stance", "premise", "text"), opposed),
    )
    return TaskResult(scores.signature("ruarg.check"), tables, caveats=file.caveats)


def agreement(files: Sequence[RuArgFile]) -> TaskResult:
    """Return nominal alpha (Krippendorff 2011) of annotators, one file each, by claim and subtask.

    Comments are joined by id, and a file may leave some out.
    """
    if len(files) < 2 or not all(file.ids for file in files):
        raise InputError("agreement needs two files or more, each with the column text_id")
    labels = [{comment.id: comment.labels for comment in file.comments} for file in files]
    ids = dict.fromkeys(id_ for by_id in labels for id_ in by_id)
    items = {
        subtask: [tuple(by_id.get(id_, {}).get(subtask) for by_id in labels) for id_ in ids] for subtask in SUBTASKS
    }
    groups = {(subtask.claim, str(subtask.kind)): [subtask] for subtask in SUBTASKS}
    groups |= {("all claims", kind): [subtask for subtask in SUBTASKS if subtask.kind == kind] for kind in KINDS}
    groups["all claims", "both"] = list(SUBTASKS)
    twice = {subtask: sum(len(item) - item.count(None) > 1 for item in listed) for subtask, listed in items.items()}
    rows = [
        (
            *names,
            nominal_alpha(Counter(item for subtask in subtasks for item in items[subtask])),
            sum(twice[subtask] for subtask in subtasks),
        )
        for names, subtasks in groups.items()
    ]
    table = Table("Agreement", ("claim", "subtask", "alpha", "labelled twice"), rows)
    signature = scores.signature("ruarg.agreement", alpha="nominal", annotators=len(files))
    return TaskResult(signature, (table,))
