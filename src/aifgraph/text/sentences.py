"""Sentences of a plain text, by a rule that needs no model.

A sentence ends after ``.``, ``!``, ``?`` or ``…`` (with the quotes and brackets that close there) if white space
follows and the next word does not start with a small letter; after ``。``, ``！`` or ``？`` without more; at a blank
line; and where the next line begins with a speaker's name and a colon. A full stop after one letter
(``J. Smith``) or a common abbreviation (``Dr.``, ``e.g.``) ends none. The rule makes mistakes: it is there to make
units for trivial systems, not to be studied.
"""

from __future__ import annotations

import re
from itertools import pairwise

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”’）]*|\n\s*\n|\n(?=[ \t]*[A-Z][\w.' -]{0,40}:\s)")
_SHORT = re.compile(
    r"(?:approx|cf|co|dr|e\.g|etc|fig|gen|gov|i\.e|inc|jr|ltd|mrs?|ms|prof|rep|sen|sr|st|vol|vs|(?:\w\.)*[a-z])",
    re.I,
)
_LAST_WORD = re.compile(r"([\w.]+)\.$")


def sentences(text: str) -> list[tuple[int, int]]:
    """The characters (start, end) of each sentence, without the white space around it.

    >>> text = "Dr. Lee came. “Why?” she asked. No answer"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Lee came.', '“Why?” she asked.', 'No answer']
    """
    cuts = [0]
    cuts += [end.end() for end in _END.finditer(text) if _ends(text, cuts[-1], end)]
    found = []
    for start, stop in pairwise([*cuts, len(text)]):
        inner = text[start:stop].strip()
        if any(char.isalnum() for char in inner):
            begin = start + text[start:stop].index(inner)
            found.append((begin, begin + len(inner)))
    return found


def _ends(text: str, start: int, end: re.Match[str]) -> bool:
    if end.group()[0] not in ".!?…":
        return True
    following = text[end.end() : end.end() + 200].lstrip()
    if following and following[0].islower():
        return False
    # A word is short: what lies further back than this cannot be an abbreviation.
    word = _LAST_WORD.search(text[max(start, end.start() - 20) : end.start() + 1]) if end.group() == "." else None
    return word is None or not _SHORT.fullmatch(word[1])
