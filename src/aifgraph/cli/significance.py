"""``aifgraph significance``: are two systems, compared with one gold corpus, really different?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import corpora_by_name, output_options, worker_options, workers_from
from aifgraph.cli.present import bar, present, warn
from aifgraph.comparison.cass import SCORE_LAYERS
from aifgraph.errors import OptionError

if TYPE_CHECKING:
    from aifgraph.comparison.cass import ScoreLayer


@click.command()
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@click.option("--scores", default="kappa+f1", show_default=True, metavar="NAMES", help="Scores, joined by +.")
@click.option(
    "--layer",
    type=click.Choice(SCORE_LAYERS),
    default="all",
    show_default=True,
    help="CASS of the whole, or of one layer.",
)
@click.option("--rounds", type=int, default=10_000, show_default=True, help="Times that results are swapped.")
@click.option(
    "--missing",
    type=click.Choice(["skip", "zero"]),
    default="skip",
    show_default=True,
    help="What a text counts that a system lacks.",
)
@worker_options
@compare_options
@output_options()
def significance(
    gold: str, systems: tuple[str, ...], format_: str, output: Path | None, scores: str, layer: ScoreLayer, **given: Any
) -> int:
    """Whether SYSTEMS differ in macro CASS against GOLD: paired approximate randomisation over texts, with Holm.

    \b
    Examples:
      aifgraph significance gold/ system1/ system2/
      aifgraph significance gold.zip a.zip b.zip c.zip --scores kappa --missing zero --format latex
    """
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.evaluation.compare_corpora import compare_corpora
    from aifgraph.evaluation.significance import significance as test

    options, workers = options_from(given), workers_from(given)
    if options.chance:
        raise OptionError("the test is of CASS, not of what is above chance", remedy="leave --chance out")
    first = open_corpus(gold)
    results = {}
    for name, path in corpora_by_name(systems).items():
        with bar(f"comparing {name}") as progress:
            result = compare_corpora(
                first,
                path,
                options=options,
                details=False,
                workers=workers,
                missing=given["missing"],
                progress=progress,
            )
        warn(f"{name}: {pair}: not compared: {error}" for pair, error in result.failed)
        results[name] = result
    names = [name.strip() for name in scores.split("+") if name.strip()]
    tested = test(results, names, layer=layer, rounds=given["rounds"], seed=options.seed)
    tables = tested.tables()
    present(tested, tables[1:] if format_ == "csv" else tables, format_, output, signature=tested.signature)
    return 2 if any(result.failed for result in results.values()) else 0
