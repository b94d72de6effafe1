"""Matrices, scores, agreement and resampling; most give a number, or an :class:`Estimate` that may be undefined."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that may be undefined.

    Attributes:
        value: the number; None where it is undefined.
        reason: why it is undefined; None where it is not.
    """

    value: float | None
    reason: str | None = None

    @classmethod
    def undefined(cls, reason: str) -> Estimate:
        """An estimate without a value.

        Args:
            reason: why there is none.

        Returns:
            The estimate.
        """
        return cls(None, reason)
