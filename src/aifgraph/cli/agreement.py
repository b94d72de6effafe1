"""``aifgraph agreement``: how far several annotators of a corpus agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aifgraph.cli.compare_options import compare_options, options_from
from aifgraph.cli.options import (
    FILE,
    corpora_by_name,
    interval_options,
    output_options,
    pairing_options,
    plot_option,
    rounds_option,
    worker_options,
    workers_from,
)
from aifgraph.cli.present import bar, draw, present, warn
from aifgraph.comparison.cass import SCORE_LAYERS
from aifgraph.errors import InputError
from aifgraph.evaluation.usual import PERIODS

if TYPE_CHECKING:
    from aifgraph.comparison.cass import ScoreLayer
    from aifgraph.evaluation.agreement import Period


@click.command()
@click.argument("corpora", nargs=-1, required=True)
@pairing_options
@click.option(
    "--layer",
    type=click.Choice(SCORE_LAYERS),
    default="all",
    show_default=True,
    help="CASS of the whole, or of one layer.",
)
@click.option("--intervals", is_flag=True, help="Bootstrap intervals over texts.")
@rounds_option
@interval_options
@click.option("--over-time", type=click.Choice(list(PERIODS)), help="Also by the date when a map was last changed.")
@click.option("--batches", type=FILE, metavar="FILE.tsv", help="Also by batch (columns name and batch).")
@plot_option
@worker_options
@compare_options
@output_options()
def agreement(
    corpora: tuple[str, ...],
    layer: ScoreLayer,
    over_time: Period | None,
    batches: Path | None,
    plot: Path | None,
    format_: str,
    output: Path | None,
    **given: Any,
) -> int:
    """CASS of every two annotators, each against the rest, and of all: Krippendorff's alpha and Fleiss' kappa.

    CORPORA are folders or archives, one an annotator; not everybody need do every text. Also who uses which label
    more, which labels are taken for one another, and agreement by scheme and by speaker.

    \b
    Examples:
      aifgraph agreement ann/ ben/ cleo/
      aifgraph agreement ann/ ben/ --intervals --over-time month
      aifgraph agreement maps/ maps/ --pairs pairs.tsv --layer propositional --jobs -1
      aifgraph agreement ann.zip ben.zip cleo.zip --format latex -o agreement.tex
      aifgraph agreement ann/ ben/ cleo/ --plot agreement.svg
    """
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.evaluation.agreement import agreement as agree

    workers, options = workers_from(given), options_from(given)
    opened = {name: open_corpus(path) for name, path in corpora_by_name(corpora).items()}
    with bar("comparing") as progress:
        result = agree(
            opened,
            pair_by=given["pairs"] or given["pair_by"],
            layer=layer,
            over_time=over_time,
            batches=_batches(batches) if batches else None,
            workers=workers,
            options=options,
            progress=progress,
        )
    warn(result.notices)
    warn(f"{name}: skipped: {error}" for name, error in result.failed)
    chosen = {name: given[name] for name in ("rounds", "level", "method")}
    intervals = result.intervals(seed=options.seed, **chosen) if given["intervals"] else {}
    if plot is not None:
        from aifgraph.report.plots import agreement_map

        values = {pair: scores.over[layer].cass["kappa"] for pair, scores in result.pairs.items()}
        draw(plot, agreement_map, result.annotators, values, title="CASS-κ of every two annotators (macro)")
    tables = [result.score_table()] if format_ == "csv" else result.tables(intervals)
    more = {"intervals": {name: each.to_dict() for name, each in intervals.items()}} if intervals else {}
    present(result, tables, format_, output, signature=result.signature, more=more)
    return 2 if result.failed else 0


def _batches(path: Path) -> dict[str, str]:
    """The batch of each text, from a table with the columns ``name`` and ``batch``."""
    from aifgraph.formats.files import decode_strict, read_bytes

    lines = decode_strict(read_bytes(path), str(path)).splitlines()
    columns = [name.strip() for name in lines[0].split("\t")] if lines else []
    if columns.count("name") != 1 or columns.count("batch") != 1:
        raise InputError(
            "the first line does not name the columns 'name' and 'batch'",
            where=str(path),
            remedy="give a table with tabs between columns, its first line name⇥batch",
        )
    batches: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            cells = [cell.strip() for cell in line.split("\t")]
            if len(cells) < len(columns):
                raise InputError("a line with too few columns", where=f"{path}, line {number}")
            name = cells[columns.index("name")]
            if name in batches:
                raise InputError(f"{name} is given twice", where=f"{path}, line {number}")
            batches[name] = cells[columns.index("batch")]
    return batches
