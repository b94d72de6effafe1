"""What a page needs to take decisions: the rows as the file of decisions has them, and what may be decided."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any, Final

from aifgraph.adjudication.decisions import COLUMNS, choices_of, difference_record
from aifgraph.adjudication.kit import merge_kit
from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.difference import Difference
from aifgraph.comparison.differences import Differences
from aifgraph.graph.schemes import catalogue

#: A page grows by a hundredth against the highest level, which takes three times as long.
_LEVEL: Final = 6
#: The columns that a decision fills in are not in the page: it adds them.
_GIVEN = COLUMNS[:-4]


def decisions_data(
    comparison: Comparison, differences: Differences, title: str, served: dict[str, Any] | None
) -> dict[str, Any]:
    """The rows, the labels that may be given in place of theirs, where decisions go (``served``; None for the browser's
    own storage), and what the merged map is put together from."""
    labelled = any(row.group in ("illocutions", "relations") for row in differences)
    return {
        "maps": f"{differences.first_hash}:{differences.second_hash}",
        "title": title,
        "file": re.sub(r"[^\w.+-]+", "_", title)[:80] or "map",
        "columns": COLUMNS,
        "rows": [_row(row, differences, title) for row in differences],
        "schemes": [[row.name, row.kind, row.id] for row in catalogue().values()] if labelled else [],
        "served": served,
        "kit": merge_kit(comparison, differences) if len(differences) else None,
    }


def packed(data: dict[str, Any]) -> dict[str, Any]:
    """The same, deflated and in base64: the page needs it when somebody decides, and is not to grow by half for it."""
    text = json.dumps(data, separators=(",", ":")).encode("ascii")  # half surrogates have no UTF-8
    served = data["served"] is not None
    return {
        "count": len(data["rows"]),
        "served": served,
        "packed": base64.b64encode(zlib.compress(text, _LEVEL)).decode(),
    }


def _row(row: Difference, differences: Differences, title: str) -> list[Any]:
    record = difference_record(row, differences, title)
    cells = [record[name] for name in _GIVEN if name not in ("row", "text", "maps")]
    return [row.id, [choice[0] for choice in choices_of(row)], cells]
