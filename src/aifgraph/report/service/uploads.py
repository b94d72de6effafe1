"""What a form uploads: a map, or a corpus, which is an archive or the files of a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from starlette.datastructures import FormData, UploadFile

from aifgraph.corpus.names import ARCHIVES, LINES
from aifgraph.formats.archives import safe_path
from aifgraph.report.service.admission import RefusedError

#: Files of a form, those of two folders together.
MOST_FILES: Final = 4000

#: A file's name as the client gives it, which is never a path here, and its bytes.
Upload = tuple[str, bytes]


async def files_of(form: FormData, name: str) -> list[Upload]:
    """The files of a field; what was left empty is none."""
    given = [each for each in form.getlist(name) if isinstance(each, UploadFile)]
    read = [(each.filename or "", await each.read()) for each in given]
    return [(filename, data) for filename, data in read if filename or data]


def is_uploaded_corpus(files: Sequence[Upload]) -> bool:
    """Whether these are many maps: several files, or one that is an archive by its name."""
    # By the name alone: is_corpus would look it up on this machine's disk.
    return len(files) > 1 or files[0][0].lower().endswith((*ARCHIVES, *LINES))


def write_corpus(folder: Path, side: str, files: Sequence[Upload]) -> str:
    """Write the files of one side into a folder of our own; the path of the corpus.

    Raises:
        RefusedError: a file's name leads out of the folder, or is that of another file.
    """
    if len(files) == 1:
        name, data = files[0]
        suffix = next(each for each in (*ARCHIVES, *LINES) if name.lower().endswith(each))
        path = folder / f"{side}{suffix}"
        path.write_bytes(data)
        return str(path)
    root = folder / side
    for name, data in files:
        inside = safe_path(name)
        if inside is None or len(inside) > 1000 or (root / inside).exists():
            raise RefusedError(400, f"no usable name of a file: {name[:80]!a}", side, "rename it, or send an archive")
        try:
            (root / inside).parent.mkdir(parents=True, exist_ok=True)
            (root / inside).write_bytes(data)
        except OSError:
            raise RefusedError(400, f"no usable name of a file: {name[:80]!a}", side, "rename it") from None
    return str(root)


class Running:
    """The comparisons of corpora that run, by the name that the client gave each: how far they are."""

    def __init__(self) -> None:
        self._folders: dict[str, Path] = {}

    @contextmanager
    def named(self, name: str, folder: Path) -> Iterator[None]:
        """While a comparison runs in ``folder``, it is known by ``name``."""
        if not name or len(name) > 64:
            yield
            return
        self._folders[name] = folder
        try:
            yield
        finally:
            self._folders.pop(name, None)

    def progress(self, name: str) -> tuple[int, int]:
        """Pairs that are done, and all pairs; 0 of 0 where that is not known."""
        folder = self._folders.get(name)
        try:
            done, total = (folder / "progress").read_text("ascii").split() if folder else ("0", "0")
            return int(done), int(total)
        except (OSError, ValueError):  # not yet, or half of it
            return 0, 0
