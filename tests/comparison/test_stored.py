"""Results are read back: every table as it was, and one clear error for what is damaged, foreign or of another time."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import FormatError, GraphBuilder, PairResult, compare
from aifgraph.cli import main
from aifgraph.tables import render

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MAPS = tuple(str(FIXTURES / "debate" / name) for name in ("first.json", "second.json"))
FORMATS = ("text", "json", "csv", "markdown", "latex")


def parsed(result: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(result.to_dict()))
    return document


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return parsed(compare(*MAPS))


@pytest.mark.parametrize(
    "command",
    [
        [*MAPS],
        [*MAPS, "--chance", "3", "--seed", "5", "--measures", "all"],
        [*MAPS, "--set", "mean=layers", "--set", "relations=RA+CA"],
        [str(FIXTURES / "debate" / "first.json"), str(FIXTURES / "debates" / "ben" / "nodeset2.json")],
    ],
)
def test_show_prints_a_result_again(tmp_path: Path, command: list[str]) -> None:
    """Byte for byte what ``compare`` printed, in every format."""
    if not Path(command[1]).exists():
        pytest.skip("no such fixture")
    for format_ in FORMATS:
        code = main(["compare", *command, "--format", format_, "-o", str(tmp_path / format_)])
        assert code == 0
    for format_ in FORMATS:
        again = tmp_path / f"again.{format_}"
        assert main(["show", str(tmp_path / "json"), "--format", format_, "-o", str(again)]) == 0
        assert again.read_text("utf-8") == (tmp_path / format_).read_text("utf-8"), format_


@given(st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")))
def test_any_result_is_read_back(ours: set[str], theirs: set[str]) -> None:
    graphs = []
    for words in (sorted(ours), sorted(theirs)):
        build = GraphBuilder()
        nodes = [build.proposition(f"the word {word}") for word in words]
        for one, other in pairwise(nodes):
            build.inference([one], other)
        graphs.append(build.graph())
    result = compare(*graphs)
    stored = PairResult.from_dict(parsed(result))
    assert str(stored) == str(result)
    assert render(stored.tables()) == render(result.tables())
    assert stored.to_csv() == result.to_csv()


def test_a_result_is_sent_to_another_process() -> None:
    pair = compare(*MAPS)
    assert pickle.loads(pickle.dumps(pair)).result == pair.result


def _set(*path: Any) -> Callable[[dict[str, Any]], None]:
    *keys, last, value = path

    def change(document: dict[str, Any]) -> None:
        for key in keys:
            document = document[key]
        document[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: it.pop("signature"), "signature: Field required"),
        (_set("calculations", "propositional_relations", "matrix", [[1]]), "one row and one column per label"),
        (_set("calculations", "propositional_relations", "matrix", [["1"]]), "valid integer"),
        (_set("calculations", 7), "calculations"),
    ],
)
def test_damaged_results(
    document: dict[str, Any],
    change: Callable[[dict[str, Any]], None],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    damaged = json.loads(json.dumps(document))
    change(damaged)
    with pytest.raises(FormatError) as caught:
        PairResult.from_dict(damaged)
    assert said in str(caught.value)
    file = tmp_path / "result.json"
    file.write_text(json.dumps(damaged), "utf-8")
    assert main(["show", str(file)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"aifgraph: {file}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("content", ["", "{", "[]", "7", '{"nodes": []}', "\x00\x01", '{"aifgraph": [[[['])
def test_foreign_files(content: str, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text(content, "utf-8")
    with pytest.raises(FormatError, match=re.escape(str(file))):
        PairResult.load(file)
