"""From triples to a graph: of whichever profile, as they stand.

Everything is what the triples say: what was added, changed or taken away with SPARQL UPDATE counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import rdflib
from rdflib import BNode, URIRef

from aifgraph.errors import FormatError, OptionError
from aifgraph.graph import (
    ArgumentGraph,
    Edge,
    LocutionRecord,
    Meta,
    Node,
    Notice,
    Participant,
    Scheme,
    SourceText,
    Span,
)
from aifgraph.graph.meta import rest_of_map
from aifgraph.graph.nodes import EMPTY, KINDS, make_node
from aifgraph.graph.schemes import fold_name
from aifgraph.interop.rdf.terms import (
    AIF,
    DOCUMENT,
    FIELD,
    FOAF,
    OWN,
    OWN_ROLES,
    RDF_TYPE,
    RDFS_LABEL,
    ROLES,
    any_role,
    local,
    node_id,
    node_iri,
    scheme_of,
    unpercent,
)
from aifgraph.interop.rdf.triples import Triple, Triples
from aifgraph.interop.rdf.write import LINKS
from aifgraph.slips import answering

_RECORD_FIELDS: Final = ("nodeID", "personID", "timestamp", "start", "end", "source")

#: Classes that say a type in other words (the ontology's equivalents).
_CLASSES: Final = {
    "Statement": "I",
    "Inference": "RA",
    "Conflict": "CA",
    "Preference": "PA",
    "Illocution": "YA",
    "Transition": "TA",
} | {f"{kind}-node": kind for kind in KINDS}

#: The ontology's properties: whether the edge leads into the subject.
_INTO: Final = {local(role[0]): True for role in ROLES.values()} | {local(role[1]): False for role in ROLES.values()}
_OWN_INTO: Final = {role[0]: True for role in OWN_ROLES.values()} | {role[1]: False for role in OWN_ROLES.values()}
_BY_NAME: Final = {
    name: {ends for ends, link in LINKS.items() if link[0] == name} for name in {link[0] for link in LINKS.values()}
}


def is_full(rdf: rdflib.Graph) -> bool:
    """Whether the triples are of the profile ``full``."""
    return (None, URIRef(RDF_TYPE), URIRef(f"{OWN}Map")) in rdf


@answering()
def from_rdf(rdf: rdflib.Graph, *, name: str = "") -> ArgumentGraph:
    """The argument graph that triples describe, of whichever profile; both of AIF's namespaces are read.

    Directions of AIFdb's two-sided properties follow from the types at their ends. Links between nodes that have no
    type are left out with a notice. Several maps in one graph are a ``FormatError``, and what holds no triples is an
    ``OptionError``.

    >>> from aifgraph import GraphBuilder, to_rdf
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> from_rdf(to_rdf(build.graph())) == build.graph()
    True
    """
    if not isinstance(rdf, Iterable) or isinstance(rdf, str | bytes):
        what = f"from_rdf takes triples, not a {type(rdf).__name__}"
        raise OptionError(what, remedy="give a graph of rdflib; load(path) reads a file of triples")
    return from_terms(list(rdf), name)


def from_terms(listed: list[Triple], name: str = "") -> ArgumentGraph:
    """What ``from_rdf`` gives, of triples of rdflib's terms."""
    triples = Triples(listed)
    maps = [subject for subject, class_ in triples.pairs(RDF_TYPE) if str(class_) == f"{OWN}Map"]
    if len(maps) > 1:
        raise FormatError(f"{len(maps)} maps in one graph", where=name or None, remedy="read them graph by graph")
    reader = _Reader(triples, maps[0] if maps else None)
    nodes, edges = reader.nodes(), reader.edges()
    return ArgumentGraph(nodes, edges, reader.meta(), name)


