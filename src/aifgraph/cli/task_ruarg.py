"""``aifgraph task ruarg``."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.options import FILE, output_options, plot_option, seed_option
from aifgraph.cli.present import alive, draw, present_task, put, warn
from aifgraph.datasets.ruarg import LABELS
from aifgraph.tasks import ruarg as task
from aifgraph.tasks.ruarg.score import METHODS, NAMES
from aifgraph.tasks.scores import ZERO_DIVISION, ZeroDivision, class_scores


@click.group()
def ruarg() -> None:
    """RuArg-2022: stance and premise in Russian comments."""


@ruarg.command()
@click.argument("gold", type=FILE)
@click.argument("predicted", type=FILE)
@click.option(
    "--zero-division",
    type=click.Choice(ZERO_DIVISION),
    default="0",
    show_default=True,
    help="What counts for a class that neither file has.",
)
@plot_option
@output_options()
def score(
    gold: Path, predicted: Path, zero_division: ZeroDivision, plot: Path | None, format_: str, output: Path | None
) -> None:
    """F1_stance, F1_premise, and all classes by claim.

    Rows are joined by text_id where both files have it, else by position.

    \b
    Example:
      aifgraph task ruarg score gold.tsv predicted.tsv --format latex
    """
    from aifgraph.report.plots import bars

    result = task.score(task.read(gold), task.read(predicted), zero_division=zero_division)
    warn(result.undefined())
    groups = [f"{subtask.claim}\n{subtask.kind}" for subtask in result.matrices]
    scores = [class_scores(matrix) for matrix in result.matrices.values()]
    names = {**NAMES["stance"], "1": "other, no argument"}  # of stance and of premise
    series = {names[label]: [classes[place].f1 for classes in scores] for place, label in enumerate(LABELS)}
    draw(plot, bars, groups, series, title="RuArg-2022: F1 of each class", axis="F1")
    present_task(result, format_, output)


@ruarg.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@output_options()
def stats(files: tuple[Path, ...], format_: str, output: Path | None) -> None:
    """Sentences by claim and label, as in the paper's table 3; one FILE for each split."""
    present_task(task.stats([task.read(file) for file in files]), format_, output)


@ruarg.command()
@click.argument("file", type=FILE)
@output_options()
def check(file: Path, format_: str, output: Path | None) -> int:
    """Labels that do not go together; exit code 1 if a sentence is irrelevant in one subtask only.

    Stance and premise of opposite polarity are listed too, but may be right.
    """
    result = task.check(task.read(file))
    present_task(result, format_, output)
    return int(result.contradictory)


@ruarg.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@output_options()
def agreement(files: tuple[Path, ...], format_: str, output: Path | None) -> None:
    """Krippendorff's alpha of several annotators; one FILE for each.

    Sentences are joined by text_id where all files have it (and may be missing in some), else by position.
    """
    result = task.agreement([task.read(file) for file in files])
    warn(result.undefined())
    present_task(result, format_, output)


@ruarg.command()
@click.argument("train", type=FILE)
@click.argument("test", type=FILE)
@click.option("--method", type=click.Choice(METHODS), default="tfidf", show_default=True)
@seed_option(0)
@click.option("-o", "--output", type=FILE, help="Where the predictions go.")
def baseline(train: Path, test: Path, method: str, seed: int, output: Path | None) -> None:
    """Predictions for TEST (labels in it are not looked at) that the scorer takes."""
    with alive() as progress:
        known, unlabelled = task.read(train), task.read(test, labelled=False)
        predicted = task.predict(known, unlabelled, method, seed=seed, progress=progress)
    put(task.written(predicted), output)
