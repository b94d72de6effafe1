"""Triples looked up by subject and property, in an order that does not depend on how they are stored."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rdflib import BNode, Literal, URIRef

from aifgraph.interop.rdf.vocabulary import AIF, AIF_OLD

if TYPE_CHECKING:
    import rdflib

Triple = tuple[Any, Any, Any]


class Triples:
    """The triples of one graph; AIF's older namespace is taken for the new one in properties.

    >>> import rdflib
    >>> text = "<urn:a> <urn:p> 'x', <urn:b> ."
    >>> triples = Triples(rdflib.Graph().parse(data=text, format="turtle"))
    >>> triples.texts(rdflib.URIRef("urn:a"), "urn:p"), len(triples)
    (['x'], 2)
    """

    def __init__(self, rdf: rdflib.Graph) -> None:
        listed = list(rdf)
        blank = _blank_places(listed)
        listed.sort(key=lambda triple: tuple(_key(term, blank) for term in triple))
        self._listed: list[Triple] = listed
        self._by_subject: dict[Any, dict[str, list[Any]]] = {}
        self._by_property: dict[str, list[tuple[Any, Any]]] = {}
        for subject, property_, value in listed:
            name = str(property_)
            if name.startswith(AIF_OLD):
                name = AIF + name[len(AIF_OLD) :]
            self._by_subject.setdefault(subject, {}).setdefault(name, []).append(value)
            self._by_property.setdefault(name, []).append((subject, value))

    def __len__(self) -> int:
        return len(self._listed)

    def pairs(self, property_: str) -> list[tuple[Any, Any]]:
        """Subjects and values of a property."""
        return self._by_property.get(property_, [])

    def values(self, subject: Any, property_: str) -> list[Any]:
        """The values of a subject's property."""
        return self._by_subject.get(subject, {}).get(property_, [])

    def value(self, subject: Any, property_: str) -> Any:
        """The first value, or None."""
        return next(iter(self.values(subject, property_)), None)

    def texts(self, subject: Any, property_: str) -> list[str]:
        """The values that are texts."""
        return [str(value) for value in self.values(subject, property_) if isinstance(value, Literal)]

    def text(self, subject: Any, property_: str) -> str | None:
        """The first text, or None."""
        return next(iter(self.texts(subject, property_)), None)

    def number(self, subject: Any, property_: str) -> int | None:
        """The first value, if it is a whole number of up to 15 digits."""
        text = self.text(subject, property_)
        return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) <= 15 else None

    def links(self) -> Iterator[Triple]:
        """The triples between resources."""
        return (triple for triple in self._listed if not isinstance(triple[2], Literal))


def _blank_places(listed: list[Triple]) -> dict[Any, int]:
    """Blank nodes by what is said about them: the names that a parser makes up for them differ every time.

    What is said includes what the nodes that they are linked to are like, from round to round a step further.
    """
    like = {term: "" for triple in listed for term in triple if isinstance(term, BNode)}
    about = [triple for triple in listed if any(isinstance(term, BNode) for term in triple)]
    kinds = 1
    for _ in range(_ROUNDS if like else 0):
        said: dict[Any, list[str]] = {node: [like[node]] for node in like}
        for subject, property_, value in about:
            shown = [like[term] if term in like else term.n3() for term in (subject, value)]
            if subject in like:
                said[subject].append(f"> {property_} {shown[1]}")
            if value in like:
                said[value].append(f"< {property_} {shown[0]}")
        like = {
            node: hashlib.sha256("\n".join(sorted(lines)).encode("utf-8", "replace")).hexdigest()
            for node, lines in said.items()
        }
        before, kinds = kinds, len(set(like.values()))
        if kinds in (before, len(like)):
            break
    return {node: place for place, node in enumerate(sorted(like, key=lambda each: like[each]))}


#: After so many steps, what still looks alike is taken for alike.
_ROUNDS = 50


def _key(term: Any, blank: dict[Any, int]) -> tuple[int, int, str, str]:
    if isinstance(term, URIRef):
        return 0, 0, str(term), ""
    if isinstance(term, BNode):
        return 1, blank[term], "", ""
    return 2, 0, str(term), f"{getattr(term, 'datatype', '') or ''} {getattr(term, 'language', '') or ''}"
