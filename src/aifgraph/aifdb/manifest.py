"""What a download has reached, stored next to its files: one JSON object a line, appended as each file is whole.

A killed download loses at most the file it was at. A line: ``file``, ``url``, ``time`` (UTC), ``bytes``, ``sha256``,
``state`` (``done``, ``absent``: the server has none, ``failed`` with ``error``), and the ``zip`` that the file is in,
if it is in one. Three kinds of line are about the corpus: ``state`` ``list`` with its map ids, ``archive`` when what
that has is here, and ``complete``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aifgraph.corpus.archives import Zip
from aifgraph.corpus.writer import zip_writer
from aifgraph.errors import AifgraphError, FormatError
from aifgraph.files import FREE, MANIFEST, MAPS, in_place, read_bytes, write_atomic

#: Takes a name, the bytes, and where they come from.
Put = Callable[[str, bytes, str], None]


class Manifest:
    """The manifest of a folder: the last line about a file counts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / MANIFEST
        self.files: dict[str, dict[str, Any]] = {}
        self.corpus: dict[str, Any] = {}
        self.ids: list[int] | None = None
        self.complete = False
        self._archived = False
        self._zip: Zip | None = None
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
            self.corpus, self.ids, self.complete = entry, [int(id) for id in entry["ids"]], False
        elif entry["state"] == "complete":
            self.complete = True
        elif entry["state"] == "archive":
            self._archived = True
        else:
            self.files[str(entry.get("file"))] = entry

    def _append(self, *entries: dict[str, Any]) -> None:
        now = {"time": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
        lines = "".join(json.dumps({**entry, **now}, ensure_ascii=False) + "\n" for entry in entries)
        with self.path.open("ab") as file:
            if file.tell() and not _ends_in_line_break(self.path):
                lines = "\n" + lines  # after a line that was cut
            file.write(lines.encode())
        for entry in entries:
            self._take({**entry, **now})

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
        self._append(_done(name, data, url))

    @contextmanager
    def storing(self) -> Iterator[Put]:
        """What puts files into the zip of this folder. They are all there, and noted, when it ends without an error.

        What the zip has had stays in it. Damaged files next to the zip that are called like new ones are removed.
        """
        entries: dict[str, dict[str, Any]] = {}
        writers: list[Callable[[str, bytes], object]] = []
        with ExitStack() as stack:

            def put(name: str, data: bytes, url: str) -> None:
                if not writers:  # without a file, no zip
                    file = stack.enter_context(in_place(self.folder / MAPS))
                    # What becomes 200 times larger is not read: a large file is stored as it is.
                    writers.append(stack.enter_context(zip_writer(file, packed_up_to=FREE)))
                writers[0](name, data)
                entries[name] = {**_done(name, data, url), "zip": MAPS}

            yield put
            if writers and (before := self._readable_zip()) is not None:
                for name in before.paths:
                    with suppress(AifgraphError):  # a damaged one is fetched again
                        if name not in entries:
                            writers[0](name, before.read(name))
                self._zip = before = None
        for name in entries:
            with suppress(OSError):
                (self.folder / name).unlink(missing_ok=True)
        if entries:
            self._append(*entries.values())

    def _readable_zip(self) -> Zip | None:
        """The zip of this folder; None where there is none that can be read."""
        path = self.folder / MAPS
        if self._zip is None and path.is_file():
            with suppress(AifgraphError):
                self._zip = Zip(path)
        return self._zip

    def note(self, name: str, url: str, state: str, error: str = "") -> None:
        """Note a file that could not be had (``failed``), or that the server does not have (``absent``)."""
        self._append({"file": name, "url": url, "state": state, **({"error": error} if error else {})})

    def archived(self, url: str, maps: int) -> None:
        """Note that an archive has given all the maps it had."""
        self._append({"state": "archive", "url": url, "maps": maps})

    def finish(self) -> None:
        """Note that every listed map has been asked for and none has failed."""
        self._append({"state": "complete"})

    @property
    def unpacked(self) -> bool:
        """Whether all that archives have given is here, or was."""
        return self._archived and self._readable_zip() is not None

    def state(self, name: str) -> str:
        """``done``, ``absent``, ``failed``, or ``""`` for a file that was never reached."""
        return str(self.files.get(name, {}).get("state", ""))

    def holds(self, name: str) -> bool:
        """Whether a file is here and is what was fetched: its SHA-256 is computed again."""
        entry = self.files.get(name)
        if entry is None or entry["state"] != "done":
            return False
        data = self.read(name)
        return data is not None and hashlib.sha256(data).hexdigest() == entry.get("sha256")

    def read(self, name: str) -> bytes | None:
        """A file that lies in the folder, else the one in its zip; None where there is neither."""
        path = self.folder / name
        if path.is_file():
            return read_bytes(path)
        archive = self._readable_zip()
        try:
            return archive.read(name) if archive is not None and archive.holds(name) else None
        except AifgraphError:
            return None

    def clean(self) -> None:
        """Remove what a killed writer has left: temporary files."""
        for path in self.folder.glob(".*.part"):
            path.unlink(missing_ok=True)

    def remove_broken_zip(self) -> None:
        """Remove the zip if nothing in it can be read, so that what it had is fetched again."""
        if (self.folder / MAPS).is_file() and self._readable_zip() is None:
            with suppress(OSError):
                (self.folder / MAPS).unlink()


def _done(name: str, data: bytes, url: str) -> dict[str, Any]:
    digest = hashlib.sha256(data).hexdigest()
    return {"file": name, "url": url, "bytes": len(data), "sha256": digest, "state": "done"}


def _ends_in_line_break(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
