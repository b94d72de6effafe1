"""Files changed at random, by their structure where they have one; the same seed gives the same bytes."""

from __future__ import annotations

import json
import random
import re
from typing import Any

#: Values that readers have tripped over.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1.5, 2**31, 2**63, 2**64, 10**400, -(10**30), 1e308, float("inf"), float("nan")),
    *("", " ", "\0", "\n", "\r\n", "\ud800", "\udfff x", "\ufeff", "\x1b[2J", "\u202e", "é" * 300, "x" * 5000),
    *("&#" + "1" * 5000 + ";", "&#xffffffff;", "<a ", "<!--", "<![CDATA[", "]]>", "<br>", "&lt;", "%s%n", "{}", "[]"),
    *(
        "=1+1",
        "../../etc/passwd",
        "/dev/null",
        "a/b\\c",
        "I",
        "RA",
        "CA",
        "MA",
        "YA",
        "TA",
        "L",
        "PA",
        "1",
        "01",
        "1.0",
    ),
    *([], {}, [[]], [None], [0], {"": None}, {"nodes": {}}, {"text": []}, [{}], "9" * 4400, "T25:61", "2020-13-45"),
)
_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")


def mutated(rng: random.Random, data: bytes) -> bytes:
    """The data with one to six changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        if data[:1] in (b"{", b"[") and rng.random() < 0.85:
            try:
                value = json.loads(data)
            except (ValueError, RecursionError):
                pass
            else:
                data = json.dumps(_in_tree(rng, value)).encode()
                continue
        change = rng.choice((_tokens, _tokens, _lines, _bytes))
        data = change(rng, data)
    return data[: 1 << 18]


def _in_tree(rng: random.Random, value: Any) -> Any:
    """The JSON value with one place changed: another value, left out, repeated, renamed or moved."""
    places: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        here = stack.pop()
        pairs = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        for key, inner in pairs:
            places.append((here, key))
            stack.append(inner)
    if not places:
        return rng.choice(VALUES)
    home, key = rng.choice(places)
    other_home, other_key = rng.choice(places)
    kind = rng.randrange(6)
    if kind <= 1:
        home[key] = rng.choice(VALUES)
    elif kind == 2:
        del home[key]
    elif kind == 3:
        copied = json.loads(json.dumps(other_home[other_key]))
        home[key] = copied
    elif kind == 4 and isinstance(home, list):
        home.extend(json.loads(json.dumps([home[key]] * rng.choice((1, 2, 50)))))
    elif isinstance(home, dict):
        home[str(rng.choice(VALUES))] = home.pop(key)
    if kind == 5 and rng.random() < 0.1:
        nested: Any = home[rng.choice(list(home))] if isinstance(home, dict) else home
        for _ in range(rng.choice((5, 200))):
            nested = [json.loads(json.dumps(nested))] if rng.random() < 0.5 else {"nodes": nested}
        return nested
    return value


def _encoded(value: Any) -> bytes:
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


def _tokens(rng: random.Random, data: bytes) -> bytes:
    tokens = _TOKEN.findall(data) or [b""]
    at = rng.randrange(len(tokens))
    kind = rng.randrange(5)
    if kind == 0:
        tokens[at] = _encoded(rng.choice(VALUES))
    elif kind == 1:
        del tokens[at : at + rng.choice((1, 3, 20))]
    elif kind == 2:
        tokens[at] = tokens[rng.randrange(len(tokens))]
    elif kind == 3:
        tokens.insert(at, _encoded(rng.choice(VALUES)))
    else:
        end = min(len(tokens), at + rng.choice((1, 5, 30)))
        tokens[at:end] = tokens[at:end] * rng.choice((2, 3, 40))
    return b"".join(tokens)


def _lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    kind = rng.randrange(4)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[rng.randrange(len(lines))])
    elif kind == 2:
        lines[at] = lines[at] + lines[rng.randrange(len(lines))]
    else:
        rng.shuffle(lines)
    return b"\n".join(lines)


def _bytes(rng: random.Random, data: bytes) -> bytes:
    if not data:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(20)))
    at = rng.randrange(len(data))
    kind = rng.randrange(3)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    return data[:at] + rng.choice((b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\x1b")) + data[at:]
