"""Sections 2 and 3: similarity, the gate, one-to-one matching, by meaning, granularity, classes."""

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from .read import Analysis, label_key, words


@cache
def normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def levenshtein(u: str, v: str) -> int:
    """The table of edits, a row at a time: substitutions and deletions, then insertions from left to right."""
    letters, steps = np.array([ord(c) for c in v]), np.arange(len(v) + 1)
    row = steps
    for i, c in enumerate(u, start=1):
        row = np.concatenate(([i], np.minimum(row[:-1] + (letters != ord(c)), row[1:] + 1)))
        row = np.minimum.accumulate(row - steps) + steps
    return int(row[-1])


@cache
def similarity(u: str, v: str) -> float:
    """Of two normalised texts, rounded to 12 decimals."""
    if not u and not v:
        return 1.0
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

    def dealt(self, orders: Sequence[Sequence[str]], permutations: Sequence[Sequence[int]]) -> "Side":
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


def numbered_labels(sides: Sequence[Side]) -> list[dict[tuple[int, str], int]]:
    """Weisfeiler-Lehman: for rounds 0, 1 and 2, by side and node, the number of its label in sorted order."""
    labels: dict[tuple[int, str], Any] = {}
    for k, side in enumerate(sides):
        for n, kind in side.analysis.kind.items():
            text = side.content[n].whole if n in side.content else normal(side.analysis.text[n])
            labels[k, n] = kind, label_key(side.analysis.label[n]) if kind == "YA" else text
    rounds = []
    for _ in range(3):
        rank = {label: number for number, label in enumerate(sorted(set(labels.values())))}
        numbers = {node: rank[label] for node, label in labels.items()}
        rounds.append(numbers)
        for k, n in numbers:
            ends = sides[k].analysis.neighbours[n]
            labels[k, n] = numbers[k, n], *(tuple(sorted(numbers[k, m] for m in of)) for of in ends)
    return rounds


class Matcher:
    def __init__(self, sides: Sequence[Side], length: int, options: dict[str, Any], meaning: Meaning | None) -> None:
        self.sides, self.length, self.options, self.meaning = sides, length, options, meaning
        self.rounds = numbered_labels(sides)
        self.file_order = [list(side.analysis.kind) for side in sides]

    def context(self, u: str, v: str) -> tuple[int, ...]:
        """k₂, k₁, k₀: how many labels the neighbours of both have in common."""
        shared = []
        for numbers in reversed(self.rounds):
            near = [
                [Counter(numbers[k, m] for m in of) for of in self.sides[k].analysis.neighbours[n]]
                for k, n in enumerate((u, v))
            ]
            shared.append(sum((p & q).total() for p, q in zip(*near, strict=True)))
        return tuple(shared)

    def rank(self, match: Match) -> tuple[Any, ...]:
        """What decides between pairs: the smallest goes first. File order comes last."""
        u, v = match.first, match.second
        x, y = self.sides[0].content[u], self.sides[1].content[v]
        both = len(x.position & y.position)
        jaccard = Fraction(both, len(x.position | y.position)) if both else Fraction(0)
        return (
            -(match.meaning or 0),
            -match.similarity,
            -jaccard,
            x.whole != y.whole,
            tuple(-k for k in self.context(u, v)),
            self.sides[0].first_word(u, self.length) + self.sides[1].first_word(v, self.length),
            *sorted((x.whole, y.whole)),
            *sorted((self.rounds[2][0, u], self.rounds[2][1, v])),
            self.file_order[0].index(u),
            self.file_order[1].index(v),
        )

    def by_text(self, u: str, v: str) -> Match | None:
        """The pair, if it may be matched."""
        x, y = self.sides[0].content[u], self.sides[1].content[v]
        p, q = x.position, y.position
        if self.options["gate"] and p and q:
            overlap = len(p & q) >= self.options["min_overlap"] * min(len(p), len(q))
            admissible = overlap and similarity(x.plain, y.plain) > 0
        else:
            short, long = sorted((len(x.plain), len(y.plain)))
            # Each missing character costs an edit: of texts too unlike in length the table need not be filled.
            possible = short >= (self.options["min_similarity"] - 1e-9) * long
            admissible = possible and similarity(x.plain, y.plain) >= self.options["min_similarity"]
        return Match(u, v, similarity(x.plain, y.plain), "text") if admissible else None

    def by_meaning(self, u: str, v: str) -> Match | None:
        x, y = self.sides[0].content[u], self.sides[1].content[v]
        if (x.position and y.position) or not words(x.said) or not words(y.said):
            return None
        cosine = self.meaning(x.said, y.said)
        if cosine < self.options["min_meaning"]:
            return None
        return Match(u, v, similarity(x.plain, y.plain), "meaning", cosine)

    def match(self, kind: str) -> Matching:
        nodes = [side.analysis.of(kind) for side in self.sides]
        matches = self._greedy(self.by_text(u, v) for u, v in product(*nodes))
        if kind == "I" and self.meaning is not None:
            taken = {m.first for m in matches}, {m.second for m in matches}
            left = [(u, v) for u, v in product(*nodes) if u not in taken[0] and v not in taken[1]]
            matches += self._greedy(self.by_meaning(u, v) for u, v in left)
        return self._classes(nodes, matches)

    def _greedy(self, candidates: Iterable[Match | None]) -> list[Match]:
        """The best first, both struck out."""
        out: list[Match] = []
        for match in sorted(filter(None, candidates), key=self.rank):
            if all(match.first != m.first and match.second != m.second for m in out):
                out.append(match)
        return out

    def _classes(self, nodes: list[list[str]], matches: list[Match]) -> Matching:
        matched = [m.first for m in matches], [m.second for m in matches]
        classes: list[tuple[list[str], list[str]]] = [([m.first], [m.second]) for m in matches]
        alone: list[tuple[list[str], list[str]]] = []
        for side in (0, 1):
            hosts = [v for v in nodes[1 - side] if v in matched[1 - side]]
            for u in nodes[side]:
                if u in matched[side]:
                    continue
                host = None if self.options["granularity"] == "strict" else self._host(side, u, hosts)
                if host is None:
                    alone.append(([], [u]) if side else ([u], []))
                else:
                    classes[matched[1 - side].index(host)][side].append(u)
        return Matching([*classes, *alone], [*matches, *[None for _ in alone]])

    def _host(self, side: int, u: str, hosts: list[str]) -> str | None:
        """The matched node whose class a node joins."""
        x, theirs = self.sides[side].content[u], self.sides[1 - side]
        candidates = []
        for order, v in enumerate(hosts):
            y = theirs.content[v]
            if x.position and y.position:
                share = Fraction(len(x.position & y.position), len(x.position))
            else:
                share = Fraction(int(_contains(words(y.said), words(x.said))))
            if share >= Fraction(1, 2):
                alike = similarity(x.plain, y.plain)
                first = theirs.first_word(v, self.length)
                candidates.append((-share, -alike, first, y.whole, self.rounds[2][1 - side, v], order, v))
        return min(candidates)[-1] if candidates and not x.loose else None


def _contains(long: list[str], short: list[str]) -> bool:
    return bool(short) and any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))
