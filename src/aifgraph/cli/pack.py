"""``aifgraph pack``: a corpus in another container."""

from __future__ import annotations

from pathlib import Path

import click

from aifgraph.cli.present import put, warn


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
    from aifgraph.cli.present import bar
    from aifgraph.corpus import open_corpus
    from aifgraph.corpus.pack import pack as write

    with bar(f"opening {corpus}") as progress:
        opened = open_corpus(corpus, progress=progress)
    with bar(f"packing {opened.name}") as progress:
        packed = write(opened, output, progress=progress)
    warn([*opened.notices, *packed.notices, *(error for _, error in packed.failed)])
    put(f"{packed.path}: {packed.maps} maps", None)
    return 1 if packed.failed else 0
