"""``aifgraph evaluate``: a leaderboard of systems against a gold corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import (
    corpora_by_name,
    interval_options,
    output_options,
    rounds_option,
    worker_options,
    workers_from,
)
from aifgraph.cli.present import bar, counted, present, put, warn
from aifgraph.errors import OptionError
from aifgraph.evaluation.baselines import KINDS
from aifgraph.stats.scores import SCORES
from aifgraph.tables import FORMATS


@click.command()
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@click.option("--score", type=click.Choice(list(SCORES)), default="kappa", show_default=True, help="Rank by it.")
@click.option(
    "--baselines",
    default="+".join(KINDS),
    show_default=True,
    metavar="NAMES|none",
    help="Trivial systems to show too, joined by +.",
)
@click.option("--pair-by", default="name", show_default=True, metavar="name|text|FILE", help="How maps are paired.")
@click.option(
    "--missing",
    type=click.Choice(["zero", "skip"]),
    default="zero",
    show_default=True,
    help="What a text counts that a system lacks.",
)
@rounds_option
@interval_options
@click.option("--test-rounds", type=int, default=10_000, show_default=True, help="Times that results are swapped.")
@worker_options
@compare_options
@output_options((*FORMATS, "html"))
def evaluate(
    gold: str, systems: tuple[str, ...], format_: str, output: Path | None, baselines: str, **given: Any
) -> int:
    """A leaderboard of SYSTEMS against GOLD: CASS with intervals, each label, chance, trivial systems, tests.

    Scores above chance are worked out in 30 rounds unless --chance says otherwise.

    \b
    Examples:
      aifgraph evaluate gold/ system1/ system2/
      aifgraph evaluate gold.zip a.zip b.zip --format html -o leaderboard.html
      aifgraph evaluate gold/ system/ --baselines none --score f1 --format latex
    """
    from aifgraph.comparison.chance import USUAL_ROUNDS
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.evaluation.leaderboard import evaluate as rank

    workers, options = workers_from(given), options_from(given)
    if options.chance is None:
        options = options.changed(chance=USUAL_ROUNDS)
    names = [] if baselines == "none" else [name.strip() for name in baselines.split("+") if name.strip()]
    kinds = [kind for kind in KINDS if kind in names]
    if unknown := set(names) - set(KINDS):
        raise OptionError(f"there is no baseline {min(unknown)!r}", remedy=f"choose from {', '.join(KINDS)}, or none")
    with bar("comparing") as progress:
        result = rank(
            open_corpus(gold),
            {name: open_corpus(path) for name, path in corpora_by_name(systems).items()},
            baselines=kinds,
            workers=workers,
            options=options,
            progress=progress,
            **given,
        )
    for name, compared in result.systems.items():
        warn(f"{name}: {notice}" for notice in compared.notices)
        warn(f"{name}: {text}: not compared: {error}" for text, error in compared.failed)
        if lacking := compared.unpaired[0]:
            what = "counts 0" if compared.missing == "zero" else "is left out"
            shown = ", ".join(lacking[:5]) + (" …" if lacking[5:] else "")
            warn([f"{name}: lacks {counted(len(lacking), 'text')}, each of which {what}: {shown}"])
    if format_ == "html":
        from aifgraph.report.html.tables import tables_html

        put(tables_html("Leaderboard", result.tables(), result.signature), output)
    else:
        tables = [result.score_table()] if format_ == "csv" else result.tables()
        present(result, tables, format_, output, signature=result.signature)
    return 2 if any(compared.failed for compared in result.systems.values()) else 0
