"""Finding nodes by text, type, scheme, speaker and time: the methods of ``ArgumentGraph``.

All take time linear in the map and give a tuple in the order of the graph; where nothing is found it is empty, unless a
speaker is asked for whom the map does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from aifgraph.errors import NoSuchNameError, OptionError, nearest
from aifgraph.graph.meta import Participant, parse_time
from aifgraph.graph.nodes import NAMES, Locution, Node, Proposition
from aifgraph.graph.schemes import fold_name, scheme_name
from aifgraph.guesses import answer_names
from aifgraph.slips import answering

if TYPE_CHECKING:
    from aifgraph.graph.graph import ArgumentGraph


@answering("find(text, fuzzy=…) looks for a text, filter(type=…, text=…, where=…) for more", called="find")
def find(graph: ArgumentGraph, text: str, *, fuzzy: float | None = None) -> tuple[Node, ...]:
    """The nodes whose text holds ``text``, whatever the case and the blanks.

    Args:
        text: what to look for.
        fuzzy: from 0 to 1: how similar a part of the node's text must be at least (1 is equal), for texts with
            typing errors; rapidfuzz's partial ratio, divided by 100. The most similar come first. None looks for
            the text itself.

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
        remedy = "give a string; graph[…] finds a node by its id, filter(where=…) by a function"
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


@answering(called="filter")
def filter_nodes(
    graph: ArgumentGraph,
    type: str | Iterable[str] | None = None,
    *,
    text: str | None = None,
    scheme: str | None = None,
    speaker: str | Participant | Iterable[str | Participant] | None = None,
    where: Callable[[Node], bool] | None = None,
) -> tuple[Node, ...]:
    """The nodes for which everything that is given holds.

    Args:
        type: ``I``, ``L``, ``RA`` …, in any case; one, or several.
        text: a part of the text, as in :meth:`find`.
        scheme: id or name of a scheme that the node fulfils; names are compared on letters and digits.
        speaker: who said the node, as in :meth:`by_speaker`, one or several; for propositions, of the locution that
            says them. Somebody who is not in the map has said nothing.
        where: a function that is given the node.

    Raises:
        OptionError: ``type`` is none, ``speaker`` nobody that can be asked for, or ``where`` no function.
    """
    types = _types(type)
    said_by = _saying(graph, speaker)
    if where is not None and not callable(where):
        raise OptionError(f"where is a {where.__class__.__name__}", remedy="give a function of a node")
    name = fold_name(scheme_name(scheme) or scheme) if scheme is not None else ""
    part = _plain(text) if text is not None else ""

    def fits(node: Node) -> bool:
        return (
            (types is None or node.type in types)
            and (text is None or part in _plain(node.text))
            and (scheme is None or any(scheme == own.id or name == fold_name(own.name or "") for own in node.schemes))
            and (said_by is None or said_by(graph.speaker_of(node)))
            and (where is None or where(node))
        )

    return tuple(node for node in graph if fits(node))


@answering(called="by_speaker")
def by_speaker(graph: ArgumentGraph, name: str | Participant) -> tuple[Locution, ...]:
    """The locutions of a speaker: a name as in :attr:`speakers`, a participant's id, or a ``Participant``. Where nobody
    is called just so, the case of a name does not count.

    What they claim is ``graph.filter("I", speaker=name)``.

    Raises:
        NoSuchNameError: nobody speaks in the map, or is listed in it, who is called so.
    """
    said_by = _said_by(graph, name)
    return tuple(node for node in graph.locutions if said_by(graph.speaker_of(node)))


@answering(called="propositions_of")
def propositions_of(graph: ArgumentGraph, speaker: str | Participant) -> tuple[Proposition, ...]:
    """What a speaker claims: the propositions whose first locution is the speaker's, as in :meth:`by_speaker`.

    Raises:
        NoSuchNameError: as for :meth:`by_speaker`.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> _ = build.illocution(build.locution("Ann: They filter", speaker="Ann"), build.proposition("They filter"))
    >>> [node.text for node in build.graph().propositions_of("Ann")]
    ['They filter']
    """
    said_by = _said_by(graph, speaker)
    return tuple(node for node in graph.propositions if said_by(graph.speaker_of(node)))


#: Whether a speaker is one who is asked for.
_IsPerson = Callable[[Participant | None], bool]


class Turn(NamedTuple):
    """One locution of a timeline.

    Attributes:
        locution: what was said.
        speaker: who said it, as far as that is known.
        start: when, as the first of its records that gives a time says.
    """

    locution: Locution
    speaker: Participant | None
    start: datetime | None


answer_names(Turn, "turn")


