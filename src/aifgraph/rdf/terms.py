"""The words of AIF in RDF: namespaces, the properties that say an edge, and the IRIs of maps, nodes and schemes.

The ontology's words (F. Bex, AIF 1.0) come first, then those of AIFdb's ``/rdf/ID``; ``urn:aifgraph:`` has what neither
says. A map that was read from RDF keeps its nodes' IRIs, and a map of AIFdb has AIFdb's, so that a node of several maps
is one. Any other map has IRIs of its own, below a base that the user names or a digest of its content.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph, Scheme
from aifgraph.graph.nodes import KINDS
from aifgraph.graph.schemes import catalogue

AIF: Final = "http://www.arg.tech/aif#"
#: AIF's address in the ontology's own file and in older data: read, never written.
AIF_OLD: Final = "http://www.arg.dundee.ac.uk/aif#"
OWN: Final = "urn:aifgraph:"
FIELD: Final = OWN + "field:"
DOCUMENT: Final = OWN + "document:"
FOAF: Final = "http://xmlns.com/foaf/0.1/"
OWL: Final = "http://www.w3.org/2002/07/owl#"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
TYPE: Final = RDF + "type"
#: The prefixes of files; queries need not declare them.
PREFIXES: Final = {"aif": AIF, "ag": OWN, "d": DOCUMENT, "f": FIELD, "foaf": FOAF, "rdf": RDF, "rdfs": RDFS, "xsd": XSD}


class Literal(NamedTuple):
    """A literal: its text and the IRI of its datatype."""

    text: str
    datatype: str = XSD + "string"


#: Subject, property, value. An IRI is a string, and a blank node one that begins with ``_:``.
Triple: TypeAlias = tuple[str, str, str | Literal]

#: The properties of a scheme node for an edge into it and for an edge out of it, by its type.
ROLES: Final = {
    "RA": (AIF + "hasPremise", AIF + "hasConclusion"),
    "CA": (AIF + "hasConflictingElement", AIF + "hasConflictedElement"),
    "PA": (AIF + "hasPreferredElement", AIF + "hasDispreferredElement"),
    "MA": (OWN + "hasRephrasing", OWN + "hasRephrased"),
    "YA": (AIF + "Anchor", AIF + "IllocutionaryContent"),
    "TA": (AIF + "StartLocution", AIF + "EndLocution"),
}
#: An edge for which there is no other word.
LEADS_TO: Final = OWN + "leadsTo"
#: The links that AIFdb writes on both nodes, by the types at the ends of the edge.
ON_BOTH: Final = {
    **{("I", type_): AIF + "Premise" for type_ in ("RA", "CA")},
    **{(type_, "I"): AIF + "Conclusion" for type_ in ("RA", "CA")},
    **{("YA", type_): AIF + "IllocutionaryContent" for type_ in ("I", "RA", "CA")},
    ("L", "YA"): AIF + "Locution",
    ("L", "TA"): AIF + "StartLocution",
    ("TA", "L"): AIF + "EndLocution",
}


#: Side data that are resources of their own: their class, and the property of each field that the model has.
PARTS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "person": (FOAF + "Person", {"id": OWN + "id", "first_name": FOAF + "givenName", "surname": FOAF + "familyName"}),
    "locution": (
        OWN + "LocutionRecord",
        {"node_id": OWN + "node", "person_id": OWN + "personID", "start": OWN + "startedAt", "end": OWN + "endedAt"}
        | {"source": OWN + "source", "timestamp": AIF + "creationDate"},
    ),
    "span": (OWN + "Span", {"node_id": OWN + "node", "start": OWN + "start", "end": OWN + "end"}),
}


@lru_cache(maxsize=1024)
def edge_properties(source: str, target: str) -> tuple[tuple[str, bool], ...]:
    """Return the properties that say an edge between two types, each with whether it is written on the source.

    Between two relations the first acts on the second: an undercut is no premise.

    >>> edge_properties("CA", "RA")
    (('http://www.arg.tech/aif#hasConflictedElement', True),)
    """
    shared = ON_BOTH.get((source, target))
    if source in ROLES and (source != "TA" or target == "L"):
        role = (ROLES[source][1], True)
    elif target in ROLES:
        role = (AIF + "Locution" if (source, target) == ("L", "YA") else ROLES[target][0], False)
    else:
        role = (LEADS_TO, True)
    return tuple(dict.fromkeys((role, (shared, False), (shared, True)))) if shared else (role,)


def last_part(iri: str) -> str:
    """Return what follows the last ``/`` or ``#`` of an IRI, or its last ``:`` where it has neither."""
    iri = iri.rstrip("/#")
    cut = max(iri.rfind("/"), iri.rfind("#"))
    return iri[(cut if cut >= 0 else iri.rfind(":")) + 1 :]


