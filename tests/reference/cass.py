"""The whole comparison, in the shape of the library's JSON."""

from __future__ import annotations

from typing import Any

from .breakdown import breakdown
from .calculate import NAMES, NONE, Table, calculate
from .chance import against_chance
from .explicit import NAME, explicit
from .match import Content, Matcher, Matching, Meaning, Side, normal
from .place import Axis, Placed, axis, place
from .read import RELATIONS, Analysis, read
from .score import LAYERS, SCORES, by_positions, by_units, empty, fuse, masses, matrix_scores, mean_of_part
from .words import Source, words

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
