"""The line under a result from which its numbers can be had again.

>>> signature("arct.significance", rounds=10000, seed=1).rpartition("|version:")[0]
'arct.significance|rounds:10000|seed:1'
"""

from __future__ import annotations


def signature(measure: str, **options: object) -> str:
    """``measure|option:value|…|version:…``: every option that changes a number; ``None`` is "none"."""
    from aifgraph.version import __version__

    parts = [f"{name}:{'none' if value is None else value}" for name, value in options.items()]
    return "|".join([measure, *parts, f"version:{__version__}"])
