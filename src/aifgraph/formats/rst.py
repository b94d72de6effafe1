"""Rhetorical structure of RSTTool (``.rs3``; Mann and Thompson 1988, O'Donnell 2000). Read only.

=================  ===========================================================================================
rs3                AIF
=================  ===========================================================================================
segment            I-node with its place in the text; segments of one ``sameunit`` are one I-node
satellite          S-node from it to its nucleus, the name of the relation as its text
several nuclei     S-node from each to the first of its group, the name of the relation as its text
group              stands for its nuclei: all of them as premises, the first of them as conclusion
=================  ===========================================================================================

Relations of opposition (antithesis, concession, contrast) are CA, restatements and summaries MA, all others RA.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal
from xml.etree.ElementTree import Element

from aifgraph.formats.codec import Codec
from aifgraph.formats.contents import not_held
from aifgraph.formats.files import Input, decode_source
from aifgraph.formats.xml import Xml, parse_xml, starts_with_element
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span

_TYPES = {
    **dict.fromkeys(("antithesis", "concession", "contrast"), "CA"),
    **dict.fromkeys(("restatement", "restatement-mn", "summary"), "MA"),
}


class Rst(Codec):
    """One ``rst`` document a file, its text next to it where there is one."""

    name = "rst"
    title = "RST (RSTTool, .rs3)"
    suffixes = (".rs3", ".rs4")
    writes = False
    loses = not_held(())

    def sniff(self, given: Input) -> bool:
        return starts_with_element(given.data, "rst")

    def read(self, given: Input) -> ArgumentGraph:
        document = parse_xml(given.data, given.name)
        if document.root.tag != "rst":
            raise document.error(f"the root is {document.root.tag}", document.root, "give an rs3 document")
        return _Reader(document, given).graph()


class _Reader:
    def __init__(self, document: Xml, given: Input) -> None:
        self.document = document
        self.given = given
        self.build = GraphBuilder(name=given.name)
        self.units: dict[str, Element] = {}
        self.children: dict[str, list[str]] = {}
        self.multinuclear = {rel.get("name", "") for rel in document.root.iter("rel") if rel.get("type") == "multinuc"}

    def graph(self) -> ArgumentGraph:
        for unit in self.document.root.iter():
            if unit.tag in ("segment", "group"):
                id_ = unit.get("id", "")
                if not id_ or id_ in self.units:
                    raise self.document.error(f"the id {id_!r} is empty or given twice", unit)
                self.units[id_] = unit
        for id_, unit in self.units.items():
            parent = unit.get("parent")
            if parent is not None:
                if parent not in self.units:
                    raise self.document.error(f"unit {id_} names {parent}, which is not there", unit)
                self.children.setdefault(parent, []).append(id_)
        self._check_tree()
        homes = self._homes()
        spans = self._propositions(homes)
        for id_, unit in self.units.items():
            self._relation(id_, unit, homes)
        text, origin, places = self._text()
        marks = (Span(homes[id_], *places[id_]) for id_ in spans)
        self.build.source(SourceText(text, origin, tuple(marks)))
        return self.build.graph(form="rst")

    def _check_tree(self) -> None:
        done: set[str] = set()
        for id_ in self.units:
            path: set[str] = set()
            at: str | None = id_
            while at is not None and at not in done:
                if at in path:
                    raise self.document.error(f"unit {at} is its own parent over others", self.units[at])
                path.add(at)
                at = self.units[at].get("parent")
            done |= path

    def _homes(self) -> dict[str, str]:
        """Each segment with the one whose I-node holds it: the first of those that are one unit."""
        homes = {id_: id_ for id_, unit in self.units.items() if unit.tag == "segment"}
        for id_, unit in self.units.items():
            if unit.get("relname") == "sameunit":
                group = unit.get("parent", "")
                others = [child for child in self.children[group] if self.units[child].get("relname") == "sameunit"]
                parts = self._heads(id_)[:1] + (self._heads(group)[:1] or self._heads(others[0])[:1])
                first, second = (homes[part] for part in parts[:2]) if len(parts) > 1 else (id_, id_)
                if first in homes and first != second:
                    keep = min(first, second, key=list(homes).index)
                    homes.update({part: keep for part, home in homes.items() if home in (first, second)})
        return homes

    def _propositions(self, homes: dict[str, str]) -> list[str]:
        for id_ in homes:
            if homes[id_] == id_:
                parts = [part for part, home in homes.items() if home == id_]
                text = " ".join((self.units[part].text or "").strip() for part in parts)
                record = {"segments": parts} if len(parts) > 1 else {}
                self.build.proposition(text, id=id_, record=record)
        return [id_ for id_ in homes if (self.units[id_].text or "").strip()]

    def _heads(self, id_: str) -> list[str]:
        """The segments that a unit stands for: itself, or the nuclei of a group."""
        heads: list[str] = []
        waiting = [id_]
        while waiting:
            unit = self.units[at := waiting.pop(0)]
            if unit.tag == "segment":
                heads.append(at)
            else:
                waiting = [child for child in self.children.get(at, ()) if self._is_nucleus(child)] + waiting
        return heads

    def _is_nucleus(self, id_: str) -> bool:
        name = self.units[id_].get("relname", "")
        parent = self.units[self.units[id_].get("parent", id_)]
        return name == "span" or (name in self.multinuclear and parent.get("type") == "multinuc")

    def _relation(self, id_: str, unit: Element, homes: dict[str, str]) -> None:
        name, parent = unit.get("relname", "span"), unit.get("parent")
        if parent is None or name in ("span", "sameunit"):
            return
        sources = list(dict.fromkeys(homes[head] for head in self._heads(id_)))
        targets = [homes[head] for head in self._heads(parent)]
        if targets and targets[0] not in sources:
            record = {"rst": {"relation": name, "nuclei": "several" if self._is_nucleus(id_) else "one"}}
            self.build.relation(_TYPES.get(name, "RA"), sources, targets[0], name, record=record)

    def _text(self) -> tuple[str, Literal["given", "embedded"], dict[str, tuple[int, int]]]:
        """The text with its origin, and where the segments stand in it."""
        beside = self.given.beside(".txt")
        if beside is not None:
            text, notice = decode_source(beside, f"{self.given.stem}.txt")
            if notice:
                self.build.notice(notice.code, notice.message)
            places = dict(self._find(text))
            if len(places) == sum(unit.tag == "segment" for unit in self.units.values()):
                return text, "given", places
            self.build.notice("text-differs", f"{self.given.stem}.txt does not hold the segments in their order")
        words = [unit.text or "" for unit in self.units.values() if unit.tag == "segment"]
        joined = "".join(word if word[:1].isspace() or not place else f" {word}" for place, word in enumerate(words))
        return joined, "embedded", dict(self._find(joined))

    def _find(self, text: str) -> Iterator[tuple[str, tuple[int, int]]]:
        at = 0
        for id_, unit in self.units.items():
            if unit.tag == "segment":
                words = (unit.text or "").strip()
                start = text.find(words, at)
                if start < 0:
                    return
                at = start + len(words)
                yield id_, (start, at)
