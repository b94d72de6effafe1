"""Options of formats, and what a map can be written to."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from aifgraph import ArgumentGraph, convert, dump, dumps, load, loads
from aifgraph.errors import OptionError


@pytest.fixture
def graph(fixtures: Path) -> ArgumentGraph:
    return load(fixtures / "aif" / "masks.json")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"indnt": 2}, "writing aif takes no option 'indnt'"),
        ({"colour": 2}, "indent"),
        ({"indent": "two"}, "indent cannot be 'two'; it is int or None"),
        ({"indent": True}, "indent cannot be True"),
    ],
)
def test_a_misspelt_option_names_the_right_one(graph: ArgumentGraph, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        dumps(graph, format="aif", **options)
    assert message in str(caught.value)


def test_options_of_reading_are_checked_too(fixtures: Path) -> None:
    path = next((fixtures / "brat").glob("*.ann"))
    assert load(path, format="brat", major="none")
    with pytest.raises(OptionError, match="major"):
        load(path, format="brat", mayor="none")
    with pytest.raises(OptionError, match="merge"):
        load(path, format="brat", major="merged")
    with pytest.raises(OptionError, match="takes no option"):
        loads('{"nodes": [], "edges": []}', major="none")


def test_options_count(graph: ArgumentGraph) -> None:
    assert "\n" not in dumps(graph, format="aif", indent=None).strip()
    assert loads(dumps(graph, format="xaif", indent=4)).nodes == graph.nodes


def test_text_and_binary_files(graph: ArgumentGraph, tmp_path: Path) -> None:
    text, data = io.StringIO(), io.BytesIO()
    dump(graph, text, format="aif")
    dump(graph, data, format="aif")
    assert data.getvalue().decode("utf-8") == text.getvalue() == dumps(graph, format="aif")
    for mode, encoding in (("w", "utf-8"), ("wb", None)):
        with open(tmp_path / "map.json", mode, encoding=encoding) as file:
            dump(graph, file, format="aif")
        assert load(tmp_path / "map.json").nodes == graph.nodes


def test_options_of_reading_go_through_a_conversion(fixtures: Path, tmp_path: Path) -> None:
    convert(fixtures / "brat/essay.ann", tmp_path / "merged.json", major="merge", indent=2)
    assert len(load(tmp_path / "merged.json").propositions) < len(load(fixtures / "brat/essay.ann").propositions)
    with pytest.raises(OptionError, match="reading aif takes no option 'major'"):
        convert(fixtures / "aif/masks.json", tmp_path / "x.json", major="merge")
