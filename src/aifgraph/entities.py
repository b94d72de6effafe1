"""Character references (``&amp;``, ``&#233;``) as characters, however many digits they have."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

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


_REFERENCE = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text with its character references (those that end in a semicolon) as characters, and where things were in it.

    >>> text = decoded("so &#8212; he &quot;said&quot;")
    >>> text.text, text.place(10), text.place_before(4), text.place(4)
    ('so — he "said"', 4, 10, 3)
    """

    text: str
    _before: Sequence[tuple[int, int]] = ()
    _after: Sequence[tuple[int, int]] = ()

    def place(self, offset: int) -> int:
        """Where in the text an offset of the text before decoding is; inside a reference, the character's."""
        return _moved(offset, self._before, self._after)

    def place_before(self, offset: int) -> int:
        """Where an offset of this text was before decoding."""
        return _moved(offset, self._after, self._before)


def _moved(offset: int, here: Sequence[tuple[int, int]], there: Sequence[tuple[int, int]]) -> int:
    """An offset by the references (start, end) in the two forms of a text."""
    done = bisect_right(here, offset, key=lambda reference: reference[1])  # those that end in front of it
    if done < len(here) and here[done][0] < offset:
        return there[done][0]
    return offset + (there[done - 1][1] - here[done - 1][1] if done else 0)


def decoded(text: str) -> Decoded:
    """The text with its character references as characters; those that HTML does not know stay."""
    before: list[tuple[int, int]] = []
    after: list[tuple[int, int]] = []
    parts: list[str] = []
    read = length = 0
    for reference in _REFERENCE.finditer(text):
        character = unescape(reference[0])
        if character == reference[0]:
            continue
        length += reference.start() - read
        parts += [text[read : reference.start()], character]
        before.append(reference.span())
        after.append((length, length + len(character)))
        length += len(character)
        read = reference.end()
    return Decoded("".join([*parts, text[read:]]), before, after) if parts else Decoded(text)
