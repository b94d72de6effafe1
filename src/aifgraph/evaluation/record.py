"""The file of a run's results: JSON lines, written while the run goes on, so that one that stopped can be resumed.

The first line says which run it is (options, names of the pairs, maps without a partner); each further line is the
``PairOutcome`` of a pair, in the order of the pairs, written as soon as it is known. A process that is killed leaves
at most its last line unfinished; resuming cuts that off and does the pair again. Where the disk is full, what does not
fit is removed and the run ends with one error.
"""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final, Literal, TypeVar, overload

from aifgraph.comparison.calculations.registry import CALCULATIONS
from aifgraph.comparison.options import OPTIONS, signature_words
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.result_files import LINES_KIND, validated
from aifgraph.comparison.sides import Count
from aifgraph.corpus.pairing import Pairing
from aifgraph.errors import FormatError, InputError, NoSuchFileError
from aifgraph.evaluation.pair_task import PairOutcome, digest
from aifgraph.evaluation.sums import CorpusSums, MacroSums

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")

#: What to do about a file that cannot be resumed.
_ANEW: Final = "give another file for the results, or remove this one"


@dataclass(frozen=True)
class RunHeader:
    """What a run is besides its pairs: all of it has to be the same for the run to be resumed.

    ``signature`` is that of the options, ``names`` a digest of the names and texts of all pairs, ``details`` whether
    the classes of the alignment are listed, ``unpaired`` the maps of each side
    without a partner, ``several`` how many pairs a text has that has more than one.
    """

    kind: Literal["aifgraph results"]
    signature: str
    hashes: bool
    pairing: str
    missing: Literal["skip", "zero"]
    pairs: Count
    names: str
    details: bool
    measures: tuple[str, ...]
    one_corpus: bool
    several: Mapping[str, Count]
    unpaired: tuple[tuple[str, ...], tuple[str, ...]]

    @staticmethod
    def digest_of(pairing: Pairing) -> str:
        """A digest of the names and texts of all pairs."""
        names = blake2b(digest_size=12)
        for pair in pairing:
            names.update(json.dumps([*pair.names, pair.text]).encode())
        return names.hexdigest()


#: What sets a part of the header: the keyword, and the option of the command line.
_SET_BY: Final = {
    "hashes": "hashes",
    "pairing": "pair_by (--pair-by)",
    "missing": "missing (--missing)",
    "details": "classes (--format json)",
    "measures": "metrics (--measures)",
}


def _differences(stored: RunHeader, header: RunHeader) -> Iterator[str]:
    """What was set in another way, in the words of Python and of the command line."""
    old, new = signature_words(stored.signature), signature_words(header.signature)
    named = {option.key: name for name, option in OPTIONS.items() if option.key}
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            name = named.get(key, "the version of aifgraph" if key == "v" else key)
            yield f"{name} was {old.get(key, 'not there')} and is {new.get(key, 'not there')}"
    for part, name in _SET_BY.items():
        before, now = getattr(stored, part), getattr(header, part)
        if before != now:
            shown = ("+".join(of) or "none" if isinstance(of, tuple) else str(of) for of in (before, now))
            yield f"{name} was {' and is '.join(shown)}"


@cache
def _adapters() -> tuple[TypeAdapter[RunHeader], TypeAdapter[PairOutcome]]:
    """What writes and reads the first line and that of a pair; made on first use."""
    from pydantic import TypeAdapter

    return TypeAdapter(RunHeader), TypeAdapter(PairOutcome)


def _line(adapter: TypeAdapter[T], value: T) -> bytes:
    return adapter.dump_json(value, by_alias=True, exclude_defaults=True) + b"\n"


def _read(adapter: TypeAdapter[T], line: bytes, where: str) -> T:
    """What a line holds; ``FormatError`` with the place where it is no such line."""
    try:
        if not line.startswith(b"{"):
            raise FormatError("no line of results")
        return validated(adapter, line)
    except FormatError as error:
        what = error.what.replace("a damaged result:", "a damaged line of results:")
        raise FormatError(what, where=where, remedy=_ANEW) from None


def _read_outcome(line: bytes, where: str) -> PairOutcome:
    outcome = _read(_adapters()[1], line, where)
    unknown = outcome.result.calculations.keys() - CALCULATIONS.keys() if outcome.result else set()
    if unknown or (outcome.result is None) == (not outcome.error):
        what = f"there is no calculation {min(unknown)!r}" if unknown else "a result or an error is due"
        raise FormatError(f"a damaged line of results: {what}", where=where, remedy=_ANEW)
    return outcome


