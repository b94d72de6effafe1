"""Places for the boxes of a map that has none: in layers, what is supported above what supports it."""

from __future__ import annotations

from aifgraph.graph import ArgumentGraph

#: How far apart boxes are, in the pixels of OVA's canvas: OVA's boxes are about 180 wide and 60 high.
COLUMN = 220
ROW = 110
#: Where the first box is.
MARGIN = 60


def layered(graph: ArgumentGraph) -> dict[str, tuple[int, int]]:
    """The place (x, y) of each node, y growing downwards; no two nodes share one.

    A node is below all that it leads to (nodes of a circle are in one layer); in a layer, nodes are in the order of
    what they lead to (Sugiyama, Tagawa and Toda 1981, one sweep of barycentres).

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.inference([build.proposition("They filter")], build.proposition("Masks help"))
    >>> layered(build.graph())
    {'2': (60, 60), '3': (60, 170), '1': (60, 280)}
    """
    import networkx

    whole: networkx.DiGraph[str] = networkx.DiGraph()
    whole.add_nodes_from(node.id for node in graph)
    whole.add_edges_from((edge.source, edge.target) for edge in graph.edges)
    parts = networkx.condensation(whole)
    depth: dict[int, int] = {}
    for part in reversed(list(networkx.topological_sort(parts))):
        depth[part] = max((depth[after] + 1 for after in parts.successors(part)), default=0)
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in graph:
        layers[depth[parts.graph["mapping"][node.id]]].append(node.id)
    column: dict[str, int] = {}

    def barycentre(id_: str) -> float:
        above = [column[after] for after in whole.successors(id_) if after in column]
        return sum(above) / len(above) if above else float(len(graph))

    for layer in layers:
        layer.sort(key=barycentre)
        column.update((id_, place) for place, id_ in enumerate(layer))
    return {
        id_: (MARGIN + COLUMN * place, MARGIN + ROW * row)
        for row, layer in enumerate(layers)
        for place, id_ in enumerate(layer)
    }
