"""``compare_corpora``: every pair of two corpora, and the numbers of the whole.

One unreadable map does not stop a corpus: it is listed under ``failed``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from operator import attrgetter
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack

from aifgraph.comparison.compare import Comparison
from aifgraph.comparison.measures.registry import measures_named
from aifgraph.comparison.options import OptionKeywords, Options, signature_of
from aifgraph.corpus.lazy import Mapped
from aifgraph.corpus.pairing import MIN_SIMILARITY, Pairing, pair, same_corpus
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.corpus_comparison import CorpusComparison
from aifgraph.evaluation.corpus_sums import CorpusSums
from aifgraph.evaluation.each_pair import EachPair
from aifgraph.evaluation.graph_lists import CorpusLike, GraphPairs, corpora_of
from aifgraph.evaluation.pair_task import PairOutcome, Task
from aifgraph.evaluation.result_lines import ResultLines
from aifgraph.evaluation.results import Details, ResultsFile
from aifgraph.evaluation.workers import Workers, compare_all
from aifgraph.log import debug

#: From this many pairs on, results are kept in a file and not in memory, asked or not.
SPOOL = 20_000


def compare_corpora(
    first: CorpusLike | GraphPairs,
    second: CorpusLike | None = None,
    *,
    pair_by: str | PathLike[str] = "name",
    min_text: float = MIN_SIMILARITY,
    missing: str = "skip",
    options: Options | None = None,
    details: bool = True,
    items: bool = False,
    measures: Iterable[str] = (),
    n_jobs: int = 1,
    workers: Workers | None = None,
    results: str | PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], None] | None = None,
    on_comparison: Callable[[str, Comparison], None] | None = None,
    each: EachPair[Any] | None = None,
    **keywords: Unpack[OptionKeywords],
) -> CorpusComparison:
    """Compare two corpora pair by pair.

    Args:
        first: a ``Corpus``, a path or an address, or a list of graphs; or, alone, a list of pairs of graphs.
        second: the other corpus, given in the same way. Two lists of one length are paired in their order, unless
            ``pair_by`` says otherwise.
        pair_by: ``name``, ``text``, or the path of a mapping file with columns ``first`` and ``second``.
        min_text: by text, how similar two texts must be: above 0, at most 1.
        missing: whether a text that only one corpus has is left out (``skip``) or scores 0 (``zero``).
        options: how to compare; None for the defaults.
        details: whether the whole result of every pair is kept for ``to_dict``.
        items: whether details hold what stands behind every cell, too. That is much, so it is kept in a file.
        measures: names of measures to compute in addition to CASS for every pair (``aifgraph metrics`` lists them).
        n_jobs: processes that share the work; -1 for one a core. The numbers are the same.
        workers: who shares the work in their place, on this machine or on a Dask cluster.
        results: a file of JSON lines that is written on the way and holds the pairs, so that memory does not grow with
            them.
        resume: whether a run that stopped goes on from ``results``.
        progress: called with the pairs done and their number.
        on_comparison: called with the name and the comparison of every pair, which is not kept (in one process only).
        each: what is made of every comparison by whoever compares the pair, and taken here in the order of the pairs.
        **keywords: fields of :class:`aifgraph.Options`, which stand in place of those of ``options``.

    Returns:
        The scores of all pairs, of their mean and of their sum.

    Raises:
        InputError: the two corpora have no pair; the results file is there already, or is that of another run.
        OptionError: an option that is not one.
        RemoteError: a worker process died, or the scheduler is not there or goes away.
    """
    if missing not in ("skip", "zero"):
        raise OptionError(f"missing is {missing!r}", remedy="choose skip or zero")
    if resume and results is None:
        raise OptionError("there is nothing to resume", remedy="name the file of results")
    chosen = Options.given(options, **keywords)
    further = measures_named(measures)
    chosen_workers = workers or Workers(n_jobs)
    if on_comparison and (each or not chosen_workers.alone):
        raise OptionError("on_comparison works in one process and without each", remedy="set jobs to 1, or give each")
    if on_comparison:
        each = EachPair(on_comparison, _nothing)
    if each and resume:
        remedy = "start anew, without resume"
        raise OptionError("pages, merged maps and lists of differences begin with the first pair", remedy=remedy)
    make = each.make if each else None
    one, other, graphs_folder = corpora_of(first, second, in_order=pair_by == "name")
    pairing = pair(one, other, pair_by, min_similarity=min_text)
    notices = (*one.notices, *(other.notices if other is not one else ()), *pairing.notices)
    if not len(pairing) and missing == "skip":
        why = next((notice.message for notice in notices if notice.code in ("pair-none", "corpus-empty")), "")
        raise InputError(
            f"the two corpora have no map in common{f': {why}' if why else ''}",
            where=f"{one.path}, {other.path}",
            remedy=None if why else "pair by text or by a mapping file",
        )
    name_of = attrgetter("name")
    unpaired = (Mapped(pairing.unpaired_first, name_of), Mapped(pairing.unpaired_second, name_of))
    debug("paired %s and %s: %s pairs (%s)", one.path, other.path, len(pairing), pairing.signature)
    folder: Any = None
    if results is None and (items or len(pairing) >= SPOOL):
        folder = TemporaryDirectory(prefix="aifgraph-")
        results = Path(folder.name) / "results.jsonl"
    if results is None:
        task = Task(chosen, details, measures=further, make=make)
        compared = _taken(compare_all(pairing, len(pairing), task, chosen_workers), each)
        outcomes = list(_reported(compared, 0, pairing, progress))
        return CorpusComparison(
            tuple(outcome.summary for outcome in outcomes if outcome.summary),
            chosen,
            missing,
            unpaired,
            tuple((outcome.names.shown, outcome.error) for outcome in outcomes if not outcome.summary),
            notices,
            tuple(
                {"name": outcome.names.shown, "names": [outcome.names.first, outcome.names.second], **outcome.details}
                for outcome in outcomes
                if outcome.details
            ),
            pairing=pairing.signature,
            one_corpus=same_corpus(one, other),
            _folder=graphs_folder,
            _pairs=pairing,
        )
    path = Path(results)
    task = Task(chosen, details, items, digests=folder is None, measures=further, make=make)
    kept: Details = "items" if items and details else details
    sums = CorpusSums()
    with ResultsFile(
        path,
        signature_of(chosen),
        pairing,
        details=kept,
        resume=resume,
        measures=further,
        on_summary=sums.add,
    ) as file:
        rest = pairing.pairs[file.done :]
        debug("results of %d pairs are in %s; %d are left", file.done, path, len(rest))
        compared = _taken(compare_all(rest, len(rest), task, chosen_workers), each)
        for outcome in _reported(compared, file.done, pairing, progress):
            file.append(outcome)
    lines = ResultLines(path)
    return CorpusComparison(
        lines,
        chosen,
        missing,
        unpaired,
        lines.failed,
        notices,
        pairing=pairing.signature,
        one_corpus=same_corpus(one, other),
        _folder=(folder, graphs_folder),
        _sums=sums,
        _pairs=pairing,
    )


def _nothing(name: str, made: object) -> None:
    """Takes what ``on_comparison`` gives, which is nothing."""


def _taken(outcomes: Iterator[PairOutcome], each: EachPair[Any] | None) -> Iterator[PairOutcome]:
    """The outcomes without what was made of them, which ``each`` has taken."""
    for outcome in outcomes:
        if each is None or outcome.summary is None:
            yield outcome
            continue
        try:
            each.take(outcome.names.shown, outcome.made)
        except AifgraphError as error:
            yield PairOutcome(outcome.names, error=str(error), inputs=outcome.inputs)
        else:
            yield replace(outcome, made=None)


def _reported(
    outcomes: Iterable[PairOutcome], done: int, pairing: Pairing, progress: Callable[[int, int], None] | None
) -> Iterator[PairOutcome]:
    """The outcomes; ``progress`` is called after each."""
    for number, outcome in enumerate(outcomes, done + 1):
        yield outcome
        if progress:
            progress(number, len(pairing))
