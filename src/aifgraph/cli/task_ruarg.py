"""``aifgraph task ruarg``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.options import FILE, output_options, plot_option, seed_option
from aifgraph.cli.present import alive, draw, present_task, put, warn
from aifgraph.datasets.ruarg import KINDS
from aifgraph.tasks.ruarg.score import METHODS
from aifgraph.tasks.scores import ZERO_DIVISION

if TYPE_CHECKING:
    from aifgraph.datasets.ruarg import Kind
    from aifgraph.tasks import ruarg as task
    from aifgraph.tasks.scores import ZeroDivision


@click.group()
def ruarg() -> None:
    """RuArg-2022: stance and premise in Russian comments."""


_zero_division = click.option(
    "--zero-division",
    type=click.Choice(ZERO_DIVISION),
    default="0",
    show_default=True,
    help="What counts for a class that neither file has.",
)


@ruarg.command()
@click.argument("gold", type=FILE)
@click.argument("predicted", type=FILE, nargs=-1, required=True)
@_zero_division
@plot_option
@output_options()
def score(
    gold: Path,
    predicted: tuple[Path, ...],
    zero_division: ZeroDivision,
    plot: Path | None,
    format_: str,
    output: Path | None,
) -> None:
    """F1_stance and F1_premise of systems.

    Of one system by claim and class, of several as a ranking.

    Rows are joined by text_id where both files have it, else by position.

    \b
    Examples:
      aifgraph task ruarg score gold.tsv predicted.tsv --format latex
      aifgraph task ruarg score gold.tsv systems/*.tsv
    """
    from aifgraph.datasets.ruarg import LABELS
    from aifgraph.report.plots import bars
    from aifgraph.tasks import ruarg as task
    from aifgraph.tasks.ruarg.score import NAMES
    from aifgraph.tasks.scores import class_scores

    right = task.read(gold)
    result = task.ranking(right, [task.read(path) for path in predicted], zero_division=zero_division)
    one = next(iter(result.systems.values()))
    warn(one.undefined() if len(predicted) == 1 else _undefined(result))
    if len(predicted) > 1:
        names = list(result.systems)
        kinds = {kind: [result.systems[name].f1(kind) for name in names] for kind in KINDS}
        draw(plot, bars, names, kinds, title="RuArg-2022: F1 of the systems", axis="F1")
        present_task(result, format_, output)
        return
    groups = [f"{subtask.claim}\n{subtask.kind}" for subtask in one.matrices]
    scores = [class_scores(matrix) for matrix in one.matrices.values()]
    names_of = {**NAMES["stance"], "1": "other, no argument"}  # of stance and of premise
    series = {names_of[label]: [classes[place].f1 for classes in scores] for place, label in enumerate(LABELS)}
    draw(plot, bars, groups, series, title="RuArg-2022: F1 of each class", axis="F1")
    present_task(one, format_, output)


def _undefined(ranking: task.RuArgRanking) -> list[str]:
    return [f"{name}: {line}" for name, result in ranking.systems.items() for line in result.undefined()]


@ruarg.command()
@click.argument("gold", type=FILE)
@click.argument("predicted", type=FILE, nargs=-1, required=True)
@click.option("--subtask", type=click.Choice(KINDS), default="stance", show_default=True, help="Whose F1 is tested.")
@_zero_division
@click.option("--rounds", type=click.IntRange(1), default=10_000, show_default=True, help="Shuffles of each test.")
@seed_option(0)
@output_options()
def significance(
    gold: Path,
    predicted: tuple[Path, ...],
    subtask: Kind,
    zero_division: ZeroDivision,
    rounds: int,
    seed: int,
    format_: str,
    output: Path | None,
) -> None:
    """p-values of all pairs of systems.

    By approximate randomisation over sentences.
    """
    from aifgraph.tasks import ruarg as task

    with alive() as progress:
        right, systems = task.read(gold), [task.read(path) for path in predicted]
        if progress:
            progress(f"{len(systems)} systems, {rounds} rounds")
        result = task.significance(right, systems, subtask, zero_division=zero_division, rounds=rounds, seed=seed)
    present_task(result, format_, output)


@ruarg.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@output_options()
def stats(files: tuple[Path, ...], format_: str, output: Path | None) -> None:
    """Sentences by claim and label.

    As in the paper's table 3; one FILE for each split.
    """
    from aifgraph.tasks import ruarg as task

    present_task(task.stats([task.read(file) for file in files]), format_, output)


@ruarg.command()
@click.argument("file", type=FILE)
@output_options()
def check(file: Path, format_: str, output: Path | None) -> int:
    """Labels that do not go together.

    Exit code 1 if a sentence is irrelevant in one subtask only.

    Stance and premise of opposite polarity are listed too, but may be right.
    """
    from aifgraph.tasks import ruarg as task

    result = task.check(task.read(file))
    present_task(result, format_, output)
    return int(result.contradictory)


@ruarg.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@output_options()
def agreement(files: tuple[Path, ...], format_: str, output: Path | None) -> None:
    """Krippendorff's alpha of several annotators.

    One FILE for each.

    Sentences are joined by text_id where all files have it (and may be missing in some), else by position.
    """
    from aifgraph.tasks import ruarg as task

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
    """Predictions for TEST that the scorer takes.

    Labels in it are not looked at.
    """
    from aifgraph.tasks import ruarg as task

    with alive() as progress:
        known, unlabelled = task.read(train), task.read(test, labelled=False)
        predicted = task.predict(known, unlabelled, method, seed=seed, progress=progress)
    put(task.written(predicted), output)
