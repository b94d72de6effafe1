"""The forms in which AIF tools write times, as ``datetime``. A zone is there only where the text names one.

SQL (``2019-03-06 14:31:23``), ISO 8601, JavaScript's date strings (``Thu Nov 11 2021 21:50:00 GMT+0000 (…)``), and Unix
time in seconds or milliseconds.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

_SCRIPT = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2} \d{1,2} \d{4} \d\d:\d\d:\d\d)(?: (?:GMT|UTC)([+-]\d{4})?)?")
_EPOCH = re.compile(r"-?\d{9,14}(?:\.\d+)?\Z")
#: Numbers of this size and more are milliseconds: as seconds they would be after the year 5000.
_MILLISECONDS = 10**11


def parse_time(text: str | None) -> datetime | None:
    """The moment that a text names, or None where it names none.

    >>> parse_time("2019-03-06 14:31:23")
    datetime.datetime(2019, 3, 6, 14, 31, 23)
    >>> parse_time("1636667400") == parse_time("Thu Nov 11 2021 21:50:00 GMT+0000 (Greenwich Mean Time)")
    True
    >>> parse_time("after the break") is None
    True
    """
    text = (text or "").strip()
    try:
        if _EPOCH.match(text):
            number = float(text)
            return datetime.fromtimestamp(number / 1000 if abs(number) >= _MILLISECONDS else number, UTC)
        script = _SCRIPT.match(text)
        if script:
            zone = script.group(2) or ("+0000" if "GMT" in text or "UTC" in text else "")
            return datetime.strptime(script.group(1) + zone, "%b %d %Y %H:%M:%S" + ("%z" if zone else ""))
        return datetime.fromisoformat(text) if text[:4].isdigit() and "-" in text else None
    except (ValueError, OverflowError, OSError):
        return None


def epoch_seconds(text: str | None) -> int | None:
    """Unix time of a text that names its zone (or is Unix time itself); None for any other: a zone is not invented.

    >>> epoch_seconds("2021-11-11T21:50:00+00:00"), epoch_seconds("2021-11-11 21:50:00")
    (1636667400, None)
    """
    moment = parse_time(text)
    return int(moment.timestamp()) if moment is not None and moment.tzinfo is not None else None
