"""The whole comparison, in the shape of the library's JSON, with sections 9 and 10: chance, and the breakdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from .calculate import (
    LAYERS,
    NAME,
    NAMES,
    NONE,
    SCORES,
    Label,
    Labels,
    Number,
    Relation,
    Table,
    View,
    average,
    by_positions,
    by_units,
    calculate,
    count,
    empty,
    explicit,
    fuse,
    masses,
    matrix_scores,
    mean,
    mean_of_part,
)
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
    "mean": "calculations",
    "chance": None,  # a number of rounds
    "seed": 0,
    "relations": RELATIONS,
    "calculations": NAMES,
    "schemes": None,
}


def reference_compare(
    first: dict[str, Any] | str,
    second: dict[str, Any] | str,
    first_text: str | None = None,
    second_text: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Compare two AIF JSON documents; ``options`` as in ``DEFAULTS``."""
    assert set(options) <= set(DEFAULTS), options
    opts = {**DEFAULTS, **options}
    assert opts["matching"] == "greedy"
    graphs = (read(first, opts["schemes"]), read(second, opts["schemes"]))

    # Section 1
    kinds, sources = _texts(graphs, (first_text, second_text))
    placed: list[Placed] = []
    shared = Axis(0, [], [], None)
    known = False
    if sources:
        placed = [place(g, s, own=k != "shared") for g, s, k in zip(graphs, sources, kinds, strict=True)]
        shared = axis(sources[0].words, sources[1].words)
        known = all(4 * len(p.runs) >= len(g.units()) for g, p in zip(graphs, placed, strict=True))
    sides = (
        _contents(graphs[0], placed[0] if known else None, shared.first),
        _contents(graphs[1], placed[1] if known else None, shared.second),
    )

    # Sections 2 to 4
    meaning = None
    if opts["meaning"] is not None:
        meaning = Meaning(opts["meaning"], [g.said[n] for g in graphs for n in g.of("I") if words(g.said[n])])
    matcher = Matcher(sides[0], sides[1], shared.length, opts, meaning)
    propositions, locutions = matcher.match("I"), matcher.match("L")
    nothing = empty((len(graphs[0].units()), len(graphs[1].units())))
    if nothing:
        opts["layers"] = "all"
    tables = calculate(graphs[0], graphs[1], propositions, locutions, opts)
    said, coverage = explicit(sides, propositions, tuple(opts["relations"]))
    if NAME in opts["calculations"]:
        tables[NAME] = said

    # Sections 6 and 7
    segmentation: dict[str, Any]
    if known:
        cuts = [masses(placed[0], shared.first, shared.length), masses(placed[1], shared.second, shared.length)]
        segmentation = {"mode": "positions", **by_positions(cuts[0], cuts[1]), "masses": cuts}
    else:
        s = by_units(graphs[0], graphs[1], [locutions, propositions], opts["layers"])
        segmentation = {"mode": "units", "S": s, "B": None, "Pk": None, "WindowDiff": None, "masses": None}
    has_words = any(words(g.said[u]) for g in graphs for u in g.units())
    means = {k: mean_of_part(tables, None, k, opts["mean"], nothing) for k in SCORES}

    def fused(names: tuple[str, ...]) -> dict[str, Any]:
        own = {k: mean_of_part(tables, names, k, "calculations", nothing) for k in SCORES}
        return {k: fuse(m, segmentation["S"], nothing, has_words) for k, m in own.items()}

    result: dict[str, Any] = {
        "first": _side(graphs[0], kinds[0], placed[0] if placed else None),
        "second": _side(graphs[1], kinds[1], placed[1] if placed else None),
        "text_overlap": shared.overlap,
        "alignment": {"propositions": _alignment(propositions), "locutions": _alignment(locutions)},
        "calculations": {n: _calculation(t) for n, t in tables.items()},
        "segmentation": segmentation,
        "mean": means,
        "cass": {k: fuse(m, segmentation["S"], nothing, has_words) for k, m in means.items()},
        "layers": {layer: fused(names) for layer, names in LAYERS.items()},
        "breakdown": breakdown(graphs, {**tables, NAME: said}, propositions, locutions, opts),
    }
    if said.applicable:
        result["explicit"] = {**_calculation(said), "coverage": dict(zip(("first", "second"), coverage, strict=True))}
    if opts["chance"] is not None:
        of_chance = against_chance(
            sides, shared.length, opts, meaning, tables, said, segmentation["S"], nothing, has_words
        )
        result["chance"] = of_chance.pop("")
        of_said = of_chance.pop(NAME)
        if said.applicable:
            result["explicit"]["chance"] = of_said
        for layer, found in of_chance.items():
            result["layers"][layer]["chance"] = found
    return result


def _texts(graphs: tuple[Analysis, Analysis], given: tuple[str | None, str | None]) -> tuple[list[str], list[Source]]:
    kinds: list[str] = []
    found: list[Source | None] = []
    for g, text in zip(graphs, given, strict=True):
        for kind, candidate in (("given", text), ("embedded", g.embedded)):
            source = Source(candidate) if candidate is not None else None
            if source and source.words:
                kinds.append(kind)
                found.append(source)
                break
        else:
            kinds.append("none")
            found.append(None)
    any_source = found[0] or found[1]
    if not any_source:
        return kinds, []
    return ["shared" if f is None else k for f, k in zip(found, kinds, strict=True)], [f or any_source for f in found]


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


