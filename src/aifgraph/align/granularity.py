"""Finer segmentation with the same content is full agreement (docs/measures.md, section 3, step 2).

A node that found no partner joins the class of the matched node of the other side that covers most of its words, if
that is at least half of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Literal

from aifgraph.align.context import Contexts
from aifgraph.align.matching import Group
from aifgraph.align.positions import bounded, overlapping, size
from aifgraph.text.similarity import similarity
from aifgraph.text.words import words_of

_MIN_SHARE = 0.5


def join(
    side: Literal[0, 1],
    group: Group,
    leftovers: Iterable[int],
    others: Group,
    matched: Iterable[int],
    contexts: Contexts,
) -> dict[int, tuple[int, float]]:
    """Return for leftovers of ``group`` the matched node of ``others`` whose class they join, and the share it covers.

    Where a position is unknown, the other's said words have to hold the leftover's as one run, which counts as all of
    them. What is loosely placed joins nothing. Ties: the greater similarity, then what starts earlier, then the smaller
    whole text, then the smaller surroundings, then file order. ``side`` is that of ``group``.
    """
    unmatched, hosts = [node for node in leftovers if node not in group.loose], list(matched)
    if not unmatched or not hosts:
        return {}
    shares: dict[int, dict[int, float]] = {}
    places = {node: group.positions[node] for node in unmatched if node in group.positions}
    host_places = {node: others.positions[node] for node in hosts if node in others.positions}
    for node, host, common in overlapping(places, host_places):
        share = common / size(places[node])
        if share >= _MIN_SHARE:
            shares.setdefault(node, {})[host] = share
    unplaced = [node for node in unmatched if node not in places]
    unplaced_hosts = [host for host in hosts if host not in host_places]
    for nodes, possible_hosts in ((unplaced, hosts), (list(places), unplaced_hosts)):
        for node, host in bounded(_contained(group, nodes, others, possible_hosts)):
            shares.setdefault(node, {})[host] = 1.0

    def best(node: int, shares: Mapping[int, float]) -> tuple[int, float]:
        top = max(shares.values())
        equal = [host for host, share in shares.items() if share == top]
        if len(equal) > 1:
            text, texts = group.texts[node], others.texts
            equal.sort(
                key=lambda host: (
                    -round(similarity(text, texts[host]), 12),
                    others.first_word(host),
                    others.analysis.whole(host),
                    contexts.surroundings(1 - side, host),
                    contexts.node_with_text(1 - side, host),
                )
            )
        return equal[0], top

    return {node: best(node, hosts) for node, hosts in shares.items()}


def _contained(group: Group, nodes: list[int], others: Group, hosts: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs in which the said words of the host hold those of the node as one run."""
    if not nodes or not hosts:
        return
    said, other_said = group.analysis.said, others.analysis.said
    words = {host: words_of(other_said[host]) for host in hosts}
    counts = Counter(chain.from_iterable(words.values()))
    # Only hosts that have the rarest word of a node are looked at.
    by_rarest: dict[str, list[tuple[int, str]]] = {}
    for node in nodes:
        run = words_of(said[node])
        if run:
            by_rarest.setdefault(min(run, key=counts.__getitem__), []).append((node, _line(run)))
    for host, its_words in words.items():
        if rare := by_rarest.keys() & its_words:
            line = _line(its_words)
            for word in rare:
                for node, run_line in by_rarest[word]:
                    if run_line in line:
                        yield node, host


def _line(words: list[str]) -> str:
    """Return words as one string, each between line breaks, which no word has in it (some have spaces)."""
    return "\n" + "\n".join(words) + "\n"
