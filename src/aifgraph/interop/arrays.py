"""Arrays for those who train on graphs: numpy only, in the layout that PyTorch Geometric and DGL take.

``torch_geometric.data.Data(edge_index=torch.from_numpy(arrays.edge_index), …)`` is all that is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from aifgraph.graph import KINDS
from aifgraph.interop import Graphs, each_graph

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class GraphArrays:
    """One graph, or several as one without edges between them: N nodes, E edges, M maps. Integers have 64 bits.

    Attributes:
        edge_index: the nodes that edges lead from and to, by number; of shape (2, E).
        node_types: the type of each node, as a place in ``type_names``; of shape (N,).
        edge_types: the type of each edge, as a place in ``edge_type_names``; of shape (E,).
        batch: the number of the map that each node is in; of shape (N,).
        node_ids: the id of each node, N.
        texts: the text of each node, N.
        maps: the name of each map, M.
        type_names: the types of nodes: AIF's in the order of ``aifgraph.graph.KINDS``, then others as they occur.
        edge_type_names: the types of edges, which are the types of the nodes at both ends, in alphabetical order.
    """

    edge_index: Ints
    node_types: Ints
    edge_types: Ints
    batch: Ints
    node_ids: tuple[str, ...] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)
    maps: tuple[str, ...] = field(repr=False)
    type_names: tuple[str, ...]
    edge_type_names: tuple[tuple[str, str], ...]


def to_arrays(graphs: Graphs) -> GraphArrays:
    """The arrays of a graph, of several graphs, or of a corpus (:func:`aifgraph.open_corpus`), loaded map by map.

    The numbers of AIF's types of nodes are the same for every corpus, those of the types of edges are not.

    Raises:
        InputError: a map of the corpus cannot be loaded.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> arrays = to_arrays(build.graph())
    >>> arrays.edge_index.tolist(), [arrays.type_names[number] for number in arrays.node_types]
    ([[0, 2], [2, 1]], ['I', 'I', 'RA'])
    >>> [arrays.edge_type_names[number] for number in arrays.edge_types]
    [('I', 'RA'), ('RA', 'I')]
    """
    type_numbers = {name: number for number, name in enumerate(KINDS)}
    node_ids: list[str] = []
    texts: list[str] = []
    maps: list[str] = []
    types: list[int] = []
    batch: list[int] = []
    ends: list[tuple[int, int]] = []
    kinds: list[tuple[str, str]] = []
    for number, graph in enumerate(each_graph(graphs)):
        maps.append(graph.name)
        row = {node.id: len(node_ids) + place for place, node in enumerate(graph)}
        for node in graph:
            node_ids.append(node.id)
            texts.append(node.text)
            types.append(type_numbers.setdefault(node.type, len(type_numbers)))
            batch.append(number)
        for edge in graph.edges:
            ends.append((row[edge.source], row[edge.target]))
            kinds.append((graph[edge.source].type, graph[edge.target].type))
    edge_numbers = {kind: number for number, kind in enumerate(sorted(set(kinds)))}
    return GraphArrays(
        edge_index=np.array(ends, dtype=np.int64).reshape(-1, 2).T.copy(),
        node_types=np.array(types, dtype=np.int64),
        edge_types=np.array([edge_numbers[kind] for kind in kinds], dtype=np.int64),
        batch=np.array(batch, dtype=np.int64),
        node_ids=tuple(node_ids),
        texts=tuple(texts),
        maps=tuple(maps),
        type_names=tuple(type_numbers),
        edge_type_names=tuple(edge_numbers),
    )
