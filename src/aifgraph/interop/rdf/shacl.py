"""The structural rules as SHACL shapes (``schemas/aif-shapes.ttl``), and their findings as SHACL reports them.

For people who keep argument graphs in a triple store: the shapes say of the triples (profile ``full``) what
``aifgraph.validate`` says of the graph, with as many results. A shape is named ``urn:aifgraph:shape:CODE`` after its
rule's code, or ``…:CODE-TYPE`` where a rule has one for each type.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from aifgraph.errors import NoSuchFileError
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.rules import validate
from aifgraph.interop.rdf.terms import OWN, map_names, node_iri, shipped_folder
from aifgraph.interop.rdf.write import safe_text

if TYPE_CHECKING:
    import rdflib

#: The rules that have a shape: those of structure, in the profile ``iat``. What only reading can see (an id given
#: twice) leaves no trace in triples, and rules of texts, times and words are no matter of structure.
SHAPED: Final = (101, 111, 112, 113, 201, 202, 203, 204, 205, 206, 207, 208, 301, 305, 306, 309)
_SEVERITY: Final = {"E": "Violation", "W": "Warning", "N": "Info"}
_SHACL: Final = "http://www.w3.org/ns/shacl#"


def shapes() -> rdflib.Graph:
    """The shapes of the structural rules (``schemas/aif-shapes.ttl``), for an engine of SHACL.

    Raises:
        NotFoundError: the installation lacks the file.
    """
    import rdflib

    return rdflib.Graph().parse(schema_file("aif-shapes.ttl"), format="turtle")


def shacl_report(graph: ArgumentGraph, *, base: str | None = None, corpus: str | None = None) -> rdflib.Graph:
    """What the rules that have a shape find, a result each, as a ``sh:ValidationReport``.

    The rules themselves are run, which tests hold against the shapes: for large maps, which take an engine of SHACL
    long. ``base`` and ``corpus`` are as for :func:`aifgraph.to_rdf`, so that nodes have the IRIs that it gives
    them.

    Raises:
        OptionError: ``base`` is no IRI.

    >>> from aifgraph import GraphBuilder
    >>> len(shacl_report(GraphBuilder().graph()))
    2
    """
    import rdflib

    shacl = rdflib.Namespace(_SHACL)
    names = map_names(graph, base=base, corpus=corpus)
    findings = validate(graph, "iat", select=[str(number) for number in SHAPED])
    out = rdflib.Graph()
    out.bind("sh", shacl)
    report = rdflib.BNode("report")
    out.add((report, rdflib.RDF.type, shacl.ValidationReport))
    # As in SHACL, warnings and notes keep a map from conforming, too.
    out.add((report, shacl.conforms, rdflib.Literal(not len(findings))))
    for number, finding in enumerate(findings):
        result = rdflib.BNode(f"result{number}")
        out.add((report, shacl.result, result))
        out.add((result, rdflib.RDF.type, shacl.ValidationResult))
        out.add((result, shacl.focusNode, rdflib.URIRef(node_iri(finding.nodes[0], names.base))))
        out.add((result, shacl.sourceShape, rdflib.URIRef(f"{OWN}shape:{finding.code}")))
        out.add((result, shacl.resultSeverity, shacl[_SEVERITY[finding.code[0]]]))
        out.add((result, shacl.resultMessage, rdflib.Literal(safe_text(finding.message))))
    return out


def schema_file(name: str) -> Path:
    """The path of a file in ``schemas/``; ``NotFoundError`` where the installation lacks it.

    >>> schema_file("aif-shapes.ttl").name
    'aif-shapes.ttl'
    """
    folder = shipped_folder("schemas", "schemas")
    if folder is None or not (folder / name).is_file():
        raise NoSuchFileError(f"no schema file {name}", remedy="install aifgraph again")
    return folder / name
