"""Rules 3xx: who says what in answer to whom, as Inference Anchoring Theory (IAT) has it.

An analyst's own bookkeeping, a locution that leads to a YA ``Analysing``, is no part of the dialogue.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from aifgraph.graph.meta import parse_time
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.rules.index import GraphIndex, cycles
from aifgraph.graph.rules.rule import Hit, rule
from aifgraph.graph.schemes import label_of

_IAT = "IAT annotation guidelines 2023"
_RELATIONS = frozenset(RELATIONS)


@rule(301, _IAT + " (QT30: 34 times)", aif="W", iat="W", xaif="W")
def ta_ends(index: GraphIndex) -> Iterator[Hit]:
    """A transition leads to one locution (it may answer several)."""
    for id_, ends in index.several_ends("TA"):
        yield f"TA {id_} leads to {len(ends)} locutions: {index.names(ends)}", (id_, *ends)


@rule(302, _IAT, iat="N", xaif="N")
def ta_shared_end(index: GraphIndex) -> Iterator[Hit]:
    """A locution that answers several others has one transition with several starts, not several transitions."""
    for id_ in index.of("L"):
        into = [other for other in index.into.get(id_, ()) if index.kind[other] == "TA"]
        if len(into) > 1:
            yield f"L {id_} is the end of {len(into)} transitions: {index.names(into)}", (id_, *into)


@rule(303, "DialAM-2024 (42 maps); " + _IAT, aif="W", iat="W", xaif="W")
def ta_acyclic(index: GraphIndex) -> Iterator[Hit]:
    """Transitions do not lead back to where they came from."""
    after: dict[str, list[str]] = {}
    for id_, start, end in index.links("TA"):
        after.setdefault(start, []).append(end)
        if start == end:
            yield f"TA {id_} leads from {index.name(start)} to itself", (id_, start)
    for cycle in cycles(after):
        yield f"the transitions between {index.names(cycle)} form a cycle", tuple(cycle)


@rule(304, _IAT, aif="W", iat="W", xaif="W")
def ta_temporal(index: GraphIndex) -> Iterator[Hit]:
    """A transition leads from the earlier locution to the later one, by the start times of the locution records. Where
    a locution has several, any of them may be the one meant."""
    times: dict[str, tuple[float, float]] = {}
    for id_, records in index.records.items():
        moments = [_seconds(time) for record in records if (time := parse_time(record.start))]
        if moments:
            times[id_] = (min(moments), max(moments))
    for id_, start, end in index.links("TA") if times else ():
        if start in times and end in times and times[end][1] < times[start][0]:
            yield f"TA {id_} leads from L {start} back in time to L {end}", (id_, start, end)


def _seconds(time: datetime) -> float:
    # A map's times mostly name no zone, and if they do, all do: any one zone for the others will do.
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


@rule(305, _IAT, aif="W", iat="E", xaif="W")
def ya_anchor(index: GraphIndex) -> Iterator[Hit]:
    """An illocution is anchored in one locution or transition."""
    for id_, starts in index.several_starts("YA"):
        yield f"YA {id_} has {len(starts)} anchors: {index.names(starts)}", (id_, *starts)


@rule(306, _IAT, aif="W", iat="E", xaif="W")
def ya_target(index: GraphIndex) -> Iterator[Hit]:
    """An illocution has one content: a proposition, a relation, or a locution (reported speech, Analysing)."""
    for id_, ends in index.several_ends("YA"):
        yield f"YA {id_} has {len(ends)} contents: {index.names(ends)}", (id_, *ends)


def _forces() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Illocution in letters → the anchors it may have for a proposition, and the kinds of content it may have."""
    ways = ("", "pure", "assertive", "rhetorical", "popular", "strong", "weak", "partial", "directive", "ironic")
    any_, from_l, from_ta = frozenset({"L", "TA"}), frozenset({"L"}), frozenset({"TA"})
    table = {
        "arguing": (any_, frozenset({"RA"})),
        "disagreeing": (any_, frozenset({"CA", "I"})),
        "restating": (any_, frozenset({"MA"})),
        "asserting": (from_l, frozenset({"I", "L"})),
        "questioning": (from_l, frozenset({"I", "L"})),
        "agreeing": (from_ta, frozenset({"I"})),
        "challenging": (any_, frozenset({"I"})),
    }
    return {way + force: fits for force, fits in table.items() for way in ways}


_FORCES = _forces()
#: What is done by answering: a transition may do it to a proposition that was said before.
_ANSWERS = frozenset(
    prefix + word
    for word in ("conceding", "affirming", "disaffirming", "answering", "notanswering", "accepting", "rejecting")
    for prefix in ("", "strong", "weak", "popular")
) | {"", "ya", "defaultillocuting", "analysing"}


def _anchors_suit(label: str, anchors: frozenset[str], content: str) -> bool:
    """Whether nodes of these types may anchor a content of that type."""
    if anchors == {"L"}:
        return label == "analysing" or content not in _RELATIONS
    if anchors == {"TA"} and label != "analysing":
        return content != "L" and (content != "I" or label in _FORCES or label in _ANSWERS)
    return True


