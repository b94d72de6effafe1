"""The IRIs of a map and its nodes: no two things in the world share one.

A map that was read from RDF keeps its nodes' IRIs. AIFdb's maps have AIFdb's, so that a node of several maps is one.
Every other map has IRIs of its own: under a base that the user names, else ``urn:aifgraph:map:CORPUS:NAME:DIGEST``, the
digest being that of what the map holds.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Final

from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph
from aifgraph.interop.rdf.vocabulary import NODES, OWN, percent

_IRI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\ud800-\udfff]+\Z")
#: As AIFdb's tables print times; its downloads have one at every node.
_SQL_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\Z")


@dataclass(frozen=True)
class MapNames:
    """The IRI of a map, what the IRIs of its nodes begin with, its name, and that of its corpus if it has one."""

    iri: str
    base: str
    name: str
    corpus: str | None = None


def map_names(
    graph: ArgumentGraph, *, base: str | None = None, name: str | None = None, corpus: str | None = None
) -> MapNames:
    """The names of a map. ``name`` is that of its file by default. Raises ``OptionError`` for a base that is no IRI.

    >>> from aifgraph import GraphBuilder
    >>> map_names(GraphBuilder(name="b001.xml").graph(), corpus="micro").iri
    'urn:aifgraph:map:micro:b001:287127cac87c9d4d'
    >>> map_names(GraphBuilder(name="b001.xml").graph(), base="http://example.org/").base
    'http://example.org/b001#'
    """
    name = map_name(graph) if name is None else name
    parts = [percent(part) for part in (corpus, name) if part is not None]
    if base is None:
        iri = f"{OWN}map:{':'.join(parts)}:{digest(graph)}"
    elif _IRI.match(base):
        iri = (base if base[-1] in "/#:" else f"{base}/") + "/".join(parts)
    else:
        raise OptionError(f"the base {base!r} is no IRI", remedy="give one such as http://example.org/maps/")
    nodes = graph.meta.base or (NODES if is_aifdb(graph) else iri + ("/" if "#" in iri else "#"))
    return MapNames(iri, nodes, name, corpus)


def map_name(graph: ArgumentGraph) -> str:
    """What a map is called in RDF: its file's name without folders and suffix."""
    last = graph.name.replace("\\", "/").rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0] if "." in last[1:] else last


def is_aifdb(graph: ArgumentGraph) -> bool:
    """Whether a map's ids are AIFdb's: numbers, every node with the time at which AIFdb stored it.

    Tools that work on a map before it is uploaded number its nodes, too, but write no such times.
    """
    if not len(graph) or graph.meta.form not in ("aif", "xaif"):
        return False
    return all(
        node.id.isascii() and node.id.isdigit() and _SQL_TIME.match(node.timestamp or "") is not None for node in graph
    )


def digest(graph: ArgumentGraph) -> str:
    """16 hexadecimal digits of the SHA-256 of what a map holds: equal graphs, equal digests."""
    meta = graph.meta
    source = meta.source
    spans = None if source is None or source.spans is None else [[s.node_id, s.start, s.end] for s in source.spans]
    content = [
        [[node.id, node.type, node.text, node.schemes] for node in graph],
        [[edge.source, edge.target, edge.id] for edge in graph.edges],
        [[person.id, person.first_name, person.surname] for person in meta.participants],
        [[r.node_id, r.person_id, r.start, r.end, r.source, r.timestamp] for r in meta.locutions],
        None if source is None else [source.text, spans],
    ]
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode("ascii")).hexdigest()[:16]
