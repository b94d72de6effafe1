"""``aifgraph task ruarg``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from aifgraph.cli.command import Command, CommandGroup, argument, option
from aifgraph.cli.messages import alive, warn
from aifgraph.cli.options import PATH, plot_option, seed_option, test_rounds_option
from aifgraph.cli.output import Destination, Output, destination, output_file, plot, task_output
from aifgraph.datasets.ruarg import KINDS
from aifgraph.tasks.ruarg.score import METHODS
from aifgraph.tasks.scores import ZERO_DIVISION

if TYPE_CHECKING:
    from aifgraph.datasets.ruarg import Kind
    from aifgraph.tasks import ruarg as task
    from aifgraph.tasks.scores import ZeroDivision


@dataclass(frozen=True, kw_only=True)
class OfSystems(Command):
    """The labels of systems. Rows are joined by text_id where both files have it, else by position."""

    gold: Path = argument(type=PATH)
    predicted: tuple[Path, ...] = argument(many=True, type=PATH)
    zero_division: ZeroDivision = option("0", choices=ZERO_DIVISION, help="F1 of a class that neither file has.")


@dataclass(frozen=True, kw_only=True)
class Score(OfSystems):
    """F1_stance and F1_premise of systems.

    Of one system by claim and class, of several as a ranking.

    Rows are joined by text_id where both files have it, else by position.

    \b
    Examples:
      aifgraph task ruarg score gold.tsv predicted.tsv --format latex
      aifgraph task ruarg score gold.tsv systems/*.tsv
    """

    plot: Path | None = plot_option()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.datasets.ruarg import LABELS
        from aifgraph.report.plots import bars
        from aifgraph.tasks import ruarg as task
        from aifgraph.tasks.ruarg.score import NAMES
        from aifgraph.tasks.scores import class_scores

        right = task.read(self.gold)
        result = task.ranking(right, [task.read(path) for path in self.predicted], zero_division=self.zero_division)
        if len(self.predicted) > 1:
            warn(_undefined(result))
            names = list(result.systems)
            kinds = {kind: [result.systems[name].f1(kind) for name in names] for kind in KINDS}
            plot(self.plot, bars, names, kinds, title="RuArg-2022: F1 of the systems", axis="F1")
            return task_output(result)
        only = next(iter(result.systems.values()))
        warn(only.undefined())
        groups = [f"{subtask.claim}\n{subtask.kind}" for subtask in only.matrices]
        scores = [class_scores(matrix) for matrix in only.matrices.values()]
        names_of = {**NAMES["stance"], "1": "other, no argument"}  # of stance and of premise
        series = {names_of[label]: [classes[place].f1 for classes in scores] for place, label in enumerate(LABELS)}
        plot(self.plot, bars, groups, series, title="RuArg-2022: F1 of each class", axis="F1")
        return task_output(only)


def _undefined(ranking: task.RuArgRanking) -> list[str]:
    return [f"{name}: {line}" for name, result in ranking.systems.items() for line in result.undefined()]


@dataclass(frozen=True, kw_only=True)
class Significance(OfSystems):
    """p-values of all pairs of systems.

    By approximate randomisation over sentences.
    """

    subtask: Kind = option("stance", choices=KINDS, help="Whose F1 is tested.")
    rounds: int = test_rounds_option()
    seed: int = seed_option()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import ruarg as task

        with alive() as progress:
            right, systems = task.read(self.gold), [task.read(path) for path in self.predicted]
            if progress:
                progress(f"{len(systems)} systems, {self.rounds} rounds")
            result = task.significance(
                right, systems, self.subtask, zero_division=self.zero_division, rounds=self.rounds, seed=self.seed
            )
        return task_output(result)


@dataclass(frozen=True, kw_only=True)
class Stats(Command):
    """Sentences by claim and label.

    As in the paper's table 3; one FILE for each split.
    """

    files: tuple[Path, ...] = argument(many=True, type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import ruarg as task

        return task_output(task.stats([task.read(file) for file in self.files]))


@dataclass(frozen=True, kw_only=True)
class Check(Command):
    """Labels that do not go together.

    Exit code 1 if a sentence is irrelevant in one subtask only.

    Stance and premise of opposite polarity are listed too, but may be right.
    """

    file: Path = argument(type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import ruarg as task

        result = task.check(task.read(self.file))
        return task_output(result, code=int(result.contradictory))


@dataclass(frozen=True, kw_only=True)
class Agreement(Command):
    """Krippendorff's alpha of several annotators.

    One FILE for each.

    Sentences are joined by text_id where all files have it (and may be missing in some), else by position.
    """

    files: tuple[Path, ...] = argument(many=True, type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import ruarg as task

        result = task.agreement([task.read(file) for file in self.files])
        warn(result.undefined())
        return task_output(result)


@dataclass(frozen=True, kw_only=True)
class Baseline(Command):
    """Predictions for TEST that the scorer takes.

    Labels in it are not looked at.
    """

    train: Path = argument(type=PATH)
    test: Path = argument(type=PATH)
    method: str = option("tfidf", choices=METHODS, help="How labels are predicted.")
    seed: int = seed_option()
    destination: Destination = output_file("Write the predictions to this file.")

    def run(self) -> Output:
        from aifgraph.tasks import ruarg as task

        with alive() as progress:
            known, unlabelled = task.read(self.train), task.read(self.test, labelled=False)
            predicted = task.predict(known, unlabelled, self.method, seed=self.seed, progress=progress)
        return Output(content=task.written(predicted))


class RuArg(CommandGroup):
    """RuArg-2022: stance and premise in Russian comments."""

    commands: ClassVar = {
        "score": Score,
        "significance": Significance,
        "stats": Stats,
        "check": Check,
        "agreement": Agreement,
        "baseline": Baseline,
    }
