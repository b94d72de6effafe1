"""The order in which a dialogue is drawn: the elements of a merged map by when they are said.

Where a source text is used, a unit stands where its words stand. Else what answers comes after what it answers (the
transitions), and what they leave open stays in the order of the file. What only the second analysis has follows what
comes before it there.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.align.positions import Position
from aifgraph.report.html.merged_map import MergedMap


def timeline(alignment: Alignment, merged: MergedMap) -> list[int]:
    """For every element its place in the order, from 0; schemes stand with the first of what they join.

    >>> import aifgraph
    >>> from aifgraph.report.html.merged_map import merged_map
    >>> build = aifgraph.GraphBuilder()
    >>> answer, question = build.locution("Ben: yes"), build.locution("Ann: really?")
    >>> _ = build.transition(question, answer)
    >>> differences = aifgraph.compare(build.graph(), build.graph()).differences()
    >>> merged = merged_map(differences)
    >>> order = timeline(differences.alignment, merged)
    >>> [each.first.text for each in sorted(merged.elements, key=lambda each: order[each.number])]
    ['Ann: really?', 'Default Transition', 'Ben: yes']
    """
    sides = (
        _ordered(alignment.first, alignment.first_positions),
        _ordered(alignment.second, alignment.second_positions),
    )
    first, second = (
        [merged.of[side, node] for node in order if (side, node) in merged.of] for side, order in enumerate(sides)
    )
    contents = _merged(first, second)
    place = {element: 2 * number for number, element in enumerate(contents)}
    near: dict[int, int] = {}
    # Twice: an illocution can be anchored in a transition.
    for _ in range(2):
        for line in merged.lines:
            for one, other in ((line.source, line.target), (line.target, line.source)):
                known = place.get(other, near.get(other))
                if one not in place and known is not None:
                    near[one] = min(near.get(one, known | 1), known | 1)
    last = 2 * len(contents)
    return [place.get(each.number, near.get(each.number, last)) for each in merged.elements]


def _ordered(analysis: Analysis, positions: Mapping[int, Position]) -> list[int]:
    """Propositions and locutions of one side; a proposition directly after the first locution that says it."""
    kinds, successors, predecessors = analysis.kinds, analysis.successors, analysis.predecessors
    said = {node: number for number, node in enumerate(_locutions(analysis, positions))}
    keys: list[tuple[float, int, int, int]] = []
    for node in (*analysis.locutions, *analysis.propositions):
        anchors = [each for act in predecessors[node] if kinds[act] == "YA" for each in predecessors[act]]
        sayings = [said[each] for each in anchors if each in said]
        sayings += [said[end] for each in anchors if kinds[each] == "TA" for end in successors[each] if end in said]
        when = said.get(node, min(sayings, default=len(said)))
        start = float(positions[node][0][0]) if node in positions else float("inf")
        # Locutions decide; a map without any is in the order of its text.
        keys.append((when, 0 if node in said else 1, int(start) if start < float("inf") else len(kinds) << 20, node))
    return [node for *_, node in sorted(keys)]


def _locutions(analysis: Analysis, positions: Mapping[int, Position]) -> list[int]:
    """Locutions in the order of the text, else of the transitions, else of the file."""
    locutions = set(analysis.locutions)
    start = {node: positions[node][0][0] for node in locutions if node in positions}
    if 2 * len(start) >= len(locutions):
        # What has no place follows what stands before it in the file.
        order: list[tuple[int, int]] = []
        last = -1
        for node in sorted(locutions):
            last = start.get(node, last)
            order.append((last, node))
        return [node for _, node in sorted(order)]
    later: dict[int, set[int]] = {node: set() for node in locutions}
    waiting = dict.fromkeys(locutions, 0)
    for node in locutions:
        for act in analysis.successors[node]:
            if analysis.kinds[act] == "TA":
                later[node] |= {end for end in analysis.successors[act] if end in locutions and end != node}
    for ends in later.values():
        for end in ends:
            waiting[end] += 1
    found: list[int] = []
    left = sorted(locutions)
    ready = [node for node in left if not waiting[node]]
    seen: set[int] = set()
    while len(found) < len(left):
        if not ready:  # transitions in a circle: the first of the file breaks it
            heapq.heappush(ready, next(node for node in left if node not in seen))
        node = heapq.heappop(ready)
        if node in seen:
            continue
        seen.add(node)
        found.append(node)
        for end in later[node]:
            waiting[end] -= 1
            if not waiting[end] and end not in seen:
                heapq.heappush(ready, end)
    return found


def _merged(first: list[int], second: list[int]) -> list[int]:
    """The first order, with what only the second has after what stands before it there."""
    own = set(first)
    after: dict[int, list[int]] = {}
    last = -1
    for element in dict.fromkeys(second):
        if element in own:
            last = element
        else:
            after.setdefault(last, []).append(element)
    found = list(after.get(-1, ()))
    for element in dict.fromkeys(first):
        found += [element, *after.get(element, ())]
    return found
