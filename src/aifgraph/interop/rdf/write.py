"""From a graph to triples, in three profiles (docs/rdf.md).

============ ====================================================================================================
``aifdb``    exactly what AIFdb's ``/rdf/ID`` emits, its properties on the nodes on which AIFdb puts them
``owl``      what the AIF ontology 1.0 (F. Bex) declares, and nothing else
``full``     the ontology's names, and ``urn:aifgraph:`` for the rest of the model and for what data sets and tools
             add (``fields``)
============ ====================================================================================================

A term is a text as N-Triples has it (``<urn:a>``, ``"x"``), which is most of what writing takes; rdflib's terms are
made of them where somebody wants an rdflib graph.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

from aifgraph.errors import OptionError
from aifgraph.graph import ArgumentGraph, LocutionRecord
from aifgraph.graph.meta import parse_time
from aifgraph.graph.needed import needs_graph
from aifgraph.graph.nodes import EDGE_FIELDS, ENTRY_FIELDS, NODE_FIELDS
from aifgraph.graph.schemes import fold_name, label_of
from aifgraph.interop.rdf.fields import fields
from aifgraph.interop.rdf.terms import (
    AIF,
    AIF_OLD,
    DECLARED,
    DOCUMENT,
    FIELD,
    FOAF,
    OWL,
    OWL_INDIVIDUAL,
    OWN,
    RDF_TYPE,
    RDFS,
    RDFS_LABEL,
    XSD,
    MapNames,
    Role,
    any_role,
    declared_role,
    map_names,
    node_iri,
    percent,
    scheme_iri,
)
from aifgraph.slips import answering

if TYPE_CHECKING:
    import rdflib

Profile = Literal["aifdb", "owl", "full"]
#: AIF's address: as AIFdb writes it, or as the ontology was published.
Namespace = Literal["arg.tech", "arg.dundee"]
Triple = tuple[str, str, str]


@answering()
def to_rdf(
    graph: ArgumentGraph,
    profile: Profile = "full",
    *,
    base: str | None = None,
    name: str | None = None,
    corpus: str | None = None,
    namespace: Namespace = "arg.tech",
    into: Any = None,
) -> rdflib.Graph:
    """The triples of a graph in a profile.

    A node's IRI is the map's own, followed by ``#`` and the percent-encoded id. AIFdb's maps, and those read from RDF,
    keep their nodes' IRIs.

    Args:
        graph: the graph to describe.
        profile: ``full``, ``owl`` or ``aifdb`` (what each holds: ``docs/rdf.md``).
        base: what the IRIs of all other maps begin with; None makes a ``urn:`` of the map's name and content.
        name: the name of the map; None for its file's.
        corpus: the name of the corpus that it is part of.
        namespace: AIF's address: ``arg.tech``, as AIFdb has it, or ``arg.dundee``, as the ontology 1.0 was published.
        into: an rdflib graph to add to, for instance a named graph of a ``Dataset``; None makes a new one.

    Raises:
        OptionError: there is no such profile or namespace, or the base is no IRI.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder(name="masks.json")
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> rdf = to_rdf(build.graph(), "owl", base="http://example.org/")
    >>> sorted(f"{s.n3(rdf.namespace_manager)} {o}" for s, p, o in rdf if p.endswith("hasPremise"))
    ['n:3 http://example.org/masks#1']
    """
    import rdflib

    needs_graph(graph, "to_rdf")
    names = map_names(graph, base=base, name=name, corpus=corpus)
    out = rdflib.Graph() if into is None else into
    for prefix, space in prefixes(names, namespace).items():
        out.bind(prefix, space, override=True, replace=True)
    out.addN((*triple, out) for triple in as_terms(triples(graph, profile, names, namespace)))
    return out


def triples(graph: ArgumentGraph, profile: str, names: MapNames, namespace: str = "arg.tech") -> dict[Triple, None]:
    """The triples of a graph in a profile, under these names, each once.

    Raises ``OptionError`` for a profile or namespace there is not.
    """
    if profile not in _PROFILES:
        raise OptionError(f"there is no RDF profile {profile!r}", remedy=f"choose from {', '.join(_PROFILES)}")
    if namespace not in NAMESPACES:
        raise OptionError(f"there is no namespace {namespace!r}", remedy=f"choose from {', '.join(NAMESPACES)}")
    found = dict.fromkeys(_PROFILES[profile](graph, names))
    if namespace == "arg.tech":
        return found
    new, old = f"<{AIF}", f"<{NAMESPACES[namespace]}"

    def moved(term: str) -> str:
        return old + term[len(new) :] if term.startswith(new) else term

    return {(moved(one), moved(two), moved(three)): None for one, two, three in found}


def prefixes(names: MapNames, namespace: str = "arg.tech") -> dict[str, str]:
    """The prefixes that a map is written with; ``n`` stands for its nodes, ``f`` and ``d`` for further fields."""
    aif = {"aif": NAMESPACES[namespace]}
    own = {"ag": OWN, "d": DOCUMENT, "f": FIELD, "foaf": FOAF, "n": names.base, "owl": OWL, "rdfs": RDFS, "xsd": XSD}
    return aif | own


# -- terms ----------------------------------------------------------------------------------------------------------

NAMESPACES: Final = {"arg.tech": AIF, "arg.dundee": AIF_OLD}
_NOT_IN_IRIS: Final = re.compile(r"[\x00-\x20<>\"{}|^`\\]")


def ref(text: str) -> str:
    """An IRI as a term."""
    if _NOT_IN_IRIS.search(text) is None:
        return f"<{text}>"
    return f"<{_NOT_IN_IRIS.sub(lambda found: f'{chr(92)}u{ord(found[0]):04X}', text)}>"


def typed(value: object, type_: str) -> str:
    """A value of one of XML Schema's types as a term.

    >>> typed(3, "integer")
    '"3"^^<http://www.w3.org/2001/XMLSchema#integer>'
    """
    return f'"{value}"^^<{XSD}{type_}>'


def as_terms(found: Iterable[Triple]) -> Iterator[tuple[Any, Any, Any]]:
    """Triples of rdflib's terms."""
    terms = _Terms()
    return ((terms[one], terms[two], terms[three]) for one, two, three in found)


