"""``aifgraph task``: three shared tasks, scored as their papers do; ARCT and RuArg (AURC has a file of its own)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from aifgraph.cli.command import Command, CommandGroup, argument, option
from aifgraph.cli.options import PATH, plot_option, seed_option, test_rounds_option
from aifgraph.cli.output import Destination, Output, destination, plot
from aifgraph.cli.task_aurc import Aurc
from aifgraph.cli.terminal import alive, warn
from aifgraph.datasets.ruarg import KINDS
from aifgraph.tasks import arct
from aifgraph.tasks.scores import ZERO_DIVISION

if TYPE_CHECKING:
    from aifgraph.datasets.ruarg import Kind
    from aifgraph.tasks import ruarg
    from aifgraph.tasks.scores import ZeroDivision


def _exclude_option(*default: str) -> Any:
    """Declare ``--exclude``; ``none`` stands for no system."""

    def chosen(context: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
        return () if "none" in names else names or default

    shown = ", ".join(default) or "none"
    help = f"Leave out systems of this status or name, or none.  [default: {shown}]"
    return option(many=True, callback=chosen, help=help)


@dataclass(frozen=True, kw_only=True)
class ArctOfSystems(Command):
    """The answers of systems."""

    gold: Path = argument(type=PATH)
    answers: tuple[Path, ...] = argument(many=True, type=PATH)
    metadata: Path | None = option(
        type=PATH,
        help="Systems' names by submission id.  [default: metadata-public.xml in the folder of the answers]",
    )
    exclude: tuple[str, ...] = _exclude_option()

    @property
    def right(self) -> arct.Answers:
        return arct.read_answers(self.gold)

    @property
    def systems(self) -> list[arct.Answers]:
        return arct.without(arct.read_systems(self.answers, self.metadata), self.exclude)


@dataclass(frozen=True, kw_only=True)
class ArctScore(ArctOfSystems):
    """The ranking, with accuracies.

    For a doubled GOLD also the pairs that are right together. Withdrawn systems are shown without a rank.
    """

    destination: Destination = destination()

    def run(self) -> Output:
        return Output.of(arct.ranking(self.right, self.systems))


@dataclass(frozen=True, kw_only=True)
class ArctSignificance(ArctOfSystems):
    """Differences between systems, intervals and p-values.

    By approximate randomisation. The test is two-sided, of the difference of accuracies.
    """

    exclude: tuple[str, ...] = _exclude_option("withdrawn")
    rounds: int = test_rounds_option()
    seed: int = seed_option()
    destination: Destination = destination()

    def run(self) -> Output:
        with alive() as progress:
            right, systems = self.right, self.systems
            if progress:
                progress(f"{len(systems)} systems, {self.rounds} rounds")
            return Output.of(arct.significance(right, systems, rounds=self.rounds, seed=self.seed))


@dataclass(frozen=True, kw_only=True)
class ArctDifficulty(ArctOfSystems):
    """How many systems have each instance right.

    And which instances all or none have right.
    """

    exclude: tuple[str, ...] = _exclude_option(*arct.STATUSES)
    plot: Path | None = plot_option()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.report.plots import histogram

        result = arct.difficulty(self.right, self.systems)
        texts = {"title": "Instances by systems right", "across": "systems right", "up": "instances"}
        plot(self.plot, histogram, result.histogram, **texts)
        return Output.of(result)


@dataclass(frozen=True, kw_only=True)
class ArctStats(Command):
    """Instances by label, and their debates.

    One FILE for each split.
    """

    files: tuple[Path, ...] = argument(many=True, type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        splits = {str(file): tuple(arct.read_instances(file, unique=False)) for file in self.files}
        return Output.of(arct.stats(splits))


class Arct(CommandGroup):
    """SemEval-2018 task 12: argument reasoning comprehension."""

    commands: ClassVar = {
        "score": ArctScore,
        "significance": ArctSignificance,
        "difficulty": ArctDifficulty,
        "stats": ArctStats,
    }


@dataclass(frozen=True, kw_only=True)
class RuArgOfSystems(Command):
    """The labels of systems. Rows are joined by text_id where both files have it, else by position."""

    gold: Path = argument(type=PATH)
    predicted: tuple[Path, ...] = argument(many=True, type=PATH)
    zero_division: ZeroDivision = option("0", choices=ZERO_DIVISION, help="F1 of a class that neither file has.")


@dataclass(frozen=True, kw_only=True)
class RuArgScore(RuArgOfSystems):
    """F1_stance and F1_premise of systems.

    Of one system by claim and class, of several as a ranking.

    Rows are joined by text_id where both files have it, else by position.

    \b
    Examples:
      aifgraph task ruarg score gold.tsv predicted.tsv --format latex
      aifgraph task ruarg score gold.tsv systems/*.tsv
    """

    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import ruarg

        right = ruarg.read(self.gold)
        result = ruarg.ranking(right, [ruarg.read(path) for path in self.predicted], zero_division=self.zero_division)
        if len(self.predicted) > 1:
            warn(_undefined(result))
            return Output.of(result)
        only = next(iter(result.systems.values()))
        warn(only.undefined())
        return Output.of(only)


def _undefined(ranking: ruarg.RuArgRanking) -> list[str]:
    return [f"{name}: {line}" for name, result in ranking.systems.items() for line in result.undefined()]


@dataclass(frozen=True, kw_only=True)
class RuArgSignificance(RuArgOfSystems):
    """Differences between systems, intervals and p-values.

    By approximate randomisation over sentences.
    """

    subtask: Kind = option("stance", choices=KINDS, help="Whose F1 is tested.")
    rounds: int = test_rounds_option()
    seed: int = seed_option()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import ruarg

        with alive() as progress:
            right, systems = ruarg.read(self.gold), [ruarg.read(path) for path in self.predicted]
            if progress:
                progress(f"{len(systems)} systems, {self.rounds} rounds")
            result = ruarg.significance(
                right, systems, self.subtask, zero_division=self.zero_division, rounds=self.rounds, seed=self.seed
            )
        return Output.of(result)


@dataclass(frozen=True, kw_only=True)
class RuArgStats(Command):
    """Sentences by claim and label.

    As in the paper's table 3; one FILE for each split.
    """

    files: tuple[Path, ...] = argument(many=True, type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import ruarg

        return Output.of(ruarg.stats([ruarg.read(file) for file in self.files]))


@dataclass(frozen=True, kw_only=True)
class RuArgAgreement(Command):
    """Krippendorff's alpha of several annotators.

    One FILE for each.

    Sentences are joined by text_id where all files have it (and may be missing in some), else by position.
    """

    files: tuple[Path, ...] = argument(many=True, type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import ruarg

        result = ruarg.agreement([ruarg.read(file) for file in self.files])
        warn(result.undefined())
        return Output.of(result)


class RuArg(CommandGroup):
    """RuArg-2022: stance and premise in Russian comments."""

    commands: ClassVar = {
        "score": RuArgScore,
        "significance": RuArgSignificance,
        "stats": RuArgStats,
        "agreement": RuArgAgreement,
    }


class Task(CommandGroup):
    """Score three shared tasks: ruarg, arct, aurc.

    Also count their data, check it, and get baselines.

    \b
    Examples:
      aifgraph task ruarg score gold.tsv predicted.tsv
      aifgraph task arct significance truth.txt answers/*.txt --rounds 10000 --seed 1
      aifgraph task aurc score run1.json run2.json --token-gold run1.json --seed 1
    """

    commands: ClassVar = {"ruarg": RuArg, "arct": Arct, "aurc": Aurc}
