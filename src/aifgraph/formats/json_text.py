"""Reading JSON that was written by many hands: text before the first brace, error sentences, nesting without end."""

from __future__ import annotations

import json
import re
from typing import Any

from aifgraph.errors import FormatError, LimitError

_REMEDY = "give AIF JSON, as AIFdb or OVA write it"


def parse_json(text: str, name: str) -> Any:
    """The JSON value in ``text``. Something in front of the first ``{`` (servers put warnings there) is passed over.

    Raises ``FormatError`` with line and column, ``LimitError`` where it is nested too deeply.

    >>> parse_json('Warning: old server {"nodes": []}', "map.json")
    {'nodes': []}
    """
    start = text.lstrip("\ufeff \t\r\n")
    if not start:
        raise FormatError("an empty file", where=name, remedy=_REMEDY)
    try:
        return json.loads(start)
    except RecursionError:
        raise LimitError("JSON nested too deeply", where=name, remedy=_REMEDY) from None
    except json.JSONDecodeError as error:
        return _second_look(text, start, name, error)
    except ValueError as error:  # a number of thousands of digits
        raise LimitError(str(error).split(";")[0], where=name, remedy=_REMEDY) from None


def json_text(value: object, *, indent: int | None = 1) -> str:
    """A value as JSON that people can read, ending in a line break; in ASCII where it holds half surrogates, which no
    file can hold otherwise."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if re.search("[\ud800-\udfff]", text):
        text = json.dumps(value, indent=indent)
    return text + "\n"


def _second_look(text: str, start: str, name: str, error: json.JSONDecodeError) -> Any:
    """What the text is if it is not JSON from its first character on."""
    if start[0] not in "{[":
        if start[:400].lower().startswith(("<!doctype", "<html", "<?xml", "<head", "<body")):
            raise FormatError("an HTML or XML page where JSON was expected", where=name, remedy=_REMEDY)
        brace = start.find("{")
        if brace > 0:
            try:
                return json.loads(start[brace:])
            except RecursionError:
                raise LimitError("JSON nested too deeply", where=name, remedy=_REMEDY) from None
            except ValueError:
                pass
        if "no such" in start[:200].lower():
            raise FormatError(f"the server's answer instead of a map: {start[:80].strip()}", where=name)
    cut = " (the file seems to be cut off)" if error.pos >= len(start.rstrip()) else ""
    shift = text.find(start)
    line = text.count("\n", 0, shift + error.pos) + 1
    column = shift + error.pos - text.rfind("\n", 0, shift + error.pos)
    raise FormatError(
        f"not JSON: {error.msg}{cut}", where=f"{name}, line {line}, column {column}", remedy=_REMEDY
    ) from None
