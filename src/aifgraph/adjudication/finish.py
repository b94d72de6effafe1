"""The end of an adjudication: the merged map of every pair that is decided, and who was followed how often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from aifgraph.adjudication.decisions import read_decisions
from aifgraph.adjudication.followed import followed
from aifgraph.adjudication.merge import Merged, merge_compared
from aifgraph.adjudication.resolution import Preference, Wording
from aifgraph.adjudication.study import Study, StudyPair
from aifgraph.comparison.options import Options
from aifgraph.errors import AifgraphError, InputError
from aifgraph.formats.files import decode_strict, read_bytes, write_atomic
from aifgraph.formats.io import dump
from aifgraph.tables import Table


@dataclass(frozen=True)
class Finished:
    """The texts that have a gold map now; those that have rows open, with their number; those that cannot be merged,
    with the reason; what could not be kept in a map; who was followed how often."""

    gold: tuple[str, ...]
    open: tuple[tuple[str, int], ...]
    failed: tuple[tuple[str, str], ...]
    notices: tuple[str, ...]
    followed: Table


def merged_pair(
    options: Options, pair: StudyPair, *, wording: Wording = "first", prefer: Preference | None = None
) -> Merged:
    """One map of a pair, by the decisions that are in its file.

    Raises:
        InputError: a map has changed, or decisions cannot stand together.
    """
    pair.check()
    comparison = pair.compared(options)
    differences = comparison.differences()
    path = pair.decisions.path
    decisions = read_decisions(decode_strict(read_bytes(path), str(path)), differences, name=str(path))
    return merge_compared(comparison, differences, decisions=decisions, wording=wording, prefer=prefer)


def finish(
    study: Study,
    *,
    wording: Wording = "first",
    prefer: Preference | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Finished:
    """Write ``gold/NAME.json`` for every pair without open rows, and ``followed.tsv``.

    ``wording`` and ``prefer`` are what happens to rows that nobody decided, as in ``merge``; with ``prefer``, no row is
    open. A gold map of before whose pair has open rows again is removed.
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
    table = followed(study)
    write_atomic(study.folder / "followed.tsv", "\n".join(_lines(table)) + "\n")
    return Finished(tuple(gold), tuple(still_open), tuple(failed), tuple(notices), table)


def _lines(table: Table) -> Iterator[str]:
    for row in (table.columns, *table.rows):
        yield "\t".join("" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row)
