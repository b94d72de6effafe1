"""What tests share that write a map and read it back; and where real maps are."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.files import Input
from aifgraph.formats import FORMATS, FileContents, read_input
from documents import FIXTURES

#: The formats of RDF, which have tests of their own.
RDF = ("turtle", "trig", "rdfxml", "ntriples", "nquads", "jsonld")
#: The other formats that are read; and those that are also written.
READ = [name for name, row in FORMATS.items() if row.reads and name not in RDF]
BOTH = [name for name in READ if FORMATS[name].writer]
#: The folders of ../shared/data that hold AIF JSON.
FOLDERS = ("araucaria", "xaif", "dialam-2024", "qt30", "us2016", "iac-aif", "microtexts/aifdb")


def file_of(written: FileContents, suffix: str = "") -> Input:
    """What was written, as the file that it would be."""
    beside = None if written.beside is None else written.beside.encode("utf-8", "replace")
    return Input(f"map{suffix}", written.text.encode("utf-8", "backslashreplace"), suffix, {".txt": beside}.get)


def round_trip(name: str, graph: ArgumentGraph) -> ArgumentGraph:
    """What comes back of a graph in a format."""
    return read_input(file_of(FORMATS[name].serialize(graph)), name)


def files_of(name: str) -> list[Path]:
    """The fixtures of a format: its main files, without the texts beside them."""
    return sorted(path for path in (FIXTURES / name).iterdir() if path.suffix in FORMATS[name].suffixes)


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


def codes(graph: ArgumentGraph) -> list[str]:
    """The codes of what reading says."""
    return [notice.code for notice in graph.notices]


def ends(graph: ArgumentGraph, type_: str) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Premises and conclusions of the relations of a type, by id."""
    return {
        (tuple(node.id for node in graph.premises_of(each)), tuple(node.id for node in graph.conclusions_of(each)))
        for each in graph.relations
        if each.type == type_
    }


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


def places(graph: ArgumentGraph) -> tuple[str, list[tuple[int, int, int]]]:
    """The plain text, and each place with the number of its node: ids may change."""
    numbers = {node.id: number for number, node in enumerate(graph.propositions)}
    marked = graph.meta.source.spans if graph.meta.source else ()
    spans = ((numbers[span.node_id], span.start, span.end) for span in marked if span.node_id in numbers)
    return graph.text, sorted(spans)
