"""``compare_corpora``: every pair of two corpora, and the numbers of the whole.

One unreadable map does not stop a corpus: it is listed under ``failed``. Lists of graphs are corpora, too: they are
written to temporary files of JSON lines, which hold everything, so that all the rest works as with any corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack

from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.measures.registry import measures_named
from aifgraph.comparison.options import OptionKeywords, Options, signature_of
from aifgraph.comparison.result import PairResult
from aifgraph.corpus.corpus import Corpus, open_corpus
from aifgraph.corpus.pairing import MIN_SIMILARITY, Pairing, TextsLike, pair, pairing_of, same_corpus
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.pair_task import EachPair, PairOutcome, Task
from aifgraph.evaluation.record import ResultLines, ResultsFile, RunHeader
from aifgraph.evaluation.sums import CorpusSums
from aifgraph.evaluation.workers import Workers, compare_all
from aifgraph.formats.archives import temporary_room
from aifgraph.formats.jsonl import line
from aifgraph.graph import ArgumentGraph
from aifgraph.slips import answering

#: A corpus, its path or address, or its graphs.
CorpusLike = Corpus | str | PathLike[str] | Sequence[ArgumentGraph]
GraphPairs = Sequence[tuple[ArgumentGraph, ArgumentGraph]]

#: From this many pairs on, results are kept in a file and not in memory, asked or not.
MAX_IN_MEMORY = 20_000


@answering()
def compare_corpora(
    first: CorpusLike | GraphPairs,
    second: CorpusLike | None = None,
    *,
    pairs: str | PathLike[str] | Pairing | None = None,
    pair_by: str | PathLike[str] = "name",
    min_text: float = MIN_SIMILARITY,
    texts: TextsLike | None = None,
    with_itself: bool = False,
    missing: str = "skip",
    metrics: str | Iterable[str] = (),
    classes: bool = True,
    items: bool = False,
    intervals: bool = False,
    rounds: int | None = None,
    level: float | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    ship: bool = False,
    options: Options | None = None,
    results: str | PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], None] | None = None,
    on_comparison: Callable[[str, Comparison], None] | None = None,
    each: EachPair[Any] | None = None,
    **keywords: Unpack[OptionKeywords],
) -> CorpusComparison:
    """Compare two corpora pair by pair. The keywords are called as the options of ``aifgraph compare``.

    Args:
        first: a ``Corpus``, a path or an address, or a list of graphs; or, alone, a list of pairs of graphs.
        second: the other corpus, given in the same way. Two lists are paired by the names of their graphs, as folders
            are, where each has every name once and they share one; else in their order.
        pairs: the path of a table of the pairs, with columns ``first`` and ``second``, and perhaps ``text``: what the
            text of a pair is called; or what :func:`aifgraph.pair` gave for the two.
        pair_by: ``name``, ``text``, or the path of such a table.
        min_text: by text, how similar two texts must be: above 0, at most 1.
        texts: which pairs are of one text: the text of a map or a pair (``ann ~ ben``) by its name, or the path of a
            table with columns ``name`` and ``text``. Pairs that share a map are of one text anyway.
        with_itself: whether pairs of a map with itself count.
        missing: whether a text that only one corpus has is left out (``skip``) or scores 0 (``zero``).
        metrics: names of measures other than CASS, as a list or joined by ``+``, or ``all`` (``aifgraph metrics``).
        classes: whether the results of pairs list the classes of their alignment.
        items: whether they list what stands behind every cell, too. That is much, so it is kept in a file.
        intervals: whether to compute bootstrap intervals over texts (:meth:`CorpusComparison.intervals`), of 1000
            ``rounds``, 0.95 ``level`` unless these say otherwise.
        rounds: number of bootstrap resamples.
        level: the confidence of the intervals, between 0 and 1.
        jobs: processes that share the work; -1 for one a core. The numbers are the same.
        scheduler: the address of a Dask scheduler, whose cluster does the work in their place.
        ship: whether to send the maps to a cluster whose workers cannot read the files.
        options: how to compare; None for the defaults.
        results: a file of JSON lines that is written on the way and holds the pairs, so that memory does not grow with
            them.
        resume: whether a run that stopped goes on from ``results``.
        progress: called with the pairs done and their number.
        on_comparison: called with the name and the comparison of every pair, which is not kept (in one process only).
        each: what is made of every comparison by whoever compares the pair, and taken here in the order of the pairs.
        **keywords: fields of :class:`aifgraph.Options`, which stand in place of those of ``options``.

    Raises:
        InputError: the two corpora have no pair; the results file is there already, or is that of another run.
        OptionError: an option that is not one.
        RemoteError: a worker process died, or the scheduler is not there or goes away.
    """
    if missing not in ("skip", "zero"):
        raise OptionError(f"missing is {missing!r}", remedy="choose skip or zero")
    if results is not None and not isinstance(results, str | PathLike):
        raise OptionError(f"results is {results!r}"[:200], remedy="give the path of the file that is to hold the pairs")
    if resume and results is None:
        raise OptionError("there is nothing to resume", remedy="name the file of results")
    chosen = Options.given(options, **keywords)
    further = measures_named(metrics)
    workers = Workers(jobs, scheduler, ship)
    if not isinstance(intervals, bool):
        remedy = "set intervals=True, and level=… for the confidence or rounds=… for the number of resamples"
        raise OptionError(f"intervals is {intervals!r}"[:200], remedy=remedy)
    how: dict[str, Any] = {"rounds": rounds, "level": level}
    how = {name: value for name, value in how.items() if value is not None}
    if how and not intervals:
        raise OptionError(f"{min(how)} has an effect only with intervals", remedy="set intervals=True")
    if pairs is not None and pair_by != "name":
        raise OptionError("pairs and pair_by do not go together", remedy="leave one of them out")
    by = pair_by if pairs is None else pairs
    if on_comparison and (each or not workers.alone):
        raise OptionError("on_comparison works in one process and without each", remedy="set jobs to 1, or give each")
    if on_comparison:
        each = EachPair(on_comparison, _nothing)
    if each and resume:
        remedy = "start anew, without resume"
        raise OptionError("pages, merged maps and lists of differences begin with the first pair", remedy=remedy)
    if each and not isinstance(each, EachPair):
        remedy = "give an EachPair(make, take), or on_comparison, which is called with each comparison"
        raise OptionError(f"each is of type {type(each).__name__}", remedy=remedy)
    make = each.make if each else None
    one, other, graphs_folder = corpora_of(first, second, in_order=by == "name")
    if isinstance(by, Pairing):
        if texts is not None or with_itself or min_text != MIN_SIMILARITY:
            remedy = "give texts, with_itself and min_similarity to pair"
            raise OptionError("texts, with_itself and min_text have no effect on pairs that are made", remedy=remedy)
        pairing = pairing_of(by, one, other)
    else:
        pairing = pair(one, other, by, min_similarity=min_text, texts=texts, with_itself=with_itself)
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
    if results is None and (items or len(pairing) >= MAX_IN_MEMORY):
        folder = TemporaryDirectory(prefix="aifgraph-")
        results = Path(folder.name) / "results.jsonl"
    task = Task(chosen, classes, items, digests=results is not None and folder is None, measures=further, make=make)
    several = pairing.several
    if results is None:
        compared = _taken(compare_all(pairing, len(pairing), task, workers), each)
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
            details="items" if items and classes else classes,
            measures=further,
            one_corpus=one_corpus,
            several=several,
            unpaired=unpaired,
        )
        with ResultsFile(path, header, pairing, resume=resume) as file:
            rest = pairing.pairs[file.done :]
            compared = _taken(compare_all(rest, len(rest), task, workers), each)
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
        _folder=(folder, graphs_folder),
        _known_sums=sums,
        _pairs=pairing,
        _first=one,
        _second=other,
    )
    if not intervals or not (compared_pairs or missing == "zero"):
        return result
    return replace(result, with_intervals=result.intervals(seed=chosen.seed, **how))


def _nothing(name: str, made: object) -> None:
    """Takes what ``on_comparison`` gives, which is nothing."""


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


def corpora_of(
    first: CorpusLike | GraphPairs, second: CorpusLike | None, *, in_order: bool
) -> tuple[Corpus, Corpus, TemporaryDirectory[str] | None]:
    """The two corpora that are meant, and the folder of those that were lists: it is removed with its object.

    Raises:
        OptionError: there is no second, and the first is no list of pairs; a list holds something else than graphs;
            two lists are of different length, and ``in_order``.
    """
    one, other = _sides(first, second)
    if isinstance(one, Corpus) and isinstance(other, Corpus):
        return one, other, None
    # Lists of loaded files may be in two orders, and each may lack some; pairs that were given as such stay.
    named = second is not None and _by_name(one, other)
    if in_order and not named and isinstance(one, list) and isinstance(other, list) and len(one) != len(other):
        what = f"the lists have {len(one)} and {len(other)} graphs, and no names to pair them by"
        raise OptionError(what, remedy="give lists of one length, or pair_by='text'")
    folder = TemporaryDirectory(prefix="aifgraph-")
    return (
        one if isinstance(one, Corpus) else _written(one, Path(folder.name) / "first.jsonl", named),
        other if isinstance(other, Corpus) else _written(other, Path(folder.name) / "second.jsonl", named),
        folder,
    )


def _by_name(one: Corpus | list[ArgumentGraph], other: Corpus | list[ArgumentGraph]) -> bool:
    """Whether two lists are paired by the names of their graphs."""
    if isinstance(one, Corpus) or isinstance(other, Corpus):
        return False
    first, second = _stems(one), _stems(other)
    distinct = len({*first}) == len(first) and len({*second}) == len(second)
    return distinct and "" not in (*first, *second) and not {*first}.isdisjoint(second)


def _stems(graphs: Iterable[ArgumentGraph]) -> list[str]:
    """What the files of graphs are called, without folder and suffix."""
    return [Path(graph.name).stem for graph in graphs]


def _sides(first: object, second: object | None) -> tuple[Corpus | list[ArgumentGraph], Corpus | list[ArgumentGraph]]:
    if second is not None:
        return _side(first), _side(second)
    pairs = first if isinstance(first, Sequence) and not isinstance(first, str) else ()
    if not pairs or not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs):
        raise OptionError("there is no second corpus", remedy="give two corpora, or one list of pairs of graphs")
    return _side([pair[0] for pair in pairs]), _side([pair[1] for pair in pairs])


def _side(given: object) -> Corpus | list[ArgumentGraph]:
    if isinstance(given, Corpus):
        return given
    if not isinstance(given, Sequence) or isinstance(given, str):
        return open_corpus(given)  # type: ignore[arg-type]  # which says what is wrong with it
    graphs = [graph for graph in given if isinstance(graph, ArgumentGraph)]
    if len(graphs) != len(given) or not graphs:
        what = f"a list with a {next(type(g).__name__ for g in given if g not in graphs)}" if given else "an empty list"
        remedy = "give a folder, or load the maps first: [aifgraph.load(path) for path in paths]"
        raise OptionError(f"{what}, where graphs are needed", remedy=remedy)
    return graphs


def _written(graphs: Sequence[ArgumentGraph], path: Path, named: bool) -> Corpus:
    """The graphs as a corpus, each under its name or its number."""
    names = _stems(graphs) if named else map(str, range(1, len(graphs) + 1))
    with temporary_room(), path.open("w", encoding="utf-8") as file:
        file.writelines(map(line, graphs, names))
    return open_corpus(path)
