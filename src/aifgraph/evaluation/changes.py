"""The kinds of change, each a function of a ``Draft``; nothing but what its line says changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Final

from aifgraph.align.analysis import analyse
from aifgraph.evaluation.draft import Draft
from aifgraph.evaluation.reading_order import reading_order
from aifgraph.graph.meta import speaker_prefix
from aifgraph.graph.nodes import RELATIONS, Scheme
from aifgraph.graph.schemes import DEFAULT_TEXTS, DEFAULTS, find_schemes, fold_name, is_default, label_of

_LABELS = ("Asserting", "Agreeing", "Challenging", "Arguing", "Disagreeing", "Pure Questioning", "Restating")
_TYPES = ("RA", "CA", "MA")

Speaker = tuple[str | None, str]


def segmentation(draft: Draft) -> None:
    """Cut a unit; a locution takes its illocutions and propositions along: its second half is said for itself."""
    analysis = analyse(draft.old)
    units = sorted(analysis.nodes[unit].id for unit in analysis.units)
    for id_ in draft.some([id_ for id_ in units if len(draft.prefix(id_)[1].split()) >= 4]):
        prefix, said = draft.prefix(id_)
        place = draft.rng.randrange(1, len(said.split()))
        first, rest = _cut(said, place)
        node = draft.nodes[id_]
        draft.put(id_, prefix + first)
        second = draft.new(node.type, prefix + rest, node.schemes)
        draft.records += [replace(record, node_id=second) for record in draft.records if record.node_id == id_]
        for act in draft.after(id_, "YA"):
            for content in draft.after(act, "I"):
                head, tail = _cut(draft.nodes[content].text, place)
                if head and tail:
                    draft.put(content, head)
                    label = draft.nodes[act]
                    again = draft.new("YA", label.text, label.schemes)
                    draft.edges += [(second, again), (again, draft.new("I", tail, draft.nodes[content].schemes))]
        if node.kind == "L":
            step = draft.new("TA", DEFAULT_TEXTS["TA"], (DEFAULTS["TA"],))
            draft.edges += [(id_, step), (step, second)]


def boundaries(draft: Draft, words: int) -> None:
    """Move the boundary between two neighbouring units: words of the one become words of the other."""
    for first, second in draft.some(_neighbours(draft, same_speaker=False)):
        forward = draft.rng.random() < 0.5
        if not _shift(draft, first, second, words, forward=forward):
            continue
        said = draft.contents(first), draft.contents(second)
        if len(said[0]) == len(said[1]) == 1 and said[0] != said[1]:
            _shift(draft, said[0][0], said[1][0], words, forward=forward)


def _shift(draft: Draft, first: str, second: str, words: int, *, forward: bool) -> bool:
    (prefix, said), (next_prefix, next_said) = draft.prefix(first), draft.prefix(second)
    count = len(said.split()) - words if forward else words
    head, tail = _cut(said if forward else next_said, count)
    if not head or not tail:
        return False
    said, next_said = (head, f"{tail} {next_said}") if forward else (f"{said} {head}", tail)
    draft.put(first, prefix + said)
    draft.put(second, next_prefix + next_said)
    return True


def merged(draft: Draft) -> None:
    """Make one unit of two neighbours (locutions of one speaker, with what they say; or two propositions)."""
    into: dict[str, str] = {}
    for first, second in draft.some(_neighbours(draft, same_speaker=True)):
        first = into.get(first, first)
        into[second] = first
        said = draft.contents(first), draft.contents(second)
        _merge(draft, first, second)
        if len(said[0]) == len(said[1]) == 1 and said[0] != said[1]:
            own, other = said[0][0], said[1][0]
            if {anchor for act in draft.before(other, "YA") for anchor in draft.before(act, "L")} == {first}:
                _merge(draft, own, other)
                _drop_repeated_acts(draft, first, own)
    draft.prune()


def _merge(draft: Draft, kept: str, gone: str) -> None:
    prefix, said = draft.prefix(kept)
    draft.put(kept, f"{prefix}{said} {draft.prefix(gone)[1]}")
    del draft.nodes[gone]
    ends = [(kept if a == gone else a, kept if b == gone else b) for a, b in draft.edges]
    starts = {a for a, b in ends if b == kept} & {b for a, b in ends if a == kept}
    # What led from one of the two to the other leads nowhere now.
    draft.edges = [(a, b) for a, b in dict.fromkeys(ends) if not (b == kept and a in starts) and a != b]


def _drop_repeated_acts(draft: Draft, locution: str, content: str) -> None:
    labels: set[str] = set()
    for act in sorted(draft.after(locution, "YA")):
        label = fold_name(label_of(draft.nodes[act]))
        if draft.after(act, "I") == [content]:
            if label in labels:
                del draft.nodes[act]
            labels.add(label)


def _neighbours(draft: Draft, *, same_speaker: bool) -> list[tuple[str, str]]:
    """Two units of one kind, one after the other, without a word of the text between them that is known."""
    pairs: list[tuple[str, str]] = []
    units = reading_order(draft.old)
    without_text = all(unit.run is None for unit in units)
    for first, second in pairwise(unit for unit in units if unit.run or without_text):
        touching = first.run[1] == second.run[0] if first.run and second.run else without_text
        kinds = {first.node.kind, second.node.kind}
        if touching and len(kinds) == 1:
            one, other = _speaker(draft, first.node.id), _speaker(draft, second.node.id)
            if kinds == {"I"} or not same_speaker or one == other:
                pairs.append((first.node.id, second.node.id))
    return pairs


def relations(draft: Draft) -> None:
    """Drop a relation, change its type, or move one of its ends to another proposition."""
    for id_ in draft.some(draft.of(*RELATIONS)):
        draft.rng.choice((_drop, _retype, _attach))(draft, id_)
    draft.prune()


def dropped(draft: Draft) -> None:
    """Drop a relation, with the illocutions that lead to it alone."""
    for id_ in draft.some(draft.of(*RELATIONS)):
        _drop(draft, id_)
    draft.prune()


def types(draft: Draft) -> None:
    """Give a relation another type of RA, CA and MA."""
    for id_ in draft.some(draft.of(*RELATIONS)):
        _retype(draft, id_)


def attachment(draft: Draft) -> None:
    """Move a premise or a conclusion of a relation to another proposition."""
    places = [id_ for id_ in draft.of(*RELATIONS) if _movable(draft, id_)]
    for id_ in draft.some(places):
        _attach(draft, id_)


def _drop(draft: Draft, id_: str) -> None:
    del draft.nodes[id_]


def _retype(draft: Draft, id_: str) -> None:
    type_ = draft.rng.choice([type_ for type_ in _TYPES if type_ != draft.nodes[id_].kind])
    draft.put(id_, DEFAULT_TEXTS[type_], type_, ())


def _movable(draft: Draft, id_: str) -> list[str]:
    """The propositions that an end can be moved to, where there is an end to move."""
    near = {*draft.before(id_, "I"), *draft.after(id_, "I")}
    return [other for other in draft.of("I") if other not in near] if near else []


def _attach(draft: Draft, id_: str) -> None:
    others = _movable(draft, id_)
    ends = sorted({(a, id_) for a in draft.before(id_, "I")} | {(id_, b) for b in draft.after(id_, "I")})
    if others:
        start, end = draft.rng.choice(ends)
        other = draft.rng.choice(others)
        draft.edges[draft.edges.index((start, end))] = (start, other) if start == id_ else (other, end)


def reversed_(draft: Draft) -> None:
    """Turn a relation round: its conclusion and a premise trade places."""
    places = []
    for id_ in draft.of(*RELATIONS):
        starts, ends = draft.before(id_, "I"), draft.after(id_, "I")
        turns = [(a, b) for a in sorted(starts) for b in sorted(ends) if b not in starts and a not in ends]
        if turns:
            places.append((id_, turns))
    for id_, turns in draft.some(places):
        start, end = draft.rng.choice(turns)
        swap = {(start, id_): (end, id_), (id_, end): (id_, start)}
        draft.edges = [swap.get(edge, edge) for edge in draft.edges]


def spurious(draft: Draft) -> None:
    """Add relations: one of its type for each relation drawn, between two propositions that none relates yet."""
    propositions, relations_ = draft.of("I"), draft.of(*RELATIONS)
    related = {frozenset((a, b)) for id_ in relations_ for a in draft.before(id_, "I") for b in draft.after(id_, "I")}
    for id_ in draft.some(relations_):
        free = len(propositions) * (len(propositions) - 1) // 2 - len(related)
        if free <= 0:
            return
        while True:
            start, end = draft.rng.sample(propositions, 2)
            if frozenset((start, end)) not in related:
                break
        related.add(frozenset((start, end)))
        type_ = draft.nodes[id_].kind
        added = draft.new(type_, DEFAULT_TEXTS[type_], (DEFAULTS[type_],))
        draft.edges += [(start, added), (added, end)]


def illocutions(draft: Draft) -> None:
    """Give an illocution (none that is ``Analysing``) another label, of those in the map or of the common ones."""
    acts = [act for act in draft.of("YA") if fold_name(label_of(draft.nodes[act])) != "analysing"]
    labels = sorted({*_LABELS, *(label_of(draft.nodes[act]) for act in acts)})
    for act in draft.some(acts):
        own = fold_name(label_of(draft.nodes[act]))
        draft.put(act, draft.rng.choice([label for label in labels if fold_name(label) != own]), schemes=())


def schemes(draft: Draft) -> None:
    """Give a relation whose scheme says more than its type another such scheme."""
    places = [
        id_
        for id_ in draft.of(*RELATIONS)
        if any(not is_default(scheme, draft.nodes[id_].kind) for scheme in draft.nodes[id_].schemes)
    ]
    for id_ in draft.some(places):
        node = draft.nodes[id_]
        own = {fold_name(scheme.name or "") for scheme in node.schemes}
        others = [row for row in find_schemes(kind=node.kind) if fold_name(row.name) not in own | _plain(node.kind)]
        if others:
            row = draft.rng.choice(others)
            text = row.name if fold_name(node.text) in own else node.text
            draft.put(id_, text, schemes=(Scheme(row.id, row.name),))


def _plain(kind: str) -> set[str]:
    return {fold_name(DEFAULT_TEXTS[kind])}


def speakers(draft: Draft) -> None:
    """Give a locution another speaker of the map: in its record and in front of its words, as far as it has them."""
    analysis = analyse(draft.old)
    said = {node.id: _speaker(draft, node.id) for node in (analysis.nodes[index] for index in analysis.locutions)}
    known = sorted({speaker for speaker in said.values() if speaker != (None, "")}, key=str)
    others = {one: [other for other in known if _differ(one, other)] for one in known}
    for id_ in draft.some(sorted(id_ for id_, speaker in said.items() if others.get(speaker))):
        person, name = draft.rng.choice(others[said[id_]])
        prefix, words = draft.prefix(id_)
        own = said[id_][1]
        if own and name:
            draft.put(id_, prefix.replace(own, name, 1) + words)
        draft.records = [
            replace(record, person_id=person) if record.node_id == id_ and record.person_id and person else record
            for record in draft.records
        ]


def _speaker(draft: Draft, locution: str) -> Speaker:
    """The person of a locution's record, and the name in front of its words."""
    people = {person.id for person in draft.old.meta.participants}
    recorded = [record.person_id for record in draft.records if record.node_id == locution]
    known = [person for person in recorded if person in people]
    return (known[0] if known else None), speaker_prefix(draft.nodes[locution].text)


