"""The terms of AIF in RDF: namespaces, which property an edge is, and the IRIs of maps, nodes and schemes.

This library's own vocabulary, for what neither AIFdb nor the ontology has a word for, is documented in
``schemas/aifgraph-vocabulary.ttl``. Its IRIs are URNs: there is nothing to look up.

No two things in the world share an IRI. A map that was read from RDF keeps its nodes' IRIs. AIFdb's maps have AIFdb's,
so that a node of several maps is one. Every other map has IRIs of its own: under a base that the user names, else
``urn:aifgraph:map:CORPUS:NAME:DIGEST``, the digest being that of what the map holds.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph, Scheme
from aifgraph.graph.schemes import catalogue, fold_name

AIF: Final = "http://www.arg.tech/aif#"
#: The namespace of the ontology's file and of older data; read like the other.
AIF_OLD: Final = "http://www.arg.dundee.ac.uk/aif#"
OWN: Final = "urn:aifgraph:"
#: What data sets and tools add to an entry, and to the object around the map (``fields``).
FIELD: Final = OWN + "field:"
DOCUMENT: Final = OWN + "document:"
NODES: Final = "http://www.aifdb.org/nodes/"
RDF_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
RDFS_LABEL: Final = RDFS + "label"
OWL: Final = "http://www.w3.org/2002/07/owl#"
OWL_INDIVIDUAL: Final = OWL + "NamedIndividual"
FOAF: Final = "http://xmlns.com/foaf/0.1/"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"

#: Relation type → the ontology's properties for what it starts from and what it leads to; MA, YA and TA have none.
ROLES: Final = {
    "RA": (AIF + "hasPremise", AIF + "hasConclusion"),
    "CA": (AIF + "hasConflictingElement", AIF + "hasConflictedElement"),
    "PA": (AIF + "hasPreferredElement", AIF + "hasDispreferredElement"),
}
OWN_ROLES: Final = {
    "MA": (OWN + "hasRephrasing", OWN + "hasRephrased"),
    "YA": (OWN + "hasAnchor", OWN + "hasContent"),
    "TA": (OWN + "hasStart", OWN + "hasEnd"),
}

#: The types of nodes that the ontology declares.
DECLARED: Final = frozenset({"I", "L", "RA", "CA", "PA", "TA", "YA"})


class Role(NamedTuple):
    """A property, and whether it is written on the node that the edge starts from."""

    property: str
    on_source: bool


def declared_role(source: str, target: str) -> Role | None:
    """The ontology's property for an edge between nodes of two types.

    Between two relations it is the first that acts on the second: an undercut is no premise.

    >>> declared_role("CA", "RA")
    Role(property='http://www.arg.tech/aif#hasConflictedElement', on_source=True)
    """
    if source not in DECLARED or target not in DECLARED:
        return None
    if source in ROLES:
        return Role(ROLES[source][1], True)
    return Role(ROLES[target][0], False) if target in ROLES and source in ("I", "L") else None


@lru_cache(maxsize=1024)
def any_role(source: str, target: str) -> Role | None:
    """The ontology's property, else this library's own; None where neither has one.

    What a relation or an illocution leads to and what leads to a scheme node has one whatever its type.

    >>> any_role("YA", "I"), any_role("I", "I")
    (Role(property='urn:aifgraph:hasContent', on_source=True), None)
    """
    roles = ROLES | OWN_ROLES
    if (source in roles and source != "TA") or (source == "TA" and target == "L"):
        return Role(roles[source][1], True)
    return Role(roles[target][0], False) if target in roles else None


#: Schemes of the ontology: AIFdb's ids up to 63 but Logical (36), as ``<Name>_Scheme``.
_LAST_OF_ONTOLOGY: Final = 63


def local(iri: str) -> str | None:
    """The name in AIF's namespace, new or old; None for any other.

    >>> local(AIF + "Premise"), local(AIF_OLD + "Premise"), local(OWN + "edge")
    ('Premise', 'Premise', None)
    """
    for space in (AIF, AIF_OLD):
        if iri.startswith(space):
            return iri[len(space) :]
    return None


def percent(text: str) -> str:
    """A text percent-encoded, half surrogates included.

    >>> percent("1_a b")
    '1_a%20b'
    """
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def unpercent(text: str) -> str:
    """What ``percent`` encoded."""
    try:
        return unquote(text, errors="surrogatepass")
    except UnicodeDecodeError:
        return unquote(text)


def node_iri(id_: str, base: str = NODES) -> str:
    """A node's IRI, its id percent-encoded.

    >>> node_iri("1_a b")
    'http://www.aifdb.org/nodes/1_a%20b'
    """
    return base + percent(id_)


def node_id(iri: str, base: str = NODES) -> str:
    """The id in a node's IRI: what follows the base, else the last part of the IRI.

    >>> node_id(node_iri("1_a b")), node_id("http://example.org/map#n7")
    ('1_a b', 'n7')
    """
    if iri.startswith(base):
        return unpercent(iri[len(base) :])
    return unpercent(iri.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1]) or iri


def scheme_iri(scheme: Scheme) -> str:
    """The IRI of a scheme: the ontology's individual where there is one, else one of our own by id, else by name.

    >>> scheme_iri(Scheme("15", "ExpertOpinion")), scheme_iri(Scheme("74", "Asserting"))
    ('http://www.arg.tech/aif#ExpertOpinion_Scheme', 'urn:aifgraph:scheme:74')
    """
    row = catalogue().get(scheme.id or "")
    if row is not None and int(row.id) <= _LAST_OF_ONTOLOGY and row.id != "36":
        return f"{AIF}{percent(row.name.replace(' ', ''))}_Scheme"
    return f"{OWN}scheme:{percent(scheme.id or fold_name(scheme.name or ''))}"


def scheme_of(iri: str) -> Scheme | None:
    """The scheme of an IRI that ``scheme_iri`` gave; None for another."""
    name = local(iri)
    if name is not None and name.endswith("_Scheme"):
        wanted = fold_name(unpercent(name.removesuffix("_Scheme")))
        rows = [row for row in catalogue().values() if fold_name(row.name) == wanted]
        return Scheme(rows[0].id, rows[0].name) if rows else Scheme(None, unpercent(name.removesuffix("_Scheme")))
    if iri.startswith(f"{OWN}scheme:"):
        key = unpercent(iri.removeprefix(f"{OWN}scheme:"))
        row = catalogue().get(key)
        return Scheme(key, row.name if row else None) if key.isdigit() else Scheme(None, key)
    return None


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


def context(base: str = NODES, aif: str = AIF) -> dict[str, Any]:
    """The value of ``@context``, with the prefix ``n`` for what nodes' IRIs begin with, and ``aif`` for AIF's.

    >>> context()["hasPremise"]
    {'@id': 'aif:hasPremise', '@type': '@id'}
    """
    links = [role.removeprefix(AIF) for pair in ROLES.values() for role in pair]
    own_links = [role.removeprefix(OWN) for pair in OWN_ROLES.values() for role in pair]
    own_links += ["node", "from", "to", "person", "locution", "marks"]
    times = ["storedAt", "startedAt", "endedAt"]
    return {
        "aif": aif,
        "ag": OWN,
        "d": DOCUMENT,
        "f": FIELD,
        "foaf": FOAF,
        "n": base,
        "owl": OWL,
        "rdfs": RDFS,
        "xsd": XSD,
        "claimText": "aif:claimText",
        "creationDate": "aif:creationDate",
        "label": "rdfs:label",
        "fulfils": {"@id": "aif:fulfils", "@type": "@id"},
        **{name: {"@id": f"aif:{name}", "@type": "@id"} for name in links},
        **{name: {"@id": f"ag:{name}", "@type": "@id"} for name in own_links},
        **{name: {"@id": f"ag:{name}", "@type": "xsd:dateTime"} for name in times},
    }


def shipped_folder(packaged: str, checked_out: str) -> Path | None:
    """A folder that a wheel carries in the package, and an editable install has elsewhere in the checkout."""
    package = Path(__file__).parents[2]
    folders = (package / packaged, package.parents[1] / checked_out)
    return next((folder for folder in folders if folder.is_dir()), None)
