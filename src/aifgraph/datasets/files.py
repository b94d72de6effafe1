"""Corpora of one document a file, each with its text beside it, read by a codec of ``aifgraph.formats``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from aifgraph.datasets.dataset import Dataset, relative
from aifgraph.errors import AifgraphError
from aifgraph.formats.files import Input, input_from_path, read_bytes
from aifgraph.formats.io import dump, read_input
from aifgraph.graph import ArgumentGraph


def read_document(
    dataset: Dataset, path: Path, name: str, text: Callable[[Path], Path | None] | None = None, **options: Any
) -> Iterator[ArgumentGraph]:
    """The map in a file, if it can be read; otherwise a problem. ``text`` finds a text that stands elsewhere,
    ``options`` are the codec's."""
    given: Input = input_from_path(path, **options)
    elsewhere = text(path) if text else None
    if elsewhere is not None:
        # The text has a folder of its own, where codecs do not look.
        found = elsewhere
        given = replace(given, beside=lambda suffix: read_bytes(found) if suffix == ".txt" else None)
    elif given.beside(".txt") is None:
        dataset.tallies["documents without a text"] += 1
    try:
        graph = read_input(given)
    except AifgraphError as error:
        dataset.problems.add("document", f"{error.what}; it is left out", relative(path, dataset.path))
        return
    for notice in graph.notices:
        dataset.tallies[f"notices: {notice.code}"] += 1
    yield graph.with_name(name)


def write_documents(graphs: Iterable[ArgumentGraph], folder: Path, format: str, suffix: str) -> list[Path]:
    """One document a map (and its text) into a folder; gives the documents written."""
    written: list[Path] = []
    for graph in graphs:
        target = folder / f"{graph.name}{suffix}"
        target.parent.mkdir(parents=True, exist_ok=True)
        dump(graph, target, format=format)
        written.append(target)
    return written
