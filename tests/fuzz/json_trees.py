"""JSON changed by its structure: one place gets another value, is left out, repeated, renamed, moved or nested."""

from __future__ import annotations

import json
import random
from typing import Any

from fuzz.values import VALUES, value


def changed(rng: random.Random, data: bytes) -> bytes | None:
    """The document with one change; None where the data is no JSON."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return json.dumps(_in_tree(rng, document)).encode()


def changed_line(rng: random.Random, data: bytes) -> bytes | None:
    """JSON lines with a change in one of them."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    line = changed(rng, lines[at])
    return None if line is None else b"\n".join([*lines[:at], line, *lines[at + 1 :]])


def _in_tree(rng: random.Random, document: Any) -> Any:
    places: list[tuple[Any, Any]] = []
    stack = [document]
    while stack:
        here = stack.pop()
        pairs = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        for key, inner in pairs:
            places.append((here, key))
            stack.append(inner)
    if not places:
        return value(rng)
    home, key = rng.choice(places)
    other_home, other_key = rng.choice(places)
    kind = rng.randrange(7)
    if kind <= 1:
        home[key] = value(rng)
    elif kind == 2:
        del home[key]
    elif kind == 3:
        home[key] = _copy(other_home[other_key])
    elif kind == 4 and isinstance(home, list):
        home.extend(_copy([home[key]] * rng.choice((1, 2, 50))))
    elif kind == 5 and rng.random() < 0.2:
        home[key] = _nested(rng, home[key])
    elif isinstance(home, dict):
        new = rng.choice(VALUES) if rng.random() < 0.5 else other_key
        home[str(new)] = home.pop(key)
    else:
        home.insert(rng.randrange(len(home) + 1), home.pop(key))
    return document


def _nested(rng: random.Random, inner: Any) -> Any:
    for _ in range(rng.choice((5, 200))):
        inner = [inner] if rng.random() < 0.5 else {"nodes": inner}
    return inner


def _copy(document: Any) -> Any:
    return json.loads(json.dumps(document))
