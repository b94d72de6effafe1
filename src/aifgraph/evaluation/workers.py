"""Many pairs are compared, or maps read: in this process, on the cores of this machine, or on a Dask cluster.

Results come in order. Only a few chunks are under way, and in memory, at a time.
"""

from __future__ import annotations

import os
import secrets
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from aifgraph.comparison.sides import PairNames
from aifgraph.corpus.entries import Entry, MapRun
from aifgraph.corpus.pairing import Pair
from aifgraph.errors import AifgraphError, MissingExtraError, OptionError, RemoteError
from aifgraph.evaluation.pair_task import Chunk, MapBytes, MapInContainer, PairOutcome, Source, Task, compare_chunk
from aifgraph.formats.files import Input
from aifgraph.formats.io import NamedMap, read_input
from aifgraph.graph import ArgumentGraph
from aifgraph.guesses import Answering
from aifgraph.parent import end_with
from aifgraph.stats.scores import Score, registered_scores, set_registered_scores
from aifgraph.version import __version__

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")

#: Pairs that go to a worker at a time: some 50 ms of work.
CHUNK = 32
#: Pairs at a time where each brings back a page or a map, which is much to hold.
CHUNK_OF_PAGES = 4
#: Maps that go to a worker at a time.
CHUNK_OF_MAPS = 16
#: Seconds to wait for a scheduler, and for its first worker.
PATIENCE = 5


class WorkerKeywords(TypedDict):
    """The fields of ``Workers``, as functions take them."""

    jobs: int
    scheduler: str | None
    ship: bool


@dataclass(frozen=True, slots=True)
class Workers(Answering):
    """Which processes compare the pairs.

    ``jobs`` is the number of processes on this machine (−1: one a core). With the address of a Dask ``scheduler``
    (``tcp://host:8786``), its cluster does the work, and its own size counts. ``ship`` sends the maps along instead of
    having the workers read them from a path that all of them see.
    """

    jobs: int = 1
    scheduler: str | None = None
    ship: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.jobs, int) or isinstance(self.jobs, bool) or not (self.jobs == -1 or self.jobs >= 1):
            raise OptionError(f"jobs is {self.jobs!r}", remedy="give 1 or more, or -1 for one a core")
        if self.jobs > 1024:
            raise OptionError(f"jobs is {self.jobs}", remedy="give at most 1024")

    @property
    def alone(self) -> bool:
        """Whether all is done in this process."""
        return not self.scheduler and self.count == 1

    @property
    def count(self) -> int:
        """The number of processes on this machine."""
        return (
            self.jobs
            if self.jobs > 0
            else len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else (os.cpu_count() or 1)
        )


