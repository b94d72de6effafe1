"""``aifgraph stats``: what a corpus holds."""

from __future__ import annotations

import json
from pathlib import Path

import click

from aifgraph.cli.options import output_options, plot_option
from aifgraph.cli.present import draw, put, warn


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
    from aifgraph.cli.present import bar
    from aifgraph.corpus import open_corpus
    from aifgraph.corpus.statistics import count
    from aifgraph.errors import InputError
    from aifgraph.tables.render import render

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
    if format_ == "json":
        put(json.dumps(counted.to_dict(), ensure_ascii=False, indent=2), output)
    else:
        put(render(counted.tables(most), format_), output)
    return 1 if counted.failed else 0
