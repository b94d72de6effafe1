"""The folder of an adjudication: which pairs of maps, the decisions about each, the log; begun once, and resumed.

::

    FOLDER/study.json          what it is about: pairs, options, digests of the maps
    FOLDER/decisions/NAME.tsv  the differences of a pair with the decisions, for ``aifgraph merge --decisions``
    FOLDER/log.tsv             every change, one a line
    FOLDER/gold/NAME.json      the merged maps, and
    FOLDER/choices.tsv         the choices per annotator: both written by ``finish``
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from aifgraph.adjudication.decision_file import (
    DecisionFile,
    Row,
    as_cell,
    decisions_tsv,
    difference_row,
    text_of_cell,
)
from aifgraph.comparison.compare import compare
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import Options, signature_of
from aifgraph.corpus.pairing import Pair, Pairing
from aifgraph.corpus_names import UniqueNames, name_of_file
from aifgraph.errors import AifgraphError, FormatError, InputError
from aifgraph.evaluation.pair_task import digest
from aifgraph.formats.files import decode_strict, json_text, parse_json, read_bytes, write_atomic
from aifgraph.formats.io import read_input
from aifgraph.printable import quantity

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_KIND: Final = "aifgraph study 1"
_ANEW: Final = "give another folder"
_FILES: Final = frozenset({"study.json", ".lock"})


@dataclass(frozen=True)
class StudyPair:
    """A pair of the study: its ``name``, that of its files, its decisions, and the digests of its maps; ``error`` says
    why it cannot be decided."""

    name: str
    stem: str
    pair: Pair
    decisions: DecisionFile = field(repr=False)
    digests: tuple[str, str]
    error: str = ""

    def check(self) -> None:
        """Raises ``InputError`` where a map is no longer what the decisions are about."""
        for side, entry, before in zip(
            ("first", "second"), (self.pair.first, self.pair.second), self.digests, strict=True
        ):
            if digest(entry) != before:
                what = f"the {side} map of {self.name} has changed since its differences were listed"
                remedy = f"put it back, or move {self.decisions.path} away and start again: this pair then begins anew"
                raise InputError(what, where=entry.source, remedy=remedy)

    def compared(self, options: Options) -> Comparison:
        """The pair compared, by the maps as they are now."""
        graphs = (read_input(entry.input()).with_name(entry.source) for entry in (self.pair.first, self.pair.second))
        first, second = graphs
        return compare(first, second, options=options)


class Study:
    """An adjudication in a folder, which nobody else has open.

    A folder that is empty or missing begins with the differences of every pair; an existing study is resumed.
    ``progress`` is called with the pairs looked at and their number.

    Raises:
        InputError: the folder holds other files or another study, another process has it open, it cannot be written,
            or a map has changed since decisions were made about it.
    """

    def __init__(
        self,
        folder: Path,
        pairing: Pairing,
        options: Options,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.folder, self.options = folder, options
        self.signature = f"{signature_of(options)}|{pairing.signature}"
        self._lock: int | None = None
        try:
            if folder.exists() and not folder.is_dir():
                raise InputError("is no folder", where=str(folder), remedy="name a folder")
            folder.mkdir(parents=True, exist_ok=True)
            self._take()
            self._open(pairing, progress)
        except OSError as error:
            self.close()
            if isinstance(error, AifgraphError):
                raise
            raise InputError(error.strerror or "cannot be written", where=str(error.filename or folder)) from None
        except BaseException:
            self.close()
            raise

    def _open(self, pairing: Pairing, progress: Callable[[int, int], None] | None) -> None:
        place = self.folder / "study.json"
        others = sorted(
            path.name for path in self.folder.iterdir() if path.name not in _FILES and path.suffix != ".part"
        )
        before = self._before(place) if place.exists() else {}
        if others and not before:
            raise InputError(f"the folder holds other files ({others[0]})", where=str(self.folder), remedy=_ANEW)
        names = [pair.names for pair in pairing]
        taken = UniqueNames()
        stems = [taken.unique(name_of_file(each.shown)) for each in names]
        digests = [(digest(pair.first), digest(pair.second)) for pair in pairing]
        document = {
            "kind": _KIND,
            "signature": self.signature,
            "pairs": [
                {"text": name.shown, "file": stem, "first": name.first, "second": name.second, "digests": list(of_maps)}
                for name, stem, of_maps in zip(names, stems, digests, strict=True)
            ],
        }
        known = self._known(before, document) if before else {}
        pairs = [
            StudyPair(name.shown, stem, pair, DecisionFile(self.folder / "decisions" / f"{stem}.tsv"), of_maps)
            for name, stem, pair, of_maps in zip(names, stems, pairing, digests, strict=True)
        ]
        anew = [each for each in pairs if self._is_new(each, known)]
        if before != document:
            write_atomic(place, json_text(document))
        (self.folder / "decisions").mkdir(exist_ok=True)
        failed: dict[str, str] = {}
        for number, each in enumerate(anew, 1):
            try:
                self._begin(each)
            except AifgraphError as error:
                if error.where == str(each.decisions.path):  # the folder cannot be written
                    raise
                failed[each.stem] = str(error)
            except Exception as error:  # a fault of ours in one map must not cost the others
                kind = " ".join(f"{type(error).__name__}: {error}".split())
                failed[each.stem] = f"internal error ({kind[:300]}); please report it"
            if progress:
                progress(number, len(anew))
        self.pairs = tuple(
            StudyPair(each.name, each.stem, each.pair, each.decisions, each.digests, failed.get(each.stem, ""))
            for each in pairs
        )
        self.log = Log(self.folder / "log.tsv")
        self._catch_up()

    def _before(self, place: Path) -> dict[str, Any]:
        document = parse_json(decode_strict(read_bytes(place), str(place)), str(place))
        pairs = document.get("pairs") if isinstance(document, dict) and document.get("kind") == _KIND else None
        sound = isinstance(pairs, list) and all(
            isinstance(each, dict) and {"text", "file", "first", "second", "digests"} <= each.keys() for each in pairs
        )
        if not sound:
            raise FormatError("not the study of an adjudication", where=str(place), remedy=_ANEW)
        found: dict[str, Any] = document
        return found

    def _known(self, before: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
        """The digests of the maps by file, as they were; the rest has to be the same."""
        where = str(self.folder)
        keys = ("text", "file", "first", "second")
        same = [[[each[key] for key in keys] for each in given["pairs"]] for given in (before, document)]
        if same[0] != same[1]:
            there = quantity(len(before["pairs"]), "pairs")
            there += f", {before['pairs'][0]['text']} …" if before["pairs"] else ""
            raise InputError(f"the folder holds another study ({there})", where=where, remedy=_ANEW)
        # A study goes on under a newer version: rows that are others there are said when the pair is merged.
        if _unversioned(before.get("signature")) != _unversioned(document["signature"]):
            what = f"the folder holds a study with other options ({before.get('signature')}, here {self.signature})"
            raise InputError(what, where=where, remedy=f"give the same options, or {_ANEW.removeprefix('give ')}")
        return {each["file"]: each["digests"] for each in before["pairs"]}

    def _is_new(self, each: StudyPair, known: Mapping[str, Any]) -> bool:
        """Whether the differences of a pair have to be listed: first of all, or again where a map has changed and
        nobody has decided yet."""
        if not each.decisions.path.exists():
            return True
        if each.stem in known and known[each.stem] == list(each.digests):
            return False
        decided = each.decisions.progress().decided
        if decided:
            sides = zip(("first", "second"), known.get(each.stem, ("", "")), each.digests, strict=True)
            side = " and ".join(side for side, one, other in sides if one != other)
            what = f"the {side} map of {each.name} has changed since {decided} of its rows were decided"
            remedy = f"put it back, or move {each.decisions.path} away: this pair then begins anew"
            raise InputError(what, where=str(self.folder), remedy=remedy)
        return True

    def _begin(self, each: StudyPair) -> None:
        differences = each.compared(self.options).differences()
        rows = [difference_row(row, differences, each.name) for row in differences]
        write_atomic(each.decisions.path, decisions_tsv(rows))

    def _catch_up(self) -> None:
        """Log what was decided without the log: by hand, or just before a process was killed."""
        last = self.log.last()
        for each in self.pairs:
            if each.error:
                continue
            for row, record in each.decisions.rows().items():
                logged = last.get((each.name, row), {})
                if any(record[name] != logged.get(name, "") for name in ("decision", "note", "by")):
                    self.log.add(each.name, record, before=logged.get("decision", ""))

    def decide(self, number: int, row: str, decision: str, *, note: str = "", by: str, seen: Mapping[str, str]) -> Row:
        """Decide a row of the pair of this number, as ``DecisionFile.decide``; it is in the log, too.

        Raises:
            StaleError, InputError: as ``DecisionFile.decide``; or a map has changed meanwhile.
        """
        each = self.pairs[number]
        each.check()
        before = each.decisions.rows().get(row, {}).get("decision", "")
        when = datetime.now(UTC).isoformat(timespec="milliseconds")
        record = each.decisions.decide(row, decision, note=note, by=by, when=when, seen=seen)
        if record["when"] in (when, ""):
            self.log.add(each.name, record, before=before)
        return record

    def _take(self) -> None:
        """Lock the folder for this process; the lock goes with the process, whatever ends it."""
        self._lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        if fcntl:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                what = "another process has this study open"
                raise InputError(what, where=str(self.folder), remedy="use that one, or end it first") from None

    def close(self) -> None:
        """Let go of the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


