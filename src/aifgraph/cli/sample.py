"""``aifgraph sample``: which texts of a corpus to annotate twice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.options import output_options, seed_option
from aifgraph.cli.present import present, put, warn
from aifgraph.evaluation.sampling import STRATA
from aifgraph.tables import FORMATS, shown

if TYPE_CHECKING:
    from aifgraph.evaluation.sampling import Stratum


@click.command()
@click.argument("corpus")
@click.option("-n", "--number", type=int, required=True, help="How many texts.")
@click.option("--by", default="", metavar="NAMES", help=f"Strata, joined by commas: {', '.join(STRATA)}.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Also write maps and texts: a new folder, or an archive.",
)
@seed_option(0)
@output_options(("text", "tsv", *FORMATS[1:]))
def sample(corpus: str, number: int, by: str, folder: Path | None, seed: int, format_: str, output: Path | None) -> int:
    """Draw texts of CORPUS at random; with --by, from strata in proportion to their sizes.

    Strata are the number of speakers (1, 2, 3 or more), the length (short, middle, long: thirds of the corpus), and the
    sub-folder. The same seed draws the same texts.

    \b
    Examples:
      aifgraph sample maps/ -n 40 --by speakers,length --seed 1
      aifgraph sample maps/ -n 40 --seed 1 --folder twice/ --format tsv -o sample.tsv
    """
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.corpus.writer import pack
    from aifgraph.evaluation.sampling import sample as draw

    opened = open_corpus(corpus)
    names: list[Stratum] = [name.strip() for name in by.split(",") if name.strip()]  # type: ignore[misc]
    result = draw(opened, number, by=names, seed=seed)
    warn([*opened.notices, *(f"{name}: not drawn: {error}" for name, error in result.failed)])
    if folder is not None:
        packed = pack(opened.only(result.names), folder)
        warn(error for _, error in packed.failed)
    if format_ == "tsv":
        table = result.list_table()
        lines = [table.columns, *([shown(cell) for cell in row] for row in table.rows)]
        put("\n".join(map("\t".join, lines)), output)
    else:
        tables = [result.list_table()] if format_ == "csv" else result.tables()
        present(result, tables, format_, output, signature=result.signature)
    return 2 if result.failed else 0
