"""The registry as a table, for the command line and the documentation."""

from __future__ import annotations

from aifgraph.formats.registry import codec, names
from aifgraph.tables.table import Table


def formats_table() -> Table:
    """Name, title, whether it is read and written, suffixes, and the kinds of things that are lost.

    >>> formats_table().records()[0]["read"]
    True
    """
    columns = ("name", "format", "read", "write", "suffixes", "lost")
    rows = []
    for name in sorted(names()):
        each = codec(name)
        lost = (", ".join(each.loses) or "nothing") if each.writes else None
        rows.append((name, each.title, each.reads, each.writes, " ".join(each.suffixes), lost))
    return Table("Formats", columns, rows)
