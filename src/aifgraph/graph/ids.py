"""New ids that continue those of a graph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import count


class NewIds:
    """Ids that continue the first ones.

    >>> ids = NewIds(["a1", "a4", "root"])
    >>> ids.next(), ids.next()
    ('a5', 'a6')
    >>> NewIds(["10_3f9", "11_3f9"]).next(), NewIds([]).next()
    ('12_3f9', '1')
    """

    #: A number with what AIFdb, OVA3 and others put around it: ``12``, ``a12``, ``12_3f9``.
    _NUMBERED = re.compile(r"(\D*)(\d{1,18})(_\w*)?", re.ASCII)

    def __init__(self, ids: Iterable[str]) -> None:
        self._first = tuple(ids)
        self.taken = set(self._first)
        self._form = ("", "")
        self._last = 0

    def next(self) -> str:
        """Return an id that was not there before."""
        if not self._last:
            self._form, self._last = self._most_common_form()
        prefix, suffix = self._form
        self._last = next(number for number in count(self._last + 1) if f"{prefix}{number}{suffix}" not in self.taken)
        id_ = f"{prefix}{self._last}{suffix}"
        self.taken.add(id_)
        return id_

    def _most_common_form(self) -> tuple[tuple[str, str], int]:
        """Return what stands around the numbers of most ids, and the highest of these numbers."""
        matches = [match for id_ in self._first if (match := self._NUMBERED.fullmatch(id_))]
        forms = Counter((match[1], match[3] or "") for match in matches)
        form = max(forms, key=lambda form: (forms[form], form == ("", ""), form), default=("", ""))
        if 3 * forms[form] < len(self._first):
            form = ("", "")
        return form, max((int(match[2]) for match in matches if (match[1], match[3] or "") == form), default=0)
