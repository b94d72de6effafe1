"""``aifgraph stats``, ``pair`` and ``pack``: what a corpus contains, its pairs with another, its container."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.options import corpora_by_name, jobs_option, output_options, plot_option
from aifgraph.cli.present import bar, draw, present, put, rendered, warn
from aifgraph.corpus.pairing import MIN_SIMILARITY
from aifgraph.errors import InputError, OptionError
from aifgraph.tables import FORMATS, Table

if TYPE_CHECKING:
    from aifgraph.corpus.corpus import Corpus
    from aifgraph.corpus.counts import CorpusStats


@click.command()
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…")
@click.option("--most", type=click.IntRange(1), help="So many rows of illocutions, schemes and speakers at the most.")
@plot_option
@jobs_option
@output_options()
def stats(
    corpora: tuple[str, ...], most: int | None, plot: Path | None, jobs: int, format_: str, output: Path | None
) -> int:
    """Maps, words, nodes by type, illocutions and schemes by frequency, speakers and lengths of a corpus.

    Of several corpora the tables stand one corpus after the other; JSON is a list.

    \b
    Examples:
      aifgraph stats fixtures/debates/ann
      aifgraph stats us2016.zip --format latex -o statement.tex
      aifgraph stats ann/ ben/ --format csv -o both.csv
      aifgraph stats aifdb:US2016 --most 10
      aifgraph stats maps/ --plot nodes.svg
    """
    if plot is not None and len(corpora) > 1:
        raise OptionError("a picture is of one corpus", where=corpora[1], remedy="leave out --plot, or name one corpus")
    counts = [_counted(corpus, jobs) for corpus in corpora]
    if plot is not None:
        from aifgraph.report.plots import amounts

        [counted] = counts
        common = counted.illocutions.most_common(most or 15)
        numbers = {**counted.nodes, **{f"YA {name}": number for name, number in common}}
        draw(plot, amounts, numbers, title=f"{counted.name}: {counted.maps} maps", axis="nodes")
    if len(counts) == 1:
        present(counts[0], counts[0].tables(most), format_, output)
    elif format_ == "json":
        put(json.dumps([counted.to_dict() for counted in counts], ensure_ascii=False, indent=1), output)
    else:
        tables = [
            _named(table, name) if format_ == "csv" else replace(table, title=f"{name}: {table.title}")
            for name, counted in zip(corpora_by_name(corpora), counts, strict=True)
            for table in counted.tables(most)
        ]
        put(rendered(tables, format_), output)
    return 2 if any(counted.failed for counted in counts) else 0


def _named(table: Table, corpus: str) -> Table:
    """With a column for the corpus: CSV has no titles."""
    return replace(table, columns=("corpus", *table.columns), rows=[(corpus, *row) for row in table.rows])


def _counted(corpus: str, jobs: int) -> CorpusStats:
    from aifgraph.corpus import open_corpus
    from aifgraph.corpus.counts import count
    from aifgraph.evaluation.each_map import over_maps

    run = over_maps(jobs)
    with bar(f"opening {corpus}") as progress:
        opened = open_corpus(corpus, progress=progress)
    warn(opened.notices)
    if not len(opened):
        raise InputError("there are no maps in it", where=corpus)
    with bar(f"counting {opened.name}") as progress:
        counted = count(opened.name, opened, progress, run=run)
    if not counted.maps:
        more = f" (and {len(counted.failed) - 1} more)" if len(counted.failed) > 1 else ""
        raise InputError(f"none of its maps can be read: {counted.failed[0][1]}{more}", where=corpus)
    warn(error for _, error in counted.failed)
    return counted


min_text_option = click.option(
    "--min-text",
    type=float,
    default=MIN_SIMILARITY,
    show_default=True,
    metavar="0..1",
    help="By text: how similar the words of two texts must be.",
)
"""How alike two texts must be to belong together."""


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--by", default="text", show_default=True, metavar="name|text|FILE", help="How to pair.")
@min_text_option
@output_options(("tsv", *FORMATS))
def pair(first: str, second: str, by: str, min_text: float, format_: str, output: Path | None) -> None:
    """Pair the maps of two corpora, each pair with its evidence; as tsv, a file for ``compare --pairs``.

    \b
    Examples:
      aifgraph pair annotator1/ annotator2.zip -o pairs.tsv
      aifgraph compare annotator1/ annotator2.zip --pairs pairs.tsv
    """
    from aifgraph.corpus import open_corpus
    from aifgraph.corpus.pairing import pair as pair_corpora

    pairing = pair_corpora(open_corpus(first), open_corpus(second), by, min_similarity=min_text)
    alone = (("first", pairing.unpaired_first), ("second", pairing.unpaired_second))
    warn([*pairing.notices, *(f"{entry.name} ({side}) has no partner" for side, rest in alone for entry in rest)])
    if format_ != "tsv":
        put(rendered(pairing.table(), format_), output)
        return
    rows = [("first", "second", "evidence", "similarity")]
    rows += [(both.first.name, both.second.name, both.evidence, _shown(both.similarity)) for both in pairing]
    put("\n".join(map("\t".join, rows)), output)


def _shown(similarity: float | None) -> str:
    return "" if similarity is None else f"{similarity:.4f}"


@click.command()
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File or new folder.")
def pack(corpora: tuple[str, ...], output: Path) -> int:
    """Write a corpus as .zip, .tar.gz, .jsonl, .jsonl.gz or a folder: maps and texts as they are.

    Of several corpora each is in a folder of its own name.

    \b
    Examples:
      aifgraph pack maps/ -o maps.zip
      aifgraph pack ann/ ben/ -o both.zip
      aifgraph pack aifdb:US2016 -o us2016.jsonl.gz
    """
    from aifgraph.corpus import open_corpus
    from aifgraph.corpus.corpus import joined
    from aifgraph.corpus.writer import pack as write

    parts: dict[str, Corpus] = {}
    for corpus in corpora:
        with bar(f"opening {corpus}") as progress:
            part = open_corpus(corpus, progress=progress)
        alike = sum(other.name == part.name for other in parts.values())
        parts[f"{part.name}-{alike + 1}" if alike else part.name] = part
    opened = joined(parts) if len(parts) > 1 else next(iter(parts.values()))
    with bar(f"packing {opened.name}") as progress:
        packed = write(opened, output, progress=progress)
    warn([*opened.notices, *packed.notices, *(error for _, error in packed.failed)])
    put(f"{packed.path}: {packed.maps} maps", None)
    return 2 if packed.failed else 0
