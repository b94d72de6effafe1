"""``aifgraph plan``: how many texts to annotate twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import (
    output_options,
    pairing_options,
    plot_option,
    rounds_option,
    worker_options,
    workers_from,
)
from aifgraph.cli.present import bar, draw, present, warn
from aifgraph.errors import OptionError
from aifgraph.evaluation.usual import USUAL_SIZES


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--texts", default=",".join(map(str, USUAL_SIZES)), show_default=True, metavar="N,…", help="Sizes.")
@click.option("--width", type=float, metavar="0..1", help="Also say how many texts an interval of this width needs.")
@click.option("--level", type=float, default=0.95, show_default=True, metavar="0..1", help="Confidence of intervals.")
@rounds_option
@pairing_options
@plot_option
@worker_options
@compare_options
@output_options()
def plan(
    first: str,
    second: str,
    texts: str,
    width: float | None,
    plot: Path | None,
    format_: str,
    output: Path | None,
    **given: Any,
) -> int:
    """The width of the interval of each score by the number of texts annotated twice.

    FIRST and SECOND are the maps of two annotators in a pilot, paired as in compare. Texts of the pilot are drawn as
    often as a study would have them; the spread is the pilot's own.

    \b
    Examples:
      aifgraph plan pilot/ann pilot/ben
      aifgraph plan pilot/ann pilot/ben --texts 10,20,40 --width 0.1 --plot plan.svg
    """
    from aifgraph.evaluation.compare_corpora import compare_corpora
    from aifgraph.evaluation.planning import plan as plan_of

    workers, options = workers_from(given), options_from(given)
    try:
        sizes = [int(size) for size in texts.split(",") if size.strip()]
    except ValueError:
        raise OptionError(f"texts is {texts!r}", remedy="give numbers such as 10,20,40") from None
    with bar("comparing") as progress:
        pilot = compare_corpora(
            first,
            second,
            pair_by=given["pairs"] or given["pair_by"],
            options=options,
            details=False,
            workers=workers,
            progress=progress,
        )
    warn(pilot.notices)
    warn(f"{name}: not compared: {error}" for name, error in pilot.failed)
    result = plan_of(pilot, sizes, rounds=given["rounds"], seed=options.seed, level=given["level"])
    warn(result.notices)
    tables = [result.score_table()] if format_ == "csv" else result.tables(width)
    if plot is not None:
        from aifgraph.report.plots import curves

        title = f"{result.level:.0%} intervals, from {result.texts} texts"
        draw(plot, curves, result.panels(), title=title, across="texts annotated twice", up="macro CASS, 0 to 1")
    present(result, tables, format_, output, signature=result.signature)
    return 2 if pilot.failed else 0
