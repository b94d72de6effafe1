from __future__ import annotations

from pathlib import Path

import rdflib

from aifgraph import load, to_rdf
from aifgraph.graph import SourceText, Span
from aifgraph.interop.rdf.shacl import schema_file
from aifgraph.interop.rdf.terms import OWN

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"


def test_every_word_in_use_is_documented() -> None:
    documented = {str(each) for each in rdflib.Graph().parse(schema_file("aifgraph-vocabulary.ttl")).subjects()}
    used: set[str] = set()
    for path in sorted(FIXTURES.glob("*.json")):
        graph = load(path).with_meta(source=SourceText("Masks help", spans=(Span("1", 0, 5),)))
        used |= {str(each) for triple in to_rdf(graph) for each in triple[1:] if isinstance(each, rdflib.URIRef)}
    own = {each for each in used if each.startswith(OWN) and each.count(":") == 2}
    # Types that AIF does not define (ag:EN-node) are as many as people invent.
    words = {each for each in own if not each.endswith(("EN-node", "XX-node"))}
    assert words <= documented, words - documented
    assert len(words) > 25
