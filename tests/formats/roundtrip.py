"""What tests share that write a map and read it back; and where real maps are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.formats import Codec, Written
from aifgraph.formats.files import Input
from aifgraph.formats.registry import RDF, codec, names

#: The formats that are read and written; those of RDF, which have tests of their own, left out.
BOTH = [name for name in names() if name not in RDF and codec(name).reads and codec(name).writes]
#: The folders of ../shared/data that hold AIF JSON.
FOLDERS = ("araucaria", "xaif", "dialam-2024", "qt30", "us2016", "iac-aif", "microtexts/aifdb")


def written_input(written: Written, each: Codec) -> Input:
    """What was written, as the file that it would be."""
    whole = written.encodable()
    siblings = {suffix: text.encode() for suffix, text in whole.siblings.items()}
    return Input("map" + each.suffixes[0], whole.text.encode(), each.suffixes[0], siblings.get)


def round_trip(name: str, graph: ArgumentGraph) -> ArgumentGraph:
    """What comes back of a graph in a format."""
    return codec(name).read(written_input(codec(name).write(graph), codec(name)))


def fixture_files(fixtures: Path) -> Iterator[Path]:
    """Every fixture of every format that is read, with the folder named after its format."""
    for name in names():
        if codec(name).reads and (fixtures / name).is_dir():
            yield from sorted(each for each in (fixtures / name).iterdir() if each.suffix in codec(name).suffixes)


def shared_files(shared_data: Path) -> Iterator[Path]:
    """Every shared map in AIF JSON."""
    for folder in FOLDERS:
        yield from sorted(path for path in (shared_data / folder).rglob("*.json") if not path.name.startswith("aif2"))


def changed(graph: ArgumentGraph) -> ArgumentGraph:
    """The graph with more of everything, made by the builder."""
    build = GraphBuilder(graph)
    claim, reason = build.proposition("A claim of ours"), build.proposition("A reason of ours")
    build.inference([reason], claim)
    said = build.locution("Zoe Zed: A claim of ours", speaker=build.participant("Zoe", "Zed"))
    build.illocution(said, claim, "Asserting")
    return build.graph()


def relations(graph: ArgumentGraph) -> Counter[object]:
    """Relations by type and by what they join, S-nodes named by what they join in turn."""

    def key(id_: str, depth: int = 0) -> object:
        node = graph[id_]
        if node.type in ("I", "L"):
            return " ".join(node.text.split())
        if depth > 4:
            return "…"
        premises = tuple(sorted(repr(key(each.id, depth + 1)) for each in graph.premises_of(node)))
        return node.type, premises, tuple(repr(key(each.id, depth + 1)) for each in graph.conclusions_of(node))

    return Counter(repr(key(node.id)) for node in graph.relations)
