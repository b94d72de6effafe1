"""Rules 3xx: who says what in answer to whom, as Inference Anchoring Theory (IAT) has it; and 4xx: the side data.

An analyst's own bookkeeping, a locution that leads to a YA ``Analysing``, is no part of the dialogue.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC
from itertools import product
from typing import Final

from aifgraph.errors import LimitError
from aifgraph.graph.nodes import RELATIONS, Scheme
from aifgraph.graph.rules.index import GraphIndex, Hit, rule, spellings
from aifgraph.graph.schemes import catalogue, fold_name, label_of, schemes_named
from aifgraph.graph.side_data import parse_time, without_speaker

_IAT: Final = "IAT annotation guidelines 2023"
_REVIEWERS: Final = "what reviewers of annotations look for"

#: Characters in which locutions are looked for that do not follow the text, some seconds.
_MAX_SEARCHED: Final = 10**9
_ANY: Final = frozenset({"L", "TA"})
_FROM_L: Final = frozenset({"L"})
_FROM_TA: Final = frozenset({"TA"})
_WAYS: Final = ("", "pure", "assertive", "rhetorical", "popular", "strong", "weak", "partial", "directive", "ironic")
#: What an illocution does, in any of these ways: the anchors that it may have for a proposition, and its contents.
_PLAIN_FORCES: Final = {
    "arguing": (_ANY, {"RA"}),
    "disagreeing": (_ANY, {"CA", "I"}),
    "restating": (_ANY, {"MA"}),
    "asserting": (_FROM_L, {"I", "L"}),
    "questioning": (_FROM_L, {"I", "L"}),
    "agreeing": (_FROM_TA, {"I"}),
    "challenging": (_ANY, {"I"}),
}
_FORCES: Final = {way + force: fits for way in _WAYS for force, fits in _PLAIN_FORCES.items()}
_ANSWERS: Final = ["conceding", "affirming", "disaffirming", "answering", "notanswering", "accepting", "rejecting"]
#: What a transition may do to a proposition that was said before.
_FROM_TRANSITIONS: Final = {
    "", "ya", "defaultillocuting", *_FORCES, *map("".join, product(("", "strong", "weak", "popular"), _ANSWERS)),
}  # fmt: skip


@rule(302, "-NN", _IAT)
def ta_shared_end(index: GraphIndex) -> Iterator[Hit]:
    """A locution that answers several others has one transition with several starts, not several transitions."""
    for id_ in index.of_type("L"):
        transitions = [before for before in index.into.get(id_, ()) if index.types[before] == "TA"]
        if len(transitions) > 1:
            what = f"L {id_} is the end of {len(transitions)} transitions: {index.names(transitions)}"
            yield what, (id_, *transitions)


@rule(303, "WWW", f"DialAM-2024 (42 maps); {_IAT}")
def ta_acyclic(index: GraphIndex) -> Iterator[Hit]:
    """Transitions do not lead back to where they came from."""
    for id_ in index.of_type("TA"):
        for start in filter({*index.ends(id_)}.__contains__, index.starts(id_)):
            yield f"TA {id_} leads from {index.name(start)} to itself", (id_, start)
    for cycle in index.cycles("TA"):
        yield f"the transitions between {index.names(cycle)} form a cycle", tuple(cycle)


@rule(304, "WWW", _IAT)
def ta_temporal(index: GraphIndex) -> Iterator[Hit]:
    """A transition leads from the earlier locution to the later one, by the start times of the locution records. Where
    a locution has several, any of them may be the one meant."""
    times: dict[str, list[float]] = {}
    for id_, records in index.graph._records.items():
        moments = filter(None, (parse_time(record.start) for record in records))
        # A map's times mostly name no zone, and if they do, all do: any one zone for the others will do.
        times[id_] = [(time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() for time in moments]
    for id_, start, end in index.links("TA", among=times):
        if times.get(start) and times.get(end) and max(times[end]) < min(times[start]):
            yield f"TA {id_} leads from L {start} back in time to L {end}", (id_, start, end)


@rule(307, "-WW", f"{_IAT}; DialAM-2024")
def ya_anchor_target(index: GraphIndex) -> Iterator[Hit]:
    """Relations are anchored in transitions, propositions in locutions; a transition anchors a proposition where it
    answers it (agreeing, disagreeing, challenging …), and never another locution."""
    for id_, label, anchors, end in index.acts:
        type_ = index.types[end]
        if label == "analysing":
            continue
        if anchors == _FROM_L and type_ in RELATIONS:
            yield f"YA {id_} anchors {index.name(end)} in a locution instead of a transition", (id_, end)
        elif anchors == _FROM_TA and (type_ == "L" or (type_ == "I" and label not in _FROM_TRANSITIONS)):
            yield f"YA {id_} anchors {index.name(end)} in a transition instead of a locution", (id_, end)


@rule(308, "-WW", f"{_IAT}; QT30")
def force_fits(index: GraphIndex) -> Iterator[Hit]:
    """The label of an illocution fits its content: Arguing an inference, Disagreeing a conflict (or a proposition),
    Restating a rephrase, Asserting and Questioning from a locution a proposition (or reported speech), Agreeing from a
    transition a proposition, Challenging a proposition."""
    for id_, label, anchors, end in index.acts:
        if label not in _FORCES:
            continue
        fitting_anchors, contents = _FORCES[label]
        act = f"YA {id_} ({label_of(index.graph[id_])})"
        if index.types[end] not in contents:
            yield f"{act} does not fit {index.name(end)}", (id_, end)
        elif index.types[end] == "I" and anchors and anchors.isdisjoint(fitting_anchors):
            where = "a transition" if "TA" in anchors else "a locution"
            yield f"{act} of {index.name(end)} is anchored in {where}", (id_, end)


@rule(309, "WE-", _IAT)
def s_anchored(index: GraphIndex) -> Iterator[Hit]:
    """Where a map has dialogue, each inference, conflict and rephrase is anchored by an illocution."""
    for id_ in index.of_type("RA", "CA", "MA") if index.speech else ():
        if all(index.types[before] != "YA" for before in index.into.get(id_, ())):
            yield f"{index.name(id_)} is not anchored in the dialogue", (id_,)


@rule(310, "-N-", _IAT)
def ta_mirrors(index: GraphIndex) -> Iterator[Hit]:
    """A relation that is anchored in a transition joins what the transition's two ends say."""
    for relation in index.of_type(*RELATIONS):
        premises, conclusions = (_with_joined(index, ids) for ids in (index.starts(relation), index.ends(relation)))
        acts = [act for act in index.into.get(relation, ()) if index.types[act] == "YA" and premises and conclusions]
        for anchor in (anchor for act in acts for anchor in index.into.get(act, ()) if index.types[anchor] == "TA"):
            first, then = ([*map(index.contents, ids)] for ids in (index.starts(anchor), index.ends(anchor)))
            forth = _meet(premises, first) and _meet(conclusions, then)
            back = _meet(conclusions, first) and _meet(premises, then)
            if any(first) and any(then) and not forth and not back:
                yield f"{index.name(relation)} does not join what the ends of TA {anchor} say", (relation, anchor)


