"""How many columns of a terminal a text takes: East Asian characters take two, combining marks none."""

from __future__ import annotations

import unicodedata


def width(text: str) -> int:
    """Columns of ``text``.

    >>> width("map"), width("论证"), width("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)
