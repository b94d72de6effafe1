"""Rules 3xx: who says what in answer to whom, as Inference Anchoring Theory (IAT) has it.

An analyst's own bookkeeping, a locution that leads to a YA ``Analysing``, is no part of the dialogue.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from aifgraph.graph.meta import parse_time
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.rules import passes
from aifgraph.graph.rules.rule import Hit, rule
from aifgraph.graph.rules.view import View, cycles

_IAT = "IAT annotation guidelines 2023"
_RELATIONS = frozenset(RELATIONS)


@rule(301, _IAT + " (QT30: 34 times)", aif="W", iat="W", xaif="W", passes=passes.one_end("TA"))
def ta_ends(view: View) -> Iterator[Hit]:
    """A transition leads to one locution (it may answer several)."""
    for id_ in view.several_ends("TA"):
        ends = view.ends(id_)
        yield f"TA {id_} leads to {len(ends)} locutions: {view.names(ends)}", (id_, *ends)


@rule(302, _IAT, iat="N", xaif="N", passes=passes.one_transition_each)
def ta_shared_end(view: View) -> Iterator[Hit]:
    """A locution that answers several others has one transition with several starts, not several transitions."""
    for id_ in view.of("L"):
        into = [each for each in view.into.get(id_, ()) if view.kind[each] == "TA"]
        if len(into) > 1:
            yield f"L {id_} is the end of {len(into)} transitions: {view.names(into)}", (id_, *into)


@rule(303, "DialAM-2024 (42 maps); " + _IAT, aif="W", iat="W", xaif="W", passes=passes.acyclic("TA"))
def ta_acyclic(view: View) -> Iterator[Hit]:
    """Transitions do not lead back to where they came from."""
    after: dict[str, list[str]] = {}
    for id_ in view.of("TA"):
        ends = view.ends(id_)
        for start in view.starts(id_):
            after.setdefault(start, []).extend(ends)
            if start in ends:
                yield f"TA {id_} leads from {view.name(start)} to itself", (id_, start)
    for cycle in cycles(after):
        yield f"the transitions between {view.names(cycle)} form a cycle", tuple(cycle)


@rule(304, _IAT, aif="W", iat="W", xaif="W")
def ta_temporal(view: View) -> Iterator[Hit]:
    """A transition leads from the earlier locution to the later one, by the start times of the locution records. Where
    a locution has several, any of them may be the one meant."""
    times: dict[str, tuple[float, float]] = {}
    for id_, records in view.records.items():
        found = [_seconds(time) for record in records if (time := parse_time(record.start))]
        if found:
            times[id_] = (min(found), max(found))
    for id_ in view.of("TA") if times else ():
        for start in view.starts(id_):
            for end in view.ends(id_):
                if start in times and end in times and times[end][1] < times[start][0]:
                    yield f"TA {id_} leads from L {start} back in time to L {end}", (id_, start, end)


def _seconds(time: datetime) -> float:
    # A map's times mostly name no zone, and if they do, all do: any one zone for the others will do.
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


@rule(305, _IAT, aif="W", iat="E", xaif="W", passes=passes.one_start("YA"))
def ya_anchor(view: View) -> Iterator[Hit]:
    """An illocution is anchored in one locution or transition."""
    for id_ in view.several_starts("YA"):
        starts = view.starts(id_)
        yield f"YA {id_} has {len(starts)} anchors: {view.names(starts)}", (id_, *starts)


@rule(306, _IAT, aif="W", iat="E", xaif="W", passes=passes.one_end("YA"))
def ya_target(view: View) -> Iterator[Hit]:
    """An illocution has one content: a proposition, a relation, or a locution (reported speech, Analysing)."""
    for id_ in view.several_ends("YA"):
        ends = view.ends(id_)
        yield f"YA {id_} has {len(ends)} contents: {view.names(ends)}", (id_, *ends)


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
) | {"", "defaultillocuting", "analysing"}


def _anchors_suit(label: str, anchors: frozenset[str], content: str) -> bool:
    """Whether nodes of these types may anchor a content of that type."""
    if anchors == {"L"}:
        return label == "analysing" or content not in _RELATIONS
    if anchors == {"TA"} and label != "analysing":
        return content != "L" and (content != "I" or label in _FORCES or label in _ANSWERS)
    return True


@rule(307, _IAT + "; DialAM-2024", iat="W", xaif="W", passes=passes.every_act(_anchors_suit))
def ya_anchor_target(view: View) -> Iterator[Hit]:
    """Relations are anchored in transitions, propositions in locutions; a transition anchors a proposition where it
    answers it (agreeing, disagreeing, challenging …), and never another locution."""
    for id_, label in view.labels.items():
        anchors = frozenset(view.kind[each] for each in view.starts(id_))
        for end in view.ends(id_):
            if not _anchors_suit(label, anchors, view.kind[end]):
                where = "a locution instead of a transition" if "L" in anchors else "a transition instead of a locution"
                yield f"YA {id_} anchors {view.name(end)} in {where}", (id_, end)


def _force_suits(label: str, anchors: frozenset[str], content: str) -> bool:
    """Whether an illocution with this label may have a content of that type, anchored in nodes of these types."""
    fits = _FORCES.get(label)
    if fits is None:
        return True
    return content in fits[1] and (content != "I" or not anchors or not anchors.isdisjoint(fits[0]))


@rule(308, _IAT + "; QT30", iat="W", xaif="W", passes=passes.every_act(_force_suits))
def force_fits(view: View) -> Iterator[Hit]:
    """The illocution fits what it does: Arguing an inference, Disagreeing a conflict (or a proposition), Restating a
    rephrase, Asserting and Questioning from a locution a proposition (or reported speech), Agreeing from a transition a
    proposition, Challenging a proposition."""
    for id_, label in view.labels.items():
        anchors = frozenset(view.kind[each] for each in view.starts(id_))
        for end in view.ends(id_):
            kind = view.kind[end]
            if _force_suits(label, anchors, kind):
                continue
            if kind not in _FORCES[label][1]:
                yield f"YA {id_} ({view.text[id_]}) does not fit {view.name(end)}", (id_, end)
            else:
                where = "a transition" if "TA" in anchors else "a locution"
                yield f"YA {id_} ({view.text[id_]}) of {view.name(end)} is anchored in {where}", (id_, end)


@rule(309, _IAT, aif="W", iat="E", passes=passes.relations_anchored)
def s_anchored(view: View) -> Iterator[Hit]:
    """Where a map has dialogue, each inference, conflict and rephrase is anchored by an illocution."""
    if not view.speech:
        return
    for id_ in view.of("RA", "CA", "MA"):
        if all(view.kind[each] != "YA" for each in view.into.get(id_, ())):
            yield f"{view.name(id_)} is not anchored in the dialogue", (id_,)


@rule(310, _IAT, iat="N", passes=passes.transitions_mirror)
def ta_mirrors(view: View) -> Iterator[Hit]:
    """A relation that is anchored in a transition joins what the transition's two ends say."""
    for id_ in view.relations:
        here = _said(view, view.starts(id_)), _said(view, view.ends(id_))
        if not (here[0] and here[1]):
            continue
        for act in view.into.get(id_, ()):
            for anchor in view.into.get(act, ()) if view.kind[act] == "YA" else ():
                if view.kind[anchor] != "TA":
                    continue
                first, then = (
                    set().union(*(view.contents(each) for each in ends))
                    for ends in (view.starts(anchor), view.ends(anchor))
                )
                if first and then and not any(a & first and b & then for a, b in (here, here[::-1])):
                    yield f"{view.name(id_)} does not join what the ends of TA {anchor} say", (id_, anchor)


