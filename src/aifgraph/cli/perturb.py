"""``aifgraph perturb``: how CASS falls when a known share of maps is changed."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.output import output_options, put, warn
from aifgraph.comparison.signature import signature
from aifgraph.corpus.corpus import open_corpus
from aifgraph.errors import OptionError
from aifgraph.evaluation.perturbation import KINDS, noise_floor
from aifgraph.formats.files import write_atomic
from aifgraph.report.corpora import noise_table
from aifgraph.tables.render import render


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
    """Hold CORPUS against copies of itself with some percent changed: what a score means can be read off.

    \b
    Examples:
      aifgraph perturb maps/
      aifgraph perturb maps.zip --shares 0,10,20 --kinds relations --format csv -o noise.csv
      aifgraph perturb maps/ --plot noise.svg
    """
    options = options_from(given)
    try:
        given_shares = [float(each) / 100 for each in shares.split(",")]
    except ValueError:
        raise OptionError(f"shares is {shares!r}", remedy="give percentages such as 0,5,10") from None
    chosen = [each.strip() for each in kinds.split("+") if each.strip()]
    points = list(noise_floor(open_corpus(corpus), given_shares, chosen, seed=seed, options=options))
    if points and not points[0].maps:
        warn([f"{corpus}: no map could be read"])
    line = f"{signature(options)}|perturb:{seed}"
    if plot is not None:
        from aifgraph.report.plots import format_of
        from aifgraph.report.score_plots import curves

        lines = {
            kind: [(100 * p.share, p.cass["kappa"]) for p in points if p.kind == kind] for kind in dict.fromkeys(chosen)
        }
        picture = curves(
            lines, title="CASS-κ against perturbed copies", across="changed, %", up="CASS-κ", format=format_of(plot)
        )
        write_atomic(plot, picture)
    if format_ == "json":
        data = {"signature": line, "points": [asdict(point) for point in points]}
        put(json.dumps(data, ensure_ascii=False, indent=1), output)
        return
    lead = {"text": f"{line}\n\n", "markdown": f"`{line}`\n\n", "latex": f"% {line}\n"}
    put(lead.get(format_, "") + render(noise_table(points), format_), output)
