"""``aifgraph perturb``: how CASS falls when a known share of maps is changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import output_options
from aifgraph.cli.present import draw, present, warn
from aifgraph.corpus.corpus import open_corpus
from aifgraph.errors import OptionError
from aifgraph.evaluation.perturbation import KINDS, noise_floor


@click.command()
@click.argument("corpus")
@click.option("--kinds", default="+".join((*KINDS, "all")), show_default=True, metavar="NAMES", help="Joined by +.")
@click.option("--shares", default="0,5,10,20,40", show_default=True, metavar="PERCENT,…", help="How much is changed.")
@click.option("--seed", type=int, default=0, show_default=True, help="0 to 2³²−1; the same seed, the same changes.")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.svg", help="CASS-κ by share, as a picture."
)
@compare_options
@output_options()
def perturb(
    corpus: str, kinds: str, shares: str, seed: int, plot: Path | None, format_: str, output: Path | None, **given: Any
) -> None:
    """Compare CORPUS with copies of itself with some percent changed: it shows what a score means.

    \b
    Examples:
      aifgraph perturb maps/
      aifgraph perturb maps.zip --shares 0,10,20 --kinds relations --format csv -o noise.csv
      aifgraph perturb maps/ --plot noise.svg
    """
    options = options_from(given)
    try:
        given_shares = [float(percent) / 100 for percent in shares.split(",")]
    except ValueError:
        raise OptionError(f"shares is {shares!r}", remedy="give percentages such as 0,5,10") from None
    chosen = [kind.strip() for kind in kinds.split("+") if kind.strip()]
    result = noise_floor(open_corpus(corpus), given_shares, chosen, seed=seed, options=options)
    if result.points and not result.points[0].maps:
        warn([f"{corpus}: no map could be read"])
    if plot is not None:
        from aifgraph.report.plots import curves

        draw(plot, curves, result.curves(), title="CASS-κ against perturbed copies", across="changed, %", up="CASS-κ")
    present(result, result.tables(), format_, output, signature=result.signature)
