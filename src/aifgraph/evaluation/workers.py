"""Many pairs are compared, or maps read: in this process, or in several by joblib.

In ``with joblib.parallel_config(backend="dask")`` a Dask cluster whose workers see the files does the work.
Results come in order. Only a few chunks are under way, and in memory, at a time.
"""

from __future__ import annotations

import os
import secrets
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

from aifgraph.corpus.entries import Entry, MapRun
from aifgraph.corpus.pairing import Pair
from aifgraph.errors import OptionError, RemoteError
from aifgraph.evaluation.pair_task import Chunk, MapInContainer, PairOutcome, Source, Task, compare_chunk
from aifgraph.files import Input
from aifgraph.formats import NamedMap, read_input
from aifgraph.graph import ArgumentGraph
from aifgraph.stats.scores import Score, registered_scores, set_registered_scores

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")

#: Pairs that go to a worker at a time: some 50 ms of work.
CHUNK = 32
#: Pairs at a time where each brings back a page or a map, which is much to hold.
CHUNK_OF_PAGES = 4
#: Maps that go to a worker at a time.
CHUNK_OF_MAPS = 16


def process_count(jobs: int) -> int:
    """Return how many processes ``jobs`` means: -1 is one a core."""
    if not isinstance(jobs, int) or isinstance(jobs, bool) or not (jobs == -1 or 1 <= jobs <= 1024):
        raise OptionError(f"jobs is {jobs!r}", remedy="give 1 to 1024, or -1 for one a core")
    if jobs > 0:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def compare_all(pairs: Iterable[Pair], total: int, task: Task, jobs: int) -> Iterator[PairOutcome]:
    """Yield the results of ``pairs`` (``total`` of them), in their order."""
    count = process_count(jobs)
    if jobs != 1:
        check_sendable(task)
    most = CHUNK_OF_PAGES if task.make else CHUNK
    size = most if jobs == 1 else max(1, min(most, total // (4 * max(count, 2))))
    done = 0
    for outcome in run_each(chunks(pairs, size, jobs), partial(compare_chunk, task=task), jobs):
        done += 1
        yield outcome
    if done < total:
        # When a cluster goes away the results may just end, without an error from below.
        raise RemoteError(f"the workers went away after {done} of {total} pairs", remedy=_AGAIN)


def check_sendable(task: Task) -> None:
    """Raises ``OptionError`` where the model of ``meaning`` or a registered score cannot be sent to another process."""
    encoder = task.options.encoder
    sent = [*([encoder] if encoder else ()), *registered_scores()]
    if not sent:
        return
    from joblib.externals.loky.backend.reduction import dumps  # what joblib itself sends by

    for value in sent:
        try:
            dumps(value)
        except Exception as cause:  # whatever the callable holds may fail in its own way
            what = f"it cannot be sent to other processes ({' '.join(str(cause).split())[:120]})"
            remedy = "give a function of a module, or use one process"
            raise OptionError(what, where=value.name, remedy=remedy) from None


def chunks(pairs: Iterable[Pair], size: int, jobs: int) -> Iterator[Chunk]:
    """Yield the pairs, ``size`` at a time, as they are sent out."""
    send = sender(jobs)
    sent = ((pair.names, send(pair.first), send(pair.second), pair.text) for pair in pairs)
    return iter(lambda: tuple(islice(sent, size)), ())


def sender(jobs: int) -> Callable[[Entry], Source]:
    """Return what makes of an entry something that the workers can read."""
    if jobs == 1:
        return lambda entry: entry
    run = secrets.token_hex(8)
    return lambda entry: MapInContainer(str(Path(entry.container).absolute()), run, entry.path, entry.source)


def run_each(items: Iterable[A], function: Callable[[A], list[B]], jobs: int) -> Iterator[B]:
    """Yield what ``function`` gives for every item, in order, flattened."""
    count = process_count(jobs)
    if jobs == 1:
        for item in items:
            yield from function(item)
        return
    from joblib import Parallel, delayed

    function = partial(_with_scores, function, registered_scores())
    with _safe_path(), warnings.catch_warnings():
        # Said about a run that was interrupted, which says so itself.
        warnings.filterwarnings("ignore", message=".*tasks which were still being processed")
        parallel = Parallel(n_jobs=count, return_as="generator", batch_size=1, pre_dispatch="3*n_jobs", max_nbytes=None)
        with _ignoring_interrupts():
            started = parallel(delayed(function)(item) for item in items)
        with closing(started) as results:
            while (chunk := _next(results)) is not None:
                yield from chunk


def _with_scores(function: Callable[[A], list[B]], scores: tuple[Score, ...], item: A) -> list[B]:
    """What ``function`` gives in a process that knows the scores registered in its parent."""
    set_registered_scores(scores)
    return function(item)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Processes started in here import nothing from the current folder, which may be an unpacked corpus."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Processes started in here ignore Ctrl-C: in a terminal it reaches them too, but the parent ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is ignored stays so in new processes
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _next(results: Iterator[list[B]]) -> list[B] | None:
    """Return the next result, None after the last; the death of a worker is a ``RemoteError``."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        return next(results, None)
    except BrokenProcessPool:
        raise RemoteError("a worker process died (out of memory, or killed)", remedy=_AGAIN) from None


_AGAIN = "run it again with fewer jobs; with a results file and resume it goes on where it stopped"


@dataclass(frozen=True, slots=True)
class SentMap:
    """An entry of a corpus in another process."""

    name: str
    source: str
    place: Source

    def input(self) -> Input:
        """Its bytes, with its name."""
        return self.place.input()

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        """The graph, with ``source`` as its name. Raises the errors of ``aifgraph.load``."""
        return read_input(self.input(), format).with_name(self.source)


def over_maps(jobs: int) -> MapRun:
    """What calls a function for every map, in ``jobs`` processes (-1: one a core), as ``map`` does in this one.

    >>> import aifgraph
    >>> list(over_maps(1)(str, aifgraph.open_corpus("fixtures/debates/ann")[:1]))
    ["<Entry 'nodeset1' of fixtures/debates/ann>"]
    """
    return map if jobs == 1 else partial(_in_processes, jobs=jobs)


def _in_processes(function: Callable[[NamedMap], T], maps: Iterable[Entry], *, jobs: int) -> Iterator[T]:
    send = sender(jobs)
    sent = (SentMap(entry.name, entry.source, send(entry)) for entry in maps)
    chunks = iter(lambda: tuple(islice(sent, CHUNK_OF_MAPS)), ())
    return run_each(chunks, partial(_chunk, function=function), jobs)


def _chunk(maps: Sequence[SentMap], function: Callable[[NamedMap], T]) -> list[T]:
    return [function(each) for each in maps]
