"""``aifgraph perturb``: how CASS falls when a known share of maps is changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import output_options
from aifgraph.cli.present import bar, draw, present, warn
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.changes import KINDS
from aifgraph.evaluation.usual import USUAL_KINDS

#: What the picture calls a score and a layer.
_SCORES = {"kappa": "CASS-κ", "f1": "CASS-F1"}


@click.command()
@click.argument("corpus")
@click.option(
    "--kinds",
    default="+".join((*USUAL_KINDS, "all")),
    show_default=True,
    metavar="NAMES",
    help=f"Joined by +, of {', '.join(KINDS)}, all (= {' and '.join(USUAL_KINDS)}).",
)
@click.option("--shares", default="0,5,10,20,40", show_default=True, metavar="PERCENT,…", help="How much is changed.")
@click.option("--draws", type=int, default=5, show_default=True, help="Times that each share is drawn.")
@click.option("--words", type=int, default=2, show_default=True, help="boundaries: how many words they move by.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.svg",
    help="CASS by share, as a picture: a panel a kind, a line a score and layer.",
)
@compare_options
@output_options()
def perturb(
    corpus: str,
    kinds: str,
    shares: str,
    draws: int,
    words: int,
    plot: Path | None,
    format_: str,
    output: Path | None,
    **given: Any,
) -> int:
    """Compare CORPUS with copies of itself with some percent changed: it shows what a score means.

    Scores are means over the draws, each the macro score of all maps; low and high hold 95 % of the draws between them.
    Maps that cannot be read are listed and left out, and the exit code is 2.

    \b
    Examples:
      aifgraph perturb maps/
      aifgraph perturb maps.zip --shares 0,10,20 --kinds types+reversed+spurious --format csv -o noise.csv
      aifgraph perturb maps/ --kinds boundaries --words 3 --draws 20
      aifgraph perturb maps/ --plot noise.svg
    """
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.evaluation.perturbation import noise_floor

    options = options_from(given)
    if options.chance:
        raise OptionError("chance is worked out for pairs of analyses", remedy="leave --chance out, or use compare")
    try:
        given_shares = [float(percent) / 100 for percent in shares.split(",")]
    except ValueError:
        raise OptionError(f"shares is {shares!r}", remedy="give percentages such as 0,5,10") from None
    chosen = [kind.strip() for kind in kinds.split("+") if kind.strip()]
    if not chosen:
        raise OptionError("no kind is named", remedy=f"choose from {', '.join(KINDS)}, all")
    opened = open_corpus(corpus)
    with bar(f"perturbing {opened.name}") as progress:
        result = noise_floor(
            opened,
            given_shares,
            chosen,
            draws=draws,
            seed=options.seed,
            words=words,
            options=options,
            progress=progress,
        )
    if not result.points[0].maps:
        more = f": {result.failed[0]}" if result.failed else ""
        raise InputError(f"no map in it can be read{more}", where=corpus)
    warn([*opened.notices, *result.failed])
    if plot is not None:
        from aifgraph.report.plots import curves

        panels = {
            kind: {(_SCORES[score], layer): line for (score, layer), line in lines.items()}
            for kind, lines in result.lines().items()
        }
        draw(plot, curves, panels, title="CASS against perturbed copies", across="changed, %", up="macro CASS, 0 to 1")
    present(result, result.tables(), format_, output, signature=result.signature)
    return 2 if result.failed else 0