class ResultsFile:
    """A results file open for writing: :meth:`append` adds a pair, ``done`` is how many it has, ``sums`` are those over
    all that were compared.

    Raises:
        InputError: the file is there already (and ``resume`` is not set), belongs to another run, other options or
            changed maps, is being written by somebody else, or cannot be written.
    """

    def __init__(self, path: Path, header: RunHeader, pairing: Pairing, *, resume: bool) -> None:
        self.path = path
        self.done = 0
        self.sums = CorpusSums(MacroSums(header.several))
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | (0 if resume else os.O_EXCL), 0o666)
        except FileExistsError:
            remedy = "resume it (resume=True), or remove it"
            raise InputError("there is such a file already", where=str(path), remedy=remedy) from None
        except OSError as error:
            raise InputError(error.strerror or "cannot be written", where=str(path)) from None
        try:
            self._lock()
            self._end = self._check(header, pairing) if resume else 0
            if not self._end:
                self._write(_line(_adapters()[0], header))
        except BaseException as error:
            os.close(self._file)
            if not resume and isinstance(error, InputError):
                path.unlink(missing_ok=True)
            raise

    def append(self, outcome: PairOutcome) -> None:
        """Add a pair, whole or not at all."""
        self._write(_line(_adapters()[1], outcome))
        self._add(outcome)

    def _add(self, outcome: PairOutcome) -> None:
        self.done += 1
        if outcome.result:
            self.sums.add(outcome.result)

    def _write(self, line: bytes) -> None:
        written = 0
        try:
            while written < len(line):
                written += os.write(self._file, line[written:])
        except BaseException as error:
            os.ftruncate(self._file, self._end)
            os.lseek(self._file, self._end, os.SEEK_SET)
            if not isinstance(error, OSError):
                raise
            remedy = "make room and resume: what is in the file is whole"
            raise InputError(error.strerror or "cannot be written", where=str(self.path), remedy=remedy) from None
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

    def _check(self, header: RunHeader, pairing: Pairing) -> int:
        """Check the file against this run and its maps, cut off an unfinished line, and say where the next one goes."""
        with os.fdopen(os.dup(self._file), "rb") as file:
            first = file.readline()
            if first.endswith(b"\n"):
                self._check_header(_read(_adapters()[0], first, f"{self.path}, line 1"), header)
                end = self._check_pairs(file, len(first), pairing)
            elif _line(_adapters()[0], header).startswith(first):
                end = 0
            else:
                raise FormatError("not a file of results", where=str(self.path), remedy=_ANEW)
        os.ftruncate(self._file, end)
        os.lseek(self._file, end, os.SEEK_SET)
        return end

    def _check_pairs(self, file: IO[bytes], end: int, pairing: Pairing) -> int:
        """Add up the pairs that are there; where the last whole line ends."""
        for number, line in enumerate(file, 2):
            if not line.endswith(b"\n"):
                break
            where = f"{self.path}, line {number}"
            outcome = _read_outcome(line, where)
            self._check_pair(outcome, self.done, pairing, where)
            self._add(outcome)
            end += len(line)
        return end

    def _check_header(self, stored: RunHeader, header: RunHeader) -> None:
        if stored == header:
            return
        if reasons := list(_differences(stored, header)):
            remedy = f"set it as it was, or {_ANEW}"
            raise InputError(f"the results of another run: {'; '.join(reasons)}", where=str(self.path), remedy=remedy)
        shown = f" ({stored.pairs} pairs, here {header.pairs})" if stored.pairs != header.pairs else ""
        raise InputError(f"the results of a run with other corpora{shown}", where=str(self.path), remedy=_ANEW)

    def _check_pair(self, outcome: PairOutcome, place: int, pairing: Pairing, where: str) -> None:
        pair = pairing.pairs[place] if place < len(pairing) else None
        if pair is None or outcome.names != pair.names:
            raise InputError("the result of another pair than this run has here", where=where, remedy=_ANEW)
        if outcome.inputs != (digest(pair.first), digest(pair.second)):
            raise InputError(f"a map of {outcome.names.shown} has changed since", where=where, remedy=_ANEW)

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)


class ResultLines(Sequence[PairResult]):
    """The results in a results file, read when they are needed: of each, only its place is kept.

    ``failed`` are the pairs without a result, with their errors. With ``on_result``, which is called with every result,
    all lines are read and checked at once.

    >>> ResultLines("nowhere.jsonl")
    Traceback (most recent call last):
    aifgraph.errors.NoSuchFileError: nowhere.jsonl: no such file
    """

    def __init__(self, path: Path | str, on_result: Callable[[PairResult], None] | None = None) -> None:
        self.path = Path(path)
        self.failed: list[tuple[str, str]] = []
        self._places = array("Q")
        header: RunHeader | None = None
        place = 0
        for number, line in enumerate(self._lines(), 1):
            where = f"{path}, line {number}"
            if number == 1:
                if not line.startswith(b'{"kind":"%s"' % LINES_KIND.encode()):
                    raise FormatError("not a file of results", where=str(path))
                header = _read(_adapters()[0], line, where)
            elif line.endswith(b"\n"):
                # Of a file that was just written, only the errors are of interest.
                outcome = _read_outcome(line, where) if on_result or b'"error":' in line else None
                if outcome and not outcome.result:
                    self.failed.append((outcome.names.shown, outcome.error))
                else:
                    self._places.append(place)
                    if outcome and outcome.result and on_result:
                        on_result(outcome.result)
            place += len(line)
        if header is None:
            raise FormatError("not a file of results", where=str(path))
        self.header = header

    def _lines(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as file:
                yield from file
        except FileNotFoundError:
            raise NoSuchFileError("no such file", where=str(self.path)) from None
        except OSError as error:
            raise InputError(error.strerror or "cannot be read", where=str(self.path)) from None

    def __iter__(self) -> Iterator[PairResult]:
        with self.path.open("rb") as file:
            for place in self._places:
                file.seek(place)
                yield self._result(file.readline())

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, key: int) -> PairResult: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[PairResult]: ...
    def __getitem__(self, key: int | slice) -> PairResult | Sequence[PairResult]:
        if isinstance(key, slice):
            return [self[number] for number in range(len(self))[key]]
        with self.path.open("rb") as file:
            file.seek(self._places[key])
            return self._result(file.readline())

    def _result(self, line: bytes) -> PairResult:
        outcome = _read_outcome(line, str(self.path))
        if outcome.result is None:
            raise FormatError("it has changed since it was opened", where=str(self.path))
        return outcome.result
