"""Section 1: where the units are in the source, and the axis that both analyses share."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import SequenceMatcher

from .read import Analysis
from .words import Source, words

Run = tuple[int, int]
"""First word and one behind the last."""


@dataclass
class Placed:
    words: list[str]
    runs: dict[str, list[Run]] = field(default_factory=dict)
    """The runs of each unit that has a place."""
    loose: set[str] = field(default_factory=set)
    """The units of which too little was found to join another."""

    def position(self, unit: str) -> set[int]:
        return {w for s, e in self.runs.get(unit, []) for w in range(s, e)}


def as_runs(places: set[int]) -> list[Run]:
    runs: list[Run] = []
    for p in sorted(places):
        if runs and runs[-1][1] == p:
            runs[-1] = (runs[-1][0], p + 1)
        else:
            runs.append((p, p + 1))
    return runs


def place(analysis: Analysis, source: Source, own: bool) -> Placed:
    """``own``: the text is this analysis's own, so that its ids mark nodes."""
    out = Placed(source.words)
    units = analysis.units()
    taken: set[int] = set()
    # 1. marked by id
    for u in units:
        marked = {w for name, inside in source.spans if own and name == u for w in inside}
        if marked:
            out.runs[u] = as_runs(marked)
            taken |= marked
    # 2. marked by words, then found
    foreign = {inside for name, inside in source.spans if not (own and name in analysis.kind)}
    bundles: dict[tuple[str, ...], list[str]] = {}
    for u in units:
        if u not in out.runs and words(analysis.said[u]):
            bundles.setdefault(tuple(words(analysis.said[u])), []).append(u)
    for said in sorted(bundles, key=lambda b: (-len(b), b)):
        size = len(said)
        hits = [i for i in range(len(source.words) - size + 1) if tuple(source.words[i : i + size]) == said]
        before = set(taken)
        runs: list[Run] = []

        def take(wanted: list[int], runs: list[Run] = runs, size: int = size, said: tuple[str, ...] = said) -> None:
            for i in wanted:
                if len(runs) < len(bundles[said]) and all(i + size <= s or e <= i for s, e in runs):
                    runs.append((i, i + size))

        take([i for i in hits if frozenset(range(i, i + size)) in foreign])
        take([i for i in hits if not before & set(range(i, i + size))])
        take(hits)
        for u in bundles[said]:
            if runs:
                out.runs[u] = sorted(runs)
        taken |= {w for s, e in runs for w in range(s, e)}
    # 3. nearly found
    for u in units:
        if u not in out.runs:
            hit = nearly(words(analysis.said[u]), source.words)
            if hit:
                out.runs[u] = [hit[:2]]
                if 4 * hit[2] < 3 * len(words(analysis.said[u])):
                    out.loose.add(u)
    return out


def nearly(said: list[str], source: list[str]) -> tuple[int, int, int] | None:
    """Smith-Waterman: the run and its score. Of each cell: the best score, the latest start of an alignment with it."""
    if len(said) < 4:
        return None
    best: tuple[int, int, int] | None = None  # score, minus end, start: the greatest is the best
    above: list[tuple[int, int]] = [(0, -1)] * (len(source) + 1)
    for word in said:
        row: list[tuple[int, int]] = [(0, -1)]
        for j, other in enumerate(source, start=1):
            score, start = above[j - 1]
            diagonal = (score + 1, start if score else j - 1) if word == other else (score - 1, start)
            up = (above[j][0] - 1, above[j][1])
            left = (row[j - 1][0] - 1, row[j - 1][1])
            cell = max(diagonal, up, left)
            cell = cell if cell[0] > 0 else (0, -1)
            row.append(cell)
            if cell[0] and word == other and cell == diagonal:
                best = max(best or (0, 0, 0), (cell[0], -j, cell[1]))
        above = row
    if best is None or best[0] < 3 or 2 * best[0] < len(said):
        return None
    return best[2], -best[1], best[0]


@dataclass
class Axis:
    length: int
    first: list[int]
    """Place of each word of the first text."""
    second: list[int]
    overlap: float | None


def axis(first: list[str], second: list[str]) -> Axis:
    if first == second:
        same = list(range(len(first)))
        return Axis(len(first), same, list(same), 1.0)
    if second < first:
        turned = axis(second, first)
        return Axis(turned.length, turned.second, turned.first, turned.overlap)
    a: list[int] = []
    b: list[int] = []
    length = shared = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag == "equal":
            a += range(length, length + i2 - i1)
            b += range(length, length + i2 - i1)
            shared += i2 - i1
            length += i2 - i1
        else:
            a += range(length, length + i2 - i1)
            length += i2 - i1
            b += range(length, length + j2 - j1)
            length += j2 - j1
    return Axis(length, a, b, shared / length if length else None)