def timeline(graph: ArgumentGraph) -> tuple[Turn, ...]:
    """The locutions in the order in which they were made, each with its speaker and its time.

    One without a time follows the one before it in the file. Times that name their zone and times that do not cannot be
    compared: where a map has both, and where it has none, the order is that of the file.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> _ = build.locution("Bob: No", start="2021-11-11 21:02:00")
    >>> _ = build.locution("Ann: Yes", start="2021-11-11 21:01:00")
    >>> [(turn.speaker.name, turn.start.minute, turn.locution.text) for turn in build.graph().timeline()]
    [('Ann', 1, 'Ann: Yes'), ('Bob', 2, 'Bob: No')]
    """
    turns = []
    for locution in graph.locutions:
        times = (parse_time(record.start) for record in graph.records_of(locution))
        turns.append(Turn(locution, graph.speaker_of(locution), next((time for time in times if time), None)))
    if len({turn.start.tzinfo is None for turn in turns if turn.start}) != 1:
        return tuple(turns)
    keys: list[float] = []
    first = min(turn.start for turn in turns if turn.start)
    for turn in turns:
        keys.append((turn.start - first).total_seconds() if turn.start else keys[-1] if keys else -1)
    return tuple(turns[place] for place in sorted(range(len(turns)), key=keys.__getitem__))


@answering(called="between")
def between(
    graph: ArgumentGraph, start: datetime | str | None = None, end: datetime | str | None = None
) -> tuple[Locution, ...]:
    """The locutions that were made from ``start`` on and before ``end``, by the start of their records.

    A text is read as in files (``2019-03-06 14:31:23``), None is no bound. A time that names its zone and one that
    does not cannot be compared: such records are left out, and where that holds for all of them it is an error.

    Raises:
        OptionError: a bound is no time, or no record can be compared with it.

    >>> import aifgraph
    >>> build = aifgraph.GraphBuilder()
    >>> for minute in range(3):
    ...     _ = build.locution(f"Ann: {minute}", start=f"2021-11-11 21:0{minute}:00")
    >>> [node.text for node in build.graph().between("2021-11-11 21:01:00", "2021-11-11 21:02:00")]
    ['Ann: 1']
    """
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


def _saying(graph: ArgumentGraph, speaker: object) -> _IsPerson | None:
    """Whether somebody is one of those who are asked for; None where nobody is."""
    if speaker is None:
        return None
    if isinstance(speaker, str | int | Participant):
        people = _meant(graph, speaker)
    elif isinstance(speaker, Iterable):
        people = {person for each in speaker for person in _meant(graph, each)}
    else:
        raise OptionError(f"speaker is {speaker!r}"[:200], remedy="give a name, an id or a Participant, or several")
    return lambda person: person in people


def _said_by(graph: ArgumentGraph, speaker: str | Participant) -> _IsPerson:
    """Whether somebody is the one who is asked for."""
    said_by, people = _saying(graph, speaker), _people(graph)
    if said_by is None or not any(map(said_by, people)):
        names = list(dict.fromkeys(person.name for person in people if person.name))
        remedy = nearest(speaker, names) if names else "the map names nobody who speaks"
        raise NoSuchNameError(f"there is no speaker {str(speaker)!r}"[:200], where=graph.name or None, remedy=remedy)
    return said_by


def _people(graph: ArgumentGraph) -> tuple[Participant, ...]:
    """Who is listed, or speaks."""

    def people() -> tuple[Participant, ...]:
        speaking = (graph.speaker_of(locution) for locution in graph.locutions)
        return tuple(dict.fromkeys((*graph.participants, *(person for person in speaking if person is not None))))

    return graph._once("everybody", people, side_data=True)


def _meant(graph: ArgumentGraph, wanted: object) -> set[Participant]:
    """Those of a map who are meant by a name, an id or a ``Participant``."""
    people = _people(graph)
    if isinstance(wanted, Participant):
        return {person for person in people if person.id == wanted.id and person.name == wanted.name}
    name = str(wanted)
    same = {person for person in people if person.name == name or (person.id != "" and person.id == name)}
    return same or {person for person in people if _plain(person.name) == _plain(name)}


def _types(type: object) -> set[str] | None:
    """The types that are asked for, as nodes have them."""
    if type is None:
        return None
    if isinstance(type, str):
        if (name := type.casefold().removesuffix("s")) in _KINDS:
            raise OptionError(f"there is no type {type!r}", remedy=f"did you mean {_KINDS[name]!r}?")
        return {type.upper()}
    if isinstance(type, Iterable):
        return {kind for each in type for kind in _types(each) or ()}
    if isinstance(type, _Class):
        raise OptionError(f"type is {type.__name__}", remedy=f"graph.of({type.__name__}) has the nodes of a class")
    if callable(type):
        raise OptionError("type is a function", remedy="give it by its name: filter(where=function)")
    raise OptionError(f"type is {type!r}"[:200], remedy="give I, L, RA …, or several in a list")


#: The types by their names, as somebody may call them.
_KINDS: Final = {name: kind for kind, name in NAMES.items()}
#: ``type`` is the name of an argument here.
_Class: Final = type


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _moment(bound: datetime | str | None) -> datetime | None:
    if bound is None or isinstance(bound, datetime):
        return bound
    moment = parse_time(bound) if isinstance(bound, str) else None
    if moment is None:
        raise OptionError(f"{bound!r} is no time"[:200], remedy="give a datetime or 2019-03-06 14:31:23")
    return moment