def compare_all(pairs: Iterable[Pair], total: int, task: Task, workers: Workers) -> Iterator[PairOutcome]:
    """The results of ``pairs`` (``total`` of them), in their order."""
    if not workers.alone:
        check_sendable(task)
    most = CHUNK_OF_PAGES if task.make else CHUNK
    size = most if workers.alone else max(1, min(most, total // (4 * max(workers.count, 2))))
    done = 0
    for outcome in run_each(chunks(pairs, size, workers), partial(compare_chunk, task=task), workers):
        done += 1
        yield outcome
    if done < total:
        # When a scheduler goes away the results may just end, without an error from below.
        what = f"the workers went away after {done} of {total} pairs"
        raise RemoteError(what, where=workers.scheduler, remedy=_AGAIN)


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


def chunks(pairs: Iterable[Pair], size: int, workers: Workers) -> Iterator[Chunk]:
    """The pairs, ``size`` at a time, as they are sent out."""
    send = sender(workers)
    chunk: list[tuple[PairNames, Source, Source, str]] = []
    for pair in pairs:
        chunk.append((pair.names, send(pair.first), send(pair.second), pair.text))
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def sender(workers: Workers) -> Callable[[Entry], Source]:
    """What makes of an entry something that the workers can read."""
    if workers.alone:
        return lambda entry: entry
    if workers.ship:
        return MapBytes.of
    run = secrets.token_hex(8)
    return lambda entry: MapInContainer(str(Path(entry.container).absolute()), run, entry.path, entry.source)


def run_each(items: Iterable[A], function: Callable[[A], list[B]], workers: Workers) -> Iterator[B]:
    """What ``function`` gives for every item, in order, flattened."""
    if workers.alone:
        for item in items:
            yield from function(item)
        return
    from joblib import Parallel, delayed

    function = partial(_with_scores, function, registered_scores())
    with _safe_path(), _backend(workers), warnings.catch_warnings():
        # Said about a run that was interrupted, which says so itself.
        warnings.filterwarnings("ignore", message=".*tasks which were still being processed")
        parallel = Parallel(
            n_jobs=-1 if workers.scheduler else workers.count,
            return_as="generator",
            batch_size=1,
            pre_dispatch="3*n_jobs",
            max_nbytes=None,
        )
        with _ignoring_interrupts():
            started = parallel(delayed(function)(item) for item in items)
        with closing(started) as results:
            while (chunk := _next(results, workers)) is not None:
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


def _next(results: Iterator[list[B]], workers: Workers) -> list[B] | None:
    """The next result, None after the last; the deaths of workers and schedulers as errors of ours."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        return next(results, None)
    except BrokenProcessPool:
        raise RemoteError(
            "a worker process died (out of memory, or killed)",
            remedy="run it again with fewer jobs; with a results file and resume it goes on where it stopped",
        ) from None
    except (AifgraphError, KeyboardInterrupt):
        raise
    except Exception as error:
        if not workers.scheduler:
            raise
        what = " ".join(f"{type(error).__name__} {error}".split())[:160]
        raise RemoteError(f"the cluster failed ({what})", where=workers.scheduler, remedy=_AGAIN) from None


_AGAIN = "check the scheduler and its workers; with a results file and resume it goes on where it stopped"


@contextmanager
def _backend(workers: Workers) -> Iterator[None]:
    from joblib import parallel_config

    if not workers.scheduler:
        with parallel_config(backend="loky", initializer=end_with, initargs=(os.getpid(),)):
            yield
        return
    address = workers.scheduler
    try:
        with closing(_client(address)) as client, parallel_config(backend="dask", client=client):
            yield
    except OSError as error:
        if error.errno is not None:  # of a file, not of the cluster
            raise
        raise RemoteError("the scheduler went away", where=address, remedy=_AGAIN) from None


def _client(address: str) -> Any:
    """A client of the cluster, once it has answered and its workers are checked."""
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError.of("dask.distributed", "distributed") from None
    import logging

    remedy = "start one with `dask scheduler` and give the address it prints, such as tcp://127.0.0.1:8786"
    for name in (
        "distributed",
        "tornado",
        "asyncio",
        *(name for name in logging.root.manager.loggerDict if name.startswith("distributed.")),
    ):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters comes back as one error
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = "no scheduler answers" if isinstance(error, OSError) else "no address of a scheduler"
        raise RemoteError(reason, where=address, remedy=remedy) from None
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise RemoteError(
                "the scheduler has no workers", where=address, remedy=f"start some with `dask worker {address}`"
            ) from None
        versions = _versions(client, address)
        if others := {version for version in versions.values() if version != __version__}:
            raise RemoteError(
                f"workers have aifgraph {', '.join(sorted(others))}, here is {__version__}",
                where=address,
                remedy="install the same version everywhere",
            )
    except BaseException:
        client.close()
        raise
    return client


def _versions(client: Any, address: str) -> dict[str, str]:
    """The version of the library at each worker that answers; those that end while they start take no part."""
    answers: dict[str, Any] = {}
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            answers = client.run(_version, on_error="return")
        except Exception as error:  # of the connection to the scheduler
            answers = {"": error}
        versions = {worker: answer for worker, answer in answers.items() if isinstance(answer, str)}
        unable = [answer for answer in answers.values() if isinstance(answer, ImportError | AttributeError)]
        if unable:
            kind = " ".join(f"{type(unable[0]).__name__}: {unable[0]}".split())[:160]
            remedy = "install it in their environment too"
            raise RemoteError(f"the workers cannot run aifgraph ({kind})", where=address, remedy=remedy)
        if versions:
            return versions
        if time.monotonic() > deadline:
            raise RemoteError(
                "the workers ended before they could answer", where=address, remedy="look at what they have logged"
            )
        time.sleep(0.2)


def _version() -> str:
    return __version__


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
    workers = Workers(jobs)
    return map if workers.alone else partial(_in_processes, workers=workers)


def _in_processes(function: Callable[[NamedMap], T], maps: Iterable[Entry], *, workers: Workers) -> Iterator[T]:
    send = sender(workers)
    sent = (SentMap(entry.name, entry.source, send(entry)) for entry in maps)
    chunks = iter(lambda: tuple(islice(sent, CHUNK_OF_MAPS)), ())
    return run_each(chunks, partial(_chunk, function=function), workers)


def _chunk(maps: Sequence[SentMap], function: Callable[[NamedMap], T]) -> list[T]:
    return [function(each) for each in maps]
