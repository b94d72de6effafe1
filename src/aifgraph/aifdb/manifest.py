"""What a download has reached, kept next to its files: one JSON object a line, appended as each file is whole.

A killed download loses at most the file it was at. A line: ``file``, ``url``, ``time`` (UTC), ``bytes``, ``sha256``,
``state`` (``done``, ``absent``: the server has none, ``failed`` with ``error``). Three kinds of line are about
the corpus: ``state`` ``list`` with its map ids, ``archive`` when that is unpacked, and ``complete``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aifgraph.errors import FormatError, InputError
from aifgraph.formats.files import read_bytes, write_atomic

NAME = "MANIFEST.jsonl"


class Manifest:
    """The manifest of a folder: the last line about a file counts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME
        self.files: dict[str, dict[str, Any]] = {}
        self.corpus: dict[str, Any] = {}
        self.ids: list[int] | None = None
        self.complete = False
        self.unpacked = False
        if self.path.exists():
            self._read()

    def _read(self) -> None:
        for number, line in enumerate(read_bytes(self.path).split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # a line that was cut when its writer was killed: its file is fetched again
            if not isinstance(entry, dict) or "state" not in entry:
                raise FormatError(
                    "not a line of a manifest", where=f"{self.path}, line {number}", remedy="choose another folder"
                )
            try:
                self._take(entry)
            except (KeyError, TypeError, ValueError):
                raise FormatError(
                    "a damaged line of a manifest", where=f"{self.path}, line {number}", remedy="choose another folder"
                ) from None

    def _take(self, entry: dict[str, Any]) -> None:
        if entry["state"] == "list":
            self.corpus, self.ids, self.complete = entry, [int(each) for each in entry["ids"]], False
        elif entry["state"] == "complete":
            self.complete = True
        elif entry["state"] == "archive":
            self.unpacked = True
        else:
            self.files[str(entry.get("file"))] = entry

    def _append(self, entry: dict[str, Any]) -> None:
        entry = {**entry, "time": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        with self.path.open("ab") as file:
            if file.tell() and not _ends_in_line_break(self.path):
                line = "\n" + line  # after a line that was cut
            file.write(line.encode())
        self._take(entry)

    def listed(self, corpus: str, url: str, ids: list[int], parts: list[str]) -> None:
        """Note which maps the corpus has, and the sub-corpora that list them where it is not the corpus itself."""
        more = {"parts": parts} if parts not in ([], [corpus]) else {}
        self._append({"state": "list", "corpus": corpus, "url": url, "ids": ids, **more})

    @property
    def parts(self) -> list[str]:
        """The corpora whose archives hold the maps."""
        return [str(part) for part in self.corpus.get("parts") or [self.corpus.get("corpus", "")]]

    def save(self, name: str, data: bytes, url: str) -> None:
        """Write a file, whole, and note it."""
        write_atomic(self.folder / name, data)
        digest = hashlib.sha256(data).hexdigest()
        self._append({"file": name, "url": url, "bytes": len(data), "sha256": digest, "state": "done"})

    def note(self, name: str, url: str, state: str, error: str = "") -> None:
        """Note a file that could not be had (``failed``), or that the server does not have (``absent``)."""
        self._append({"file": name, "url": url, "state": state, **({"error": error} if error else {})})

    def archived(self, url: str, maps: int) -> None:
        """Note that an archive has given all the maps it had."""
        self._append({"state": "archive", "url": url, "maps": maps})

    def finish(self) -> None:
        """Note that every listed map has been asked for and none has failed."""
        self._append({"state": "complete"})

    def state(self, name: str) -> str:
        """``done``, ``absent``, ``failed``, or ``""`` for a file that was never reached."""
        return str(self.files.get(name, {}).get("state", ""))

    def holds(self, name: str) -> bool:
        """Whether a file is here and is what was fetched: its SHA-256 is computed again."""
        entry = self.files.get(name)
        path = self.folder / name
        if entry is None or entry["state"] != "done" or not path.is_file():
            return False
        return hashlib.sha256(read_bytes(path)).hexdigest() == entry.get("sha256")

    def clean(self) -> None:
        """Remove what a killed writer has left: temporary files."""
        for path in self.folder.glob(".*.part"):
            path.unlink(missing_ok=True)


def _ends_in_line_break(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


@contextmanager
def locked(folder: Path, *, wait: bool = False) -> Iterator[None]:
    """One download a folder at a time, others ``wait`` or fail; the lock goes with its process, however that ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".lock").open("ab")
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", where=str(folder)) from None
    with file:
        try:
            import fcntl
        except ImportError:  # a system without them
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            raise InputError("another download is at work in this folder", where=str(folder)) from None
        yield
