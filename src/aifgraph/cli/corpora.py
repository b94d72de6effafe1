"""``aifgraph stats``, ``pair`` and ``pack``: what a corpus contains, its pairs with another, its container."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.command import Command, argument, option
from aifgraph.cli.options import (
    as_data_set,
    jobs_option,
    min_text_option,
    opened_corpus,
    required_output,
)
from aifgraph.cli.output import Destination, Output, destination
from aifgraph.cli.terminal import bar, warn
from aifgraph.corpus_names import corpora_by_name
from aifgraph.errors import InputError, also_unreadable
from aifgraph.printable import quantity
from aifgraph.tables import FORMATS, Table

if TYPE_CHECKING:
    from aifgraph.corpus.conversion_record import ConversionRecord
    from aifgraph.corpus.corpus import Corpus
    from aifgraph.corpus.counts import CorpusStats


@dataclass(frozen=True, kw_only=True)
class Stats(Command):
    """What a corpus contains, for a data statement.

    Maps, words, nodes by type, frequent illocutions and schemes, speakers, lengths.

    Of several corpora the tables stand one corpus after the other; JSON is a list.

    \b
    Examples:
      aifgraph stats fixtures/debates/ann
      aifgraph stats us2016.zip -o statement.tex
      aifgraph stats ann/ ben/ -o both.csv
      aifgraph stats aifdb:US2016 --most 10
    """

    corpora: tuple[str, ...] = argument("CORPUS…", many=True)
    most: int | None = option(
        type=click.IntRange(1), metavar="N", help="Show at most N rows of illocutions, schemes and speakers."
    )
    jobs: int = jobs_option()
    destination: Destination = destination()

    def run(self) -> Output:
        counts = [_counts(corpus, self.jobs) for corpus in self.corpora]
        code = 2 if any(of.failed for of in counts) else 0
        if len(counts) == 1:
            return Output(tables=counts[0].tables(self.most), data=counts[0].to_dict, code=code)
        named = list(zip(corpora_by_name(self.corpora), counts, strict=True))
        return Output(
            tables=[
                replace(table, title=f"{name}: {table.title}") for name, of in named for table in of.tables(self.most)
            ],
            csv=[_with_corpus(table, name) for name, of in named for table in of.tables(self.most)],
            data=lambda: [of.to_dict() for of in counts],
            code=code,
        )


def _with_corpus(table: Table, corpus: str) -> Table:
    """With a column for the corpus: CSV has no titles."""
    return replace(table, columns=("corpus", *table.columns), rows=[(corpus, *row) for row in table.rows])


def _counts(name: str, jobs: int) -> CorpusStats:
    from aifgraph.corpus.counts import count
    from aifgraph.evaluation.workers import over_maps

    run = over_maps(jobs)
    corpus = opened_corpus(name)
    with bar(f"counting {corpus.name}") as progress:
        counts = count(corpus.name, corpus, progress, run=run)
    if not counts.maps:
        more = also_unreadable(counts.failed[1:])
        error = InputError(f"none of its maps can be read: {counts.failed[0][1]}{more}", where=name)
        raise as_data_set(error, name)
    warn(error for _, error in counts.failed)
    counts.conversion = _record(corpus)
    return counts


def _record(corpus: Corpus) -> ConversionRecord | None:
    from aifgraph.corpus.conversion_record import read_record

    try:
        return read_record(corpus.path)
    except InputError as error:
        warn([f"{error}; it is left out"])
        return None


@dataclass(frozen=True, kw_only=True)
class Pair(Command):
    """Pair the maps of two corpora.

    Each pair comes with its evidence; as tsv, it is a file for ``compare --pairs``.

    \b
    Examples:
      aifgraph pair annotator1/ annotator2.zip -o pairs.tsv
      aifgraph compare annotator1/ annotator2.zip --pairs pairs.tsv
    """

    first: str = argument()
    second: str = argument()
    by: str = option("text", metavar="name|text|FILE", help="Pair maps of the same name, the same text, or by a table.")
    min_text: float = min_text_option()
    destination: Destination = destination(("tsv", *FORMATS))

    def run(self) -> Output:
        from aifgraph.corpus import open_corpus
        from aifgraph.corpus.pairing import pair

        pairing = pair(open_corpus(self.first), open_corpus(self.second), self.by, min_similarity=self.min_text)
        alone = (("first", pairing.unpaired_first), ("second", pairing.unpaired_second))
        warn([*pairing.notices, *(f"{entry.name} ({side}) has no partner" for side, rest in alone for entry in rest)])
        if self.destination.format != "tsv":
            return Output(tables=[pairing.table()])
        return Output(content=pairing.to_tsv())


@dataclass(frozen=True, kw_only=True)
class Pack(Command):
    """Pack a corpus into one file, or into a folder.

    As .zip, .tar.gz, .jsonl, .jsonl.gz or a folder: maps and texts as they are.

    Of several corpora each is in a folder of its own name. The record of a conversion is copied, of one corpus.

    \b
    Examples:
      aifgraph pack maps/ -o maps.zip
      aifgraph pack ann/ ben/ -o both.zip
      aifgraph pack aifdb:US2016 -o us2016.jsonl.gz
    """

    corpora: tuple[str, ...] = argument("CORPUS…", many=True)
    output: Path = required_output("File or new folder.")

    def run(self) -> Output:
        from aifgraph.corpus import open_corpus
        from aifgraph.corpus.corpus import joined
        from aifgraph.corpus.writer import pack

        parts: dict[str, Corpus] = {}
        for name in self.corpora:
            with bar(f"opening {name}") as progress:
                corpus = open_corpus(name, progress=progress)
            alike = sum(other.name == corpus.name for other in parts.values())
            parts[f"{corpus.name}-{alike + 1}" if alike else corpus.name] = corpus
        whole = joined(parts) if len(parts) > 1 else next(iter(parts.values()))
        with bar(f"packing {whole.name}") as progress:
            packed = pack(whole, self.output, record=_record(whole) if len(parts) == 1 else None, progress=progress)
        warn([*whole.notices, *packed.notices, *(error for _, error in packed.failed)])
        return Output(content=f"{packed.path}: {quantity(packed.maps, 'maps')}", code=2 if packed.failed else 0)
