"""What the two sides of a comparison are called: what tells their paths apart, unless they are given names."""

from __future__ import annotations

from itertools import zip_longest

from aifgraph.errors import OptionError

#: The most letters of a name.
MOST = 200


def told_apart(first: str, second: str) -> tuple[str, str]:
    """The ends of two paths from where they differ; what stands in folders above that is nobody's business.

    >>> told_apart("corpus/gold/map1.json", "corpus/system/map1.json")
    ('gold/map1.json', 'system/map1.json')
    >>> told_apart("a/gold/x/map1.json", "b/gold/x/map1.json")
    ('a/…/map1.json', 'b/…/map1.json')
    >>> told_apart("ann.json", "maps/ben.json"), told_apart("", "ben.json"), told_apart("a.json", "a.json")
    (('ann.json', 'ben.json'), ('the first map', 'ben.json'), ('a.json (first)', 'a.json (second)'))
    """
    parts = [[part for part in path.replace("\\", "/").split("/") if part not in ("", ".")] for path in (first, second)]
    pairs = zip_longest(*map(reversed, parts))
    depth = next((depth for depth, (one, other) in enumerate(pairs) if one != other), None)
    if depth is None:
        base = parts[0][-1] if parts[0] else ""
        return (f"{base} (first)", f"{base} (second)") if base else ("the first map", "the second map")
    names = [_from(own, depth) for own in parts]
    return names[0] or "the first map", names[1] or "the second map"


def _from(parts: list[str], depth: int) -> str:
    """The last part, behind the part ``depth`` above it."""
    if not parts or not depth or len(parts) <= depth:
        return parts[-1] if parts else ""
    between = "/…/" if depth > 1 else "/"
    return f"{parts[-1 - depth]}{between}{parts[-1]}"


def checked_names(first: object, second: object) -> tuple[str, str]:
    """Two names in one line each. Raises ``OptionError`` for an empty or equal or overlong name."""
    names = [" ".join(name.split()) if isinstance(name, str) else "" for name in (first, second)]
    if not all(names) or names[0] == names[1] or max(map(len, names)) > MOST:
        what = f"the names are {first!r} and {second!r}"[:200]
        raise OptionError(what, remedy=f"give two different names of 1 to {MOST} letters")
    return names[0], names[1]
