"""From a path to a store: what kind of container it is, judged by its content."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aifgraph.corpus.names import LINES, TARS
from aifgraph.corpus.store import Folder, Single, Store
from aifgraph.errors import FormatError, InputError, NoSuchFileError
from aifgraph.formats.files import MAPS, Input

if TYPE_CHECKING:
    from aifgraph.corpus.fetched import SingleKept

_REMEDY = "give a folder, a .zip, .tar, .tar.gz, .jsonl or .jsonl.gz of maps"


def open_store(path: Path, *, shared: bool = False) -> Store:
    """The store at a path; with ``shared``, one that was opened so before and has not changed since."""
    try:
        state = path.stat()
    except FileNotFoundError:
        if (kept := _kept(path)) is not None:
            return kept
        raise NoSuchFileError("no such file or folder", where=str(path), remedy=_REMEDY) from None
    except (OSError, ValueError) as error:
        raise InputError(getattr(error, "strerror", None) or "no usable path", where=repr(str(path))) from None
    if not path.is_dir() and not path.is_file():
        raise InputError("neither a file nor a folder", where=str(path), remedy=_REMEDY)
    return _shared(path, (state.st_mtime_ns, state.st_size, state.st_ino)) if shared else _open(path)


def kept_input(path: Path, **options: Any) -> Input | None:
    """The map at a path into a folder that ``fetch`` has written with a zip of maps, as if the zip were unpacked; None
    where there is no such folder, or it has no such map."""
    store = _kept(path)
    if store is None:
        return None

    def beside(suffix: str) -> bytes | None:
        sibling = path.with_suffix(suffix).name
        return store.read(sibling) if store.folder.holds(sibling) else None

    return Input(str(path), store.read(path.name), path.suffix.lower(), beside, options)


def _kept(path: Path) -> SingleKept | None:
    try:
        if not (path.parent / MAPS).is_file():
            return None
    except (OSError, ValueError):  # what no path can be
        return None
    from aifgraph.corpus.fetched import FetchedFolder, SingleKept

    store = open_store(path.parent, shared=True)
    return SingleKept(store, path) if isinstance(store, FetchedFolder) and store.holds(path.name) else None


@lru_cache(maxsize=8)
def _shared(path: Path, _stamp: tuple[int, int, int]) -> Store:
    # Workers get entries one by one: they must not unpack the same archive for each of them.
    return _open(path)


def _open(path: Path) -> Store:
    if path.is_dir():
        return _folder(path)
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
    return _kept(path) or Single(path)


def _folder(path: Path) -> Store:
    folder = Folder(path)
    if not folder.fetched:
        return folder
    from aifgraph.corpus.fetched import FetchedFolder

    return FetchedFolder(folder)


def _gzip_head(path: Path) -> bytes:
    import gzip
    import zlib

    try:
        with gzip.open(path, "rb") as file:
            return file.read(512)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"broken gzip ({error})", where=str(path), remedy="fetch or pack it again") from None
