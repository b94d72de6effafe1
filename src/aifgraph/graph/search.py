"""Finding nodes: by text, type, scheme, speaker and time. All take time linear in the map.

Every method gives a tuple in the order of the graph; where nothing is found it is empty.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from aifgraph.errors import OptionError
from aifgraph.graph.meta import Participant, parse_time
from aifgraph.graph.nodes import Locution, Node
from aifgraph.graph.schemes import letters, scheme_name
from aifgraph.graph.walk import Walk


class Search(Walk):
    """The part of ``ArgumentGraph`` that selects nodes by what they say and who said it."""

    __slots__ = ()

    def find(self, text: str, *, fuzzy: float | None = None) -> tuple[Node, ...]:
        """The nodes whose text holds ``text``, whatever the case and the blanks.

        Args:
            text: what to look for.
            fuzzy: from 0 to 1: how similar a part of the node's text must be at least (1 is equal), for texts with
                typing errors; rapidfuzz's partial ratio, divided by 100. The most similar come first. None looks for
                the text itself.

        Returns:
            The nodes: in the order of the graph, or with ``fuzzy`` the most similar first.

        Raises:
            OptionError: ``text`` is no string, or ``fuzzy`` is not from 0 to 1.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> len(graph.find("twice the LIMIT")) > 0, len(graph.find("twize the limit"))
        (True, 0)
        >>> graph.find("twize the limit", fuzzy=0.9) == graph.find("twice the limit")
        True
        """
        if not isinstance(text, str):
            remedy = "give a string; graph[…] and graph.get(…) find a node by its id"
            raise OptionError(f"text is of type {type(text).__name__}", remedy=remedy)
        wanted = _plain(text)
        if fuzzy is None:
            return tuple(node for node in self if wanted in _plain(node.text))
        if isinstance(fuzzy, bool) or not isinstance(fuzzy, int | float) or not 0 <= fuzzy <= 1:
            raise OptionError(f"fuzzy is {fuzzy!r}"[:200], remedy="give a number from 0 to 1")
        from rapidfuzz.fuzz import partial_ratio

        scored = [(partial_ratio(wanted, _plain(node.text), score_cutoff=100 * fuzzy), node) for node in self]
        near = [(score, node) for score, node in scored if score >= 100 * fuzzy and node.text]
        return tuple(node for _, node in sorted(near, key=lambda pair: -pair[0]))

    def filter(
        self,
        type: str | None = None,
        *,
        text: str | None = None,
        scheme: str | None = None,
        speaker: str | Participant | None = None,
        where: Callable[[Node], bool] | None = None,
    ) -> tuple[Node, ...]:
        """The nodes for which everything that is given holds.

        Args:
            type: ``I``, ``L``, ``RA`` …, in any case.
            text: a part of the text, as in :meth:`find`.
            scheme: id or name of a scheme that the node fulfils; names are compared on letters and digits.
            speaker: who said the node, as in :meth:`by_speaker`; for propositions, of the locution that says them.
            where: a function that is given the node.

        Returns:
            The nodes, in the order of the graph.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> asserted = graph.filter("YA", scheme="asserting")
        >>> said = graph.filter("I", speaker="Amara Okafor", where=lambda node: len(node.text) > 40)
        >>> len(asserted) > 0, all(node.type == "I" for node in said)
        (True, True)
        """
        wanted = letters(scheme_name(scheme) or scheme) if scheme is not None else ""
        part = _plain(text) if text is not None else ""

        def fits(node: Node) -> bool:
            return (
                (type is None or node.type == type.upper())
                and (text is None or part in _plain(node.text))
                and (
                    scheme is None or any(scheme == own.id or wanted == letters(own.name or "") for own in node.schemes)
                )
                and (speaker is None or _is(self.speaker_of(node), speaker))
                and (where is None or where(node))
            )

        return tuple(node for node in self if fits(node))

    def by_speaker(self, name: str | Participant) -> tuple[Locution, ...]:
        """The locutions of a speaker.

        What they claim is ``graph.filter("I", speaker=name)``.

        Args:
            name: a name as in ``graph.speakers``, a participant's id, or a ``Participant``.

        Returns:
            The locutions, in the order of the graph; none where nobody has this name.

        >>> import aifgraph
        >>> graph = aifgraph.load("fixtures/debate/first.json")
        >>> all(graph.speaker_of(node).name == "Amara Okafor" for node in graph.by_speaker("Amara Okafor"))
        True
        """
        return tuple(node for node in self.locutions if _is(self.speaker_of(node), name))

    def between(self, start: datetime | str | None = None, end: datetime | str | None = None) -> tuple[Locution, ...]:
        """The locutions that were made from ``start`` on and before ``end``, by the start of their records.


        A time that names its zone and one that does not cannot be compared: such records are left out, and where
        that holds for all of them it is an error.

        Args:
            start: the first moment, None for no bound; a text is read as in files (``2019-03-06 14:31:23``).
            end: the moment after the last, None for no bound.

        Returns:
            The locutions, in the order of the graph.

        Raises:
            OptionError: a bound is no time, or no record can be compared with it.

        >>> import aifgraph
        >>> build = aifgraph.GraphBuilder()
        >>> for minute in range(3):
        ...     _ = build.locution(f"Ann: {minute}", start=f"2021-11-11 21:0{minute}:00")
        >>> [node.text for node in build.graph().between("2021-11-11 21:01:00", "2021-11-11 21:02:00")]
        ['Ann: 1']
        """
        bounds = [bound for bound in (_moment(start), _moment(end)) if bound is not None]
        zones = {bound.tzinfo is not None for bound in bounds}
        if len(zones) > 1:
            raise OptionError("one bound names its zone and the other does not", remedy="give both in one way")
        low, high = _moment(start), _moment(end)
        timed = [(node, moment) for node in self.locutions for moment in self._starts(node)]
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

    def _starts(self, locution: Locution) -> tuple[datetime, ...]:
        moments = (parse_time(record.start) for record in self.records_of(locution))
        return tuple(moment for moment in moments if moment is not None)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is(person: Participant | None, wanted: str | Participant) -> bool:
    if person is None:
        return False
    if isinstance(wanted, Participant):
        return person.id == wanted.id and person.name == wanted.name
    return person.name == wanted or (person.id != "" and person.id == wanted)


def _moment(given: datetime | str | None) -> datetime | None:
    if given is None or isinstance(given, datetime):
        return given
    moment = parse_time(given) if isinstance(given, str) else None
    if moment is None:
        raise OptionError(f"{given!r} is no time"[:200], remedy="give a datetime or 2019-03-06 14:31:23")
    return moment
