"""The pairs in a results file, read when they are needed."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, overload

from aifgraph.corpus.lazy import LazySequence, Made, Mapped
from aifgraph.errors import FormatError, InputError, NoSuchFileError
from aifgraph.evaluation.pooled import PairSummary
from aifgraph.evaluation.result_records import KIND, names_in, read_line, summary_from

#: A line in so many is found by its place in the file; the others are looked for from there.
_STEP = 64


class ResultLines(Sequence[PairSummary]):
    """The summaries in a results file, read when they are needed; ``failed`` are the pairs without one.

    >>> ResultLines("nowhere.jsonl")
    Traceback (most recent call last):
    aifgraph.errors.NoSuchFileError: nowhere.jsonl: no such file
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.header: dict[str, Any] = {}
        self._records = _Records(self.path, failed=False)
        failed = _Records(self.path, failed=True)
        try:
            with self.path.open("rb") as file:
                offset = 0
                for number, line in enumerate(file, 1):
                    if number == 1:
                        self.header = read_line(line, str(path))
                        if self.header.get("kind") != KIND:
                            raise FormatError("not a file of results", where=str(path))
                    elif line.endswith(b"\n"):
                        kind = failed if _has_failed(line, f"{path}, line {number}") else self._records
                        kind.append(offset)
                    offset += len(line)
        except FileNotFoundError:
            raise NoSuchFileError("no such file", where=str(path)) from None
        except OSError as error:
            raise InputError(error.strerror or "cannot be read", where=str(path)) from None
        self.failed: Sequence[tuple[str, str]] = Mapped(failed, _failure)

    def records(self) -> Iterator[dict[str, Any]]:
        """The lines of the pairs that were compared, as they stand in the file."""
        return iter(self._records)

    def details(self) -> Iterator[dict[str, Any]]:
        """The whole comparison of every pair, by its name, where the file holds it."""
        for record in self.records():
            if "comparison" in record:
                names = names_in(record)
                yield {"name": names.shown, "names": [names.first, names.second], **record["comparison"]}

    def __iter__(self) -> Iterator[PairSummary]:
        return map(summary_from, self.records())

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, key: int) -> PairSummary: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[PairSummary]: ...
    def __getitem__(self, key: int | slice) -> PairSummary | Sequence[PairSummary]:
        records = self._records[key]
        return summary_from(records) if isinstance(records, dict) else list(map(summary_from, records))


class _Records(LazySequence[dict[str, Any]]):
    """The lines of a results file with an error, or those without one; every 64th is found by its place."""

    def __init__(self, path: Path, *, failed: bool) -> None:
        self._path = path
        self._failed = failed
        self._count = 0
        self._offsets = array("Q")

    def append(self, offset: int) -> None:
        """Count a line."""
        if self._count % _STEP == 0:
            self._offsets.append(offset)
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._from(0)

    def item(self, number: int) -> dict[str, Any]:
        return next(self._from(number))

    def part(self, numbers: range) -> Made[dict[str, Any]]:
        return Made(numbers, self.item)

    def _from(self, number: int) -> Iterator[dict[str, Any]]:
        if number >= self._count:
            return
        step, skipped = divmod(number, _STEP)
        with self._path.open("rb") as file:
            file.seek(self._offsets[step])
            lines = (line for line in file if _has_failed(line, str(self._path)) == self._failed)
            for line in islice(lines, skipped, skipped + self._count - number):
                yield read_line(line, str(self._path))


def _has_failed(line: bytes, where: str) -> bool:
    return b'"error"' in line and "error" in read_line(line, where)


def _failure(record: dict[str, Any]) -> tuple[str, str]:
    return names_in(record).shown, record["error"]