#: The columns; ``before`` is the decision that was there.
LOG_COLUMNS: Final = ("when", "by", "text", "row", "group", "kind", "decision", "note", "before")


class Log:
    """``log.tsv`` of a study. A line that a killed process left unfinished is cut off.

    Raises:
        InputError: it cannot be read or written, or is another file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        head = "\t".join(LOG_COLUMNS) + "\n"
        if not path.exists():
            self._append(head)
            return
        data = read_bytes(path)
        whole = data[: data.rfind(b"\n") + 1]
        if whole and not whole.startswith(head.encode()):
            raise FormatError("not the log of an adjudication", where=str(path), remedy="move it out of the folder")
        if len(whole) < len(data):
            os.truncate(path, len(whole))
        if not whole:
            self._append(head)

    def add(self, text: str, row: Row, *, before: str) -> None:
        """Add a change: the row as it is now, and the decision that was there ``before``."""
        cells = {**row, "text": text, "before": before}
        self._append("\t".join(as_cell(cells.get(name, "")) for name in LOG_COLUMNS) + "\n")

    def last(self) -> dict[tuple[str, str], Mapping[str, str]]:
        """The last change of each row, by text and row."""
        lines = decode_strict(read_bytes(self.path), str(self.path)).split("\n")[1:]
        cells = (list(map(text_of_cell, line.split("\t"))) for line in lines if line.count("\t") > 2)
        rows = (dict(zip(LOG_COLUMNS, row, strict=False)) for row in cells)
        return {(row["text"], row["row"]): row for row in rows}

    def _append(self, line: str) -> None:
        try:
            with Path(self.path).open("ab", buffering=0) as file:
                file.write(line.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise InputError(error.strerror or "cannot be written", where=str(self.path)) from None


def _unversioned(signature: object) -> str:
    """A signature without the version of the library.

    >>> _unversioned("CASS|chance:off|v:0.1.0|pair:name")
    'CASS|chance:off|pair:name'
    """
    return re.sub(r"\|v:[^|]*", "", str(signature))
