"""From a path to a store: what kind of container it is, judged by its content."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from aifgraph.corpus.names import LINES, TARS
from aifgraph.corpus.store import Folder, Single, Store
from aifgraph.errors import FormatError, InputError, NoSuchFileError

_REMEDY = "give a folder, a .zip, .tar, .tar.gz, .jsonl or .jsonl.gz of maps"


def open_store(path: Path, *, shared: bool = False) -> Store:
    """The store at a path; with ``shared``, one that was opened so before and has not changed since."""
    try:
        state = path.stat()
    except FileNotFoundError:
        raise NoSuchFileError("no such file or folder", where=str(path), remedy=_REMEDY) from None
    except (OSError, ValueError) as error:
        raise InputError(getattr(error, "strerror", None) or "no usable path", where=repr(str(path))) from None
    if not path.is_dir() and not path.is_file():
        raise InputError("neither a file nor a folder", where=str(path), remedy=_REMEDY)
    return _shared(path, (state.st_mtime_ns, state.st_size, state.st_ino)) if shared else _open(path)


@lru_cache(maxsize=8)
def _shared(path: Path, _stamp: tuple[int, int, int]) -> Store:
    # Workers get entries one by one: they must not unpack the same archive for each of them.
    return _open(path)


def _open(path: Path) -> Store:
    if path.is_dir():
        return Folder(path)
    from aifgraph.corpus.archives import Tar, Zip
    from aifgraph.corpus.lines import Lines

    name = path.name.lower()
    try:
        with path.open("rb") as file:
            head = file.read(512)
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(path)) from None
    if not head:
        raise FormatError("an empty file", where=str(path), remedy=_REMEDY)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Zip(path)
    packed = head.startswith(b"\x1f\x8b")
    inner = _gzip_head(path) if packed else head
    base = name.removesuffix(".gz")
    if base.endswith(LINES):
        return Lines(path, packed=packed)
    if inner[257:262] == b"ustar" or name.endswith(TARS):
        return Tar(path, packed=packed)
    if packed:  # one map, or lines whose file does not say so
        return Single(path) if Path(base).suffix else Lines(path, packed=True)
    if head.startswith((b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")):
        raise FormatError("packed in a way that is not read here", where=str(path), remedy=_REMEDY)
    if name.endswith(".zip"):
        raise FormatError("not a zip archive, whatever its name says", where=str(path), remedy=_REMEDY)
    return Single(path)


def _gzip_head(path: Path) -> bytes:
    import gzip
    import zlib

    try:
        with gzip.open(path, "rb") as file:
            return file.read(512)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"broken gzip ({error})", where=str(path), remedy="fetch or pack it again") from None
