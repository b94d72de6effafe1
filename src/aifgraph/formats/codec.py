"""What a format is: one ``Codec``, named once in ``registry``.

A codec recognises an input, reads it as a graph, and writes a graph as one or more files. Its options are the keyword
parameters of its ``read`` and ``write``, checked by name and by type.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from aifgraph.errors import OptionError, choose_from
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph


@dataclass(frozen=True)
class Written:
    """A graph in a format.

    Attributes:
        text: the text of the main file.
        siblings: the texts of further files of the same stem, by suffix (``{".txt": "…"}``).
    """

    text: str
    siblings: dict[str, str] = field(default_factory=dict)

    def encodable(self) -> Written:
        """The same as a file can hold it: U+FFFD in place of each half surrogate."""
        if not any(_HALVES.search(text) for text in (self.text, *self.siblings.values())):
            return self
        siblings = {suffix: _HALVES.sub("\ufffd", text) for suffix, text in self.siblings.items()}
        return Written(_HALVES.sub("\ufffd", self.text), siblings)


_HALVES = re.compile("[\ud800-\udfff]")


class Codec:
    """A file format. One that is only written or only read leaves out the other method, and says so.

    Options of a format are further keyword parameters of its ``read`` and ``write``, with types and defaults.

    Attributes:
        name: what options call it.
        title: what people call it.
        suffixes: how its files end, in lower case with the dot, the default one first.
        reads: whether it can be read.
        writes: whether it can be written.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: bool = True
    writes: bool = True

    def sniff(self, file: Input) -> bool:
        """Whether an input is certainly in this format, by its content. It never raises."""
        return False

    def read(self, file: Input) -> ArgumentGraph:
        """The graph in an input; ``FormatError`` with the place where it is not in this format."""
        raise NotImplementedError

    def write(self, graph: ArgumentGraph) -> Written:
        """The text of a graph, with that of further files."""
        raise NotImplementedError


@cache
def options_of(function: Callable[..., object]) -> dict[str, Any]:
    """The options that a codec's ``read`` or ``write`` takes, with their types.

    >>> from aifgraph.formats.registry import codec
    >>> list(options_of(codec("brat").read))
    ['major']
    """
    keywords = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    hints = get_type_hints(function) if keywords else {}
    return {name: hints.get(name, Any) for name in keywords}


def checked(function: Callable[..., object], options: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The given options, or an ``OptionError`` that names the right one; ``what`` is e.g. ``reading brat``."""
    if not options:
        return {}
    known = options_of(function)
    for name, value in options.items():
        if name not in known:
            remedy = choose_from(known) if known else "it takes no options"
            raise OptionError(f"{what} takes no option {name!r}", remedy=remedy)
        hint = known[name]
        if get_origin(hint) is Literal:
            if value not in get_args(hint):
                raise OptionError(f"{name} cannot be {value!r}", remedy=choose_from(map(str, get_args(hint))))
            continue
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kinds = tuple(get_origin(part) or part for part in parts)
        if Any not in kinds and (not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
            shown = " or ".join("None" if kind is NoneType else kind.__name__ for kind in kinds)
            raise OptionError(f"{name} cannot be {value!r}", remedy=f"it is {shown}")
    return dict(options)
