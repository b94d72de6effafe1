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
edu, joint  kept beside the graph, with the places of the ADUs in the text
==========  ===========================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from aifgraph.errors import FormatError, LimitError
from aifgraph.files import xml_safe, xml_text
from aifgraph.formats import Written
from aifgraph.formats.trees import add_edge, end_of, fresh_ids, ids_for, relations_of
from aifgraph.graph import ArgumentGraph, GraphBuilder, Scheme, SourceText, Span
from aifgraph.graph.schemes import DEFAULTS

_EXAMPLE: Final = Scheme("14", "Example")
#: Edge type → the AIF node that it becomes.
_RELATIONS: Final = {
    "sup": ("RA", DEFAULTS["RA"]),
    "exa": ("RA", _EXAMPLE),
    "reb": ("CA", DEFAULTS["CA"]),
    "und": ("CA", DEFAULTS["CA"]),
}
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")

#: How many EDUs and joints may stand under a second ADU or joint.
_MAX_SHARED: Final = 100

#: Where each EDU stands in the text.
Places = dict[str, tuple[int, int]]


class _Edge(NamedTuple):
    id: str
    kind: str
    source: str
    target: str


def sniff(root: Element) -> bool:
    """Return whether an XML document is an arggraph."""
    return root.tag == "arggraph"


def read(root: Element, text: str | None = None) -> ArgumentGraph:
    """Read an arggraph; ``text`` is the text that lies beside it."""
    if root.tag != "arggraph":
        raise FormatError(f"the root is {root.tag}", remedy="give an arggraph document")
    build = GraphBuilder()
    edus: dict[str, dict[str, str]] = {}
    adus: dict[str, str | None] = {}
    joints: set[str] = set()
    edges: list[_Edge] = []
    others: list[str] = []
    for element in root:
        tag, attributes = str(element.tag), element.attrib
        if tag not in ("edu", "adu", "joint", "edge"):
            others.append(tag)
            continue
        for key in ("id", "type", "src", "trg") if tag == "edge" else ("id",):
            if key not in attributes:
                raise FormatError(f"{tag} {attributes.get('id', '')} without {key}")
        id_ = attributes["id"]
        if tag == "edge":
            edges.append(_Edge(id_, attributes["type"], attributes["src"], attributes["trg"]))
        elif id_ in adus or id_ in edus or id_ in joints:
            raise FormatError(f"the id {id_} is given twice")
        elif tag == "adu":
            adus[id_] = attributes.get("type")
        elif tag == "edu":
            edus[id_] = {**attributes, "text": (element.text or "").strip()}
        else:
            joints.add(id_)
    if others:
        build.notice("element-unknown", f"elements that arggraph does not define are left out: {', '.join(others)}")
    segments = [edge for edge in edges if edge.kind == "seg"]
    below = _segments(segments, edus.keys() | joints, adus.keys() | joints)
    units: dict[str, list[str]] = {}
    order = {id_: place for place, id_ in enumerate(edus)}
    for id_, role in adus.items():
        units[id_] = parts = _edus_under(id_, below, order)
        extra = {"role": role} if role else {}
        build.proposition(" ".join(edus[part]["text"] for part in parts), id=id_, extra=extra | {"edus": parts})
    _add_relations(build, [edge for edge in edges if edge.kind != "seg"])
    spoken = {id_: edu["text"] for id_, edu in edus.items() if edu["text"] and "implicit" not in edu}
    _add_source(build, spoken, units, text)
    return build.graph(aif={"arggraph": {**root.attrib, "edus": list(edus.values())}})


def _segments(edges: list[_Edge], lower: set[str], upper: set[str]) -> dict[str, list[str]]:
    """Return the EDUs and joints under each ADU and joint."""
    if len(edges) - len({edge.source for edge in edges}) > _MAX_SHARED:
        raise LimitError(f"more than {_MAX_SHARED} segments are part of several others")
    below: dict[str, list[str]] = {}
    for edge in edges:
        if edge.source not in lower or edge.target not in upper:
            raise FormatError(f"edge {edge.id} cannot join {edge.source} to {edge.target}")
        below.setdefault(edge.target, []).append(edge.source)
    return below


def _edus_under(id_: str, below: Mapping[str, list[str]], order: Mapping[str, int]) -> list[str]:
    """Return the EDUs under an ADU, in the order of the document; a joint in itself ends the walk."""
    stack, visited = [id_], {id_}
    while stack:
        for part in below.get(stack.pop(), ()):
            if part not in visited:
                visited.add(part)
                stack.append(part)
    return sorted((part for part in visited if part in order), key=order.__getitem__)


def _add_relations(build: GraphBuilder, edges: list[_Edge]) -> None:
    """Add the S-nodes first, then what leads to and from them."""
    for edge in edges:
        if edge.kind == "add":
            continue
        if edge.kind not in _RELATIONS:
            raise FormatError(f"edge {edge.id} is of unknown type {edge.kind}")
        type_, scheme = _RELATIONS[edge.kind]
        build.node(type_, scheme.name or "", id=edge.id, schemes=scheme)
    added = {edge.id: edge.target for edge in edges if edge.kind == "add"}
    for edge in edges:
        # An edge that is added to an added one joins the same S-node.
        source, target = end_of(added, edge.source), end_of(added, edge.target)
        if edge.kind == "add":
            add_edge(build, source, target, edge.id)
        else:
            add_edge(build, source, edge.id)
            add_edge(build, edge.id, target)


