"""Rows kept in a map, and written back: every label as it stood, so that a table comes back unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from aifgraph.errors import FormatError, InputError
from aifgraph.formats.files import write_atomic
from aifgraph.graph import ArgumentGraph


def file_name(wanted: str) -> str:
    """A name as it can be a file's: what a path could make something else of is an underscore.

    >>> file_name("../a b"), file_name("10024363")
    ('_a_b', '10024363')
    """
    return re.sub(r"[^\w.=+-]+", "_", wanted).strip(".")[:120] or "map"


class Names:
    """Names for maps that are good file names, and each given once.

    >>> names = Names()
    >>> names.unique("a/b"), names.unique("7"), names.unique("7")
    ('a_b', '7', '7-2')
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """The name itself where it is free, otherwise with a number."""
        name = file_name(wanted)
        count = self._seen.get(name.casefold(), 0) + 1
        self._seen[name.casefold()] = count
        return name if count == 1 else self.unique(f"{name}-{count}")


def kept(graph: ArgumentGraph, key: str) -> Mapping[str, Any]:
    """What a conversion kept of its source in a map; a ``FormatError`` where nothing is there."""
    found = graph.meta.aif.get(key)
    if not isinstance(found, Mapping):
        raise FormatError(f"the map does not come from {key}", where=graph.name or None, remedy="convert it from there")
    return found


def rows_back(graphs: Iterable[ArgumentGraph], key: str) -> list[Mapping[str, str]]:
    """The rows that maps keep under ``key``, in the order of the lines they stood on."""
    found: list[tuple[int, Mapping[str, str]]] = []
    for graph in graphs:
        entry = kept(graph, key)
        row, line = entry.get("row"), entry.get("line")
        if not isinstance(row, Mapping) or not isinstance(line, int):
            raise FormatError("the map does not keep its row", where=graph.name or None, remedy="convert it again")
        found.append((line, row))
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def write_table(rows: list[Mapping[str, str]], path: Path) -> Path:
    """Rows of the same columns as TSV without quoting, whole or not at all."""
    if not rows:
        raise InputError("there are no maps to write", where=str(path))
    columns = list(rows[0])
    lines = ["\t".join(columns)]
    for number, row in enumerate(rows, 2):
        if list(row) != columns:
            raise FormatError("the rows have different columns", where=f"{path}, line {number}")
        cells = [str(cell) for cell in row.values()]
        if any("\t" in cell or "\n" in cell for cell in cells):
            raise FormatError("a cell holds a tab or a line break", where=f"{path}, line {number}")
        lines.append("\t".join(cells))
    write_atomic(path, "\n".join(lines) + "\n")
    return path


def table_file(path: Path, pattern: str) -> Path:
    """The table to read: the path itself, or the only file of a folder that fits; an ``InputError`` names them."""
    if not path.is_dir():
        return path
    fitting = sorted(each for each in path.glob(pattern) if each.is_file())
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(each.name for each in fitting[:6])
    what = f"the folder holds {len(fitting)} tables" if fitting else f"the folder holds no table ({pattern})"
    raise InputError(what, where=str(path), remedy=f"give one of {names}" if fitting else "give the folder of the data")
