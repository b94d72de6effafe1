"""``aifgraph export`` and ``import-predictions``: training data of a corpus, and maps of predicted labels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from aifgraph.cli.command import Command, argument, option
from aifgraph.cli.options import PATH, required_output, seed_option
from aifgraph.cli.output import Output
from aifgraph.cli.terminal import bar, warn
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.training.data import DEFAULT_SPLITS
from aifgraph.evaluation.training.rows import COLUMNS, DEFAULT_WINDOW
from aifgraph.gc_pause import gc_paused
from aifgraph.printable import quantity

if TYPE_CHECKING:
    from aifgraph.evaluation.training.rows import Negatives, Task

_SPLITS = ",".join(f"{name}={share:g}" for name, share in DEFAULT_SPLITS.items())


@dataclass(frozen=True, kw_only=True)
class Export(Command):
    """Write rows of CORPUS for training.

    Relations, illocutions or segmentation; their counts are printed.

    Relations are ordered pairs of propositions, in reading order; in splits other than train every pair is a row, or
    every near one. Illocutions are those of locutions and of transitions. Segmentation has the words of a source text
    with B, I and O. A text is in one split only.

    \b
    Examples:
      aifgraph export maps/ --task relations -o relations.csv
      aifgraph export maps/ --task relations --negatives near --window 5 -o relations.parquet
      aifgraph export maps/ --task illocutions --splits train=0.9,test=0.1 --seed 3 -o illocutions/
    """

    corpus: str = argument()
    task: Task = option(None, required=True, choices=COLUMNS, help="What a row is.")
    output: Path = required_output(
        "FILE.csv, .jsonl, .jsonl.gz or .parquet; or a folder, .zip or .tar.gz for Hugging Face's datasets."
    )
    negatives: str = option(
        "1",
        metavar="K|all|near",
        help="relations: which pairs are rows: all, near ones, or in train K without a relation for each with one.",
    )
    window: int = option(DEFAULT_WINDOW, help="near: at most this many propositions apart.")
    splits: str = option(_SPLITS, metavar="NAME=SHARE,…", help="Shares of the texts in each split.")
    seed: int = seed_option(help="Seed of the splits and of the random choice of pairs.")

    @gc_paused
    def run(self) -> Output:
        from aifgraph.corpus.corpus import open_corpus
        from aifgraph.evaluation.training.data import training_data, write_training_data
        from aifgraph.evaluation.training.rows import RowOptions

        options = RowOptions(self.task, _negatives(self.negatives), self.window, self.seed)
        corpus = open_corpus(self.corpus)
        with bar("reading") as progress:
            data = training_data(corpus, options, splits=_shares(self.splits), progress=progress)
        warn([*corpus.notices, *data.notices, *(f"{name}: skipped: {error}" for name, error in data.failed)])
        write_training_data(data, self.output)
        return Output(tables=data.tables(), code=2 if data.failed else 0)


def _negatives(text: str) -> Negatives:
    if text in ("all", "near"):
        return text  # type: ignore[return-value]
    try:
        return int(text)
    except ValueError:
        raise OptionError(f"negatives is {text!r}", remedy="give all, near, or a number from 0 on") from None


def _shares(text: str) -> dict[str, float]:
    shares: dict[str, float] = {}
    for item in text.split(","):
        name, _, share = item.partition("=")
        try:
            shares[name.strip()] = float(share)
        except ValueError:
            raise OptionError(f"splits is {text!r}", remedy=f"give names and shares such as {_SPLITS}") from None
    return shares


@dataclass(frozen=True, kw_only=True)
class ImportPredictions(Command):
    """Maps of CORPUS with a classifier's labels.

    They are read from a FILE as `aifgraph export` writes it.

    FILE has the rows of the export with one more column. The relations (or illocutions, or units) of a map are
    replaced by those that are predicted; an illocution without a row is predicted to be none. Pairs that were sampled
    (the split train of `export --negatives K`) are refused: they tell which propositions are related.

    \b
    Examples:
      aifgraph import-predictions predicted.csv maps/ -o system/
      aifgraph import-predictions predicted.parquet maps/ --split test -o system.zip
      aifgraph evaluate maps/ system.zip --missing skip
    """

    file: Path = argument(type=PATH)
    corpus: str = argument()
    output: Path = required_output("A new folder or an archive, as of pack.")
    label: str = option("predicted", metavar="NAME", help="Column of the predicted labels.")
    split: str | None = option(metavar="NAME", help="Use only the rows of this split.")

    def run(self) -> Output:
        from aifgraph.corpus.corpus import open_corpus
        from aifgraph.corpus.writer import write_maps
        from aifgraph.evaluation.training.predictions import Predictions

        if self.output.is_dir() and any(self.output.iterdir()):
            raise InputError("is there already, and not empty", where=str(self.output), remedy="name a new folder")
        predictions = Predictions(self.file, self.label, split=self.split)
        # All maps are made before the first is written: a fault in the last row writes nothing.
        graphs = list(predictions.maps(open_corpus(self.corpus)))
        written = write_maps(graphs, self.output)
        return Output(content=f"{self.output}: {quantity(written, 'maps')} ({predictions.task})")
