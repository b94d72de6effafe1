"""``conversion.json``: what a corpus was converted from, by which version, and what was counted on the way.

In a folder of maps it is a file of that name; beside a file of maps (``maps.zip``) it is ``maps.zip.conversion.json``.
Equal conversions leave equal records: there is no time and no path in them.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any, Final

from aifgraph.errors import AifgraphError, FormatError, InputError
from aifgraph.formats.files import decode_strict, json_text, parse_json, read_bytes
from aifgraph.version import __version__

RECORD: Final = "conversion.json"
#: What is kept of a record that somebody else wrote.
_MAX_ENTRIES, _MAX_LETTERS = 1000, 400


@dataclass(frozen=True, kw_only=True)
class ConversionRecord:
    """What was converted, into what, and the counts on both sides.

    Attributes:
        source: the name of the file or folder that was read.
        dataset: the data set that it is, and its title; empty for a corpus of maps.
        options: those that were given.
        versions: of aifgraph and Python.
        counts_in: what was read, by its name (``posts``, ``maps``).
        counts_out: what was written (``maps``, the nodes by type, ``positions computed``).
        losses: what the format cannot hold, by kind.
        problems: how often each kind of damage was met; ``maps that failed`` among them.
    """

    source: str = ""
    dataset: str = ""
    title: str = ""
    format: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(
        default_factory=lambda: {"aifgraph": __version__, "python": platform.python_version()}
    )
    counts_in: Mapping[str, int] = field(default_factory=dict)
    counts_out: Mapping[str, int] = field(default_factory=dict)
    losses: Mapping[str, int] = field(default_factory=dict)
    problems: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value if isinstance(value, str) else dict(value) for name, value in values.items()}

    def encoded(self) -> bytes:
        """The record as its file holds it."""
        return json_text(self.to_dict()).encode("utf-8", "backslashreplace")


def is_record(path: str) -> bool:
    """Whether a file is a record by its name.

    >>> is_record("maps/conversion.json"), is_record("maps.zip.conversion.json"), is_record("my-conversion.json")
    (True, True, False)
    """
    base = path.rpartition("/")[2]
    return base == RECORD or base.endswith(f".{RECORD}")


def record_place(corpus: Path) -> Path:
    """Where the record of a corpus is: in its folder, or beside its file."""
    return corpus / RECORD if corpus.is_dir() else corpus.with_name(f"{corpus.name}.{RECORD}")


def refuse_other(target: str | PathLike[str], source: str, format_name: str, dataset: str = "") -> None:
    """``InputError`` where a folder holds another conversion: its maps would be mixed with those of this one."""
    place = Path(target)
    try:
        there = read_record(place) if place.is_dir() else None
    except FormatError:
        return
    if there is not None and (there.source, there.format, there.dataset) != (source, format_name, dataset):
        held = f"holds the conversion of {there.source} into {there.format}"
        raise InputError(held, where=str(place), remedy="name a new folder, or remove this one first")


def forget_record(target: str | PathLike[str]) -> None:
    """Remove the record beside a file of maps that was replaced by others."""
    try:
        if read_record(Path(target)) is not None:
            record_place(Path(target)).unlink()
    except FormatError:
        return


def read_record(corpus: Path) -> ConversionRecord | None:
    """The record of a corpus; None where there is none.

    Raises:
        FormatError: there is a file of this name that is no record.
    """
    place = record_place(corpus)
    if not place.is_file():
        return None
    try:
        document = parse_json(decode_strict(read_bytes(place), str(place)), str(place))
    except AifgraphError as error:
        raise FormatError(f"no record of a conversion ({error.what})", where=str(place)) from None
    if not isinstance(document, dict) or not {"source", "counts_in", "counts_out"} <= document.keys():
        raise FormatError("no record of a conversion", where=str(place), remedy="remove it, or convert again")
    names = [one.name for one in fields(ConversionRecord) if one.name in document]
    return ConversionRecord(**{name: _sound(document[name], name) for name in names})


def _sound(value: object, name: str) -> Any:
    """An entry as its type has it: others may have written the file."""
    if name in ("source", "dataset", "title", "format"):
        return str(value)[:_MAX_LETTERS]
    entries = list(value.items())[:_MAX_ENTRIES] if isinstance(value, dict) else []
    if name in ("options", "versions"):
        return {str(key)[:_MAX_LETTERS]: str(entry)[:_MAX_LETTERS] for key, entry in entries}
    return {str(key)[:_MAX_LETTERS]: entry for key, entry in entries if type(entry) is int}
