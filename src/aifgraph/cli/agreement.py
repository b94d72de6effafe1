"""``aifgraph agreement``: how far several annotators of a corpus agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import corpora_by_name, output_options, plot_option
from aifgraph.cli.present import draw, present, warn
from aifgraph.corpus.corpus import open_corpus
from aifgraph.evaluation.agreement import agreement as agree


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
    result = agree({name: open_corpus(path) for name, path in corpora_by_name(corpora).items()}, options=options)
    warn(f"{name}: skipped: {error}" for name, error in result.failed)
    if plot is not None:
        from aifgraph.report.plots import agreement_map

        values = {pair: scores.cass["kappa"] for pair, scores in result.pairs.items()}
        draw(plot, agreement_map, result.annotators, values, title="CASS-κ of every two annotators (macro)")
    tables = result.tables()
    present(result, tables[:1] if format_ == "csv" else tables, format_, output, signature=result.signature)
    return 2 if result.failed else 0
