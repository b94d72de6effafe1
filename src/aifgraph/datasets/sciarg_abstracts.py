"""SciARG: scientific abstracts annotated as trees (Accuosto, Neves and Saggion 2021), one corpus per annotator.

A unit is an I-node; its parent is what it leads to. *Attack* is CA, and every other function RA with the function as
its text (``functions="support"`` leaves the discourse functions out: elaboration, info-required, sequence …). Maps are
named ``annotator/document``, so that a folder of them is one corpus per annotator and CASS compares annotators.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

from aifgraph.corpus_names import UniqueNames, file_name
from aifgraph.datasets.dataset import Dataset, relative
from aifgraph.datasets.rows import Row, tsv_rows
from aifgraph.errors import InputError, OptionError
from aifgraph.graph import ArgumentGraph, GraphBuilder, SourceText, Span
from aifgraph.graph.schemes import DEFAULT_TEXTS

COLUMNS = ("doc_id", "adu_pos", "annotator", "parent_pos", "afu", "text")


@dataclass(eq=False, kw_only=True)
class SciArgAbstracts(Dataset):
    """A TSV table or a folder of them; ``annotator`` keeps one annotator's maps only."""

    name = "sciarg-abstracts"
    title = "SciARG (abstracts)"

    annotator: str | None = None
    functions: Literal["all", "support"] = "all"

    def maps(self) -> Iterator[ArgumentGraph]:
        files = sorted(self.path.glob("*.tsv")) if self.path.is_dir() else [self.path]
        if not files:
            what, remedy = "the folder holds no table (*.tsv)", "give the folder of SciARG's tables"
            raise InputError(what, where=str(self.path), remedy=remedy)
        annotators: set[str] = set()
        for path in files:
            prefix = f"{path.stem}/" if len(files) > 1 else ""
            yield from self._table(path, prefix, annotators)
        if self.annotator is not None and annotators and self.annotator not in annotators:
            there = ", ".join(sorted(annotators)[:20])
            raise OptionError(f"there is no annotator {self.annotator!r}", where=str(self.path), remedy=f"give {there}")

    def _table(self, path: Path, prefix: str, annotators: set[str]) -> Iterator[ArgumentGraph]:
        file = relative(path, self.path)
        names: dict[str, UniqueNames] = {}
        rows = tsv_rows(path, self.problems, COLUMNS, file)
        # A document's rows stand together: only one document is held at a time.
        for (document, annotator), units in groupby(
            rows, key=lambda row: (row.cells["doc_id"], row.cells["annotator"])
        ):
            annotators.add(annotator)
            if self.annotator in (None, annotator):
                folder = names.setdefault(file_name(annotator), UniqueNames())
                yield self._map(f"{prefix}{file_name(annotator)}/{folder.unique(document)}", list(units), file)

    def _map(self, name: str, rows: list[Row], file: str) -> ArgumentGraph:
        units: dict[str, Row] = {}
        for row in rows:
            position = row.cells["adu_pos"]
            if position in units:
                self.problems.add("duplicate", f"unit {position} is given twice", file, row.line)
            else:
                units[position] = row
        build = GraphBuilder(name=name)
        spans: list[Span] = []
        texts: list[str] = []
        for position, row in units.items():
            cells = row.cells
            labels = {key: cells[key] for key in cells if key not in ("text", "text_parent", "doc_id")}
            node = build.proposition(cells["text"], id=f"u{position}", record={"sciarg": labels})
            start = sum(len(text) + 1 for text in texts)
            spans.append(Span(node, start, start + len(cells["text"])))
            texts.append(cells["text"])
        parents = {position: row.cells["parent_pos"] for position, row in units.items()}
        cyclic = in_cycle(parents)
        for position, row in units.items():
            parent, function = parents[position], row.cells["afu"]
            if parent == "0":
                continue
            self._held("functions", function)
            if parent not in units:
                self.problems.add("dangling", f"the parent {parent!r} of unit {position} is not there", file, row.line)
            elif position in cyclic:
                self.problems.add("cycle", f"unit {position} supports itself over its parents", file, row.line)
            elif function == "attack":
                build.conflict(f"u{position}", f"u{parent}", record={"sciarg": {"function": function}})
            elif function == "support" or self.functions == "all":
                text = DEFAULT_TEXTS["RA"] if function == "support" else function
                build.inference([f"u{position}"], f"u{parent}", text, record={"sciarg": {"function": function}})
            else:
                self.counts[f"{function} left out"] += 1
        build.source(SourceText(" ".join(texts), spans=tuple(spans)))
        document = {key: rows[0].cells.get(key, "") for key in ("doc_id", "annotator", "domain")}
        return build.graph(aif={"sciarg": document})


def in_cycle(parent_of: Mapping[str, str]) -> set[str]:
    """The keys that come back to themselves over their parents. Linear in the number of keys.

    >>> sorted(in_cycle({"1": "2", "2": "3", "3": "2", "4": "4", "5": "0"}))
    ['2', '3', '4']
    """
    import networkx

    graph: networkx.DiGraph[str] = networkx.DiGraph(
        [(key, parent) for key, parent in parent_of.items() if parent in parent_of]
    )
    circles = (part for part in networkx.strongly_connected_components(graph) if len(part) > 1)
    return {key for key, parent in parent_of.items() if key == parent}.union(*circles)
