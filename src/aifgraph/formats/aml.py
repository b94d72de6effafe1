"""AML, Araucaria's XML (Reed and Rowe 2004), read only: propositions in a tree of argument units.

The letters are a trap: ``CA`` is a *convergent argument* (each unit in it supports by itself: one RA-node each), ``LA``
a *linked argument* (its units support together: one RA-node). A ``REFUTATION`` is a CA-node. ``INSCHEME`` says of a
proposition that it takes part in a scheme, as premise or conclusion; ``schid`` tells two uses of a scheme apart.
"""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from aifgraph.formats.codec import Codec
from aifgraph.formats.files import Input
from aifgraph.formats.xml import Xml, parse_xml, starts_with_element
from aifgraph.graph import ArgumentGraph, GraphBuilder, Scheme, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS, named_scheme

#: What of a PROP is read; its other elements (ROLE, TUTOR, …) are kept in the record.
_PROP_PARTS = frozenset({"PROPTEXT", "OWNER", "INSCHEME"})
_UNIT_PARTS = frozenset({"PROP", "REFUTATION", "CA", "LA"})


class Aml(Codec):
    """One analysis a file."""

    name = "aml"
    title = "AML (Araucaria)"
    suffixes = (".aml", ".xml")
    writes = False

    def sniff(self, file: Input) -> bool:
        return starts_with_element(file.data, "ARG")

    def read(self, file: Input) -> ArgumentGraph:
        document = parse_xml(file.data, file.name)
        if document.root.tag != "ARG":
            raise document.error(f"the root is {document.root.tag}", document.root, "give an AML document")
        return _Reader(document).graph()


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
        kept: dict[str, Any] = {}
        for element in root:
            if element.tag == "EDATA":
                kept["edata"] = {str(child.tag): (child.text or "").strip() for child in element}
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
        return self.build.graph(form="aml", aif={"aml": kept} if kept else {})

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
