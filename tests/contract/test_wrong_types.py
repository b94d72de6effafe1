"""Arguments of a wrong type are option errors that say what to give, not errors from deep inside."""

from __future__ import annotations

from typing import Any

import pytest

import aifgraph
from aifgraph.errors import OptionError

EMPTY = '{"nodes": [], "edges": []}'


@pytest.mark.parametrize("text", [None, 5, [], {}])
def test_loads_takes_text(text: Any) -> None:
    with pytest.raises(OptionError, match="give a string or bytes"):
        aifgraph.loads(text)


@pytest.mark.parametrize("source", [None, 5, [], b"{}"])
def test_load_takes_a_path_or_a_file(source: Any) -> None:
    with pytest.raises(OptionError, match="give a path, an open file"):
        aifgraph.load(source)


@pytest.mark.parametrize("name", ["first_text", "second_text"])
def test_given_texts_are_strings(name: str) -> None:
    graph = aifgraph.loads(EMPTY)
    with pytest.raises(OptionError, match=f"{name} is of type int; give a string or a SourceText"):
        aifgraph.compare(graph, graph, **{name: 5})


def test_the_premises_of_an_inference_are_a_list() -> None:
    build = aifgraph.GraphBuilder()
    ids = [build.proposition(text, id=id_) for id_, text in (("1", "a"), ("2", "b"), ("12", "c"), ("3", "d"))]
    with pytest.raises(OptionError, match="the premises are one string"):
        build.inference("12", "3")
    build.inference(["12"], "3")
    assert len(build.graph()) == len(ids) + 1


@pytest.mark.parametrize("name", ["relations", "calculations"])
def test_several_names_are_a_list(name: str) -> None:
    graph = aifgraph.loads(EMPTY)
    with pytest.raises(OptionError, match=f"{name} is 5; give a name or several"):
        aifgraph.compare(graph, graph, **{name: 5})