def _said(view: View, ids: list[str]) -> set[str]:
    """The propositions themselves, and those that a relation among them joins (an undercut's target)."""
    found = set(ids)
    for id_ in ids:
        if view.kind[id_] in _RELATIONS:
            found.update(view.starts(id_), view.ends(id_))
    return found


@rule(311, _IAT + " (22 153 analysts' copies in QT30)", iat="N", xaif="N", passes=passes.none_alone("L"))
def l_anchors(view: View) -> Iterator[Hit]:
    """A locution says or answers something; one without any edge is probably an analyst's copy."""
    for id_ in view.of("L"):
        if id_ not in view.into and id_ not in view.out:
            yield f"L {id_} stands alone (an analyst's copy?): {view.text[id_][:60]!r}", (id_,)


@rule(312, _IAT + "; AIFdb", iat="N")
def l_record(view: View) -> Iterator[Hit]:
    """A locution has one locution record (AIFdb adds those of other maps that share the node)."""
    for id_ in view.speech:
        number = len(view.records.get(id_, ()))
        if number != 1:
            yield f"L {id_} has {number or 'no'} locution record{'s' if number else ''}", (id_,)


@rule(313, _IAT, iat="N", passes=passes.every_speaker)
def l_speaker(view: View) -> Iterator[Hit]:
    """A locution's text starts with its speaker: ``First Last: words``."""
    for id_ in view.speech:
        if not view.speakers[id_]:
            yield f"L {id_} does not say who speaks: {view.text[id_][:60]!r}", (id_,)
