"""What other packages add, by entry points: formats, rules, measures and similarities (docs/extend.md).

Looking through what is installed takes its time, so it is done once a group, and only when the group is asked for.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from aifgraph.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Group = Literal["aifgraph.formats", "aifgraph.rules", "aifgraph.measures", "aifgraph.similarities"]


@cache
def _points(group: Group) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in sorted(entry_points(group=group), key=lambda point: point.name)}


def plugin_names(group: Group) -> tuple[str, ...]:
    """The names that installed packages have in a group, in alphabetical order."""
    return tuple(_points(group))


@cache
def plugin(group: Group, name: str) -> Any:
    """What a name of a group stands for; ``InputError`` names the package that cannot be imported."""
    point = _points(group)[name]
    try:
        return point.load()
    except Exception as error:  # a plugin may raise whatever it likes
        package = point.dist.name if point.dist else point.value
        what = f"{name} of {group} cannot be loaded: {type(error).__name__}: {str(error)[:120]}"
        raise InputError(what, where=f"package {package}", remedy="repair or uninstall that package") from error
