"""A second analyst who errs on purpose: how CASS falls when a share of a map is changed.

A score means little by itself; compared with what a known amount of disagreement gives, it can be read. Each kind of
change is made in ``share`` of the places where it can be made, and nothing else changes:

- ``segmentation``: a unit of four words or more is cut in two at a word drawn at random. (A locution takes its
  illocutions and propositions along: the second half is said, with the same illocution, for itself.)
- ``boundaries``: the boundary between two neighbouring units moves by a number of words.
- ``merged``: two neighbouring units become one (locutions only of one speaker).
- ``relations``: an RA, CA, MA or PA is dropped, changes its type, or moves one end to another proposition.
- ``dropped``: a relation is dropped, with the illocution that leads to it alone.
- ``spurious``: for a relation of the map, one more of its type between two propositions that none relates.
- ``types``: a relation changes its type.
- ``reversed``: the conclusion of a relation and a premise trade places.
- ``attachment``: a premise or a conclusion moves to another proposition.
- ``illocutions``: a YA (none that is ``Analysing``) gets another label, of those in the map or of the common ones.

Places are neighbours if no word of the text stands between them; without a text, if one follows the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from os import PathLike
from typing import Any

from aifgraph.comparison.cass import SCORE_LAYERS, ByScore, Fused, ScoreLayer, Scores
from aifgraph.comparison.compare import compare
from aifgraph.comparison.options import Options, signature_of
from aifgraph.corpus.corpus import Corpus, as_corpus
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.evaluation.changes import KINDS, EditableGraph, change_of
from aifgraph.evaluation.defaults import DEFAULT_KINDS
from aifgraph.evaluation.pooled import MacroScores, PooledScores
from aifgraph.evaluation.sums import MacroSums, Means
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.needed import needs_graph
from aifgraph.slips import answering
from aifgraph.stats.bootstrap import check_seed
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Document, Result, Table

__all__ = ["DEFAULT_KINDS", "KINDS", "NoiseFloor", "NoisePoint", "noise_floor", "perturb"]

#: The most draws of a share, and the most words that a boundary moves by.
MAX_DRAWS, MAX_WORDS = 1000, 100
#: The seeds of two draws lie so far apart: no map of a corpus gets the seed of another draw's map.
_APART = 1_000_003


def _kinds_in(kinds: Iterable[str]) -> list[str]:
    """The kinds in a list, or in a string as the command line takes it."""
    return [kind.strip() for kind in kinds.split("+")] if isinstance(kinds, str) else list(kinds)


@answering()
def perturb(
    graph: ArgumentGraph, share: float, kinds: Iterable[str] = DEFAULT_KINDS, *, seed: int = 0, words: int = 2
) -> ArgumentGraph:
    """A copy in which a share of the places of each kind is changed; the same seed makes the same changes.

    Of n places ``share`` × n are drawn, rounded down, and one more by the chance of the remainder. Kinds are applied
    one after the other, in the order of ``KINDS``.

    Args:
        share: from 0 to 1.
        kinds: what to change, as a list or joined by ``+``: ``segmentation``, ``boundaries``, ``relations``,
            ``illocutions`` …
        words: how many words ``boundaries`` move by.

    Raises:
        OptionError: a share outside 0 to 1, an unknown kind, a seed or a number of words out of range.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> relation = build.inference([reason], claim)
    >>> [node.text for node in perturb(build.graph(), 1.0, ["reversed"]).premises_of(relation)]
    ['Masks help']
    """
    needs_graph(graph, "perturb")
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise OptionError(f"a share of {share!r}"[:200], remedy="give one from 0 to 1")
    chosen = _kinds_in(kinds)
    if unknown := [kind for kind in chosen if kind not in KINDS]:
        raise OptionError(f"there is no kind {unknown[0]!r}", remedy=f"choose from {', '.join(KINDS)}")
    check_seed(seed)
    if not 1 <= words <= MAX_WORDS:
        raise OptionError(f"boundaries move by {words} words", remedy=f"give a number from 1 to {MAX_WORDS}")
    size = len(graph)
    for kind in KINDS:
        if kind in chosen and share:
            editable = EditableGraph(graph, share, random.Random(f"{seed}/{kind}/{share}/{size}"))
            change_of(kind, words)(editable)
            graph = editable.graph()
    return graph


@dataclass(frozen=True, kw_only=True)
class NoisePoint(PooledScores):
    """How ``maps`` maps agree with copies of which a ``share`` is changed, in one kind or in ``all``.

    ``S`` and ``over`` (M and CASS of the whole and of each layer, by score) are means over ``draws`` draws of the macro
    numbers; 95 % of the draws' CASS lie between ``low`` and ``high`` (percentiles, interpolated).
    """

    kind: str
    share: float
    maps: int
    draws: int
    low: Mapping[ScoreLayer, Scores]
    high: Mapping[ScoreLayer, Scores]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        layers = {
            layer: {"mean": scores.mean, "cass": scores.cass, "low": self.low[layer], "high": self.high[layer]}
            for layer, scores in self.over.items()
        }
        head = {"kind": self.kind, "share": self.share, "maps": self.maps, "draws": self.draws, "S": self.S}
        return {**head, **layers.pop("all"), "layers": layers}


#: A line of the picture: (percent changed, CASS, low, high).
Line = list[tuple[float, float | None, float | None, float | None]]


@dataclass(frozen=True, slots=True)
class NoiseFloor(Result):
    """How macro CASS falls: a point for each kind of change and each share."""

    points: tuple[NoisePoint, ...]
    signature: str
    #: The errors of the maps that could not be read.
    failed: tuple[str, ...] = ()

    def lines(self, scores: Sequence[str] = ("kappa", "f1")) -> dict[str, dict[tuple[str, ScoreLayer], Line]]:
        """By kind of change, then by score and layer: (percent changed, CASS, low, high)."""
        lines: dict[str, dict[tuple[str, ScoreLayer], Line]] = {}
        for point in self.points:
            panel = lines.setdefault(point.kind, {(score, layer): [] for score in scores for layer in SCORE_LAYERS})
            for (score, layer), line in panel.items():
                ends = point.low[layer][score], point.high[layer][score]
                line.append((100 * point.share, point.over[layer].cass[score], *ends))
        return lines

    def tables(self) -> list[Table]:
        """One row for each kind, share and layer in which there is something to score."""
        rows: list[list[Cell]] = []
        for point in self.points:
            for layer, scores in point.over.items():
                if scores.cass["kappa"] is None and scores.cass["f1"] is None and layer != "all":
                    continue
                row: list[Cell] = [point.kind, point.share, layer, point.maps, point.draws, point.S]
                for score in ("kappa", "f1"):
                    row += [scores.mean[score], scores.cass[score], point.low[layer][score], point.high[layer][score]]
                rows.append(row)
        head = ("changed", "share", "layer", "maps", "draws", "S")
        columns = (*head, "M-κ", "CASS-κ", "κ low", "κ high", "M-F1", "CASS-F1", "F1 low", "F1 high")
        note = "means over the draws; 95 % of the draws' CASS lie between low and high"
        return [Table("CASS against perturbed copies", columns, rows, note=note)]

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=self.tables(), signature=self.signature)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"signature": self.signature, "points": [point.to_dict() for point in self.points]}


@answering()
def noise_floor(
    corpus: Corpus | str | PathLike[str],
    shares: Iterable[float] = (0.0, 0.05, 0.1, 0.2, 0.4),
    kinds: Iterable[str] = (*DEFAULT_KINDS, "all"),
    *,
    draws: int = 5,
    seed: int = 0,
    words: int = 2,
    options: Options | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> NoiseFloor:
    """Macro CASS of a corpus against perturbed copies of itself, by kind and share. Maps that cannot be read are
    skipped.

    Args:
        shares: the shares of places to change, each from 0 to 1.
        kinds: as in :func:`aifgraph.perturb`; ``all`` changes units, relations and illocutions in
            one copy.
        draws: sets of copies for each share; of share 0, where nothing is drawn, there is one.
        words: how many words ``boundaries`` move by.

    Raises:
        OptionError: an unknown kind; a share, number of draws or of words, or a seed out of range.
    """
    if not 1 <= draws <= MAX_DRAWS:
        raise OptionError(f"{draws} draws", remedy=f"give a number from 1 to {MAX_DRAWS}")
    check_seed(seed)
    corpus = as_corpus(corpus)
    plan = [(kind, share, draws if share else 1) for kind, share in product(_kinds_in(kinds), list(shares))]
    copies, done = sum(number for _, _, number in plan), 0
    points = []
    failed: dict[str, str] = {}
    for kind, share, number in plan:
        chosen = DEFAULT_KINDS if kind == "all" else (kind,)
        scored = []
        for draw in range(number):
            scored.append(_drawn(corpus, share, chosen, seed + draw * _APART, words, options, failed))
            done += 1
            if progress:
                progress(done, copies)
        points.append(_point(kind, share, scored))
    how = f"perturb:{seed}.{draws}.{words}"
    return NoiseFloor(tuple(points), f"{signature_of(Options.given(options))}|{how}", tuple(failed.values()))


def _drawn(
    corpus: Corpus,
    share: float,
    kinds: Sequence[str],
    seed: int,
    words: int,
    options: Options | None,
    failed: dict[str, str],
) -> MacroScores:
    sums = MacroSums()
    for number, entry in enumerate(corpus):
        try:
            graph = entry.load()
        except AifgraphError as error:
            failed[entry.source] = str(error)
            continue
        changed = perturb(graph, share, kinds, seed=(seed + number) % 2**32, words=words)
        sums.add(compare(graph, changed, options=options))
    return sums.scores()


def _point(kind: str, share: float, scored: Sequence[MacroScores]) -> NoisePoint:
    similarity = Means()
    over: dict[ScoreLayer, Fused] = {}
    low: dict[ScoreLayer, Scores] = {}
    high: dict[ScoreLayer, Scores] = {}
    for scores in scored:
        similarity.add({"S": scores.S})
    for layer in SCORE_LAYERS:
        means, cass = Means(), Means()
        for scores in scored:
            means.add(scores.over[layer].mean)
            cass.add(scores.over[layer].cass)
        over[layer] = Fused(
            ByScore((name, means[name]) for name in SCORES), ByScore((name, cass[name]) for name in SCORES)
        )
        ends = {name: _middle([scores.over[layer].cass[name] for scores in scored]) for name in SCORES}
        low[layer] = {name: end[0] for name, end in ends.items()}
        high[layer] = {name: end[1] for name, end in ends.items()}
    return NoisePoint(
        kind=kind,
        share=share,
        maps=scored[0].pairs,
        draws=len(scored),
        S=similarity["S"],
        over=over,
        low=low,
        high=high,
    )


def _middle(values: Sequence[float | None]) -> tuple[float | None, float | None]:
    """The 2.5 % and 97.5 % percentiles of the values that are defined."""
    import numpy as np

    known = [value for value in values if value is not None]
    if not known:
        return None, None
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)
