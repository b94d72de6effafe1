"""``compare_corpora``: compare every pair of maps of two corpora.

One map that cannot be read does not stop a run: its pair is listed as failed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeVar, Unpack

from aifgraph.comparison import Comparison, compare
from aifgraph.comparison.maps import PairNames
from aifgraph.comparison.measures import measure_all, measures_named
from aifgraph.corpus.corpus import CorpusLike, Entry, GraphEntry, MapEntry
from aifgraph.corpus.pairing import MIN_SIMILARITY, PairedCorpora, Pairing
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.evaluation.baselines import BaselineSource
from aifgraph.evaluation.processes import Progress, run_each
from aifgraph.evaluation.record import Header, Missing, Outcome, PairKey, append_outcome, start_record
from aifgraph.evaluation.result import CorpusComparison
from aifgraph.formats import dumps
from aifgraph.graph import ArgumentGraph
from aifgraph.options import OptionKeywords, Options, Signature

B = TypeVar("B")

#: What a map is read from.
MapSource = MapEntry | BaselineSource


@dataclass(frozen=True, slots=True)
class PairTask:
    """A pair to compare; where a text is missing on a side, its source is None.

    On the sides ``zero``, a map that cannot be read counts like one that is missing.
    """

    first: MapSource | None
    second: MapSource | None
    text: str
    zero: Collection[Missing] = ()

    @property
    def key(self) -> PairKey:
        missing: Missing = "second" if self.second is None else "first" if self.first is None else ""
        names = [source.name for source in (self.first, self.second) if source is not None]
        return PairKey(names[0], names[-1], missing)

    def compare(self, options: Options) -> Comparison:
        """Compare the two maps; one that is missing is empty. Raises what reading a map raises."""
        first, second = (source.load() if source else ArgumentGraph((), ()) for source in (self.first, self.second))
        return compare(first, second, options=options)


OnPair = Callable[[PairTask, Comparison], None]


def compare_corpora(
    first: CorpusLike,
    second: CorpusLike,
    *,
    pair_by: str | PathLike[str] | Pairing = "name",
    min_text: float = MIN_SIMILARITY,
    missing: Literal["skip", "zero"] = "skip",
    names: tuple[str, str] | None = None,
    measures: str | Iterable[str] = (),
    jobs: int = 1,
    results: str | PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    on_pair: OnPair | None = None,
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> CorpusComparison:
    """Compare two corpora pair by pair.

    Args:
        pair_by: ``name``, ``text``, a pairing, or the path of a table with columns ``first``, ``second`` and perhaps
            ``text``: pairs of one text count as one.
        min_text: least similarity of texts that are paired by text, above 0, at most 1.
        missing: whether a text that only one corpus has is left out or scores 0.
        jobs: processes on this machine; -1 for one a core.
        results: file of JSON lines that the outcomes are written to, and read from afterwards.
        resume: whether to go on with that file.
        progress: called with the number of pairs done and of all pairs.
        on_pair: called with every pair and its comparison, in the process that compares it.
        options: how to compare; keywords replace its fields.
    """
    chosen = Options.merge(options, **keywords)
    paired = PairedCorpora.from_corpora([first, second], names, pair_by, min_text, gold=True)
    ((both, pairing),) = paired.pairings.items()
    tasks = pair_tasks(pairing, missing)
    header = Header(
        signature=Signature(chosen, {**paired.parts, "missing": missing}),
        names=both,
        measures=measures_named(measures),
        unpaired_first=tuple(entry.name for entry in pairing.unpaired_first),
        unpaired_second=tuple(entry.name for entry in pairing.unpaired_second),
    )
    path = None if results is None else Path(results)
    outcomes: dict[PairKey, Outcome] = {}
    digests: dict[PairKey, tuple[str, str]] = {}
    text_of = {task.key: task.text for task in tasks}
    if path:
        outcomes = start_record(path, header, text_of.keys(), resume=resume)
        digests = {task.key: (_digest(task.first), _digest(task.second)) for task in tasks}
        done = {key: outcome.digests for key, outcome in outcomes.items() if outcome.result and not outcome.error}
        tasks = [task for task in tasks if on_pair or digests[task.key] != done.get(task.key)]
    work = partial(compare_pair, options=chosen, measures=header.measures, on_pair=on_pair)
    resumed = len(text_of) - len(tasks)  # progress counts them as done

    def tell(count: int, total: int) -> None:
        if progress:
            progress(resumed + count, resumed + total)

    for outcome in run_each(work, tasks, jobs=jobs, progress=tell):
        outcomes[outcome.key] = replace(outcome, digests=digests.get(outcome.key, outcome.digests))
        if path:
            append_outcome(path, outcomes[outcome.key])
    found = [replace(outcomes[key], text=text) for key, text in text_of.items()]
    return CorpusComparison.from_outcomes(found, header, paired.notices)


def pair_tasks(
    pairing: Pairing, missing: str = "skip", sides: Collection[Missing] = ("first", "second")
) -> list[PairTask]:
    """Return the pairs; with ``zero`` also the texts that these sides lack, each under a name of its own."""
    if missing not in ("skip", "zero"):
        raise OptionError(f"missing is {missing!r}, not skip or zero")
    zero = tuple(sides) if missing == "zero" else ()
    tasks = [PairTask(both.first, both.second, both.text, zero) for both in pairing]
    taken = {task.text for task in tasks}
    for side, entries in (("second", pairing.unpaired_first), ("first", pairing.unpaired_second)):
        for entry in entries if missing == "zero" and side in sides else ():
            text = f"{entry.name} (not in the {side})" if entry.name in taken else entry.name
            taken.add(text)
            tasks.append(PairTask(entry, None, text) if side == "second" else PairTask(None, entry, text))
    return tasks


def compare_pair(
    task: PairTask, *, options: Options, measures: tuple[str, ...] = (), on_pair: OnPair | None = None, **given: Any
) -> Outcome:
    """Compare a pair. Whatever is wrong with a map is the error of its outcome; ``given`` are fields of its result."""
    try:
        comparison = task.compare(options)
        if on_pair:
            on_pair(task, comparison)
        names = PairNames(task.key.first, task.key.second)
        measured = measure_all(comparison.alignment, measures)
        result = replace(comparison, names=names, text=task.text, measures=measured, **given)
    except Exception as error:  # also of a bug, which must not cost the other pairs
        what = str(error) if isinstance(error, AifgraphError) else f"internal error: {type(error).__name__}: {error}"
        failed = Outcome(task.key, task.text, error=what)
        if not (side := _unreadable(task)):
            return failed
        lacking = replace(task, first=None, zero=()) if side == "first" else replace(task, second=None, zero=())
        alone = compare_pair(lacking, options=options, measures=measures, **given)
        return replace(failed, result=alone.result, unreadable=side if alone.result else "")
    return Outcome(task.key, task.text, result)


def _unreadable(task: PairTask) -> Missing:
    """Return the side whose map counts 0 because it cannot be read, or compared with a gold map that can be."""
    sources: dict[Missing, MapSource | None] = {"first": task.first, "second": task.second}
    failing = [side for side, source in sources.items() if source and not _is_readable(source)]
    if not failing and len(task.zero) == 1:
        failing = [*task.zero]
    return failing[0] if len(failing) == 1 and failing[0] in task.zero and not task.key.missing else ""


def _is_readable(source: MapSource) -> bool:
    try:
        source.load()
    except AifgraphError:
        return False
    return True


def compare_each(
    function: Callable[[str, Comparison], B], tasks: Sequence[PairTask], options: Options, **how: Any
) -> Iterator[tuple[PairKey, B | AifgraphError]]:
    """Yield what a function makes of the name and the comparison of each pair, or the error that stopped it."""
    done = run_each(partial(_make, function=function, options=options), tasks, **how)
    return zip((task.key for task in tasks), done, strict=True)


def _make(task: PairTask, *, function: Callable[[str, Comparison], B], options: Options) -> B | AifgraphError:
    try:
        return function(str(task.key), task.compare(options))
    except AifgraphError as error:
        return error


def _digest(source: MapSource | None) -> str:
    """Return a digest of a map and its text; empty for what cannot be read."""
    if isinstance(source, GraphEntry):
        return blake2b(dumps(source.graph, format="xaif").encode(), digest_size=12).hexdigest()
    if not isinstance(source, Entry):
        return ""
    try:
        given = source.input()
        return blake2b(given.data + b"\0" + (given.sibling(".txt") or b""), digest_size=12).hexdigest()
    except AifgraphError:
        return ""
