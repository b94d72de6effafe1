"""What a conversion could not keep: every kind of thing, and how often.

>>> report = LossReport({"locutions": 3}) + LossReport({"locutions": 1, "timestamps": 2})
>>> print(report)
lost: 4 locutions, 2 timestamps
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LossReport:
    """Counts by kind (``locutions``, ``illocutions``, ``edge ids`` …); false where nothing was lost."""

    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, kinds: Iterable[tuple[str, int]]) -> LossReport:
        """From pairs of kind and number, leaving out what did not occur."""
        return cls({kind: number for kind, number in kinds if number})

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def __add__(self, other: LossReport) -> LossReport:
        kinds = [*self.counts, *(kind for kind in other.counts if kind not in self.counts)]
        return LossReport({kind: self.counts.get(kind, 0) + other.counts.get(kind, 0) for kind in kinds})

    def __str__(self) -> str:
        if not self:
            return "lost: nothing"
        return "lost: " + ", ".join(f"{number} {kind}" for kind, number in self.counts.items() if number)
