"""Archives changed by their structure: a member's name, content, kind or number, or the bytes of the whole."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Callable

from fuzz.plain import some_bytes
from fuzz.values import TEXTS

Member = tuple[str, bytes]
_KINDS = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE)


def changed(rng: random.Random, data: bytes, inner: Callable[[random.Random, bytes], bytes]) -> bytes | None:
    """The archive with one change, in a member by ``inner`` or around it; None where the data is no archive."""
    if rng.random() < 0.3:
        return some_bytes(rng, data)
    if data[:4] == b"PK\x03\x04":
        return _zip(rng, data, inner)
    for head, (packing, unpack) in _PACKED.items():
        if data.startswith(head):
            return _tar(rng, data, packing, inner) or _packed(rng, data, packing, unpack, inner)
    return None


_PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda raw: gzip.compress(raw, mtime=0),
    "bz2": bz2.compress,
    "xz": lzma.compress,
}
_PACKED: dict[bytes, tuple[str, Callable[[bytes], bytes]]] = {
    b"\x1f\x8b": ("gz", gzip.decompress),
    b"BZh": ("bz2", bz2.decompress),
    b"\xfd7zXZ\0": ("xz", lzma.decompress),
}


def _packed(
    rng: random.Random,
    data: bytes,
    packing: str,
    unpack: Callable[[bytes], bytes],
    inner: Callable[[random.Random, bytes], bytes],
) -> bytes | None:
    try:
        return _PACK[packing](inner(rng, unpack(data)))
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):  # damaged by an earlier change
        return None


def is_archive(data: bytes) -> bool:
    """Whether ``changed`` knows its structure."""
    return data.startswith((b"PK\x03\x04", *_PACKED))


def zipped(members: list[Member], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive, the same bytes every time."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        warnings.simplefilter("ignore")  # two members of one name are wanted
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            archive.writestr(info, data)
    return file.getvalue()


def tarred(members: list[Member], packing: str, kind: bytes = tarfile.REGTYPE, at: int = -1) -> bytes:
    """A packed tar archive, the member ``at`` of another kind."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:") as archive:
        for number, (name, data) in enumerate(members):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if number == at:
                info.type, info.linkname, info.size = kind, members[0][0], 0
            archive.addfile(info, io.BytesIO(data) if info.isreg() else None)
    return _PACK[packing](file.getvalue())


def _zip(rng: random.Random, data: bytes, inner: Callable[[random.Random, bytes], bytes]) -> bytes | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # damaged by an earlier change: zipfile raises many things
        return None
    method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    made = zipped(_members(rng, members, inner), method)
    return some_bytes(rng, made) if method == zipfile.ZIP_LZMA and rng.random() < 0.5 else made


def _tar(rng: random.Random, data: bytes, packing: str, inner: Callable[[random.Random, bytes], bytes]) -> bytes | None:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode=f"r:{packing}") as archive:
            files = [info for info in archive.getmembers() if info.isreg()]
            members = [(info.name, archive.extractfile(info).read()) for info in files]
    except Exception:  # packed, but no tar; or damaged by an earlier change
        return None
    changed_members = _members(rng, members, inner)
    at = rng.randrange(len(changed_members) + 3) if changed_members else -1
    return tarred(changed_members, packing, rng.choice(_KINDS), at)


def _members(rng: random.Random, members: list[Member], inner: Callable[[random.Random, bytes], bytes]) -> list[Member]:
    if not members:
        return [("a.json", b"{}")]
    at = rng.randrange(len(members))
    name, data = members[at]
    kind = rng.randrange(6)
    if kind <= 2:
        members[at] = (name, inner(rng, data))
    elif kind == 3:
        name = rng.choice((rng.choice(TEXTS), f"../{name}", f"/{name}", f"{'d/' * 200}{name}", name.upper()))
        members[at] = (name.replace("\0", "").encode("utf-8", "replace").decode()[:1000] or "x", data)
    elif kind == 4:
        del members[at]
    else:
        members.append(members[at])
    return members
