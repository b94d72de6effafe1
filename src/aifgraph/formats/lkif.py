"""LKIF (Gordon 2008, deliverable 4.1 of Estrella), the format of Carneades 2, in XML. Read only.

============================  =================================================================================
LKIF                          AIF
============================  =================================================================================
statement                     I-node under its id; ``value``, ``assumption`` and ``standard`` are in the record
pro argument                  RA-node under its id, its scheme the one that is named
con argument                  CA-node with all its premises
premise, exception            CA-node from that statement onto the S-node of the argument
premise, negative polarity    an I-node for the negation, and a CA-node each way between it and the statement
============================  =================================================================================

The rules and sources of a file are no part of the map.
"""

from __future__ import annotations

from typing import Any, Final
from xml.etree.ElementTree import Element

from aifgraph.errors import OptionError
from aifgraph.formats.codec import Codec
from aifgraph.formats.contents import not_held
from aifgraph.formats.files import Input
from aifgraph.formats.xml import Xml, parse_xml, starts_with_element
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS, named_scheme

_OF_STATEMENTS: Final = ("value", "assumption", "standard")
_OF_ARGUMENTS: Final = ("title", "weight")
_OF_PREMISES: Final = ("ordinary", "assumption", "exception")


class Lkif(Codec):
    """An argument graph of an LKIF file; one file may hold several."""

    name = "lkif"
    title = "LKIF (Carneades 2)"
    suffixes = (".lkif", ".xml")
    writes = False
    loses = not_held(())

    def sniff(self, given: Input) -> bool:
        return starts_with_element(given.data, "lkif")

    def read(self, given: Input, *, graph: int = 1) -> ArgumentGraph:
        """The map of one argument graph; ``graph`` says which, from 1."""
        document = parse_xml(given.data, given.name)
        if _tag(document.root) != "lkif":
            raise document.error(f"the root is {_tag(document.root)}", document.root, "give an LKIF document")
        graphs = [each for part in _children(document.root, "argument-graphs") for each in part]
        graphs = [each for each in graphs if _tag(each) == "argument-graph"]
        if not graphs:
            raise document.error("no argument graph", document.root, "rules alone are no map")
        if not 1 <= graph <= len(graphs):
            raise OptionError(f"there is no graph {graph}", where=given.name, remedy=f"choose from 1 to {len(graphs)}")
        return _Reader(document, graphs[graph - 1]).graph(len(graphs))


class _Reader:
    def __init__(self, document: Xml, whole: Element) -> None:
        self.document = document
        self.whole = whole
        self.build = GraphBuilder(name=document.where)
        self.taken = {element.get("id") for element in whole.iter()}
        self.statements: dict[str, str] = {}
        self.negations: dict[str, str] = {}
        #: Conflicts without ids of their own: made last, so that no id is taken from an argument.
        self.conflicts: list[tuple[str, str, dict[str, Any]]] = []

    def graph(self, graphs: int) -> ArgumentGraph:
        for statement in _within(self.whole, "statements"):
            if _tag(statement) in ("statement", "s"):
                self.statement(statement)
        for argument in _within(self.whole, "arguments"):
            if _tag(argument) == "argument":
                self.argument(argument)
        for start, end, record in self.conflicts:
            self.build.conflict(start, end, record=record)
        if graphs > 1:
            self.build.notice("graphs-left-out", f"one of {graphs} argument graphs is read (option graph)")
        more = {key: value for key in ("id", "title", "main-issue") if (value := self.whole.get(key))}
        return self.build.graph(form="lkif", aif={"lkif": more} if more else {})

    def statement(self, element: Element) -> None:
        # Up to version 1 the sentence itself stands among the statements.
        sentences = [element] if _tag(element) == "s" else _children(element, "s")
        text = " ".join("".join(sentences[0].itertext()).split()) if sentences else ""
        record: dict[str, Any] = {key: element.get(key) for key in _OF_STATEMENTS if element.get(key)}
        if sentences and sentences[0].get("pred"):
            record["predicate"] = sentences[0].get("pred")
        id_ = self.new_id(element, "statement")
        self.statements[id_] = text
        self.build.proposition(text, id=id_, record=record)

    def argument(self, element: Element) -> None:
        id_ = self.new_id(element, "argument")
        conclusions = _children(element, "conclusion")
        if not conclusions:
            raise self.document.error("an argument without conclusion", element, "name a statement")
        goal = self.known(conclusions[0])
        ordinary: list[str] = []
        exceptions: list[str] = []
        record: dict[str, Any] = {key: element.get(key) for key in _OF_ARGUMENTS if element.get(key)}
        for premise in _within(element, "premises"):
            if _tag(premise) != "premise":
                continue
            kind = premise.get("type") or ("exception" if premise.get("exception") == "true" else "ordinary")
            if kind not in _OF_PREMISES:
                remedy = f"known are {', '.join(_OF_PREMISES)}"
                raise self.document.error(f"a premise of unknown type {kind[:40]!r}", premise, remedy)
            start = self.known(premise)
            if premise.get("polarity") == "negative":
                start = self.negation(start)
            if kind == "exception":
                exceptions.append(start)
            elif start == goal:
                self.build.notice("edge-loop", f"{goal} is a premise of itself: left out", goal)
            else:
                ordinary.append(start)
            if kind == "assumption":
                record.setdefault("assumptions", []).append(start)
            if premise.get("role"):
                record.setdefault("roles", {})[premise.get("role", "")] = start
        type_ = "CA" if element.get("direction") == "con" else "RA"
        scheme = (element.get("scheme") or "").strip()
        # AIFdb writes the text of the node as the scheme, also where it says no more than the type.
        schemes = (named_scheme(scheme, type_),) if scheme and scheme not in (type_, DEFAULT_TEXTS[type_]) else ()
        text = scheme if schemes else DEFAULT_TEXTS[type_]
        self.build.relation(type_, dict.fromkeys(ordinary), goal, text, id=id_, schemes=schemes, record=record)
        self.conflicts += ((exception, id_, {}) for exception in dict.fromkeys(exceptions))

    def negation(self, id_: str) -> str:
        """The proposition that says the contrary of a statement; made once."""
        if id_ not in self.negations:
            own = f"¬{id_}"
            while own in self.taken:
                own = f"¬{own}"
            self.negations[id_] = self.build.proposition(f"¬{self.statements[id_]}", id=own, record={"negates": id_})
            self.conflicts += ((*ends, {"symmetric": "contradictory"}) for ends in ((own, id_), (id_, own)))
        return self.negations[id_]

    def new_id(self, element: Element, what: str) -> str:
        id_ = element.get("id") or ""
        if not id_:
            raise self.document.error(f"a {what} without id", element)
        if id_ in self.build:
            raise self.document.error(f"the id {id_} is given twice", element, "give each its own id")
        return id_

    def known(self, element: Element) -> str:
        """The statement that a premise or a conclusion names."""
        id_ = element.get("statement") or ""
        if id_ not in self.statements:
            raise self.document.error(f"the statement {id_!r} is not there", element, "define it among the statements")
        return id_


def _tag(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _children(element: Element, tag: str) -> list[Element]:
    return [child for child in element if _tag(child) == tag]


def _within(element: Element, section: str) -> list[Element]:
    """What stands in the sections of this name."""
    return [child for part in _children(element, section) for child in part]
