"""What a lower package asks of a higher one.

A graph has ``to_networkx()``, a comparison ``to_html()``, and ``load`` takes addresses; what does these things lies
above graphs, comparisons and formats. So that no import points up, the façade (``aifgraph/__init__.py``) registers
each of them here by name, and it is imported when it is first called.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_places: dict[str, str] = {}


def register(places: Mapping[str, str]) -> None:
    """Say where functions are: ``module:function`` by the name that lower packages call them by."""
    _places.update(places)


def hook(name: str) -> Any:
    """The function registered under a name, imported now if it was not before."""
    module, _, attribute = _places[name].partition(":")
    return getattr(import_module(module), attribute)
