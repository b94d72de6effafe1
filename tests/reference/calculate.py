"""Sections 4 to 7: the calculations, each universe visited item by item; scores, segmentation, fusion."""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from typing import Any

from .match import Matching, Side
from .read import Analysis, Placed, Run, label_key, words

NONE = ""
"""The marker for no label; written ``none``. No label has an empty key, see ``_key``."""
Label = str
Link = tuple[str, Hashable, Hashable]
"""("between", class, class), or ("inner A" or "inner B", node, node)."""
Relation = tuple[Link, str]
Labels = dict[Hashable, set[Label]]


@dataclass
class Table:
    cells: Counter[tuple[Label, Label]] = field(default_factory=Counter)
    items: int = 0
    display: dict[Label, str] = field(default_factory=dict)
    applicable: bool = True
    beyond: int = 0
    """Labels of the second where the reference has none."""


def _key(label: str) -> str:
    return label_key(label) or "?" + label


def count(
    universe: Iterable[Hashable], a: Labels, b: Labels, counts_bare: Callable[[Any], bool] = lambda item: True
) -> Table:
    """``counts_bare``: whether an item without a label counts."""
    table = Table()
    bare = 0
    seen: set[Hashable] = set()
    for item in universe:
        assert item not in seen, item
        seen.add(item)
        of_a, of_b = a.get(item, set()), b.get(item, set())
        for label in of_a & of_b:
            table.cells[label, label] += 1
        left, right = sorted(of_a - of_b), sorted(of_b - of_a)
        for k in range(max(len(left), len(right))):
            table.cells[left[k] if k < len(left) else NONE, right[k] if k < len(right) else NONE] += 1
        if not of_a and not of_b and counts_bare(item):
            bare += 1
    if bare:
        table.cells[NONE, NONE] += bare
    assert seen >= {*a, *b}, ("outside the universe", {*a, *b} - seen)
    table.items = bare + len({*a, *b})
    return table


def labelled(pairs: Iterable[tuple[Hashable, Label]]) -> Labels:
    out: Labels = {}
    for item, label in pairs:
        out.setdefault(item, set()).add(label)
    return out


class View:
    """One analysis seen through the classes."""

    def __init__(
        self, g: Analysis, side: int, propositions: Matching, locutions: Matching, types: tuple[str, ...]
    ) -> None:
        self.g, self.name, self.types = g, "AB"[side], types
        self.home: dict[str, Hashable] = {}
        for tag, matching in (("P", propositions), ("L", locutions)):
            for k, pair in enumerate(matching.classes):
                for n in pair[side]:
                    self.home[n] = (tag, k)
        self.node_relations = {s: set(self._links(s, "I")) for s in g.of(*types)}
        self.node_transitions = {t: set(self._links(t, "L")) for t in g.of("TA")}
        self.relations: set[Relation] = {
            (link, g.kind[s]) for s, links in self.node_relations.items() for link in links
        }
        self.transitions: set[Link] = {
            link
            for t, links in self.node_transitions.items()
            for link in links
            if link[0] == "between" or g.after(t, "YA")
        }

    def _links(self, node: str, end: str) -> Iterator[Link]:
        for u in self.g.before(node, end):
            for v in self.g.after(node, end):
                if u == v:
                    continue
                if self.home[u] != self.home[v]:
                    yield ("between", self.home[u], self.home[v])
                else:
                    yield (f"inner {self.name}", u, v)

    def relations_of(self, s: str) -> set[Relation]:
        return {(link, self.g.kind[s]) for link in self.node_relations[s]}

    # -- what carries which label

    def relation_labels(self) -> Labels:
        return labelled(self.relations)

    def undercut_labels(self) -> Labels:
        return labelled(
            ((self.home[premise], relation), self.g.kind[s1])
            for s1 in self.g.of(*self.types)
            for s2 in self.g.after(s1, *self.types)
            for premise, relation in product(self.g.before(s1, "I"), self.relations_of(s2))
        )

    def anchors_of(self, ya: str) -> set[Hashable]:
        out: set[Hashable] = {self.home[n] for n in self.g.before(ya, "L")}
        for t in self.g.before(ya, "TA"):
            ends = self.g.after(t, "L") or self.g.before(t, "L")
            out |= self.node_transitions[t] or {self.home[n] for n in ends}
        return out

    def illocution_labels(self) -> Labels:
        return labelled((at, _key(self.g.label[ya])) for ya in self.g.of("YA") for at in self.anchors_of(ya))

    def contents_of(self, ya: str, kinds: tuple[str, ...]) -> set[Hashable]:
        propositions = {self.home[n] for n in self.g.after(ya, *kinds) if self.g.kind[n] == "I"}
        return propositions.union(*(self.relations_of(n) for n in self.g.after(ya, *kinds) if self.g.kind[n] != "I"))

    def anchor_labels(self) -> Labels:
        return labelled(
            (item, _key(self.g.label[ya]))
            for ya in self.g.of("YA")
            for item in product(self.contents_of(ya, ("I", *self.types)), self.anchors_of(ya))
        )

    def transition_labels(self) -> Labels:
        return {(u, v): {"TA"} for kind, u, v in self.transitions if kind == "between"}

    def anchored(self, kinds: tuple[str, ...]) -> Labels:
        return labelled(
            (item, "anchored")
            for ya in self.g.of("YA")
            for t in self.g.before(ya, "TA")
            for item in product(self.contents_of(ya, kinds), self.node_transitions[t])
        )

    def structure_labels(self) -> Labels:
        """Of two propositions that support a third: whether one RA has both as premises."""
        steps = [
            ({self.home[p] for p in self.g.before(s, "I")} - {self.home[c]}, self.home[c])
            for s in (self.g.of("RA") if "RA" in self.types else [])
            for c in self.g.after(s, "I")
        ]
        single = [(p, c) for premises, c in steps for p in premises]
        linked = {(frozenset(two), c) for premises, c in steps for two in combinations(premises, 2)}
        both = {(frozenset((p, q)), c) for (p, c), (q, d) in product(single, single) if p != q and c == d}
        return {item: {"linked" if item in linked else "convergent"} for item in both}


