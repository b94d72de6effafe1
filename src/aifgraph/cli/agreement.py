"""``aifgraph agreement``: how far several annotators of a corpus agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.output import draw, output_options, plot_option, put, warn
from aifgraph.cli.significance import named
from aifgraph.corpus.corpus import open_corpus
from aifgraph.evaluation.agreement import agreement as agree
from aifgraph.report.corpora import agreement_tables
from aifgraph.tables.render import render


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@plot_option
@compare_options
@output_options()
def agreement(corpora: tuple[str, ...], plot: Path | None, format_: str, output: Path | None, **given: Any) -> int:
    """CASS of every two annotators, each against the rest, and of all: Krippendorff's alpha and Fleiss' kappa.

    CORPORA are folders or archives, one an annotator; maps belong together by name. Not everybody need do every text.

    \b
    Examples:
      aifgraph agreement ann/ ben/ cleo/
      aifgraph agreement ann.zip ben.zip cleo.zip --format latex -o agreement.tex
      aifgraph agreement ann/ ben/ cleo/ --plot agreement.svg
    """
    options = options_from(given)
    found = agree({name: open_corpus(path) for name, path in named(corpora).items()}, options=options)
    warn(f"{name}: left out: {error}" for name, error in found.failed)
    if plot is not None:
        from aifgraph.report.score_plots import agreement_map

        values = {pair: each["cass"]["kappa"] for pair, each in found.pairs.items()}
        draw(plot, agreement_map, found.annotators, values, title="CASS-κ of every two annotators (macro)")
    if format_ == "json":
        put(json.dumps(found.to_dict(), ensure_ascii=False, indent=1), output)
    else:
        lead = {
            "text": f"{found.signature}\n\n",
            "markdown": f"`{found.signature}`\n\n",
            "latex": f"% {found.signature}\n",
        }
        tables = agreement_tables(found)
        put(lead.get(format_, "") + render(tables[0] if format_ == "csv" else tables, format_), output)
    return 2 if found.failed else 0
