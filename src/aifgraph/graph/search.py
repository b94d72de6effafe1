"""Finding nodes by text, type, scheme and speaker: the methods of ``ArgumentGraph``.

Both take time linear in the map and give a tuple in the order of the graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from aifgraph.graph.meta import Participant
from aifgraph.graph.nodes import Node
from aifgraph.graph.schemes import fold_name, scheme_name

if TYPE_CHECKING:
    from aifgraph.graph.graph import ArgumentGraph


def find(graph: ArgumentGraph, text: str) -> tuple[Node, ...]:
    """The nodes whose text holds ``text``, whatever the case and the blanks.

    >>> import aifgraph
    >>> graph = aifgraph.load("fixtures/debate/first.json")
    >>> len(graph.find("twice the LIMIT")) > 0, len(graph.find("twize the limit"))
    (True, 0)
    """
    wanted = _plain(text)
    return tuple(node for node in graph if wanted in _plain(node.text))


def filter_nodes(
    graph: ArgumentGraph,
    type: str | Iterable[str] | None = None,
    *,
    text: str | None = None,
    scheme: str | None = None,
    speaker: str | Participant | None = None,
) -> tuple[Node, ...]:
    """The nodes for which everything that is given holds.

    Args:
        type: ``I``, ``L``, ``RA`` …, in any case; one, or several.
        text: a part of the text, as in :meth:`find`.
        scheme: id or name of a scheme that the node fulfils; names are compared on letters and digits.
        speaker: who said the node: a name as in :attr:`speakers`, a participant's id, or a ``Participant``; for
            propositions, of the locution that says them.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> _ = build.illocution(build.locution("Ann: They filter", speaker="Ann"), build.proposition("They filter"))
    >>> [node.text for node in build.graph().filter("I", speaker="Ann")]
    ['They filter']
    """
    types = None
    if type is not None:
        types = {type.upper()} if isinstance(type, str) else {name.upper() for name in type}
    name = fold_name(scheme_name(scheme) or scheme) if scheme is not None else ""
    part = _plain(text) if text is not None else ""

    def fits(node: Node) -> bool:
        return (
            (types is None or node.type in types)
            and (text is None or part in _plain(node.text))
            and (scheme is None or any(scheme == own.id or name == fold_name(own.name or "") for own in node.schemes))
            and (speaker is None or _is_called(graph.speaker_of(node), speaker))
        )

    return tuple(node for node in graph if fits(node))


def _is_called(person: Participant | None, speaker: str | Participant) -> bool:
    if person is None or isinstance(speaker, Participant):
        return person == speaker
    return speaker in (person.id, person.name)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
