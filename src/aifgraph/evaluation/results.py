"""Results as JSON lines, written while a run goes on, so that one that stopped can go on.

The first line identifies the run (signature, names of the pairs); each further line is a pair, in the order of the
pairs: its counts and scores, or its error. Lines are written in whole, those of a fifth of a second at a time. A
process that is killed leaves at most its last line unfinished; going on cuts that off and does the pair again, with
those that were not written yet. Where the disk is full, what does not fit is removed and the run ends with one error.
"""

from __future__ import annotations

import json
import os
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, overload

from aifgraph.comparison.breakdown import NameCounts
from aifgraph.comparison.chance import AboveChance, Chance
from aifgraph.corpus.lazy import LazySequence, Made, Mapped
from aifgraph.corpus.pairing import Pairing
from aifgraph.errors import FormatError, InputError, NoSuchFileError
from aifgraph.evaluation.pair_task import PairOutcome, digest, names_of, read_once
from aifgraph.evaluation.pooled import PairNames, PairSummary
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.text.segmentation import Edits

#: Whether the whole comparison of a pair is kept, and whether with its items.
Details = bool | Literal["items"]

#: A line in so many is found by its place in the file; the others are looked for from there.
_STEP = 64

#: Lines are written together when there are so many bytes of them, or the last were written so many seconds ago.
_WAITING = 1 << 16
_SECONDS = 0.2

_KIND = "aifgraph results 4"
_ANEW = "give another file for the results, or remove this one"


def header_of(signature: str, pairing: Pairing, details: Details, measures: Sequence[str] = ()) -> dict[str, Any]:
    """What has to be the same for a run to go on."""
    names = blake2b(digest_size=12)
    for pair in pairing:
        names.update(json.dumps([pair.first.name, pair.second.name]).encode())
    return {
        "kind": _KIND,
        "signature": signature,
        "pairs": len(pairing),
        "names": names.hexdigest(),
        "details": details,
        "measures": list(measures),
    }