def _differ(one: Speaker, other: Speaker) -> bool:
    """Whether two speakers are two by all that is known of the first, so that the other can take its place."""
    people = one[0] is None or (other[0] is not None and other[0] != one[0])
    names = not one[1] or (bool(other[1]) and fold_name(other[1]) != fold_name(one[1]))
    return people and names


def _cut(text: str, count: int) -> tuple[str, str]:
    """A text before and after so many words; both empty where one would hold none."""
    places = [word.start() for word in re.finditer(r"\S+", text)]
    return (text[: places[count]].rstrip(), text[places[count] :]) if 0 < count < len(places) else ("", "")


Change = Callable[[Draft], None]

#: By the name of the kind; ``boundaries``, which also takes the number of words, is in ``change_of``.
_CHANGES: Final[dict[str, Change]] = {
    "segmentation": segmentation,
    "merged": merged,
    "relations": relations,
    "dropped": dropped,
    "spurious": spurious,
    "types": types,
    "reversed": reversed_,
    "attachment": attachment,
    "illocutions": illocutions,
    "speakers": speakers,
    "schemes": schemes,
}
KINDS: Final = ("segmentation", "boundaries", *list(_CHANGES)[1:])


def change_of(kind: str, words: int) -> Change:
    """The change that a kind makes; ``boundaries`` move by so many words."""
    return (lambda draft: boundaries(draft, words)) if kind == "boundaries" else _CHANGES[kind]
