"""Section 4: the argument among what was said, every path followed."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from .calculate import Labels, Table, count
from .match import Matching, Side

#: The type of a path that goes on with a relation; a PA stands only in a path of its own.
COMPOSED = {("RA", "RA"): "RA", ("RA", "CA"): "CA", ("CA", "RA"): "CA", ("CA", "CA"): "RA"}
COMPOSED |= {pair: kind for kind in ("RA", "CA", "MA") for pair in (("MA", kind), (kind, "MA"))}

Coverage = list[tuple[int, int]]
Triple = tuple[str, str, str]
"""Premise, type, conclusion."""


class Said:
    """One analysis without its reconstructed propositions."""

    def __init__(self, side: Side, types: tuple[str, ...]) -> None:
        g = side.analysis
        reconstructed = side.reconstructed()
        self.remaining = [n for n in g.of("I") if n not in reconstructed]
        kept = set(self.remaining)
        self.triples: set[Triple] = {
            (p, g.kind[s], c) for s in g.of(*types) for p in g.before(s, "I") for c in g.after(s, "I") if p != c
        }
        self.paths: set[Triple] = set()
        for start in self.remaining:
            waiting = [(kind, c) for p, kind, c in self.triples if p == start]
            seen = set()
            while waiting:
                kind, node = waiting.pop()
                if (kind, node) in seen:
                    continue
                seen.add((kind, node))
                if node in kept:
                    self.paths.add((start, kind, node))
                elif kind != "PA":
                    waiting += [(COMPOSED[kind, more], c) for p, more, c in self.triples if p == node and more != "PA"]
        said = [t for t in self.triples if t[1] != "PA"]
        forwards, backwards = set(kept), set(kept)
        for _ in said:  # one more relation each time
            forwards |= {c for p, _, c in said if p in forwards}
            backwards |= {p for p, _, c in said if c in backwards}
        self.taking_part = {
            (p, kind, c)
            for p, kind, c in self.triples
            if (p in kept and c in kept if kind == "PA" else p in forwards and c in backwards)
        }


NAME = "explicit_relations"


def explicit(sides: tuple[Side, Side], propositions: Matching, types: tuple[str, ...]) -> tuple[Table, Coverage]:
    """The table, marked where it does not apply, with the coverage of each side."""
    said = [Said(side, types) for side in sides]
    both = [tuple(zip(pair, said, strict=True)) for pair in propositions.classes]
    left = [[[n for n in nodes if n in side.remaining] for nodes, side in pair] for pair in both]
    classes = [pair for pair in left if any(pair)]
    universe: list[Any] = list(permutations(range(len(classes)), 2))
    for pair in classes:
        for name, nodes in zip("AB", pair, strict=True):
            universe += [(name, *two) for two in permutations(nodes, 2)]
    labels: list[Labels] = []
    for k, side in enumerate(said):
        home = {n: i for i, c in enumerate(classes) for n in c[k]}
        carried: Labels = {}
        for p, kind, c in side.paths if all(side.fits for side in sides) else ():
            if p != c:
                item = (home[p], home[c]) if home[p] != home[c] else ("AB"[k], p, c)
                carried.setdefault(item, set()).add(kind)
        labels.append(carried)
    table = count(universe, *labels)
    table.applicable = any(labels)
    table.display = {k: k or "none" for cell in table.cells for k in cell}
    return table, [(len(s.taking_part), len(s.triples)) for s in said]