NAMES = (
    "propositional_relations",
    "illocutions",
    "illocutionary_anchors",
    "transitions",
    "transition_propositions",
    "transition_relations",
)


def calculate(
    graphs: Sequence[Analysis], propositions: Matching, locutions: Matching, options: dict[str, Any]
) -> dict[str, Table]:
    types = tuple(options["relations"])
    a, b = (View(g, k, propositions, locutions, types) for k, g in enumerate(graphs))
    classes_p = [("P", k) for k in range(len(propositions.classes))]
    classes_l = [("L", k) for k in range(len(locutions.classes))]
    relations = a.relations | b.relations
    transitions = a.transitions | b.transitions
    anchors: list[Any] = [*classes_l, *transitions]

    pairs: list[Any] = [("between", u, v) for u, v in permutations(classes_p, 2)]
    for in_a, in_b in propositions.classes:
        pairs += [("inner A", u, v) for u, v in permutations(in_a, 2)]
        pairs += [("inner B", u, v) for u, v in permutations(in_b, 2)]
    under_a, under_b = a.undercut_labels(), b.undercut_labels()
    # A relation on a relation, I→S₁→S₂, of which S₂ makes a relation.
    on_relations = [*product(classes_p, relations)] if under_a or under_b else []

    reference = options["reference"] == "first"
    own = set(a.home.values()) | a.relations | a.transitions

    def all_own(item: Any) -> bool:
        return all(part in own for part in item)

    def is_own_pair(item: Any) -> bool:
        """A pair of the reference's classes or nodes, or, where it has undercuts, of its class and its relation."""
        if item[0] in ("between", "inner A", "inner B"):
            return bool(item[0] == "inner A") or (item[0] == "between" and all_own(item[1:]))
        return bool(under_a) and all_own(item)

    #: The items, the labels of a side, and whether an item is the reference's own.
    rules: dict[str, tuple[Iterable[Any], Callable[[View], Labels], Callable[[Any], bool]]] = {
        "propositional_relations": (
            [*pairs, *on_relations],
            lambda v: v.relation_labels() | v.undercut_labels(),
            is_own_pair,
        ),
        "illocutions": (anchors, View.illocution_labels, own.__contains__),
        "illocutionary_anchors": (product([*classes_p, *relations], anchors), View.anchor_labels, all_own),
        "transitions": (permutations(classes_l, 2), View.transition_labels, all_own),
        "transition_propositions": (product(classes_p, transitions), lambda v: v.anchored(("I",)), all_own),
        "transition_relations": (product(relations, transitions), lambda v: v.anchored(types), all_own),
        "argument_structure": ({}, View.structure_labels, all_own),
    }
    tables: dict[str, Table] = {}
    spelling = spellings(graphs)
    for name, (universe, labels, is_own) in rules.items():
        if name not in options["calculations"]:
            continue
        in_a, in_b = labels(a), labels(b)
        items = {**in_a, **in_b} if name == "argument_structure" else universe
        table = tables[name] = count(items, in_a, in_b, is_own if reference else lambda item: True)
        of_ya = name in ("illocutions", "illocutionary_anchors")
        table.display = {k: spelling[k] if of_ya or k == NONE else k for cell in table.cells for k in cell}
        table.beyond = sum(map(len, in_b.values())) if reference and not in_a else 0
        if reference:
            table.applicable = bool(in_a)
        else:
            table.applicable = bool(in_a or in_b) and (options["layers"] == "all" or _layers(name, graphs))
    return tables


