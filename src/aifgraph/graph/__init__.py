"""The AIF model: typed nodes and edges, an immutable graph, its side data, and how to build and walk it."""

from aifgraph.graph.build import GraphBuilder
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.meta import LocutionRecord, Meta, Notice, Participant, SourceText, Span
from aifgraph.graph.nodes import (
    KINDS,
    RELATIONS,
    SCHEME_KINDS,
    Conflict,
    Edge,
    Illocution,
    Inference,
    Locution,
    Node,
    OtherNode,
    Preference,
    Proposition,
    Rephrase,
    Scheme,
    SchemeNode,
    Transition,
    make_node,
)

__all__ = [
    "KINDS",
    "RELATIONS",
    "SCHEME_KINDS",
    "ArgumentGraph",
    "Conflict",
    "Edge",
    "GraphBuilder",
    "Illocution",
    "Inference",
    "Locution",
    "LocutionRecord",
    "Meta",
    "Node",
    "Notice",
    "OtherNode",
    "Participant",
    "Preference",
    "Proposition",
    "Rephrase",
    "Scheme",
    "SchemeNode",
    "SourceText",
    "Span",
    "Transition",
    "make_node",
]
