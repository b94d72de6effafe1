"""``evaluate`` and ``agreement``: systems against a gold corpus, and several annotators."""

from __future__ import annotations

from typing import Any

import click

from aifgraph.cli import options
from aifgraph.cli.output import Output, failures, notices, progress

_SCORE = "Score to test, for example ER-kappa; the first ranks.  [default: argument M-kappa, CASS-kappa]"


@click.command()
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@click.option("--score", "scores", multiple=True, metavar="NAME", help=_SCORE)
@click.option("--baselines", default="units+chain+star", show_default=True, help="Baselines to add, or none.")
@options.comparison()
@options.pairing(missing="zero")
@options.names
@options.jobs
@options.output("text", "json", "csv", "latex", "markdown", "html")
def evaluate(
    gold: str, systems: Any, scores: Any, baselines: str, settings: options.Settings, output: Output, **how: Any
) -> int:
    """Evaluate systems against a gold corpus.

    The output has mean scores with intervals, for systems and baselines, and
    paired tests of every two systems and of each system with the best baseline.
    --details adds all numbers.

    \b
    Examples:
      aifgraph evaluate gold/ system1/ system2/
      aifgraph evaluate gold.zip system.zip --score ER-κ -o table.tex
    """
    from aifgraph.evaluation.evaluate import SCORES, evaluate

    how |= {key: settings.further[key] for key in ("min_text", "test_rounds")}
    how |= {"scores": scores or SCORES, "bootstrap": settings.bootstrap}
    how["baselines"] = baselines.split("+") if baselines != "none" else ()
    with progress("comparing") as moved:
        result = evaluate(gold, systems, options=settings.options, progress=moved, **how)
    notices(result.notices)
    for name, lacking in result.missing.items():
        notices((f"lacks {text}" for text in lacking), name)
    output.write_result(result, result.details)
    return failures([(f"{name}: {pair}", why) for name, of in result.failed.items() for pair, why in of.items()])


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@options.comparison()
@options.intervals
@options.pairing()
@options.names
@options.jobs
@options.output("text", "json", "csv", "latex", "markdown", "html")
def agreement(corpora: Any, intervals: bool, settings: options.Settings, output: Output, **how: Any) -> int:
    """Measure the agreement of two or more annotators.

    The output has the scores of every two annotators, and Krippendorff's alpha
    and Fleiss' kappa of all annotators. --details adds all numbers. CORPORA are
    one corpus for each annotator; an annotator can lack some texts.

    \b
    Examples:
      aifgraph agreement ann/ ben/ cleo/
      aifgraph agreement ann/ ben/ --intervals -o agreement.tex
    """
    from aifgraph.evaluation.agreement import agreement

    how |= {"bootstrap": settings.bootstrap if intervals else None, "min_text": settings.further["min_text"]}
    with progress("comparing") as moved:
        result = agreement(corpora, options=settings.options, progress=moved, **how)
    notices(result.notices)
    output.write_result(result, result.details)
    return failures([*result.failed.items()])
