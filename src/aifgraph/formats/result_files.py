"""Results of ``compare --format json`` are read back: which kind of result a document is, checked by its model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from aifgraph.errors import FormatError
from aifgraph.formats.files import decode_strict, parse_json, read_bytes

if TYPE_CHECKING:
    from pydantic import BaseModel

    from aifgraph.formats.schemas.results import ComparisonResult, CorpusResult

#: The version of the results that are written. It grows when an earlier reader would misunderstand a result; further
#: fields alone do not raise it.
SCHEMA_VERSION: Final = 1

_AGAIN = "make it again: aifgraph compare … --format json -o RESULT.json"
_HEAD = re.compile(rb'\s*\{\s*"aifgraph"\s*:')
_LINES = re.compile(rb'\{"kind":"aifgraph results')
#: How much of a file is looked at to see what it is.
_PIECE = 4096


def is_result(path: Path) -> bool:
    """Whether a file begins as the JSON of a result does; what is in it, its reader checks."""
    return _begins(path, _HEAD)


def _begins(path: Path, head: re.Pattern[bytes]) -> bool:
    try:
        with path.open("rb") as file:
            return bool(head.match(file.read(_PIECE).removeprefix(b"\xef\xbb\xbf")))
    except (OSError, ValueError):
        return False


def is_lines(path: Path) -> bool:
    """Whether a file begins as a file of results (``--results``) does."""
    return _begins(path, _LINES)


def read_result(path: Path) -> dict[str, Any]:
    """The document in a file of results, not checked yet.

    Raises:
        NoSuchFileError: there is no such file. FormatError: it holds no JSON object.
    """
    try:
        document = parse_json(decode_strict(read_bytes(path), str(path)), str(path))
    except FormatError as error:
        error.remedy = _AGAIN
        raise
    if not isinstance(document, dict):
        raise FormatError("no result of a comparison", where=str(path), remedy=_AGAIN)
    return document


def is_corpus_result(document: Mapping[str, Any]) -> bool:
    """Whether a document is the result of comparing two corpora."""
    return "macro" in document or isinstance(document.get("pairs"), list)


def checked_comparison(document: Mapping[str, Any]) -> ComparisonResult:
    """The document as the model of a comparison. Raises ``FormatError`` where it is none."""
    from aifgraph.formats.schemas.results import ComparisonResult

    return _checked(document, ComparisonResult)


def checked_corpus(document: Mapping[str, Any]) -> CorpusResult:
    """The document as the model of a comparison of corpora. Raises ``FormatError`` where it is none."""
    from aifgraph.formats.schemas.results import CorpusResult

    return _checked(document, CorpusResult)


Model = TypeVar("Model", bound="BaseModel")


def _checked(document: Mapping[str, Any], model: type[Model]) -> Model:
    from pydantic import ValidationError

    _check_version(document)
    try:
        # Strictly: "3" is no count. By way of JSON, where a list is all there is for a tuple.
        return model.model_validate_json(json.dumps(document), strict=True)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, problem["loc"]))
        what = f"a damaged result: {place or 'the document'}: {problem['msg']}"
        raise FormatError(what[:300], remedy=_AGAIN) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise FormatError(f"a damaged result: {error}"[:300], remedy=_AGAIN) from None


def _check_version(document: object) -> None:
    if not isinstance(document, Mapping) or "aifgraph" not in document:
        raise FormatError("no result of a comparison", remedy=_AGAIN)
    if "summary" in document and "maps" in document:
        raise FormatError("the result of a check, not of a comparison", remedy=_AGAIN)
    version = document.get("schema_version")
    if version is None:
        by = str(document["aifgraph"])[:40]
        raise FormatError(f"a result of aifgraph {by}, which wrote no version of results", remedy=_AGAIN)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FormatError(f"a damaged result: schema_version is {version!r}"[:200], remedy=_AGAIN)
    if version > SCHEMA_VERSION:
        by = str(document["aifgraph"])[:40]
        what = f"a result of a later aifgraph ({by}; its results have version {version}, here {SCHEMA_VERSION})"
        raise FormatError(what, remedy="install that version")
