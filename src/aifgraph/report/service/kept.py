"""Results that the service keeps for a while, so that they can be opened and saved: folders, named by chance."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from aifgraph.formats.archives import safe_path

#: Results that are kept at one time, and how many seconds each.
MOST, SECONDS = 8, 900.0


@dataclass
class Kept:
    """The folders of results; the oldest goes when there are too many, and each when its time is over."""

    most: int = MOST
    seconds: float = SECONDS
    _folders: OrderedDict[str, tuple[float, TemporaryDirectory[str]]] = field(default_factory=OrderedDict)

    def keep(self, folder: TemporaryDirectory[str]) -> str:
        """Take over a folder; the name under which it is found, which nobody can guess."""
        self._forget()
        while len(self._folders) >= self.most:
            _, (_, oldest) = self._folders.popitem(last=False)
            oldest.cleanup()
        name = secrets.token_urlsafe(16)
        self._folders[name] = (time.monotonic(), folder)
        return name

    def file(self, name: str, path: str) -> Path | None:
        """A file of a result; None where there is no such result any more, or no such file in it."""
        self._forget()
        found, inside = self._folders.get(name), safe_path(path)
        if found is None or inside is None:
            return None
        file = Path(found[1].name) / inside
        return file if file.is_file() and not file.is_symlink() else None

    def close(self) -> None:
        """Remove everything."""
        for _, folder in self._folders.values():
            folder.cleanup()
        self._folders.clear()

    def _forget(self) -> None:
        now = time.monotonic()
        for name in [name for name, (since, _) in self._folders.items() if now - since > self.seconds]:
            self._folders.pop(name)[1].cleanup()
