"""Argument graphs in RDF, by rdflib: three profiles to write (``write``), all of them read (``read``)."""

from aifgraph.interop.rdf.read import from_rdf
from aifgraph.interop.rdf.write import Profile, to_rdf

__all__ = ["Profile", "from_rdf", "to_rdf"]
