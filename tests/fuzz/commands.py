"""Every command of the command line, with what it is given.

``FILE`` is the changed file, ``HERE`` its folder, with an undamaged map (``OTHER``) next to it; ``ANN`` and ``BEN`` are
two corpora; ``OUT`` is a new place. The role says which seeds are changed (``fuzz.seeds``); for a folder of fixtures,
``HERE`` is a copy of it with the one file changed, and each file is there undamaged as ``again-…`` too.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

import click

from aifgraph.cli.group import group
from fuzz.values import TEXTS


@dataclass(frozen=True)
class Row:
    """Seeds of a role for command lines."""

    role: str
    lines: tuple[str, ...]


ROWS = (
    Row(
        "map",
        (
            "show FILE",
            "show FILE --tree",
            "show FILE OTHER --format latex",
            "show FILE --format json",
            "check FILE",
            "check HERE --profile xaif --format csv",
            "check FILE --profile iat --all",
            "repair FILE -o OUT.json --report OUT.txt",
            "repair FILE -o OUT.ttl --direct drop",
            "convert FILE OUT.json",
            "convert FILE OUT.ttl --profile owl",
            "convert FILE OUT.nt --profile aifdb",
            "convert FILE OUT.ttl --profile owl --namespace arg.dundee",
            "convert FILE - --to graphml",
            "convert HERE OUT.jsonl",
            "convert HERE OUT --to xaif",
            "convert FILE OUT --to xaif --ids own",
            "compare FILE OTHER --format json --items",
            "compare OTHER FILE --format html",
            "compare HERE BEN --format csv --metrics all",
            "compare HERE HERE --with-itself --format html -o OUT",
            "compare HERE BEN --format paper-latex",
            "compare FILE FILE --chance 2 --matching optimal",
            "differences FILE OTHER --context",
            "merge FILE OTHER -o OUT.json --prefer both",
            "draw FILE -o OUT.dot",
            "draw FILE --compare OTHER -o OUT.mmd",
            "stats HERE --format markdown",
            "pack HERE -o OUT.zip",
            "pack HERE BEN -o OUT",
            "pair HERE HERE",
            "pair HERE BEN --by text --format json",
            "baseline HERE --kind chain -o OUT",
            "baseline HERE --kind majority -o OUT.zip",
            "perturb HERE --shares 0,40 --draws 1 --kinds all",
            "sample HERE -n 2 --by speakers,length",
            "evaluate HERE BEN HERE --rounds 5 --test-rounds 5",
            "significance HERE HERE BEN --rounds 5",
            "export HERE --task relations --negatives all -o OUT.csv",
            "export HERE --task illocutions -o OUT.jsonl",
            "export HERE --task segmentation -o OUT.csv",
            "query FILE schemes",
            "query HERE undercuts --format csv",
            "store add OUT FILE",
        ),
    ),
    Row(
        "corpus",
        (
            "stats FILE",
            "check FILE --summary",
            "pack FILE -o OUT.jsonl.gz",
            "convert FILE OUT.jsonl",
            "compare FILE BEN --only cass",
            "differences FILE BEN --format tsv",
            "agreement FILE BEN --over-time month --rounds 5 --intervals",
            "plan FILE BEN --texts 2,4 --rounds 5",
            "plan FILE BEN --texts 2 --rounds 5 --other BEN --difference 0.2",
            "pair FILE BEN",
            "baseline FILE --kind star -o OUT.jsonl",
            "query FILE most-attacked",
        ),
    ),
    Row("text", ("baseline FILE --kind star -o OUT.zip --dialogue", "compare OTHER OTHER --first-text FILE")),
    Row("query", ("query BEN FILE", "query BEN FILE --format json")),
    Row(
        "pairs",
        (
            "compare ANN BEN --pairs FILE",
            "agreement ANN BEN --pairs FILE --intervals --rounds 5",
            "pair BEN BEN --by FILE",
        ),
    ),
    Row("batches", ("agreement ANN BEN --batches FILE",)),
    Row(
        "decisions",
        (
            "merge FIRST SECOND --decisions FILE -o OUT.json",
            "merge FIRST SECOND --decisions FILE -o - --complete --prefer first",
        ),
    ),
    Row(
        "result",
        (
            "show FILE",
            "show FILE --format latex",
            "compare FIRST SECOND --against FILE",
            "compare ANN BEN --against FILE --format json",
        ),
    ),
    Row("results", ("compare ANN BEN --only cass --results FILE --resume", "show FILE")),
    Row(
        "predictions", ("import-predictions FILE ANN -o OUT", "import-predictions FILE ANN -o OUT.jsonl --split train")
    ),
    Row("datasets/iac1/", ("convert --dataset iac1 HERE OUT.jsonl", "convert --dataset iac1 HERE OUT --threshold 0")),
    Row("datasets/iac2/", ("convert --dataset iac2 HERE/small.sql OUT.jsonl", "convert --dataset iac2 HERE/tabs OUT")),
    Row("datasets/microtexts/", ("convert --dataset microtexts HERE OUT.zip",)),
    Row("datasets/sciarg-abstracts/", ("convert --dataset sciarg-abstracts HERE/two.tsv OUT.jsonl",)),
    Row("datasets/sciarg/", ("convert --dataset sci-arg HERE OUT.jsonl",)),
    Row("datasets/cdcp/", ("convert --dataset cdcp HERE OUT.jsonl",)),
    Row("datasets/argsme/", ("convert --dataset argsme HERE OUT.jsonl",)),
    Row("datasets/argkp/", ("convert --dataset argkp HERE OUT.jsonl --labels 1=RA,0=none",)),
    Row("datasets/pairs/", ("convert --dataset pairs HERE/words.tsv OUT --set by=label",)),
    Row("datasets/ruarg/", ("convert --dataset ruarg HERE/train.tsv OUT.jsonl",)),
    Row(
        "datasets/arct/",
        (
            "convert --dataset arct HERE/full.txt OUT.jsonl",
            "convert --dataset arct --set labels=HERE/labels.txt HERE/data.txt OUT",
        ),
    ),
    Row(
        "datasets/aurc/",
        ("convert --dataset aurc HERE OUT.jsonl", "convert --dataset aurc HERE OUT --propositions-only"),
    ),
    Row("brat/", ("convert --dataset essays HERE OUT.jsonl", "convert --dataset abstrct HERE OUT.jsonl")),
    Row("debates/ann/", ("convert --dataset us2016 HERE OUT.jsonl", "convert --dataset qt30 HERE OUT.jsonl")),
    Row(
        "tasks/ruarg/",
        (
            "task ruarg score HERE/gold.tsv HERE/predicted.tsv",
            "task ruarg agreement HERE/gold.tsv HERE/predicted.tsv",
            "task ruarg baseline HERE/gold.tsv HERE/again-gold.tsv -o OUT --method random",
            "task ruarg check HERE/gold.tsv --format csv",
            "task ruarg significance HERE/gold.tsv HERE/predicted.tsv HERE/again-gold.tsv --rounds 5",
            "task ruarg stats HERE/gold.tsv",
        ),
    ),
    Row(
        "tasks/arct/",
        (
            "task arct score HERE/instances.txt HERE/first.txt HERE/second.txt --metadata HERE/metadata-public.xml",
            "task arct difficulty HERE/instances.txt HERE/first.txt HERE/second.txt --format csv",
            "task arct double HERE/instances.txt --opposites HERE/opposites.txt -o OUT",
            "task arct baseline HERE/instances.txt HERE/instances.txt -o OUT --method negation",
            "task arct significance HERE/instances.txt HERE/first.txt HERE/second.txt --rounds 5 --exclude none",
            "task arct stats HERE/instances.txt",
        ),
    ),
    Row(
        "tasks/aurc/",
        (
            "task aurc score HERE/run.json --seed 1",
            "task aurc score HERE/run.json --variant strict --zero-division leave-out --format csv",
            "task aurc agreement HERE",
            "task aurc baseline HERE HERE -o OUT --method majority",
            "task aurc perturb HERE --test T1 -o OUT",
            "task aurc perturb HERE --test T3 -o OUT --domain cross",
            "task aurc perturbation HERE/run.json --after HERE/again-run.json",
            "task aurc significance HERE/run.json HERE/again-run.json --rounds 5 --seed 1",
            "task aurc stats HERE",
            "task aurc subpopulation HERE/run.json --train HERE --seed 1",
        ),
    ),
    Row("topics", ("task aurc perturb RUN --topics FILE --test T2 -o OUT",)),
    Row("similarity", ("task aurc subpopulation RUN --train AURC --similarity FILE --seed 1",)),
)

#: Commands that the table leaves out, with the reason.
ELSEWHERE = {
    "fetch": "a server's answers are what is hostile (fuzz.answers)",
    "store list": "a store is a folder that the library itself has written",
    "store remove": "a store is a folder that the library itself has written",
    "formats": "it is given no file",
    "metrics": "it is given no file",
    "schemes": "it is given no file",
}


def all_commands() -> set[str]:
    """The names of all commands, those of groups with the group's name in front."""
    found = set()
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found |= _below(name, command)
    return found


