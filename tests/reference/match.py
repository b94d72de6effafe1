"""Sections 2 and 3: similarity, the gate, one-to-one matching, by meaning, granularity, classes."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from .read import Analysis, label_key, words


@cache
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


@cache
def similarity(u: str, v: str) -> float:
    """Of two normalised texts, rounded to 12 decimals."""
    if not u and not v:
        return 1.0
    if not u or not v:
        return 0.0
    return round(1 - levenshtein(u, v) / max(len(u), len(v)), 12)


class Meaning:
    """The cosine of two texts' embeddings, rounded to 6 decimals."""

    def __init__(self, encode: Callable[[list[str]], Any], texts: Iterable[str]) -> None:
        wanted = sorted(set(texts))
        rows = encode(wanted) if wanted else []
        assert len(rows) == len(wanted)
        self.vector = {text: [float(x) for x in row] for text, row in zip(wanted, rows, strict=True)}

    def __call__(self, u: str, v: str) -> float:
        x, y = self.vector[u], self.vector[v]
        dot = math.fsum(p * q for p, q in zip(x, y, strict=True))
        return round(dot / (math.hypot(*x) * math.hypot(*y)), 6)


@dataclass(frozen=True)
class Content:
    """What a node says and where: what a round of chance deals out."""

    said: str
    whole: str
    """Normalised."""
    position: frozenset[int]
    """On the axis; empty if unknown."""
    loose: bool

    @property
    def plain(self) -> str:
        return normal(self.said)


@dataclass
class Side:
    """An analysis with the content of each proposition and locution."""

    analysis: Analysis
    content: dict[str, Content]
    fits: bool
    """Whether positions are used."""

    def first_word(self, node: str, length: int) -> int:
        return min(self.content[node].position, default=length)

    def reconstructed(self) -> set[str]:
        units = set(self.analysis.units())
        return {n for n in self.analysis.of("I") if self.fits and n in units and not self.content[n].position}

    def dealt(self, orders: Sequence[Sequence[str]], permutations: Sequence[Sequence[int]]) -> Side:
        """The i-th node of an order takes what the node of number P[i] had."""
        content = dict(self.content)
        for order, numbers in zip(orders, permutations, strict=True):
            for node, number in zip(order, numbers, strict=True):
                content[node] = self.content[order[number]]
        return Side(self.analysis, content, self.fits)


@dataclass(frozen=True)
class Match:
    first: str
    second: str
    similarity: float
    by: str
    """text or meaning."""
    meaning: float | None = None


@dataclass
class Matching:
    classes: list[tuple[list[str], list[str]]]
    matches: list[Match | None]
    """The pair that each class was made of."""


Rounds = list[dict[str, int]]


def numbered_labels(sides: tuple[Side, Side]) -> tuple[Rounds, Rounds]:
    """Weisfeiler-Lehman: of each side, for rounds 0, 1 and 2, the number of each node's label in sorted order."""

    def start(side: Side, n: str) -> tuple[str, str]:
        g = side.analysis
        kind = g.kind[n]
        if kind == "YA":
            return kind, label_key(g.label[n])
        return kind, side.content[n].whole if n in side.content else normal(g.text[n])

    def number(labels: tuple[dict[str, Any], dict[str, Any]]) -> tuple[dict[str, int], dict[str, int]]:
        rank = {label: k for k, label in enumerate(sorted({x for of in labels for x in of.values()}))}
        return ({n: rank[x] for n, x in labels[0].items()}, {n: rank[x] for n, x in labels[1].items()})

    def wider(side: Side, old: dict[str, int]) -> dict[str, Any]:
        g = side.analysis
        return {
            n: (old[n], tuple(sorted(old[m] for m in g.before(n))), tuple(sorted(old[m] for m in g.after(n))))
            for n in g.kind
        }

    a, b = sides
    rounds = [number(({n: start(a, n) for n in a.analysis.kind}, {n: start(b, n) for n in b.analysis.kind}))]
    for _ in range(2):
        rounds.append(number((wider(a, rounds[-1][0]), wider(b, rounds[-1][1]))))
    return [r[0] for r in rounds], [r[1] for r in rounds]


