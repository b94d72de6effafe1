"""Small files that could cost much, of a size ``n``, for every reader."""

import json
from collections.abc import Callable, Iterable
from typing import Any

AIF = "http://www.arg.dundee.ac.uk/aif#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def _each(n: int, text: str) -> str:
    """The text n times, with its number in the place of ``€``, the next number in that of ``£``."""
    return "".join(text.replace("€", str(number)).replace("£", str(number + 1)) for number in range(n))


def _aif(nodes: Iterable[tuple[str, str]], edges: Iterable[tuple[int, int]] = (), **more: Any) -> str:
    listed = [{"nodeID": str(number), "type": type_, "text": text} for number, (type_, text) in enumerate(nodes)]
    links = [{"edgeID": str(number), "fromID": str(a), "toID": str(b)} for number, (a, b) in enumerate(edges)]
    return json.dumps({"nodes": listed, "edges": links, **more})


def _marked(text: str, nodes: int = 0) -> str:
    return json.dumps({"AIF": json.loads(_aif([("L", "a")] * nodes)), "text": text})


def _sadface(n: int) -> str:
    source = {"resource_id": "r0", "text": "a", "offset": 0, "length": 1}
    atoms = [{"id": f"a{number}", "type": "atom", "text": "a", "sources": [source]} for number in range(n)]
    resources = [{"id": f"r{number}", "content": "a" * n if not number else "b", "metadata": {}} for number in range(n)]
    edges = [{"id": f"e{number}", "source_id": "a0", "target_id": "a1"} for number in range(n)]
    return json.dumps({"nodes": atoms, "edges": edges, "resources": resources})


def _argdown(n: int) -> str:
    statements = {f"s{number}": {"title": f"s{number}", "members": [{"text": "x"}]} for number in range(n)}
    ends = {"relationType": "support", "fromType": "equivalence-class", "toType": "equivalence-class"}
    relations = [{**ends, "from": f"s{number}", "to": "s0"} for number in range(1, n)]
    return json.dumps({"statements": statements, "arguments": {}, "relations": relations})


_AML_UNIT = "<PROP identifier='€'><PROPTEXT offset='-1'>a</PROPTEXT></PROP>"
_HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="t" attr.name="type"/>'


def _graphml(nodes: str, keys: str = "") -> str:
    return f"{_HEAD}{keys}<graph>{nodes}</graph></graphml>"


def _arggraph(body: str) -> str:
    return f'<arggraph id="a"><edu id="e"><![CDATA[a]]></edu>{body}</arggraph>'


_TWO = '<adu id="a0"/><adu id="a1"/><edge id="r0" src="a0" trg="a1" type="sup"/>'
_TURTLE = f"@prefix aif: <{AIF}> .\n<a> a aif:I-node .\n"
_RDF = f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:aif="{AIF}">'


def _rdfxml(body: str) -> str:
    return f'{_RDF}<aif:I-node rdf:about="http://x/a">{body}</aif:I-node></rdf:RDF>'


def _json_ld(n: int, context: object, **node: Any) -> str:
    nodes = [{"£id": f"http://x/{number}", "£type": AIF + "I-node", **node} for number in range(n)]
    return json.dumps({"£context": context, "£graph": nodes})


_KIALO = "Discussion Title: a\n\n1. a\n"

