"""From one format to another: a map, or every map of a corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import tee
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.corpus.corpus import Corpus, open_corpus
from aifgraph.corpus.entries import MapRun, stem_of
from aifgraph.corpus.writer import container_suffix, open_writer
from aifgraph.corpus_names import ARCHIVES, LINES, UniqueNames, is_corpus
from aifgraph.errors import AifgraphError, InputError, also_unreadable
from aifgraph.formats import NamedMap, dump, load
from aifgraph.formats.registry import READING_OPTIONS, Written, format_named, format_written
from aifgraph.graph import ArgumentGraph


@dataclass
class Conversion:
    """What became of a corpus: how many maps were written, and which failed, and why."""

    written: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)


def convert(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    from_: str | None = None,
    to: str | None = None,
    **options: Any,
) -> None:
    """Convert a map, or a corpus, into another format.

    Args:
        source: a map, or a corpus: a folder, an archive, JSON lines.
        target: a file for a map; for a corpus a folder, ``.zip`` or ``.jsonl``.
        from_: the source's format; None recognises it by content.
        to: the target's format; None goes by the suffix: in folders and archives it is AIF JSON, in JSON lines xAIF.
        **options: those of the target format (RDF: ``base``); for a single map, those of the source's
            format, too (brat: ``major``).

    Raises:
        InputError: a map cannot be read. For a corpus the message names all such maps, after the others have been
            written.
        OptionError: the format cannot be told, or an option is not one of the format.
    """
    if not holds_many(source) and not takes_many(target):
        reading = {name: options.pop(name) for name in [*options] if name in READING_OPTIONS}
        dump(load(source, format=from_, **reading), target, format=to, **options)
        return
    done = convert_corpus(open_corpus(source), target, from_format=from_, to_format=to, options=options)
    _raise_failed(done)


def takes_many(target: str | PathLike[str]) -> bool:
    """Whether a target is for many maps even where there is one: an archive, JSON lines, or a folder that is there or
    is named with a slash at its end."""
    name = str(target)
    return (
        name.endswith(("/", "\\"))
        or name.lower().endswith((*ARCHIVES, *LINES))
        or (name != "-" and Path(target).is_dir())
    )


def holds_many(source: str | PathLike[str]) -> bool:
    """Whether a source is converted as a corpus."""
    return is_corpus(source)


def convert_corpus(
    corpus: Corpus | Iterable[NamedMap],
    target: str | PathLike[str],
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    options: Mapping[str, object] | None = None,
    progress: Callable[[int, int], None] | None = None,
    run: MapRun = map,
) -> Conversion:
    """Convert one map after the other, into whatever ``open_writer`` writes; what fails is listed and skipped.

    Names are those of the maps, sub-folders included. ``run`` calls the converting for every map, as ``map`` does;
    the files are written here.
    """
    if to_format is not None:
        format_written(to_format)  # a name that no format has is said before a suffix that does not fit it
    format_name = _format_of(target, to_format)
    if from_format is not None:
        format_named(from_format)  # said once, and not of every map
    chosen = format_written(format_name)
    whole = corpus if isinstance(corpus, Corpus) else None
    chosen.check_options(options or {})
    done = Conversion()
    maps, ahead = (whole, whole) if whole is not None else tee(corpus)
    with open_writer(target, add=True) as maps_writer:
        results = run(partial(_converted, from_format=from_format, to_format=format_name, options=options or {}), ahead)
        for number, (entry, result) in enumerate(zip(maps, results, strict=True), 1):
            try:
                if isinstance(result, AifgraphError):
                    raise result
                maps_writer.add_graph(entry.name, result, chosen.suffixes[0])
            except AifgraphError as error:
                if error.where == str(target):  # it is the file of all maps that cannot be written
                    raise
                done.failed.append((entry.source, str(error)))
            else:
                done.written += 1
            if progress is not None and whole is not None:
                progress(number, len(whole))
    return done


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A graph as a map of a corpus."""

    name: str
    graph: ArgumentGraph

    @property
    def source(self) -> str:
        return self.graph.name or self.name

    def load(self, *, format: str | None = None) -> ArgumentGraph:
        return self.graph


def dump_several(
    graphs: Iterable[ArgumentGraph | NamedMap], target: Any, format: str | None, options: Mapping[str, object]
) -> None:
    """What ``dump`` does with several graphs."""
    names = UniqueNames()

    def named() -> Iterator[NamedMap]:
        for each in graphs:
            if isinstance(each, ArgumentGraph):
                file = re.split(r"[/\\]|, ", each.name)[-1]
                yield _Loaded(names.unique(stem_of(file)), each)
            else:
                yield each

    # A slash at the end says that a folder is meant.
    where = target if isinstance(target, str) else Path(target)
    done = convert_corpus(graphs if isinstance(graphs, Corpus) else named(), where, to_format=format, options=options)
    _raise_failed(done)


def _raise_failed(done: Conversion) -> None:
    if done.failed:
        (_, error), *others = done.failed
        raise InputError(f"{error}{also_unreadable(others)}", remedy=f"the other {done.written} maps are written")


def _format_of(target: str | PathLike[str], to_format: str | None) -> str:
    """The format of the maps in a target."""
    return to_format or ("xaif" if container_suffix(target) in LINES else "aif")


def _converted(
    entry: NamedMap, *, from_format: str | None, to_format: str, options: Mapping[str, Any]
) -> Written | AifgraphError:
    """What is written of a map, or the error."""
    try:
        graph = entry.load(format=from_format).with_name(entry.name)
        return format_written(to_format).written(graph, **options)
    except AifgraphError as error:
        return error