class ResultsFile:
    """A results file open for writing: :meth:`append` adds a pair, ``done`` is how many it has. ``on_summary`` is
    called with every pair that was compared, those that are there already included, in their order.

    Raises:
        InputError: the file is there already (and ``resume`` is not set), belongs to another run, other options or
            changed maps, is being written by somebody else, or cannot be written.
    """

    def __init__(
        self,
        path: Path,
        signature: str,
        pairing: Pairing,
        *,
        details: Details,
        resume: bool,
        measures: Sequence[str] = (),
        on_summary: Callable[[PairSummary], None] | None = None,
    ) -> None:
        self.path = path
        self._on_summary = on_summary
        self._waiting = bytearray()  # lines that are not written yet
        self._flushed = time.monotonic()
        self.done = 0
        header = header_of(signature, pairing, details, measures)
        line = _line(header)
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | (0 if resume else os.O_EXCL), 0o666)
        except FileExistsError:
            raise InputError(
                "there is such a file already", where=str(path), remedy="set resume to go on with it, or remove it"
            ) from None
        except OSError as error:
            raise InputError(error.strerror or "cannot be written", where=str(path)) from None
        try:
            self._lock()
            self._end = self._check(header, line, pairing) if resume else 0
            if not self._end:
                self._write(line)
        except BaseException as error:
            os.close(self._file)
            if not resume and isinstance(error, InputError):
                path.unlink(missing_ok=True)
            raise

    def append(self, result: PairOutcome) -> None:
        """Add a pair, whole or not at all. Lines of little work are written together, a few times a second."""
        self._waiting += _line(record_of(result))
        self.done += 1
        if len(self._waiting) >= _WAITING or time.monotonic() - self._flushed >= _SECONDS:
            self._flush()
        if self._on_summary and result.summary:
            self._on_summary(result.summary)

    def _flush(self) -> None:
        """Write the lines that wait."""
        waiting, self._waiting = bytes(self._waiting), bytearray()
        self._write(waiting)
        self._flushed = time.monotonic()

    def _write(self, line: bytes) -> None:
        written = 0
        try:
            while written < len(line):
                written += os.write(self._file, line[written:])
        except BaseException as error:
            self._end += line.rfind(b"\n", 0, written) + 1
            os.ftruncate(self._file, self._end)
            os.lseek(self._file, self._end, os.SEEK_SET)
            if not isinstance(error, OSError):
                raise
            raise InputError(
                error.strerror or "cannot be written",
                where=str(self.path),
                remedy="make room and resume: what is in the file is whole",
            ) from None
        self._end += len(line)

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError("another run is writing this file", where=str(self.path), remedy=_ANEW) from None

    def _check(self, header: dict[str, Any], first: bytes, pairing: Pairing) -> int:
        """Check the file against this run and its maps, cut off an unfinished line, and say where the next one goes."""
        from aifgraph.evaluation.results_line import check_line

        end = 0
        with os.fdopen(os.dup(self._file), "rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    if number == 0 and not first.startswith(line):
                        raise FormatError("not a file of results", where=str(self.path), remedy=_ANEW)
                    break
                where = f"{self.path}, line {number + 1}"
                record = _read(line, where)
                if number == 0:
                    self._check_header(record, header)
                else:
                    check_line(line, where, _ANEW)
                    self._check_pair(record, number - 1, pairing, where)
                    if "error" not in record:
                        summary = summary_from(record, where)
                        if self._on_summary:
                            self._on_summary(summary)
                    self.done = number
                end += len(line)
        os.ftruncate(self._file, end)
        os.lseek(self._file, end, os.SEEK_SET)
        return end

    def _check_header(self, record: dict[str, Any], header: dict[str, Any]) -> None:
        if record.get("kind") != _KIND:
            raise FormatError("not a file of results", where=str(self.path), remedy=_ANEW)
        for key, what in (
            ("signature", "other options"),
            ("pairs", "other corpora"),
            ("names", "other corpora"),
            ("details", "another choice of details"),
            ("measures", "other measures"),
        ):
            if record.get(key) != header[key]:
                shown = f" ({record.get(key)}, here {header[key]})" if key in ("signature", "pairs") else ""
                raise InputError(f"the results of a run with {what}{shown}", where=str(self.path), remedy=_ANEW)

    def _check_pair(self, record: dict[str, Any], place: int, pairing: Pairing, where: str) -> None:
        pair = pairing.pairs[place] if place < len(pairing) else None
        if pair is None or (names := _names(record)) != names_of(pair):
            raise InputError("the result of another pair than this run has here", where=where, remedy=_ANEW)
        if record.get("inputs") != [digest(read_once(pair.first)), digest(read_once(pair.second))]:
            raise InputError(f"a map of {names.shown} has changed since", where=where, remedy=_ANEW)

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._flush()
        finally:
            os.close(self._file)


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
                        self.header = _read(line, str(path))
                        if self.header.get("kind") != _KIND:
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
                names = _names(record)
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
                yield _read(line, str(self._path))


def _has_failed(line: bytes, where: str) -> bool:
    return b'"error"' in line and "error" in _read(line, where)


def _failure(record: dict[str, Any]) -> tuple[str, str]:
    return _names(record).shown, record["error"]


def record_of(result: PairOutcome) -> dict[str, Any]:
    """A result as plain values: a line of the file."""
    record: dict[str, Any] = {"first": result.names.first, "second": result.names.second}
    if result.inputs:
        record["inputs"] = list(result.inputs)
    if result.summary is None:
        return record | {"error": result.error}
    summary = result.summary
    record |= {
        "S": summary.S,
        "mode": summary.mode,
        "edits": [getattr(summary.edits, field.name) for field in fields(Edits)],
        "calculations": {
            name: {"labels": list(matrix.labels), "matrix": [list(row) for row in matrix.rows]}
            for name, matrix in summary.matrices.items()
        },
        "mean": summary.means,
        "cass": summary.cass,
        "warnings": list(summary.warnings),
        "names": summary.names_given.to_dict(),
    }
    if summary.anchors:
        record["anchors"] = True
    if summary.chance:
        record["chance"] = _chance_record(summary.chance)
    if summary.inputs:
        record["hashes"] = list(summary.inputs)
    if summary.measures:
        record["measures"] = summary.measures
    return record | ({"comparison": result.details} if result.details is not None else {})


def summary_from(record: dict[str, Any], where: str | None = None) -> PairSummary:
    """A summary from its line; ``FormatError`` with the place where something of it is missing or of another kind."""
    try:
        return _summary_from(record)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"a damaged line of results ({type(error).__name__}: {error})"
        raise FormatError(what, where=where, remedy=_ANEW) from None


def _summary_from(record: dict[str, Any]) -> PairSummary:
    return PairSummary(
        _names(record),
        record["S"],
        Edits(*record["edits"]),
        {
            name: ConfusionMatrix(tuple(counts["labels"]), tuple(map(tuple, counts["matrix"])))
            for name, counts in record["calculations"].items()
        },
        record["mean"],
        record["cass"],
        tuple(record["warnings"]),
        record.get("measures", {}),
        NameCounts.from_dict(record["names"]),
        record.get("anchors", False),
        _chance_from(record["chance"]) if "chance" in record else None,
        record["mode"],
        tuple(record["hashes"]) if "hashes" in record else None,
    )


def _chance_record(chance: Chance) -> dict[str, Any]:
    over = {layer: [of.mean, of.above, of.cass, of.reasons] for layer, of in chance.over.items()}
    return {"rounds": chance.rounds, "seed": chance.seed, "over": over}


def _chance_from(record: dict[str, Any]) -> Chance:
    over = {layer: AboveChance(*parts) for layer, parts in record["over"].items()}
    return Chance(record["rounds"], record["seed"], over)


def _names(record: dict[str, Any]) -> PairNames:
    return PairNames(record.get("first", ""), record.get("second", ""))


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode("ascii") + b"\n"


def _read(line: bytes, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise FormatError("no line of results", where=where, remedy=_ANEW) from None
    if not isinstance(record, dict):
        raise FormatError("no line of results", where=where, remedy=_ANEW)
    return record
