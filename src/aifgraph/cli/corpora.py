"""``aifgraph stats``, ``pair`` and ``pack``: what a corpus contains, its pairs with another, its container."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.options import output_options, plot_option
from aifgraph.cli.present import bar, draw, present, put, rendered, warn
from aifgraph.corpus import open_corpus
from aifgraph.corpus.pack import pack as write
from aifgraph.corpus.pairing import MIN_SIMILARITY
from aifgraph.corpus.pairing import pair as pair_corpora
from aifgraph.corpus.statistics import count
from aifgraph.errors import InputError
from aifgraph.tables import FORMATS


@click.command()
@click.argument("corpus")
@click.option("--most", type=click.IntRange(1), help="So many rows of illocutions, schemes and speakers at the most.")
@plot_option
@output_options()
def stats(corpus: str, most: int | None, plot: Path | None, format_: str, output: Path | None) -> int:
    """Maps, words, nodes by type, illocutions and schemes by frequency, speakers and lengths of a corpus.

    \b
    Examples:
      aifgraph stats fixtures/debates/ann
      aifgraph stats us2016.zip --format latex -o statement.tex
      aifgraph stats aifdb:US2016 --most 10
      aifgraph stats maps/ --plot nodes.svg
    """
    with bar(f"opening {corpus}") as progress:
        opened = open_corpus(corpus, progress=progress)
    warn(opened.notices)
    if not len(opened):
        raise InputError("there are no maps in it", where=corpus)
    with bar(f"counting {opened.name}") as progress:
        counted = count(opened.name, opened, progress)
    if not counted.maps:
        more = f" (and {len(counted.failed) - 1} more)" if len(counted.failed) > 1 else ""
        raise InputError(f"none of its maps can be read: {counted.failed[0][1]}{more}", where=corpus)
    warn(error for _, error in counted.failed)
    if plot is not None:
        from aifgraph.report.plots import amounts

        common = counted.illocutions.most_common(most or 15)
        numbers = {**counted.nodes, **{f"YA {name}": number for name, number in common}}
        draw(plot, amounts, numbers, title=f"{counted.name}: {counted.maps} maps", axis="nodes")
    present(counted, counted.tables(most), format_, output)
    return 1 if counted.failed else 0


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--by", default="text", show_default=True, metavar="name|text|FILE", help="How to pair.")
@click.option(
    "--min-text",
    type=float,
    default=MIN_SIMILARITY,
    show_default=True,
    metavar="0..1",
    help="By text: how similar the words of two texts must be.",
)
@output_options(("tsv", *FORMATS))
def pair(first: str, second: str, by: str, min_text: float, format_: str, output: Path | None) -> None:
    """Pair the maps of two corpora, each pair with its evidence; as tsv, a file for ``compare --pairs``.

    \b
    Examples:
      aifgraph pair annotator1/ annotator2.zip -o pairs.tsv
      aifgraph compare annotator1/ annotator2.zip --pairs pairs.tsv
    """
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
@click.argument("corpus")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File or new folder.")
def pack(corpus: str, output: Path) -> int:
    """Write a corpus as .zip, .tar.gz, .jsonl, .jsonl.gz or a folder: maps and texts as they are.

    \b
    Examples:
      aifgraph pack maps/ -o maps.zip
      aifgraph pack aifdb:US2016 -o us2016.jsonl.gz
    """
    with bar(f"opening {corpus}") as progress:
        opened = open_corpus(corpus, progress=progress)
    with bar(f"packing {opened.name}") as progress:
        packed = write(opened, output, progress=progress)
    warn([*opened.notices, *packed.notices, *(error for _, error in packed.failed)])
    put(f"{packed.path}: {packed.maps} maps", None)
    return 1 if packed.failed else 0
