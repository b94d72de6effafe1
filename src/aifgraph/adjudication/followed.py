"""How often each annotator was followed, and for which kinds of differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from aifgraph.adjudication.decision_file import choice_of
from aifgraph.adjudication.study import Study
from aifgraph.comparison.difference import KINDS
from aifgraph.tables import Cell, Table

_COLUMNS = ("first", "second", "both", "neither", "other", "open")


def followed(study: Study) -> Table:
    """One row a kind of difference, then all of them: how many rows were decided for the first, the second, both,
    neither or something other, how many are open, and the share of the first among the rows decided for one side."""
    counts: dict[str, Counter[str]] = {}
    for pair in study.pairs:
        if not pair.error:
            for record in pair.decisions.records().values():
                counts.setdefault(record["kind"], Counter())[choice_of(record)] += 1
    kinds = [kind for kind in KINDS if kind in counts] + sorted(counts.keys() - {*KINDS})
    rows = [_row(kind, [counts[kind]]) for kind in kinds]
    return Table(
        "How often each annotator was followed",
        ("kind", *_COLUMNS, "share of first"),
        [*rows, _row("all", counts.values())],
        note="share of first: of the rows decided for one of the two",
    )


def _row(kind: str, counts: Iterable[Counter[str]]) -> tuple[Cell, ...]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    sided = total["first"] + total["second"]
    return (kind, *(total[name] for name in _COLUMNS), total["first"] / sided if sided else None)
