"""Text for a person: what would steer a terminal, or cannot be encoded, is shown instead of sent."""

from __future__ import annotations

import codecs
import re

# Control characters but line breaks and tabs, what turns the order of reading round, and half surrogates.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

#: The name of the error handler that writes what an encoding lacks as ``\uXXXX``, as JSON has it.
ESCAPE = "aifgraph-escape"


def printable(text: str) -> str:
    r"""The text with control characters as escapes; line breaks and tabs stay.

    >>> print(printable("a\x1b[2Jb\nc"))
    a\x1b[2Jb
    c
    """
    return _HIDDEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)), error.end


codecs.register_error(ESCAPE, _replace)
