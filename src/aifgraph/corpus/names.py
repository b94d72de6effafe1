"""Names: which are those of a corpus, which from outside are taken for paths, and their order."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Final

#: Files of many maps, one a line.
LINES: Final = (".jsonl", ".ndjson")
PACKED_LINES: Final = tuple(f"{suffix}.gz" for suffix in LINES)
TARS: Final = (".tar", ".tar.gz", ".tgz")
#: Archives by name. Those in bzip2 and xz are known to be corpora, but not read.
ARCHIVES: Final = (".zip", *TARS, ".tar.bz2", ".tar.xz", *PACKED_LINES)

#: Places that a message names.
_NAMED: Final = 5
#: Paths that need no closer look: most are such.
_USUAL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,99})*")
_DIGITS = re.compile(r"([0-9]+)")


def is_corpus(source: str | PathLike[str]) -> bool:
    """Whether a path or an address is a corpus: a folder, an archive, JSON lines, or a corpus of AIFdb.

    >>> is_corpus("maps.zip"), is_corpus("aifdb:US2016"), is_corpus("aifdb:17940"), is_corpus("map.json")
    (True, True, False, False)
    """
    name = str(source)
    if name.startswith("aifdb:"):
        return not name[6:].removeprefix("nodeset").isdecimal()
    return name != "-" and (name.lower().endswith((*ARCHIVES, *LINES)) or Path(name).is_dir())


def natural_key(path: str) -> tuple[object, ...]:
    """A key that sorts numbers in names by value and keeps folders together; equal only for equal names.

    >>> sorted(["b/n1", "n10", "n9", "N2", "n09"], key=natural_key)
    ['b/n1', 'N2', 'n09', 'n9', 'n10']
    """
    return (tuple(_parts(step.casefold()) for step in path.split("/")), path)


def _parts(step: str) -> tuple[object, ...]:
    # Text and digits alternate, so that like is compared with like. Digits are compared by length and then as text:
    # as integers they may have any length.
    parts: list[object] = []
    for index, part in enumerate(_DIGITS.split(step)):
        bare = part.lstrip("0")
        parts.append((len(bare), bare) if index % 2 else part)
    return tuple(parts)


def safe_path(path: str) -> str | None:
    """A relative path with ``/``, or None where it is absolute, climbs, or cannot be a file's name.

    >>> safe_path("./sub\\\\nodeset1.json")
    'sub/nodeset1.json'
    >>> safe_path("a/../../etc/passwd"), safe_path("/etc/passwd"), safe_path("C:\\\\boot.ini")
    (None, None, None)
    """
    if _USUAL.fullmatch(path):
        return path
    steps = path.replace("\\", "/").split("/")
    if not steps[0] or re.fullmatch(r"[A-Za-z]:.*", steps[0]) or any(ord(char) < 32 for char in path):
        return None
    kept = [step for step in steps if step not in ("", ".")]
    if ".." in kept or not kept or any(len(step.encode("utf-8", "replace")) > 255 for step in kept):
        return None
    return "/".join(kept)


class FirstFew:
    """Places that a message names: five of them, and a sign that there are more.

    >>> few = FirstFew()
    >>> for number in range(7):
    ...     few.add(f"line {number}")
    >>> str(few), few.count
    ('line 0, line 1, line 2, line 3, line 4 …', 7)
    """

    def __init__(self) -> None:
        self.count = 0
        self._named: list[str] = []

    def add(self, place: str) -> None:
        """Count a place, and keep it if it is one of the first."""
        self.count += 1
        if self.count <= _NAMED:
            self._named.append(place)

    def __bool__(self) -> bool:
        return self.count > 0

    def __str__(self) -> str:
        return ", ".join(self._named) + (" …" if self.count > _NAMED else "")
