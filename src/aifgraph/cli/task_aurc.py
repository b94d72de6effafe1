"""``aifgraph task aurc``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.options import FILE, output_options, plot_option, seed_option, together
from aifgraph.cli.present import alive, draw, present_task, put, warn
from aifgraph.tasks.aurc.corpus import SPLIT_NAMES
from aifgraph.tasks.aurc.perturbation import TESTS
from aifgraph.tasks.aurc.predictions import METHODS, TIES
from aifgraph.tasks.aurc.score import MEASURES, VARIANTS
from aifgraph.tasks.aurc.subpopulation import DECISIONS, MARKS, NEIGHBOURS
from aifgraph.tasks.scores import ZERO_DIVISION

if TYPE_CHECKING:
    from aifgraph.tasks import aurc as task
    from aifgraph.tasks.aurc.perturbation import Test
    from aifgraph.tasks.aurc.predictions import Ties
    from aifgraph.tasks.aurc.score import Measure, Variant
    from aifgraph.tasks.aurc.subpopulation import Decision, Marks, Neighbour
    from aifgraph.tasks.scores import ZeroDivision


@click.group()
def aurc() -> None:
    """AURC-8 and its robustness tests: argument units in sentences."""


_ties = together(
    click.option(
        "--ties",
        type=click.Choice(TIES),
        default="random",
        show_default=True,
        help="A sentence with as many pro as con tokens.",
    ),
    seed_option(None, "Seed of what is drawn at random; without one, nothing is drawn."),
)
_token_gold = click.option(
    "--token-gold", type=FILE, help="For a sentence model: a token model's file of the same split."
)
_domain = click.option(
    "--domain",
    type=click.Choice(["in", "cross"]),
    default="in",
    show_default=True,
    help="Whose splits, where a source is a folder of AURC-8.",
)


def _runs(paths: tuple[Path, ...], token_gold: Path | None) -> list[task.Run]:
    from aifgraph.tasks import aurc as task

    runs = [task.read_run(path) for path in paths]
    if token_gold is None:
        return runs
    gold = task.read_run(token_gold)
    return [task.with_token_gold(run, gold) for run in runs]


@aurc.command()
@click.argument("predictions", type=FILE, nargs=-1, required=True)
@_token_gold
@_ties
@click.option("--variant", type=click.Choice(VARIANTS), default="published", show_default=True, help="Of segment-F1.")
@click.option("--zero-division", type=click.Choice(ZERO_DIVISION), default="0", show_default=True, help="Absent class.")
@plot_option
@output_options()
def score(
    predictions: tuple[Path, ...],
    token_gold: Path | None,
    ties: Ties,
    seed: int | None,
    variant: Variant,
    zero_division: ZeroDivision,
    plot: Path | None,
    format_: str,
    output: Path | None,
) -> None:
    """Token-, segment- and sentence-F1 of a system.

    \b
    Example:
      aifgraph task aurc score sentence_00*.json --token-gold token_001.json --seed 1
    """
    from aifgraph.report.plots import bars
    from aifgraph.tasks import aurc as task
    from aifgraph.tasks.scores import class_scores, short

    with alive() as progress:
        result = task.score(
            _runs(predictions, token_gold),
            ties=ties,
            seed=seed,
            variant=variant,
            zero_division=zero_division,
            progress=progress,
        )
    warn(result.undefined())
    classes = {run.name: [score.f1 for score in class_scores(run.tokens)] for run in result.runs}
    series = dict(zip(short(list(classes)), classes.values(), strict=True))
    draw(plot, bars, list(result.runs[0].tokens.labels), series, title="AURC: token-F1 of each class", axis="F1")
    present_task(result, format_, output)


class _ManyAfter(click.Command):
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


@aurc.command(cls=_ManyAfter)
@click.argument("before", type=FILE, nargs=-1, required=True)
@click.option("--after", type=FILE, multiple=True, required=True, help="As many files, in the same order.")
@plot_option
@output_options()
def perturbation(
    before: tuple[Path, ...], after: tuple[Path, ...], plot: Path | None, format_: str, output: Path | None
) -> None:
    """Accuracies before and after a perturbation.

    Argument against none, the k-th file before with the k-th after.

    \b
    Example:
      aifgraph task aurc perturbation before_00*.json --after after_00*.json --plot T1.svg
    """
    from aifgraph.report.plots import slopes
    from aifgraph.tasks import aurc as task
    from aifgraph.tasks.scores import short

    result = task.perturbation([task.read_run(path) for path in before], [task.read_run(path) for path in after])
    names = short([run.name for run in result.runs])
    lines = {name: (run.before, run.after) for name, run in zip(names, result.runs, strict=True)}
    draw(plot, slopes, lines, title="Before and after the perturbation", ends=("before", "after"), axis="accuracy")
    present_task(result, format_, output)


@aurc.command()
@click.argument("source", type=FILE)
@click.option("--test", type=click.Choice(TESTS), required=True, help="The perturbation.")
@click.option("--split", type=click.Choice(SPLIT_NAMES), help="Only this split of a folder.")
@_domain
@click.option("--topics", type=FILE, help="Tab-separated: id, topic; for files that do not say the topics.")
@seed_option(0)
@click.option("-o", "--output", type=FILE, help="Where the candidates go, as JSON.")
def perturb(
    source: Path, test: Test, split: str | None, domain: str, topics: Path | None, seed: int, output: Path | None
) -> None:
    """Candidates for a perturbation.

    A person has to check them.

    SOURCE is a folder of AURC-8, or a JSON file with tokens and gold labels. Where the folder has no texts, the
    candidates say by characters what is to be done. T1 and T2 need to know each sentence's topic: a file of
    predictions does not say it, --topics does.
    """
    from aifgraph.tasks import aurc as task
    from aifgraph.tasks.aurc.perturbation import dumped

    sentences = task.read_tokens(source, domain=domain, split=split, needs_text=False)
    if topics:
        sentences = task.with_topics(sentences, topics)
    candidates = task.candidates(sentences, test, seed=seed)
    if any(one.unit == "character" for one in candidates):
        warn(["the corpus has no texts: the candidates are instructions in characters"])
    put(dumped(candidates), output)


@aurc.command()
@click.argument("predictions", type=FILE, nargs=-1, required=True)
@click.option("--train", type=FILE, help="Training sentences: a folder of AURC-8, or JSON; T4 and T5 need them.")
@_token_gold
@click.option(
    "--similarity", type=FILE, help="Tab-separated: test, train (ids), similarity; without it, TF-IDF cosine."
)
@click.option("--decision", type=click.Choice(DECISIONS), default="argument", show_default=True, help="What is right.")
@click.option(
    "--neighbour",
    type=click.Choice(NEIGHBOURS),
    default="opposite",
    show_default=True,
    help="T5: what the nearest training sentence must be.",
)
@click.option(
    "--marks",
    type=click.Choice(MARKS),
    default="counted",
    show_default=True,
    help="T6: non-argument punctuation; the authors leave it out.",
)
@_domain
@_ties
@output_options()
def subpopulation(
    predictions: tuple[Path, ...],
    train: Path | None,
    token_gold: Path | None,
    similarity: Path | None,
    decision: Decision,
    neighbour: Neighbour,
    marks: Marks,
    domain: str,
    ties: Ties,
    seed: int | None,
    format_: str,
    output: Path | None,
) -> None:
    """Correlate being right with T4, T5 and T6.

    On sentences with mixed segments. Several files are runs of one system; their mean is shown.
    """
    from aifgraph.tasks import aurc as task

    with alive() as progress:
        trained = task.read_tokens(train, domain=domain, split="Train", needs_text=not similarity) if train else []
        result = task.subpopulation(
            _runs(predictions, token_gold),
            trained,
            similarity=task.read_similarities(similarity) if similarity else None,
            similarity_name=f"file {similarity}",
            decision=decision,
            neighbour=neighbour,
            marks=marks,
            ties=ties,
            seed=seed,
            progress=progress,
        )
    warn(result.undefined())
    present_task(result, format_, output)


@aurc.command()
@click.argument("predictions", type=FILE, nargs=-1, required=True)
@_token_gold
@click.option("--measure", type=click.Choice(MEASURES), default="token", show_default=True, help="F1 over what.")
@_ties
@click.option("--variant", type=click.Choice(VARIANTS), default="published", show_default=True, help="Of segment-F1.")
@click.option("--zero-division", type=click.Choice(ZERO_DIVISION), default="0", show_default=True, help="Absent class.")
@click.option("--rounds", type=click.IntRange(1), default=10_000, show_default=True, help="Shuffles of each test.")
@output_options()
def significance(
    predictions: tuple[Path, ...],
    token_gold: Path | None,
    measure: Measure,
    ties: Ties,
    seed: int | None,
    variant: Variant,
    zero_division: ZeroDivision,
    rounds: int,
    format_: str,
    output: Path | None,
) -> None:
    """p-values of all pairs of files.

    By approximate randomisation. Each file is a system; all are on the same sentences.
    """
    from aifgraph.tasks import aurc as task

    with alive() as progress:
        if progress:
            progress(f"{len(predictions)} systems, {rounds} rounds")
        result = task.significance(
            _runs(predictions, token_gold),
            measure,
            ties=ties,
            seed=seed,
            variant=variant,
            zero_division=zero_division,
            rounds=rounds,
        )
    present_task(result, format_, output)


@aurc.command()
@click.argument("folder", type=FILE)
@output_options()
def stats(folder: Path, format_: str, output: Path | None) -> None:
    """Sentences by topic, label and split."""
    from aifgraph.tasks import aurc as task

    present_task(task.stats(folder), format_, output)


@aurc.command()
@click.argument("folder", type=FILE)
@output_options()
def agreement(folder: Path, format_: str, output: Path | None) -> None:
    """Agreement of the crowd workers.

    Unitised alpha and kappa of the five, by topic.
    """
    from aifgraph.tasks import aurc as task

    with alive() as progress:
        corpus = task.read_folder(folder)
        result = task.agreement(corpus, progress=progress)
    damaged = [f"{one.id}: the cell of {who} cannot be read" for one in corpus.sentences for who in one.damaged]
    warn(damaged)
    present_task(result, format_, output)


@aurc.command()
@click.argument("train", type=FILE)
@click.argument("test", type=FILE)
@click.option("--method", type=click.Choice(METHODS), default="tfidf", show_default=True)
@_domain
@click.option("--ties", type=click.Choice(TIES), default="random", show_default=True, help="In the training sentences.")
@seed_option(0)
@click.option("-o", "--output", type=FILE, help="Where the predictions go.")
def baseline(train: Path, test: Path, method: str, domain: str, ties: Ties, seed: int, output: Path | None) -> None:
    """Predictions for TEST that the scorer takes.

    Its gold labels are copied, not looked at.

    TRAIN and TEST are JSON files with tokens and gold labels, or folders of AURC-8, of which the split of that name is
    taken.
    """
    from aifgraph.tasks import aurc as task

    trained = task.read_tokens(train, domain=domain, split="Train")
    tested = task.read_tokens(test, domain=domain, split="Test")
    put(task.written(task.predict(trained, tested, method, ties=ties, seed=seed)), output)
