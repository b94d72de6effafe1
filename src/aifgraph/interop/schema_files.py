"""Finding the files of ``schemas/``: inside an installed package, beside ``src`` in a checkout."""

from __future__ import annotations

from pathlib import Path

from aifgraph.errors import NotFoundError


def schema_file(name: str) -> Path:
    """The path of a file in ``schemas/``; ``NotFoundError`` where the installation lacks it.

    >>> schema_file("aif-shapes.ttl").name
    'aif-shapes.ttl'
    """
    package = Path(__file__).parents[1]
    # A wheel carries the folder in the package; an editable install runs from the checkout, where it stands at the top.
    for folder in (package / "schemas", package.parents[1] / "schemas"):
        if (folder / name).is_file():
            return folder / name
    raise NotFoundError(f"no schema file {name}", where=str(package), remedy="install aifgraph again")
