"""What the crowd said of quotes and responses in IAC 1, and which annotation belongs to which pair.

``qr_meta.csv`` joins a key to its posts. Without it a key can be joined where its discussion has one annotated pair and
one pair of quote and response; every other annotation belongs to some pair of its discussion that nothing names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aifgraph.datasets.problems import Problems
from aifgraph.datasets.rows import csv_rows, number_in

FOLDER = "annotations"
TURK = f"{FOLDER}/mechanical_turk"


@dataclass(frozen=True, slots=True)
class Annotation:
    """The mean scores of one quote–response pair by scale, and what else the tables say of it."""

    key: str
    scores: Mapping[str, float]
    beside: Mapping[str, Any]

    @property
    def agreement(self) -> float | None:
        """The mean on −5 … 5, where it was asked for."""
        return self.scores.get("agreement")


@dataclass(slots=True)
class Tables:
    """All tables beside the discussions, by discussion id; ``missing`` names those that are not there."""

    annotations: dict[str, list[Annotation]] = field(default_factory=dict)
    meta: dict[str, dict[str, str]] = field(default_factory=dict)
    topics: dict[str, str] = field(default_factory=dict)
    stances: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


def read_tables(root: Path, problems: Problems) -> Tables:
    """The tables under ``annotations/``; their size is that of the annotations, not of the corpus."""
    tables = Tables()
    workers: dict[str, list[dict[str, str]]] = {}
    for number in ("1", "2"):
        for cells in _rows(root, f"{TURK}/qr_worker_answers_task{number}.csv", ("key",), problems, tables):
            answer = {name: value for name, value in cells.items() if name not in ("key", "discussion_id")}
            workers.setdefault(cells["key"], []).append({"task": number, **answer})
    resampled = {
        cells["key"]: cells["resampled"]
        for cells in _rows(root, f"{TURK}/qr_resample.csv", ("key", "resampled"), problems, tables)
    }
    _averages(root, problems, tables, workers, resampled)
    for cells in _rows(root, f"{TURK}/qr_meta.csv", ("key", "response_post_id", "quote", "response"), problems, tables):
        tables.meta[cells["key"]] = cells
    for cells in _rows(root, f"{FOLDER}/topic.csv", ("discussion_id", "topic"), problems, tables):
        # The values carry a leading space and quotes of their own.
        tables.topics[cells["discussion_id"]] = cells["topic"].strip().strip('"').strip()
    for cells in _rows(root, f"{FOLDER}/author_stance.csv", ("discussion_id", "author"), problems, tables):
        tables.stances.setdefault(cells["discussion_id"], []).append(cells)
    return tables


def _rows(root: Path, name: str, needed: tuple[str, ...], problems: Problems, tables: Tables) -> list[dict[str, str]]:
    if not (root / name).is_file():
        tables.missing.append(name)
        return []
    return [row.cells for row in csv_rows(root / name, problems, needed, name)]


def _averages(
    root: Path,
    problems: Problems,
    tables: Tables,
    workers: Mapping[str, list[dict[str, str]]],
    resampled: Mapping[str, str],
) -> None:
    name = f"{TURK}/qr_averages.csv"
    if not (root / name).is_file():
        tables.missing.append(name)
        return
    seen: set[str] = set()
    for row in csv_rows(root / name, problems, ("key", "discussion_id", "agreement"), name):
        key = row.cells["key"]
        if key in seen:
            problems.add("duplicate", f"the key {key} is given twice; the later row is left out", name, row.line)
            continue
        seen.add(key)
        try:
            scores = {
                scale: value
                for scale, cell in row.cells.items()
                if scale not in ("key", "discussion_id") and (value := number_in(cell, scale)) is not None
            }
        except ValueError as error:
            problems.add("number", f"{error}; the row is left out", name, row.line)
            continue
        beside: dict[str, Any] = {"workers": workers[key]} if key in workers else {}
        if key in resampled:
            beside["resampled"] = resampled[key]
        tables.annotations.setdefault(row.cells["discussion_id"], []).append(Annotation(key, scores, beside))
