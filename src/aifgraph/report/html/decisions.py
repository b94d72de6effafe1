"""What a page needs to take decisions: the rows as the file of decisions has them, and what may be decided."""

from __future__ import annotations

import re
from typing import Any

from aifgraph.adjudication.decisions import COLUMNS, choices_of, difference_record
from aifgraph.comparison.difference import Difference
from aifgraph.comparison.differences import Differences
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import catalogue

#: The columns that a decision fills in are not in the page: it adds them.
_GIVEN = COLUMNS[:-4]


def decisions_data(differences: Differences, title: str, served: dict[str, Any] | None) -> dict[str, Any]:
    """The rows, the labels that may be given in place of theirs, and where decisions go (``served``; None for the
    browser's own storage)."""
    groups = {row.group for row in differences}
    return {
        "maps": f"{differences.first_hash}:{differences.second_hash}",
        "title": title,
        "file": re.sub(r"[^\w.+-]+", "_", title)[:80] or "map",
        "columns": COLUMNS,
        "rows": [_row(row, differences, title) for row in differences],
        "labels": {
            "illocutions": _labels("YA") if "illocutions" in groups else [],
            "relations": [*RELATIONS, *_labels(*RELATIONS)] if "relations" in groups else [],
        },
        "served": served,
    }


def _row(row: Difference, differences: Differences, title: str) -> list[Any]:
    record = difference_record(row, differences, title)
    cells = [record[name] for name in _GIVEN if name not in ("row", "text", "maps")]
    return [row.id, [choice[0] for choice in choices_of(row)], cells]


def _labels(*kinds: str) -> list[str]:
    return sorted({row.name for row in catalogue().values() if row.kind in kinds})
