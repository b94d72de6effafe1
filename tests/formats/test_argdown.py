"""Argdown: its text as it is written, and its JSON export as it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph import GraphBuilder, OptionError, dumps, load, loads
from aifgraph.graph.schemes import named_scheme

TEXT = r"""[Masks]: Masks \[help\] \#now, \.A. b

[Filter]: They filter  it

[Doubt]: Not \*always\*
  -> [Masks]

<1>

(1) [Filter]
-- Expert Opinion --
  <_ [Doubt]
(2) [Masks]
"""


def test_what_is_written() -> None:
    build = GraphBuilder()
    claim = build.proposition("Masks [help] #now, .A. b", id="Masks")
    reason = build.proposition("They filter  it", id="Filter")
    doubt = build.proposition("Not *always*", id="Doubt")
    why = build.inference([reason], claim, schemes=[named_scheme("Expert Opinion", "RA")])
    build.conflict(doubt, why)
    build.conflict(doubt, claim)
    assert dumps(build.graph(), format="argdown") == TEXT


def test_text_is_only_written_and_json_only_read(fixtures: Path) -> None:
    graph = load(fixtures / "argdown-json" / "masks.json")
    with pytest.raises(OptionError, match="argdown-json is only read"):
        dumps(graph, format="argdown-json")
    with pytest.raises(OptionError, match="argdown is only written"):
        loads(TEXT, format="argdown")


@pytest.mark.data
def test_exports_are_read(shared_data: Path) -> None:
    """Of each file that Argdown itself exports: every text is in the map, and the map can be written."""
    read = 0
    for path in sorted((shared_data / "argdown").glob("*.json")):
        graph = load(path, format="argdown-json")
        assert dumps(graph, format="argdown")
        read += bool(graph.propositions)
    assert read > 5
