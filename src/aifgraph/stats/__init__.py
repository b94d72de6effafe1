"""Matrices, scores, agreement and resampling; most give a number, or an :class:`Estimate` that may be undefined."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, or None and the ``reason`` why it is undefined."""

    value: float | None
    reason: str | None = None

    @classmethod
    def undefined(cls, reason: str) -> Estimate:
        """An estimate without a value."""
        return cls(None, reason)
