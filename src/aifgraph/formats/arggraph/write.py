"""From a graph to ``arggraph`` XML: what has a role in an argument between propositions, EDUs as they were read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aifgraph.formats.writing import NodeIds, writable
from aifgraph.formats.xml import is_name, xml_attribute, xml_text
from aifgraph.graph import ArgumentGraph, Node, Proposition, SchemeNode, Span

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
    return "\n".join([*lines, "</arggraph>"]) + "\n", _beside(graph, segments)


def _beside(graph: ArgumentGraph, segments: _Segments) -> dict[str, str]:
    """The text file, where there is a text that the EDUs can be found in and that is not just the EDUs."""
    source = graph.meta.source
    if source is None:
        return {}
    joined, joined_places = join_edus(segments.edus)
    text = joined if source.text == joined else source.text
    places = joined_places if text is joined else find_edus(segments.edus, text)
    if places is None:
        return {}
    return {} if text is joined and source.origin == "embedded" else {".txt": text}


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
