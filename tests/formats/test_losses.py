"""What is reported as lost is what does not come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from roundtrip import BOTH, round_trip, shared_files

from aifgraph import ArgumentGraph, GraphBuilder, load, loads
from aifgraph.formats.losses import inventory
from aifgraph.formats.registry import codec
from sampled import some_of


def debate() -> ArgumentGraph:
    """A linked and an undercut inference, a conflict with two attackers, a rephrase, a locution with its record."""
    build = GraphBuilder(name="debate")
    ann = build.participant("Ann", "Lee")
    claim, one, other, doubt = (build.proposition(text) for text in ("Masks help", "They filter", "They fit", "No"))
    said = build.locution("Ann Lee: Masks help", speaker=ann, start="2024-05-01 10:00:00")
    build.illocution(said, claim, "Asserting")
    inference = build.inference([one, other], claim)
    build.relation("CA", [doubt, one], claim, "Default Conflict")
    build.conflict(doubt, inference)
    build.rephrase(one, other)
    return build.graph()


_DIALOGUE = {"locutions": 1, "illocutions": 1, "schemes": 1, "participants": 1, "locution records": 1}
#: Format → what it loses of the debate. A conflict that is split makes up for none that is lost.
LOST: dict[str, dict[str, int]] = {
    "aif": {},
    "xaif": {},
    "upload": {"locution times": 1},
    "dot": {"participants": 1, "locution records": 1},
    "mermaid": {"node ids": 10, "schemes": 1, "participants": 1, "locution records": 1},
    "brat": {**_DIALOGUE, "conflicts": 1, "edges": 4, "joint premises": 2},
    "microtexts": {**_DIALOGUE, "rephrases": 1, "edges": 4},
}


@pytest.mark.parametrize("name", LOST)
def test_what_a_format_loses_of_a_debate(name: str) -> None:
    counts = dict(codec(name).losses(debate(), codec(name).write(debate())).counts)
    ids: set[str] = (
        set() if name in ("aif", "xaif", "upload", "dot", "mermaid") else {"node ids", "labels of scheme nodes"}
    )
    assert {kind: number for kind, number in counts.items() if kind not in ids} == LOST[name]


def test_an_id_in_place_of_a_label_is_no_label() -> None:
    build = GraphBuilder()
    claim, said = build.proposition("a"), build.locution("Ann: a")
    build.illocution(said, claim, "YA_3f9c", schemes=["Asserting"])
    mermaid = codec("mermaid")
    assert "labels of scheme nodes" not in inventory(build.graph())
    assert mermaid.losses(build.graph(), mermaid.write(build.graph())).counts["schemes"] == 1


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", BOTH)
def test_real_maps_lose_no_more_than_the_format_says(name: str, shared_data: Path) -> None:
    for path in some_of(shared_files(shared_data), every=20):
        graph = load(path)
        back, losses = round_trip(name, graph)
        if name in ("aif", "xaif", "ova3", "jsonl", "graphml", "dot"):
            assert losses.counts.keys() <= set(codec(name).unsupported()), path
        if not losses and name != "ova3":
            assert (back.nodes, back.edges, back.meta.locutions) == (graph.nodes, graph.edges, graph.meta.locutions)


@pytest.mark.parametrize("name", BOTH)
def test_blanks_around_texts_are_kept_or_reported(name: str) -> None:
    texts = (" Masks help", "They  filter ", "Some\u00a0do", "\u2003", "two\nlines")
    nodes = [{"nodeID": str(number), "text": text, "type": "I"} for number, text in enumerate(texts)]
    back, losses = round_trip(name, loads(json.dumps({"nodes": nodes, "edges": []})))
    kept = set(texts) & {node.text for node in back}
    assert len(texts) - len(kept) == losses.counts.get("texts", 0)


AML = """<ARG><TEXT>Masks help.</TEXT><AU><PROP identifier="A" missing="no"><PROPTEXT offset="0">Masks help</PROPTEXT>
<OWNER name="Ann"/><ROLE class="toulmin" element="claim"/><TUTOR start="0"><NOTE>1 &amp; 2</NOTE></TUTOR>
<INSCHEME scheme="Argument from Nowhere" schid="3"/></PROP><ODD/></AU></ARG>"""


def test_what_aml_has_besides_the_argument_is_in_the_record_or_said() -> None:
    graph = loads(AML)
    assert graph["A"].record["elements"] == [
        {"tag": "ROLE", "attributes": {"class": "toulmin", "element": "claim"}},
        {"tag": "TUTOR", "attributes": {"start": "0"}, "children": [{"tag": "NOTE", "text": "1 & 2"}]},
    ]
    assert {notice.code for notice in graph.notices} == {"scheme-unused", "element-unknown"}
