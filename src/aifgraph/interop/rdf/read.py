"""From triples to a graph: of whichever profile, as they stand.

What the triples describe counts. The exact entries that ``full`` embeds give what triples cannot hold (JSON types of
ids, unknown fields, control characters), each where it agrees with the triples about it; where it does not, a notice
says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rdflib import BNode, URIRef

from aifgraph.errors import FormatError
from aifgraph.graph import ArgumentGraph, Edge, Meta, Node, Notice, Scheme
from aifgraph.graph.meta import parse_time
from aifgraph.graph.nodes import EMPTY, KINDS, make_node
from aifgraph.graph.schemes import fold_name
from aifgraph.interop.rdf.beside import Beside
from aifgraph.interop.rdf.exact import Embedded
from aifgraph.interop.rdf.lookup import Triples
from aifgraph.interop.rdf.plain import LINKS, safe_text
from aifgraph.interop.rdf.roles import any_role
from aifgraph.interop.rdf.vocabulary import (
    AIF,
    OWN,
    OWN_ROLES,
    RDF_TYPE,
    RDFS_LABEL,
    ROLES,
    local,
    node_id,
    node_iri,
    scheme_iri,
    scheme_of,
    unpercent,
)

if TYPE_CHECKING:
    import rdflib

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


def read_triples(rdf: rdflib.Graph, name: str) -> ArgumentGraph:
    """The one map in the triples. Raises ``FormatError`` where there are several, or an embedded entry is damaged."""
    maps = list(rdf.subjects(URIRef(RDF_TYPE), URIRef(f"{OWN}Map")))
    if len(maps) > 1:
        raise FormatError(f"{len(maps)} maps in one graph", where=name or None, remedy="read them graph by graph")
    triples = Triples(rdf)
    reader = _Reader(triples, maps[0] if maps else None, name)
    nodes = reader.nodes()
    edges = reader.edges()
    beside = Beside(triples, Embedded(name), reader.ids, reader.notices)
    meta = beside.meta(maps[0]) if maps else Meta()
    meta = replace(meta, base=reader.kept_base(), notices=(*meta.notices, *reader.notices))
    return ArgumentGraph(nodes, edges, meta, name)


class _Reader:
    """Nodes and edges of one map, and what is to be said about them."""

    def __init__(self, triples: Triples, map_: Any, name: str) -> None:
        self._triples = triples
        self._embedded = Embedded(name)
        self.notices: list[Notice] = []
        self._full = map_ is not None
        self._kinds = self._types()
        self._base = self._common_base(map_)
        self._entries, self._order = self._node_entries()
        self.ids: dict[Any, str] = {}

    # -- nodes ------------------------------------------------------------------------------------------------

    def nodes(self) -> list[Node]:
        """All nodes, those with a place in the map first, then by number."""
        exact: dict[Any, Node] = {}
        for resource in self._kinds:
            node = self._exact_node(resource)
            if node is not None:
                exact[resource] = node
        self._name(exact)
        last = len(self._order)
        resources = sorted(self._kinds, key=lambda each: (self._order.get(each, last), by_number(self.ids[each])))
        return [exact[each] if each in exact else self._described(each) for each in resources]

    def _types(self) -> dict[Any, str]:
        kinds: dict[Any, str] = {}
        for subject, class_ in self._triples.pairs(RDF_TYPE):
            kind = kind_of(str(class_))
            # An L-node is a kind of I-node, and AIFdb's TA is a Transition as well: the narrower one counts.
            if kind and _rank(kind) > _rank(kinds.get(subject)):
                kinds[subject] = kind
        return kinds

    def _common_base(self, map_: Any) -> str:
        """What the nodes' IRIs begin with: as the map says it, else as far as a ``/`` or ``#`` that they share."""
        if map_ is not None and (said := self._triples.text(map_, f"{OWN}base")) is not None:
            return said
        starts = {iri[: max(iri.rfind("/"), iri.rfind("#")) + 1] for iri in self._kinds if isinstance(iri, URIRef)}
        return next(iter(starts)) if len(starts) == 1 else ""

    def _node_entries(self) -> tuple[dict[Any, list[str]], dict[Any, int]]:
        """Of every node its exact entries, and its place."""
        texts: dict[Any, list[str]] = {}
        order: dict[Any, int] = {}
        if self._full:
            for entry, node in self._triples.pairs(f"{OWN}node"):
                if node not in self._kinds:
                    self._say(f"an entry names {node}, which the triples describe no more: left out")
                    continue
                texts.setdefault(node, []).extend(self._triples.texts(entry, f"{OWN}exact"))
                place = self._triples.number(entry, f"{OWN}order")
                if place is not None:
                    order.setdefault(node, place)
        placed = sorted(order, key=lambda each: order[each])
        return texts, {resource: place for place, resource in enumerate(placed)}

    def _exact_node(self, resource: Any) -> Node | None:
        """The embedded node, if the triples say the same of it."""
        texts = self._entries.get(resource, [])
        for node in map(self._embedded.node, texts):
            if len(texts) == 1 and self._agrees(node, resource):
                return node
        if texts:
            self._say(f"the triples of {resource} say something else than the entry embedded with it: they count")
        return None

    def _agrees(self, node: Node, resource: Any) -> bool:
        triples = self._triples
        text = f"{AIF}claimText" if node.type in ("I", "L") else RDFS_LABEL
        kinds = {kind for class_ in triples.values(resource, RDF_TYPE) if (kind := kind_of(str(class_)))}
        same = (
            str(resource) == node_iri(node.id, self._base),
            kinds == {node.type},
            triples.texts(resource, text) == [safe_text(node.text)],
            {str(each) for each in triples.values(resource, f"{AIF}fulfils")}
            == {scheme_iri(scheme) for scheme in node.schemes},
            same_time(triples.text(resource, f"{OWN}storedAt"), node.timestamp),
        )
        return all(same)

    def _name(self, exact: Mapping[Any, Node]) -> None:
        """Ids: the exact ones, else by IRI; IRIs that end alike keep their whole IRI as id, blank nodes are counted."""
        taken = {node.id for node in exact.values()}
        self.ids.update({resource: node.id for resource, node in exact.items()})
        short: dict[Any, str] = {}
        blanks = 0
        for resource in self._kinds:
            if resource in exact:
                continue
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
            self.ids[resource] = id_

    def _described(self, resource: Any) -> Node:
        """A node as its triples describe it."""
        triples, id_, kind = self._triples, self.ids[resource], self._kinds[resource]
        schemes = tuple(
            sorted((s for each in triples.values(resource, f"{AIF}fulfils") if (s := self._scheme(each))), key=str)
        )
        texts = triples.texts(resource, f"{AIF}claimText") or triples.texts(resource, RDFS_LABEL)
        if len(texts) > 1:
            self._say(f"node {id_} has {len(texts)} texts: the first counts", id_)
        text = texts[0] if texts else (schemes[0].name or "" if schemes else "")
        stamp = triples.text(resource, f"{AIF}creationDate") or triples.text(resource, f"{OWN}storedAt")
        record = {"nodeID": id_, "text": text, "type": kind, "timestamp": stamp} if stamp else EMPTY
        return make_node(kind, id_, text, schemes, record)

    def _scheme(self, resource: Any) -> Scheme | None:
        known = scheme_of(str(resource))
        label = self._triples.text(resource, RDFS_LABEL)
        if known is None:
            return Scheme(None, label) if label else None
        return Scheme(known.id, label) if label and (known.id is None or known.name is None) else known

    # -- edges ------------------------------------------------------------------------------------------------

    def edges(self) -> list[Edge]:
        """All edges: those with a place in the map first, then what else the properties say."""
        pairs = self._role_pairs()
        edges: dict[tuple[Any, Any], Edge] = {}
        placed = set()
        for source, target, edge in self._edge_entries(pairs):
            placed.add((source, target))
            if edge is not None and self._can_be(source, target):
                edges.setdefault((source, target), edge)
        for source, target in pairs:
            if (source, target) not in placed and self._can_be(source, target):
                id_ = None if self._full else str(len(edges) + 1)
                edges[source, target] = Edge(self.ids[source], self.ids[target], id_)
        return list(edges.values())

    def _can_be(self, source: Any, target: Any) -> bool:
        missing = [str(end) for end in (source, target) if end not in self.ids]
        if missing:
            message = f"an edge names {' and '.join(missing)}, which has no type: left out"
            self.notices.append(Notice("edge-dangling", message))
            return False
        loop: bool = source == target
        if loop:
            id_ = self.ids[source]
            self.notices.append(Notice("edge-loop", f"the edge from node {id_} to itself is left out", (id_,)))
        return not loop

    def _role_pairs(self) -> dict[tuple[Any, Any], None]:
        """The ends of every edge that a property of AIF stands for, in the order of their nodes' numbers."""
        listed = []
        for subject, property_, object_ in self._triples.links():
            ends = self._edge(subject, str(property_), object_)
            if ends is not None:
                key = tuple(by_number(self.ids.get(each, str(each))) for each in (subject, property_, object_))
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

    def _edge_entries(self, pairs: Mapping[tuple[Any, Any], None]) -> list[tuple[Any, Any, Edge | None]]:
        """The edges that stand in the map as resources; None for one that was taken out."""
        entries: list[tuple[tuple[int, str], Any, Any, Edge | None]] = []
        triples = self._triples
        for entry, source in triples.pairs(f"{OWN}from"):
            target = triples.value(entry, f"{OWN}to")
            if target is None:
                continue
            place = triples.number(entry, f"{OWN}order")
            key = (len(triples) if place is None else place, str(entry))
            entries.append((key, source, target, self._entry_edge(entry, source, target, pairs)))
        entries.sort(key=lambda item: item[0])
        return [(source, target, edge) for _, source, target, edge in entries]

    def _entry_edge(self, entry: Any, source: Any, target: Any, pairs: Mapping[tuple[Any, Any], None]) -> Edge | None:
        ends = self.ids.get(source, ""), self.ids.get(target, "")
        said = self._triples.text(entry, f"{OWN}edgeID")
        exact = [self._embedded.edge(text) for text in self._triples.texts(entry, f"{OWN}exact")]
        if source not in self.ids or target not in self.ids:
            return Edge(*ends)  # it is left out, and said so
        if len(exact) == 1 and (exact[0].source, exact[0].target) == ends:
            if any_role(self._kinds[source], self._kinds[target]) and (source, target) not in pairs:
                self._say(f"the edge {ends[0]} → {ends[1]} has lost its property: left out", *ends)
                return None
            if said == (None if exact[0].id is None else safe_text(exact[0].id)):
                return exact[0]
        if exact:
            self._say(f"the triples of the edge {ends[0]} → {ends[1]} say something else than its entry: they count")
        return Edge(*ends, said)

    # -- both -------------------------------------------------------------------------------------------------

    def kept_base(self) -> str:
        """What all IRIs begin with, if ids and base give every IRI back; else nothing."""
        whole = all(str(resource) == node_iri(id_, self._base) for resource, id_ in self.ids.items())
        return self._base if whole and self.ids else ""

    def _say(self, message: str, *nodes: str) -> None:
        self.notices.append(Notice("rdf-entry", message, nodes))


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


def same_time(said: str | None, exact: str | None) -> bool:
    """Whether a typed time is that of a text; a text that names no time has none."""
    return parse_time(said) == parse_time(exact)


def by_number(id_: str) -> tuple[int, int, str]:
    """A key that sorts ids by number: AIFdb counts its nodes up, which is the order in which they were made."""
    return (0, int(id_), id_) if id_.isascii() and id_.isdigit() and len(id_) < 20 else (1, 0, id_)
