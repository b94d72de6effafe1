"""A folder as a store, sub-folders included; and one map as a store of one file."""

from __future__ import annotations

import os
from pathlib import Path

from aifgraph.errors import InputError
from aifgraph.formats.files import read_bytes
from aifgraph.graph import Notice

_DEPTH = 64


class Folder:
    """The regular files under a folder. Hidden files and folders are passed over, links to folders not followed."""

    ordered = False

    def __init__(self, path: Path) -> None:
        self.path = path
        found: list[str] = []
        notices: list[Notice] = []
        todo = [("", 0)]
        while todo:
            inner, depth = todo.pop()
            try:
                with os.scandir(path / inner) as items:
                    for item in items:
                        if item.name.startswith(".") or _unreadable(item.name):
                            continue
                        relative = f"{inner}/{item.name}" if inner else item.name
                        if item.is_dir(follow_symlinks=False):
                            todo.append((relative, depth + 1))
                        elif item.is_file():  # no pipes, sockets, devices
                            found.append(relative)
            except OSError as error:
                if not inner:
                    raise InputError(error.strerror or "cannot be read", where=str(path)) from None
                notices.append(Notice("corpus-folder", f"{path / inner}: {error.strerror}; passed over"))
            if depth >= _DEPTH and todo and todo[-1][1] > _DEPTH:
                todo = [each for each in todo if each[1] <= _DEPTH]
                notices.append(Notice("corpus-depth", f"{path}: folders deeper than {_DEPTH} are passed over"))
        self.paths: list[str] = found
        self.notices = tuple(notices)

    def read(self, path: str) -> bytes:
        return read_bytes(self.path / path)

    def where(self, path: str) -> str:
        return str(self.path / path)


class Single:
    """One map (and the text beside it) as a corpus of one."""

    ordered = True

    def __init__(self, path: Path) -> None:
        self.path = path
        beside = path.with_suffix(".txt")
        self.paths: list[str] = [path.name] + ([beside.name] if beside != path and beside.is_file() else [])
        self.notices: tuple[Notice, ...] = ()

    def read(self, path: str) -> bytes:
        return read_bytes(self.path.with_name(path))

    def where(self, path: str) -> str:
        return str(self.path.with_name(path))


def _unreadable(name: str) -> bool:
    """Names that are not text on this system: nothing could name them in a message."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