@rule(307, _IAT + "; DialAM-2024", iat="W", xaif="W")
def ya_anchor_target(index: GraphIndex) -> Iterator[Hit]:
    """Relations are anchored in transitions, propositions in locutions; a transition anchors a proposition where it
    answers it (agreeing, disagreeing, challenging …), and never another locution."""
    for id_, label, anchors, end in index.acts:
        if not _anchors_suit(label, anchors, index.kind[end]):
            where = "a locution instead of a transition" if "L" in anchors else "a transition instead of a locution"
            yield f"YA {id_} anchors {index.name(end)} in {where}", (id_, end)


def _force_suits(label: str, anchors: frozenset[str], content: str) -> bool:
    """Whether an illocution with this label may have a content of that type, anchored in nodes of these types."""
    fits = _FORCES.get(label)
    if fits is None:
        return True
    return content in fits[1] and (content != "I" or not anchors or not anchors.isdisjoint(fits[0]))


@rule(308, _IAT + "; QT30", iat="W", xaif="W")
def force_fits(index: GraphIndex) -> Iterator[Hit]:
    """The illocution fits what it does: Arguing an inference, Disagreeing a conflict (or a proposition), Restating a
    rephrase, Asserting and Questioning from a locution a proposition (or reported speech), Agreeing from a transition a
    proposition, Challenging a proposition."""
    for id_, label, anchors, end in index.acts:
        kind = index.kind[end]
        if _force_suits(label, anchors, kind):
            continue
        act = f"YA {id_} ({label_of(index.node(id_))})"
        if kind not in _FORCES[label][1]:
            yield f"{act} does not fit {index.name(end)}", (id_, end)
        else:
            where = "a transition" if "TA" in anchors else "a locution"
            yield f"{act} of {index.name(end)} is anchored in {where}", (id_, end)


@rule(309, _IAT, aif="W", iat="E")
def s_anchored(index: GraphIndex) -> Iterator[Hit]:
    """Where a map has dialogue, each inference, conflict and rephrase is anchored by an illocution."""
    if not index.speech:
        return
    for id_ in index.of("RA", "CA", "MA"):
        if all(index.kind[other] != "YA" for other in index.into.get(id_, ())):
            yield f"{index.name(id_)} is not anchored in the dialogue", (id_,)


@rule(310, _IAT, iat="N")
def ta_mirrors(index: GraphIndex) -> Iterator[Hit]:
    """A relation that is anchored in a transition joins what the transition's two ends say."""
    for relation in index.of(*RELATIONS):
        premises, conclusions = (
            _with_joined(index, index.starts(relation)),
            _with_joined(index, index.ends(relation)),
        )
        for anchor in _transitions(index, relation) if premises and conclusions else ():
            first, then = index.contents(*index.starts(anchor)), index.contents(*index.ends(anchor))
            forth = not premises.isdisjoint(first) and not conclusions.isdisjoint(then)
            back = not conclusions.isdisjoint(first) and not premises.isdisjoint(then)
            if first and then and not forth and not back:
                yield f"{index.name(relation)} does not join what the ends of TA {anchor} say", (relation, anchor)


def _transitions(index: GraphIndex, relation: str) -> Iterator[str]:
    for act in index.into.get(relation, ()):
        if index.kind[act] == "YA":
            yield from (anchor for anchor in index.into.get(act, ()) if index.kind[anchor] == "TA")


def _with_joined(index: GraphIndex, ids: list[str]) -> set[str]:
    """The nodes themselves, and those that a relation among them joins (an undercut's target)."""
    nodes = set(ids)
    for id_ in ids:
        if index.kind[id_] in _RELATIONS:
            nodes.update(index.starts(id_), index.ends(id_))
    return nodes


@rule(311, _IAT + " (22 153 analysts' copies in QT30)", iat="N", xaif="N")
def l_anchors(index: GraphIndex) -> Iterator[Hit]:
    """A locution says or answers something; one without any edge is probably an analyst's copy."""
    for id_ in index.of("L"):
        if id_ not in index.into and id_ not in index.out:
            yield f"L {id_} stands alone (an analyst's copy?): {index.text(id_)[:60]!r}", (id_,)


@rule(312, _IAT + "; AIFdb", iat="N")
def l_record(index: GraphIndex) -> Iterator[Hit]:
    """A locution has one locution record (AIFdb adds those of other maps that share the node)."""
    for id_ in index.speech:
        number = len(index.records.get(id_, ()))
        if number != 1:
            yield f"L {id_} has {number or 'no'} locution record{'s' if number else ''}", (id_,)


@rule(313, _IAT, iat="N")
def l_speaker(index: GraphIndex) -> Iterator[Hit]:
    """A locution's text starts with its speaker: ``First Last: words``."""
    for id_ in index.speech:
        if not index.speakers[id_]:
            yield f"L {id_} does not say who speaks: {index.text(id_)[:60]!r}", (id_,)
