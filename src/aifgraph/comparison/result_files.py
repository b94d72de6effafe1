"""Results of ``compare --format json`` are read back: which kind of result a file holds, and whether it is whole."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from aifgraph.errors import FormatError
from aifgraph.files import decode_strict, parse_json, read_bytes

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")

#: What to do about a result that cannot be read.
REMEDY: Final = "make it again: aifgraph compare … -o RESULT.json"
_HEAD = re.compile(rb'\s*\{\s*"aifgraph"\s*:')
_LINES = re.compile(rb'\{"kind":"aifgraph results"')
#: How much of a file is looked at to see what it is.
_PIECE = 4096


def is_result(path: Path) -> bool:
    """Whether a file begins as the JSON of a result does; what is in it, its reader checks."""
    return _begins(path, _HEAD)


def is_lines(path: Path) -> bool:
    """Whether a file begins as a file of results (``--resume``) does."""
    return _begins(path, _LINES)


def _begins(path: Path, head: re.Pattern[bytes]) -> bool:
    try:
        with path.open("rb") as file:
            return bool(head.match(file.read(_PIECE).removeprefix(b"\xef\xbb\xbf")))
    except (OSError, ValueError):
        return False


def read_result(path: Path) -> dict[str, Any]:
    """Return the document in a file of results, not checked yet.

    Raises:
        NoSuchFileError: there is no such file. FormatError: it holds no JSON object.
    """
    try:
        document = parse_json(decode_strict(read_bytes(path), str(path)), str(path))
    except FormatError as error:
        error.remedy = REMEDY
        raise
    if not isinstance(document, dict):
        raise FormatError("no result of a comparison", where=str(path), remedy=REMEDY)
    return document


def is_corpus_result(document: Mapping[str, Any]) -> bool:
    """Whether a document is the result of comparing two corpora."""
    return "macro" in document or isinstance(document.get("pairs"), list)


def check_kind(document: object) -> None:
    """Raise ``FormatError`` for what is no result of a comparison."""
    if not isinstance(document, Mapping) or "aifgraph" not in document:
        raise FormatError("no result of a comparison", remedy=REMEDY)
    if "summary" in document and "maps" in document:
        raise FormatError("the result of a check, not of a comparison", remedy=REMEDY)


def damaged(what: str) -> FormatError:
    """Return the error for a damaged result."""
    return FormatError(f"a damaged result: {what}"[:300], remedy=REMEDY)


def validated(adapter: TypeAdapter[T], document: Mapping[str, Any] | bytes) -> T:
    """Return what the adapter reads from a document or a line of JSON; ``FormatError`` if it is damaged."""
    from pydantic import ValidationError

    try:
        # Strictly: "3" is no count. By way of JSON, where a list is all there is for a tuple.
        text = document if isinstance(document, bytes) else json.dumps(document)
        return adapter.validate_json(text, strict=True)
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(map(str, first["loc"])) or "the document"
        more = f", and {len(others)} more" if others else ""
        raise damaged(f"{place}: {first['msg']}{more}") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise damaged(str(error)) from None