class _Terms(dict[str, Any]):
    """Terms of rdflib by what they are in N-Triples, each made once."""

    def __missing__(self, text: str) -> Any:
        import rdflib

        if text[0] == "<":
            value: Any = rdflib.URIRef(json.loads(f'"{text[1:-1]}"') if "\\" in text else text[1:-1])
        else:
            end = text.rindex('"') + 1
            datatype = self[text[end + 2 :]] if end < len(text) else None
            value = rdflib.Literal(json.loads(text[:end]) if "\\" in text else text[1 : end - 1], datatype=datatype)
        self[text] = value
        return value


# What XML cannot hold, or changes: control characters, lone surrogates.
_UNSAFE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def safe_text(value: str) -> str:
    """A text that every syntax of RDF brings back unchanged: what XML cannot hold is U+FFFD."""
    return _UNSAFE.sub("\ufffd", value)


_quoted: Final = json.JSONEncoder(ensure_ascii=False).encode
_TYPE: Final = ref(RDF_TYPE)
_INDIVIDUAL: Final = ref(OWL_INDIVIDUAL)


def text_literal(value: str) -> str:
    """A text as a term.

    >>> text_literal('a "b"')
    '"a \\\\"b\\\\""'
    """
    return _quoted(safe_text(value))


def _edge_triple(role: Role, source: str, target: str) -> Triple:
    property_ = _constant(role.property)
    return (source, property_, target) if role.on_source else (target, property_, source)


#: The term of a class or property, worked out once.
_constant: Final = lru_cache(maxsize=1024)(ref)


_BOTH, _SOURCE, _TARGET = "both", "source", "target"

#: Types at an edge's ends → the property, and the node on which it is written.
LINKS: Final = {
    **{("I", kind): ("Premise", _BOTH) for kind in ("RA", "CA")},
    **{(kind, "I"): ("Conclusion", _BOTH) for kind in ("RA", "CA")},
    **{("YA", kind): ("IllocutionaryContent", _BOTH) for kind in ("I", "RA", "CA")},
    **{("YA", kind): ("IllocutionaryContent", _SOURCE) for kind in ("L", "MA", "PA", "YA", "TA")},
    ("L", "YA"): ("Locution", _BOTH),
    ("TA", "YA"): ("Anchor", _TARGET),
    ("L", "TA"): ("StartLocution", _BOTH),
    ("TA", "L"): ("EndLocution", _BOTH),
}


