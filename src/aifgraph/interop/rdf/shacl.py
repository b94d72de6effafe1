"""The structural rules as SHACL shapes (``schemas/aif-shapes.ttl``), run by pyshacl (the extra ``shacl``).

For people who keep argument graphs in a triple store: the shapes say of the triples (profile ``full``) what
``aifgraph.validate`` says of the graph. Each shape is named ``urn:aifgraph:shape:CODE`` after its rule's code.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from aifgraph.errors import MissingExtraError, NoSuchFileError
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.rules import Finding, Findings, all_rules
from aifgraph.interop.rdf import to_rdf
from aifgraph.interop.rdf.vocabulary import NODES, OWN, node_id

if TYPE_CHECKING:
    import rdflib

#: The rules that have a shape: those of structure, in the profile ``iat``. What only reading can see (an id given
#: twice) leaves no trace in triples, and rules of texts, times and words are no matter of structure.
SHAPED: Final = (101, 111, 112, 113, 201, 202, 203, 204, 205, 206, 207, 208, 301, 305, 306, 309)
_SEVERITY: Final = {"Violation": "E", "Warning": "W", "Info": "N"}
_SHACL: Final = "http://www.w3.org/ns/shacl#"


def shapes() -> rdflib.Graph:
    """The shapes."""
    import rdflib

    return rdflib.Graph().parse(schema_file("aif-shapes.ttl"), format="turtle")


def validate_shacl(graph: ArgumentGraph) -> Findings:
    """The findings of the shapes, one per node and rule, by code and node. Raises ``MissingExtraError``."""
    try:
        import pyshacl
    except ImportError:
        raise MissingExtraError.of("pyshacl", "shacl") from None
    import rdflib

    rdf = to_rdf(graph, "full")
    _, report, _ = pyshacl.validate(rdf, shacl_graph=shapes(), advanced=True, inference="none")
    names = {rule.number: rule.name for rule in all_rules()}
    shacl = rdflib.Namespace(_SHACL)
    findings: dict[tuple[str, str], Finding] = {}
    for result in report.subjects(rdflib.RDF.type, shacl.ValidationResult):
        shape = str(report.value(result, shacl.sourceShape)).removeprefix(f"{OWN}shape:")
        id_ = node_id(str(report.value(result, shacl.focusNode)), NODES)
        message = " ".join(str(report.value(result, shacl.resultMessage) or "").split())
        findings.setdefault((shape, id_), Finding(shape, names[int(shape[1:])], f"{id_}: {message}", (id_,)))
    return Findings(
        tuple(findings[key] for key in sorted(findings, key=lambda key: (key[0][1:], key[1]))), "iat", graph.name
    )


def schema_file(name: str) -> Path:
    """The path of a file in ``schemas/``; ``NotFoundError`` where the installation lacks it.

    >>> schema_file("aif-shapes.ttl").name
    'aif-shapes.ttl'
    """
    package = Path(__file__).parents[2]
    # A wheel carries the folder in the package; an editable install runs from the checkout, where it stands at the top.
    for folder in (package / "schemas", package.parents[1] / "schemas"):
        if (folder / name).is_file():
            return folder / name
    raise NoSuchFileError(f"no schema file {name}", where=str(package), remedy="install aifgraph again")
