"""The microtext corpora's ``arggraph`` XML (Peldszus and Stede 2013; parts 1 and 2, multilayer ``arg``).

==========  ===========================================================================================
arggraph    AIF
==========  ===========================================================================================
adu         I-node; its text is that of its EDUs, joined in order; ``pro`` or ``opp`` is kept as ``role``
sup         an RA-node from the source to the target
exa         an RA-node of scheme 14, Example
reb         a CA-node from the source to the target
und         a CA-node from the source to the **S-node** of the edge that is undercut
add         one more premise of the S-node of the edge that is added to
edu, joint  kept next to the graph, with the places of the ADUs in the text
==========  ===========================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal
from xml.etree.ElementTree import Element

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input, decode_source
from aifgraph.formats.reading import add_edge
from aifgraph.formats.writing import NodeIds, with_places, writable
from aifgraph.formats.xml import Xml, is_name, parse_xml, starts_with_element, xml_attribute, xml_text
from aifgraph.graph import (
    ArgumentGraph,
    GraphBuilder,
    Node,
    Proposition,
    Scheme,
    SchemeNode,
    SourceText,
    Span,
)
from aifgraph.graph.schemes import DEFAULTS

#: Edge type → the AIF node that it becomes.
_RELATIONS = {
    "sup": ("RA", DEFAULTS["RA"]),
    "exa": ("RA", Scheme("14", "Example")),
    "reb": ("CA", DEFAULTS["CA"]),
    "und": ("CA", DEFAULTS["CA"]),
}
_PARTS = frozenset({"edu", "joint", "adu", "edge"})


class ArgGraph(Codec):
    """One ``arggraph`` a file, its text next to it (``micro_b001.xml``, ``micro_b001.txt``)."""

    name = "microtexts"
    title = "microtext arggraph XML"
    suffixes = (".xml",)

    def sniff(self, file: Input) -> bool:
        return starts_with_element(file.data, "arggraph")

    def read(self, file: Input) -> ArgumentGraph:
        document = parse_xml(file.data, file.name)
        if document.root.tag != "arggraph":
            raise document.error(f"the root is {document.root.tag}", document.root, "give an arggraph document")
        return _Reader(document).graph(file)

    def write(self, graph: ArgumentGraph) -> Written:
        return Written(*write_arggraph(with_places(graph)))


class _Reader:
    """Two passes: first every edge that becomes an S-node, then what points at those."""

    def __init__(self, document: Xml) -> None:
        self.document = document
        self.build = GraphBuilder(name=document.where)
        self.edus: dict[str, dict[str, Any]] = {}
        self.below: dict[str, list[dict[str, Any]]] = {}
        self.units: dict[str, list[str]] = {}

    def graph(self, file: Input) -> ArgumentGraph:
        root = self.document.root
        relations: list[tuple[Element, str, str, str, str]] = []
        adus: dict[str, str | None] = {}
        joints: set[str] = set()
        others: list[str] = []
        for element in root:
            tag, attributes = element.tag, element.attrib
            if tag not in _PARTS:
                others.append(tag if isinstance(tag, str) else "a comment")
                continue
            id_ = attributes.get("id")
            if id_ is None:
                raise self.document.error(f"{tag} without id", element)
            if tag == "edge":
                try:
                    kind, source, target = attributes["type"], attributes["src"], attributes["trg"]
                except KeyError as missing:
                    raise self.document.error(f"edge {id_} without {missing.args[0]}", element) from None
                relations.append((element, id_, kind, source, target))
                continue
            if id_ in adus or id_ in self.edus or id_ in joints:
                raise self.document.error(f"the id {id_} is given twice", element, "ids are unique in a document")
            if tag == "adu":
                adus[id_] = attributes.get("type")
            elif tag == "edu":
                self.edus[id_] = {**attributes, "text": (element.text or "").strip()}
            else:
                joints.add(id_)
        if others:
            self.build.notice(
                "element-unknown", f"elements that arggraph does not define are left out: {', '.join(others)}"
            )
        self._segments(relations, adus, joints)
        for id_, role in adus.items():
            parts = self.units[id_] = self._edus_of(id_)
            record: dict[str, Any] = {"role": role} if role else {}
            if id_ in self.below:
                record["edus"] = self.below[id_]
            text = (
                self.edus[parts[0]]["text"] if len(parts) == 1 else " ".join(self.edus[each]["text"] for each in parts)
            )
            self.build.proposition(text, id=id_, record=record)
        self._relations(relations)
        self._ends(relations)
        self._source(file, adus)
        aif = {"arggraph": {**root.attrib, "edus": list(self.edus.values())}}
        return self.build.graph(form="microtexts", aif=aif)

    def _segments(self, relations: list[Any], adus: Mapping[str, Any], joints: set[str]) -> None:
        for element, id_, kind, source, target in relations:
            if kind != "seg":
                continue
            if source not in self.edus and source not in joints:
                raise self.document.error(f"the segmentation edge {id_} starts at no EDU or joint: {source}", element)
            if target not in adus and target not in joints:
                raise self.document.error(f"the segmentation edge {id_} leads to no ADU or joint: {target}", element)
            self.below.setdefault(target, []).append({"id": source, "edge": id_})
        for joint in joints & self.below.keys():
            for upper in self.below.values():
                for entry in upper:
                    if entry["id"] == joint and upper is not self.below[joint]:
                        entry["edus"] = self.below[joint]

    def _edus_of(self, id_: str) -> list[str]:
        """The EDUs under an ADU or a joint, in their order; a joint in a joint in itself ends the walk."""
        entries = self.below.get(id_, ())
        if len(entries) == 1 and entries[0]["id"] in self.edus:
            return [entries[0]["id"]]
        stack, visited = [id_], set()
        found: list[str] = []
        while stack:
            for entry in self.below.get(stack.pop(), ()):
                part = entry["id"]
                if part in visited:
                    continue
                visited.add(part)
                (found if part in self.edus else stack).append(part)
        order = {id_: place for place, id_ in enumerate(self.edus)}
        return sorted(found, key=order.__getitem__)

    def _relations(self, relations: list[Any]) -> None:
        for element, id_, kind, _, _ in relations:
            if kind in ("seg", "add"):
                continue
            if kind not in _RELATIONS:
                remedy = "seg, sup, exa, add, reb and und are defined"
                raise self.document.error(f"edge {id_} is of unknown type {kind}", element, remedy)
            if id_ in self.build:
                raise self.document.error(f"the id {id_} is given twice", element, "ids are unique in a document")
            type_, scheme = _RELATIONS[kind]
            self.build.node(type_, scheme.name or "", id=id_, schemes=scheme)

    def _ends(self, relations: list[Any]) -> None:
        joined: dict[str, str] = {each[1]: each[4] for each in relations if each[2] == "add"}
        for element, id_, kind, source, target in relations:
            if kind == "seg":
                continue
            # An edge that is added to an added one joins the same S-node.
            hops = 0
            while target in joined and hops <= len(joined):
                target, hops = joined[target], hops + 1
            source = joined.get(source, source)
            for end in (source, target):
                if end not in self.build:
                    raise self.document.error(f"edge {id_} names {end}, which is not there", element)
            if kind == "add":
                add_edge(self.build, source, target, id_)
            else:
                add_edge(self.build, source, id_)
                add_edge(self.build, id_, target)

    def _source(self, file: Input, adus: Mapping[str, Any]) -> None:
        sibling = file.sibling(".txt")
        text, places = "", None
        if sibling is not None:
            text, notice = decode_source(sibling, f"{file.stem}.txt")
            if notice:
                self.build.notice(notice.code, notice.message)
            places = find_edus(self.edus, text)
            if places is None:
                what = f"{file.stem}.txt does not hold the EDUs in their order: they are joined"
                self.build.notice("text-differs", what)
        origin: Literal["given", "embedded"] = "given"
        if places is None:
            origin = "embedded"
            text, places = join_edus(self.edus)
        spans = tuple(span for id_ in adus for span in unit_spans(id_, self.units[id_], text, places))
        if text:
            self.build.source(SourceText(text, origin, spans))


_EXAMPLE = "14"
EdgeIds = Mapping[tuple[str, str], str | None]


def write_arggraph(graph: ArgumentGraph) -> tuple[str, dict[str, str]]:
    """The document and the text next to it."""
    ids = NodeIds(graph, is_name)
    kept = graph.meta.aif.get("arggraph")
    root = dict(kept) if isinstance(kept, dict) else {}
    edus = {str(edu["id"]): edu for edu in root.pop("edus", ()) if isinstance(edu, dict) and "id" in edu}
    root.setdefault("id", graph.name if is_name(graph.name) else "map")
    units = graph.propositions
    relations = writable(graph, ("RA", "CA"), lambda relation, node: relation.type == "CA")
    for node in (*units, *(relation for relation, _, _ in relations.values())):
        ids.take(node)
    segments = _Segments(ids, edus)
    for unit in units:
        segments.unit(unit)
    lines = ["<?xml version='1.0' encoding='UTF-8'?>", f"<arggraph{_attributes(root)}>"]
    for edu in segments.edus.values():
        rest = {key: value for key, value in edu.items() if key != "text"}
        lines.append(f"  <edu{_attributes(rest)}>{xml_text(str(edu.get('text', '')))}</edu>")
    lines += (f"  <joint id={xml_attribute(joint)}/>" for joint in segments.joints)
    for unit in units:
        role = unit.record.get("role")
        lines.append(f"  <adu{_attributes({'id': ids[unit.id]} | ({'type': role} if role else {}))}/>")
    lines += (_edge(*segment, "seg") for segment in segments.edges)
    edge_ids = {(edge.source, edge.target): edge.id for edge in graph.edges}
    for relation, premises, target in relations.values():
        lines += _relation(relation, premises, target, edge_ids, ids)
    return "\n".join([*lines, "</arggraph>"]) + "\n", _text_file(graph, segments)


def _text_file(graph: ArgumentGraph, segments: _Segments) -> dict[str, str]:
    """The text file, where there is a text that the EDUs can be found in and that is not just the EDUs."""
    source = graph.meta.source
    if source is None:
        return {}
    if source.text == join_edus(segments.edus)[0]:
        implied = source.origin == "embedded"
    else:
        implied = find_edus(segments.edus, source.text) is None
    return {} if implied else {".txt": source.text}


def _relation(
    relation: SchemeNode, premises: list[Proposition], target: Node, edge_ids: EdgeIds, ids: NodeIds
) -> Iterator[str]:
    kind = "sup"
    if any(scheme.id == _EXAMPLE for scheme in relation.schemes) and relation.type == "RA":
        kind = "exa"
    elif relation.type == "CA":
        kind = "reb" if isinstance(target, Proposition) else "und"
    own = ids[relation.id]
    yield _edge(own, ids[premises[0].id], ids[target.id], kind)
    for premise in premises[1:]:
        id_ = ids.fresh("c", edge_ids[premise.id, relation.id])
        yield _edge(id_, ids[premise.id], own, "add")


class _Segments:
    """EDUs, joints and segmentation edges: those that were read where they still fit, new ones elsewhere."""

    def __init__(self, ids: NodeIds, edus: Mapping[str, Mapping[str, Any]]) -> None:
        self.ids = ids
        self.edus: dict[str, Mapping[str, Any]] = dict(edus)
        self.joints: dict[str, None] = {}
        self.edges: list[tuple[str, str, str]] = []
        self.units: dict[str, list[str]] = {}
        for id_ in self.edus:
            ids.reserve(id_)

    def unit(self, unit: Node) -> None:
        entries = unit.record.get("edus")
        listed = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
        parts = list(self._parts(listed))
        if parts and None not in parts:
            known = [id_ for id_ in self.edus if id_ in parts]
            if " ".join(str(self.edus[part].get("text", "")) for part in known) == unit.text:
                self.units[unit.id] = known
                self._segment(listed, self.ids[unit.id])
                return
        if not unit.text and not listed:
            return
        edu = self.ids.fresh("e")
        self.edus[edu] = {"id": edu, "text": unit.text}
        self.units[unit.id] = [edu]
        self.edges.append((self.ids.fresh("s"), edu, self.ids[unit.id]))

    def _parts(self, entries: list[dict[str, Any]]) -> Iterator[str | None]:
        for entry in entries:
            below = entry.get("edus")
            if isinstance(below, list):
                yield from self._parts([each for each in below if isinstance(each, dict)])
            else:
                id_ = str(entry.get("id"))
                yield id_ if id_ in self.edus else None

    def _segment(self, entries: list[dict[str, Any]], target: str) -> None:
        for entry in entries:
            id_ = str(entry["id"])
            below = entry.get("edus")
            if isinstance(below, list) and id_ not in self.joints:
                self.joints[id_] = None
                self.ids.reserve(id_)
                self._segment(below, id_)
            self.edges.append((self.ids.fresh("s", entry.get("edge")), id_, target))


def _attributes(values: Mapping[str, Any]) -> str:
    return "".join(f" {key}={xml_attribute(str(value))}" for key, value in values.items() if is_name(key))


def _edge(id_: str, source: str, target: str, kind: str) -> str:
    ends = f"src={xml_attribute(source)} trg={xml_attribute(target)}"
    return f'  <edge id={xml_attribute(id_)} {ends} type="{kind}"/>'


Places = dict[str, tuple[int, int]]


def find_edus(edus: Mapping[str, Mapping[str, Any]], text: str) -> Places | None:
    """Start and end of each EDU in a text that holds them in their order; None where it does not. Implicit EDUs are
    in no text."""
    places: Places = {}
    cursor = 0
    for id_, edu in edus.items():
        words = edu["text"]
        if not words or "implicit" in edu:
            continue
        start = text.find(words, cursor)
        if start < 0:
            return None
        places[id_] = start, (cursor := start + len(words))
    return places


def join_edus(edus: Mapping[str, Mapping[str, Any]]) -> tuple[str, Places]:
    """The EDUs as one text, joined by blanks, and their places in it.

    >>> join_edus({"e1": {"text": "Masks help"}, "e2": {"text": "they filter"}})
    ('Masks help they filter', {'e1': (0, 10), 'e2': (11, 22)})
    """
    places: Places = {}
    parts: list[str] = []
    length = 0
    for id_, edu in edus.items():
        words = edu["text"]
        if words and "implicit" not in edu:
            places[id_] = length, length + len(words)
            parts.append(words)
            length += len(words) + 1
    return " ".join(parts), places


def unit_spans(node_id: str, edus: Iterable[str], text: str, places: Places) -> Iterator[Span]:
    """The spans of an ADU: one for each run of neighbouring EDUs."""
    start = end = -1
    for part in edus:
        if part not in places:
            continue
        here = places[part]
        if start >= 0 and not text[end : here[0]].strip():
            end = here[1]
            continue
        if start >= 0:
            yield Span(node_id, start, end)
        start, end = here
    if start >= 0:
        yield Span(node_id, start, end)
