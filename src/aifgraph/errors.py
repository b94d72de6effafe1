"""The errors of aifgraph.

Each says *what* is wrong, *where* (a file, a line, a node id) and *what to do*; ``str(error)`` is one line
with the three in the order where, what, remedy.

>>> print(FormatError("the nodes are not a list", where="map.json", remedy="give AIF JSON"))
map.json: the nodes are not a list; give AIF JSON
"""

from __future__ import annotations

from collections.abc import Iterable
from errno import ENOENT
from functools import partial

from aifgraph.printable import listed, one_line


class AifgraphError(Exception):
    """The base class: ``what`` is wrong, ``where`` it is (a file, with line or node), and a ``remedy`` or None."""

    def __init__(self, what: str, *, where: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        # Texts from outside end up in here: a line break in them must not break the one line.
        return one_line(f"{place}{self.what}{remedy}")

    def at(self, where: str) -> AifgraphError:
        """Put a place in front of ``where``, and return the error: ``map.json, node 12``."""
        self.where = f"{where}, {self.where}" if self.where else where
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword arguments would be lost when a worker process sends the error home.
        return partial(type(self), where=self.where, remedy=self.remedy), (self.what,)


class InputError(AifgraphError):
    """An invalid input: a file, a folder or a value in it (exit code 2)."""


class NotFoundError(InputError):
    """A missing file, folder, map or node."""


class NoSuchFileError(NotFoundError, FileNotFoundError):
    """A missing file or folder; also a ``FileNotFoundError`` with ``errno`` and ``filename``."""

    def __init__(self, what: str, *, where: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.errno, self.strerror, self.filename = ENOENT, what, where


class NoSuchNameError(NotFoundError, KeyError):
    """An unknown id or name in a graph, a corpus, a result or a catalogue; also a ``KeyError``."""


class FormatError(InputError, ValueError):
    """A file that cannot be read as its format; also a ``ValueError``, like the errors of ``json``."""


class LimitError(InputError):
    """An input that is larger, deeper or longer than aifgraph accepts."""


class OptionError(AifgraphError, ValueError):
    """An invalid argument, or two arguments that exclude each other."""


class MissingExtraError(AifgraphError, ImportError):
    """An optional dependency is not installed; the remedy is the pip line."""

    @classmethod
    def of(cls, package: str, extra: str) -> MissingExtraError:
        """Return the error for a package that comes with an extra of aifgraph."""
        return cls(f"{package} is not installed", remedy=f"pip install 'aifgraph[{extra}]'")


class RemoteError(AifgraphError):
    """A server did not answer, or its answer is invalid."""


def choose_from(names: Iterable[str]) -> str:
    """Return the remedy for a name that a table does not have.

    >>> choose_from(["matching", "gate"])
    'choose from matching, gate'
    """
    return f"choose from {listed(names, 40)}"
