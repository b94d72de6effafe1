"""Every pair of maps in ../shared/data that compares: two analyses of one text, or a map and a changed copy of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import aifgraph
from aifgraph import ArgumentGraph, read_dataset
from aifgraph.corpus import open_corpus, pair
from comparison.second_annotator import changed
from sampled import LONG

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
#: A name and two maps.
Pairs = Iterator[tuple[str, ArgumentGraph, ArgumentGraph]]


def araucaria() -> Pairs:
    """Two analysts of one text."""
    folder = DATA / "araucaria"
    for line in (folder / "same_text_pairs.tsv").read_text("utf-8").splitlines()[1:]:
        first, second, _ = line.split("\t")
        yield f"{first} {second}", aifgraph.load(folder / first), aifgraph.load(folder / second)


def dialam() -> Pairs:
    """The organisers' maps and a system's."""
    for path in sorted((DATA / "dialam-2024" / "test" / "gold").glob("*.json")):
        yield path.stem, aifgraph.load(path), aifgraph.load(path.parents[1] / "system" / path.name)


def sciarg() -> Pairs:
    """Every two annotators of an abstract."""
    by_abstract: dict[str, list[tuple[str, ArgumentGraph]]] = {}
    for number, graph in enumerate(read_dataset("sciarg", DATA / "sciarg" / "bio")):
        by_abstract.setdefault(graph.name.rsplit("/", 1)[-1], []).append((f"{graph.name} {number}", graph))
    for graphs in by_abstract.values():
        for (name, first), (_, second) in combinations(graphs, 2):
            yield name, first, second


def microtexts() -> Pairs:
    """One text as AIFdb and as the argument graph of the first edition have it."""
    folder = DATA / "microtexts"
    for each in pair(open_corpus(folder / "aifdb"), open_corpus(folder / "part1" / "corpus" / "en"), by="text"):
        yield f"aifdb en {each.first.name}", each.first.load(), each.second.load()


def changed_copies() -> Pairs:
    """Maps of several corpora, and a copy of each that is changed in a third of the places of each kind."""
    for folder in ("us2016", "qt30", "iac-aif", "xaif"):
        for number, path in enumerate(sorted((DATA / folder).glob("*.json"))[:: 1 if LONG else 40]):
            graph = aifgraph.load(path)
            yield path.stem, graph, changed(graph, 0.3, number)


SOURCES: dict[str, Callable[[], Pairs]] = {
    each.__name__: each for each in (araucaria, dialam, sciarg, microtexts, changed_copies)
}
