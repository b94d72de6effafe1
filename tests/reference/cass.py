"""The whole comparison, in the shape of the library's JSON, with sections 9 and 10: chance, and the breakdown."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import calculate as calculations
from .calculate import LAYERS, NAME, NAMES, NONE, SCORES, Label, Labels, Number, Table, View, average, matrix_scores
from .match import Content, Matcher, Matching, Meaning, Side, normal, numbered_labels
from .read import RELATIONS, Analysis, Axis, Placed, Source, axis, label_key, place, read, words

DEFAULTS: dict[str, Any] = {
    "matching": "greedy",
    "granularity": "merge",
    "gate": True,
    "min_overlap": 0.5,
    "min_similarity": 0.5,
    "meaning": None,  # texts in, an array (n, d) out
    "min_meaning": 0.75,
    "layers": "common",
    "reference": "none",
    "mean": "calculations",
    "chance": None,  # a number of rounds
    "seed": 0,
    "relations": RELATIONS,
    "calculations": NAMES,
}


class Round(NamedTuple):
    """Sections 2 to 4, of the analyses or of what chance deals out: matchings, calculations, ER and its coverage."""

    propositions: Matching
    locutions: Matching
    tables: dict[str, Table]
    said: Table
    coverage: calculations.Coverage


class Pair:
    """Two analyses on one axis, and what is the same in every round."""

    def __init__(self, graphs: tuple[Analysis, Analysis], texts: tuple[str | None, str | None], options: Any) -> None:
        self.graphs, self.options = graphs, options
        # Section 1
        self.kinds, sources = _texts(graphs, texts)
        self.placed: list[Placed] = []
        self.axis = Axis(0, [], [], None)
        self.known = False
        if sources:
            triples = zip(graphs, sources, self.kinds, strict=True)
            self.placed = [place(g, source, own=kind != "shared") for g, source, kind in triples]
            self.axis = axis(sources[0].words, sources[1].words)
            fits = [4 * len(p.runs) >= len(g.units()) for g, p in zip(graphs, self.placed, strict=True)]
            self.known = fits[0] if options["reference"] == "first" else all(fits)
        self.sides = [
            _contents(g, self.placed[k] if self.known else None, (self.axis.first, self.axis.second)[k])
            for k, g in enumerate(graphs)
        ]
        self.meaning = None
        if options["meaning"] is not None:
            texts_of = [g.said[n] for g in graphs for n in g.of("I") if words(g.said[n])]
            self.meaning = Meaning(options["meaning"], texts_of)
        self.has_words = any(words(g.said[u]) for g in graphs for u in g.units())
        units = [bool(g.units()) for g in graphs]
        self.nothing = units[0] != units[1]
        """One side has units and the other none."""
        if self.nothing:
            options["layers"] = "all"

    def round(self, sides: Sequence[Side]) -> Round:
        matcher = Matcher(sides, self.axis.length, self.options, self.meaning)
        propositions, locutions = matcher.match("I"), matcher.match("L")
        tables = calculations.calculate([side.analysis for side in sides], propositions, locutions, self.options)
        said, coverage = calculations.explicit(
            sides, propositions, tuple(self.options["relations"]), self.options["reference"] == "first"
        )
        if NAME in self.options["calculations"]:
            tables[NAME] = said
        return Round(propositions, locutions, tables, said, coverage)

    def rounds_of_chance(self) -> Iterator[Round]:
        """First those that deal B, then those that deal A."""
        surroundings = numbered_labels(self.sides)[2]
        for k in (1, 0):
            side = self.sides[k]
            orders = [
                sorted(
                    side.analysis.of(kind),
                    key=lambda n: (side.first_word(n, self.axis.length), side.content[n].whole, surroundings[k, n]),
                )
                for kind in ("I", "L")
            ]
            rng = np.random.default_rng(self.options["seed"])
            for _ in range(-(-self.options["chance"] // 2)):
                dealt = side.dealt(orders, [[int(i) for i in rng.permutation(len(order))] for order in orders])
                yield self.round([self.sides[0], dealt] if k else [dealt, self.sides[1]])

    def segmentation(self, found: Round) -> dict[str, Any]:
        """Section 6."""
        if not self.known:
            matchings = [found.locutions, found.propositions]
            reference = self.options["reference"] == "first"
            s = calculations.by_units(self.graphs, matchings, self.options["layers"], reference)
            return {"mode": "units", "S": s, "B": None, "Pk": None, "WindowDiff": None, "masses": None}
        maps = (self.axis.first, self.axis.second)
        cuts = [
            calculations.masses(p, words_at, self.axis.length) for p, words_at in zip(self.placed, maps, strict=True)
        ]
        return {"mode": "positions", **calculations.by_positions(*cuts), "masses": cuts}

    def fuse(self, m: Number, s: Number) -> Number:
        return calculations.fuse(m, s, self.nothing, self.has_words)

    def mean(self, tables: dict[str, Table], layer: str | None, score: str) -> Number:
        """M of a layer, or of the whole (None); 0 where one side is empty and anything applies."""
        names = LAYERS.get(layer, tables)
        values = {n: matrix_scores(t.cells)[score] for n, t in tables.items() if n in names and t.applicable}
        if self.nothing:
            return 0.0 if values or layer is None else None
        if layer is None and self.options["mean"] == "layers":
            return average(average(v for n, v in values.items() if n in of) for of in LAYERS.values())
        return average(values.values())

    def against_chance(self, found: Round, s: Number) -> dict[str | None, dict[str, Any]]:
        """Section 9: of the whole (None), of each layer, and of ER."""
        lone = all(len(g.of(kind)) <= 1 for g in self.graphs for kind in ("I", "L"))
        rounds = [] if lone else list(self.rounds_of_chance())
        out: dict[str | None, dict[str, Any]] = {}
        for part in (None, *LAYERS, NAME):
            of: dict[str, dict[str, Number]] = {"mean": {}, "above": {}, "cass": {}}
            for k in SCORES:
                if part == NAME:
                    m, *drawn = [_score(each.said, k) for each in (found, *rounds)]
                else:
                    m, *drawn = [self.mean(each.tables, part, k) for each in (found, *rounds)]
                e = average(drawn)
                e = None if e is None else max(0.0, e)
                above = None if e is None or m is None or e == 1 else (m - e) / (1 - e)
                of["mean"][k], of["above"][k] = e, above
                # Section 7 comes first: an empty analysis is worth 0, whether or not there is anything to deal.
                of["cass"][k] = 0.0 if self.nothing and m == 0 else self.fuse(above, s)
            reason = "at most one proposition and one locution on each side" if lone else None
            if reason is None and of["mean"]["kappa"] is None:
                reason = "no round has a calculation that applies"
            out[part] = {"rounds": self.options["chance"], "seed": self.options["seed"], **of, "reason": reason}
        del out[NAME]["cass"]
        return out


def reference_compare(
    first: dict[str, Any] | str,
    second: dict[str, Any] | str,
    first_text: str | None = None,
    second_text: str | None = None,
    **given: Any,
) -> dict[str, Any]:
    """Compare two AIF JSON documents; options as in ``DEFAULTS``."""
    assert set(given) <= set(DEFAULTS), given
    options = {**DEFAULTS, **given}
    assert options["matching"] == "greedy"
    pair = Pair((read(first), read(second)), (first_text, second_text), options)
    found = pair.round(pair.sides)
    segmentation = pair.segmentation(found)

    def means(layer: str | None) -> dict[str, Any]:
        mean = {k: pair.mean(found.tables, layer, k) for k in SCORES}
        return {"mean": mean, "cass": {k: pair.fuse(m, segmentation["S"]) for k, m in mean.items()}}

    layers = {layer: means(layer) for layer in LAYERS}
    result: dict[str, Any] = {
        "first": _side(pair, 0),
        "second": _side(pair, 1),
        "text_overlap": pair.axis.overlap,
        "alignment": {"propositions": _alignment(found.propositions), "locutions": _alignment(found.locutions)},
        "calculations": {n: _calculation(t) for n, t in found.tables.items()},
        "segmentation": segmentation,
        **means(None),
        "layers": {layer: {**of["cass"], "mean": of["mean"]} for layer, of in layers.items()},
        "breakdown": breakdown(pair, found),
    }
    if found.said.applicable:
        coverage = dict(zip(("first", "second"), found.coverage, strict=True))
        result["explicit"] = {**_calculation(found.said), "coverage": coverage}
    if options["chance"] is not None:
        chance = pair.against_chance(found, segmentation["S"])
        result["chance"] = chance[None]
        for layer in LAYERS:
            result["layers"][layer]["chance"] = chance[layer]
        if found.said.applicable:
            result["explicit"]["chance"] = chance[NAME]
    return result


def _texts(graphs: tuple[Analysis, Analysis], given: tuple[str | None, str | None]) -> tuple[list[str], list[Source]]:
    """Where the text of each side is from, and the texts; a side without one shares that of the other."""
    found: list[tuple[str, Source] | None] = []
    for g, text in zip(graphs, given, strict=True):
        sources = [("given", Source(text or "")), ("embedded", Source(g.embedded or ""))]
        found.append(next(((kind, source) for kind, source in sources if source.words), None))
    if not any(found):
        return ["none", "none"], []
    _, other = found[0] or found[1]
    both = [each or ("shared", other) for each in found]
    return [kind for kind, _ in both], [source for _, source in both]


def _contents(g: Analysis, placed: Placed | None, mapping: list[int]) -> Side:
    """What each node says and where; ``placed`` is None where positions are not used."""
    units = set(g.units())
    content: dict[str, Content] = {}
    for n in g.of("I", "L"):
        own = [n] if n in units else g.anchoring_locutions(n) or g.transition_locutions(n)
        found = [u for u in own if placed and u in placed.runs]
        position = frozenset(mapping[w] for u in found if placed for w in placed.position(u))
        loose = bool(placed and found) and all(u in placed.loose for u in found if placed)
        content[n] = Content(g.said[n], normal(g.text[n]), position, loose)
    return Side(g, content, fits=placed is not None)


def _side(pair: Pair, k: int) -> dict[str, Any]:
    g = pair.graphs[k]
    return {
        "text": pair.kinds[k],
        "propositions": len(g.of("I")),
        "locutions": len(g.of("L")),
        "units": len(g.units()),
        "placed": len(pair.placed[k].runs) if pair.placed else 0,
    }


def _alignment(matching: Matching) -> dict[str, Any]:
    return {
        "classes": len(matching.classes),
        "matched": sum(1 for a, b in matching.classes if a and b),
        "pairs": [
            {
                "first": sorted(a),
                "second": sorted(b),
                "similarity": m.similarity if m else None,
                "by": m.by if m else None,
                "meaning": m.meaning if m else None,
            }
            for (a, b), m in zip(matching.classes, matching.matches, strict=True)
        ],
    }


def _calculation(table: Table) -> dict[str, Any]:
    scores = matrix_scores(table.cells) if table.applicable else dict.fromkeys(SCORES)
    labels = [*sorted({k for cell in table.cells for k in cell if k != NONE}), NONE]
    return {
        "applicable": table.applicable,
        "items": table.items,
        "labels": [table.display.get(k, "none") for k in labels],
        "matrix": [[table.cells.get((r, c), 0) for c in labels] for r in labels],
        **scores,
    }


def _score(table: Table, score: str) -> Number:
    return matrix_scores(table.cells)[score] if table.applicable else None


ANY = "any"
Cells = dict[tuple[Label, Label], int]


def folded(cells: Cells, fold: Callable[[Label], Label]) -> Cells:
    out: Counter[tuple[Label, Label]] = Counter()
    for (row, column), n in cells.items():
        out[fold(row), fold(column)] += n
    return out


def _chosen(cells: Cells, *names: str) -> dict[str, Number]:
    if not sum(cells.values()):
        return dict.fromkeys(names)
    scores = matrix_scores(cells)
    return {name: scores[name] for name in names}


def occurring(table: Table) -> list[Label]:
    return sorted({k for cell, n in table.cells.items() for k in cell if n} - {NONE})


def behind(table: Table) -> dict[str, Any]:
    cells = dict(table.cells)
    given = {(row, column): n for (row, column), n in cells.items() if NONE not in (row, column)}

    def against_the_rest(label: Label) -> dict[str, Any]:
        single = folded(cells, lambda k: label if k == label else NONE)
        return {
            **_chosen(single, "precision", "recall", "f1", "kappa"),
            "support": {
                "first": sum(n for (row, _), n in single.items() if row == label),
                "second": sum(n for (_, column), n in single.items() if column == label),
            },
        }

    return {
        "attachment": _chosen(folded(cells, lambda k: ANY if k != NONE else NONE), "kappa", "f1"),
        "label_given_attachment": _chosen(given, "kappa", "accuracy"),
        "labels": {table.display.get(label, label): against_the_rest(label) for label in occurring(table)},
    }


def breakdown(pair: Pair, found: Round) -> dict[str, Any]:
    types = tuple(pair.options["relations"])
    views = [View(g, k, found.propositions, found.locutions, types) for k, g in enumerate(pair.graphs)]
    tables = {**found.tables, NAME: found.said}
    return {
        "calculations": {n: behind(t) for n, t in tables.items() if t.applicable and len(occurring(t)) > 1},
        "schemes": {kind: table for kind in types if (table := _schemes(views, kind)) is not None},
        "speakers": _speakers(pair.graphs, found.locutions),
    }


def _outside(universe: list[Any], a: Labels, b: Labels) -> dict[str, Any] | None:
    """Not one of the calculations: its decisions and agreement."""
    if not universe:
        return None
    table = calculations.count(universe, a, b)
    agreement = _chosen(table.cells, "kappa", "accuracy") if occurring(table) else dict.fromkeys(("kappa", "accuracy"))
    return {"compared": sum(table.cells.values()), **agreement}


def scheme_names(g: Analysis, node: str) -> set[Label]:
    """Without the default ones; names are equal if their letters and digits are."""
    return {label_key(name) for name in g.schemes.get(node, []) if not label_key(name).startswith("default")}


def _schemes(views: list[View], kind: str) -> dict[str, Any] | None:
    labels: list[Labels] = []
    for view in views:
        of: dict[Hashable, set[Label]] = {}
        for s in view.g.of(kind):
            for relation in view.relations_of(s):
                of.setdefault(relation, set()).update(scheme_names(view.g, s))
        labels.append(of)
    shared = sorted(set(labels[0]) & set(labels[1]), key=repr)
    return _outside(shared, *[{r: of[r] for r in shared} for of in labels])


def _speakers(graphs: tuple[Analysis, Analysis], locutions: Matching) -> dict[str, Any] | None:
    matched = [pair for pair in locutions.classes if pair[0] and pair[1]]
    labels: list[Labels] = [
        {k: {label_key(g.speaker[n]) for n in pair[side] if n in g.speaker} for k, pair in enumerate(matched)}
        for side, g in enumerate(graphs)
    ]
    return _outside(list(range(len(matched))), *labels)