def _aifdb(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    """A map as AIFdb's ``/rdf/ID`` has it."""
    iris = {node.id: ref(node_iri(node.id, names.base)) for node in graph}
    for node in graph:
        iri = iris[node.id]
        yield iri, _TYPE, _INDIVIDUAL
        yield iri, _TYPE, _constant(f"{AIF}{percent(node.type)}-node")
        if node.type == "TA":
            yield iri, _TYPE, _constant(f"{AIF}Transition")
        if node.type in ("I", "L"):
            yield iri, _constant(f"{AIF}claimText"), text_literal(node.text)
        if node.type == "L":
            yield iri, _constant(f"{AIF}source"), text_literal(node.text.split(" says ", 1)[0])
        if node.timestamp is not None:
            yield iri, _constant(f"{AIF}creationDate"), text_literal(node.timestamp)
    for edge in graph.edges:
        link = LINKS.get((graph[edge.source].type, graph[edge.target].type))
        if link is None:
            continue
        source, target, property_ = iris[edge.source], iris[edge.target], _constant(AIF + link[0])
        if link[1] != _TARGET:
            yield source, property_, target
        if link[1] != _SOURCE:
            yield target, property_, source


def _owl(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    """A map in the words of the AIF ontology 1.0."""
    iris = {node.id: ref(node_iri(node.id, names.base)) for node in graph}
    for node in graph:
        if node.type not in DECLARED:
            continue
        iri = iris[node.id]
        yield iri, _TYPE, _INDIVIDUAL
        yield iri, _TYPE, _constant(f"{AIF}{node.type}-node")
        if node.type in ("I", "L"):
            yield iri, _constant(f"{AIF}claimText"), text_literal(node.text)
            continue
        for scheme in node.schemes:
            yield iri, _constant(f"{AIF}fulfils"), ref(scheme_iri(scheme))
        if (stored := parse_time(node.timestamp)) is not None:
            yield iri, _constant(f"{AIF}creationDate"), typed(stored.date().isoformat(), "date")
    for edge in graph.edges:
        source, target = graph[edge.source].type, graph[edge.target].type
        role = declared_role(source, target)
        if role is not None:
            yield _edge_triple(role, iris[edge.source], iris[edge.target])


# -- the profile full ---------------------------------------------------------------------------------------------


def _own(name: str) -> str:
    return _constant(OWN + name)


def _entry(map_: str, kind: str, order: int) -> str:
    """An entry of a map."""
    return f"{map_[:-1]}/{kind}/{order}>"


def _full(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    """A map with all that the model has; its own resources are named after it."""
    map_ = ref(names.iri)
    iris = {node.id: ref(node_iri(node.id, names.base)) for node in graph}
    yield map_, _TYPE, _own("Map")
    yield map_, _own("base"), text_literal(names.base)
    yield map_, _own("name"), text_literal(names.name)
    yield map_, _own("form"), text_literal(graph.meta.form)
    if names.corpus is not None:
        yield map_, _own("corpus"), text_literal(names.corpus)
    yield from _fields(map_, graph.meta.aif, _SECTIONS)
    yield from _fields(map_, graph.meta.document, _SHOWN, DOCUMENT)
    yield from _nodes(graph, names, iris)
    types = {node.id: node.type for node in graph}
    for order, edge in enumerate(graph.edges):
        role = any_role(types[edge.source], types[edge.target])
        if role is not None:
            yield _edge_triple(role, iris[edge.source], iris[edge.target])
        entry = _entry(map_, "edge", order)
        yield entry, _own("from"), iris[edge.source]
        yield entry, _own("to"), iris[edge.target]
        yield entry, _own("order"), typed(order, "integer")
        yield from _texts(entry, {_own("edgeID"): edge.id, _own("formEdgeID"): edge.form_edge_id})
        yield from _fields(entry, edge.record, EDGE_FIELDS)
    yield from _people(graph, names)
    yield from _source(graph, names)


def _nodes(graph: ArgumentGraph, names: MapNames, iris: Mapping[str, str]) -> Iterator[Triple]:
    map_ = ref(names.iri)
    for order, node in enumerate(graph):
        iri = iris[node.id]
        yield iri, _TYPE, _INDIVIDUAL
        yield iri, _TYPE, _constant(f"{AIF if node.type in DECLARED else OWN}{percent(node.type)}-node")
        yield iri, _constant(f"{AIF}claimText" if node.type in ("I", "L") else RDFS_LABEL), text_literal(node.text)
        for scheme in node.schemes:
            resource = ref(scheme_iri(scheme))
            yield iri, _constant(f"{AIF}fulfils"), resource
            yield from _texts(resource, {_constant(RDFS_LABEL): scheme.name})
        if node.type == "YA":
            yield iri, _own("label"), text_literal(fold_name(label_of(node)))
        if node.type == "L" and (speaker := graph.speaker_of(node)) is not None and speaker.name:
            yield iri, _own("speaker"), text_literal(speaker.name)
        yield from _time(iri, "storedAt", node.timestamp)
        yield from _fields(iri, node.record, NODE_FIELDS)
        # AIFdb's maps share nodes, so the place of a node belongs to an entry of this map.
        entry = _entry(map_, "node", order)
        yield entry, _own("node"), iri
        yield entry, _own("order"), typed(order, "integer")


def _people(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    people: dict[str, str] = {}
    map_ = ref(names.iri)
    for order, person in enumerate(graph.meta.participants):
        iri = _entry(map_, "person", order)
        people.setdefault(person.id, iri)
        yield iri, _TYPE, _constant(f"{FOAF}Person")
        yield iri, _own("order"), typed(order, "integer")
        yield iri, _constant(f"{FOAF}name"), text_literal(person.name)
        named = {_constant(f"{FOAF}givenName"): person.first_name, _constant(f"{FOAF}familyName"): person.surname}
        yield from _texts(iri, {_own("personID"): person.id, **named})
        yield from _fields(iri, person.record, ENTRY_FIELDS)
    for order, record in enumerate(graph.meta.locutions):
        iri = _entry(map_, "locution", order)
        yield iri, _own("order"), typed(order, "integer")
        yield from _locution(iri, record, names)
        yield from _fields(iri, record.record, ENTRY_FIELDS)
        if record.person_id in people:
            yield iri, _own("person"), people[record.person_id]


def _locution(iri: str, record: LocutionRecord, names: MapNames) -> Iterator[Triple]:
    yield iri, _TYPE, _own("LocutionRecord")
    yield iri, _own("locution"), ref(node_iri(record.node_id, names.base))
    yield from _texts(iri, {_own("personID"): record.person_id, _own("source"): record.source})
    for field, time in (("startedAt", record.start), ("endedAt", record.end), ("storedAt", record.timestamp)):
        yield from _time(iri, field, time)


def _source(graph: ArgumentGraph, names: MapNames) -> Iterator[Triple]:
    source, map_ = graph.meta.source, ref(names.iri)
    if source is None:
        return
    yield map_, _own("sourceText"), text_literal(source.text)
    yield map_, _own("sourceOrigin"), text_literal(source.origin)
    yield map_, _own("markedUp"), typed(str(source.spans is None).lower(), "boolean")
    for order, span in enumerate(source.spans or ()):
        iri = _entry(map_, "span", order)
        yield iri, _TYPE, _own("Span")
        yield iri, _own("order"), typed(order, "integer")
        yield iri, _own("start"), typed(span.start, "integer")
        yield iri, _own("end"), typed(span.end, "integer")
        yield iri, _own("marks"), ref(node_iri(span.node_id, names.base))


def _fields(subject: str, record: Mapping[str, Any], known: Collection[str], space: str = FIELD) -> Iterator[Triple]:
    """What an entry of a file says beyond what the model knows, as far as it is no matter of drawing."""
    if record:
        rest = {key: value for key, value in record.items() if key not in known}
        for path, value in fields(rest):
            yield subject, _constant(space + path), _value(value)


def _value(value: object) -> str:
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, bool):
        return typed(str(value).lower(), "boolean")
    if isinstance(value, int):
        return typed(value, "integer")
    if isinstance(value, float):
        return typed(repr(value).replace("inf", "INF").replace("nan", "NaN"), "double")
    return _own("null" if value is None else "emptyList" if isinstance(value, list) else "emptyObject")


def _texts(subject: str, values: Mapping[str, str | None]) -> Iterator[Triple]:
    for property_, value in values.items():
        if value is not None:
            yield subject, property_, text_literal(value)


def _time(subject: str, field: str, value: str | None) -> Iterator[Triple]:
    """A time, typed for queries; and as text where it is written in another way than AIFdb writes times.

    Times without a zone stay so: the server's is not known.
    """
    moment = parse_time(value)
    if moment is not None:
        yield subject, _own(field), typed(moment.isoformat(), "dateTime")
    if value is not None and (moment is None or moment.isoformat(" ") != value):
        yield subject, _own(field), text_literal(value)


#: The parts of a map that are said in other triples, or are lost, and those of a document that are.
_SECTIONS: Final = frozenset({"schemefulfillments", "descriptorfulfillments", "cqdescriptorfulfillments"})
_SHOWN: Final = frozenset({"text", "OVA", "ova"})

_PROFILES: Final[Mapping[str, Callable[[ArgumentGraph, MapNames], Iterator[Triple]]]] = {
    "aifdb": _aifdb,
    "owl": _owl,
    "full": _full,
}
