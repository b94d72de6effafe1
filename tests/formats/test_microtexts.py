"""Microtext arggraphs: what each edge becomes, and that nothing of them is lost on the way back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, compare, dumps, load, loads
from aifgraph.errors import FormatError
from aifgraph.formats.files import Input
from aifgraph.formats.registry import codec
from formats.roundtrip import relations


@pytest.fixture
def masks(fixtures: Path) -> ArgumentGraph:
    return load(fixtures / "microtexts" / "masks.xml")


def test_add_is_one_more_premise_and_und_attacks_the_relation(masks: ArgumentGraph) -> None:
    assert [node.id for node in masks.premises_of("c1")] == ["a2", "a6"]
    assert masks.conclusions_of("c4") == (masks["c3"],)
    assert [masks[id_].type for id_ in ("c1", "c3", "c4", "c5")] == ["RA", "CA", "CA", "RA"]
    assert masks["c5"].schemes[0].id == "14"


def test_joined_edus_make_one_text_and_one_span(masks: ArgumentGraph) -> None:
    assert masks["a4"].text == "but no study shows it, and many have looked."
    source = masks.meta.source
    assert source.spans is not None
    places = {span.node_id: source.text[span.start : span.end] for span in source.spans}
    assert places["a4"] == masks["a4"].text
    assert "a6" not in places  # implicit
    assert masks["a3"].record["role"] == "opp"


def test_through_aif_json_and_back(masks: ArgumentGraph, fixtures: Path) -> None:
    back = loads(dumps(loads(dumps(masks, format="aif")), format="microtexts"))
    assert [(n.id, n.type, n.text) for n in back] == [(n.id, n.type, n.text) for n in masks]
    assert {(e.source, e.target) for e in back.edges} == {(e.source, e.target) for e in masks.edges}
    assert back["a3"].record["role"] == "opp"
    assert back.meta.aif["arggraph"]["topic_id"] == "masks_on_trains"


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ('<edge id="x" src="a1" trg="a9" type="sup"/>', "names a9"),
        ('<edge id="x" src="a1" type="sup"/>', "without trg"),
        ('<edge id="a1" src="a1" trg="a2" type="sup"/>', "given twice"),
        ('<edge id="x" src="a1" trg="a2" type="likes"/>', "unknown type likes"),
    ],
)
def test_errors_name_the_line(broken: str, message: str) -> None:
    text = f'<arggraph id="m">\n<adu id="a1" type="pro"/>\n<adu id="a2" type="opp"/>\n{broken}</arggraph>'
    with pytest.raises(FormatError, match=f"line 4.*{message}"):
        loads(text, format="microtexts")


#: AIFdb's own versions that differ from the corpus as published: see docs/formats.md.
DIFFERENT = {"micro_k011"}


def test_part_one_gives_the_relations_of_aifdb(shared_data: Path) -> None:
    folder = shared_data / "microtexts"
    names = json.loads((folder / "aif2arggraph.json").read_text("utf-8"))
    seen, different = 0, set()
    for path in sorted((folder / "aifdb").glob("*.json")):
        graph = load(folder / "part1" / "corpus" / "en" / f"{names[path.stem]}.xml")
        seen += 1
        theirs = load(path)
        kappa = compare(graph, theirs).calculations["propositional_relations"].scores["kappa"]
        assert (relations(graph) == relations(theirs)) == (kappa == 1.0), path
        if kappa != 1.0:
            different.add(names[path.stem])
    assert seen > 40
    assert different == DIFFERENT


@pytest.mark.slow
def test_every_microtext_comes_back(shared_data: Path) -> None:
    micro = codec("microtexts")
    corpora = ("part1/corpus/en", "part1/corpus/de", "part2/corpus", "multilayer/corpus/arg")
    for path in sorted(p for corpus in corpora for p in (shared_data / "microtexts" / corpus).glob("*.xml")):
        graph = load(path)
        written = micro.write(graph)
        siblings = {suffix: text.encode() for suffix, text in written.siblings.items()}
        back = micro.read(Input(path.name, written.text.encode(), ".xml", siblings.get))
        assert (back.nodes, back.meta.source) == (graph.nodes, graph.meta.source), path
        assert set(back.edges) == set(graph.edges), path
        assert back.meta.aif == graph.meta.aif, path
