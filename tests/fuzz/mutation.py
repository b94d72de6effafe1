"""Data changed at random, by its structure where it has one; the same seed gives the same bytes."""

from __future__ import annotations

import random

from fuzz import archives, json_trees, plain, xml_trees

#: The longest input that is made.
MOST = 1 << 18


def mutated(rng: random.Random, data: bytes) -> bytes:
    """The data with one to six changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = _changed(rng, data)
    return data[:MOST]


def _changed(rng: random.Random, data: bytes) -> bytes:
    if archives.is_archive(data):
        return archives.changed(rng, data, _changed)
    by_structure: bytes | None = None
    if rng.random() < 0.8:
        head = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        if head in (b"{", b"["):
            by_structure = json_trees.changed(rng, data) or json_trees.changed_line(rng, data)
        elif head == b"<":
            by_structure = xml_trees.changed(rng, data)
        elif data.count(b"\t") + data.count(b",") >= 3:
            by_structure = plain.fields(rng, data)
    if by_structure is not None:
        return by_structure
    return rng.choice((plain.tokens, plain.tokens, plain.lines, plain.some_bytes))(rng, data)
