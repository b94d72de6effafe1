"""Work done in several processes.

A worker imports this file before all that its work needs, and from then on ends with its parent.
"""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import closing, contextmanager
from time import sleep
from typing import TypeVar

from aifgraph.errors import OptionError, RemoteError

A = TypeVar("A")
B = TypeVar("B")

Progress = Callable[[int, int], None]


def run_each(
    function: Callable[[A], B], items: Iterable[A], *, jobs: int = 1, progress: Progress | None = None
) -> Iterator[B]:
    """Yield what a function gives for every item, in order; in no more processes than there are cores, and items.

    In ``with joblib.parallel_config(backend="dask")`` a Dask cluster does the work.
    """
    if jobs == 0:
        raise OptionError("jobs is 0, not a number of processes or -1")
    results = map(function, items) if jobs == 1 else _in_processes(function, items, jobs)
    total = len(items) if isinstance(items, Sized) else 0
    for done, result in enumerate(results, 1):
        if progress:
            progress(done, total)
        yield result


def _in_processes(function: Callable[[A], B], items: Iterable[A], jobs: int) -> Iterator[B]:
    from joblib import Parallel, cpu_count, delayed, effective_n_jobs
    from joblib.externals.loky.process_executor import BrokenProcessPool

    work = delayed(function)
    most = min(cpu_count(), len(items)) if isinstance(items, Sized) else cpu_count()
    jobs = min(effective_n_jobs(jobs), max(most, 2))
    try:
        with _isolated_workers():
            how = {"initializer": _exit_with_parent, "initargs": (os.getpid(),)}
            results = Parallel(n_jobs=jobs, return_as="generator", **how)(work(item) for item in items)
        with closing(results), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*tasks which were still being processed")  # of interrupted runs
            yield from results
    except BrokenProcessPool:
        raise RemoteError("a worker process died (out of memory, or killed)", remedy="use fewer jobs") from None


def _exit_with_parent(parent: int) -> None:
    """Watch in a worker for the end of its parent; if that was killed, nobody reads what the worker has to say."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _isolated_workers() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, as their parent ends them, and import nothing from the current folder.

    The current folder may be a corpus with a file that is called as a module.
    """
    safe_path = os.environ.get("PYTHONSAFEPATH")
    in_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main else None
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if in_main:
            signal.signal(signal.SIGINT, handler)
        if safe_path is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = safe_path
