"""The end of an adjudication: the merged map of every pair that is decided, and the choices per annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from aifgraph.adjudication.decision_file import Row, as_cell, decisions_text, difference_of, read_decisions
from aifgraph.adjudication.decisions import CHOICE_KINDS, decision_of, sides_kept
from aifgraph.adjudication.merge import Merged, merge_compared
from aifgraph.adjudication.selection import Preference, Wording
from aifgraph.adjudication.study import Study, StudyPair
from aifgraph.comparison.differences import KINDS
from aifgraph.comparison.options import Options
from aifgraph.errors import AifgraphError, InputError
from aifgraph.formats.files import write_atomic
from aifgraph.formats.io import dump
from aifgraph.tables import Cell, Table


@dataclass(frozen=True)
class Finished:
    """The texts that have a gold map now; those that have rows open, with their number; those that cannot be merged,
    with the reason; what could not be kept in a map; the choices per annotator."""

    gold: tuple[str, ...]
    open: tuple[tuple[str, int], ...]
    failed: tuple[tuple[str, str], ...]
    notices: tuple[str, ...]
    choices: Table


def merged_pair(
    options: Options, pair: StudyPair, *, wording: Wording = "first", prefer: Preference | None = None
) -> Merged:
    """One map of a pair, by the decisions that are in its file.

    Raises:
        InputError: a map has changed, or decisions cannot stand together.
    """
    pair.check()
    comparison = pair.compared(options)
    path = pair.decisions.path
    decisions = read_decisions(decisions_text(path), comparison.differences(), name=str(path))
    return merge_compared(comparison, decisions=decisions, wording=wording, prefer=prefer)


def finish(
    study: Study,
    *,
    wording: Wording = "first",
    prefer: Preference | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Finished:
    """Write ``gold/NAME.json`` for every pair without open rows, and ``choices.tsv``.

    ``wording`` and ``prefer`` are what happens to rows that nobody decided, as in ``merge``; with ``prefer``, no row is
    open. An earlier gold map whose pair has open rows again is removed.
    """
    folder = study.folder / "gold"
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", where=str(folder)) from None
    gold: list[str] = []
    still_open: list[tuple[str, int]] = []
    failed: list[tuple[str, str]] = []
    notices: list[str] = []
    for number, pair in enumerate(study.pairs, 1):
        target = folder / f"{pair.stem}.json"
        merged: Merged | None = None
        try:
            if pair.error:
                failed.append((pair.name, pair.error))
            elif prefer is None and (count := pair.decisions.progress().open):
                still_open.append((pair.name, count))
            else:
                merged = merged_pair(study.options, pair, wording=wording, prefer=prefer)
                if prefer is None and merged.open:  # rows that the file does not have
                    still_open.append((pair.name, len(merged.open)))
                    merged = None
        except AifgraphError as error:
            failed.append((pair.name, str(error)))
        if merged is None:
            target.unlink(missing_ok=True)
        else:
            dump(merged.graph, target)
            gold.append(pair.name)
            notices += [f"{pair.name}: {notice}" for notice in merged.notices]
        if progress:
            progress(number, len(study.pairs))
    table = choices_per_annotator(study)
    lines = ["\t".join(map(_tsv_cell, row)) for row in (table.columns, *table.rows)]
    write_atomic(study.folder / "choices.tsv", "\n".join(lines) + "\n")
    return Finished(tuple(gold), tuple(still_open), tuple(failed), tuple(notices), table)


def _tsv_cell(cell: Cell) -> str:
    return "" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else as_cell(cell)


_COLUMNS = (*(kind.name for kind in CHOICE_KINDS), "open")


def choices_per_annotator(study: Study) -> Table:
    """One row a kind of difference, then all of them: how many rows were decided how, how many are open, and the share
    that went as the first side has it among those that went as one of the two has it."""
    counts: dict[str, Counter[str]] = {}
    for pair in study.pairs:
        if not pair.error:
            for row in pair.decisions.rows().values():
                counts.setdefault(row["kind"], Counter()).update(_choice_of(row))
    kinds = [kind for kind in KINDS if kind in counts] + sorted(counts.keys() - {*KINDS})
    rows = [_counted(kind, [counts[kind]]) for kind in kinds]
    return Table(
        "Decisions in the files, by kind of difference",
        ("kind", *_COLUMNS, "share of first"),
        [*rows, _counted("all", counts.values())],
        note="open: not decided in a file (--prefer settles it in the gold maps alone); share of first: how often the "
        "first was followed, where one of the two was",
    )


def _choice_of(row: Row) -> tuple[str, ...]:
    """The choice, and whose it is where it is as one of the two has it."""
    if not row["decision"]:
        return ("open",)
    difference = difference_of(row)
    decided = decision_of(row["decision"], difference)
    if decided.choice == "other":
        return ("other",)
    sides = sides_kept(decided.choice, difference, 0)
    return (decided.choice, *(f"as side {side}" for side in sides if len(sides) == 1))


def _counted(kind: str, counts: Iterable[Counter[str]]) -> tuple[Cell, ...]:
    total: Counter[str] = Counter()
    for counter in counts:
        total.update(counter)
    sided = total["as side 0"] + total["as side 1"]
    return (kind, *(total[name] for name in _COLUMNS), total["as side 0"] / sided if sided else None)
