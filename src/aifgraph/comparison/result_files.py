"""Files of results: what they begin with, and reading what is in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from aifgraph.errors import FormatError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")

_REMEDY: Final = "make it again: aifgraph compare … -o RESULT.json, or --resume RUN.jsonl for corpora"
_RESULT: Final = re.compile(rb'\s*\{\s*"aifgraph"\s*:')
_RUN: Final = re.compile(rb'\{"kind":"aifgraph results"')


def is_result(path: Path) -> bool:
    """Whether a file begins as the JSON of a result does; what is in it, its reader checks."""
    return _begins(path, _RESULT)


def is_run(path: Path) -> bool:
    """Whether a file begins as the lines of a run (``--resume``) do."""
    return _begins(path, _RUN)


def _begins(path: Path, head: re.Pattern[bytes]) -> bool:
    try:
        with path.open("rb") as file:
            return bool(head.match(file.read(4096)))
    except (OSError, ValueError):
        return False


def validated(adapter: TypeAdapter[T], document: Mapping[str, Any] | bytes) -> T:
    """Return a document, or a line of JSON, as what the adapter makes of it.

    Raises:
        FormatError: it is damaged, or something else.
    """
    from pydantic import ValidationError

    try:
        # Strictly: "3" is no count. By way of JSON, where a list is all there is for a tuple.
        text = document if isinstance(document, bytes) else json.dumps(document)
        return adapter.validate_json(text, strict=True)
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(map(str, first["loc"])) or "the document"
        what = f"{place}: {first['msg']}{f', and {len(others)} more' if others else ''}"
    except (ValueError, TypeError, RecursionError) as error:
        what = str(error)
    raise FormatError(f"no result, or a damaged one: {what}"[:300], remedy=_REMEDY)
