"""What tables of pairs say of relations."""

from __future__ import annotations

from collections.abc import Sequence

#: What the words of a type are.
TYPES = {
    **dict.fromkeys(("ra", "support", "supports", "pro", "for", "sup", "1", "+"), "RA"),
    **dict.fromkeys(("ca", "attack", "attacks", "con", "against", "conflict", "rebut", "att", "-1", "-"), "CA"),
    **dict.fromkeys(("ma", "rephrase", "rephrases", "restates", "equivalent"), "MA"),
}


def no_columns(header: Sequence[str]) -> str:
    """The remedy for a first line that has no columns; empty where it has some.

    >>> no_columns(["source;target"]), no_columns(["source", "target"])
    ('its cells stand between semicolons: save it with commas (.csv) or tabs (.tsv)', '')
    """
    first = header[0].lstrip("\ufeff") if header else ""
    if first.startswith("PK"):
        return "it is a spreadsheet or an archive: save it as a table, .csv or .tsv"
    if first.startswith(("{", "[{")):
        return "it is JSON: save it as a table with a header, .csv or .tsv"
    if len(header) == 1 and ";" in first:
        return "its cells stand between semicolons: save it with commas (.csv) or tabs (.tsv)"
    return ""
