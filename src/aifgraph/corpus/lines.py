"""JSON lines as a store: one map a line, ``{"name": …, "map": {…}, "text": …}`` or a bare map, plain or in gzip.

A map that is no JSON stands as a string, with its ``suffix`` next to it. A line is looked up by its place in the file.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from aifgraph.errors import FormatError, InputError, LimitError
from aifgraph.formats.archives import FirstFew, RandomAccessFile, open_seekable, safe_path
from aifgraph.formats.files import MAX_MEMBER
from aifgraph.graph import Notice

# What ``aifgraph pack`` writes starts like this: most lines need not be parsed to know their names.
_HEAD = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*("suffix"\s*:\s*"(\.\w+)"\s*,\s*)?"(?:map|text)"'
)


class Lines:
    """The lines of a file as files: ``NAME.json``, and ``NAME.txt`` where the record has a text."""

    ordered = True

    def __init__(self, path: Path, *, packed: bool) -> None:
        self.path = path
        self._last: tuple[str | None, dict[str, Any]] = (None, {})
        self._places: dict[str, tuple[int, int, int]] = {}  # line number, offset, length in bytes
        twice, unsafe = FirstFew(), FirstFew()
        try:
            file = open_seekable(path, packed=packed)
            self._file = RandomAccessFile(file)
            for number, offset, line in self._scan(file):
                name, suffix = _name_of(line)
                safe = safe_path(name) if name else None
                if name and safe is None:
                    unsafe.add(f"line {number}")
                stem = (safe or f"line{number}").removesuffix(suffix)
                first = True
                while stem + suffix in self._places:
                    if first:
                        twice.add(f"{stem} (line {number})")
                    stem, first = f"{stem}@{number}", False
                self._places[stem + suffix] = number, offset, len(line)
        except (EOFError, zlib.error, OSError) as error:
            raise InputError(f"cannot be read ({error})", where=str(path)) from None
        self.paths = list(self._places)
        self.notices = tuple(
            Notice(code, f"{path}: {what}: {places}")
            for code, places, what in (
                ("lines-twice", twice, "names given more than once, told apart by line number"),
                ("lines-name", unsafe, "names that cannot be paths, replaced by line numbers"),
            )
            if places
        )

    def _scan(self, file: IO[bytes]) -> Iterator[tuple[int, int, bytes]]:
        offset = 0
        number = 0
        while line := file.readline(MAX_MEMBER + 1):
            number += 1
            if len(line) > MAX_MEMBER:
                where = f"{self.path}, line {number}"
                raise LimitError(f"a line longer than {MAX_MEMBER >> 20} MiB", where=where, remedy="one map a line")
            if line.strip():
                yield number, offset, line
            offset += len(line)

    def record(self, path: str) -> dict[str, Any]:
        """The record on a line, a bare map as ``{"map": …}``; the last one is cached: its text is asked for next."""
        last = self._last
        if last[0] != path:
            last = self._last = (path, self._record(path))
        return last[1]

    def _record(self, path: str) -> dict[str, Any]:
        number, offset, length = self._places[path]
        line = self._file.read(offset, length)
        where = self.where(path)
        try:
            value = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except RecursionError:
            raise LimitError("JSON nested too deeply", where=where) from None
        except UnicodeDecodeError as error:
            raise FormatError(f"not UTF-8 (byte {error.start})", where=where, remedy="one JSON object a line") from None
        except json.JSONDecodeError as error:
            place = f"{where}, column {error.colno}"
            raise FormatError(f"not JSON: {error.msg}", where=place, remedy="one JSON object a line") from None
        except ValueError as error:  # a number of thousands of digits
            raise LimitError(str(error).split(";")[0], where=where) from None
        if not isinstance(value, dict):
            raise FormatError("not a JSON object", where=where, remedy="one map, or one record with a map, a line")
        return value if "map" in value else {"map": value}

    def read(self, path: str) -> bytes:
        """The map on a line."""
        content = self.record(path)["map"]
        if isinstance(content, str):
            return content.encode("utf-8", "surrogatepass")
        return json.dumps(content).encode()

    def text(self, path: str) -> bytes | None:
        """The source text on a line, if it has one."""
        text = self.record(path).get("text")
        if text is None:
            return None
        if not isinstance(text, str):
            raise FormatError("text: not a string", where=self.where(path))
        return text.encode("utf-8", "surrogatepass")

    def where(self, path: str) -> str:
        return f"{self.path}, line {self._places[path][0]}"

    def holds(self, path: str) -> bool:
        return path in self._places


def _name_of(line: bytes) -> tuple[str, str]:
    """The name and suffix that a line gives its map; both are guesses where it is damaged."""
    head = _HEAD.match(line)
    try:
        if head:
            name = head[1][1:-1].decode()
            usual = "\\" not in name and name.isprintable()  # JSON has nothing to change in it
            return name if usual else json.loads(head[1]), (head[3] or b".json").decode()
        if b'"name"' not in line or b'"map"' not in line:
            return "", ".json"
        record = json.loads(line)
    except (ValueError, RecursionError):
        return "", ".json"
    if not isinstance(record, dict) or "map" not in record:
        return "", ".json"
    name, suffix = record.get("name"), record.get("suffix")
    usable = isinstance(suffix, str) and re.fullmatch(r"\.\w+", suffix)
    return name if isinstance(name, str) else "", str(suffix) if usable else ".json"
