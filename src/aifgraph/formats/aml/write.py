"""From a graph to AML: a tree of argument units for every proposition that bears on nothing else.

A proposition that is needed twice stands whole the first time and by its identifier and text alone after that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aifgraph.formats.contents import DEFAULT_SCHEMES, Account
from aifgraph.formats.names import Names
from aifgraph.formats.scheme_names import named_scheme, spoken
from aifgraph.formats.tree_relations import writable
from aifgraph.formats.xml import unwritable, xml_attribute, xml_text
from aifgraph.graph import ArgumentGraph, Node, Proposition, SchemeNode

#: Deeper than this a unit is written as a tree of its own.
_DEEP = 60


def write_aml(graph: ArgumentGraph, account: Account) -> str:
    """The document; what is written is entered in the account."""
    return _Writer(graph, account).document()


class _Writer:
    def __init__(self, graph: ArgumentGraph, account: Account) -> None:
        self.graph = graph
        self.account = account
        self.ids = Names(account, lambda id_: bool(id_) and id_ == id_.strip() and not unwritable(id_))
        self.bearing: dict[str, list[tuple[SchemeNode, list[Proposition]]]] = {}
        self.uses: dict[str, list[tuple[str, int]]] = {}
        relations = writable(graph, ("RA", "CA"))
        for number, (relation, premises, target) in enumerate(relations.values()):
            self.bearing.setdefault(target.id, []).append((relation, premises))
            account.node(relation.id)
            account.lose("node ids")
            account.edge(relation.id, target.id)
            for premise in premises:
                account.edge(premise.id, relation.id)
            if relation.type == "CA":
                account.lose("joint premises", len(premises) - 1)
            self._schemes(relation, [*premises, target], number)
        self.sources = {premise.id for _, premises, _ in relations.values() for premise in premises}
        self.texts = {node.id: node.text for node in graph.propositions}
        self.spans: dict[str, int] = {}
        self.written: set[str] = set()
        self.later: list[Node] = []

    def _schemes(self, relation: SchemeNode, ends: list[Any], number: int) -> None:
        own = [scheme for scheme in relation.schemes if DEFAULT_SCHEMES.get(scheme.id or "") != relation.type]
        names = [spoken(scheme.name or "").strip() for scheme in own] if relation.type == "RA" else []
        for scheme, name in zip(own, names, strict=False):
            if name and not unwritable(name) and named_scheme(name, "RA") == scheme:
                for end in ends:
                    self.uses.setdefault(end.id, []).append((name, number))
            else:
                self.account.lose("schemes")
        if relation.type != "RA":
            self.account.lose("schemes", len(own))

    def document(self) -> str:
        graph, account = self.graph, self.account
        kept = graph.meta.aif.get("aml")
        edata = kept.get("edata", {}) if isinstance(kept, dict) else {}
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<ARG>", f"<TEXT>{xml_text(self._text())}</TEXT>"]
        if edata:
            lines.append(
                "<EDATA>" + "".join(f"<{key}>{xml_text(str(edata[key]))}</{key}>" for key in edata) + "</EDATA>"
            )
        for node in graph.propositions:
            self.ids.take(node)
            account.node(node.id)
            account.lose("characters that XML cannot hold", unwritable(node.text))
            account.lose("outer blanks of texts", node.text != node.text.strip())
            account.lose("schemes", sum(DEFAULT_SCHEMES.get(s.id or "") != node.type for s in node.schemes))
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
        if unwritable(source.text):
            self.account.lose("characters that XML cannot hold", unwritable(source.text))
        for span in source.spans or ():
            text = source.text[span.start : span.end]
            own = self.texts.get(span.node_id, "")
            fits = bool(text) and own.strip() == own and len(own) == len(text) and own.split() == text.split()
            if not fits or span.node_id in self.spans:
                self.account.lose("spans")
            else:
                self.spans[span.node_id] = span.start
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
        yield "</PROP>"
