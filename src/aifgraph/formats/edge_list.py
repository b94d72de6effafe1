"""Tables of relations (CSV, TSV), read only: a line for each premise, with source, target and type.

The type of a line is what its relation is: ``support`` or ``RA``, ``attack`` or ``CA``, ``rephrase`` or ``MA``. Without
that column every line is support. What stands as source and target are the texts of propositions. The columns are
named on reading.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from aifgraph.errors import FormatError
from aifgraph.formats.codec import Codec
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS

#: What the words of a type are.
TYPES = {
    **dict.fromkeys(("ra", "support", "supports", "pro", "for", "sup", "1", "+"), "RA"),
    **dict.fromkeys(("ca", "attack", "attacks", "con", "against", "conflict", "rebut", "att", "-1", "-"), "CA"),
    **dict.fromkeys(("ma", "rephrase", "rephrases", "restates", "equivalent"), "MA"),
}


class _EdgeList(Codec):
    delimiter: str
    writes = False

    def read(
        self,
        file: Input,
        *,
        source_column: str = "source",
        target_column: str = "target",
        type_column: str | None = None,
    ) -> ArgumentGraph:
        """The graph of a table with columns of these names.

        Without ``type_column`` a column ``type`` is used where there is one.
        """
        if "\0" in file.text:
            raise FormatError("binary data", where=file.name, remedy="give a table as text")
        rows = csv.reader(io.StringIO(file.text, newline=""), delimiter=self.delimiter, strict=True)
        build = GraphBuilder(name=file.name)
        ids: dict[str, str] = {}
        try:
            header = next(rows, [])
            if type_column is None and "type" in header:
                type_column = "type"
            wanted = (source_column, target_column, *([type_column] if type_column else []))
            columns = [_column(header, name, file.name) for name in wanted]
            for row in rows:
                where = f"{file.name}, line {rows.line_num}"
                if not row:
                    continue
                if len(row) <= max(columns):
                    raise FormatError(f"{len(row)} columns where {len(header)} are named", where=where)
                kind = TYPES.get(row[columns[2]].strip().casefold()) if type_column else "RA"
                if kind is None:
                    words = f"a relation of unknown type {row[columns[2]][:40]!r}"
                    word, table = row[columns[2]][:40], file.name[:100]
                    own = f"aifgraph convert --dataset pairs {table} OUT --set label={type_column} --labels {word}=none"
                    raise FormatError(words, where=where, remedy=f"known are support, attack and rephrase; else: {own}")
                ends = [row[column] for column in columns[:2]]
                for text in ends:
                    if text and text not in ids:
                        ids[text] = build.proposition(text)
                if not ends[0]:
                    raise FormatError("a relation without source", where=where)
                if ends[0] == ends[1]:
                    line = f"line {rows.line_num}"
                    build.notice("edge-loop", f"{line}: a relation of a text to itself is left out", ids[ends[0]])
                elif ends[1]:
                    build.relation(kind, [ids[ends[0]]], ids[ends[1]], DEFAULT_TEXTS[kind])
        except csv.Error as error:
            raise FormatError(f"not a table: {error}", where=f"{file.name}, line {rows.line_num}") from None
        return build.graph(form=self.name)


class Csv(_EdgeList):
    """Comma-separated."""

    name = "csv"
    title = "CSV table of relations"
    suffixes = (".csv",)
    delimiter = ","

    def sniff(self, file: Input) -> bool:
        return re.match(rb"(?:\xef\xbb\xbf)?source,target(?:,type)?\r?\n", file.data) is not None


class Tsv(_EdgeList):
    """Tab-separated."""

    name = "tsv"
    title = "TSV table of relations"
    suffixes = (".tsv",)
    delimiter = "\t"

    def sniff(self, file: Input) -> bool:
        return re.match(rb"(?:\xef\xbb\xbf)?source\ttarget(?:\ttype)?\r?\n", file.data) is not None


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


def _column(header: list[str], name: str, where: str) -> int:
    names = [each.strip() for each in header]
    if names.count(name) == 1:
        return names.index(name)
    shown = ", ".join(names[:20]) or "none"
    remedy = (
        no_columns(header)
        or f"the columns are {shown}; name two as source_column and target_column (--option source_column=…)"
    )
    if "M_kappa" in names:
        remedy = "this is the table of a comparison and no map; `compare … -o result.json` writes what `show` reads"
    raise FormatError(f"there is no column {name!r}", where=where, remedy=remedy)
