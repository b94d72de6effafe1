"""What a data set is: a path and options that give named maps, one after the other, and say what was wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import ClassVar

from aifgraph.datasets.problems import Problems
from aifgraph.errors import InputError, NotFoundError, OptionError
from aifgraph.graph import ArgumentGraph


class Dataset:
    """A data set in its own layout, read as maps in constant memory.

    Iterating reads the files anew each time; ``problems`` and ``tallies`` belong to the latest reading. ``tallies``
    counts what the user should know but is no damage (annotations that could not be joined, for instance).
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    #: Whether ``write_back`` is there.
    writes: ClassVar[bool] = False

    def __init__(self, path: str | PathLike[str], *, strict: bool = False, propositions_only: bool = False) -> None:
        self.path = Path(path)
        self.problems = Problems(strict=strict)
        self.tallies: Counter[str] = Counter()
        self.propositions_only = propositions_only

    def __iter__(self) -> Iterator[ArgumentGraph]:
        self.problems.clear()
        self.tallies.clear()
        if not self.path.exists():
            raise NotFoundError("no such file or folder", where=str(self.path))
        for graph in self.maps():
            self.tallies["maps"] += 1
            yield graph
        if not self.tallies["maps"]:
            problem = next(iter(self.problems), None)
            what = f"nothing in it could be converted ({problem})" if problem else "nothing in it could be converted"
            raise InputError(what, where=str(self.path), remedy=f"give {self.title} in its own layout")

    def maps(self) -> Iterator[ArgumentGraph]:
        """The maps, in the order of the files; use the data set's own iteration, which starts the counts anew."""
        raise NotImplementedError

    @classmethod
    def write_back(cls, graphs: Iterable[ArgumentGraph], path: str | PathLike[str]) -> list[Path]:
        """Write maps that came from this data set in its own format; gives the files written."""
        raise OptionError(f"{cls.title} is not written back", remedy="the maps keep all that its files said")


def relative(path: Path, root: Path) -> str:
    """How a file is called in messages: from the data set's folder on."""
    try:
        return path.relative_to(root).as_posix() if path != root else path.name
    except ValueError:
        return path.name
