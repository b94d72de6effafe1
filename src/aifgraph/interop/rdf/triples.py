"""The triples of one graph as they are asked for: by subject or property, in an order that no parser decides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

from rdflib import BNode, Literal, URIRef

from aifgraph.graph.meta import parse_time
from aifgraph.interop.rdf.fields import record_of
from aifgraph.interop.rdf.terms import AIF, AIF_OLD, FIELD, OWN, XSD

Triple = tuple[Any, Any, Any]


class Triples:
    """The triples of one graph; AIF's older namespace is taken for the new one in properties.

    >>> import rdflib
    >>> text = "<urn:a> <urn:p> 'x', <urn:b> ."
    >>> triples = Triples(rdflib.Graph().parse(data=text, format="turtle"))
    >>> triples.texts(rdflib.URIRef("urn:a"), "urn:p"), len(triples)
    (['x'], 2)
    """

    def __init__(self, triples: Iterable[Triple]) -> None:
        listed = list(triples)
        keys = _Keys(_blank_places(listed))
        listed.sort(key=lambda triple: (keys[triple[0]], keys[triple[1]], keys[triple[2]]))
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
        return [str(value) for value in self.values(subject, property_) if type(value) is Literal]

    def text(self, subject: Any, property_: str) -> str | None:
        """The first text, or None."""
        return next(iter(self.texts(subject, property_)), None)

    def time(self, subject: Any, property_: str) -> str | None:
        """A time as a file has it: the text where there is one, else a typed value as AIFdb writes times."""
        values = [value for value in self.values(subject, property_) if isinstance(value, Literal)]
        for value in values:
            if value.datatype != URIRef(f"{XSD}dateTime"):
                return str(value)
        moment = parse_time(str(values[0])) if values else None
        return moment.isoformat(" ") if moment is not None else str(values[0]) if values else None

    def number(self, subject: Any, property_: str) -> int | None:
        """The first value, if it is a whole number of up to 15 digits."""
        text = self.text(subject, property_)
        return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) <= 15 else None

    def fields(self, subject: Any, space: str = FIELD) -> dict[str, Any]:
        """What data sets and tools have added to an entry, as they had it (``aifgraph.interop.rdf.fields``)."""
        said = self._by_subject.get(subject, {})
        return record_of(
            (property_[len(space) :], _json_value(values[0]))
            for property_, values in said.items()
            if property_.startswith(space)
        )

    def links(self) -> Iterator[Triple]:
        """The triples between resources."""
        return (triple for triple in self._listed if type(triple[2]) is not Literal)


def _json_value(value: Any) -> Any:
    if not isinstance(value, Literal):
        return {f"{OWN}null": None, f"{OWN}emptyList": [], f"{OWN}emptyObject": {}}.get(str(value), str(value))
    type_, text = str(value.datatype or "").removeprefix(XSD), str(value)
    try:
        if type_ == "boolean":
            return text in ("true", "1")
        if type_ == "integer" and len(text) < _LONG:
            return int(text)
        return float(text) if type_ == "double" else text
    except ValueError:
        return text


#: More digits than a number is read from.
_LONG: Final = 4000


def _blank_places(listed: list[Triple]) -> dict[Any, int]:
    """Blank nodes by what is said about them: the names that a parser makes up for them differ every time.

    What is said includes what the nodes that they are linked to are like, from round to round a step further.
    """
    # rdflib's classes are abstract ones, which isinstance takes long to ask.
    like = {term: "" for triple in listed for term in triple if type(term) is BNode}
    if not like:
        return {}
    about = [triple for triple in listed if any(type(term) is BNode for term in triple)]
    kinds = 1
    for _ in range(_ROUNDS):
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


class _Keys(dict[Any, tuple[int, int, str, str]]):
    """What terms are sorted by, worked out once for each."""

    def __init__(self, blank: dict[Any, int]) -> None:
        super().__init__()
        self._blank = blank

    def __missing__(self, term: Any) -> tuple[int, int, str, str]:
        self[term] = key = self._key(term)
        return key

    def _key(self, term: Any) -> tuple[int, int, str, str]:
        if isinstance(term, URIRef):
            return 0, 0, str(term), ""
        if isinstance(term, BNode):
            return 1, self._blank[term], "", ""
        return 2, 0, str(term), f"{getattr(term, 'datatype', '') or ''} {getattr(term, 'language', '') or ''}"
