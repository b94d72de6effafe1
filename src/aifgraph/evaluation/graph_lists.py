"""Lists of graphs as corpora: they are written to temporary files of JSON lines, which hold everything.

So all the rest works as with any corpus: pairing, processes, comparisons that are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory

from aifgraph.corpus.corpus import Corpus, open_corpus
from aifgraph.corpus.temporary import temporary_room
from aifgraph.errors import OptionError
from aifgraph.formats.jsonl import line
from aifgraph.graph import ArgumentGraph

#: A corpus, its path or address, or its graphs.
CorpusLike = Corpus | str | PathLike[str] | Sequence[ArgumentGraph]
GraphPairs = Sequence[tuple[ArgumentGraph, ArgumentGraph]]


def corpora_of(
    first: CorpusLike | GraphPairs, second: CorpusLike | None, *, in_order: bool
) -> tuple[Corpus, Corpus, TemporaryDirectory[str] | None]:
    """The two corpora that are meant, and the folder of those that were lists: it is removed with its object.

    Raises:
        OptionError: there is no second, and the first is no list of pairs; a list holds something else than graphs;
            two lists are of different length, and ``in_order``.
    """
    one, other = _sides(first, second)
    if isinstance(one, Corpus) and isinstance(other, Corpus):
        return one, other, None
    if in_order and not isinstance(one, Corpus) and not isinstance(other, Corpus) and len(one) != len(other):
        what = f"the lists have {len(one)} and {len(other)} graphs"
        raise OptionError(what, remedy="give lists of one length, or pair_by='text'")
    folder = TemporaryDirectory(prefix="aifgraph-")
    return (
        one if isinstance(one, Corpus) else _written(one, Path(folder.name) / "first.jsonl"),
        other if isinstance(other, Corpus) else _written(other, Path(folder.name) / "second.jsonl"),
        folder,
    )


def _sides(first: object, second: object | None) -> tuple[Corpus | list[ArgumentGraph], Corpus | list[ArgumentGraph]]:
    if second is not None:
        return _side(first), _side(second)
    pairs = first if isinstance(first, Sequence) and not isinstance(first, str) else ()
    if not pairs or not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs):
        raise OptionError("there is no second corpus", remedy="give two corpora, or one list of pairs of graphs")
    return _side([pair[0] for pair in pairs]), _side([pair[1] for pair in pairs])


def _side(given: object) -> Corpus | list[ArgumentGraph]:
    if isinstance(given, Corpus):
        return given
    if not isinstance(given, Sequence) or isinstance(given, str):
        return open_corpus(given)  # type: ignore[arg-type]  # which says what is wrong with it
    graphs = [graph for graph in given if isinstance(graph, ArgumentGraph)]
    if len(graphs) != len(given) or not graphs:
        raise OptionError("an empty list, or one of something else than graphs", remedy="load the maps first")
    return graphs


def _written(graphs: Sequence[ArgumentGraph], path: Path) -> Corpus:
    with temporary_room(), path.open("w", encoding="utf-8") as file:
        file.writelines(line(graph, str(number)) for number, graph in enumerate(graphs, 1))
    return open_corpus(path)
