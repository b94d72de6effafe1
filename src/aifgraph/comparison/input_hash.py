"""What a map hashes to: equal hashes mean that nothing that could change a number has changed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256

from aifgraph.graph import ArgumentGraph, SourceText

#: Digits of a hash: enough to tell maps apart, short enough for a signature.
DIGITS = 16


def input_hash(graph: ArgumentGraph, text: SourceText | None) -> str:
    """The first digits of the SHA-256 of a map as it was read, with its text. How a file is laid out does not count.

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
    return sha256(json.dumps(content).encode("ascii")).hexdigest()[:DIGITS]


def combined_hash(pairs: Iterable[tuple[str, str] | None]) -> tuple[str, str]:
    """One hash of the first maps of many pairs, and one of the second, from the hashes of each."""
    first, second = sha256(), sha256()
    for pair in pairs:
        if pair is not None:
            first.update(pair[0].encode("ascii", "replace"))
            second.update(pair[1].encode("ascii", "replace"))
    return first.hexdigest()[:DIGITS], second.hexdigest()[:DIGITS]
