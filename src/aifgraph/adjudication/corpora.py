"""Two corpora as one: every pair merged by decisions and a preferred side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.adjudication.decisions import DecisionTable
from aifgraph.adjudication.merge import Preference, merge_compared
from aifgraph.comparison import compare
from aifgraph.comparison.result import PairNames
from aifgraph.corpus import Pair, open_writer
from aifgraph.corpus.corpus import CorpusLike
from aifgraph.corpus.pairing import MIN_SIMILARITY, PairedCorpora
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.formats import format_named
from aifgraph.options import Options


@dataclass(frozen=True, slots=True)
class MergedPair:
    """How many differences a pair has, how many were decided, which rows are open (their ids), and its caveats."""

    name: str
    differences: int
    decided: int
    open: tuple[str, ...]
    caveats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MergedCorpora:
    """The pairs that were merged; those that were not, with the reason; caveats of the pairing and the decisions."""

    pairs: tuple[MergedPair, ...]
    failed: tuple[tuple[str, str], ...]
    caveats: tuple[str, ...]


def merge_corpora(
    first: CorpusLike,
    second: CorpusLike,
    output: str | PathLike[str],
    *,
    decisions: str | PathLike[str] | None = None,
    prefer: Preference | None = None,
    pair_by: str | PathLike[str] = "name",
    min_text: float = MIN_SIMILARITY,
    options: Options | None = None,
    progress: Callable[[int, int], None] | None = None,
    **keywords: Any,
) -> MergedCorpora:
    """Merge every pair of two corpora into a new folder, ``.zip`` or ``.jsonl``.

    A pair that cannot be compared or merged is listed under ``failed``; the others are written, all at once at the end.

    Args:
        decisions: TSV file with the rows of all pairs.
        prefer: as in ``merge``.
        pair_by: ``name``, ``text`` or the path of a table of pairs.
        min_text: least similarity of texts that are paired by text, above 0, at most 1.
        options: how to compare.
        **keywords: fields of ``Options``; they replace those of ``options``.

    Raises:
        InputError: no pair, an output that is there already, or decisions of which none is about these corpora.
    """
    paired = PairedCorpora.of([first, second], None, pair_by, min_text, gold=True)
    (pairing,) = paired.pairings.values()
    table = DecisionTable(Path(decisions)) if decisions is not None else None
    merged_pairs: list[MergedPair] = []
    failed: list[tuple[str, str]] = []
    with open_writer(output) as writer:
        for number, both in enumerate(pairing, 1):
            try:
                comparison = compare(both.first.load(), both.second.load(), options=options, **keywords)
                decided = table.decisions(comparison.differences()) if table else {}
                merged = merge_compared(comparison, decided, prefer)
                writer.add(_file_name(both), ".json", format_named("aif").written(merged.graph))
            except OptionError:  # of all pairs
                raise
            except AifgraphError as error:
                failed.append((PairNames(*both.names).display_name, str(error)))
            else:
                still_open = tuple(row.id for row in merged.open)
                counts = len(merged.differences), len(merged.decisions)
                merged_pairs.append(
                    MergedPair(PairNames(*both.names).display_name, *counts, still_open, merged.caveats)
                )
            if progress:
                progress(number, len(pairing))
        if table and table.rows and not table.used & table.rows.keys():
            raise InputError("no decision in this file belongs to a pair of these corpora", where=str(table.path))
    caveats = [str(caveat) for caveat in pairing.caveats]
    caveats += [f"{place}: about maps that no pair here has" for place in (table.unused if table else ())]
    return MergedCorpora(tuple(merged_pairs), tuple(failed), tuple(caveats))


def _file_name(pair: Pair) -> str:
    """Return what the merged map is called: ``debates/7a-7b`` of two names."""
    first, second = pair.names
    return first if first == second else f"{first}-{second.rpartition('/')[2]}"