class _Reader:
    """The parts of one map, and what is to be said about them."""

    def __init__(self, triples: Triples, map_: Any) -> None:
        self._triples = triples
        self._map = map_
        self._notices: list[Notice] = []
        self._kinds = self._types()
        self._base = self._common_base()
        self._ids = self._named()

    # -- nodes ------------------------------------------------------------------------------------------------

    def nodes(self) -> list[Node]:
        """All nodes, those with a place in the map first, then by number."""
        place: dict[Any, int] = {}
        for entry, node in self._triples.pairs(f"{OWN}node"):
            number = self._triples.number(entry, f"{OWN}order")
            if number is not None:
                place.setdefault(node, number)
        last = len(self._triples)
        ordered = sorted(self._kinds, key=lambda each: (place.get(each, last), by_number(self._ids[each])))
        return [self._node(each) for each in ordered]

    def _types(self) -> dict[Any, str]:
        kinds: dict[Any, str] = {}
        for subject, class_ in self._triples.pairs(RDF_TYPE):
            kind = kind_of(str(class_))
            # An L-node is a kind of I-node, and AIFdb's TA is a Transition as well: the narrower one counts.
            if kind and _rank(kind) > _rank(kinds.get(subject)):
                kinds[subject] = kind
        return kinds

    def _common_base(self) -> str:
        """What the nodes' IRIs begin with: as the map says it, else as far as a ``/`` or ``#`` that they share."""
        if self._map is not None and (said := self._triples.text(self._map, f"{OWN}base")) is not None:
            return said
        starts = {iri[: max(iri.rfind("/"), iri.rfind("#")) + 1] for iri in self._kinds if isinstance(iri, URIRef)}
        return next(iter(starts)) if len(starts) == 1 else ""

    def _named(self) -> dict[Any, str]:
        """Ids by IRI; IRIs that end alike keep their whole IRI as id, blank nodes are counted."""
        ids: dict[Any, str] = {}
        taken: set[str] = set()
        short: dict[Any, str] = {}
        blanks = 0
        for resource in self._kinds:
            if isinstance(resource, BNode):
                blanks += 1
                short[resource] = f"b{blanks}"
            else:
                short[resource] = node_id(str(resource), self._base)
        counts: dict[str, int] = {}
        for id_ in short.values():
            counts[id_] = counts.get(id_, 0) + 1
        for resource, id_ in short.items():
            if counts[id_] > 1 or id_ in taken:
                id_ = f"_:{id_}" if isinstance(resource, BNode) else str(resource)
            while id_ in taken:
                id_ += "'"
            taken.add(id_)
            ids[resource] = id_
        return ids

    def _node(self, resource: Any) -> Node:
        triples, id_, kind = self._triples, self._ids[resource], self._kinds[resource]
        found = (self._scheme(each) for each in triples.values(resource, f"{AIF}fulfils"))
        schemes = tuple(sorted((scheme for scheme in found if scheme), key=str))
        texts = triples.texts(resource, f"{AIF}claimText") or triples.texts(resource, RDFS_LABEL)
        if len(texts) > 1:
            self._say("rdf-entry", f"node {id_} has {len(texts)} texts: the first counts", id_)
        text = texts[0] if texts else (schemes[0].name or "" if schemes else "")
        stamp = triples.text(resource, f"{AIF}creationDate") or triples.time(resource, f"{OWN}storedAt")
        more = triples.fields(resource)
        known = {"nodeID": id_, "text": text, "type": kind} | ({} if stamp is None else {"timestamp": stamp})
        record = {**known, **more} if more or stamp is not None else EMPTY
        return make_node(kind, id_, text, schemes, record)

    def _scheme(self, resource: Any) -> Scheme | None:
        known = scheme_of(str(resource))
        label = self._triples.text(resource, RDFS_LABEL)
        if known is None:
            return Scheme(None, label) if label else None
        # A map in the profile full says all names that it has.
        return Scheme(known.id, label) if label or (self._map is not None and known.id) else known

    # -- edges ------------------------------------------------------------------------------------------------

    def edges(self) -> list[Edge]:
        """All edges: those with a place in the map first, then what else the properties say."""
        pairs = self._role_pairs()
        edges: dict[tuple[Any, Any], Edge] = {}
        for source, target, id_, form, more in self._edge_entries():
            if (source, target) in edges or not self._can_be(source, target):
                continue
            if any_role(self._kinds[source], self._kinds[target]) and (source, target) not in pairs:
                ends = self._ids[source], self._ids[target]
                self._say("rdf-entry", f"the edge {ends[0]} → {ends[1]} has lost its property: left out", *ends)
                continue
            record = more if form is None else {"formEdgeID": form, **more}
            edges[source, target] = Edge(self._ids[source], self._ids[target], id_, record or EMPTY)
        for source, target in pairs:
            if (source, target) not in edges and self._can_be(source, target):
                own = None if self._map is not None else str(len(edges) + 1)
                edges[source, target] = Edge(self._ids[source], self._ids[target], own)
        return list(edges.values())

    def _edge_entries(self) -> list[tuple[Any, Any, str | None, str | None, dict[str, Any]]]:
        """The edges that stand in the map as resources, in their order: ends, id, form edge, further fields."""
        triples = self._triples
        listed = sorted(triples.pairs(f"{OWN}from"), key=lambda pair: self._place(pair[0]))
        return [
            (
                source,
                target,
                triples.text(entry, f"{OWN}edgeID"),
                triples.text(entry, f"{OWN}formEdgeID"),
                triples.fields(entry),
            )
            for entry, source in listed
            if (target := triples.value(entry, f"{OWN}to")) is not None
        ]

    def _can_be(self, source: Any, target: Any) -> bool:
        missing = [str(end) for end in (source, target) if end not in self._ids]
        if missing:
            message = f"an edge names {' and '.join(missing)}, which has no type: left out"
            self._say("edge-dangling", message)
            return False
        loop: bool = source == target
        if loop:
            id_ = self._ids[source]
            self._say("edge-loop", f"the edge from node {id_} to itself is left out", id_)
        return not loop

    def _role_pairs(self) -> dict[tuple[Any, Any], None]:
        """The ends of every edge that a property of AIF stands for, in the order of their nodes' numbers."""
        listed = []
        for subject, property_, object_ in self._triples.links():
            ends = self._edge(subject, str(property_), object_)
            if ends is not None:
                key = tuple(by_number(self._ids.get(each, str(each))) for each in (subject, property_, object_))
                listed.append((key, ends))
        listed.sort(key=lambda item: item[0])
        return {ends: None for _, ends in listed}

    def _edge(self, subject: Any, property_: str, object_: Any) -> tuple[Any, Any] | None:
        """The ends of the edge that a triple stands for, in AIF's direction; None for a triple of another kind."""
        if property_ in _OWN_INTO:
            return (object_, subject) if _OWN_INTO[property_] else (subject, object_)
        name = local(property_)
        if name is None:
            return None
        if name in _BY_NAME:
            ends = self._kinds.get(subject, ""), self._kinds.get(object_, "")
            if name == "IllocutionaryContent" and "YA" in ends:
                # AIFdb writes it on both sides: it always leads away from the illocution. Between two illocutions it
                # is written on the first only.
                return (subject, object_) if ends[0] == "YA" else (object_, subject)
            if ends in _BY_NAME[name]:
                return subject, object_
            if ends[::-1] in _BY_NAME[name]:
                return object_, subject
            return (subject, object_) if "" in ends else None
        if name in _INTO:
            return (object_, subject) if _INTO[name] else (subject, object_)
        # The ontology's properties of single schemes: hasFieldExpertise_Premise, …_Exception, …_Presumption.
        if name.startswith("has") and fold_name(name).endswith(("premise", "presumption", "exception")):
            return object_, subject
        return None

    # -- the rest ---------------------------------------------------------------------------------------------

    def meta(self) -> Meta:
        """Everything apart from nodes and edges."""
        form = self._triples.text(self._map, f"{OWN}form") if self._map is not None else None
        people = tuple(self._person(each) for each in self._of_class(f"{FOAF}Person"))
        records = (self._locution(each) for each in self._of_class(f"{OWN}LocutionRecord"))
        locutions = tuple(record for record in records if record is not None)
        source, base = self._source(), self._kept_base()
        aif, document = (self._triples.fields(self._map, space) or EMPTY for space in (FIELD, DOCUMENT))
        rest, notices = rest_of_map(aif), tuple(self._notices)
        return Meta(people, locutions, source, form or "aif", document, rest, notices=notices, base=base)

    def _person(self, resource: Any) -> Participant:
        text = self._triples.text
        id_, name = text(resource, f"{OWN}personID"), text(resource, f"{FOAF}name")
        first, last = (text(resource, FOAF + part) or "" for part in ("givenName", "familyName"))
        if name is not None and name != f"{first} {last}".strip():
            first, _, last = name.rpartition(" ")
        id_ = node_id(str(resource)) if id_ is None else id_
        more = self._triples.fields(resource)
        record = {"participantID": id_, "firstname": first, "surname": last, **more} if more else EMPTY
        return Participant(id_, first, last, record)

    def _locution(self, resource: Any) -> LocutionRecord | None:
        triples = self._triples
        node = self._node_of(triples.value(resource, f"{OWN}locution"))
        if node is None:
            self._say("rdf-entry", f"{resource} is of no locution that is there: left out")
            return None
        start, end, stored = (triples.time(resource, OWN + key) for key in ("startedAt", "endedAt", "storedAt"))
        person, source = (triples.text(resource, OWN + key) for key in ("personID", "source"))
        record = LocutionRecord(node, person, start, end, source, stored)
        more = triples.fields(resource)
        return replace(record, record={**dict.fromkeys(_RECORD_FIELDS), **more}) if more else record

    def _source(self) -> SourceText | None:
        text = None if self._map is None else self._triples.text(self._map, f"{OWN}sourceText")
        if text is None:
            return None
        spans = [span for each in self._of_class(f"{OWN}Span") if (span := self._span(each))]
        inside = tuple(span for span in spans if span.end <= len(text))
        if len(inside) < len(spans):
            self._say("rdf-entry", f"{len(spans) - len(inside)} spans end behind the source text: left out")
        marked_up = (self._triples.text(self._map, f"{OWN}markedUp") or str(not spans).lower()) == "true"
        given = self._triples.text(self._map, f"{OWN}sourceOrigin") == "given"
        return SourceText(text, "given" if given else "embedded", None if marked_up and not spans else inside)

    def _span(self, resource: Any) -> Span | None:
        node = self._node_of(self._triples.value(resource, f"{OWN}marks"))
        start, end = (self._triples.number(resource, OWN + key) for key in ("start", "end"))
        whole = node is not None and start is not None and end is not None and start <= end
        return Span(node, start, end) if whole else None  # type: ignore[arg-type]

    def _node_of(self, resource: Any) -> str | None:
        """The id of a node, which need not be in the map; None where no node is named."""
        if resource in self._ids or not isinstance(resource, URIRef):
            return self._ids.get(resource)
        return node_id(str(resource), self._base) if self._base and resource.startswith(self._base) else None

    def _of_class(self, class_: str) -> list[Any]:
        """The resources of a class, in their order."""
        subjects = (subject for subject, value in self._triples.pairs(RDF_TYPE) if str(value) == class_)
        return sorted(subjects, key=self._place)

    def _place(self, resource: Any) -> tuple[int, str]:
        number = self._triples.number(resource, f"{OWN}order")
        return len(self._triples) if number is None else number, str(resource)

    def _kept_base(self) -> str:
        """What all IRIs begin with, if ids and base give every IRI back; else nothing."""
        whole = all(str(resource) == node_iri(id_, self._base) for resource, id_ in self._ids.items())
        return self._base if whole and self._ids else ""

    def _say(self, code: str, message: str, *nodes: str) -> None:
        self._notices.append(Notice(code, message, nodes))


def _rank(kind: str | None) -> int:
    if kind is None:
        return 0
    return 1 if kind not in KINDS else 2 if kind == "I" else 3


def kind_of(class_: str) -> str | None:
    """The type of node that a class stands for; None for any other class."""
    name = local(class_)
    if name is None:
        own = class_.removeprefix(OWN)
        return unpercent(own[:-5]).upper() if own != class_ and own.endswith("-node") else None
    if name in _CLASSES:
        return _CLASSES[name]
    if name.endswith("-node") and name != "S-node":
        return unpercent(name[:-5]).upper()
    # The ontology's sub-classes: ExpertOpinion_Inference, Bias_Conflict, …
    return next((kind for word, kind in _CLASSES.items() if name.endswith(f"_{word}")), None)


def by_number(id_: str) -> tuple[int, int, str]:
    """A key that sorts ids by number: AIFdb counts its nodes up, which is the order in which they were made."""
    return (0, int(id_), id_) if id_.isascii() and id_.isdigit() and len(id_) < 20 else (1, 0, id_)