#: Format and what makes the file, by what is many in it.
FILES: dict[str, tuple[str, Callable[[int], str]]] = {
    "nodes": ("aif", lambda n: _aif([("I", "the same")] * n)),
    "a chain": ("aif", lambda n: _aif([("I", "a"), ("RA", "b")] * n, ((i, i + 1) for i in range(2 * n - 1)))),
    "equal edges": ("aif", lambda n: _aif([("I", "a"), ("RA", "b")], [(0, 1)] * n)),
    "locutions of a node": ("aif", lambda n: _aif([("L", "a")], locutions=[{"nodeID": "0", "personID": "1"}] * n)),
    "marks": ("xaif", lambda n: _marked(_each(n, '<span id="node€">a</span>'), n)),
    "nested marks": ("xaif", lambda n: _marked(_each(n, '<span id="node€">a') + "</span>" * n, n)),
    "tags": ("xaif", lambda n: _marked("<a " * n)),
    "attributes": ("xaif", lambda n: _marked("<a " + "x='" * n)),
    "boxes": ("ova3", lambda n: json.dumps({**json.loads(_marked("a " * n, n)), "OVA": {"nodes": [], "edges": []}})),
    "atoms": ("sadface", _sadface),
    "statements": ("argdown-json", _argdown),
    "arguments": ("aml", lambda n: f"<ARG><AU>{_AML_UNIT}<CA>{_each(n, f'<AU>{_AML_UNIT}</AU>')}</CA></AU></ARG>"),
    "major claims": ("brat", lambda n: _each(n, "T1€\tMajorClaim 0 1\ta\nT2€\tClaim 0 1\ta\nA€\tStance T2€ For\n")),
    "equal units": ("brat", lambda n: _each(n, "T€\tClaim 0 1\ta\n") + "*\tEquiv" + _each(n, " T€")),
    "places": ("brat", lambda n: "T1\tClaim " + ";".join(f"{i} {i + 1}" for i in range(n)) + "\ta"),
    "blanks": ("brat", lambda n: "T1\tClaim 0 1\ta\nR1\tx a:T1 b:T1" + " " * n + "x"),
    "undercuts": ("microtexts", lambda n: _arggraph(_TWO + _each(n, '<edge id="r£" src="a0" trg="r€" type="und"/>'))),
    "added edges": ("microtexts", lambda n: _arggraph(_TWO + _each(n, '<edge id="r£" src="a0" trg="r€" type="add"/>'))),
    "references": ("kialo", lambda n: _KIALO + _each(n, "1.£. Pro: -> See 1.£1.\n1.£1. Pro: b\n")),
    "chained references": ("kialo", lambda n: f"{_KIALO}1.{n}. Pro: b\n" + _each(n, "1.€. Pro: -> See 1.£.\n")),
    "blanks of a reference": ("kialo", lambda n: _KIALO + "1.1. -> See discussion a" + " " * n + "x"),
    "depth of a number": ("kialo", lambda n: _KIALO + "1." * n),
    "edges of a node": (
        "graphml",
        lambda n: _graphml(_each(n, '<node id="€"><data key="t">I</data></node><edge source="€" target="0"/>')),
    ),
    "defaults": (
        "graphml",
        lambda n: _graphml(
            _each(n, '<node id="€"><data key="t">I</data></node>'),
            _each(n, '<key id="k€" for="node" attr.name="k€"><default>I</default></key>'),
        ),
    ),
    "nodes in data": ("graphml", lambda n: _graphml(_each(n, '<node id="€"><data key="t">') + "</data></node>" * n)),
    "a list": ("turtle", lambda n: f"{_TURTLE}<a> aif:x ({'1 ' * n}) ."),
    "nested nodes": ("turtle", lambda n: f"{_TURTLE}<a> aif:x {'[ aif:x ' * n}1{']' * n} ."),
    "classes": (
        "turtle",
        lambda n: _TURTLE + _each(n, "<c£> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <c€> .\n"),
    ),
    "named graphs": ("trig", lambda n: f"@prefix aif: <{AIF}> .\n<g> {{ {_each(n, '<a€> a aif:I-node . ')} }}"),
    "properties": (
        "ntriples",
        lambda n: f"<http://x/a> <{TYPE}> <{AIF}I-node> .\n" + _each(n, "<http://x/a> <http://x/€> <http://x/a> .\n"),
    ),
    "quads": ("nquads", lambda n: _each(n, f"<http://x/€> <{TYPE}> <{AIF}I-node> <http://g> .\n")),
    "an XML literal": ("rdfxml", lambda n: _rdfxml(f'<aif:x rdf:parseType="Literal">{"<a/>" * n}</aif:x>')),
    "nested XML": ("rdfxml", lambda n: _rdfxml("<aif:x><aif:I-node>" * n + "</aif:I-node></aif:x>" * n)),
    "contexts": ("jsonld", lambda n: _json_ld(n, {f"t{k}": "http://x/t" for k in range(n)}, **{"£context": {}})),
}


def _sql(rows: str, columns: str = "`post_id` int,\n") -> str:
    return f"CREATE TABLE `post` (\n{columns})\n;\nINSERT INTO `post` VALUES {rows};\n"


#: Data set, name of the file and what makes it.
DATASETS: dict[str, tuple[str, str, Callable[[int], str]]] = {
    "rows of SQL": ("iac2", "a.sql", lambda n: _sql("(1),(1," * n)),
    "quotes of SQL": ("iac2", "a.sql", lambda n: _sql("('" * n)),
    "columns of SQL": ("iac2", "a.sql", lambda n: _sql("(1)", _each(n, "`c€` int,\n"))),
    "a schema": ("iac2", "a.sql", lambda n: "CREATE TABLE " + "`a " * n),
    "statements of SQL": ("iac2", "a.sql", lambda n: "INSERT INTO `post` (" + "a " * n + "\n" + "INSERT INTO " * n),
    "cells": ("ruarg", "a.tsv", lambda n: 'a\t"' * n),
    "spans": ("aurc", "a.tsv", lambda n: "topic\tsentence\tspans\nx\ty\t" + "(0,1); " * n),
}
