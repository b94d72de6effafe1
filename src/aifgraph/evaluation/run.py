"""``compare_corpora``: every pair of two corpora, and the numbers of the whole.

One unreadable map does not stop a corpus: it is listed under ``failed``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack

from aifgraph.comparison.measures.registry import measures_named
from aifgraph.comparison.options import OptionKeywords, Options, signature_of
from aifgraph.comparison.result import PairResult
from aifgraph.corpus.corpus import Corpus, as_corpus
from aifgraph.corpus.pairing import MIN_SIMILARITY, Pairing, TextsLike, pair, pairing_of, same_corpus
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.pair_task import EachPair, PairOutcome, Task
from aifgraph.evaluation.record import ResultLines, ResultsFile, RunHeader
from aifgraph.evaluation.sums import CorpusSums
from aifgraph.evaluation.workers import compare_all

#: A corpus, its path or address.
CorpusLike = Corpus | str | PathLike[str]

#: From this many pairs on, results are kept in a file and not in memory, asked or not.
MAX_IN_MEMORY = 20_000


def compare_corpora(
    first: CorpusLike,
    second: CorpusLike,
    *,
    pair_by: str | PathLike[str] | Pairing = "name",
    min_text: float = MIN_SIMILARITY,
    texts: TextsLike | None = None,
    with_itself: bool = False,
    missing: str = "skip",
    metrics: str | Iterable[str] = (),
    classes: bool = True,
    intervals: bool = False,
    rounds: int | None = None,
    level: float | None = None,
    jobs: int = 1,
    options: Options | None = None,
    results: str | PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], None] | None = None,
    each: EachPair[Any] | None = None,
    **keywords: Unpack[OptionKeywords],
) -> CorpusComparison:
    """Compare two corpora pair by pair.

    Args:
        first: a ``Corpus``, a path or an address.
        second: the other corpus.
        pair_by: ``name``, ``text``, or the path of a table of the pairs, with columns ``first`` and ``second``, and
            perhaps ``text``: what the text of a pair is called; or what :func:`aifgraph.pair` gave for the two.
        min_text: by text, how similar two texts must be: above 0, at most 1.
        texts: which pairs are of one text: the text of a map or a pair (``ann ~ ben``) by its name, or the path of a
            table with columns ``name`` and ``text``. Pairs that share a map are of one text anyway.
        with_itself: whether pairs of a map with itself count.
        missing: whether a text that only one corpus has is left out (``skip``) or scores 0 (``zero``).
        metrics: names of measures other than CASS, as a list or joined by ``+``, or ``all``.
        classes: whether the results of pairs list the classes of their alignment.
        intervals: whether to compute bootstrap intervals over texts (:meth:`CorpusComparison.intervals`), of 1000
            ``rounds``, 0.95 ``level`` unless these say otherwise.
        rounds: number of bootstrap resamples.
        level: the confidence of the intervals, between 0 and 1.
        jobs: processes that share the work; -1 for one a core. The numbers are the same.
        options: how to compare; None for the defaults.
        results: a file of JSON lines that is written on the way and holds the pairs, so that memory does not grow with
            them.
        resume: whether a run that stopped goes on from ``results``.
        progress: called with the pairs done and their number.
        each: what is made of every comparison by whoever compares the pair, and taken here in the order of the pairs.
        **keywords: fields of :class:`aifgraph.Options`, which stand in place of those of ``options``.

    Raises:
        InputError: the two corpora have no pair; the results file is there already, or is that of another run.
        OptionError: an option that is not one.
        RemoteError: a worker process died.
    """
    if missing not in ("skip", "zero"):
        raise OptionError(f"missing is {missing!r}", remedy="choose skip or zero")
    if resume and results is None:
        raise OptionError("there is nothing to resume", remedy="name the file of results")
    chosen = Options.given(options, **keywords)
    further = measures_named(metrics)
    how: dict[str, Any] = {"rounds": rounds, "level": level}
    how = {name: value for name, value in how.items() if value is not None}
    if how and not intervals:
        raise OptionError(f"{min(how)} has an effect only with intervals", remedy="set intervals=True")
    if each and resume:
        remedy = "start anew, without resume"
        raise OptionError("pages, merged maps and lists of differences begin with the first pair", remedy=remedy)
    make = each.make if each else None
    one, other = as_corpus(first), as_corpus(second)
    if isinstance(pair_by, Pairing):
        if texts is not None or with_itself or min_text != MIN_SIMILARITY:
            remedy = "give texts, with_itself and min_similarity to pair"
            raise OptionError("texts, with_itself and min_text have no effect on pairs that are made", remedy=remedy)
        pairing = pairing_of(pair_by, one, other)
    else:
        pairing = pair(one, other, pair_by, min_similarity=min_text, texts=texts, with_itself=with_itself)
    notices = (*one.notices, *(other.notices if other is not one else ()), *pairing.notices)
    if not len(pairing) and missing == "skip":
        where = f"{one.path}, {other.path}"
        reasons = {notice.code: notice.message for notice in notices}
        if "pair-itself" in reasons:
            remedy = "count such pairs with with_itself"
            raise InputError("every pair is of a map with itself", where=where, remedy=remedy)
        why = next((reasons[code] for code in ("pair-none", "corpus-empty") if code in reasons), "")
        beside = None if why else "pair by text or by a mapping file"
        raise InputError(
            f"the two corpora have no map in common{f': {why}' if why else ''}",
            where=where,
            remedy="compare(first, second) compares two maps" if len(one) == 1 == len(other or one) else beside,
        )
    unpaired = (
        tuple(entry.name for entry in pairing.unpaired_first),
        tuple(entry.name for entry in pairing.unpaired_second),
    )
    one_corpus = same_corpus(one, other)
    folder: Any = None
    if results is None and len(pairing) >= MAX_IN_MEMORY:
        folder = TemporaryDirectory(prefix="aifgraph-")
        results = Path(folder.name) / "results.jsonl"
    task = Task(chosen, classes, digests=results is not None and folder is None, measures=further, make=make)
    several = pairing.several
    if results is None:
        compared = _taken(compare_all(pairing, len(pairing), task, jobs), each)
        outcomes = list(_reported(compared, 0, pairing, progress))
        failed = [(outcome.names.shown, outcome.error) for outcome in outcomes if not outcome.result]
        compared_pairs: Sequence[PairResult] = tuple(outcome.result for outcome in outcomes if outcome.result)
        sums = CorpusSums.of(compared_pairs, several)
    else:
        path = Path(results)
        header = RunHeader(
            kind="aifgraph results",
            signature=signature_of(chosen),
            hashes=chosen.hashes,
            pairing=pairing.signature,
            missing="zero" if missing == "zero" else "skip",
            pairs=len(pairing),
            names=RunHeader.digest_of(pairing),
            details=classes,
            measures=further,
            one_corpus=one_corpus,
            several=several,
            unpaired=unpaired,
        )
        with ResultsFile(path, header, pairing, resume=resume) as file:
            rest = pairing.pairs[file.done :]
            compared = _taken(compare_all(rest, len(rest), task, jobs), each)
            for outcome in _reported(compared, file.done, pairing, progress):
                file.append(outcome)
        sums = file.sums
        lines = ResultLines(path)
        compared_pairs, failed = lines, lines.failed
    result = CorpusComparison(
        compared_pairs,
        chosen,
        missing,
        unpaired,
        tuple(failed),
        notices,
        pairing=pairing.signature,
        one_corpus=one_corpus,
        _folder=folder,
        _known_sums=sums,
        _pairs=pairing,
        _first=one,
        _second=other,
    )
    if not intervals or not (compared_pairs or missing == "zero"):
        return result
    return replace(result, with_intervals=result.intervals(seed=chosen.seed, **how))


def _taken(outcomes: Iterator[PairOutcome], each: EachPair[Any] | None) -> Iterator[PairOutcome]:
    """The outcomes without what was made of them, which ``each`` has taken."""
    for outcome in outcomes:
        if each is None or outcome.result is None:
            yield outcome
            continue
        try:
            each.take(outcome.names.shown, outcome.made)
        except AifgraphError as error:
            yield PairOutcome(outcome.names, outcome.inputs, error=str(error))
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
