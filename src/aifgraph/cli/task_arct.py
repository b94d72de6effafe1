"""``aifgraph task arct``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from aifgraph.cli.options import FILE, F, output_options, plot_option, seed_option, together
from aifgraph.cli.present import alive, draw, present_task, put, warn
from aifgraph.tasks import arct as task
from aifgraph.tasks.arct.instances import METHODS


@click.group()
def arct() -> None:
    """SemEval-2018 task 12: argument reasoning comprehension."""


_systems = together(
    click.argument("gold", type=FILE),
    click.argument("answers", type=FILE, nargs=-1, required=True),
    click.option(
        "--metadata",
        type=FILE,
        help="Systems' names by submission id; without it, a metadata-public.xml next to the answers.",
    ),
)
"""GOLD ANSWERS… --metadata FILE."""


def _exclude(*default: str) -> Callable[[F], F]:
    shown = ", ".join(default) or "none"
    return click.option(
        "--exclude",
        multiple=True,
        help=f"Status or name of systems to leave out (repeatable), or none.  [default: {shown}]",
        callback=lambda ctx, option, given: () if "none" in given else given or default,
    )


def _read(answers: tuple[Path, ...], metadata: Path | None, exclude: tuple[str, ...]) -> list[task.Answers]:
    return task.without(task.read_systems(answers, metadata), exclude)


@arct.command()
@_systems
@_exclude()
@output_options()
def score(
    gold: Path,
    answers: tuple[Path, ...],
    metadata: Path | None,
    exclude: tuple[str, ...],
    format_: str,
    output: Path | None,
) -> None:
    """The ranking, with accuracies.

    Of a doubled GOLD also the pairs that are right together. Withdrawn systems are shown without a rank.
    """
    result = task.ranking(task.read_answers(gold), _read(answers, metadata, exclude))
    present_task(result, format_, output)


@arct.command()
@_systems
@_exclude("withdrawn")
@click.option("--rounds", type=click.IntRange(1), default=10_000, show_default=True, help="Shuffles of each test.")
@seed_option(0)
@output_options()
def significance(
    gold: Path,
    answers: tuple[Path, ...],
    metadata: Path | None,
    exclude: tuple[str, ...],
    rounds: int,
    seed: int,
    format_: str,
    output: Path | None,
) -> None:
    """p-values of all pairs of systems.

    By approximate randomisation. The test is two-sided, of the difference of accuracies.
    """
    with alive() as progress:
        right, systems = task.read_answers(gold), _read(answers, metadata, exclude)
        if progress:
            progress(f"{len(systems)} systems, {rounds} rounds")
        result = task.significance(right, systems, rounds=rounds, seed=seed)
    present_task(result, format_, output)


@arct.command()
@_systems
@_exclude(*task.STATUSES)
@plot_option
@output_options()
def difficulty(
    gold: Path,
    answers: tuple[Path, ...],
    metadata: Path | None,
    exclude: tuple[str, ...],
    plot: Path | None,
    format_: str,
    output: Path | None,
) -> None:
    """How many systems have each instance right.

    And which instances all or none have right.
    """
    from aifgraph.report.plots import histogram

    result = task.difficulty(task.read_answers(gold), _read(answers, metadata, exclude))
    texts = {"title": "Instances by systems right", "across": "systems right", "up": "instances"}
    draw(plot, histogram, result.histogram, **texts)
    present_task(result, format_, output)


@arct.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@output_options()
def stats(files: tuple[Path, ...], format_: str, output: Path | None) -> None:
    """Instances by label, and their debates.

    One FILE for each split.
    """
    present_task(
        task.stats({str(file): tuple(task.read_instances(file, unique=False)) for file in files}), format_, output
    )


@arct.command()
@click.argument("instances", type=FILE)
@click.option("--opposites", type=FILE, required=True, help="Tab-separated: #id, claim; the opposite of each claim.")
@click.option("-o", "--output", type=FILE, help="Where the doubled set goes.")
def double(instances: Path, opposites: Path, output: Path | None) -> None:
    """Give each instance a twin with the opposite claim.

    INSTANCES is a *-full.txt file. The twin's warrants are swapped, so that the other one is right.
    """
    from aifgraph.errors import InputError

    given = task.read_instances(instances)
    if any(one.label is None for one in given):
        raise InputError("there are no labels", where=str(instances), remedy="give a *-full.txt file")
    put(task.write_instances(task.double(given, task.opposites(opposites, given))), output)


@arct.command()
@click.argument("train", type=FILE)
@click.argument("test", type=FILE)
@click.option("--method", type=click.Choice(METHODS), default="negation", show_default=True)
@seed_option(0)
@click.option("-o", "--output", type=FILE, help="Where the answers go.")
def baseline(train: Path, test: Path, method: str, seed: int, output: Path | None) -> None:
    """Answers for TEST that the scorer takes.

    Labels in it are not looked at.
    """
    from aifgraph.tasks.arct.instances import cue

    tested = task.read_instances(test)
    answers = task.predict(task.read_instances(train, unique=False), tested, method, seed=seed)
    if method == "negation":
        drawn = sum(cue(one) is None for one in tested)
        warn([f"{drawn} of {len(tested)} instances have no cue and were drawn (seed {seed})"] if drawn else [])
    put("".join(f"{identity}\t{label}\n" for identity, label in answers.items()), output)
