"""What a server says about when to come back: the header Retry-After, as seconds or as a date."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from email.utils import mktime_tz, parsedate_tz

#: A server that says a later time than a year from now says no time.
_LONGEST = 366 * 86_400.0


def seconds_to_wait(value: str | None) -> float | None:
    """The seconds from now that a Retry-After asks for; None where it is missing or says no time.

    >>> seconds_to_wait("30"), seconds_to_wait("Wed, 21 Oct 2015 07:28:00 GMT"), seconds_to_wait("soon")
    (30.0, 0.0, None)
    """
    if value is None:
        return None
    if re.fullmatch(r"\s*[0-9]+\s*", value):
        digits = value.strip().lstrip("0")
        return min(float(digits or 0), _LONGEST) if len(digits) < 20 else _LONGEST
    try:
        date = parsedate_tz(value)
        moment = None if date is None else mktime_tz(date)
    except (ValueError, OverflowError, TypeError, IndexError):  # a date that is none
        return None
    return None if moment is None else min(max(moment - time.time(), 0.0), _LONGEST)


def moment_after(seconds: float) -> str:
    """The moment so many seconds from now, as people write it.

    >>> moment_after(0).endswith("UTC")
    True
    """
    return f"{datetime.now(UTC) + timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S} UTC"
