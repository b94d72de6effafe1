"""A folder that ``fetch`` has written: what a corpus's archive gave is in one zip, what came alone lies beside it."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from aifgraph.corpus.archives import Zip
from aifgraph.corpus.lookup import Lookup
from aifgraph.corpus.record_list import NameList
from aifgraph.corpus.store import MAX_FILES, Folder, Single
from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.files import MAPS, without_gz


class FetchedFolder:
    """A folder together with the zips of maps in it. Of a file in a zip and one beside it, the one beside it counts."""

    ordered = False

    def __init__(self, folder: Folder) -> None:
        self.path = folder.path
        self._folder = folder
        self._zips = {f"{inner}/" if inner else "": _zip(folder, inner) for inner in folder.fetched}
        self.paths = NameList()
        self._lookup = Lookup(self.paths)
        hidden = {top + MAPS for top in self._zips}
        kept = (top + path for top, archive in self._zips.items() for path in archive.paths)
        for path in chain((path for path in folder.paths if path not in hidden), kept):
            if self._lookup.add(path, len(self.paths)) == len(self.paths):
                self.paths.append(path)
            if len(self.paths) > MAX_FILES:
                raise LimitError(f"more than {MAX_FILES} files", where=str(self.path), remedy="split it")
        self._lookup.finish()
        self.notices = (*folder.notices, *(notice for archive in self._zips.values() for notice in archive.notices))

    def holds(self, path: str) -> bool:
        return self._lookup.find(path) >= 0

    def read(self, path: str) -> bytes:
        if not self._folder.holds(path):
            for top, archive in self._zips.items():
                if path.startswith(top) and archive.holds(path[len(top) :]):
                    return archive.read(path[len(top) :])
        return self._folder.read(path)

    def where(self, path: str) -> str:
        return self._folder.where(path)  # in a zip, too: `kept_input` finds it by this path


class SingleKept(Single):
    """One map of such a folder, with the text next to it, as a corpus of one."""

    def __init__(self, folder: FetchedFolder, path: Path) -> None:
        self.folder = folder
        self.path = path
        beside = str(Path(without_gz(path.name)).with_suffix(".txt"))
        self.paths = [path.name] + ([beside] if beside != path.name and folder.holds(beside) else [])
        self.notices = ()

    def read(self, path: str) -> bytes:
        return self.folder.read(path)


def _zip(folder: Folder, inner: str) -> Zip:
    path = folder.path / inner / MAPS
    try:
        return Zip(path)
    except FormatError as error:
        raise FormatError(error.what, where=str(path), remedy="run the same aifgraph fetch corpus again") from None
