"""Two corpora as one: every pair merged by decisions and rules, into a folder of maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Unpack

from aifgraph.adjudication.decision_file import DecisionTables
from aifgraph.adjudication.merge import Merged, merge_compared
from aifgraph.adjudication.selection import Preference, Wording
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import OptionKeywords, Options
from aifgraph.corpus.corpus import Corpus, as_corpus
from aifgraph.corpus.pairing import pair
from aifgraph.corpus.writer import open_writer
from aifgraph.corpus_names import name_of_file
from aifgraph.errors import AifgraphError, InputError
from aifgraph.evaluation.run import compare_each, pair_tasks
from aifgraph.formats import Written, written


@dataclass(frozen=True, slots=True)
class MergedPair:
    """What became of a pair: how many differences it has, how many were decided, which rows are ``open`` (in words),
    and what could not be kept (``notices``)."""

    name: str
    differences: int
    decided: int
    open: tuple[str, ...]
    notices: tuple[str, ...]

    @classmethod
    def of(cls, name: str, merged: Merged) -> MergedPair:
        """The counts of a merged pair."""
        still_open = tuple(f"{row.id} {row.group} {row}" for row in merged.open)
        return cls(name, len(merged.differences), sum(merged.choices.values()), still_open, merged.notices)


@dataclass(frozen=True, slots=True)
class MergedCorpora:
    """The pairs that were merged into ``path``; those that were not, with the reason; what else there is to say."""

    path: Path
    pairs: tuple[MergedPair, ...]
    failed: tuple[tuple[str, str], ...]
    notices: tuple[str, ...] = field(repr=False)


def merge_corpora(
    first: Corpus | str | PathLike[str],
    second: Corpus | str | PathLike[str],
    output: str | PathLike[str],
    *,
    decisions: str | PathLike[str] | None = None,
    wording: Wording = "first",
    prefer: Preference | None = None,
    complete: bool = False,
    pair_by: str | PathLike[str] = "name",
    options: Options | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    **keywords: Unpack[OptionKeywords],
) -> MergedCorpora:
    """Merge every pair of two corpora (see ``merge``) into a new folder, or a ``.zip`` or ``.jsonl``.

    A pair that cannot be compared or merged is listed under ``failed``; the others are written, all at once at the end.

    Args:
        first, second: a corpus, or a path to it.
        output: a new folder, or a ``.zip`` or ``.jsonl`` file.
        decisions: a file with the rows of all pairs, as ``aifgraph differences`` writes it for two corpora, or a
            folder with a file for each pair.
        wording: whose words stand where nobody decides about them: ``first`` or ``second``.
        prefer: what stands for rows without a decision, as in :func:`aifgraph.merge`.
        complete: whether a row that nobody decided is an error of its pair.
        pair_by: ``name``, ``text`` or a mapping file, as in :func:`aifgraph.compare_corpora`.
        jobs: processes that share the work; -1 for one a core. The maps are the same.
        **keywords: fields of :class:`aifgraph.Options`, which stand in place of those of ``options``.

    Raises:
        InputError: no pair; an output that is there already; decisions that cannot be read, or are about no pair.
        OptionError: an option that is not one.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     done = merge_corpora("fixtures/debates/ann", "fixtures/debates/ben", f"{folder}/gold", prefer="agreed")
    ...     [pair.name for pair in done.pairs], sorted(path.name for path in done.path.glob("*.json"))
    (['nodeset1', 'nodeset2', 'nodeset3'], ['nodeset1.json', 'nodeset2.json', 'nodeset3.json'])
    """
    target = Path(output)
    tables = DecisionTables(Path(decisions)) if decisions is not None else None
    one, other = as_corpus(first), as_corpus(second)
    pairing = pair(one, other, pair_by)
    pairs: list[MergedPair] = []
    failed: list[tuple[str, str]] = []
    with open_writer(target) as writer:
        make = partial(_merge_pair, tables=tables, wording=wording, prefer=prefer, complete=complete)
        chosen = Options.given(options, **keywords)
        for key, outcome in compare_each(make, pair_tasks(pairing), chosen, jobs=jobs, progress=progress):
            if tables and isinstance(outcome, _Outcome):
                tables.use(outcome.used)
            merged = outcome.merged if isinstance(outcome, _Outcome) else outcome
            if isinstance(merged, AifgraphError):
                failed.append((str(key), str(merged)))
            else:
                writer.add_graph(name_of_file(str(key)), merged[0])
                pairs.append(merged[1])
        if tables and tables.unused and not any(pair.decided for pair in pairs):
            what = "these decisions are about no pair of these corpora"
            raise InputError(what, where=tables.unused[0], remedy="give the corpora that were compared, in their order")
    notices = tuple(str(notice) for notice in (*one.notices, *other.notices, *pairing.notices))
    if tables:
        notices += tuple(f"{where}: about maps that no pair here has" for where in tables.unused)
    return MergedCorpora(target, tuple(pairs), tuple(failed), notices)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A merged map as it is written, and what became of the pair, or the error; ``used`` are the maps that the
    decisions used are about."""

    merged: tuple[Written, MergedPair] | AifgraphError
    used: tuple[str, ...]


def _merge_pair(
    name: str,
    comparison: Comparison,
    *,
    tables: DecisionTables | None,
    wording: Wording,
    prefer: Preference | None,
    complete: bool,
) -> _Outcome:
    """A pair merged, in whichever process it was compared."""
    differences = comparison.differences()
    used = tables.about(differences, name) if tables else ()
    try:
        own = tables.of(differences, name) if tables else {}
        merged = merge_compared(comparison, decisions=own, wording=wording, prefer=prefer, complete=complete)
        return _Outcome((written(merged.graph, Path("merged.json")), MergedPair.of(name, merged)), used)
    except AifgraphError as error:
        return _Outcome(error, used)
