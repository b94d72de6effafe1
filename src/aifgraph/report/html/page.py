"""The page of a pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from markupsafe import Markup

from aifgraph.comparison.calculations.registry import CALCULATIONS
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.differences import Differences
from aifgraph.comparison.differences.words import costliest, summary
from aifgraph.comparison.scored_calculation import ScoredCalculation
from aifgraph.comparison.tables import meaning_table
from aifgraph.gc_pause import gc_paused
from aifgraph.report.html.embed import clean, environment, json_for_script, policy, static
from aifgraph.report.html.listed import ListedGroup, group_counts, groups_of, sentences
from aifgraph.report.html.matrices import shaded
from aifgraph.report.html.merged_map import MergedMap, merged_map
from aifgraph.report.html.page_data import page_data
from aifgraph.report.html.reference_scores import reference_scores
from aifgraph.report.html.text import text_view
from aifgraph.tables import Table
from aifgraph.version import __version__

#: A text of more rows than this is folded where nothing differs.
_FOLDED = 40
#: Notices that raise a doubt whether the two are analyses of one text.
_DOUBTS = ("text-overlap", "text-fit")


@gc_paused
def report_html(
    result: Comparison,
    *,
    title: str = "",
    home: str = "",
    assets: str = "",
    served: dict[str, Any] | None = None,
) -> str:
    """A self-contained page that shows a comparison.

    ``title`` stands in the heading (default: the names of the two maps); ``home`` is the address of a corpus page to
    link back to; ``assets`` is the address of a folder with the script and the style, for pages that share them (the
    page is then not self-contained). ``served`` tells a page of ``aifgraph adjudicate`` where its decisions go; without
    it the browser keeps them.

    >>> import aifgraph
    >>> graph = aifgraph.loads('{"nodes": [{"nodeID": 1, "type": "I", "text": "</script>"}], "edges": []}')
    >>> page = report_html(aifgraph.compare(graph, graph))
    >>> page.startswith("<!DOCTYPE html>"), page.count("</script>")
    (True, 2)
    """
    names = [*result.names]
    differences = result.differences()
    merged = merged_map(differences)
    counts = group_counts(differences)
    groups = groups_of(differences, merged, counts)
    text = text_view(result.alignment, merged, (row for group in groups for row in group.differences))
    analyses = (result.alignment.first, result.alignment.second)
    data = page_data(result, merged, differences, title or names[0].rsplit(".", 1)[0], served)
    script, style = static("report.js"), static("report.css")
    page = (
        environment()
        .get_template("report.html.j2")
        .render(
            title=title or " and ".join(names),
            names=names,
            # The names of the two maps are the title where there is no other.
            titled=not title,
            home=home,
            result=result,
            version=__version__,
            headline=_headline(result),
            lead=_lead(differences, groups),
            sentences=sentences(result, counts),
            short=replace(result.short_table(), title="", note=""),
            segmentation=_segmentation(result),
            groups=groups,
            doubts=_doubts(result),
            reference=reference_scores(result),
            text=text,
            # A long text opens with what differs.
            folded=text.count > _FOLDED,
            matrices=[_matrix(each) for each in result.counted.values()],
            questions={name: definition.question for name, definition in CALCULATIONS.items()},
            behind=result.breakdown.tables(),
            alignment=_alignment(merged),
            speakers=data["speakers"],
            left_out=[sum(not kind for kind in side.kinds) for side in analyses],
            chance=result.chance_table(),
            meaning=meaning_table(result.matched_by_meaning),
            policy=policy([script], [style], shared=bool(assets), asks=bool(served)),
            assets=assets,
            # Our own files, written for this place: they hold neither </script> nor </style> (a test looks).
            script=Markup(script),
            style=Markup(style),
            data=Markup(json_for_script(data)),
        )
    )
    return clean(page)


def _lead(differences: Differences, groups: list[ListedGroup]) -> dict[str, str]:
    """The sentence: before, in and after the link to the difference on which most hangs, if the page lists that."""
    common, most, rest = summary(differences.alignment, differences.rows)
    main = next((row.id for row in costliest(differences.rows)), "")
    listed = any(row.row.id == main for group in groups for row in group.differences)
    return {"before": common, "linked": most, "after": rest, "row": main if listed else ""}


def _doubts(result: Comparison) -> list[str]:
    """Why the two may be no analyses of one text."""
    return [notice.message for notice in result.warnings if notice.code in _DOUBTS]


def _headline(result: Comparison) -> list[dict[str, Any]]:
    undefined = result.undefined
    return [
        {"name": "CASS-κ", "value": result.cass["kappa"], "why": undefined.get("kappa", ""), "main": True},
        {"name": "CASS-F1", "value": result.cass["f1"], "why": undefined.get("f1", ""), "main": True},
        {"name": "M-κ", "value": result.mean["kappa"], "why": "mean κ of the calculations", "main": False},
        {"name": "M-F1", "value": result.mean["f1"], "why": "mean F1 of the calculations", "main": False},
        {"name": "S", "value": result.segmentation.S, "why": "segmentation similarity", "main": False},
        {"name": "n", "value": result.n, "why": "calculations that apply", "main": False},
    ]


def _matrix(each: ScoredCalculation) -> dict[str, Any]:
    return {
        "name": each.name,
        "applicable": each.applicable,
        "reason": each.reason,
        "labels": each.matrix.labels,
        "cells": shaded(each.matrix),
        "items": each.calculation.items_total,
        "decisions": each.matrix.total,
        "scores": each.scores,
        "table": Table(
            "",
            ("score", "value", "why undefined"),
            [(name.replace("_", " "), value, each.undefined.get(name, "")) for name, value in each.scores.items()],
        ),
    }


def _segmentation(result: Comparison) -> Table:
    scores = result.segmentation
    compared = "boundaries in the text" if scores.mode == "positions" else "units in common"
    row = (compared, scores.S, scores.B, scores.Pk, scores.WindowDiff)
    return Table("", ("what is compared", "S", "B", "Pk", "WindowDiff"), [row])


def _alignment(merged: MergedMap) -> list[dict[str, Any]]:
    """One row per element of propositions and locutions, parts under the unit they are part of."""
    rows = [
        {
            "element": each.number,
            "kind": each.kind,
            "status": each.status,
            "first": each.first,
            "second": each.second,
            "similarity": each.similarity,
            "because": each.because if each.part_of is None else "joined as part of the row above",
        }
        for each in merged.elements
        if each.kind in ("I", "L")
    ]
    return sorted(rows, key=lambda row: row["kind"] != "I")
