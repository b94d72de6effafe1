"""Open the arguments of a command: a map, a corpus, a result, or two of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from aifgraph.cli.output import notices, progress

if TYPE_CHECKING:
    from aifgraph.corpus import Corpus, Entry
    from aifgraph.graph import ArgumentGraph, SourceText

T = TypeVar("T")

#: The options that only two maps have, and those that only two corpora have.
_OF_MAPS: Final = ("first_text", "second_text")
_OF_CORPORA: Final = ("pair_by", "missing", "intervals", "jobs", "resume")
_RESULT: Final = re.compile(rb'\s*\{\s*"aifgraph"\s*:|\{"kind":"aifgraph results"')


def is_result(path: str) -> bool:
    """Return whether a file begins as a result of ``compare`` does: of two maps, or of two corpora."""
    try:
        with Path(path).open("rb") as file:
            return bool(_RESULT.match(file.read(4096)))
    except (OSError, ValueError):
        return False


def load(source: str, **options: Any) -> ArgumentGraph:
    """Load a map: a file, or one of AIFdb (``aifdb:17940``)."""
    if source.startswith("aifdb:"):
        from aifgraph.corpus.corpus import load_map

        return load_map(source)
    from aifgraph import formats

    return formats.load(source, **options)


def open_corpus(path: str) -> Corpus:
    """Open a corpus; its notices are shown."""
    from aifgraph import corpus

    opened = corpus.open_corpus(path)
    notices(opened.notices)
    return opened


def are_corpora(first: str, second: str) -> bool:
    """Return whether two arguments are corpora, and not maps."""
    from aifgraph.errors import InputError
    from aifgraph.files import is_corpus

    kinds = is_corpus(first), is_corpus(second)
    if kinds[0] != kinds[1]:
        single = second if kinds[0] else first
        if not Path(single).exists() and single != "-" and not single.startswith("aifdb:"):
            open_corpus(single)  # raises, as in every command
        raise InputError("this is a map, and the other input is a corpus; give two maps or two corpora", where=single)
    unused, right = (_OF_MAPS, "two maps") if kinds[0] else (_OF_CORPORA, "two corpora")
    context = click.get_current_context()
    for option in context.command.params:
        if option.name in unused and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[-1]} is for {right}")
    return kinds[0]


def open_both(first: str, second: str) -> tuple[Corpus, Corpus]:
    """Open two corpora, which are one if the same path is given twice; what is made of them has their notices."""
    from aifgraph import corpus

    opened = corpus.open_corpus(first)
    return opened, opened if Path(first) == Path(second) else corpus.open_corpus(second)


def source_text(path: Path | None) -> SourceText | None:
    """Read a source text."""
    from aifgraph.files import decode_source, read_bytes
    from aifgraph.graph import Notice, SourceText

    if path is None:
        return None
    text, message = decode_source(read_bytes(path), str(path))
    notices([Notice("text-encoding", message)] if message else [])
    return SourceText.from_html(text, "given")


def over_maps(
    paths: Sequence[str],
    function: Callable[[ArgumentGraph], T],
    failed: list[tuple[str, str]],
    jobs: int = 1,
    show_notices: bool = True,
) -> Iterator[T]:
    """Call a function with every map of files and corpora; add the errors of unreadable maps to ``failed``."""
    from aifgraph.errors import InputError, RemoteError
    from aifgraph.evaluation.processes import run_each
    from aifgraph.files import is_corpus

    for path in paths:
        try:
            if not is_corpus(path):
                graph = load(path)
                if show_notices:
                    notices(graph.notices)
                yield function(graph)
                continue
            corpus = open_corpus(path)
            if not len(corpus):
                raise InputError("this corpus has no maps", where=path)
        except (InputError, RemoteError) as error:
            failed.append(("", str(error)))
            continue
        with progress(f"reading {corpus.name}") as moved:
            for result in run_each(partial(_loaded, function=function), corpus, jobs=jobs, progress=moved):
                if isinstance(result, Exception):
                    failed.append(("", str(result)))
                else:
                    yield result


def _loaded(entry: Entry, *, function: Callable[[ArgumentGraph], T]) -> T | Exception:
    from aifgraph.errors import AifgraphError

    try:
        return function(entry.load())
    except AifgraphError as error:
        return error
