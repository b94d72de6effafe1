"""What happens to a folder's zip of maps: it is unpacked, or loses a file."""

from __future__ import annotations

import zipfile
from pathlib import Path

from aifgraph.formats.files import MAPS


def unpack(folder: Path) -> None:
    """Make of a folder with a zip one with single files, as earlier versions wrote it."""
    with zipfile.ZipFile(folder / MAPS) as archive:
        archive.extractall(folder)
    (folder / MAPS).unlink()


def without(path: Path, name: str) -> None:
    """Take a file out of a zip."""
    with zipfile.ZipFile(path) as archive:
        kept = {each: archive.read(each) for each in archive.namelist() if each != name}
    with zipfile.ZipFile(path, "w") as archive:
        for each, data in kept.items():
            archive.writestr(each, data)
