"""The microtext corpora's ``arggraph`` XML (Peldszus and Stede 2013; parts 1 and 2, multilayer ``arg``), read only.

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

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple
from xml.etree.ElementTree import Element

from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.trees import add_edge
from aifgraph.graph import ArgumentGraph, GraphBuilder, Scheme, SourceText, Span
from aifgraph.graph.schemes import DEFAULTS
from aifgraph.graph.walk import end_of

_EXAMPLE: Final = Scheme("14", "Example")
#: Edge type → the AIF node that it becomes.
_RELATIONS: Final = {
    "sup": ("RA", DEFAULTS["RA"]),
    "exa": ("RA", _EXAMPLE),
    "reb": ("CA", DEFAULTS["CA"]),
    "und": ("CA", DEFAULTS["CA"]),
}
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
