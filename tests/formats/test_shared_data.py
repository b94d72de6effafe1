"""Real maps, where they are at hand: each loads, is written in every format, and comes back as far as was said."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from aifgraph import load
from aifgraph.formats.contents import NODE_KINDS, contents
from aifgraph.formats.files import Input
from aifgraph.formats.registry import codec, names

FOLDERS = ("araucaria", "xaif", "dialam-2024/train", "qt30", "us2016", "iac-aif", "microtexts/aifdb")
RDF = {"turtle", "rdfxml", "ntriples", "jsonld"}
WRITTEN = [name for name in names() if codec(name).writes and name not in RDF]
_MAPS = 12


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("folder", FOLDERS)
def test_real_maps(shared_data: Path, folder: str, name: str) -> None:
    each = codec(name)
    paths = sorted(path for path in (shared_data / folder).rglob("*.json") if not path.name.startswith("aif2"))
    step = max(1, len(paths) // _MAPS)
    for path in islice(paths, 0, None, step):
        graph = load(path)
        written = each.write(graph)
        if not each.reads:
            continue
        beside = {suffix: text.encode() for suffix, text in written.beside.items()}
        back = each.read(Input(path.name, written.text.encode(), each.suffixes[0], beside.get))
        before, after, lost = contents(graph), contents(back), written.losses.counts
        for kind in ("propositions", "locutions", "illocutions", "transitions"):
            assert after.get(kind, 0) == before.get(kind, 0) - lost.get(kind, 0), (path, kind)
        relations = set(NODE_KINDS.values()) - {"propositions", "locutions"}
        assert sum(after.get(kind, 0) for kind in relations) == lost.get("joint premises", 0) + sum(
            before.get(kind, 0) - lost.get(kind, 0) for kind in relations
        ), path
        if not written.losses and name != "ova3":
            assert (back.nodes, back.edges) == (graph.nodes, graph.edges), path
            assert back.meta.locutions == graph.meta.locutions
