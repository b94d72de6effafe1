"""Frames and arrays of a map, of several, and of a corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from aifgraph import GraphBuilder, load, open_corpus
from aifgraph.graph import KINDS
from aifgraph.interop.arrays import to_arrays
from aifgraph.interop.frames import edges_frame, nodes_frame

CORPUS = Path(__file__).parents[2] / "fixtures" / "debates" / "ann"


def test_frames_of_a_corpus_name_its_maps() -> None:
    corpus = open_corpus(CORPUS)
    nodes, edges = nodes_frame(corpus), edges_frame(corpus)
    graphs = [entry.load() for entry in corpus]
    assert tuple(dict.fromkeys(nodes["map"])) == corpus.names
    assert len(nodes) == sum(map(len, graphs))
    assert len(edges) == sum(len(graph.edges) for graph in graphs)


def test_arrays_say_what_the_graphs_say() -> None:
    corpus = open_corpus(CORPUS)
    arrays = to_arrays(corpus)
    assert arrays.maps == corpus.names
    assert arrays.type_names[: len(KINDS)] == tuple(KINDS)
    edges = [
        (number, edge.source, edge.target, (graph[edge.source].type, graph[edge.target].type))
        for number, graph in enumerate(entry.load() for entry in corpus)
        for edge in graph.edges
    ]
    assert arrays.edge_index.shape == (2, len(edges))
    assert edges == [
        (arrays.batch[one], arrays.node_ids[one], arrays.node_ids[other], arrays.edge_type_names[kind])
        for one, other, kind in zip(*arrays.edge_index, arrays.edge_types, strict=True)
    ]
    # No edge leads from one map to another.
    assert np.array_equal(arrays.batch[arrays.edge_index[0]], arrays.batch[arrays.edge_index[1]])


def test_a_map_without_edges_and_one_of_an_unknown_type() -> None:
    empty = to_arrays(GraphBuilder().graph())
    assert empty.edge_index.shape == (2, 0)
    assert empty.edge_index.dtype == empty.batch.dtype == np.int64
    other = to_arrays(load(Path(__file__).parents[2] / "fixtures" / "ova3" / "masks.json"))
    assert other.type_names[-1] == "EN"
    assert other.node_types[3] == len(KINDS)
