"""Times as argument maps write them: SQL, ISO 8601, seconds since 1970, and JavaScript's dates."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_SQL = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$")
_JS = re.compile(r"(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) (\d{1,2}) (\d{4}) (\d\d:\d\d:\d\d)(?: GMT([+-]\d{4}))?")


def moment(text: str | None) -> datetime | None:
    """The moment that a text names, with UTC where it names no zone; None where it cannot be read.

    >>> moment("2020-05-28 19:08:31").isoformat(), moment("1590692911").isoformat()
    ('2020-05-28T19:08:31+00:00', '2020-05-28T19:08:31+00:00')
    >>> moment("Thu May 28 2020 20:08:31 GMT+0100 (British Summer Time)").isoformat(), moment("at dawn")
    ('2020-05-28T20:08:31+01:00', None)
    """
    given = (text or "").strip()
    if not given.isascii():
        return None
    try:
        if given.isdigit():
            # Milliseconds where seconds would be beyond the year 5000.
            seconds = int(given) / 1000 if len(given) > 11 else int(given)
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        if found := _SQL.match(given):
            zone = (found[3] or "Z").replace("Z", "+00:00")
            return datetime.fromisoformat(f"{found[1]}T{found[2] or '00:00'}{zone}")
        if found := _JS.match(given):
            day = f"{found[1]} {found[2]} {found[3]} {found[4]} {found[5] or '+0000'}"
            return datetime.strptime(day, "%b %d %Y %H:%M:%S %z")
    except (ValueError, OverflowError):
        return None
    return None
