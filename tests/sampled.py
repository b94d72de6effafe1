"""Tests over real maps take every so-manieth of them, so that CI stays short; ``AIFGRAPH_LONG=1`` takes all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

import pytest

Item = TypeVar("Item")
LONG = bool(os.environ.get("AIFGRAPH_LONG"))
#: What takes long, and shows once more in size what CI shows in little.
at_night = pytest.mark.skipif(not LONG, reason="takes long: AIFGRAPH_LONG=1")


def some_of(items: Iterable[Item], every: int = 10) -> list[Item]:
    """Every tenth item, or what ``every`` says; all of them in a long run."""
    return list(items)[:: 1 if LONG else every]
