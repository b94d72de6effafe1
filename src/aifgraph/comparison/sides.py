"""The two sides of a comparison: what they are called, how much of each takes part, and what it hashes to."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from typing import Annotated, Literal, NamedTuple

from annotated_types import Ge, Le

from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph, SourceText

#: Counts are summed and divided: what a float cannot hold exactly is none.
Count = Annotated[int, Ge(0), Le(2**53)]

#: The most letters of a name.
MAX_NAME = 200
#: Digits of a hash: enough to tell maps apart, short enough for a signature.
HASH_DIGITS = 16


class PairNames(NamedTuple):
    """What the two maps of a pair are called: of two corpora, each as its corpus calls it."""

    first: str
    second: str

    @property
    def shown(self) -> str:
        """The name that both have, or both names; for people, not a key: ``a ~ b`` may be the name of a map."""
        return self.first if self.first == self.second else f"{self.first} ~ {self.second}"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two analyses: where it is from, whose text it has, and how much of it takes part.

    ``source`` is the path; ``name`` a given name, or what tells the two paths apart. ``placed`` counts the units whose
    place in the text is known, ``reconstructed`` the propositions that the analyst wrote and nobody said. ``sha256`` is
    of the map as it was read, and of its text (16 digits).
    """

    source: str
    name: str
    text: Literal["given", "embedded", "shared", "none"]
    propositions: Count
    locutions: Count
    units: Count
    placed: Count
    sha256: str
    reconstructed: Count = 0


def told_apart(first: str, second: str) -> PairNames:
    """The ends of two paths from where they differ; what stands in folders above that is nobody's business.

    >>> tuple(told_apart("corpus/gold/map1.json", "corpus/system/map1.json"))
    ('gold/map1.json', 'system/map1.json')
    >>> tuple(told_apart("a/gold/x/map1.json", "b/gold/x/map1.json"))
    ('a/…/map1.json', 'b/…/map1.json')
    >>> tuple(told_apart("", "ben.json")), tuple(told_apart("a.json", "a.json"))
    (('the first map', 'ben.json'), ('a.json (first)', 'a.json (second)'))
    """
    parts = [[part for part in path.replace("\\", "/").split("/") if part not in ("", ".")] for path in (first, second)]
    pairs = zip_longest(*map(reversed, parts))
    depth = next((depth for depth, (one, other) in enumerate(pairs) if one != other), None)
    if depth is None:
        base = parts[0][-1] if parts[0] else ""
        names = (f"{base} (first)", f"{base} (second)") if base else ("the first map", "the second map")
        return PairNames(*names)
    one, other = (_from(own, depth) for own in parts)
    return PairNames(one or "the first map", other or "the second map")


def _from(parts: list[str], depth: int) -> str:
    """The last part, behind the part ``depth`` above it."""
    if not parts or not depth or len(parts) <= depth:
        return parts[-1] if parts else ""
    between = "/…/" if depth > 1 else "/"
    return f"{parts[-1 - depth]}{between}{parts[-1]}"


def checked_names(first: object, second: object) -> PairNames:
    """Two names in one line each. Raises ``OptionError`` for an empty or equal or overlong name."""
    names = [" ".join(name.split()) if isinstance(name, str) else "" for name in (first, second)]
    if not all(names) or names[0] == names[1] or max(map(len, names)) > MAX_NAME:
        what = f"the names are {first!r} and {second!r}"[:200]
        raise OptionError(what, remedy=f"give two different names of 1 to {MAX_NAME} letters")
    return PairNames(names[0], names[1])


def input_hash(graph: ArgumentGraph, text: SourceText | None) -> str:
    """The first digits of the SHA-256 of a map as it was read, with its text: equal hashes mean that nothing that could
    change a number has changed. How a file is laid out does not count.

    >>> from aifgraph import loads
    >>> one = loads('{"nodes": [{"nodeID": "1", "type": "I", "text": "Masks help"}], "edges": []}')
    >>> other = loads('{"edges": [], "nodes": [{"text": "Masks help", "type": "I", "nodeID": 1}]}')
    >>> input_hash(one, None) == input_hash(other, None), len(input_hash(one, None))
    (True, 16)
    """
    meta = graph.meta
    content = [
        [[node.id, node.type, node.text, [list(scheme) for scheme in node.schemes]] for node in graph],
        [[edge.source, edge.target] for edge in graph.edges],
        [[person.id, person.name] for person in meta.participants],
        [[record.node_id, record.person_id] for record in meta.locutions],
        text and [text.text, text.spans and [[span.node_id, span.start, span.end] for span in text.spans]],
    ]
    return sha256(json.dumps(content).encode("ascii")).hexdigest()[:HASH_DIGITS]


def combined_hashes(sides: Iterable[tuple[Side, Side]]) -> tuple[str, str]:
    """One hash of the first maps of many pairs, and one of the second, from the hashes of each."""
    first, second = sha256(), sha256()
    for one, other in sides:
        first.update(one.sha256.encode("ascii", "replace"))
        second.update(other.sha256.encode("ascii", "replace"))
    return first.hexdigest()[:HASH_DIGITS], second.hexdigest()[:HASH_DIGITS]
