"""AIF JSON in which nothing has to be repaired or reported, read column by column.

Most maps are such, and reading them entry by entry (``aifgraph.formats.aif.read``) takes twice as long as parsing the
JSON. Whatever is out of the ordinary gives None here and is left to the plain reader, which knows what to say of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import starmap
from operator import eq
from typing import Any

from aifgraph.entities import unescape
from aifgraph.graph.columns import Columns
from aifgraph.graph.nodes import NODE_CLASSES, Scheme
from aifgraph.graph.schemes import scheme_name

_KINDS = frozenset(NODE_CLASSES)
_STRINGS, _INTEGERS = {str}, {int}


def columns_of(aif: Mapping[str, Any], schemes_of: Callable[[Mapping[str, Any]], tuple[Scheme, ...]]) -> Columns | None:
    """The map in an object with nodes and edges; ``schemes_of`` gives the schemes that the entry of a node names.

    None where a list or an entry is something else, an entry lacks a field, an id or an edge is repeated, an end is
    unknown or that of a loop, a type is not AIF's, a text is none, or a fulfilment names no node.
    """
    nodes, edges, fulfilments = (aif.get(name) for name in ("nodes", "edges", "schemefulfillments"))
    if type(nodes) is not list or type(edges) is not list:
        return None
    try:
        columns = _nodes_and_edges(nodes, edges, schemes_of)
        if columns is not None and fulfilments:
            return columns if _add_fulfilments(columns, fulfilments) else None
    except (KeyError, TypeError, AttributeError):
        return None
    return columns


def _nodes_and_edges(
    nodes: list[Any], edges: list[Any], schemes_of: Callable[[Mapping[str, Any]], tuple[Scheme, ...]]
) -> Columns | None:
    found = [entry["nodeID"] for entry in nodes]
    types = [entry["type"] for entry in nodes]
    texts = [entry["text"] for entry in nodes]
    id_type = set(map(type, found))
    if id_type == _STRINGS:
        ids = found
    elif id_type == _INTEGERS:
        ids = list(map(str, found))
    else:
        return None
    number = {id_: index for index, id_ in enumerate(found)}
    if len(number) < len(found) or not _KINDS.issuperset(types):
        return None
    ends = [(number[entry["fromID"]], number[entry["toID"]]) for entry in edges]
    # What is equal to a number may be of another type (1 and true).
    if ids is not found and {type(entry[end]) for entry in edges for end in ("fromID", "toID")} - _INTEGERS:
        return None
    if len(set(ends)) < len(ends) or any(starmap(eq, ends)):
        return None
    schemes = {
        index: of_entry
        for index, entry in enumerate(nodes)
        if ("scheme" in entry or "schemeID" in entry) and (of_entry := schemes_of(entry))
    }
    if "&" in "".join(texts):  # a text that is no string is a TypeError
        texts = [unescape(text) for text in texts]
    return Columns(ids, types, texts, schemes, ends, nodes, edges)


def _add_fulfilments(columns: Columns, entries: Sequence[Any]) -> bool:
    """Add the schemes that a list of its own says nodes fulfil; False where it names a node that is not there."""
    number = {id_: index for index, id_ in enumerate(columns.ids)}
    for entry in entries:
        node, scheme = entry.get("nodeID"), entry.get("schemeID")
        if node is None or scheme is None:
            continue
        index = number.get(str(node))
        if index is None:
            return False
        known = columns.schemes.get(index, ())
        if all(str(scheme) != each.id for each in known):
            columns.schemes[index] = (*known, Scheme(str(scheme), scheme_name(str(scheme))))
    return True
