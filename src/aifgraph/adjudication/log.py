"""The log of an adjudication: every change of a decision, one a line, added and never changed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from aifgraph.adjudication.decision_file import Record
from aifgraph.errors import FormatError, InputError
from aifgraph.formats.files import decode_strict, read_bytes

#: The columns; ``before`` is the decision that was there.
COLUMNS: Final = ("when", "by", "text", "row", "group", "kind", "decision", "note", "before")


class Log:
    """``log.tsv`` of a study. A line that a killed process left unfinished is cut off.

    Raises:
        InputError: it cannot be read or written, or is another file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        head = "\t".join(COLUMNS) + "\n"
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

    def add(self, text: str, record: Record, *, before: str) -> None:
        """Add a change: the row as it is now, and the decision that was there ``before``."""
        cells = {**record, "text": text, "before": before}
        self._append("\t".join(" ".join(cells.get(name, "").split()) for name in COLUMNS) + "\n")

    def last(self) -> dict[tuple[str, str], Mapping[str, str]]:
        """The last change of each row, by text and row."""
        lines = decode_strict(read_bytes(self.path), str(self.path)).split("\n")[1:]
        rows = (dict(zip(COLUMNS, line.split("\t"), strict=False)) for line in lines if line.count("\t") > 2)
        return {(row["text"], row["row"]): row for row in rows}

    def _append(self, line: str) -> None:
        try:
            with Path(self.path).open("ab", buffering=0) as file:
                file.write(line.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise InputError(error.strerror or "cannot be written", where=str(self.path)) from None
