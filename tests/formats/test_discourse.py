"""Discourse structure as maps: RST in ``.rs3``, SDRT in Glozz's ``.aa``."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, load, loads
from aifgraph.datasets import open_dataset
from aifgraph.errors import FormatError, OptionError


def relations(graph: ArgumentGraph) -> list[tuple[str, str, list[str], list[str]]]:
    return [
        (each.type, each.text, [n.id for n in graph.premises_of(each)], [n.id for n in graph.conclusions_of(each)])
        for each in graph.relations
    ]


def marked(graph: ArgumentGraph) -> dict[str, str]:
    source = graph.meta.source
    assert source is not None
    return {span.node_id: source.text[span.start : span.end] for span in source.spans or ()}


def test_rst_satellites_lead_to_nuclei(fixtures: Path) -> None:
    graph = load(fixtures / "rst" / "masks.rs3")
    assert relations(graph) == [
        ("CA", "concession", ["1"], ["2"]),
        ("RA", "list", ["4"], ["3"]),
        ("MA", "restatement", ["5"], ["2"]),
        ("RA", "reason", ["3", "4"], ["2"]),
    ]
    assert marked(graph) == {node.id: node.text for node in graph.propositions}


def test_rst_segments_of_one_unit_are_one_proposition() -> None:
    graph = loads(
        '<rst><header><relations><rel name="sameunit" type="multinuc"/></relations></header><body>'
        '<segment id="1" parent="9" relname="sameunit">Masks</segment>'
        '<segment id="2" parent="1" relname="elaboration"> (of cloth)</segment>'
        '<segment id="3" parent="9" relname="sameunit"> help</segment><group id="9" type="multinuc"/></body></rst>'
    )
    assert [node.text for node in graph.propositions] == ["Masks help", "(of cloth)"]
    assert relations(graph) == [("RA", "elaboration", ["2"], ["1"])]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<segment id="1" parent="2" relname="span">a</segment>', "which is not there"),
        ('<segment id="1">a</segment><segment id="1">b</segment>', "given twice"),
        ('<group id="1" parent="2"/><group id="2" parent="1"/>', "its own parent"),
    ],
)
def test_broken_rst_is_refused_with_the_line(body: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as error:
        loads(f"<rst><body>{body}</body></rst>")
    assert "line 1" in str(error.value)


def test_glozz_second_terms_lead_to_first_terms(fixtures: Path) -> None:
    graph = load(fixtures / "glozz" / "masks.aa")
    # The complex unit stands for the first of its units in the text.
    assert relations(graph) == [("CA", "contrast", ["u2"], ["u1"]), ("RA", "explanation", ["u3"], ["u1"])]
    assert marked(graph) == {node.id: node.text for node in graph.propositions}


def test_glozz_needs_its_text(fixtures: Path, tmp_path: Path) -> None:
    data = (fixtures / "glozz" / "masks.aa").read_bytes()
    (tmp_path / "masks.aa").write_bytes(data)
    with pytest.raises(FormatError, match=r"there is no masks\.ac"):
        load(tmp_path / "masks.aa")
    (tmp_path / "masks.ac").write_text("Masks", "utf-8")
    with pytest.raises(FormatError, match="u1 has no place in the text"):
        load(tmp_path / "masks.aa")


def test_an_unknown_layer_is_refused() -> None:
    with pytest.raises(OptionError, match="give arg, rst, sdrt"):
        open_dataset("microtexts", ".", layer="discourse")


@pytest.mark.data
@pytest.mark.parametrize(("layer", "maps", "units"), [("rst", 121, None), ("sdrt", 112, 671)])
def test_the_layers_of_the_multilayer_microtexts(shared_data: Path, layer: str, maps: int, units: int | None) -> None:
    reading = open_dataset("microtexts", shared_data / "microtexts/multilayer/corpus", layer=layer, strict=True)
    graphs = list(reading)
    assert len(graphs) == maps
    if units:
        assert sum(len(graph.propositions) for graph in graphs) == units
    for graph in graphs:
        assert graph.meta.source is not None
        assert graph.meta.source.origin == "given", graph.name
