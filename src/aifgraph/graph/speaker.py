"""Speaker prefixes: the name before the first colon of a locution.

Transcripts write ``First Last: words`` and ``First Last : words``; the analyst's own copies put one more name in front.
Only the first prefix is taken off (docs/measures.md, section 0).
"""

from __future__ import annotations

import re

# 1 to 60 characters without colon or line break, a colon, and white space with something behind it.
_PREFIX = re.compile(r"([^:\n\r]{1,60}):\s+(?=\S)")


def speaker_prefix(text: str) -> str:
    """The speaker's name, or an empty string.

    >>> speaker_prefix("Ann Lee : Masks help"), speaker_prefix("at 10:30 we left"), speaker_prefix("Masks help")
    ('Ann Lee', '', '')
    """
    found = _PREFIX.match(text)
    return found.group(1).strip() if found else ""


def without_speaker(text: str) -> str:
    """What was said: the text without its first speaker prefix, stripped.

    >>> without_speaker("Carl: Ann: Masks help ")
    'Ann: Masks help'
    """
    found = _PREFIX.match(text)
    return (text[found.end() :] if found else text).strip()