def _add_source(build: GraphBuilder, edus: Mapping[str, str], units: Mapping[str, list[str]], text: str | None) -> None:
    """Add the text with the places of the ADUs: the one beside the file, else the EDUs joined."""
    origin: Literal["given", "embedded"] = "given"
    places = _find_edus(edus, text) if text is not None else None
    if text is None or places is None:
        if text is not None:
            what = "the text beside the file does not have the EDUs in their order; the joined EDUs replace it"
            build.notice("text-differs", what)
        origin, text = "embedded", " ".join(edus.values())
        places = _find_edus(edus, text) or {}
    spans = (span for id_, parts in units.items() for span in _unit_spans(id_, parts, text, places))
    if text:
        build.source(SourceText(text, tuple(spans), origin))


def _find_edus(edus: Mapping[str, str], text: str) -> Places | None:
    """Return start and end of each EDU in a text that holds them in their order, None where it does not."""
    places: Places = {}
    cursor = 0
    for id_, words in edus.items():
        start = text.find(words, cursor)
        if start < 0:
            return None
        places[id_] = start, (cursor := start + len(words))
    return places


def _unit_spans(node_id: str, edus: Iterable[str], text: str, places: Places) -> Iterator[Span]:
    """Yield the spans of an ADU: one for each run of neighbouring EDUs."""
    start = end = -1
    for place in (places[edu] for edu in edus if edu in places):
        if start >= 0 and text[end : place[0]].strip():
            yield Span(node_id, start, end)
            start = -1
        start, end = (place[0] if start < 0 else start), place[1]
    if start >= 0:
        yield Span(node_id, start, end)


# -- writing ------------------------------------------------------------------------------------------------


def write(graph: ArgumentGraph) -> Written:
    """Write propositions with support and attack; a proposition that has no EDU any more gets one of its own."""
    kept = graph.meta.aif.get("arggraph")
    attributes: dict[str, Any] = dict(kept) if isinstance(kept, dict) else {}
    edus = {edu["id"]: edu for edu in attributes.pop("edus", ()) if isinstance(edu, dict) and edu.get("id")}
    attributes.setdefault("id", graph.name if _NAME.match(graph.name) else "map")
    units = graph.propositions
    relations = relations_of(graph, ("RA", "CA"), lambda relation, target: relation.type == "CA")
    nodes = [*units, *(relation.node for relation in relations.values())]
    ids = ids_for(nodes, lambda id_: _NAME.match(id_) is not None, edus)
    edu_ids, segment_ids, added_ids = (fresh_ids(prefix, {*ids.values(), *edus}) for prefix in "esc")
    root = _element(None, "arggraph", attributes)
    segments: list[tuple[str, str]] = []
    for node in units:
        parts = [part for part in node.extra.get("edus") or () if part in edus]
        if " ".join(str(edus[part].get("text", "")) for part in parts) != node.text:
            parts = [next(edu_ids)]
            edus[parts[0]] = {"id": parts[0], "text": node.text}
        segments += ((part, ids[node.id]) for part in parts)
    for edu in edus.values():
        words = {key: value for key, value in edu.items() if key != "text"}
        _element(root, "edu", words).text = xml_safe(str(edu.get("text", "")))
    for node in units:
        role = node.extra.get("role")
        _element(root, "adu", {"id": ids[node.id]} | ({"type": role} if role else {}))
    edges = [_Edge(next(segment_ids), "seg", *ends) for ends in segments]
    # Edges stand where those of the graph stand, as far as relations keep the order of their nodes.
    places = {edge[:2]: place for place, edge in enumerate(graph.edges)}
    placed: list[tuple[int, _Edge]] = []
    last = 0
    for id_, relation in relations.items():
        kind = "sup"
        if relation.node.type == "CA":
            kind = "reb" if relation.conclusion.type == "I" else "und"
        elif _EXAMPLE.id in (scheme.id for scheme in relation.node.schemes):
            kind = "exa"
        first, *others = relation.premises
        last = max(last, places[first.id, id_])
        placed.append((last, _Edge(ids[id_], kind, ids[first.id], ids[relation.conclusion.id])))
        for other in others:
            added = _Edge(next(added_ids), "add", ids[other.id], ids[id_])
            placed.append((max(last, places[other.id, id_]), added))
    edges += (edge for _, edge in sorted(placed, key=lambda one: one[0]))
    for edge in edges:
        _element(root, "edge", {"id": edge.id, "src": edge.source, "trg": edge.target, "type": edge.kind})
    source = graph.meta.source
    # Another text is the EDUs joined.
    return Written(xml_text(root), source.text if source is not None and source.origin == "given" else None)


def _element(parent: Element | None, tag: str, attributes: Mapping[str, Any]) -> Element:
    texts = {key: xml_safe(str(value)) for key, value in attributes.items() if _NAME.match(key)}
    return Element(tag, texts) if parent is None else SubElement(parent, tag, texts)