def _below(name: str, command: click.Command | None) -> set[str]:
    if not isinstance(command, click.Group):
        return {name}
    inner = {f"{name} {part}": command.commands[part] for part in command.commands}
    return set().union(*(_below(words, each) for words, each in inner.items()))


#: Options whose values are places, numbers of processes, or amounts of work.
_NOT_CHANGED = {
    *("output", "jobs", "scheduler", "ship", "rounds", "test_rounds", "draws", "chance", "report"),
    *("folder", "plot", "results", "store", "host", "port", "meaning", "help", "number", "texts"),
}
_NUMBERS = ("-1", "0", "1", "2", "0.5", "1.5", "nan", "inf", "-inf", "1e400", "9" * 400, "x", "", "0x10", "1_0", "٣")


def with_option(rng: random.Random, words: list[str]) -> list[str]:
    """The command line with one more option of the command, its value hostile."""
    found = _options(words[0], words[1] if len(words) > 1 else "")
    if not found:
        return words
    option = rng.choice(found)
    name = max(option.opts, key=len)
    if option.is_flag:
        return [*words, name]
    kind: Any = option.type
    choices = list(kind.choices) if isinstance(kind, click.Choice) else []
    value = rng.choice([*choices, *_NUMBERS, rng.choice(TEXTS)] if choices else [*_NUMBERS, rng.choice(TEXTS)])
    return [*words, f"{name}={value}".replace("\0", "").encode("utf-8", "replace").decode()]


@cache
def _options(first: str, second: str) -> tuple[click.Option, ...]:
    command = group.get_command(click.Context(group), first)
    for word in (second,):
        if isinstance(command, click.Group):
            command = command.commands.get(word)
    if isinstance(command, click.Group) or command is None:
        return ()
    return tuple(
        each
        for each in command.params
        if isinstance(each, click.Option)
        and each.name not in _NOT_CHANGED
        and not isinstance(each.type, click.Path | click.File)
    )
