"""What is missing after writing and reading back is what the report says, both ways, by value and not by number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from roundtrip import BOTH, disagreements, fixture_files, shared_files

from aifgraph import load, loads
from aifgraph.formats.registry import codec
from sampled import some_of


@pytest.mark.parametrize("name", BOTH)
def test_reports_of_fixtures_are_exact(name: str, fixtures: Path) -> None:
    wrong = [f"{path.parent.name}/{path.name} {line}" for path in fixture_files(fixtures) for line in _of(path, name)]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", BOTH)
def test_reports_of_real_maps_are_exact(name: str, shared_data: Path) -> None:
    chosen = some_of(shared_files(shared_data), every=20)
    wrong = [f"{path.parent.name}/{path.name} {line}" for path in chosen for line in _of(path, name)]
    assert wrong == []


def _of(path: Path, name: str) -> list[str]:
    return disagreements(load(path), name)


@pytest.mark.parametrize("name", BOTH)
def test_blanks_around_texts_are_kept_or_reported(name: str) -> None:
    texts = (" Masks help", "They  filter ", "Some\u00a0do", "\u2003", "two\nlines")
    nodes = [{"nodeID": str(number), "text": text, "type": "I"} for number, text in enumerate(texts)]
    assert disagreements(loads(json.dumps({"nodes": nodes, "edges": []})), name) == []


AML = """<ARG><TEXT>Masks help.</TEXT><AU><PROP identifier="A" missing="no"><PROPTEXT offset="0">Masks help</PROPTEXT>
<OWNER name="Ann"/><ROLE class="toulmin" element="claim"/><TUTOR start="0"><NOTE>1 &amp; 2</NOTE></TUTOR>
<INSCHEME scheme="Argument from Nowhere" schid="3"/></PROP><ODD/></AU></ARG>"""


def test_what_aml_holds_beside_the_argument_is_kept_or_said() -> None:
    graph = loads(AML)
    assert graph["A"].record["elements"] == [
        {"tag": "ROLE", "attributes": {"class": "toulmin", "element": "claim"}},
        {"tag": "TUTOR", "attributes": {"start": "0"}, "children": [{"tag": "NOTE", "text": "1 & 2"}]},
    ]
    assert {notice.code for notice in graph.notices} == {"scheme-unused", "element-unknown"}
    again = loads(codec("aml").write(graph).text)
    assert again["A"].record == graph["A"].record


def test_elements_from_elsewhere_are_no_markup() -> None:
    for elements in ('[{"tag": "A><B"}]', '[{"tag": "A", "attributes": {"x=": "1"}}]', '["x"]'):
        text = f'{{"nodes": [{{"nodeID": "1", "text": "a", "type": "I", "elements": {elements}}}], "edges": []}}'
        written = codec("aml").write(loads(text))
        assert written.losses.counts["extra fields"] == 1
        assert loads(written.text)["1"].text == "a"
