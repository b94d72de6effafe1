"""Matching by role against its plain definition: all roles of all pairs worked out anew after each match."""

from __future__ import annotations

import random
import time
from fractions import Fraction

import pytest

import aifgraph
from aifgraph.align.analysis import Analysis, analyse
from aifgraph.align.by_role import match_by_role
from aifgraph.align.candidates import Group
from aifgraph.align.context import Contexts
from aifgraph.align.match import Match, Role
from aifgraph.align.matching import finer_rules
from aifgraph.align.similarities import Similarities

Nodes = frozenset[int]


def roles_of(analysis: Analysis, node: int, matched: dict[int, Match]) -> set[Role]:
    roles = set()
    for relation, kind in enumerate(analysis.kinds):
        if kind in ("RA", "CA", "MA"):
            premises = [n for n in analysis.predecessors[relation] if analysis.kinds[n] == "I"]
            conclusions = [n for n in analysis.successors[relation] if analysis.kinds[n] == "I"]
            if premises and conclusions:
                partners = [("to", n) for n in conclusions if node in premises]
                partners += [("from", n) for n in premises if node in conclusions]
                partners += [("with", n) for n in premises if node in premises and n != node]
                roles |= {Role(way, kind, matched[n][:2]) for way, n in partners if n in matched}  # type: ignore[arg-type]
    return roles


def by_definition(
    first: Group, second: Group, matches: list[Match], free: tuple[Nodes, Nodes], contexts: Contexts
) -> list[Match]:
    known = list(matches)
    while True:
        matched = {pair.first: pair for pair in known}
        other_matched = {pair.second: pair for pair in known}
        ours = {n: roles_of(first.analysis, n, matched) for n in free[0] if n not in matched}
        theirs = {n: roles_of(second.analysis, n, other_matched) for n in free[1] if n not in other_matched}
        pairs = []
        for one, roles in ours.items():
            for other, others in theirs.items():
                if common := roles & others:
                    value = Similarities().of(first.texts[one], second.texts[other])
                    share = Fraction(len(common), len(roles | others))
                    fine = finer_rules(first, second, contexts, one, other)
                    match = Match(one, other, value, "role", roles=tuple(sorted(common)))
                    pairs.append(((-share, -len(common), -round(value, 12), fine), match))
        if not pairs:
            return known[len(matches) :]
        known.append(min(pairs, key=lambda pair: pair[0])[1])


def random_side(rng: random.Random, size: int) -> Analysis:
    """Few texts, so that many pairs tie, and relations with many premises."""
    build = aifgraph.GraphBuilder()
    texts = ["aaaa bbbb", "aaab", "cc dd ee", "b"][: rng.randint(1, 4)]
    nodes = [build.proposition(rng.choice(texts)) for _ in range(size)]
    for _ in range(rng.randint(1, 6)):
        ends = rng.sample(nodes, rng.randint(2, min(size, rng.choice((2, 3, 12)))))
        relation = build.node(rng.choice(("RA", "RA", "CA")))
        build.edge(relation, ends[0])
        for premise in ends[1:]:
            build.edge(premise, relation)
    if rng.random() < 0.2:  # a premise of its own conclusion
        build.inference(nodes[:2], nodes[0])
    return analyse(build.graph())


@pytest.mark.parametrize("seed", range(250))
def test_the_pairs_are_those_of_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(3, 14)
    analyses = random_side(rng, size), random_side(rng, size)
    groups = Group(analyses[0], analyses[0].propositions, {}, 0), Group(analyses[1], analyses[1].propositions, {}, 0)
    orders = [rng.sample(group.nodes, size) for group in groups]
    matches = [Match(one, other, 1.0) for one, other in zip(*orders, strict=True)][: rng.randint(1, max(1, size // 3))]
    free = frozenset(rng.sample(groups[0].nodes, size - 1)), frozenset(rng.sample(groups[1].nodes, size - 1))
    expected = by_definition(*groups, matches, free, Contexts(*analyses))
    assert match_by_role(*groups, matches, free, Contexts(*analyses), Similarities()) == expected


def linked(count: int, seed: int) -> Analysis:
    rng = random.Random(seed)
    build = aifgraph.GraphBuilder()
    top = build.proposition("Masks filter the air")
    build.inference([build.proposition("".join(rng.choices("abcdefg ", k=30))) for _ in range(count)], top)
    return analyse(build.graph())


def test_time_does_not_explode_with_the_premises_of_one_relation() -> None:
    """Four times the premises took fifty times as long."""

    def seconds(count: int) -> float:
        analyses = linked(count, 1), linked(count, 2)
        groups = tuple(Group(each, each.propositions, {}, 0) for each in analyses)
        free = frozenset(analyses[0].propositions[1:]), frozenset(analyses[1].propositions[1:])
        start = time.process_time()
        pairs = match_by_role(*groups, [Match(0, 0, 1.0)], free, Contexts(*analyses), Similarities())
        assert len(pairs) == count
        return time.process_time() - start

    assert seconds(320) < 30 * seconds(80)  # it was 50, and a quadratic time is 16
