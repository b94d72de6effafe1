"""Every pair of maps in ../shared/data that compares: two analyses of one text, or a map and a changed copy of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import aifgraph
from aifgraph import ArgumentGraph, read_dataset
from aifgraph.corpus import open_corpus, pair
from aifgraph.errors import AifgraphError
from comparison.second_annotator import changed

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
#: A name and two maps.
Pairs = Iterator[tuple[str, ArgumentGraph, ArgumentGraph]]
#: Copies are changed in this share of the places of each kind, a kind at a time and all together.
_SHARE = 0.3


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


def xaif() -> Pairs:
    """A map with its copy that has mistakes, and changed copies of each."""
    folder = DATA / "xaif"
    yield "28111", aifgraph.load(folder / "28111.json"), aifgraph.load(folder / "28111_mistake.json")
    yield from _changed(folder)


def microtexts() -> Pairs:
    """One text as argument graph of the multilayer edition, and in both languages."""
    folder = DATA / "microtexts"
    layers = folder / "multilayer" / "corpus"
    versions = {
        "arg": layers / "arg",
        "en": folder / "part1" / "corpus" / "en",
        "de": folder / "part1" / "corpus" / "de",
    }
    for one, other in combinations(versions, 2):
        for path in sorted(versions[one].glob("*.xml")):
            partner = next(versions[other].glob(f"{path.stem}.xml"), None)
            if partner:
                yield f"{one} {other} {path.stem}", aifgraph.load(path), aifgraph.load(partner)
    for each in pair(open_corpus(folder / "aifdb"), open_corpus(versions["en"]), by="text"):
        yield f"aifdb en {each.first.name}", each.first.load(), each.second.load()
    yield from _changed(folder / "part2" / "corpus", "*.xml")


def sciarg() -> Pairs:
    """Every two annotators of an abstract."""
    by_abstract: dict[str, list[tuple[str, ArgumentGraph]]] = {}
    for number, graph in enumerate(read_dataset("sciarg", DATA / "sciarg" / "bio")):
        by_abstract.setdefault(graph.name.rsplit("/", 1)[-1], []).append((f"{graph.name} {number}", graph))
    for graphs in by_abstract.values():
        for (name, first), (_, second) in combinations(graphs, 2):
            yield name, first, second


def iac() -> Pairs:
    """Discussions as read here, and as AIFdb has them."""
    folder = DATA / "iac-v1"
    ours = {Path(graph.name).stem: graph for graph in read_dataset("iac1", folder)}
    for line in (folder / "nodesets.tsv").read_text("utf-8").splitlines()[1:]:
        discussion, nodeset, _ = line.split("\t")
        path = DATA / "iac-aif" / nodeset
        if discussion in ours and path.exists():
            yield f"{discussion} {nodeset}", ours[discussion], aifgraph.load(path)


def us2016() -> Pairs:
    """Changed copies."""
    return _changed(DATA / "us2016")


def qt30() -> Pairs:
    """Changed copies."""
    return _changed(DATA / "qt30")


def iac_aif() -> Pairs:
    """Changed copies."""
    return _changed(DATA / "iac-aif")


def dialam_train() -> Pairs:
    """Changed copies."""
    return _changed(DATA / "dialam-2024" / "train")


SOURCES: dict[str, Callable[[], Pairs]] = {
    each.__name__: each
    for each in (araucaria, dialam, xaif, microtexts, sciarg, iac, us2016, qt30, iac_aif, dialam_train)
}


def _changed(folder: Path, names: str = "*.json") -> Pairs:
    """Each map of a folder with a changed copy."""
    for number, path in enumerate(sorted(folder.glob(names))):
        try:
            graph = aifgraph.load(path)
        except AifgraphError as error:
            print(f"  {path.name} is no map: {error}", file=sys.stderr)
            continue
        yield path.stem, graph, changed(graph, _SHARE, number)