def _meet(nodes: set[str], contents: list[set[str]]) -> bool:
    return not all(map(nodes.isdisjoint, contents))


def _with_joined(index: GraphIndex, ids: list[str]) -> set[str]:
    """Return nodes with those that a relation among them joins (an undercut's target)."""
    joined = (end for id_ in ids if index.types[id_] in RELATIONS for end in (*index.starts(id_), *index.ends(id_)))
    return {*ids, *joined}


@rule(311, "-NN", f"{_IAT} (22 153 analysts' copies in QT30)")
def l_anchors(index: GraphIndex) -> Iterator[Hit]:
    """A locution says or answers something; one without any edge is probably an analyst's copy."""
    for id_ in index.alone("L"):
        yield f"L {id_} stands alone (an analyst's copy?): {index.text(id_)[:60]!r}", (id_,)


@rule(312, "-N-", f"{_IAT}; AIFdb")
def l_record(index: GraphIndex) -> Iterator[Hit]:
    """A locution has one locution record (AIFdb adds those of other maps that share the node)."""
    for id_ in index.speech:
        number = len(index.graph._records.get(id_, ()))
        if number != 1:
            yield f"L {id_} has {number or 'no'} locution record{'s' if number else ''}", (id_,)


@rule(313, "-N-", _IAT)
def l_speaker(index: GraphIndex) -> Iterator[Hit]:
    """A locution's text starts with its speaker: ``First Last: words``."""
    for id_, speaker in index.speakers.items():
        if not speaker:
            yield f"L {id_} does not say who speaks: {index.text(id_)[:60]!r}", (id_,)


# -- schemes, locution records, participants, texts --------------------------------------------------------------------


