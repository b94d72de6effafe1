"""Corpora with a layout of their own, each read as maps.

>>> log = Log()
>>> maps = list(read_dataset("ruarg", "fixtures/datasets/ruarg/train.tsv", log=log))
>>> len(maps), maps[0].name, len(log.problems)
(3, '1', 0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, Final

from aifgraph.datasets.dataset import Log
from aifgraph.errors import InputError, NoSuchFileError, OptionError
from aifgraph.graph import ArgumentGraph

#: The module and the function that read each data set.
READERS: Final = {
    "iac1": "iac1:read",
    "iac2": "iac2:read",
    "microtexts": "documents:read_microtexts",
    "essays": "documents:read_essays",
    "abstrct": "documents:read_essays",
    "cdcp": "documents:read_cdcp",
    "sciarg": "documents:read_sciarg",
    "ruarg": "ruarg:read",
    "arct": "arct:read",
    "aurc": "aurc:read",
}

Reader = Callable[..., Iterator[ArgumentGraph]]


def dataset_reader(name: str) -> Reader:
    """Return the function that reads a data set: its keyword-only parameters are the data set's options."""
    if name not in READERS:
        raise OptionError(f"there is no data set {name!r}", remedy=f"choose from {', '.join(READERS)}")
    module, function = READERS[name].split(":")
    reader: Reader = getattr(import_module(f"{__name__}.{module}"), function)
    return reader


def read_dataset(
    name: str, path: str | PathLike[str], *, log: Log | None = None, **options: Any
) -> Iterator[ArgumentGraph]:
    """Read a published data set, and yield its maps one after the other.

    Damaged rows are skipped and listed in ``log.problems``; ``Log(strict=True)`` makes the first one an error.

    Args:
        log: collects problems and counts while the maps are read.
        **options: options of the data set, such as ``agree=0.5`` of ``iac1``.

    Raises:
        InputError: there is no such file, or nothing in it could be converted.
        FormatError: the first problem, if the log is strict.
        TypeError: the data set has no such option.
    """
    source, log = Path(path), log or Log()
    maps = dataset_reader(name)(source, log, **options)
    if not source.exists():
        raise NoSuchFileError("no such file or folder", where=str(source))
    return _counted(maps, source, log)


def _counted(maps: Iterator[ArgumentGraph], source: Path, log: Log) -> Iterator[ArgumentGraph]:
    for graph in maps:
        log.counts["maps"] += 1
        yield graph
    if not log.counts["maps"]:
        first = f" ({log.problems[0]})" if log.problems else ""
        raise InputError(f"no row could be converted{first}", where=str(source))


__all__ = ["READERS", "Log", "dataset_reader", "read_dataset"]
