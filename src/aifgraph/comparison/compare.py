"""``compare``: two analyses of one text, from graphs to a ``Comparison``.

load → **align → compare → score** → report: the graphs are aligned (``aifgraph.align``), counted
(``aifgraph.comparison.calculations``) and scored (``aifgraph.comparison.cass``); the result holds all three.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from aifgraph.align.alignment import MatchingRules, align
from aifgraph.align.candidates import Gate
from aifgraph.comparison.calculations.registry import calculate
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.measures.registry import measure_all, measures_named
from aifgraph.comparison.options import OptionKeywords, Options
from aifgraph.comparison.scored_calculation import ScoredCalculation, ScoredCalculations
from aifgraph.comparison.segmentation import segmentation_of
from aifgraph.comparison.sides import checked_names
from aifgraph.formats import Source, load
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, SourceText


@gc_paused
def compare(
    first: ArgumentGraph | Source,
    second: ArgumentGraph | Source,
    *,
    first_text: str | SourceText | None = None,
    second_text: str | SourceText | None = None,
    names: tuple[str, str] | None = None,
    metrics: str | Iterable[str] = (),
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Comparison:
    """Compare two analyses of one text with CASS.

    Swapping the two transposes every matrix and leaves the symmetric scores as they are.

    Source: Duthie, Lawrence, Budzynska and Reed 2016, as defined in ``docs/measures.md``.

    Args:
        first: a graph, or whatever :func:`aifgraph.load` takes: a path, an open file, a parsed document, an address.
            Rows of matrices are its.
        second: the other analysis, given in the same way. Columns of matrices are its.
        first_text: the source text of the first, which may be marked up; None for that of the graph. A text that only
            one side has serves both.
        second_text: the source text of the second, in the same way.
        names: names for the two sides, as in :meth:`Comparison.named`.
        metrics: names of measures other than CASS, as a list or joined by ``+``, or ``all``.
        options: how to compare; None for the defaults.
        **keywords: fields of :class:`aifgraph.Options`, which stand in place of those of ``options``. Relations and
            calculations are given by name or code, as a list or joined: ``relations="RA+CA"``, ``calculations=["PR",
            "TR"]``.

    Raises:
        OptionError: there is no such option, or not with such a value.
        InputError: a map cannot be read (``FormatError``, ``NotFoundError``, ``LimitError``).
        RemoteError: a server does not answer as it should, for an address.

    >>> import aifgraph
    >>> graph = aifgraph.loads('{"nodes": [{"nodeID": 1, "type": "I", "text": "Masks help"}], "edges": []}')
    >>> result = aifgraph.compare(graph, graph)
    >>> result.cass["kappa"] is None, result.undefined["kappa"]
    (True, 'no calculation applies')
    """
    chosen = Options.given(options, **keywords)
    further = measures_named(metrics)
    sides = checked_names(*names) if names else None
    first = first if isinstance(first, ArgumentGraph) else load(first)
    second = second if isinstance(second, ArgumentGraph) else load(second)
    gate = Gate(chosen.gate, chosen.min_overlap, chosen.min_similarity)
    alignment = align(
        first,
        second,
        MatchingRules(chosen.matching, chosen.granularity, gate, chosen.encoder, chosen.min_meaning),
        first_text=SourceText(first_text, "given") if isinstance(first_text, str) else first_text,
        second_text=SourceText(second_text, "given") if isinstance(second_text, str) else second_text,
    )
    calculations, notices = calculate(alignment, chosen.calculations, types=chosen.relations, layers=chosen.layers)
    warnings = [
        *(replace(notice, message=f"first: {notice.message}") for notice in first.notices),
        *(replace(notice, message=f"second: {notice.message}") for notice in second.notices),
        *alignment.placement.notices,
        *notices,
    ]
    return Comparison(
        alignment,
        ScoredCalculations({name: ScoredCalculation(of, alignment) for name, of in calculations.items()}),
        segmentation_of(alignment, chosen.segmentation),
        chosen,
        tuple(warnings),
        names=sides,
        measures=measure_all(alignment, further),
    )
