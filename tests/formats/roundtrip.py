"""What tests share that write a map, read it back and look at the difference; and where real maps are."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from aifgraph.formats.codec import Codec, LossReport, Written
from aifgraph.formats.contents import _EDGE_FIELDS, _NODE_FIELDS, KINDS, NODE_KINDS, OTHER_NODES, contents
from aifgraph.formats.files import Input
from aifgraph.formats.registry import codec, names
from aifgraph.graph import ArgumentGraph, SchemeNode, Span
from aifgraph.graph.meta import epoch_seconds
from aifgraph.graph.schemes import is_default
from aifgraph.text.markup import plain_text

#: Formats of RDF have tests of their own.
RDF = {"turtle", "rdfxml", "ntriples", "jsonld"}
BOTH = [name for name in names() if name not in RDF and codec(name).reads and codec(name).writes]
#: The folders of ../shared/data that hold AIF JSON.
FOLDERS = ("araucaria", "xaif", "dialam-2024", "qt30", "us2016", "iac-aif", "microtexts/aifdb")


def written_input(written: Written, each: Codec) -> Input:
    """What was written, as the file that it would be."""
    whole = written.encodable()
    beside = {suffix: text.encode() for suffix, text in whole.beside.items()}
    return Input("map" + each.suffixes[0], whole.text.encode(), each.suffixes[0], beside.get)


def fixture_files(fixtures: Path) -> Iterator[Path]:
    """Every fixture of every format that is read, with the folder named after its format."""
    for name in names():
        if codec(name).reads and (fixtures / name).is_dir():
            yield from sorted(each for each in (fixtures / name).iterdir() if each.suffix in codec(name).suffixes)


def shared_files(shared_data: Path) -> Iterator[Path]:
    """Every shared map in AIF JSON."""
    for folder in FOLDERS:
        yield from sorted(path for path in (shared_data / folder).rglob("*.json") if not path.name.startswith("aif2"))


def _plain(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def inventory(graph: ArgumentGraph) -> dict[str, Counter[object]]:
    """What a graph holds, by the kinds of a loss report, as values: the same number of other things is not the same."""
    held: dict[str, Counter[object]] = defaultdict(Counter)
    for node in graph:
        kind = NODE_KINDS.get(node.type, OTHER_NODES)
        held[kind][node.text if kind in ("propositions", "locutions") else node.type] += 1
        held["node ids"][node.id] += 1
        held["schemes"].update((each.id, each.name) for each in node.schemes if not is_default(each, node.type))
        if node.timestamp is not None:
            held["timestamps"][node.timestamp] += 1
        if isinstance(node, SchemeNode) and contents(ArgumentGraph([node], [])).get("labels of scheme nodes"):
            held["labels of scheme nodes"][node.text] += 1
        held["extra fields"].update(
            (key, _plain(value)) for key, value in node.record.items() if key not in _NODE_FIELDS
        )
    for edge in graph.edges:
        held["edges"][graph[edge.source].type, graph[edge.target].type] += 1
        if edge.id is not None:
            held["edge ids"][edge.id] += 1
        if edge.form_edge_id is not None:
            held["form edges"][edge.form_edge_id] += 1
        held["extra fields"].update(
            (key, _plain(value)) for key, value in edge.record.items() if key not in _EDGE_FIELDS
        )
    meta = graph.meta
    held["participants"].update((person.id, person.name) for person in meta.participants)
    for record in meta.locutions:
        held["locution records"][record.node_id, record.person_id] += 1
        times = (record.start, record.end, record.timestamp)
        held["locution times"].update(epoch_seconds(time) or time for time in times if time is not None)
    if meta.source is not None:
        marked = plain_text(meta.source.text) if meta.source.spans is None else None
        held["source texts"][" ".join((marked.text if marked else meta.source.text).split())] += 1
        for span in (marked.spans if marked else meta.source.spans) or ():
            node_id = span.node_id if isinstance(span, Span) else span.id
            type_ = graph[node_id].type if node_id in graph else node_id
            text = (marked.text if marked else meta.source.text)[span.start : span.end]
            held["spans"][type_, " ".join(text.split())] += 1
    ova = meta.document.get("OVA", meta.document.get("ova"))
    if isinstance(ova, dict) and isinstance(ova.get("nodes"), list):
        held["layout"].update(map(_plain, ova["nodes"]))
    held["entries set aside"].update(_plain(left.value) for left in meta.leftovers)
    return held


def missing(before: ArgumentGraph, after: ArgumentGraph) -> dict[str, int]:
    """How many things of each kind have not come back, by value."""
    one, other = inventory(before), inventory(after)
    gone = {kind: sum((values - other[kind]).values()) for kind, values in one.items()}
    return {kind: number for kind, number in gone.items() if number}


#: Kinds that a format names itself, for what a text loses although its node is kept.
_OF_TEXTS = ("outer blanks of texts", "line breaks in texts", "characters that XML cannot hold", "half surrogates")


def disagreements(before: ArgumentGraph, name: str) -> list[str]:
    """What writing in a format and reading back loses without a word, and what is reported lost but is there."""
    each = codec(name)
    written = each.write(before)
    after = each.read(written_input(written, each))
    lost, gone = dict(written.losses.counts), missing(before, after)
    lines = []
    for kind in (*KINDS, "locution times"):
        reported = lost.get(kind, 0)
        if kind == "locution times":
            reported = lost.get("locution times without zone", 0)
            if "locution records" in lost:
                continue
        elif kind == "extra fields" and "positions of OVA2 moved" in written.losses.done:
            moved = inventory(before)[kind] - inventory(after)[kind]
            reported += sum(number for (key, _), number in moved.items() if key in ("x", "y", "visible"))
        number = gone.get(kind, 0)
        in_texts = sum(lost.get(own, 0) for own in _OF_TEXTS) if kind in ("propositions", "source texts") else 0
        if number > reported + in_texts:
            lines.append(f"{name}: {number} {kind} missing, {reported} reported")
        elif number < lost.get(kind, 0) and kind not in _NOT_LISTED and not made_up(kind, written.losses):
            lines.append(f"{name}: {lost[kind]} {kind} reported, {number} missing")
    return lines


#: Kinds of which ``inventory`` does not list the values.
_NOT_LISTED = ("descriptor fulfilments", "document fields")


def made_up(kind: str, losses: LossReport) -> bool:
    """Whether what is read may be equal by chance: a reader counts off new ids, finds places by the words, …"""
    if kind in (*NODE_KINDS.values(), "edges") and "joint premises" in losses.counts:
        return True  # a relation of its own for each premise: as many as others that are lost
    return kind == "node ids" or (kind == "spans" and bool(losses))
