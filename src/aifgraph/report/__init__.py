"""Comparisons and maps as pages, and their numbers as pictures (``plots``, imported when it is first used)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aifgraph.report import plots as plots

else:

    def __getattr__(name: str) -> Any:
        if name == "plots":
            return import_module("aifgraph.report.plots")
        raise AttributeError(f"module 'aifgraph.report' has no attribute {name!r}; it has plots (heatmap …)")
