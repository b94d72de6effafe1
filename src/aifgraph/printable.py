"""Text for a person: what would steer a terminal, or cannot be encoded, is shown instead of sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# Control characters but line breaks and tabs, the other ends of lines, what turns the order of reading round, and half
# surrogates.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

#: What a line for a person is cut to: an id or a name in it may be as long as its file.
MAX_LINE = 1_000

_HASH = re.compile(r"\b(?=[0-9a-f]*[0-9])[0-9a-f]{32,40}\b")


def printable(text: str) -> str:
    r"""Return a text with control characters as escapes; line breaks and tabs stay.

    >>> print(printable("a\x1b[2Jb\nc"))
    a\x1b[2Jb
    c
    """
    return _HIDDEN.sub(_escaped, text)


def printable_data(text: str) -> str:
    r"""Escape control characters as ``\uXXXX``, for data on a terminal: JSON keeps its values.

    >>> print(printable_data('{"text": "a\u202eb"}'))
    {"text": "a\u202eb"}
    """
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    r"""Return a text as one printable line; a very long one loses its middle.

    >>> one_line("two\n lines\x07"), len(one_line("x" * 20_000))
    ('two lines\\x07', 1000)
    """
    line = printable(" ".join(text.split()))
    if len(line) <= MAX_LINE:
        return line
    end = MAX_LINE // 4  # where messages say what to do
    return f"{line[: MAX_LINE - end - 3]} … {line[-end:]}"


def pluralize(number: int, things: str) -> str:
    """Return a number of things, given in the plural; for one, the first word in s becomes singular.

    >>> pluralize(1, "pairs"), pluralize(2, "pairs"), pluralize(1, "entries set aside"), pluralize(1, "labels of nodes")
    ('1 pair', '2 pairs', '1 entry set aside', '1 label of nodes')
    """
    if number == 1:
        things = re.sub(r"(ie)?s\b", lambda end: "y" if end[1] else "", things, count=1)
    return f"{number} {things}"


def listed(names: Iterable[object], most: int = 5, separator: str = ", ") -> str:
    """Return the first of some names, and how many more there are.

    >>> listed(["ann", "ben", "cleo"], 2)
    'ann, ben and 1 more'
    """
    known = list(map(str, names))
    more = f" and {len(known) - most} more" if known[most:] else ""
    return separator.join(known[:most]) + more


def enumerated(words: Sequence[str]) -> str:
    """Return words with commas, and ``and`` before the last.

    >>> enumerated(["ann", "ben", "cleo"]), enumerated(["ann"])
    ('ann, ben and cleo', 'ann')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def unhashed(text: str) -> str:
    """Cut names that are hashes (32 to 40 hexadecimal digits) to six digits, for people.

    >>> unhashed("c5d5c0ab645492b2e1bb677d96555e24: Less than 27,000")
    'c5d5c0…: Less than 27,000'
    """
    return _HASH.sub(lambda found: f"{found[0][:6]}…", text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shortened(text: str, length: int) -> str:
    """Return a text in one line, cut to a number of characters.

    >>> shortened("Masks  help\\neverybody", 12)
    'Masks help …'
    """
    plain = " ".join(text.split())
    return plain if len(plain) <= length else f"{plain[: length - 1]}…"
