"""Data of any syntax changed: rows by their fields, languages by their tokens, everything by lines and bytes."""

from __future__ import annotations

import random
import re

from fuzz.values import TOKENS, VALUES, encoded

_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")


def fields(rng: random.Random, data: bytes) -> bytes:
    """A table with one change: in a field, in the number of fields, or in the names of the columns."""
    lines = data.split(b"\n")
    separator = b"\t" if data.count(b"\t") >= data.count(b",") else b","
    at = 0 if rng.random() < 0.2 else rng.randrange(len(lines))
    row = lines[at].split(separator)
    cell = rng.randrange(len(row))
    kind = rng.randrange(6)
    if kind <= 1:
        row[cell] = encoded(rng.choice(VALUES))
    elif kind == 2:
        del row[cell]
    elif kind == 3:
        row.insert(cell, encoded(rng.choice(VALUES)))
    elif kind == 4:
        other = rng.choice(lines).split(separator)
        row[cell] = rng.choice(other)
    else:
        row[cell] = b'"' + row[cell] + rng.choice((b"", b'"', b'""', b"\r"))
    lines[at] = separator.join(row)
    return b"\n".join(lines)


def tokens(rng: random.Random, data: bytes) -> bytes:
    """One token changed, left out, repeated, moved, or put in from the vocabulary of a syntax."""
    found = _TOKEN.findall(data) or [b""]
    at = rng.randrange(len(found))
    kind = rng.randrange(7)
    if kind == 0:
        found[at] = encoded(rng.choice(VALUES))
    elif kind == 1:
        del found[at : at + rng.choice((1, 3, 20))]
    elif kind == 2:
        found[at] = found[rng.randrange(len(found))]
    elif kind == 3:
        found.insert(at, encoded(rng.choice(VALUES)))
    elif kind <= 5:
        found.insert(at, rng.choice(TOKENS).encode())
    else:
        end = min(len(found), at + rng.choice((1, 5, 30)))
        found[at:end] = found[at:end] * rng.choice((2, 3, 40))
    return b"".join(found)


def lines(rng: random.Random, data: bytes) -> bytes:
    """One line left out, repeated, joined with another, indented, or all of them in another order."""
    found = data.split(b"\n")
    at = rng.randrange(len(found))
    kind = rng.randrange(5)
    if kind == 0:
        del found[at]
    elif kind == 1:
        found.insert(at, found[rng.randrange(len(found))])
    elif kind == 2:
        found[at] = found[at] + found[rng.randrange(len(found))]
    elif kind == 3:
        found[at] = rng.choice((b" ", b"  ", b"\t", b"    " * 30)) + found[at]
    else:
        rng.shuffle(found)
    return b"\n".join(found)


def some_bytes(rng: random.Random, data: bytes) -> bytes:
    """The data cut, or with a byte changed or put in."""
    if not data:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(20)))
    at = rng.randrange(len(data))
    kind = rng.randrange(4)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at + rng.choice((1, 8, 64)) :]
    return data[:at] + rng.choice((b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\x1b")) + data[at:]
