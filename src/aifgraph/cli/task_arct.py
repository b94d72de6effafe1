"""``aifgraph task arct``."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.options import FILE, output_options, plot_option, seed_option, together
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


@arct.command()
@_systems
@output_options()
def score(gold: Path, answers: tuple[Path, ...], metadata: Path | None, format_: str, output: Path | None) -> None:
    """The ranking, with accuracies. Of a doubled GOLD also the pairs that are right together."""
    result = task.ranking(task.read_answers(gold), task.read_systems(answers, metadata))
    present_task(result, format_, output)


@arct.command()
@_systems
@click.option("--rounds", type=click.IntRange(1), default=10_000, show_default=True, help="Shuffles of each test.")
@seed_option(0)
@output_options()
def significance(
    gold: Path,
    answers: tuple[Path, ...],
    metadata: Path | None,
    rounds: int,
    seed: int,
    format_: str,
    output: Path | None,
) -> None:
    """p-values of all pairs: two-sided approximate randomisation test of their accuracies."""
    with alive() as progress:
        right, systems = task.read_answers(gold), task.read_systems(answers, metadata)
        if progress:
            progress(f"{len(systems)} systems, {rounds} rounds")
        result = task.significance(right, systems, rounds=rounds, seed=seed)
    present_task(result, format_, output)


@arct.command()
@_systems
@plot_option
@output_options()
def difficulty(
    gold: Path, answers: tuple[Path, ...], metadata: Path | None, plot: Path | None, format_: str, output: Path | None
) -> None:
    """How many systems have each instance right; which all or none have."""
    from aifgraph.report.plots import histogram

    result = task.difficulty(task.read_answers(gold), task.read_systems(answers, metadata))
    texts = {"title": "Instances by systems right", "across": "systems right", "up": "instances"}
    draw(plot, histogram, result.histogram, **texts)
    present_task(result, format_, output)


@arct.command()
@click.argument("instances", type=FILE)
@click.option("--opposites", type=FILE, required=True, help="Tab-separated: #id, claim; the opposite of each claim.")
@click.option("-o", "--output", type=FILE, help="Where the doubled set goes.")
def double(instances: Path, opposites: Path, output: Path | None) -> None:
    """Give each of INSTANCES (a *-full.txt file) a twin with the opposite claim and the warrants swapped."""
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
    """Answers for TEST (labels in it are not looked at) that the scorer takes."""
    from aifgraph.tasks.arct.instances import cue

    tested = task.read_instances(test)
    answers = task.predict(task.read_instances(train, unique=False), tested, method, seed=seed)
    if method == "negation":
        drawn = sum(cue(one) is None for one in tested)
        warn([f"{drawn} of {len(tested)} instances have no cue and were drawn (seed {seed})"] if drawn else [])
    put("".join(f"{identity}\t{label}\n" for identity, label in answers.items()), output)
