"""What was wrong in a data set: each damaged row with its file and line, all of them counted, the first ones listed.

Damage is not fatal: the row is left out (or mended, as the message says) and the rest is read. ``strict`` makes the
first problem an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from aifgraph.errors import FormatError

#: How many problems are kept in full; the counts go on.
LISTED = 1000


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable ``code``, what it is, the file, and the line (from 1) where there is one."""

    code: str
    message: str
    file: str
    line: int | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}: {self.message}"


class Problems:
    """The problems of one reading: iterable (the first thousand), sized and counted by code (all of them).

    >>> problems = Problems()
    >>> problems.add("width", "3 cells where 8 were expected", "train.tsv", 17)
    >>> len(problems), dict(problems.counts), str(next(iter(problems)))
    (1, {'width': 1}, 'train.tsv, line 17: 3 cells where 8 were expected')
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self.counts: Counter[str] = Counter()
        self._listed: list[Problem] = []

    def add(self, code: str, message: str, file: str, line: int | None = None) -> None:
        """One more; with ``strict`` a ``FormatError`` instead."""
        problem = Problem(code, message, file, line)
        if self.strict:
            where = file if line is None else f"{file}, line {line}"
            raise FormatError(message, where=where, remedy="mend it, or convert without strict to leave it out")
        self.counts[code] += 1
        if len(self._listed) < LISTED:
            self._listed.append(problem)

    def clear(self) -> None:
        """Start again: the data set is read once more."""
        self.counts.clear()
        self._listed.clear()

    def __len__(self) -> int:
        return self.counts.total()

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._listed)