def percent(text: str) -> str:
    """Percent-encode a text as the last part of an IRI."""
    return quote(text, safe="", errors="replace")


def natural(text: str) -> list[str | int]:
    """Return a key that sorts ids and IRIs by the numbers in them: n9 before n10."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]{1,18})", text))]


def node_class(type_: str) -> str:
    """Return the class of the nodes of a type: AIFdb's, or one of our own for a type that AIF does not define."""
    return f"{AIF if type_ in KINDS else OWN}{percent(type_)}-node"


@cache
def _individuals() -> dict[str, Scheme]:
    """Return AIFdb's schemes that are individuals of the ontology, by their names there."""
    schemes = [Scheme(row.id, row.name) for row in catalogue().values() if int(row.id) <= 63 and row.name != "Logical"]
    return {f"{(scheme.name or '').replace(' ', '')}_Scheme": scheme for scheme in reversed(schemes)}


@lru_cache(maxsize=1024)
def scheme_iri(scheme: Scheme) -> str:
    """Return the IRI of a scheme: the ontology's individual, else one made of id and name.

    >>> scheme_iri(Scheme("15", "ExpertOpinion")), scheme_iri(Scheme("74", "Asserting"))
    ('http://www.arg.tech/aif#ExpertOpinion_Scheme', 'urn:aifgraph:scheme:74:Asserting')
    """
    individual = f"{(scheme.name or '').replace(' ', '')}_Scheme"
    if _individuals().get(individual) == scheme:
        return AIF + percent(individual)
    return f"{OWN}scheme:{percent(scheme.id or '')}:{percent(scheme.name or '')}"


def scheme_of(iri: str, label: str | None) -> Scheme:
    """Return the scheme of an IRI; where that is neither the ontology's nor ours, its label is the name."""
    if iri.startswith(OWN + "scheme:"):
        id_, _, name = iri.removeprefix(OWN + "scheme:").partition(":")
        return Scheme(unquote(id_) or None, unquote(name) or None)
    known = _individuals().get(unquote(iri.removeprefix(AIF)))
    return known or Scheme(None, label or unquote(last_part(iri)).removesuffix("_Scheme"))


@dataclass(frozen=True)
class MapNames:
    """The IRIs of a map: its own, what those of its nodes begin with; and the name of its corpus, if any."""

    iri: str
    base: str
    corpus: str | None = None

    def node(self, id_: str) -> str:
        """Return the IRI of a node."""
        return self.base + percent(id_)


def map_names(
    graph: ArgumentGraph, *, base: str | None = None, corpus: str | None = None, name: str | None = None
) -> MapNames:
    """Choose the IRIs of a map, ``BASE/CORPUS/NAME``, and of its nodes. Without a base, a digest stands for it.

    The name is that in the corpus, else that of the graph's file without folder and suffix.
    """
    name = name or Path(graph.name).stem or "map"
    if base and not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]*", base):
        raise OptionError(f"the base {base!r} is no IRI"[:200])
    start = base.rstrip("/#") if base else f"{OWN}map:{_digest(graph)}"
    iri = "/".join([start, *(percent(part) for part in (corpus, name) if part is not None)])
    # AIFdb's ids are numbers, and each of its nodes has the time at which it was stored.
    stored = re.compile(r"[0-9]+ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
    of_aifdb = graph.meta.form in ("aif", "xaif") and all(stored.match(f"{node.id} {node.timestamp}") for node in graph)
    return MapNames(iri, graph.meta.base or ("http://www.aifdb.org/nodes/" if of_aifdb else f"{iri}#"), corpus)


def _digest(graph: ArgumentGraph) -> str:
    """Return 16 hexadecimal digits of what a map says."""
    nodes = [(node.id, node.type, node.text, node.schemes) for node in graph]
    records = [(record.node_id, record.person_id, record.start) for record in graph.meta.locutions]
    content = [nodes, [edge[:2] for edge in graph.edges], records, graph.text]
    return hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()[:16]
