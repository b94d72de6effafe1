"""Section 4: the calculations, each universe visited item by item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from typing import Any

from .match import Matching
from .read import Analysis, label_key

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


def _key(label: str) -> str:
    return label_key(label) or "?" + label


def count(universe: Iterable[Hashable], a: Labels, b: Labels) -> Table:
    table = Table()
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
        if not of_a and not of_b:
            table.cells[NONE, NONE] += 1
    for labels in (a, b):
        for item in labels:
            assert item in seen, ("outside the universe", item)
    table.items = len(seen)
    return table


class View:
    """One analysis seen through the classes."""

    def __init__(
        self, g: Analysis, name: str, propositions: Matching, locutions: Matching, types: tuple[str, ...]
    ) -> None:
        self.g, self.name, self.types = g, name, types
        side = 0 if name == "A" else 1
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
        out: Labels = {}
        for link, kind in self.relations:
            out.setdefault(link, set()).add(kind)
        return out

    def undercut_labels(self) -> Labels:
        out: Labels = {}
        for s1 in self.g.of(*self.types):
            for s2 in self.g.after(s1, *self.types):
                for premise in self.g.before(s1, "I"):
                    for relation in self.relations_of(s2):
                        out.setdefault((self.home[premise], relation), set()).add(self.g.kind[s1])
        return out

    def anchors_of(self, ya: str) -> set[Hashable]:
        out: set[Hashable] = {self.home[n] for n in self.g.before(ya, "L")}
        for t in self.g.before(ya, "TA"):
            if self.node_transitions[t]:
                out |= self.node_transitions[t]
            else:
                ends = self.g.after(t, "L") or self.g.before(t, "L")
                out |= {self.home[n] for n in ends}
        return out

    def illocution_labels(self) -> Labels:
        out: Labels = {}
        for ya in self.g.of("YA"):
            for anchor in self.anchors_of(ya):
                out.setdefault(anchor, set()).add(_key(self.g.label[ya]))
        return out

    def contents_of(self, ya: str) -> set[Hashable]:
        out: set[Hashable] = {self.home[n] for n in self.g.after(ya, "I")}
        for s in self.g.after(ya, *self.types):
            out |= self.relations_of(s)
        return out

    def anchor_labels(self) -> Labels:
        out: Labels = {}
        for ya in self.g.of("YA"):
            for item in product(self.contents_of(ya), self.anchors_of(ya)):
                out.setdefault(item, set()).add(_key(self.g.label[ya]))
        return out

    def transition_labels(self) -> Labels:
        return {(u, v): {"TA"} for kind, u, v in self.transitions if kind == "between"}

    def anchored(self, kinds: tuple[str, ...]) -> Labels:
        out: Labels = {}
        for ya in self.g.of("YA"):
            for t in self.g.before(ya, "TA"):
                contents: set[Hashable] = set()
                for n in self.g.after(ya, *kinds):
                    contents |= {self.home[n]} if kinds == ("I",) else self.relations_of(n)
                for item in product(contents, self.node_transitions[t]):
                    out[item] = {"anchored"}
        return out

    def supports(self) -> tuple[set[tuple[Hashable, Hashable]], set[tuple[frozenset[Hashable], Hashable]]]:
        """(supporter, conclusion) of any RA, and ({two supporters}, conclusion) of one RA."""
        single: set[tuple[Hashable, Hashable]] = set()
        double: set[tuple[frozenset[Hashable], Hashable]] = set()
        for s in self.g.of("RA") if "RA" in self.types else []:
            for c in self.g.after(s, "I"):
                premises = {self.home[p] for p in self.g.before(s, "I")} - {self.home[c]}
                single |= {(p, self.home[c]) for p in premises}
                double |= {(frozenset(pair), self.home[c]) for pair in combinations(premises, 2)}
        return single, double

    def structure_labels(self) -> Labels:
        single, double = self.supports()
        out: Labels = {}
        for (p, c), (q, d) in product(single, single):
            if p != q and c == d:
                item = (frozenset((p, q)), c)
                out[item] = {"linked" if item in double else "convergent"}
        return out


NAMES = (
    "propositional_relations",
    "illocutions",
    "illocutionary_anchors",
    "transitions",
    "transition_propositions",
    "transition_relations",
)


def calculate(
    first: Analysis, second: Analysis, propositions: Matching, locutions: Matching, options: dict[str, Any]
) -> dict[str, Table]:
    types = tuple(options["relations"])
    a = View(first, "A", propositions, locutions, types)
    b = View(second, "B", propositions, locutions, types)
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
    on_relations = [*product(classes_p, relations)] if _undercut(a) or _undercut(b) else []

    tables = {
        "propositional_relations": count(
            [*pairs, *on_relations], {**a.relation_labels(), **under_a}, {**b.relation_labels(), **under_b}
        ),
        "illocutions": count(anchors, a.illocution_labels(), b.illocution_labels()),
        "illocutionary_anchors": count(
            product([*classes_p, *relations], anchors), a.anchor_labels(), b.anchor_labels()
        ),
        "transitions": count(permutations(classes_l, 2), a.transition_labels(), b.transition_labels()),
        "transition_propositions": count(product(classes_p, transitions), a.anchored(("I",)), b.anchored(("I",))),
        "transition_relations": count(product(relations, transitions), a.anchored(types), b.anchored(types)),
    }
    in_a, in_b = a.structure_labels(), b.structure_labels()
    tables["argument_structure"] = count({**in_a, **in_b}, in_a, in_b)
    tables = {name: table for name, table in tables.items() if name in options["calculations"]}

    spelling = spellings(first, second)
    for name, table in tables.items():
        of_ya = name in ("illocutions", "illocutionary_anchors")
        table.display = {k: spelling[k] if of_ya or k == NONE else k for cell in table.cells for k in cell}
        table.applicable = any(cell != (NONE, NONE) for cell in table.cells) and (
            options["layers"] == "all" or _layers(name, first, second)
        )
    return tables


def spellings(first: Analysis, second: Analysis) -> dict[Label, str]:
    """How each YA label is written."""
    spelling: dict[Label, str] = {NONE: "none"}
    for g in (first, second):
        for spelt in sorted(g.label.values(), reverse=True):
            spelling[_key(spelt)] = min(spelt, spelling.get(_key(spelt), spelt))
    # A label that is called "none" must not look like no label.
    return {key: f"“{spelt}”" if key != NONE and spelt == "none" else spelt for key, spelt in spelling.items()}


def _undercut(v: View) -> bool:
    """A relation on a relation, I→S₁→S₂, of which S₂ makes a relation."""
    return bool(v.undercut_labels())


def _layers(name: str, first: Analysis, second: Analysis) -> bool:
    needs = {
        "propositional_relations": ("I",),
        "argument_structure": ("I",),
        "illocutions": ("L",),
        "transitions": ("L",),
    }.get(name, ("I", "L"))
    return all(g.of(kind) for g in (first, second) for kind in needs)
