"""SciARG: scientific abstracts annotated as trees (Accuosto, Neves and Saggion 2021), as a TSV table.

A unit is an I-node, its parent what it leads to. *attack* is CA, every other function RA with the function as its
text. Maps are named ``annotator/document``, so that each annotator has a corpus. Fields stand under ``sciarg``: the
columns of the table, and ``function`` of a relation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final, Literal

from aifgraph.datasets.dataset import Log, files_in
from aifgraph.datasets.rows import Row, read_tsv
from aifgraph.errors import OptionError
from aifgraph.files import unique_name
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span
from aifgraph.graph.rules.index import cycles

COLUMNS: Final = ("doc_id", "adu_pos", "annotator", "parent_pos", "afu", "text")


def read(path: Path, log: Log, *, functions: Literal["all", "support"] = "all") -> Iterator[ArgumentGraph]:
    """Read a table or a folder of them.

    ``functions="support"`` leaves out the discourse functions: elaboration, info-required, sequence …
    """
    if functions not in ("all", "support"):
        raise OptionError(f"functions cannot be {functions!r}", remedy="give all or support")
    files = files_in(path, "*.tsv", log)
    for file in files:
        prefix = f"{file.stem}/" if len(files) > 1 else ""
        names = Counter[str]()
        # The rows of a document stand together: only one document is held at a time.
        rows = groupby(read_tsv(file, log, COLUMNS), key=lambda row: (row.cells["annotator"], row.cells["doc_id"]))
        for (annotator, document), units in rows:
            name = prefix + unique_name(names, annotator, document)
            yield _graph(name, list(units), file, log, all_functions=functions == "all")


def _graph(name: str, rows: list[Row], file: Path, log: Log, *, all_functions: bool) -> ArgumentGraph:
    units: dict[str, Row] = {}
    for row in rows:
        position = row.cells["adu_pos"]
        if position in units:
            log.problem("duplicate", f"unit {position} is given twice", file, row.line)
        units.setdefault(position, row)
    build = GraphBuilder(name=name)
    spans: list[Span] = []
    start = 0
    for position, row in units.items():
        text = row.cells["text"]
        extra = {column: cell for column, cell in row.cells.items() if column not in ("text", "text_parent", "doc_id")}
        node = build.proposition(text, id=f"u{position}", extra={"sciarg": extra})
        spans.append(Span(node, start, start + len(text)))
        start += len(text) + 1
    cyclic = in_cycle({position: row.cells["parent_pos"] for position, row in units.items()})
    for position, row in units.items():
        parent, function = row.cells["parent_pos"], row.cells["afu"]
        if parent == "0":
            continue
        log.counts[f"{function[:40]} relations"] += 1
        label = {"sciarg": {"function": function}}
        if parent not in units:
            log.problem("dangling", f"the parent {parent!r} of unit {position} is not there", file, row.line)
        elif position in cyclic:
            log.problem("cycle", f"unit {position} supports itself over its parents", file, row.line)
        elif function == "attack":
            build.conflict(f"u{position}", f"u{parent}", extra=label)
        elif all_functions or function == "support":
            named = None if function == "support" else function
            build.inference([f"u{position}"], f"u{parent}", named, extra=label)
    build.source(SourceText(" ".join(row.cells["text"] for row in units.values()), spans=tuple(spans)))
    document = {column: rows[0].cells.get(column, "") for column in ("doc_id", "annotator", "domain")}
    return build.graph(aif={"sciarg": document})


def in_cycle(parent_of: Mapping[str, str]) -> set[str]:
    """Return the keys that come back to themselves over their parents.

    >>> sorted(in_cycle({"1": "2", "2": "3", "3": "2", "4": "4", "5": "0"}))
    ['2', '3', '4']
    """
    links = parent_of.items()
    return {key for key, parent in links if key == parent}.union(*cycles(links))
