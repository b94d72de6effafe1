"""``aifgraph convert``: maps, corpora and data sets from one format into another."""

from __future__ import annotations

from typing import Any

import click

from aifgraph.cli.datasets import convert_dataset, dataset_options
from aifgraph.cli.present import bar, warn
from aifgraph.corpus.conversion import convert_corpus, holds_many, to_folder
from aifgraph.corpus.corpus import open_corpus
from aifgraph.errors import InputError, OptionError
from aifgraph.formats.io import dump, load

#: How many failures are shown one by one.
_SHOWN = 20


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_", metavar="FORMAT", help="The format of IN, where it is not recognised.")
@click.option("--to", "to", metavar="FORMAT", help="The format of OUT, where its suffix does not say it.")
@dataset_options
def convert(source: str, target: str, from_: str | None, to: str | None, **given: Any) -> int:
    """Convert a map, a corpus or a data set; what the target cannot hold is counted on standard error.

    IN is a file, "-", a folder, an archive or JSON lines; OUT a file or "-", for a corpus a folder (with --to) or a
    .jsonl file. Maps of a corpus that cannot be read are listed, the others are converted, and the exit code is 2.

    \b
    Examples:
      aifgraph convert map.json map.dot
      aifgraph convert micro_b001.xml - --to aif
      aifgraph convert corpus.zip out/ --to xaif
      aifgraph convert --dataset iac1 iac-v1/ maps/ --threshold 0 --propositions-only
      aifgraph convert --dataset ruarg --back maps/ train.tsv
    """
    if given["dataset"] is not None:
        if from_ or to:
            raise OptionError("--from and --to do not go with --dataset", remedy="leave them out")
        return convert_dataset(source, target, **given)
    ours = {name: value for name, value in given.items() if value not in (None, False, (), "")}
    if ours:
        flag = next(iter(ours)).replace("_", "-").replace("settings", "set")
        raise OptionError(f"--{flag} is about data sets", remedy="give --dataset NAME")
    if source == "-" or not (holds_many(source) or to_folder(target)):
        graph = load(source, format=from_)
        warn(graph.notices)
        losses = dump(graph, target, format=to)
        if losses:
            click.echo(f"aifgraph: {losses}", err=True)
        return 0
    corpus = open_corpus(source)
    warn(corpus.notices)
    if not len(corpus):
        raise InputError("no map in it", where=source)
    with bar("converting") as moved:
        done = convert_corpus(corpus, target, from_format=from_, to_format=to, progress=moved)
    for _, error in done.failed[:_SHOWN]:
        click.echo(f"aifgraph: {error}", err=True)
    if len(done.failed) > _SHOWN:
        click.echo(f"aifgraph: {len(done.failed)} maps could not be converted in all", err=True)
    click.echo(f"aifgraph: {done.written} maps written; {done.losses}", err=True)
    return 2 if done.failed else 0
