"""Discourse structure annotated with Glozz (``.aa``, its text in ``.ac``), as in the SDRT layer of the multilayer
microtexts (Stede et al. 2016). Read only.

A unit is an I-node with its place; a relation leads from its second term to its first, which it is attached to; a
complex unit (``schema``) stands for the first of its units. *Contrast* is CA, every other relation RA; the name of the
relation is the S-node's text.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from aifgraph.errors import FormatError
from aifgraph.formats.codec import Codec
from aifgraph.formats.contents import not_held
from aifgraph.formats.files import Input, decode_source
from aifgraph.formats.xml import Xml, parse_xml, starts_with_element
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span


class Glozz(Codec):
    """An annotation file; ``NAME.ac`` next to it holds the text."""

    name = "glozz"
    title = "Glozz (SDRT, .aa)"
    suffixes = (".aa",)
    writes = False
    loses = not_held(())

    def sniff(self, given: Input) -> bool:
        return starts_with_element(given.data, "annotations") and b"<positioning" in given.data

    def read(self, given: Input) -> ArgumentGraph:
        document = parse_xml(given.data, given.name)
        beside = given.beside(".ac")
        if beside is None:
            remedy = "put it next to the annotation"
            raise FormatError(f"there is no {given.stem}.ac, which holds the text", where=given.name, remedy=remedy)
        text, notice = decode_source(beside, f"{given.stem}.ac")
        build = GraphBuilder(name=given.name)
        if notice:
            build.notice(notice.code, notice.message)
        spans = _units(document, text)
        for span in spans:
            build.proposition(text[span.start : span.end].strip(), id=span.node_id)
        parts = {
            _id(schema): [_id(part) for part in schema.iter() if part.tag.startswith("embedded-")]
            for schema in document.root.iter("schema")
        }
        order = {span.node_id: place for place, span in enumerate(spans)}
        for relation in document.root.iter("relation"):
            kind = (relation.findtext("characterisation/type") or "relation").strip()
            ends = [_first(_id(term), parts, order) for term in relation.iter("term")]
            if len(ends) != 2 or None in ends:
                raise document.error("a relation without two terms that are there", relation)
            target, source = ends
            if source == target:
                build.notice("relation-left-out", f"{kind} within one complex unit is left out", *[str(source)])
                continue
            record = {"glozz": {"relation": kind, "id": _id(relation)}}
            build.relation("CA" if kind == "contrast" else "RA", [str(source)], str(target), kind, record=record)
        build.source(SourceText(text, "given", tuple(spans)))
        return build.graph(form="glozz")


def _id(element: Element) -> str:
    return element.get("id", "")


def _units(document: Xml, text: str) -> list[Span]:
    """The units in the order of the text. One without a place in it is an error."""
    spans: dict[str, Span] = {}
    for unit in document.root.iter("unit"):
        if (unit.findtext("characterisation/type") or "").strip() == "paragraph":
            continue
        places = [position.get("index", "") for position in unit.iter("singlePosition")]
        numbers = [int(place) for place in places if place.isascii() and place.isdigit() and len(place) < 12]
        if len(numbers) != 2 or not 0 <= numbers[0] < numbers[1] <= len(text):
            raise document.error(f"the unit {_id(unit)} has no place in the text", unit)
        if not _id(unit) or _id(unit) in spans:
            raise document.error(f"the id {_id(unit)!r} is empty or given twice", unit)
        spans[_id(unit)] = Span(_id(unit), numbers[0], numbers[1])
    return sorted(spans.values(), key=lambda span: (span.start, span.end))


def _first(id_: str, parts: Mapping[str, list[str]], order: Mapping[str, int]) -> str | None:
    """The unit itself, or the first of those that a complex unit holds, however deep; None where there is none."""
    units: list[str] = []
    waiting, known = [id_], set[str]()
    while waiting:
        at = waiting.pop()
        if at in order:
            units.append(at)
        elif at not in known:
            known.add(at)
            waiting += parts.get(at, ())
    return min(units, key=order.__getitem__, default=None)
