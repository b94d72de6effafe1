"""Which errors a docstring names, and whether what came out is one of them.

A ``Raises:`` section counts, and so does a sentence that says "Raises ``FormatError``"; "the errors of ``load``" and
"the rest is as in ``load``" stand for those that ``load`` names. What a class says holds for its methods.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

import aifgraph

_NAME = re.compile(r"\b([A-Z]\w*Error)\b")
_OF = re.compile(r"errors? of\s+(?::\w+:)?`+(?:aifgraph\.)?([\w.]+)`+")
_AS_IN = re.compile(r"as in\s+:func:`(?:aifgraph\.)?([\w.]+)`")
_SECTION = re.compile(r"^(\s*)Raises:\s*$", re.MULTILINE)


class UndocumentedError(Exception):
    """A public function has raised what its docstring does not name."""


def check(name: str, error: Exception) -> None:
    """Raise ``UndocumentedError`` from the error of a public function unless its docstring names it."""
    classes = {base.__name__ for base in type(error).__mro__}
    if not classes & named(name):
        raise UndocumentedError(f"{type(error).__name__} out of {name}") from error


@cache
def named(name: str) -> frozenset[str]:
    """The errors that the docstring of a public function or method names."""
    text = inspect.getdoc(resolved(name)) or ""
    said = _raising(text)
    names = set(_NAME.findall(said))
    for other in (*_OF.findall(said), *_AS_IN.findall(text)):
        names |= named(other)
    owner = resolved(name.rpartition(".")[0]) if "." in name else None
    if inspect.isclass(owner):
        names |= set(_NAME.findall(_raising(inspect.getdoc(owner) or "")))
    return frozenset(names)


def _raising(text: str) -> str:
    """The part of a docstring that is about errors."""
    parts = []
    for section in _SECTION.finditer(text):
        indent = len(section[1])
        for line in text[section.end() :].splitlines()[1:]:
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            parts.append(line)
    parts += re.findall(r"[Rr]aises?\b[^.]*(?:\.(?=\w)[^.]*)*", _SECTION.sub("", text))
    # "``OptionError`` for one that it does not have"
    parts += re.findall(r"``\w+Error``(?= (?:for|where|names|unless|if|says))", text)
    parts += re.findall(r"is an? ``\w+Error``", text)
    return "\n".join(parts)


def resolved(name: str) -> Any:
    """The function behind a public name such as ``load``, ``ArgumentGraph.paths`` or ``datasets.open_dataset``."""
    found: Any = aifgraph
    for step in name.split("."):
        static = inspect.getattr_static(found, step, None)
        found = static if isinstance(static, property) else getattr(found, step)
    return found