def spellings(graphs: Sequence[Analysis]) -> dict[Label, str]:
    """How each YA label is written."""
    spelling: dict[Label, str] = {NONE: "none"}
    for g in graphs:
        for spelt in sorted(g.label.values(), reverse=True):
            spelling[_key(spelt)] = min(spelt, spelling.get(_key(spelt), spelt))
    # A label that is called "none" must not look like no label.
    return {key: f"“{spelt}”" if key != NONE and spelt == "none" else spelt for key, spelt in spelling.items()}


def _layers(name: str, graphs: Sequence[Analysis]) -> bool:
    needs = {
        "propositional_relations": ("I",),
        "argument_structure": ("I",),
        "illocutions": ("L",),
        "transitions": ("L",),
    }.get(name, ("I", "L"))
    return all(g.of(kind) for g in graphs for kind in needs)


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


def explicit(
    sides: Sequence[Side], propositions: Matching, types: tuple[str, ...], reference: bool
) -> tuple[Table, Coverage]:
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
        labels.append(
            labelled(
                ((home[p], home[c]) if home[p] != home[c] else ("AB"[k], p, c), kind)
                for p, kind, c in (side.paths if all(side.fits for side in sides) else ())
                if p != c
            )
        )

    def is_own(item: Any) -> bool:
        return bool(item[0] == "A") or (item[0] != "B" and all(classes[i][0] for i in item))

    table = count(universe, *labels, is_own if reference else lambda item: True)
    table.applicable = bool(labels[0]) if reference else any(labels)
    table.display = {k: k or "none" for cell in table.cells for k in cell}
    return table, [(len(s.taking_part), len(s.triples)) for s in said]


Number = float | None
SCORES = ("kappa", "f1", "accuracy", "precision", "recall", "specificity", "balanced_accuracy", "informedness")
SCORES += ("mcc", "macro_f1", "pi", "alpha", "ac1")


def _ratio(top: Fraction | int, bottom: Fraction | float) -> Fraction | float | None:
    return Fraction(top) / bottom if bottom else None


def matrix_scores(cells: dict[tuple[Label, Label], int]) -> dict[str, Number]:
    total = sum(cells.values())
    labels = sorted({k for cell, n in cells.items() if n for k in cell})
    row = {k: sum(n for (r, _), n in cells.items() if r == k) for k in labels}
    column = {k: sum(n for (_, c), n in cells.items() if c == k) for k in labels}
    same = {k: cells.get((k, k), 0) for k in labels}
    diagonal, tn = sum(same.values()), same.get(NONE, 0)
    tp = diagonal - tn
    fn, fp = total - row.get(NONE, 0) - tp, total - column.get(NONE, 0) - tp
    by_chance = sum(row[k] * column[k] for k in labels)
    po, pe = Fraction(diagonal, total), Fraction(by_chance, total * total)
    recall, specificity = _ratio(tp, tp + fn), _ratio(tn, tn + fp)
    known = recall is not None and specificity is not None
    single = [_ratio(2 * same[k], row[k] + column[k]) for k in labels if k != NONE]
    scores: dict[str, Any] = {
        "kappa": 1 if pe == 1 else (po - pe) / (1 - pe),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn),
        "accuracy": po,
        "precision": _ratio(tp, tp + fp),
        "recall": recall,
        "specificity": specificity,
        "balanced_accuracy": (recall + specificity) / 2 if known else None,
        "informedness": recall + specificity - 1 if known else None,
        "macro_f1": _ratio(sum(f for f in single if f is not None), len(single)),
    }
    spread = (total**2 - sum(row[k] ** 2 for k in labels)) * (total**2 - sum(column[k] ** 2 for k in labels))
    either = {k: row[k] + column[k] for k in labels}
    share = [Fraction(n, 2 * total) for n in either.values()]
    pi = sum(p * p for p in share)
    ac1 = sum(p * (1 - p) for p in share) / (max(2, len(labels)) - 1)
    unlike = Fraction(sum(either[j] * either[k] for j, k in permutations(labels, 2)), 2 * total - 1)
    scores |= {
        "mcc": _ratio(total * diagonal - by_chance, math.sqrt(spread)),
        "pi": _ratio(po - pi, 1 - pi),
        "alpha": _ratio(unlike - 2 * (total - diagonal), unlike),
        "ac1": _ratio(po - ac1, 1 - ac1),
    }
    if diagonal == total:
        scores |= dict.fromkeys(("mcc", "pi", "alpha", "ac1"), 1)
    return {k: None if scores[k] is None else float(scores[k]) for k in SCORES}


