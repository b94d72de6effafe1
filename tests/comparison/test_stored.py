"""Results are read back: every table as it was, and one clear error for what is damaged, foreign or of another time."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import FormatError, PairResult, compare
from aifgraph.cli import main
from comparison.maps import compared, pair

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MAPS = tuple(str(FIXTURES / "debate" / name) for name in ("first.json", "second.json"))


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--chance", "3", "--seed", "5", "--measures", "all"],
        ["--set", "mean=layers", "--set", "relations=RA+CA"],
    ],
)
def test_show_prints_a_result_again(tmp_path: Path, more: list[str]) -> None:
    """Byte for byte what ``compare`` printed, in every format."""
    for format_ in ("json", "text", "csv", "markdown", "latex"):
        printed, again = tmp_path / format_, tmp_path / f"again.{format_}"
        assert main(["compare", *MAPS, *more, "--format", format_, "-o", str(printed)]) == 0
        assert main(["show", str(tmp_path / "json"), "--format", format_, "-o", str(again)]) == 0
        assert again.read_text("utf-8") == printed.read_text("utf-8"), format_


@given(st.integers(0, 2**32))
def test_any_result_is_read_back(seed: int) -> None:
    result = compared(pair(seed))
    stored = PairResult.from_dict(json.loads(json.dumps(result.to_dict())))
    assert stored == result.result
    assert str(stored) == str(result)
    assert stored.to_csv() == result.to_csv()


def test_a_result_is_sent_to_another_process() -> None:
    pair = compare(*MAPS)
    assert pickle.loads(pickle.dumps(pair)).result == pair.result


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("signature",), None),
        (("calculations", "propositional_relations", "matrix"), [[1]]),
        (("calculations", "propositional_relations", "matrix"), [["1"]]),
        (("calculations",), 7),
    ],
)
def test_damaged_results(path: tuple[str, ...], value: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = part = json.loads(json.dumps(compare(*MAPS).to_dict()))
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(FormatError, match=path[0]):
        PairResult.from_dict(damaged)
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
