"""Reference scores: what chance and systems that look at nothing would reach, next to the scores of a pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from aifgraph.comparison.cass import ScoreLayer, fuse
from aifgraph.comparison.chance import expected_means, too_few
from aifgraph.comparison.compare import compare
from aifgraph.comparison.comparison import Comparison
from aifgraph.errors import AifgraphError
from aifgraph.evaluation.baselines import Kind, baseline

#: Rounds of chance where none were asked for, and the most nodes of both maps for which they are worked out.
ROUNDS: Final = 10
SMALL: Final = 800
#: The most nodes of both maps for which trivial systems are compared.
MEDIUM: Final = 8000
_SYSTEMS: Final[tuple[tuple[Kind, str, str], ...]] = (
    ("units", "no relation at all", "the second’s units without any relation"),
    ("star", "all support the first", "the second’s units, all supporting the first"),
    ("chain", "each supports the one before", "the second’s units, each supporting the one before"),
)
#: A layer, or the argument among what was said.
Part: TypeAlias = ScoreLayer | Literal["explicit"]
_NAMES: Final[dict[Part, str]] = {
    "all": "Everything",
    "propositional": "The argument",
    "explicit": "… among what was said (κ)",
    "dialogical": "The dialogue",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """What something else reaches: its name, its CASS, and what it is."""

    name: str
    value: float | None
    what: str


@dataclass(frozen=True, slots=True)
class LayerScores:
    """CASS of the whole or of a layer, or kappa and F1 of the argument among what was said, and what stands next to it:
    the same marks in the same order in each."""

    layer: Part
    name: str
    kappa: float | None
    f1: float | None
    reason: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class ReferenceScores:
    """Every layer that is defined, with notes on how the numbers were made."""

    layers: tuple[LayerScores, ...]
    note: str


def reference_scores(result: Comparison, *, small: int = SMALL, medium: int = MEDIUM) -> ReferenceScores:
    """The whole, both layers and the argument among what was said against chance and three trivial systems, as far as
    the maps are small enough.

    ``small`` and ``medium`` are the most nodes of both maps for which chance and the systems are worked out.

    >>> import aifgraph
    >>> first = aifgraph.load("fixtures/debate/first.json")
    >>> references = reference_scores(aifgraph.compare(first, aifgraph.load("fixtures/debate/second.json")))
    >>> [(each.name, round(each.marks[-1].value, 3)) for each in references.layers]
    [('Everything', 0.654), ('The argument', 0.466), ('… among what was said (κ)', 0.298), ('The dialogue', 0.694)]
    """
    size = len(result.first) + len(result.second)
    systems = list(_systems(result)) if size <= medium and not result.options.encoder else []
    chance, chance_note = _chance(result, size <= small)
    layers: list[LayerScores] = []
    for layer in _NAMES:
        if layer == "explicit":
            if result.explicit is None:
                continue
            scores, reasons = result.explicit.scores, result.explicit.undefined
        else:
            fused = result.over[layer]
            if layer != "all" and fused.mean["kappa"] is None and fused.mean["f1"] is None:
                continue
            scores, reasons = fused.cass, fused.reasons
        marks = [Mark("at random", chance[layer], chance_note)] if chance else []
        marks += [Mark(name, values[layer], what) for name, what, values in systems]
        layers.append(
            LayerScores(
                layer,
                _NAMES[layer],
                scores["kappa"],
                scores["f1"],
                reasons.get("kappa", ""),
                tuple(marks),
            )
        )
    told = [f"{name}: {what}" for name, what, _ in systems] or ["trivial systems are not worked out for this pair"]
    return ReferenceScores(tuple(layers), "; ".join([*told, chance_note]))


def _systems(result: Comparison) -> Iterator[tuple[str, str, dict[Part, float | None]]]:
    """Each trivial system made of the second's units, against the first."""
    first_text, second_text = result.alignment.placement.texts
    # A text that only the first has serves both, and so it has the order of the second's units.
    shared = replace(first_text, spans=None) if first_text is not None else None
    second = result.second.with_meta(source=second_text or shared)
    for kind, name, what in _SYSTEMS:
        try:
            against = compare(
                result.first,
                baseline(second, kind),
                first_text=first_text,
                second_text=second_text,
                options=result.options.changed(chance=None),
            )
        except AifgraphError:
            continue
        values: dict[Part, float | None] = {layer: of.cass["kappa"] for layer, of in against.over.items()}
        yield name, what, {**values, "explicit": against.explicit["kappa"] if against.explicit else None}


def _chance(result: Comparison, small: bool) -> tuple[dict[Part, float | None], str]:
    """CASS of what M is by chance, in every layer, kappa by chance among what was said, and how they were made."""
    options = result.options
    means: dict[Part, float | None]
    if result.chance:
        means = {layer: each.mean["kappa"] for layer, each in result.chance.over.items()}
        means["explicit"] = result.chance.explicit.mean["kappa"] if result.chance.explicit else None
        rounds = result.chance.rounds
    elif small and not options.encoder and not too_few(result.alignment):
        applies = result.explicit is not None
        expected = expected_means(result.alignment, options, ROUNDS, ("kappa",), explicit=applies)
        means, rounds = {part: of["kappa"] for part, of in expected.items()}, ROUNDS
    else:
        return {}, "chance is not worked out for this pair (--chance 30 does it)"
    note = f"at random: which node is which drawn at random, {rounds} times, seed {options.seed}"
    similarity = result.segmentation.S
    return {part: mean if part == "explicit" else fuse(mean, similarity) for part, mean in means.items()}, note
