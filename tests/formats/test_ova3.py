"""What OVA3 shows of our files, rebuilt from its published source (arg-tech/OVA3, commit f72b2ad): ``loadOva3Json`` in
``res/js/ova-save.js``, lines 424 to 541, in dialogical mode, and what it calls in ``ova-model.js`` and ``ova-init.js``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.formats import FORMATS
from aifgraph.formats.trees import places_of
from aifgraph.graph import LocutionRecord, SourceText, Span
from formats.roundtrip import shared_files
from sampled import some_of


class Page(HTMLParser):
    """The text of a page and of the first element of each id, as ``document.getElementById`` finds it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.marks: dict[str, str] = {}
        self.open: list[tuple[str | None, int]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("br", "p", "div"):
            self.text += "\n"
        elif tag == "span":
            self.open.append((dict(attrs).get("id"), len(self.text)))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("p", "div"):
            self.text += "\n"
        elif tag == "span" and self.open:
            id_, start = self.open.pop()
            if id_ is not None:
                self.marks.setdefault(id_, self.text[start:])

    def handle_data(self, data: str) -> None:
        self.text += " ".join(data.split("\n"))  # to HTML a line break is a blank


@dataclass
class Shown:
    """What is on OVA3's screen."""

    text: str = ""
    nodes: dict[str, Any] = field(default_factory=dict)
    schemes: dict[str, str] = field(default_factory=dict)
    edges: set[tuple[str, str]] = field(default_factory=set)
    marks: dict[str, str] = field(default_factory=dict)
    speakers: dict[str, str] = field(default_factory=dict)
    times: dict[str, str] = field(default_factory=dict)


def show(document: dict[str, Any]) -> Shown:
    shown = Shown()
    people = [(person["firstname"], person["surname"]) for person in document["AIF"]["participants"]]  # 427-434
    text = document["text"]["txt"] if "txt" in document["text"] and isinstance(document["text"], dict) else None
    page = Page(document["text"] if text is None else text)  # 437-443: nothing else is looked at
    shown.text = page.text
    for node in document["AIF"]["nodes"]:  # 457-470
        shown.nodes[node["nodeID"]] = node
        if node["type"] == "L":  # ova-model.js, 264: the first two words in front of the first colon
            name = tuple(node["text"][: node["text"].find(":")].split(" ")[:2])
            if name in people:
                shown.speakers[node["nodeID"]] = " ".join(name)
        if (mark := page.marks.get(f"node{node['nodeID']}")) is not None:  # ova-init.js, 775
            shown.marks[node["nodeID"]] = mark
    for entry in document["AIF"]["schemefulfillments"]:  # 476-481
        shown.schemes[entry["nodeID"]] = entry["schemeID"]
    assert document["OVA"]["nodes"]  # 501: reduce fails without any
    for box in document["OVA"]["nodes"]:
        int(box["x"]), int(box["y"])
        if box["nodeID"] in shown.nodes and box.get("timestamp"):
            shown.times[box["nodeID"]] = box["timestamp"].split(" (")[0]
    assert {box["nodeID"] for box in document["OVA"]["nodes"]} >= shown.nodes.keys()
    for line in document["OVA"]["edges"]:  # 525-538: the edges of AIF are not looked at
        if line["fromID"] in shown.nodes and line["toID"] in shown.nodes:
            shown.edges.add((line["fromID"], line["toID"]))
    for each in (shown.nodes, shown.schemes, shown.marks, shown.speakers, shown.times):
        each.update({str(key): each.pop(key) for key in list(each)})
    shown.edges = {(str(source), str(target)) for source, target in shown.edges}
    return shown


def written(graph: ArgumentGraph) -> Shown:
    file = FORMATS["ova3"].written(graph)
    assert file.beside is None
    return show(json.loads(file.text))


def same_text(one: str, other: str) -> bool:
    return " ".join(one.split()) == " ".join(other.split())


def check(graph: ArgumentGraph) -> None:
    """What OVA3 has a place for is shown."""
    shown = written(graph)
    assert shown.nodes.keys() == {node.id for node in graph}
    assert shown.edges == {(edge.source, edge.target) for edge in graph.edges}
    if graph.meta.source is not None:
        assert same_text(shown.text, graph.text)
        places = {id_: first for id_, (first, *_) in places_of(graph).items()}
        assert shown.marks.keys() == places.keys()
        if not any(a < c < b < d for a, b in places.values() for c, d in places.values()):  # none cross
            for id_, (start, end) in places.items():
                assert same_text(shown.marks[id_], graph.text[start:end])
    for node in graph:
        assert not node.schemes or shown.schemes.get(node.id) in {scheme.id for scheme in node.schemes}


@pytest.mark.data
def test_real_maps_are_shown(shared_data: Path) -> None:
    for path in some_of(shared_files(shared_data), every=25):
        graph = aifgraph.load(path)
        if len(graph):
            check(graph)


def test_a_text_beside_the_map_is_inside_the_file(fixtures: Path, tmp_path: Path) -> None:
    graph = aifgraph.load(fixtures / "aif" / "masks.json")
    assert graph.meta.source.origin == "given"
    check(graph)
    aifgraph.dump(graph, tmp_path / "map.json", format="ova3")
    assert [path.name for path in tmp_path.iterdir()] == ["map.json"]
    assert aifgraph.load(tmp_path / "map.json") == graph


@pytest.mark.parametrize("id_", ["1", "12_163"])
@pytest.mark.parametrize("mark", ['<span id="{}">', "<span class=x id='node{}'>", "<span id={} >"])
def test_a_mark_is_where_it_is_looked_up(id_: str, mark: str) -> None:
    build = GraphBuilder()
    build.proposition("Masks help", id=id_)
    build.source(SourceText(f"Ann:\n{mark.format(id_)}Masks help</span> & more\nline"))
    shown = written(build.graph())
    assert shown.marks == {id_: "Masks help"}
    assert shown.text == "Ann:\nMasks help & more\nline"


def test_what_is_not_shown() -> None:
    build = GraphBuilder()
    full = build.locution("Ann Lee: Masks", speaker=build.participant("Ann", "Lee"), start="2021-11-11 21:50:00")
    short = build.locution("Bob: No")
    build.record(LocutionRecord(short, build.participant("Bob", "May"), "after the break"))
    claim = build.proposition("Masks")
    both = build.node("RA", "x", schemes=["expert opinion", "example"])
    build.edge(both, claim)
    build.source(SourceText("Masks, masks", spans=(Span(claim, 0, 5), Span(claim, 7, 12))))
    shown = written(build.graph())
    assert shown.speakers == {full: "Ann Lee"}
    assert shown.times == {full: "Thu Nov 11 2021 21:50:00 GMT+0000"}
    assert short in shown.nodes
    assert shown.schemes == {both: "14"}


def test_lines_follow_the_edges() -> None:
    build = GraphBuilder()
    claim, reason, other = (build.proposition(text) for text in "abc")
    why = build.inference([reason], claim)
    graph = aifgraph.loads(aifgraph.dumps(build.graph(), format="ova3"))
    change = GraphBuilder(graph)
    change.remove_edge(reason, why)
    change.edge(other, why)
    change.record(LocutionRecord(claim, None))
    shown = written(change.graph())
    assert shown.edges == {(other, why), (why, claim)}


def test_every_node_gets_a_place_below_what_it_leads_to(fixtures: Path) -> None:
    graph = aifgraph.load(fixtures / "aif" / "masks.json")
    ova = aifgraph.to_dict(graph, format="ova3")["OVA"]
    place = {box["nodeID"]: (box["x"], box["y"]) for box in ova["nodes"]}
    assert len(set(place.values())) == len(place) == len(graph)
    assert all(place[edge.source][1] > place[edge.target][1] for edge in graph.edges)


def test_circles_and_added_nodes_get_places_too() -> None:
    nodes = [{"nodeID": id_, "text": id_, "type": "I" if id_ < "c" else "RA"} for id_ in "abcd"]
    edges = [{"fromID": one, "toID": other} for one, other in ("ac", "cb", "bd", "da")]
    document = {"AIF": {"nodes": nodes, "edges": edges}, "OVA": {"nodes": [{"nodeID": "a", "x": 60, "y": 60}]}}
    ova = aifgraph.to_dict(aifgraph.from_dict(document), format="ova3")["OVA"]
    assert len({(box["x"], box["y"]) for box in ova["nodes"]}) == 4
    assert ova["nodes"][0] == {"nodeID": "a", "x": 60, "y": 60}


def test_a_text_of_several_lines_comes_back(tmp_path: Path) -> None:
    marked = '<span id="1">Masks</span> help.\nThey do.'
    document = {"AIF": {"nodes": [{"nodeID": "1", "type": "I", "text": "Masks"}]}, "text": marked}
    graph = aifgraph.from_dict({**document, "OVA": {"nodes": [], "edges": []}})
    aifgraph.dump(graph, tmp_path / "map.json")
    again = aifgraph.load(tmp_path / "map.json")
    assert (again, again.meta.form) == (graph, "ova3")
