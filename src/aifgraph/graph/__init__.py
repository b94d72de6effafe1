"""Argument graphs: typed nodes and edges, side data, and how to build, walk, change and check them."""

from aifgraph.graph.builder import GraphBuilder, NodeFields
from aifgraph.graph.graph import ArgumentGraph, Step
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
from aifgraph.graph.side_data import LocutionRecord, Meta, Notice, Participant, SourceText
from aifgraph.text.source import Span

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
    "NodeFields",
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
    "Step",
    "Transition",
    "make_node",
]