@rule(401, "WWW", "AIFdb, schemeTypeID")
def scheme_kind(index: GraphIndex) -> Iterator[Hit]:
    """The scheme of a node is of the node's kind: inference schemes on RA, illocutions on YA, none on I and L."""
    for node in index.graph:
        for scheme in node.schemes if node.kind else ():
            if (types := _types_of(scheme)) and node.kind not in types:
                what = f"the scheme {scheme.name or scheme.id}, which is one of {'/'.join(sorted(types))}"
                yield f"{index.name(node.id)} has {what}", (node.id,)


def _types_of(scheme: Scheme) -> set[str]:
    """Return the node types that a scheme is for, by its id, else by its name."""
    row = catalogue().get(scheme.id) if scheme.id else None
    if row is not None and (scheme.name is None or fold_name(scheme.name) == fold_name(row.name)):
        return {row.kind}
    return {row.kind for row in schemes_named(scheme.name)} if scheme.name else set()


@rule(402, "WWW", "occurs in QT30")
def locution_record(index: GraphIndex) -> Iterator[Hit]:
    """A locution record names a locution of the map."""
    for id_ in index.graph._records:
        if id_ not in index.types:
            yield f"a locution record names node {id_}, which is not there", (id_,)
        elif index.types[id_] != "L":
            yield f"a locution record names {index.name(id_)}, which is not a locution", (id_,)


@rule(403, "WWW", "xAIF; OVA")
def participant(index: GraphIndex) -> Iterator[Hit]:
    """A person whom a locution record names is among the participants, in files that list them (AIFdb's do not)."""
    meta = index.graph.meta
    known = {person.id for person in meta.participants}
    missing = defaultdict[str, list[str]](list)
    for record in meta.locutions if known or meta.form == "xaif" else ():
        if record.person_id is not None and record.person_id not in known and record.node_id in index.types:
            missing[record.person_id].append(record.node_id)
    for person, ids in missing.items():
        yield f"person {person}, who is named for {index.names(ids)}, is not among the participants", tuple(ids)


@rule(404, "WWW", f"{_IAT} (identity of strings); DialAM-2024")
def i_duplicate(index: GraphIndex) -> Iterator[Hit]:
    """No two propositions of a map have the same words."""
    by_text = defaultdict[str, list[str]](list)
    for id_ in index.of_type("I"):
        by_text[index.text(id_).strip()].append(id_)
    for text, ids in by_text.items():
        if text and len(ids) > 1:
            yield f"{index.names(ids)} have the same text", tuple(ids)


@rule(405, "-NN", _IAT)
def l_in_text(index: GraphIndex) -> Iterator[Hit]:
    """A locution occurs in the source text word for word (checked only if there is a text; white space and the
    speaker's name in front are not compared)."""
    text = "".join(index.graph.text.split())
    offset = searched = 0
    for id_ in index.speech if text else ():
        said = "".join(without_speaker(index.text(id_)).split())
        # Locutions mostly follow the text: look on from the last one first.
        found = text.find(said, offset)
        if found < 0:
            searched += len(text)
            if searched > _MAX_SEARCHED:
                raise LimitError("too many locutions to look for in this text", where=index.graph.name or None)
            found = text.find(said)
        if found >= 0:
            offset = found + len(said)
        elif "".join(index.text(id_).split()) not in text:
            yield f"what L {id_} says is not in the source text: {index.text(id_)[:60]!r}", (id_,)


@rule(406, "-WW", _REVIEWERS)
def speaker_spelling(index: GraphIndex) -> Iterator[Hit]:
    """A speaker is spelled in one way: names in front of locutions do not differ only in capitals, blanks, accents
    or punctuation."""
    for ids in spellings(
        index.speakers, lambda name: "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name).casefold()))
    ):
        names = ", ".join(f"{name!r} in L {id_}" for name, id_ in ids.items())
        yield f"one speaker is spelled in {len(ids)} ways: {names}", tuple(ids.values())


@rule(407, "WWW", _REVIEWERS)
def i_blanks(index: GraphIndex) -> Iterator[Hit]:
    """Two propositions do not differ only in blanks and line breaks inside their texts."""
    texts = {id_: index.text(id_).strip() for id_ in index.of_type("I")}
    for ids in spellings(texts, lambda text: " ".join(text.split())):
        yield f"the texts of {index.names([*ids.values()])} differ only in blanks", tuple(ids.values())
