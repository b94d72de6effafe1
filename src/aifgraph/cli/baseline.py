"""``aifgraph baseline``: trivial systems, as maps like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aifgraph.cli.present import bar, put, warn
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.baselines import KINDS

if TYPE_CHECKING:
    from aifgraph.corpus.corpus import Corpus
    from aifgraph.corpus.entries import Entry
    from aifgraph.evaluation.baselines import FrequentRelation, Kind
    from aifgraph.graph import ArgumentGraph


@click.command()
@click.argument("corpus")
@click.option("--kind", type=click.Choice(KINDS), required=True, help="What the system does.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="A folder or an archive, as of pack.",
)
@click.option("--count-in", metavar="CORPUS", help="majority: the corpus whose relations are counted (else CORPUS).")
@click.option("--dialogue", is_flag=True, help="Texts: each sentence is a locution, and asserts what it says.")
def baseline(corpus: str, kind: Kind, output: Path, count_in: str | None, dialogue: bool) -> int:
    """For each map of CORPUS, an analysis of the same units that looks at nothing else.

    units: no argument at all; chain: each unit supports the one before; star: all support the first; majority: every
    two neighbours stand in the most frequent relation of the corpus. Maps keep their names, so that they pair. CORPUS
    may be texts (.txt) instead: their sentences are the units.

    \b
    Examples:
      aifgraph baseline gold/ --kind chain -o chain/
      aifgraph compare gold/ chain/
      aifgraph baseline gold.zip --kind majority --count-in train.zip -o majority.zip
      aifgraph baseline texts/ --kind star -o star.jsonl
    """
    from aifgraph.corpus.writer import write_maps
    from aifgraph.evaluation.baselines import frequent_relation

    opened = _open(corpus)
    if count_in is not None and kind != "majority":
        raise OptionError(f"--count-in does not go with {kind}", remedy="leave it out, or give --kind majority")
    if output.exists() and output.resolve() == opened.path.resolve():
        raise OptionError("the output is the corpus itself", where=str(output), remedy="name another place")
    failed: dict[str, str] = {}
    frequent = None
    if kind == "majority":
        counted = _open(count_in) if count_in is not None else opened
        frequent = frequent_relation(_maps(counted, failed))
        put(f"most frequent: {frequent}", None)
        failed = {} if count_in is None else failed
    with bar(f"{kind} of {opened.name}") as moved:
        written = write_maps(_analyses(opened, kind, frequent, dialogue, failed, moved), output)
    warn(failed.values())
    put(f"{output}: {written} maps", None)
    return 2 if failed else 0


def _open(corpus: str) -> Corpus:
    from aifgraph.corpus.corpus import open_corpus

    with bar(f"opening {corpus}") as progress:
        opened = open_corpus(corpus, progress=progress)
    if not len(opened):
        raise InputError("there are no maps in it", where=corpus)
    warn(opened.notices)
    return opened


def _maps(corpus: Corpus, failed: dict[str, str]) -> Iterator[ArgumentGraph]:
    for entry in corpus:
        if _is_text(entry):
            continue
        try:
            yield entry.load()
        except AifgraphError as error:
            failed[entry.source] = str(error)


def _analyses(
    corpus: Corpus,
    kind: Kind,
    frequent: FrequentRelation | None,
    dialogue: bool,
    failed: dict[str, str],
    moved: Callable[[int, int], None] | None,
) -> Iterator[ArgumentGraph]:
    written = 0
    for number, entry in enumerate(corpus, 1):
        try:
            analysis = _analysis(entry, kind, frequent, dialogue)
        except AifgraphError as error:
            failed[entry.source] = str(error)
            continue
        yield analysis.with_name(entry.name)
        written += 1
        if moved is not None:
            moved(number, len(corpus))
    if not written:
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        raise InputError(f"none of its maps can be read: {next(iter(failed.values()))}{more}", where=str(corpus.path))


def _analysis(entry: Entry, kind: Kind, frequent: FrequentRelation | None, dialogue: bool) -> ArgumentGraph:
    from aifgraph.evaluation.baselines import baseline as baseline_of
    from aifgraph.evaluation.baselines import text_baseline
    from aifgraph.formats.files import decode_source

    if not _is_text(entry):
        return baseline_of(entry.load(), kind, frequent=frequent)
    text, notice = decode_source(entry.input().data, entry.source)
    warn([notice] if notice else [])
    return text_baseline(text, kind, frequent=frequent, dialogue=dialogue, name=entry.source)


def _is_text(entry: Entry) -> bool:
    """Whether it is no map but a text: a ``.txt`` file in which no format is recognised."""
    from aifgraph.formats.registry import detect

    if entry.suffix != ".txt":
        return False
    given = entry.input()
    return not detect(given).sniff(given)
