"""``evaluate`` and ``agreement``: systems against a gold corpus, and several annotators."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from aifgraph.cli import inputs, options
from aifgraph.cli.output import Output, failures, notices, progress

#: The tables of ``agreement`` that are shown without ``--details``.
_SHORT = ("CASS-κ of every two", "CASS-F1 of every two", "All at once", "Intervals", "Labels taken for one another")


@click.command()
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@click.option("--score", default="kappa", show_default=True, help="Score of CASS to rank by: kappa, f1, mcc …")
@click.option("--baselines", default="units+majority", show_default=True, help="Beside star and chain, or none.")
@options.comparison
@options.pairing(missing="zero")
@options.jobs
@options.output("text", "json", "csv", "latex", "markdown", "html")
def evaluate(gold: str, systems: Any, baselines: str, settings: options.Settings, output: Output, **how: Any) -> int:
    """Evaluate systems against a gold corpus.

    Macro CASS with intervals, baselines, and paired tests of every two systems
    and of each system with the best baseline. --details adds scores by label
    and by text.

    \b
    Examples:
      aifgraph evaluate gold/ system1/ system2/
      aifgraph evaluate gold.zip system.zip --chance 30 -o table.tex
    """
    from aifgraph.evaluation.leaderboard import evaluate

    kinds: Any = baselines.split("+") if baselines != "none" else ()
    how |= {"baselines": kinds, **settings.of("level", "rounds", "test_rounds")}
    others = inputs.open_by_name(systems)
    with progress("comparing") as moved:
        result = evaluate(gold, others, options=settings.options, progress=moved, **how)
    for name, compared in result.systems.items():
        lacking = compared.unpaired[0]
        notices([*compared.notices, *(f"lacks {text}" for text in lacking)], name)
    tables, scores = result.tables(), [result.score_table()]
    board, *rest = tables
    narrow = replace(board, columns=board.columns[:7], rows=[row[:7] for row in board.rows])  # without layers
    short = [narrow, *(table for table in rest if table.title not in ("Labels", "Texts"))]
    output.write(
        short if output.format == "text" else tables,
        every=lambda: tables,
        csv=scores,
        data=result.to_dict,
        signature=result.signature,
    )
    return failures([failure for of in result.systems.values() for failure in of.failed])


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@options.comparison
@options.intervals
@options.pairing()
@options.jobs
@options.output("text", "json", "csv", "latex", "markdown", "html")
def agreement(corpora: Any, intervals: bool, settings: options.Settings, output: Output, **how: Any) -> int:
    """Measure the agreement of two or more annotators.

    CASS of every two annotators, Krippendorff's alpha and Fleiss' kappa of all,
    labels that are confused. --details adds schemes, speakers and labels.
    CORPORA are one per annotator; not everybody need annotate every text.

    \b
    Examples:
      aifgraph agreement ann/ ben/ cleo/
      aifgraph agreement ann/ ben/ --intervals -o agreement.tex
    """
    from aifgraph.evaluation.agreement import agreement

    annotators = inputs.open_by_name(corpora)
    with progress("comparing") as moved:
        result = agreement(annotators, options=settings.options, progress=moved, **how, **settings.of("min_text"))
    notices(result.notices)
    drawn: dict[str, Any] = {}
    if intervals:
        draws = {**settings.of("level", "rounds"), "seed": settings.options.seed}
        drawn = {"intervals": result.intervals(**draws), "of_labels": result.label_intervals(**draws)}
    more = {
        "intervals": {pair: of.to_dict() for pair, of in drawn["intervals"].items()},
        "label_intervals": [{**number._asdict(), **of.to_dict()} for number, of in drawn["of_labels"].items()],
    } if drawn else {}  # fmt: skip
    tables = result.tables(**drawn)
    output.write(
        [table for table in tables if output.format != "text" or table.title.startswith(_SHORT)],
        every=lambda: tables,
        csv=[result.score_table()],
        data=lambda: {**result.to_dict(), **more},
        signature="|".join([result.signature, *{of.signature: None for of in drawn.get("intervals", {}).values()}]),
    )
    return failures(result.failed)
