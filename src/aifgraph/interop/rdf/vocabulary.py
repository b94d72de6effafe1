"""The names of AIF in RDF: AIFdb's namespace, the ontology's older one, and this library's own for what neither holds.

The own vocabulary is documented in ``schemas/aifgraph-vocabulary.ttl``. Its IRIs are URNs: there is nothing to look up.
"""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import quote, unquote

from aifgraph.graph import Scheme
from aifgraph.graph.schemes import catalogue, fold_name

AIF: Final = "http://www.arg.tech/aif#"
#: The namespace of the ontology's file and of older data; read like the other.
AIF_OLD: Final = "http://www.arg.dundee.ac.uk/aif#"
OWN: Final = "urn:aifgraph:"
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


def context(base: str = NODES) -> dict[str, Any]:
    """The value of ``@context``, with the prefix ``n`` for what nodes' IRIs begin with.

    >>> context()["hasPremise"]
    {'@id': 'aif:hasPremise', '@type': '@id'}
    """
    links = [role.removeprefix(AIF) for pair in ROLES.values() for role in pair]
    own_links = [role.removeprefix(OWN) for pair in OWN_ROLES.values() for role in pair]
    own_links += ["node", "from", "to", "person", "locution", "marks"]
    times = ["storedAt", "startedAt", "endedAt"]
    return {
        "aif": AIF,
        "ag": OWN,
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


def document() -> str:
    """The file."""
    return json.dumps({"@context": context()}, indent=2) + "\n"
