"""``aifgraph formats``: what is read and written, and what each format cannot hold."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.options import output_options
from aifgraph.cli.present import put
from aifgraph.formats.listing import formats_table
from aifgraph.tables.render import render


@click.command()
@output_options()
def formats(format_: str, output: Path | None) -> None:
    """The formats by name: what they are called, read and written, their suffixes, and what is lost in them.

    \b
    Examples:
      aifgraph formats
      aifgraph formats --format json
    """
    put(render(formats_table(), format_), output)
