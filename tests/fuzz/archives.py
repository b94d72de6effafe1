"""Zip archives changed by their structure: a member's name, content or number, or the bytes of the whole."""

from __future__ import annotations

import io
import random
import warnings
import zipfile
from collections.abc import Callable

from fuzz.plain import some_bytes
from fuzz.values import TEXTS

Member = tuple[str, bytes]


def is_archive(data: bytes) -> bool:
    """Whether ``changed`` knows its structure."""
    return data.startswith(b"PK\x03\x04")


def changed(rng: random.Random, data: bytes, inner: Callable[[random.Random, bytes], bytes]) -> bytes:
    """The archive with one change, in a member by ``inner`` or around it."""
    if rng.random() < 0.3:
        return some_bytes(rng, data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # damaged by an earlier change: zipfile raises many things
        return some_bytes(rng, data)
    if not members:
        return zipped([("a.json", b"{}")])
    at = rng.randrange(len(members))
    name, content = members[at]
    kind = rng.randrange(6)
    if kind <= 2:
        members[at] = (name, inner(rng, content))
    elif kind == 3:
        name = rng.choice((rng.choice(TEXTS), f"../{name}", f"/{name}", f"{'d/' * 200}{name}", name.upper()))
        members[at] = (name.replace("\0", "").encode("utf-8", "replace").decode()[:1000] or "x", content)
    elif kind == 4:
        del members[at]
    else:
        members.append(members[at])
    return zipped(members, rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)))


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
