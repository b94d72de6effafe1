"""The whole comparison, in the shape of the library's JSON."""

from __future__ import annotations

from typing import Any

from .calculate import NAMES, NONE, Table, calculate
from .match import Matcher, Matching, Side
from .place import Axis, Placed, axis, place
from .read import RELATIONS, Analysis, read
from .score import LAYERS, SCORES, by_positions, by_units, fuse, masses, matrix_scores, mean
from .words import Source, words

DEFAULTS: dict[str, Any] = {
    "matching": "greedy",
    "granularity": "merge",
    "gate": True,
    "min_overlap": 0.5,
    "min_similarity": 0.5,
    "layers": "common",
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
        known = all(2 * len(p.runs) >= len(g.units()) for g, p in zip(graphs, placed, strict=True))
    mappings = (shared.first, shared.second)
    sides = [
        Side(g, _positions(g, placed[k], mappings[k]) if known else {n: set() for n in g.of("I", "L")})
        for k, g in enumerate(graphs)
    ]

    # Sections 2 to 4
    matcher = Matcher(sides[0], sides[1], shared.length, opts)
    propositions, locutions = matcher.match("I"), matcher.match("L")
    tables = calculate(graphs[0], graphs[1], propositions, locutions, opts)
    scores = {n: matrix_scores(t.cells) if t.applicable else dict.fromkeys(SCORES) for n, t in tables.items()}

    # Sections 6 and 7
    segmentation: dict[str, Any]
    if known:
        cuts = [masses(p, m, shared.length) for p, m in zip(placed, mappings, strict=True)]
        segmentation = {"mode": "positions", **by_positions(cuts[0], cuts[1]), "masses": cuts}
    else:
        s = by_units(graphs[0], graphs[1], [locutions, propositions])
        segmentation = {"mode": "units", "S": s, "B": None, "Pk": None, "WindowDiff": None, "masses": None}
    units = (len(graphs[0].units()), len(graphs[1].units()))
    has_words = any(words(g.said[u]) for g in graphs for u in g.units())

    def fused(names: tuple[str, ...]) -> dict[str, float | None]:
        chosen = {n: t for n, t in tables.items() if n in names}
        return {k: fuse(mean(chosen, scores, k), segmentation["S"], units, has_words) for k in SCORES}

    return {
        "first": _side(graphs[0], kinds[0], placed[0] if placed else None),
        "second": _side(graphs[1], kinds[1], placed[1] if placed else None),
        "text_overlap": shared.overlap,
        "alignment": {"propositions": _alignment(propositions), "locutions": _alignment(locutions)},
        "calculations": {n: _calculation(t, scores[n]) for n, t in tables.items()},
        "segmentation": segmentation,
        "mean": {k: mean(tables, scores, k) for k in SCORES},
        "cass": fused(tuple(tables)),
        "layers": {layer: fused(names) for layer, names in LAYERS.items()},
    }


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


def _positions(g: Analysis, placed: Placed, mapping: list[int]) -> dict[str, set[int]]:
    units = set(g.units())
    out: dict[str, set[int]] = {}
    for n in g.of("I", "L"):
        own = [n] if n in units else g.anchoring_locutions(n) or g.transition_locutions(n)
        out[n] = {mapping[w] for u in own for w in placed.position(u)}
    return out


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
            {"first": sorted(a), "second": sorted(b), "similarity": s}
            for (a, b), s in zip(matching.classes, matching.similarity, strict=True)
        ],
    }


def _calculation(table: Table, scores: dict[str, float | None]) -> dict[str, Any]:
    labels = [*sorted({k for cell in table.cells for k in cell if k != NONE}), NONE]
    return {
        "applicable": table.applicable,
        "items": table.items,
        "labels": [table.display.get(k, "none") for k in labels],
        "matrix": [[table.cells.get((r, c), 0) for c in labels] for r in labels],
        **scores,
    }