def masses(placed: Placed, mapping: list[int], length: int) -> list[int]:
    runs: set[Run] = {run for unit in placed.runs.values() for run in unit}
    inner = {b for s, e in runs for b in (mapping[s], mapping[e - 1] + 1)} - {0, length}
    return [e - s for s, e in pairwise([0, *sorted(inner), length])] if length else []


def boundary_edits(first: list[int], second: list[int]) -> tuple[int, int, int]:
    """Additions, transpositions of one place, matches; pairs are taken from the left (Fournier and Inkpen 2012)."""
    a, b = _inner(first), _inner(second)
    open_places = a ^ b
    transpositions = 0
    for p in sorted(a ^ b):
        if p in open_places and p + 1 in open_places and (p in a) != (p + 1 in a):
            open_places -= {p, p + 1}
            transpositions += 1
    return len(open_places), transpositions, len(a & b)


def _inner(segments: list[int]) -> set[int]:
    return {sum(segments[:k]) for k in range(1, len(segments))}


def by_positions(first: list[int], second: list[int]) -> dict[str, Number]:
    length = sum(first)
    added, swapped, matched = boundary_edits(first, second)
    edits = added + Fraction(swapped, 2)
    counted = added + swapped + matched
    out: dict[str, Number] = {"S": float(1 - edits / (length - 1)) if counted else 1.0}
    out["B"] = float(1 - edits / counted) if counted else None
    window = max(2, round(Fraction(length, len(first)) / 2))
    a, b = _inner(first), _inner(second)
    probes = length - window
    split = count = 0
    for i in range(max(0, probes)):
        in_a, in_b = (sum(i < p <= i + window for p in of) for of in (a, b))
        split += (in_a > 0) != (in_b > 0)
        count += in_a != in_b
    out["Pk"] = split / probes if probes > 0 else None
    out["WindowDiff"] = count / probes if probes > 0 else None
    return out


def by_units(graphs: Sequence[Analysis], matchings: list[Matching], layers: str, reference: bool) -> Number:
    """1 − E / (U_A + U_B): the share of units in common; of the layer that both have, where one lacks the other."""
    units = [g.units() for g in graphs]
    propositions, locutions = ([bool(g.of(kind)) for g in graphs] for kind in ("I", "L"))
    # A layer that the reference has is counted, whether or not the second has it.
    if layers == "common" and all(propositions) and sum(locutions) == 1 and not (reference and locutions[0]):
        units = [g.of("I") for g in graphs]
    elif layers == "common" and all(locutions) and sum(propositions) == 1 and not (reference and propositions[0]):
        units = [g.of("L") for g in graphs]
    if not any(words(g.said[u]) for g, of in zip(graphs, units, strict=True) for u in of):
        return None
    edits = sum(
        abs(sum(n in units[0] for n in in_a) - sum(n in units[1] for n in in_b))
        for matching in matchings
        for in_a, in_b in matching.classes
    )
    return float(1 - Fraction(edits, len(units[0]) + len(units[1])))


def average(values: Iterable[Number]) -> Number:
    """Of the values that there are."""
    known = [v for v in values if v is not None]
    return math.fsum(known) / len(known) if known else None


def fuse(m: Number, s: Number, nothing: bool, has_words: bool) -> Number:
    if nothing and m is not None:
        return 0.0
    if m is None or s is None or not has_words:
        return None
    return 0.0 if m <= 0 or s <= 0 else 2 * m * s / (m + s)


LAYERS = {
    "propositional": ("propositional_relations", "argument_structure", "explicit_relations"),
    "dialogical": NAMES[1:],
}
