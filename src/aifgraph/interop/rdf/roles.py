"""Which property an edge is in the ontology's words, or in this library's where the ontology has none."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from rdflib import URIRef

from aifgraph.interop.rdf.vocabulary import OWN_ROLES, ROLES

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


def any_role(source: str, target: str) -> Role | None:
    """The ontology's property, else this library's own; None where neither has one.

    >>> any_role("YA", "I"), any_role("I", "I")
    (Role(property='urn:aifgraph:hasContent', on_source=True), None)
    """
    declared = declared_role(source, target)
    if declared is not None:
        return declared
    if source in ("MA", "YA") or (source == "TA" and target == "L"):
        return Role(OWN_ROLES[source][1], True)
    if target in OWN_ROLES and source not in ROLES:
        return Role(OWN_ROLES[target][0], False)
    return Role(ROLES[source][1], True) if source in ROLES and target == "MA" else None


def role_triple(role: Role, source: URIRef, target: URIRef) -> tuple[Any, Any, Any]:
    """The triple of an edge."""
    return (source, URIRef(role.property), target) if role.on_source else (target, URIRef(role.property), source)
