"""AML, Araucaria's XML (Reed and Rowe 2004): propositions in a tree of argument units.

The letters are a trap: ``CA`` is a *convergent argument* (each unit in it supports by itself: one RA-node each), ``LA``
a *linked argument* (its units support together: one RA-node). A ``REFUTATION`` is a CA-node. ``INSCHEME`` says of a
proposition that it takes part in a scheme, as premise or conclusion; ``schid`` tells two uses of a scheme apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.files import Input
from aifgraph.formats.losses import ARGUMENT, with_places
from aifgraph.formats.writing import NodeIds, writable
from aifgraph.formats.xml import Xml, parse_xml, starts_with_element, unwritable, xml_attribute, xml_text
from aifgraph.graph import ArgumentGraph, GraphBuilder, Node, Proposition, Scheme, SchemeNode, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS, is_default, named_scheme, split_camel_case

#: What of a PROP is read; its other elements (ROLE, TUTOR, …) are kept in the record for writing.
_PROP_PARTS = frozenset({"PROPTEXT", "OWNER", "INSCHEME"})
_UNIT_PARTS = frozenset({"PROP", "REFUTATION", "CA", "LA"})


class Aml(Codec):
    """One analysis a file."""

    name = "aml"
    title = "AML (Araucaria)"
    suffixes = (".aml", ".xml")
    supports = ARGUMENT | {"node ids", "schemes", "source texts", "spans"}

    def sniff(self, given: Input) -> bool:
        return starts_with_element(given.data, "ARG")

    def read(self, given: Input) -> ArgumentGraph:
        document = parse_xml(given.data, given.name)
        if document.root.tag != "ARG":
            raise document.error(f"the root is {document.root.tag}", document.root, "give an AML document")
        return _Reader(document).graph()

    def write(self, graph: ArgumentGraph) -> Written:
        return Written(_Writer(with_places(graph)).document())


class _Reader:
    def __init__(self, document: Xml) -> None:
        self.document = document
        self.build = GraphBuilder(name=document.where)
        self.texts: dict[str, str] = {}
        self.in_schemes: dict[str, list[tuple[str, str]]] = {}
        self.spans: list[Span] = []
        self.source = ""
        self.relations = 0
        self.taken = {each.get("identifier") for each in document.root.iter("PROP")}
        self.left_out: dict[str, None] = {}
        self.used: dict[tuple[str, str], Element] = {}

    def graph(self) -> ArgumentGraph:
        root = self.document.root
        text = root.find("TEXT")
        self.source = "".join(text.itertext()) if text is not None else ""
        beside: dict[str, Any] = {}
        for element in root:
            if element.tag == "EDATA":
                beside["edata"] = {str(child.tag): (child.text or "").strip() for child in element}
            elif element.tag == "AU":
                self.unit(element)
            elif element.tag != "TEXT":
                self.left_out[str(element.tag)] = None
        unused = {name for uses in self.in_schemes.values() for name, schid in uses if (name, schid) not in self.used}
        if unused:
            names = ", ".join(sorted(unused))
            self.build.notice("scheme-unused", f"schemes of propositions without such an inference left out: {names}")
        if self.left_out:
            self.build.notice("element-unknown", f"elements left out: {', '.join(self.left_out)}")
        if self.source:
            self.build.source(SourceText(self.source, "embedded", tuple(self.spans) or None))
        return self.build.graph(form="aml", aif={"aml": beside} if beside else {})

    def unit(self, unit: Element) -> str:
        """The proposition of an argument unit, after everything that bears on it."""
        prop = unit.find("PROP")
        if prop is None:
            raise self.document.error("an AU without PROP", unit)
        here = self.proposition(prop)
        for part in unit:
            if part.tag not in _UNIT_PARTS:
                self.left_out[str(part.tag)] = None
            if part.tag not in ("REFUTATION", "CA", "LA"):
                continue
            below = [self.unit(each) for each in part.findall("AU")]
            if not below:
                raise self.document.error(f"{part.tag} without AU", part)
            if part.tag == "REFUTATION":
                for each in below:
                    self.relation("CA", [each], here)
            elif part.tag == "CA":
                for each in below:
                    self.relation("RA", [each], here, part)
            else:
                self.relation("RA", list(dict.fromkeys(below)), here, part)
        return here

    def relation(self, type_: str, premises: list[str], conclusion: str, part: Element | None = None) -> None:
        if conclusion in premises:
            self.build.notice("edge-loop", f"{conclusion} bears on itself: left out", conclusion)
            return
        self.relations += 1
        while (id_ := f"{type_}{self.relations}") in self.taken:
            self.relations += 1
        schemes = () if part is None else self.schemes(premises, conclusion, part)
        text = schemes[0].name or "" if schemes else DEFAULT_TEXTS[type_]
        self.build.relation(type_, premises, conclusion, text, id=id_, schemes=schemes)

    def schemes(self, premises: list[str], conclusion: str, part: Element) -> tuple[Scheme, ...]:
        """The schemes of an inference: those of its premises that its conclusion takes part in too, by ``schid``.

        A use of a scheme belongs to one part of the tree; where only premises are marked, to the lowest.
        """
        free = [
            use for premise in premises for use in self.in_schemes.get(premise, ()) if self.used.get(use, part) is part
        ]
        above = set(self.in_schemes.get(conclusion, ()))
        shared = dict.fromkeys([use for use in free if use in above] or free)
        self.used.update(dict.fromkeys(shared, part))
        return tuple(named_scheme(name, "RA") for name, _ in shared)

    def proposition(self, prop: Element) -> str:
        text_element = prop.find("PROPTEXT")
        raw = "".join(text_element.itertext()) if text_element is not None else ""
        text = raw.strip()
        id_ = prop.get("identifier") or ""
        if not id_:
            raise self.document.error("a PROP without identifier", prop)
        uses = [(each.get("scheme", "").strip(), each.get("schid", "")) for each in prop.findall("INSCHEME")]
        if id_ in self.texts:
            if self.texts[id_] != text:
                raise self.document.error(f"the identifier {id_} is given to two texts", prop)
            self.in_schemes[id_] += [use for use in uses if use not in self.in_schemes[id_]]
            return id_
        self.texts[id_] = text
        self.in_schemes[id_] = uses
        record: dict[str, Any] = {}
        if prop.get("missing") == "yes":
            record["missing"] = True
        owners = [each.get("name", "") for each in prop.findall("OWNER")]
        if owners:
            record["owners"] = owners
        rest = {key: value for key, value in prop.attrib.items() if key not in ("identifier", "missing")}
        if rest:
            record["prop"] = rest
        more = [_kept(child) for child in prop if child.tag not in _PROP_PARTS]
        if more:
            record["elements"] = more
        self.build.proposition(text, id=id_, record=record)
        self.place(id_, raw, text_element)
        return id_

    def place(self, id_: str, raw: str, element: Element | None) -> None:
        try:
            offset = int(element.get("offset", "-1")) if element is not None else -1
        except ValueError:
            offset = -1
        text = raw.strip()
        if offset < 0 or not text:
            return
        start = offset + (len(raw) - len(raw.lstrip()))
        if self.source[start : start + len(text)].split() == text.split():  # line breaks are moved by hand
            self.spans.append(Span(id_, start, start + len(text)))
        else:
            self.build.notice("span-differs", f"the text at offset {offset} is not that of {id_}: place left out", id_)


def _kept(element: Element) -> dict[str, Any]:
    """An element that is only kept: its tag, attributes, text and children."""
    kept: dict[str, Any] = {"tag": str(element.tag), **({"attributes": dict(element.attrib)} if element.attrib else {})}
    text = (element.text or "").strip()
    children = [_kept(child) for child in element]
    return kept | ({"text": text} if text else {}) | ({"children": children} if children else {})


_NAME = re.compile(r"[A-Za-z_][\w.-]*\Z")


def _element(kept: object) -> str:
    """An element that was kept, as XML; empty where it is none (a record may come from any file)."""
    if not isinstance(kept, dict) or not _NAME.match(str(kept.get("tag", ""))):
        return ""
    attributes, children = kept.get("attributes", {}), kept.get("children", [])
    if not isinstance(attributes, dict) or not all(_NAME.match(str(key)) for key in attributes):
        return ""
    start = kept["tag"] + "".join(f" {key}={xml_attribute(str(value))}" for key, value in attributes.items())
    inner = xml_text(str(kept.get("text", ""))) + "".join(map(_element, children if isinstance(children, list) else ()))
    return f"<{start}>{inner}</{kept['tag']}>" if inner else f"<{start}/>"


#: Deeper than this a unit is written as a tree of its own.
_DEEP = 60


class _Writer:
    def __init__(self, graph: ArgumentGraph) -> None:
        self.graph = graph
        self.ids = NodeIds(graph, lambda id_: bool(id_) and id_ == id_.strip() and not unwritable(id_))
        self.bearing: dict[str, list[tuple[SchemeNode, list[Proposition]]]] = {}
        self.uses: dict[str, list[tuple[str, int]]] = {}
        relations = writable(graph, ("RA", "CA"))
        for number, (relation, premises, target) in enumerate(relations.values()):
            self.bearing.setdefault(target.id, []).append((relation, premises))
            self._schemes(relation, [*premises, target], number)
        self.sources = {premise.id for _, premises, _ in relations.values() for premise in premises}
        self.texts = {node.id: node.text for node in graph.propositions}
        self.spans: dict[str, int] = {}
        self.written: set[str] = set()
        self.later: list[Node] = []

    def _schemes(self, relation: SchemeNode, ends: list[Any], number: int) -> None:
        for scheme in relation.schemes if relation.type == "RA" else ():
            name = split_camel_case(scheme.name or "").strip()
            if is_default(scheme, relation.type):
                continue
            if name and not unwritable(name) and named_scheme(name, "RA") == scheme:
                for end in ends:
                    self.uses.setdefault(end.id, []).append((name, number))

    def document(self) -> str:
        graph = self.graph
        kept = graph.meta.aif.get("aml")
        edata = kept.get("edata", {}) if isinstance(kept, dict) else {}
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<ARG>", f"<TEXT>{xml_text(self._text())}</TEXT>"]
        if edata:
            lines.append(
                "<EDATA>" + "".join(f"<{key}>{xml_text(str(edata[key]))}</{key}>" for key in edata) + "</EDATA>"
            )
        for node in graph.propositions:
            self.ids.take(node)
        roots: list[Node] = [node for node in graph.propositions if node.id not in self.sources]
        for root in (*roots, *graph.propositions):
            if root.id not in self.written:
                lines += self._unit(root, 0)
            while self.later:
                again = self.later.pop()
                if again.id not in self.written:
                    lines += self._unit(again, 0)
        return "\n".join([*lines, "</ARG>"]) + "\n"

    def _text(self) -> str:
        source = self.graph.meta.source
        if source is None:
            return ""
        for span in source.spans or ():
            text = source.text[span.start : span.end]
            own = self.texts.get(span.node_id, "")
            fits = bool(text) and own.strip() == own and len(own) == len(text) and own.split() == text.split()
            if fits:
                self.spans.setdefault(span.node_id, span.start)
        return source.text

    def _unit(self, node: Node, depth: int) -> Iterator[str]:
        first = node.id not in self.written
        deep = depth > _DEEP and self.bearing.get(node.id)
        yield "<AU>"
        yield from self._prop(node)
        if first and deep:
            self.later.append(node)
        elif first:
            self.written.add(node.id)
            for relation, premises in self.bearing.get(node.id, ()):
                tag = "REFUTATION" if relation.type == "CA" else "LA" if len(premises) > 1 else "CA"
                if tag == "REFUTATION":
                    for premise in premises:
                        yield from ("<REFUTATION>", *self._unit(premise, depth + 1), "</REFUTATION>")
                    continue
                yield f"<{tag}>"
                for premise in premises:
                    yield from self._unit(premise, depth + 1)
                yield f"</{tag}>"
        yield "</AU>"

    def _prop(self, node: Node) -> Iterator[str]:
        more = node.record.get("prop")
        attributes = (
            "".join(f" {key}={xml_attribute(str(more[key]))}" for key in more) if isinstance(more, dict) else ""
        )
        missing = "yes" if node.record.get("missing") else "no"
        yield f'<PROP identifier={xml_attribute(self.ids[node.id])} missing="{missing}"{attributes}>'
        yield f'<PROPTEXT offset="{self.spans.get(node.id, -1)}">{xml_text(node.text)}</PROPTEXT>'
        owners = node.record.get("owners")
        for owner in owners if isinstance(owners, list) else ():
            yield f"<OWNER name={xml_attribute(str(owner))}/>"
        for name, use in self.uses.get(node.id, ()):
            yield f'<INSCHEME scheme={xml_attribute(name)} schid="{use}"/>'
        elements = node.record.get("elements")
        for element in elements if isinstance(elements, list) else ():
            if text := _element(element):
                yield text
        yield "</PROP>"
