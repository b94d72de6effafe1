"""``aifgraph export``: training data of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.options import seed_option
from aifgraph.cli.present import bar, put, warn
from aifgraph.errors import OptionError
from aifgraph.evaluation.training.data import USUAL_SPLITS
from aifgraph.evaluation.training.rows import COLUMNS, USUAL_WINDOW
from aifgraph.gc_pause import gc_paused
from aifgraph.tables import render

if TYPE_CHECKING:
    from aifgraph.evaluation.training.rows import Negatives, Task

_SPLITS = ",".join(f"{name}={share:g}" for name, share in USUAL_SPLITS.items())


@click.command()
@click.argument("corpus")
@click.option("--task", type=click.Choice(list(COLUMNS)), required=True, help="What a row is.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="FILE.csv, .jsonl, .jsonl.gz or .parquet; a new folder for Hugging Face's datasets, or .zip or .tar.gz of it.",
)
@click.option(
    "--negatives",
    default="1",
    show_default=True,
    metavar="K|all|near",
    help="relations: pairs without one: K for each pair with one, all, or those near each other.",
)
@click.option("--window", type=int, default=USUAL_WINDOW, show_default=True, help="near: so many propositions apart.")
@click.option("--splits", default=_SPLITS, show_default=True, metavar="NAME=SHARE,…", help="Splits by text.")
@seed_option(0, "Seed of the splits and of the pairs that are drawn.")
@gc_paused
def export(corpus: str, task: Task, output: Path, negatives: str, window: int, splits: str, seed: int) -> int:
    """Write rows of CORPUS for training: relations, illocutions or segmentation; their counts are printed.

    Relations are ordered pairs of propositions, in reading order. Illocutions are those of locutions and of
    transitions. Segmentation has the words of a source text with B, I and O. A text is in one split only.

    \b
    Examples:
      aifgraph export maps/ --task relations -o relations.csv
      aifgraph export maps/ --task relations --negatives near --window 5 -o relations.parquet
      aifgraph export maps/ --task illocutions --splits train=0.9,test=0.1 --seed 3 -o illocutions/
    """
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.evaluation.training.data import training_data
    from aifgraph.evaluation.training.files import write_training_data
    from aifgraph.evaluation.training.rows import RowOptions

    chosen: Negatives = negatives if negatives in ("all", "near") else _number(negatives)  # type: ignore[assignment]
    options = RowOptions(task, chosen, window, seed)
    opened = open_corpus(corpus)
    with bar("reading") as progress:
        data = training_data(opened, options, splits=_shares(splits), progress=progress)
    warn([*opened.notices, *(f"{name}: skipped: {error}" for name, error in data.failed)])
    write_training_data(data, output)
    put(render(data.tables(), "text"), None)
    return 2 if data.failed else 0


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(f"negatives is {text!r}", remedy="give all, near, or a number from 0 on") from None


def _shares(text: str) -> dict[str, float]:
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        try:
            shares[name.strip()] = float(share)
        except ValueError:
            raise OptionError(f"splits is {text!r}", remedy=f"give names and shares such as {_SPLITS}") from None
    return shares
