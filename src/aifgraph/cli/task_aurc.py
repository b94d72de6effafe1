"""``aifgraph task aurc``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import click

from aifgraph.cli.answers import AnsweringCommand
from aifgraph.cli.command import Command, CommandGroup, argument, option, part
from aifgraph.cli.options import PATH, seed_option, test_rounds_option
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import alive, warn
from aifgraph.tasks.aurc.predictions import TIES
from aifgraph.tasks.aurc.score import MEASURES, VARIANTS
from aifgraph.tasks.aurc.subpopulation import DECISIONS, MARKS, NEIGHBOURS
from aifgraph.tasks.scores import ZERO_DIVISION

if TYPE_CHECKING:
    from aifgraph.tasks import aurc as task
    from aifgraph.tasks.aurc.predictions import Ties
    from aifgraph.tasks.aurc.score import Measure, Variant
    from aifgraph.tasks.aurc.subpopulation import Decision, Marks, Neighbour
    from aifgraph.tasks.scores import ZeroDivision


@dataclass(frozen=True, kw_only=True)
class TieOptions:
    """What counts where a sentence has as many pro as con tokens."""

    ties: Ties = option("random", choices=TIES, help="Label of a sentence with as many pro as con tokens.")
    seed: int | None = seed_option(None, "Seed of the random choices; without one, nothing is random.")


@dataclass(frozen=True, kw_only=True)
class F1Options:
    """What F1 is, where there is more than one definition."""

    variant: Variant = option("published", choices=VARIANTS, help="Definition of segment-F1.")
    zero_division: ZeroDivision = option("0", choices=ZERO_DIVISION, help="F1 of a class that is absent.")


def _domain_option() -> Any:
    return option("in", choices=("in", "cross"), help="Whose splits, if a source is a folder of AURC-8.")


@dataclass(frozen=True, kw_only=True)
class OfRuns(Command):
    """Files of predictions."""

    predictions: tuple[Path, ...] = argument(many=True, type=PATH)
    token_gold: Path | None = option(
        type=PATH, help="For a sentence model: the file of a token model on the same split."
    )

    @property
    def runs(self) -> list[task.Run]:
        from aifgraph.tasks import aurc as task

        runs = [task.read_run(path) for path in self.predictions]
        if self.token_gold is None:
            return runs
        gold = task.read_run(self.token_gold)
        return [task.with_token_gold(gold, run) for run in runs]


@dataclass(frozen=True, kw_only=True)
class Score(OfRuns):
    """Token-, segment- and sentence-F1 of a system.

    Several files are its runs: the mean is shown.

    \b
    Example:
      aifgraph task aurc score sentence_00*.json --token-gold token_001.json --seed 1
    """

    tie: TieOptions = part(TieOptions)
    f1: F1Options = part(F1Options)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import aurc as task
        from aifgraph.tasks.aurc.score import systems_of

        if len(apart := systems_of([path.name for path in self.predictions])) > 1:
            warn([f"averaged as runs of one system, but called like {len(apart)}: {', '.join(apart)}"])
        with alive():
            result = task.score(
                self.runs,
                ties=self.tie.ties,
                seed=self.tie.seed,
                variant=self.f1.variant,
                zero_division=self.f1.zero_division,
            )
        warn(result.undefined())
        return Output.of(result)


class _ManyAfter(AnsweringCommand):
    """Lets ``--after`` take all files up to the next option, as the shell's ``*`` gives them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        after = False
        for arg in args:
            if arg.startswith("-") and arg != "-":
                after = arg == "--after"
                spread += [] if after else [arg]
                # The value of another option is not one of --after's.
            else:
                spread += ["--after", arg] if after else [arg]
        return super().parse_args(ctx, spread)


@dataclass(frozen=True, kw_only=True)
class Perturbation(Command):
    """Accuracies before and after a perturbation.

    Argument against none, the k-th file before with the k-th after.

    \b
    Example:
      aifgraph task aurc perturbation before_00*.json --after after_00*.json
    """

    click_class = _ManyAfter

    before: tuple[Path, ...] = argument(many=True, type=PATH)
    after: tuple[Path, ...] = option(many=True, type=PATH, required=True, help="As many files, in the same order.")
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import aurc as task

        before, after = ([task.read_run(path) for path in paths] for paths in (self.before, self.after))
        return Output.of(task.perturbation(before, after))


@dataclass(frozen=True, kw_only=True)
class Subpopulation(OfRuns):
    """Correlate being right with T4, T5 and T6.

    On sentences with mixed segments. Several files are runs of one system; their mean is shown.
    """

    train: Path | None = option(
        type=PATH, help="Training sentences, which T4 and T5 need: a folder of AURC-8, or JSON."
    )
    decision: Decision = option("argument", choices=DECISIONS, help="What being right means.")
    neighbour: Neighbour = option(
        "opposite", choices=NEIGHBOURS, help="T5: what the nearest training sentence must be."
    )
    marks: Marks = option(
        "counted", choices=MARKS, help="T6: whether punctuation outside of arguments counts; the authors leave it out."
    )
    domain: Literal["in", "cross"] = _domain_option()
    tie: TieOptions = part(TieOptions)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import aurc as task

        with alive():
            train: list[Any] = []
            if self.train:
                train = list(task.read_tokens(self.train, domain=self.domain, split="Train"))
            result = task.subpopulation(
                self.runs,
                train,
                decision=self.decision,
                neighbour=self.neighbour,
                marks=self.marks,
                ties=self.tie.ties,
                seed=self.tie.seed,
            )
        warn(result.undefined())
        return Output.of(result)


@dataclass(frozen=True, kw_only=True)
class Significance(OfRuns):
    """Differences between systems, intervals and p-values.

    By approximate randomisation, all on the same sentences. Files that are called alike but for a number at the end
    (_001, _seed2) are runs of one system, taken together; any other file is a system of its own.
    """

    measure: Measure = option("token", choices=MEASURES, help="Which F1 is tested.")
    tie: TieOptions = part(TieOptions)
    f1: F1Options = part(F1Options)
    rounds: int = test_rounds_option()
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import aurc as task

        with alive() as progress:
            if progress:
                progress(f"{len(self.predictions)} systems, {self.rounds} rounds")
            result = task.significance(
                self.runs,
                self.measure,
                ties=self.tie.ties,
                seed=self.tie.seed,
                variant=self.f1.variant,
                zero_division=self.f1.zero_division,
                rounds=self.rounds,
            )
        return Output.of(result)


@dataclass(frozen=True, kw_only=True)
class Stats(Command):
    """Sentences by topic, label and split."""

    folder: Path = argument(type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import aurc as task

        return Output.of(task.stats(self.folder))


@dataclass(frozen=True, kw_only=True)
class Agreement(Command):
    """Agreement of the crowd workers.

    Unitised alpha and kappa of the five, by topic.
    """

    folder: Path = argument(type=PATH)
    destination: Destination = destination()

    def run(self) -> Output:
        from aifgraph.tasks import aurc as task

        with alive():
            corpus = task.read_folder(self.folder)
            result = task.agreement(corpus)
        warn(
            f"{sentence.id}: the cell of {worker} cannot be read"
            for sentence in corpus.sentences
            for worker in sentence.damaged
        )
        return Output.of(result)


class Aurc(CommandGroup):
    """AURC-8 and its robustness tests: argument units in sentences."""

    commands: ClassVar = {
        "score": Score,
        "perturbation": Perturbation,
        "subpopulation": Subpopulation,
        "significance": Significance,
        "stats": Stats,
        "agreement": Agreement,
    }
