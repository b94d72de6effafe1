"""``aifgraph import-predictions``: maps of predicted labels."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.present import put
from aifgraph.errors import InputError


@click.command(name="import-predictions")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("corpus")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="A new folder, FILE.zip or FILE.jsonl."
)
@click.option("--label", default="predicted", show_default=True, metavar="NAME", help="Column of the predicted labels.")
@click.option("--split", metavar="NAME", help="Only the rows of this split.")
def import_predictions(file: Path, corpus: str, output: Path, label: str, split: str | None) -> None:
    """Maps of CORPUS with the labels that a classifier predicts, from a FILE as `aifgraph export` writes it.

    FILE has the rows of the export with one more column. The relations (or illocutions, or units) of a map are taken
    away, and those that are predicted take their place; what has no row is predicted to be none.

    \b
    Examples:
      aifgraph import-predictions predicted.csv maps/ -o system/
      aifgraph import-predictions predicted.parquet maps/ --split test -o system.zip
      aifgraph evaluate maps/ system.zip --missing skip
    """
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.corpus.writer import write_maps
    from aifgraph.evaluation.training.predictions import Predictions

    if output.is_dir() and any(output.iterdir()):
        raise InputError("is there already, and not empty", where=str(output), remedy="name a new folder")
    predictions = Predictions(file, label, split=split)
    # All maps are made before the first is written: a fault in the last row writes nothing.
    graphs = list(predictions.maps(open_corpus(corpus)))
    written = write_maps(graphs, output)
    put(f"{output}: {written} maps ({predictions.task})", None)
