"""Names: which paths are corpora, and the order of maps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Final

#: Files of many maps, one a line.
LINES: Final = (".jsonl", ".ndjson")
#: Archives by name.
ARCHIVES: Final = (".zip",)
#: Files of many maps that are written; every other target is a folder.
WRITTEN: Final = (".zip", *LINES)

_DIGITS = re.compile(r"([0-9]+)")


def is_corpus(source: str | PathLike[str]) -> bool:
    """Whether a path or an address is a corpus: a folder, a zip archive, JSON lines, or a corpus of AIFdb.

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


def corpora_by_name(paths: Sequence[str]) -> dict[str, str]:
    """Corpora by a short name: that of the folder or file, the whole path where two have the same, and with a number
    where one is given more than once.

    >>> corpora_by_name(("maps/ann", "maps/ben")), corpora_by_name(("maps", "maps"))
    ({'ann': 'maps/ann', 'ben': 'maps/ben'}, {'maps (1)': 'maps', 'maps (2)': 'maps'})
    """
    names = [Path(path).name or path for path in paths]
    named: dict[str, str] = {}
    for place, (name, path) in enumerate(zip(names, paths, strict=True)):
        short = name if names.count(name) == 1 or paths.count(path) == len(paths) else path
        again = paths.count(path) > 1
        named[f"{short} ({paths[: place + 1].count(path)})" if again else short] = path
    return named


def name_of_file(pair: str) -> str:
    """What a file about a pair is called, from how the pair is shown.

    >>> name_of_file("nodeset1"), name_of_file("debates/7a ~ debates/7b")
    ('nodeset1', 'debates/7a-7b')
    """
    one, _, other = pair.partition(" ~ ")
    return f"{one}-{other.rpartition('/')[2]}" if other else one


def file_name(wanted: str) -> str:
    """A name as it can be a file's on every system: what a path could make something else of is an underscore.

    >>> file_name("../a b"), file_name("10024363"), file_name("CON")
    ('_a_b', '10024363', 'map-CON')
    """
    name = re.sub(r"[^\w.=+-]+", "_", wanted).strip(".")[:120] or "map"
    return f"map-{name}" if re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", name) else name


class UniqueNames:
    """Names for maps that are good file names, and each given once.

    >>> names = UniqueNames()
    >>> names.unique("a/b"), names.unique("7"), names.unique("7")
    ('a_b', '7', '7-2')
    """

    def __init__(self) -> None:
        self._uses: Counter[str] = Counter()

    def unique(self, wanted: str) -> str:
        """The name itself where it is free, otherwise with a number."""
        name = file_name(wanted)
        self._uses[name.casefold()] += 1
        count = self._uses[name.casefold()]
        return name if count == 1 else self.unique(f"{name}-{count}")