def _side(g: Analysis, kind: str, placed: Placed | None) -> dict[str, Any]:
    return {
        "text": kind,
        "propositions": len(g.of("I")),
        "locutions": len(g.of("L")),
        "units": len(g.units()),
        "placed": len(placed.runs) if placed else 0,
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


def dealing_orders(sides: tuple[Side, Side], side: int, length: int) -> list[list[str]]:
    """Of a side's propositions, and of its locutions."""
    mine = sides[side]
    surroundings = numbered_labels(sides)[side][2]

    def rank(n: str) -> tuple[int, str, int]:
        return mine.first_word(n, length), mine.content[n].whole, surroundings[n]

    return [sorted(mine.analysis.of(kind), key=rank) for kind in ("I", "L")]


def chance_tables(
    sides: tuple[Side, Side], length: int, options: dict[str, Any], meaning: Meaning | None
) -> list[tuple[dict[str, Table], Table]]:
    """The calculations of every round, and ER: first those that deal B, then those that deal A."""
    out = []
    for side in (1, 0):
        rng = np.random.default_rng(options["seed"])
        orders = dealing_orders(sides, side, length)
        for _ in range(-(-options["chance"] // 2)):
            permutations = [[int(k) for k in rng.permutation(len(order))] for order in orders]
            dealt = sides[side].dealt(orders, permutations)
            a, b = (sides[0], dealt) if side == 1 else (dealt, sides[1])
            matcher = Matcher(a, b, length, options, meaning)
            propositions = matcher.match("I")
            tables = calculate(a.analysis, b.analysis, propositions, matcher.match("L"), options)
            said, _ = explicit((a, b), propositions, tuple(options["relations"]))
            chosen = NAME in options["calculations"]
            out.append(({**tables, **({NAME: said} if chosen else {})}, said))
    return out


def against_chance(
    sides: tuple[Side, Side],
    length: int,
    options: dict[str, Any],
    meaning: Meaning | None,
    tables: dict[str, Table],
    said: Table,
    segmentation: Number,
    nothing: bool,
    has_words: bool,
) -> dict[str, dict[str, Any]]:
    """Of the whole (under ""), of each layer, and of the argument among what was said."""
    lone = all(len(s.analysis.of(kind)) <= 1 for s in sides for kind in ("I", "L"))
    rounds = [] if lone else chance_tables(sides, length, options, meaning)
    out: dict[str, dict[str, Any]] = {}
    for part, names in {"": None, **LAYERS, NAME: None}.items():
        over = options["mean"] if part == "" else "calculations"
        found: dict[str, dict[str, Number]] = {"mean": {}, "above": {}, "cass": {}}
        for k in SCORES:
            if part == NAME:
                m = mean({NAME: said}, k)
                e = average(mean({NAME: of}, k) for _, of in rounds)
            else:
                m = mean_of_part(tables, names, k, over, nothing)
                e = average(mean_of_part(r, names, k, over, nothing) for r, _ in rounds)
            e = None if e is None else max(0.0, e)
            above = None if e is None or m is None or e == 1 else (m - e) / (1 - e)
            found["mean"][k], found["above"][k] = e, above
            # Section 7 comes first: an empty analysis is worth 0, whether or not there is anything to deal.
            found["cass"][k] = 0.0 if nothing and m == 0 else fuse(above, segmentation, nothing, has_words)
        reason = "at most one proposition and one locution on each side" if lone else None
        if reason is None and found["mean"]["kappa"] is None:
            reason = "no round has a calculation that applies"
        out[part] = {"rounds": options["chance"], "seed": options["seed"], **found, "reason": reason}
    del out[NAME]["cass"]
    return out


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


def breakdown(
    graphs: tuple[Analysis, Analysis],
    tables: dict[str, Table],
    propositions: Matching,
    locutions: Matching,
    options: dict[str, Any],
) -> dict[str, Any]:
    types = tuple(options["relations"])
    views = [View(g, name, propositions, locutions, types) for g, name in zip(graphs, "AB", strict=True)]
    return {
        "calculations": {n: behind(t) for n, t in tables.items() if t.applicable and len(occurring(t)) > 1},
        "schemes": {kind: table for kind in types if (table := _schemes(views, kind)) is not None},
        "speakers": _speakers(graphs, locutions),
    }


def _outside(universe: list[Any], a: Labels, b: Labels) -> dict[str, Any] | None:
    """Not one of the calculations: its decisions and agreement."""
    if not universe:
        return None
    table = count(universe, a, b)
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
    shared: list[Relation] = sorted(set(labels[0]) & set(labels[1]), key=repr)
    return _outside(shared, *[{r: of[r] for r in shared} for of in labels])


def _speakers(graphs: tuple[Analysis, Analysis], locutions: Matching) -> dict[str, Any] | None:
    matched = [pair for pair in locutions.classes if pair[0] and pair[1]]
    labels: list[Labels] = [
        {k: {label_key(g.speaker[n]) for n in pair[side] if n in g.speaker} for k, pair in enumerate(matched)}
        for side, g in enumerate(graphs)
    ]
    return _outside(list(range(len(matched))), *labels)
