"""Finding nodes by text, type, scheme, speaker and time: what the methods of ``ArgumentGraph`` do.

All take time linear in the map and give a tuple in the order of the graph; where nothing is found it is empty.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from aifgraph.errors import OptionError
from aifgraph.graph.meta import Participant, parse_time
from aifgraph.graph.nodes import Locution, Node
from aifgraph.graph.schemes import fold_name, scheme_name

if TYPE_CHECKING:
    from aifgraph.graph.graph import ArgumentGraph


def find(graph: ArgumentGraph, text: str, fuzzy: float | None) -> tuple[Node, ...]:
    """See :meth:`ArgumentGraph.find`."""
    if not isinstance(text, str):
        remedy = "give a string; graph[…] and graph.get(…) find a node by its id"
        raise OptionError(f"text is of type {type(text).__name__}", remedy=remedy)
    wanted = _plain(text)
    if fuzzy is None:
        return tuple(node for node in graph if wanted in _plain(node.text))
    if isinstance(fuzzy, bool) or not isinstance(fuzzy, int | float) or not 0 <= fuzzy <= 1:
        raise OptionError(f"fuzzy is {fuzzy!r}"[:200], remedy="give a number from 0 to 1")
    from rapidfuzz.fuzz import partial_ratio

    scored = [(partial_ratio(wanted, _plain(node.text), score_cutoff=100 * fuzzy), node) for node in graph]
    near = [(score, node) for score, node in scored if score >= 100 * fuzzy and node.text]
    return tuple(node for _, node in sorted(near, key=lambda pair: -pair[0]))


def select(
    graph: ArgumentGraph,
    type_: str | None,
    text: str | None,
    scheme: str | None,
    speaker: str | Participant | None,
    where: Callable[[Node], bool] | None,
) -> tuple[Node, ...]:
    """See :meth:`ArgumentGraph.filter`."""
    name = fold_name(scheme_name(scheme) or scheme) if scheme is not None else ""
    part = _plain(text) if text is not None else ""

    def fits(node: Node) -> bool:
        return (
            (type_ is None or node.type == type_.upper())
            and (text is None or part in _plain(node.text))
            and (scheme is None or any(scheme == own.id or name == fold_name(own.name or "") for own in node.schemes))
            and (speaker is None or is_person(graph.speaker_of(node), speaker))
            and (where is None or where(node))
        )

    return tuple(node for node in graph if fits(node))


def between(graph: ArgumentGraph, start: datetime | str | None, end: datetime | str | None) -> tuple[Locution, ...]:
    """See :meth:`ArgumentGraph.between`."""
    low, high = _moment(start), _moment(end)
    zones = {bound.tzinfo is not None for bound in (low, high) if bound is not None}
    if len(zones) > 1:
        raise OptionError("one bound names its zone and the other does not", remedy="give both in one way")
    timed = [
        (node, moment)
        for node in graph.locutions
        for record in graph.records_of(node)
        if (moment := parse_time(record.start)) is not None
    ]
    comparable = [pair for pair in timed if not zones or (pair[1].tzinfo is not None) in zones]
    if timed and not comparable:
        what = "name no zone, the bounds do" if True in zones else "name their zone, the bounds do not"
        raise OptionError(f"the times of this map {what}", remedy="give the bounds as the map gives its times")
    inside = {
        node.id: node
        for node, moment in comparable
        if (low is None or low <= moment) and (high is None or moment < high)
    }
    return tuple(inside.values())


def is_person(person: Participant | None, wanted: str | Participant) -> bool:
    """Whether somebody is the one who is meant by a name, an id or a ``Participant``."""
    if person is None:
        return False
    if isinstance(wanted, Participant):
        return person.id == wanted.id and person.name == wanted.name
    return person.name == wanted or (person.id != "" and person.id == wanted)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _moment(bound: datetime | str | None) -> datetime | None:
    if bound is None or isinstance(bound, datetime):
        return bound
    moment = parse_time(bound) if isinstance(bound, str) else None
    if moment is None:
        raise OptionError(f"{bound!r} is no time"[:200], remedy="give a datetime or 2019-03-06 14:31:23")
    return moment
