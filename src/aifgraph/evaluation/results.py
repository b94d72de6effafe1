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
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from aifgraph.corpus.pairing import Pairing
from aifgraph.errors import FormatError, InputError
from aifgraph.evaluation.pair_task import PairOutcome, digest, names_of, read_once
from aifgraph.evaluation.pooled import PairSummary
from aifgraph.evaluation.result_records import ANEW, KIND, line_of, names_in, read_line, record_of, summary_from

#: Whether the whole comparison of a pair is kept, and whether with its items.
Details = bool | Literal["items"]

#: Lines are written together when there are so many bytes of them, or the last were written so many seconds ago.
_WAITING = 1 << 16
_SECONDS = 0.2


def header_of(signature: str, pairing: Pairing, details: Details, measures: Sequence[str] = ()) -> dict[str, Any]:
    """What has to be the same for a run to go on."""
    names = blake2b(digest_size=12)
    for pair in pairing:
        names.update(json.dumps([pair.first.name, pair.second.name]).encode())
    return {
        "kind": KIND,
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
        line = line_of(header)
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
        self._waiting += line_of(record_of(result))
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
            raise InputError("another run is writing this file", where=str(self.path), remedy=ANEW) from None

    def _check(self, header: dict[str, Any], first: bytes, pairing: Pairing) -> int:
        """Check the file against this run and its maps, cut off an unfinished line, and say where the next one goes."""
        from aifgraph.evaluation.results_line import check_line

        end = 0
        with os.fdopen(os.dup(self._file), "rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    if number == 0 and not first.startswith(line):
                        raise FormatError("not a file of results", where=str(self.path), remedy=ANEW)
                    break
                where = f"{self.path}, line {number + 1}"
                record = read_line(line, where)
                if number == 0:
                    self._check_header(record, header)
                else:
                    check_line(line, where, ANEW)
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
        if record.get("kind") != KIND:
            raise FormatError("not a file of results", where=str(self.path), remedy=ANEW)
        for key, what in (
            ("signature", "other options"),
            ("pairs", "other corpora"),
            ("names", "other corpora"),
            ("details", "another choice of details"),
            ("measures", "other measures"),
        ):
            if record.get(key) != header[key]:
                shown = f" ({record.get(key)}, here {header[key]})" if key in ("signature", "pairs") else ""
                raise InputError(f"the results of a run with {what}{shown}", where=str(self.path), remedy=ANEW)

    def _check_pair(self, record: dict[str, Any], place: int, pairing: Pairing, where: str) -> None:
        pair = pairing.pairs[place] if place < len(pairing) else None
        if pair is None or (names := names_in(record)) != names_of(pair):
            raise InputError("the result of another pair than this run has here", where=where, remedy=ANEW)
        if record.get("inputs") != [digest(read_once(pair.first)), digest(read_once(pair.second))]:
            raise InputError(f"a map of {names.shown} has changed since", where=where, remedy=ANEW)

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._flush()
        finally:
            os.close(self._file)
