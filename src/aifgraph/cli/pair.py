"""``aifgraph pair``: which map of one corpus belongs to which of another."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.options import output_options
from aifgraph.cli.present import put, warn
from aifgraph.tables.render import FORMATS


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--by", default="text", show_default=True, metavar="name|text|FILE", help="How to pair.")
@output_options(("tsv", *FORMATS))
def pair(first: str, second: str, by: str, format_: str, output: Path | None) -> None:
    """Pair the maps of two corpora, each pair with its evidence; as tsv, a file for ``compare --pairs``.

    \b
    Examples:
      aifgraph pair annotator1/ annotator2.zip -o pairs.tsv
      aifgraph compare annotator1/ annotator2.zip --pairs pairs.tsv
    """
    from aifgraph.corpus import open_corpus
    from aifgraph.corpus.pairing import pair as find
    from aifgraph.tables.render import render

    pairing = find(open_corpus(first), open_corpus(second), by)
    alone = (("first", pairing.unpaired_first), ("second", pairing.unpaired_second))
    warn([*pairing.notices, *(f"{entry.name} ({side}) has no partner" for side, rest in alone for entry in rest)])
    if format_ != "tsv":
        put(render(pairing.table(), format_), output)
        return
    rows = [("first", "second", "evidence", "similarity")]
    rows += [(each.first.name, each.second.name, each.evidence, _shown(each.similarity)) for each in pairing]
    put("\n".join(map("\t".join, rows)), output)


def _shown(similarity: float | None) -> str:
    return "" if similarity is None else f"{similarity:.4f}"
