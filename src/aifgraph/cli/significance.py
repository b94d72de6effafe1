"""``aifgraph significance``: are two systems, held against one gold corpus, really different?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.output import output_options, put, warn
from aifgraph.cli.run_options import worker_options, workers_from
from aifgraph.corpus.corpus import open_corpus
from aifgraph.evaluation.compare_corpora import compare_corpora
from aifgraph.evaluation.significance import significance as test
from aifgraph.report.corpora import significance_tables
from aifgraph.tables.render import render


def named(paths: tuple[str, ...]) -> dict[str, str]:
    """Corpora by a short name: that of the folder or file, the whole path where two have the same."""
    names = [Path(path).name or path for path in paths]
    return {name if names.count(name) == 1 else path: path for name, path in zip(names, paths, strict=True)}


@click.command()
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@click.option("--scores", default="kappa+f1", show_default=True, metavar="NAMES", help="Scores, joined by +.")
@click.option(
    "--layer",
    type=click.Choice(["all", "propositional", "dialogical"]),
    default="all",
    show_default=True,
    help="CASS of the whole, or of one layer.",
)
@click.option("--rounds", type=int, default=10_000, show_default=True, help="Times that results are swapped.")
@click.option("--seed", type=int, default=0, show_default=True, help="0 to 2³²−1; the same seed, the same numbers.")
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
    gold: str, systems: tuple[str, ...], format_: str, output: Path | None, scores: str, layer: str, **given: Any
) -> int:
    """Whether SYSTEMS differ in macro CASS against GOLD: paired approximate randomisation over texts, with Holm.

    \b
    Examples:
      aifgraph significance gold/ system1/ system2/
      aifgraph significance gold.zip a.zip b.zip c.zip --scores kappa --missing zero --format latex
    """
    options, workers = options_from(given), workers_from(given)
    first = open_corpus(gold)
    results = {}
    for name, path in named(systems).items():
        result = compare_corpora(first, path, options=options, details=False, workers=workers, missing=given["missing"])
        warn(f"{name}: {pair}: not compared: {error}" for pair, error in result.failed)
        results[name] = result
    chosen = [each.strip() for each in scores.split("+") if each.strip()]
    found = test(results, chosen, layer="" if layer == "all" else layer, rounds=given["rounds"], seed=given["seed"])
    if format_ == "json":
        put(json.dumps(found.to_dict(), ensure_ascii=False, indent=1), output)
    else:
        lead = {
            "text": f"{found.signature}\n\n",
            "markdown": f"`{found.signature}`\n\n",
            "latex": f"% {found.signature}\n",
        }
        tables = significance_tables(found)
        put(lead.get(format_, "") + render(tables[1] if format_ == "csv" else tables, format_), output)
    return 2 if any(result.failed for result in results.values()) else 0
