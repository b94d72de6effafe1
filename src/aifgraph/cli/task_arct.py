"""``aifgraph task arct``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import click

from aifgraph.cli.command import Command, CommandGroup, argument, option
from aifgraph.cli.messages import alive, warn
from aifgraph.cli.options import PATH, plot_option, seed_option, test_rounds_option
from aifgraph.cli.output import Destination, Output, destination, output_file, plot, task_output
from aifgraph.tasks import arct as task
from aifgraph.tasks.arct.instances import METHODS


def _exclude_option(*default: str) -> Any:
    """Declare ``--exclude``; ``none`` stands for no system."""

    def chosen(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
        return () if "none" in given else given or default

    names = ", ".join(default) or "none"
    help = f"Leave out systems of this status or name, or none.  [default: {names}]"
    return option(many=True, callback=chosen, help=help)


@dataclass(frozen=True, kw_only=True)
class OfSystems(Command):
    """The answers of systems."""

    gold: Path = argument(type=PATH)
    answers: tuple[Path, ...] = argument(many=True, type=PATH)
    metadata: Path | None = option(
        type=PATH,
        help="Systems' names by submission id.  [default: metadata-public.xml in the folder of the answers]",
    )
    exclude: tuple[str, ...] = _exclude_option()

    @property
    def right(self) -> task.Answers:
        return task.read_answers(self.gold)

    @property
    def systems(self) -> list[task.Answers]:
        return task.without(task.read_systems(self.answers, self.metadata), self.exclude)


@dataclass(frozen=True, kw_only=True)
class Score(OfSystems):
    """The ranking, with accuracies.

    For a doubled GOLD also the pairs that are right together. Withdrawn systems are shown without a rank.
    """

    destination: Destination = destination()

    def run(self) -> Output:
        return task_output(task.ranking(self.right, self.systems))


@dataclass(frozen=True, kw_only=True)
class Significance(OfSystems):
    """p-values of all pairs of systems.

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
            return task_output(task.significance(right, systems, rounds=self.rounds, seed=self.seed))


@dataclass(frozen=True, kw_only=True)
class Difficulty(OfSystems):
    """How many systems have each instance right.

    And which instances all or none have right.
    """

    exclude: tuple[str, ...] = _exclude_option(*task.STATUSES)
    plot: Path | None = plot_option()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.report.plots import histogram

        result = task.difficulty(self.right, self.systems)
        texts = {"title": "Instances by systems right", "across": "systems right", "up": "instances"}
        plot(self.plot, histogram, result.histogram, **texts)
        return task_output(result)


@dataclass(frozen=True, kw_only=True)
class Stats(Command):
    """Instances by label, and their debates.

    One FILE for each split.
    """

    files: tuple[Path, ...] = argument(many=True, type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        splits = {str(file): tuple(task.read_instances(file, unique=False)) for file in self.files}
        return task_output(task.stats(splits))


@dataclass(frozen=True, kw_only=True)
class Double(Command):
    """Give each instance a twin with the opposite claim.

    INSTANCES is a *-full.txt file. The twin's warrants are swapped, so that the other one is right.
    """

    instances: Path = argument(type=PATH)
    opposites: Path = option(
        None, type=PATH, required=True, help="Tab-separated: #id, claim; the opposite of each claim."
    )
    destination: Destination = output_file("Write the doubled set to this file.")

    def run(self) -> Output:
        from aifgraph.errors import InputError

        instances = task.read_instances(self.instances)
        if any(instance.label is None for instance in instances):
            raise InputError("there are no labels", where=str(self.instances), remedy="give a *-full.txt file")
        doubled = task.double(instances, task.opposites(self.opposites, instances))
        return Output(content=task.write_instances(doubled))


@dataclass(frozen=True, kw_only=True)
class Baseline(Command):
    """Answers for TEST that the scorer takes.

    Labels in it are not looked at.
    """

    train: Path = argument(type=PATH)
    test: Path = argument(type=PATH)
    method: str = option("negation", choices=METHODS, help="How answers are chosen.")
    seed: int = seed_option()
    destination: Destination = output_file("Write the answers to this file.")

    def run(self) -> Output:
        from aifgraph.tasks.arct.instances import cue

        tested = task.read_instances(self.test)
        known = task.read_instances(self.train, unique=False)
        answers = task.predict(known, tested, self.method, seed=self.seed)
        if self.method == "negation":
            drawn = sum(cue(instance) is None for instance in tested)
            line = f"{drawn} of {len(tested)} instances have no cue and were chosen at random (seed {self.seed})"
            warn([line] if drawn else [])
        return Output(content="".join(f"{identity}\t{label}\n" for identity, label in answers.items()))


class Arct(CommandGroup):
    """SemEval-2018 task 12: argument reasoning comprehension."""

    commands: ClassVar = {
        "score": Score,
        "significance": Significance,
        "difficulty": Difficulty,
        "stats": Stats,
        "double": Double,
        "baseline": Baseline,
    }
