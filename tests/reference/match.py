"""Sections 2 and 3: similarity, the gate, one-to-one matching, granularity, classes."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .read import Analysis, label_key
from .words import words


def normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def levenshtein(u: str, v: str) -> int:
    """Bit vectors (Myers 1999, Hyyrö 2003): one column of the table in two whole numbers."""
    if not u:
        return len(v)
    full = (1 << len(u)) - 1
    last = 1 << (len(u) - 1)
    masks: dict[str, int] = {}
    for i, c in enumerate(u):
        masks[c] = masks.get(c, 0) | (1 << i)
    plus, minus, score = full, 0, len(u)
    for c in v:
        equal = masks.get(c, 0)
        diagonal = ((((equal & plus) + plus) ^ plus) | equal | minus) & full
        horizontal_plus = (minus | ~(diagonal | plus)) & full
        horizontal_minus = plus & diagonal
        score += bool(horizontal_plus & last) - bool(horizontal_minus & last)
        horizontal_plus = ((horizontal_plus << 1) | 1) & full
        horizontal_minus = (horizontal_minus << 1) & full
        plus = (horizontal_minus | ~(diagonal | horizontal_plus)) & full
        minus = horizontal_plus & diagonal
    return score


def similarity(u: str, v: str) -> float:
    """Of two normalised texts, rounded to 12 decimals."""
    if not u and not v:
        return 1.0
    if not u or not v:
        return 0.0
    return round(1 - levenshtein(u, v) / max(len(u), len(v)), 12)


@dataclass
class Side:
    """An analysis with the position of each proposition and locution on the axis (empty: unknown)."""

    analysis: Analysis
    position: dict[str, set[int]]
    said: dict[str, str] = field(init=False)
    whole: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.said = {n: normal(t) for n, t in self.analysis.said.items()}
        self.whole = {n: normal(t) for n, t in self.analysis.text.items()}

    def first_word(self, node: str, length: int) -> int:
        return min(self.position[node], default=length)


@dataclass
class Matching:
    classes: list[tuple[list[str], list[str]]]
    similarity: list[float | None]


class Matcher:
    def __init__(self, first: Side, second: Side, length: int, options: dict[str, Any]) -> None:
        self.a, self.b, self.length, self.options = first, second, length, options
        self.numbers: dict[Hashable, int] = {}
        """One number for each distinct Weisfeiler-Lehman label, of either side."""
        self.neighbours = [self._labels(s.analysis, s.whole) for s in (first, second)]

    def _number(self, label: Hashable) -> int:
        return self.numbers.setdefault(label, len(self.numbers))

    def _labels(self, g: Analysis, whole: dict[str, str]) -> dict[str, list[tuple[Counter[int], Counter[int]]]]:
        """Of each node, for rounds 2, 1, 0, its predecessors' labels and its successors'."""
        before = {n: g.before(n) for n in g.kind}
        after = {n: g.after(n) for n in g.kind}
        rounds = [{n: self._number((k, label_key(g.label[n]) if k == "YA" else whole[n])) for n, k in g.kind.items()}]
        for _ in range(2):
            old = rounds[-1]
            rounds.append(
                {
                    n: self._number(
                        (old[n], tuple(sorted(old[m] for m in before[n])), tuple(sorted(old[m] for m in after[n])))
                    )
                    for n in g.kind
                }
            )
        return {
            n: [(Counter(r[m] for m in before[n]), Counter(r[m] for m in after[n])) for r in reversed(rounds)]
            for n in g.of("I", "L")
        }

    def context(self, u: str, v: str) -> tuple[int, ...]:
        of_u, of_v = self.neighbours[0][u], self.neighbours[1][v]
        return tuple(sum((p & q).total() for p, q in zip(x, y, strict=True)) for x, y in zip(of_u, of_v, strict=True))

    def admissible(self, u: str, v: str) -> float | None:
        """The similarity, if the pair may be matched."""
        p, q = self.a.position[u], self.b.position[v]
        if self.options["gate"] and p and q:
            if len(p & q) < self.options["min_overlap"] * min(len(p), len(q)):
                return None
            value = similarity(self.a.said[u], self.b.said[v])
            return value if value > 0 else None
        lengths = sorted((len(self.a.said[u]), len(self.b.said[v])))
        if lengths[1] and lengths[0] / lengths[1] < self.options["min_similarity"] - 1e-9:
            return None  # each missing character costs an edit, so it cannot be reached
        value = similarity(self.a.said[u], self.b.said[v])
        return value if value >= self.options["min_similarity"] else None

    def match(self, kind: str) -> Matching:
        of_a, of_b = self.a.analysis.of(kind), self.b.analysis.of(kind)
        candidates = []
        for i, u in enumerate(of_a):
            for j, v in enumerate(of_b):
                value = self.admissible(u, v)
                if value is None:
                    continue
                p, q = self.a.position[u], self.b.position[v]
                jaccard = Fraction(len(p & q), len(p | q)) if p and q else Fraction(0)
                texts = sorted((self.a.whole[u], self.b.whole[v]))
                rank = (
                    -value,
                    -jaccard,
                    texts[0] != texts[1],
                    tuple(-k for k in self.context(u, v)),
                    self.a.first_word(u, self.length) + self.b.first_word(v, self.length),
                    texts[0],
                    texts[1],
                    i,
                    j,
                )
                candidates.append((rank, u, v))
        partner: dict[str, tuple[str, float]] = {}
        taken: set[str] = set()
        for rank, u, v in sorted(candidates):
            if u not in partner and v not in taken:
                partner[u] = (v, -rank[0])
                taken.add(v)
        home_a = {u: k for k, u in enumerate(partner)}
        home_b = {v: home_a[u] for u, (v, _) in partner.items()}
        classes: list[tuple[list[str], list[str]]] = [([u], [v]) for u, (v, _) in partner.items()]
        values: list[float | None] = [value for _, value in partner.values()]
        joins: list[tuple[int, int, str]] = []
        lost: list[tuple[int, str]] = []
        for side, nodes, home, other_home in ((0, of_a, home_a, home_b), (1, of_b, home_b, home_a)):
            for u in nodes:
                if u in home:
                    continue
                host = self._host(side, u, [v for v in (of_b, of_a)[side] if v in other_home])
                if host is None or self.options["granularity"] == "strict":
                    lost.append((side, u))
                else:
                    joins.append((other_home[host], side, u))
        for k, side, u in joins:
            classes[k][side].append(u)
        for side, u in lost:
            classes.append(([u], []) if side == 0 else ([], [u]))
            values.append(None)
        return Matching(classes, values)

    def _host(self, side: int, u: str, matched: list[str]) -> str | None:
        mine, theirs = (self.a, self.b) if side == 0 else (self.b, self.a)
        best: tuple[Any, str] | None = None
        for order, v in enumerate(matched):
            p, q = mine.position[u], theirs.position[v]
            if p and q:
                share = Fraction(len(p & q), len(p))
            else:
                share = Fraction(int(_contains(words(theirs.analysis.said[v]), words(mine.analysis.said[u]))))
            if share < Fraction(1, 2):
                continue
            rank = (
                -share,
                -similarity(mine.said[u], theirs.said[v]),
                theirs.first_word(v, self.length),
                theirs.whole[v],
                order,
            )
            if best is None or rank < best[0]:
                best = (rank, v)
        return best[1] if best else None


def _contains(long: list[str], short: list[str]) -> bool:
    return bool(short) and any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))
