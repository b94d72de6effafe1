"""Character references (``&amp;``, ``&#233;``) as characters, however many digits they have."""

from __future__ import annotations

import html
import re

# Beyond Unicode; Python refuses to read numbers of thousands of digits.
_TOO_LARGE = re.compile(r"&#(?:[xX]0*[1-9a-fA-F][0-9a-fA-F]{7,}|0*[1-9][0-9]{9,});?")
_ZEROS = re.compile(r"&#([xX]?)0{9,}")


def unescape(text: str) -> str:
    """The text with its character references replaced, as HTML does it; what is beyond Unicode is U+FFFD.

    >>> unescape("a &lt; b"), unescape("&#" + "1" * 5000 + ";") == "\\ufffd"
    ('a < b', True)
    """
    return html.unescape(bounded(text)) if "&" in text else text


def bounded(text: str) -> str:
    """The text with its numeric references short enough for Python to read."""
    if "&#" not in text:
        return text
    return _ZEROS.sub(r"&#\g<1>0", _TOO_LARGE.sub("\ufffd", text))
