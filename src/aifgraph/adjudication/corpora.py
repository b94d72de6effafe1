"""Two corpora: the differences of every pair in one list, and every pair merged by decisions and a preferred side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from aifgraph.adjudication.decisions import DecisionTable, decision_rows, decisions_tsv
from aifgraph.adjudication.merge import Preference, merge_compared
from aifgraph.comparison import Comparison, compare
from aifgraph.comparison.differences import Differences, cell_table
from aifgraph.comparison.differences.words import Entry, difference_tables, head, listing
from aifgraph.comparison.maps import PairNames
from aifgraph.corpus import open_writer
from aifgraph.corpus.corpus import CorpusLike
from aifgraph.corpus.pairing import MIN_SIMILARITY, PairedCorpora
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.run import compare_each, pair_tasks
from aifgraph.formats import format_named
from aifgraph.graph import Notice
from aifgraph.options import OptionKeywords, Options
from aifgraph.printable import pluralize
from aifgraph.tables import Table


@dataclass(frozen=True)
class PairedDifferences:
    """The differences of pairs by name, in one list; of two corpora, also which pairs failed and why, and notices.

    ``corpora`` says whether these are the pairs of two corpora; else it is one pair.
    """

    pairs: Mapping[str, Differences]
    failed: Mapping[str, str]
    notices: tuple[Notice, ...] = ()
    corpora: bool = True

    def __len__(self) -> int:
        return sum(map(len, self.pairs.values()))

    def entries(self) -> list[Entry]:
        """Return the differences in words, in the order of the pairs."""
        named = ((name if self.corpora else "", rows) for name, rows in self.pairs.items())
        return [entry for name, rows in named for entry in rows.entries(name)]

    def title(self) -> str:
        """Return how many differences there are, and which pairs look like different documents."""
        unlike = [rows.unlike for rows in self.pairs.values() if rows.unlike]
        if unlike and self.corpora:
            pairs = pluralize(len(self.pairs), "pairs")
            unlike = [f"In {len(unlike)} of {pairs} the maps look like two different documents."]
        labels = sum(rows.labels for rows in self.pairs.values())
        return "\n".join([*unlike, head(self.entries(), labels, len(self.pairs) if self.corpora else 0)])

    def lines(self, width: int = 100, most: int | None = None) -> list[str]:
        """Return the listing, in lines of a width and at most so many."""
        return listing(self.entries(), self.title(), self._names, self._signature("text"), width, most)

    def to_tsv(self) -> str:
        """Return a file of differences to decide on, with the rows of all pairs."""
        return decisions_tsv(row for name, rows in self.pairs.items() for row in decision_rows(rows, name))

    def tables_for(self, format: str) -> tuple[list[Table], str]:
        """Return a row a difference, in CSV with ids, places and what each calculation counts; and the signature."""
        if format == "csv":
            return [cell_table([{"text": name, **row.cells} for name, rows in self.pairs.items() for row in rows])], ""
        return difference_tables(self.entries(), self.title(), self._names), self._signature(format)

    def to_data(self) -> Any:
        """Return plain values: a list with an object for each pair, or the only object."""
        documents = [{"text": name, **rows.to_dict()} for name, rows in self.pairs.items()]
        return documents if self.corpora else documents[0]

    @property
    def _names(self) -> tuple[str, str]:
        return next((rows.names for rows in self.pairs.values()), ("first", "second"))

    def _signature(self, format: str) -> str:
        signatures = (rows.signature if format == "latex" else rows.how.short for rows in self.pairs.values())
        return next(signatures, "")


def corpus_differences(
    first: CorpusLike,
    second: CorpusLike,
    *,
    pair_by: str | PathLike[str] = "name",
    min_text: float = MIN_SIMILARITY,
    names: tuple[str, str] | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> PairedDifferences:
    """Find the differences of every pair of two corpora; the arguments are those of ``compare_corpora``."""
    paired = PairedCorpora.from_corpora([first, second], names, pair_by, min_text, gold=True)
    ((both, pairing),) = paired.pairings.items()
    pairs: dict[str, Differences] = {}
    failed: dict[str, str] = {}
    how = Options.merge(options, **keywords)
    for key, found in compare_each(_differences, pair_tasks(pairing), how, jobs=jobs, progress=progress):
        if isinstance(found, AifgraphError):
            failed[str(key)] = str(found)
        else:
            pairs[str(key)] = replace(found, names=PairNames(*both), how=found.how.extend(**pairing.parts))
    return PairedDifferences(pairs, failed, paired.notices)


def _differences(_: str, result: Comparison) -> Differences:
    return result.differences()


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
    **keywords: Unpack[OptionKeywords],
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
    paired = PairedCorpora.from_corpora([first, second], None, pair_by, min_text, gold=True)
    (pairing,) = paired.pairings.values()
    table = DecisionTable(Path(decisions)) if decisions is not None else None
    merged_pairs: list[MergedPair] = []
    failed: list[tuple[str, str]] = []
    with open_writer(output) as writer:
        for number, pair in enumerate(pairing, 1):
            name, second_file = PairNames(*pair.names).display_name, pair.second.name.rpartition("/")[2]
            file = pair.first.name if pair.first.name == pair.second.name else f"{pair.first.name}-{second_file}"
            try:
                comparison = compare(pair.first.load(), pair.second.load(), options=options, **keywords)
                decided = table.decisions(comparison.differences()) if table else {}
                merged = merge_compared(comparison, decided, prefer)
                writer.add(file, ".json", format_named("aif").serialize(merged.graph))
            except OptionError:  # of all pairs
                raise
            except AifgraphError as error:
                failed.append((name, str(error)))
            else:
                counts, still_open = (len(merged.differences), len(merged.decisions)), [row.id for row in merged.open]
                merged_pairs.append(MergedPair(name, *counts, tuple(still_open), merged.caveats))
            if progress:
                progress(number, len(pairing))
        if table and table.rows and not table.used & table.rows.keys():
            raise InputError("no decision in this file belongs to a pair of these corpora", where=str(table.path))
    caveats = [str(notice) for notice in paired.notices]
    caveats += [f"{where}: about maps that no pair here has" for where in (table.unused if table else ())]
    return MergedCorpora(tuple(merged_pairs), tuple(failed), tuple(caveats))