class Matcher:
    def __init__(
        self, first: Side, second: Side, length: int, options: dict[str, Any], meaning: Meaning | None = None
    ) -> None:
        self.a, self.b, self.length, self.options, self.meaning = first, second, length, options, meaning
        self.rounds = numbered_labels((first, second))
        self.file_order = [{n: k for k, n in enumerate(s.analysis.kind)} for s in (first, second)]
        self.neighbours = [
            {
                n: [
                    (Counter(r[m] for m in s.analysis.before(n)), Counter(r[m] for m in s.analysis.after(n)))
                    for r in reversed(rounds)
                ]
                for n in s.content
            }
            for s, rounds in zip((first, second), self.rounds, strict=True)
        ]

    def surroundings(self, side: int, node: str) -> int:
        return self.rounds[side][2][node]

    def context(self, u: str, v: str) -> tuple[int, ...]:
        """k₂, k₁, k₀."""
        of_u, of_v = self.neighbours[0][u], self.neighbours[1][v]
        return tuple(sum((p & q).total() for p, q in zip(x, y, strict=True)) for x, y in zip(of_u, of_v, strict=True))

    def similarity(self, u: str, v: str) -> float:
        return similarity(self.a.content[u].plain, self.b.content[v].plain)

    def ties(self, u: str, v: str) -> tuple[Any, ...]:
        """What decides between pairs that are equally good: the smallest goes first. File order is added last."""
        p, q = self.a.content[u].position, self.b.content[v].position
        jaccard = Fraction(len(p & q), len(p | q)) if p and q else Fraction(0)
        texts = sorted((self.a.content[u].whole, self.b.content[v].whole))
        return (
            -jaccard,
            texts[0] != texts[1],
            tuple(-k for k in self.context(u, v)),
            self.a.first_word(u, self.length) + self.b.first_word(v, self.length),
            *texts,
            *sorted((self.surroundings(0, u), self.surroundings(1, v))),
            self.file_order[0][u],
            self.file_order[1][v],
        )

    def admissible(self, u: str, v: str) -> float | None:
        """The similarity, if the pair may be matched."""
        x, y = self.a.content[u], self.b.content[v]
        p, q = x.position, y.position
        if self.options["gate"] and p and q:
            if len(p & q) < self.options["min_overlap"] * min(len(p), len(q)):
                return None
            value = similarity(x.plain, y.plain)
            return value if value > 0 else None
        lengths = sorted((len(x.plain), len(y.plain)))
        if lengths[1] and lengths[0] / lengths[1] < self.options["min_similarity"] - 1e-9:
            return None  # each missing character costs an edit, so it cannot be reached
        value = similarity(x.plain, y.plain)
        return value if value >= self.options["min_similarity"] else None

    def match(self, kind: str) -> Matching:
        of_a, of_b = self.a.analysis.of(kind), self.b.analysis.of(kind)
        matches = self._by_text(of_a, of_b)
        if kind == "I" and self.meaning is not None:
            matches += self._by_meaning(*_left(of_a, of_b, matches))
        return self._classes(of_a, of_b, matches)

    def _by_text(self, of_a: list[str], of_b: list[str]) -> list[Match]:
        candidates = []
        for u in of_a:
            for v in of_b:
                value = self.admissible(u, v)
                if value is not None:
                    candidates.append(((-value, *self.ties(u, v)), Match(u, v, value, "text")))
        return _greedy(candidates)

    def _by_meaning(self, of_a: list[str], of_b: list[str]) -> list[Match]:
        candidates = []
        for u in of_a:
            for v in of_b:
                x, y = self.a.content[u], self.b.content[v]
                if (x.position and y.position) or not words(x.said) or not words(y.said):
                    continue
                cosine = self.meaning(x.said, y.said)
                if cosine >= self.options["min_meaning"]:
                    value = self.similarity(u, v)
                    candidates.append(((-cosine, -value, *self.ties(u, v)), Match(u, v, value, "meaning", cosine)))
        return _greedy(candidates)

    def _classes(self, of_a: list[str], of_b: list[str], matches: list[Match]) -> Matching:
        home_a = {m.first: k for k, m in enumerate(matches)}
        home_b = {m.second: k for k, m in enumerate(matches)}
        classes: list[tuple[list[str], list[str]]] = [([m.first], [m.second]) for m in matches]
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
        return Matching(classes, [*matches, *[None for _ in lost]])

    def _host(self, side: int, u: str, matched: list[str]) -> str | None:
        mine, theirs = (self.a, self.b) if side == 0 else (self.b, self.a)
        x = mine.content[u]
        if x.loose:
            return None
        candidates = []
        for order, v in enumerate(matched):
            y = theirs.content[v]
            if x.position and y.position:
                share = Fraction(len(x.position & y.position), len(x.position))
            else:
                share = Fraction(int(_contains(words(y.said), words(x.said))))
            if share >= Fraction(1, 2):
                rank = (
                    -share,
                    -similarity(x.plain, y.plain),
                    theirs.first_word(v, self.length),
                    y.whole,
                    self.surroundings(1 - side, v),
                    order,
                )
                candidates.append((rank, v))
        return min(candidates)[1] if candidates else None


def _greedy(candidates: list[tuple[Any, Match]]) -> list[Match]:
    """The best first, both struck out."""
    out: list[Match] = []
    for _, match in sorted(candidates, key=lambda candidate: candidate[0]):
        if all(match.first != m.first and match.second != m.second for m in out):
            out.append(match)
    return out


def _left(of_a: list[str], of_b: list[str], matches: list[Match]) -> tuple[list[str], list[str]]:
    taken = {m.first for m in matches}, {m.second for m in matches}
    return [u for u in of_a if u not in taken[0]], [v for v in of_b if v not in taken[1]]


def _contains(long: list[str], short: list[str]) -> bool:
    return bool(short) and any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))
