"""What a data set is: a path and options that give named maps, one by one, and say what was wrong.

Damage is not fatal: a damaged row is skipped (or repaired, as the message says) and the rest is read. ``strict`` makes
the first problem an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, get_args, get_origin, get_type_hints

from aifgraph.errors import FormatError, InputError, NoSuchFileError, OptionError
from aifgraph.graph import ArgumentGraph

#: How many problems are listed in full; the counts go on.
MAX_LISTED = 1000
#: How many kinds of things are counted apart: kinds are words of the files.
_MAX_KINDS = 500


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in the files of a data set; files are named from its folder on, lines counted from 1.

    ``code`` is one word that stays the same between versions (``width``, ``label``, ``duplicate``).
    """

    code: str
    message: str
    file: str
    line: int | None = None

    @property
    def place(self) -> str:
        """The file, and the line where there is one."""
        return self.file if self.line is None else f"{self.file}, line {self.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class Problems:
    """The problems of one reading; with ``strict``, the first one is an error with a ``remedy``.

    Iterating gives the first thousand; ``len`` and ``counts`` (by code) are of all.

    >>> problems = Problems()
    >>> problems.add("width", "3 cells where the header has 8", "train.tsv", 17)
    >>> len(problems), dict(problems.counts), str(next(iter(problems)))
    (1, {'width': 1}, 'train.tsv, line 17: 3 cells where the header has 8')
    """

    def __init__(self, *, strict: bool = False, remedy: str = "repair it, or convert without strict") -> None:
        self.strict = strict
        self.counts: Counter[str] = Counter()
        self._listed: list[Problem] = []
        self._remedy = remedy

    @classmethod
    def refused(cls) -> Problems:
        """A strict list, for scores, which must not lose a row."""
        return cls(strict=True, remedy="repair the file")

    def add(self, code: str, message: str, file: str, line: int | None = None) -> None:
        """Add a problem; a ``FormatError`` where the list is strict."""
        problem = Problem(code, message, file, line)
        if self.strict:
            raise FormatError(message, where=problem.place, remedy=self._remedy)
        self.counts[code] += 1
        if len(self._listed) < MAX_LISTED:
            self._listed.append(problem)

    def clear(self) -> None:
        """Start again: the data set is read once more."""
        self.counts.clear()
        self._listed.clear()

    def __len__(self) -> int:
        return self.counts.total()

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._listed)

    def __getitem__(self, number: int) -> Problem:
        return self._listed[number]

    def __repr__(self) -> str:
        kinds = ", ".join(f"{number} {code}" for code, number in self.counts.most_common())
        return f"<{len(self)} problems{': ' if kinds else ''}{kinds}>"


@dataclass(eq=False, kw_only=True)
class Dataset:
    """A data set in its own layout, read as maps in constant memory.

    Iterating reads the files again each time. It raises ``InputError`` where nothing could be converted; with
    ``strict``, ``FormatError`` at the first problem.
    :func:`aifgraph.datasets.open_dataset` makes data sets.

    Attributes:
        path: the file or folder.
        strict: whether the first problem is an error.
    """

    #: What :func:`aifgraph.datasets.open_dataset` calls it.
    name: ClassVar[str] = ""
    #: What people call it.
    title: ClassVar[str] = ""

    path: Path = field(kw_only=False)
    strict: bool = False
    _problems: Problems = field(init=False, repr=False)
    _counts: Counter[str] = field(init=False, repr=False, default_factory=Counter)

    def __post_init__(self) -> None:
        self.path = Path(self.path)  # a plain string is taken, too
        for name, hint in get_type_hints(type(self)).items():
            if get_origin(hint) is Literal and getattr(self, name) not in get_args(hint):
                raise OptionError(f"{name} is {getattr(self, name)!r}", remedy=f"give {' or '.join(get_args(hint))}")
        if not self.path.exists():
            raise NoSuchFileError("no such file or folder", where=str(self.path))
        self._problems = Problems(strict=self.strict)

    @property
    def problems(self) -> Problems:
        """What was damaged in the latest reading."""
        return self._problems

    @property
    def counts(self) -> Counter[str]:
        """What the files hold, and what is no damage but should be known, by name: the number of ``maps``, labels by
        kind (``functions: attack``), annotations that could not be joined. Of the latest reading."""
        return self._counts

    def __iter__(self) -> Iterator[ArgumentGraph]:
        self.problems.clear()
        self.counts.clear()
        for graph in self.maps():
            self.counts["maps"] += 1
            yield graph
        if not self.counts["maps"]:
            read = ", ".join(f"{name}: {number}" for name, number in self.counts.most_common(6))
            why = "; ".join(filter(None, (str(next(iter(self.problems), "")), read)))
            what = f"nothing in it could be converted ({why})" if why else "nothing in it could be converted"
            raise InputError(what, where=str(self.path), remedy=f"give {self.title} in its own layout")

    def _held(self, what: str, kind: object, number: int = 1) -> None:
        """Count what the files hold, by what they call it."""
        name = f"{what}: {str(kind)[:60]}"
        listed = name in self.counts or len(self.counts) < _MAX_KINDS
        self.counts[name if listed else f"{what} of other kinds"] += number

    def maps(self) -> Iterator[ArgumentGraph]:
        """The maps in the order of the files. Iterate the data set itself: that sets the counts back to zero, too."""
        raise NotImplementedError


def relative(path: Path, root: Path) -> str:
    """How a file is called in messages: from the data set's folder on."""
    try:
        return path.relative_to(root).as_posix() if path != root else path.name
    except ValueError:
        return path.name
