"""What most maps fulfil, asked of the whole map at once: where a question here is answered with yes, the rule that asks
it finds nothing, and its check is left out. No is no finding: then the check goes over the map.

The answers come from the columns of a graph, so that no ``Node`` and no ``Edge`` is made for a map without findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from aifgraph.graph.meta import without_speaker
from aifgraph.graph.nodes import RELATIONS, SCHEME_KINDS
from aifgraph.graph.rules.numbers import Pair
from aifgraph.graph.rules.view import View

#: All white space but the blank, as ``str.split`` knows it.
_BLANKS: Final = tuple(char for char in map(chr, range(0x3001)) if char.isspace() and char != " ")


def starts_and_ends(view: View) -> bool:
    """Whether every S-node has a start and an end (201)."""
    numbers = view.numbers
    return not any(-1 in numbers.starts_of(kind) or -1 in numbers.ends_of(kind) for kind in SCHEME_KINDS)


def one_start(*kinds: str) -> Callable[[View], bool]:
    """Whether no S-node of these types has several starts (205, 206, 214, 305)."""
    return lambda view: view.numbers.several_starts.isdisjoint(kinds)


def one_end(*kinds: str) -> Callable[[View], bool]:
    """Whether no S-node of these types has several ends (202, 204, 205, 206, 301, 306)."""
    return lambda view: view.numbers.several_ends.isdisjoint(kinds)


def one_each(kind: str) -> Callable[[View], bool]:
    """Whether no S-node of a type has several starts or ends (205, 206)."""
    return lambda view: one_start(kind)(view) and one_end(kind)(view)


def no_scheme_premises(view: View) -> bool:
    """Whether nothing but illocutions and text nodes leads to an inference (203)."""
    numbers = view.numbers
    kinds = {numbers.kinds[start] for start in numbers.starts_of("RA") if start >= 0}
    return ("TA", "RA") not in numbers.pairs and kinds.isdisjoint(RELATIONS)


def ends_differ(*kinds: str) -> Callable[[View], bool]:
    """Whether no relation of these types starts from a node that it leads to (207, 208)."""

    def differ(view: View) -> bool:
        found = [view.numbers.links(kind) for kind in kinds]
        return all(links is not None and all(start != end for start, end in links) for links in found)

    return differ


def one_way_conflicts(view: View) -> bool:
    """Whether no two nodes conflict in both directions (209)."""
    links = view.numbers.links("CA")
    return links is not None and set(links).isdisjoint((end, start) for start, end in links)


def acyclic(kind: str) -> Callable[[View], bool]:
    """Whether S-nodes of a type lead nowhere in a circle (210, 303)."""

    def check(view: View) -> bool:
        links = view.numbers.links(kind)
        return links is not None and _acyclic(links)

    return check


def different_relations(view: View) -> bool:
    """Whether no two relations of a type have a premise and the conclusion in common (211)."""
    found = [view.numbers.links(kind) for kind in ("RA", "CA", "MA")]
    return all(links is not None and _unlike(links) for links in found)


def support_or_conflict(view: View) -> bool:
    """Whether no two nodes are joined by an inference and a conflict (212)."""
    supports, attacks = view.numbers.links("RA"), view.numbers.links("CA")
    if supports is None or attacks is None:
        return False
    joined = set(supports)
    return joined.isdisjoint(attacks) and joined.isdisjoint((end, start) for start, end in attacks)


def none_alone(kind: str) -> Callable[[View], bool]:
    """Whether an edge leads to or from every node of a type (213, 311)."""
    return lambda view: view.numbers.joined.issuperset(view.numbers.of(kind))


def one_transition_each(view: View) -> bool:
    """Whether no locution is the end of two transitions (302)."""
    return _unlike(end for _, end in view.numbers.pairs.get(("TA", "L"), ()))


def every_act(fits: Callable[[str, frozenset[str], str], bool]) -> Callable[[View], bool]:
    """Whether something holds of every label with the types of the anchors and of the content (307, 308)."""

    def hold(view: View) -> bool:
        numbers = view.numbers
        starts, ends = numbers.starts_of("YA"), numbers.ends_of("YA")
        if "YA" in numbers.several_starts | numbers.several_ends or -1 in starts or -1 in ends:
            return False
        kinds = numbers.kinds
        shapes = set(zip(numbers.labels, [kinds[each] for each in starts], [kinds[each] for each in ends], strict=True))
        return all(fits(label, frozenset([anchor]), content) for label, anchor, content in shapes)

    return hold


def relations_anchored(view: View) -> bool:
    """Whether an illocution leads to every inference, conflict and rephrase (309)."""
    pairs, kinds = view.numbers.pairs, ("RA", "CA", "MA")
    return all({end for _, end in pairs.get(("YA", kind), ())}.issuperset(view.numbers.of(kind)) for kind in kinds)


def transitions_mirror(view: View) -> bool:
    """Whether every relation joins what is said at the ends of the transitions that anchor it (310): one of its
    premises and its conclusion, by what one locution at each end says itself."""
    numbers = view.numbers
    start, end, kinds, many = numbers.start, numbers.end, numbers.kinds, len(numbers.kinds)
    if "YA" in numbers.several_starts | numbers.several_ends:
        return False
    acts = (pair for pair in numbers.pairs.get(("L", "YA"), ()) if pair[1] not in numbers.analysing)
    # A locution and what it says as one number.
    said = {locution * many + end[act] for locution, act in acts if end[act] >= 0}
    for of in RELATIONS:
        for act, relation in numbers.pairs.get(("YA", of), ()):
            transition = start[act]
            if transition < 0 or kinds[transition] != "TA":
                continue
            one, other = start[relation], end[relation]
            first, then = start[transition] * many, end[transition] * many
            if one < 0 or other < 0 or first < 0 or then < 0:
                continue
            if not (first + one in said and then + other in said) and not (
                first + other in said and then + one in said
            ):
                return False
    return True


def every_speaker(view: View) -> bool:
    """Whether every locution begins with its speaker (313)."""
    return all(view.numbers.speakers)


def different_texts(view: View) -> bool:
    """Whether no two propositions have the same text (404)."""
    return _unlike(filter(None, map(str.strip, view.numbers.texts_of("I"))))


def said_in_order(view: View) -> bool:
    """Whether what locutions say stands in the source text to the last blank, one after the other (405)."""
    plain, place = view.source_text, 0
    if plain is None:
        return True
    texts = view.numbers.columns.texts
    for number in view.numbers.speech:
        words = without_speaker(texts[number])
        found = plain.find(words, place)
        if found < 0:
            return False
        place = found + len(words)
    return True


def single_blanks(view: View) -> bool:
    """Whether no proposition has white space in it but single blanks (407)."""
    texts = "-".join(map(str.strip, view.numbers.texts_of("I")))
    return "  " not in texts and not any(blank in texts for blank in _BLANKS)


def _unlike(values: Iterable[object]) -> bool:
    """Whether no two of the values are equal."""
    listed = list(values)
    return len(set(listed)) == len(listed)


def _acyclic(links: list[Pair]) -> bool:
    """Whether nothing leads back to where it came from."""
    # An analysis that follows its text leads forward only, or back only.
    if all(start < end for start, end in links) or all(start > end for start, end in links):
        return True
    after: dict[int, list[int]] = {}
    leading: dict[int, int] = {}
    for start, end in links:
        after.setdefault(start, []).append(end)
        leading[end] = leading.get(end, 0) + 1
    # All can be taken away, one that nothing leads to at a time.
    free = [number for number in after if number not in leading]
    while free:
        for end in after.get(free.pop(), ()):
            leading[end] -= 1
            if not leading[end]:
                free.append(end)
    return not any(leading.values())
