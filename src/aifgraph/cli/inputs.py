"""What a command is given as FILE…: single maps, folders and archives, map by map; what cannot be read is collected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from aifgraph.corpus.names import is_corpus
from aifgraph.errors import AifgraphError, InputError
from aifgraph.formats import load
from aifgraph.graph import ArgumentGraph


def each_map(names: Sequence[str], failed: list[tuple[str, str]], format: str | None = None) -> Iterator[ArgumentGraph]:
    """Every map that the names stand for; ``failed`` takes the name and the error of those that cannot be read."""
    from aifgraph.corpus import open_corpus

    for name in names:
        try:
            if not is_corpus(name):
                yield load(name, format=format)
                continue
            corpus = open_corpus(name)
            if not len(corpus):
                raise InputError("no map in it", where=name)
        except InputError as error:
            failed.append((name, str(error)))
            continue
        for entry in corpus:
            try:
                graph = entry.load(format=format)
            except AifgraphError as error:
                failed.append((entry.source, str(error)))
                continue
            yield graph


def corpora_by_name(paths: tuple[str, ...]) -> dict[str, str]:
    """Corpora by a short name: that of the folder or file, the whole path where two have the same."""
    names = [Path(path).name or path for path in paths]
    return {name if names.count(name) == 1 else path: path for name, path in zip(names, paths, strict=True)}
