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

from aifgraph import Comparison, CorpusComparison, FormatError, GraphBuilder, Options, compare, compare_corpora
from aifgraph.cli import main
from aifgraph.tables import render

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MAPS = tuple(str(FIXTURES / "debate" / name) for name in ("first.json", "second.json"))
CORPORA = tuple(str(FIXTURES / "debates" / name) for name in ("ann", "ben"))
UNKNOWN = "FIRST SECOND, with the same corpora"
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
        [*MAPS, "--chance", "3", "--seed", "5", "--measures", "all", "--set", "hashes=true"],
        [*MAPS, "--set", "mean=layers", "--set", "relations=RA+CA"],
        [str(FIXTURES / "debate" / "first.json"), str(FIXTURES / "debates" / "ben" / "nodeset2.json")],
        [*CORPORA, "--chance", "3", "--set", "hashes=true", "--missing", "zero"],
        [*CORPORA, "--intervals", "--set", "rounds=40", "--measures", "all"],
    ],
)
def test_show_prints_a_result_again(tmp_path: Path, command: list[str]) -> None:
    """Byte for byte what ``compare`` printed, in every format; only where the corpora lie, a result does not tell."""
    if not Path(command[1]).exists():
        pytest.skip("no such fixture")
    for format_ in FORMATS:
        code = main(["compare", *command, "--format", format_, "-o", str(tmp_path / format_)])
        assert code == 0
    for format_ in FORMATS:
        again = tmp_path / f"again.{format_}"
        assert main(["show", str(tmp_path / "json"), "--format", format_, "-o", str(again)]) == 0
        printed = (
            (tmp_path / format_).read_text("utf-8").replace(" ".join(CORPORA), "FIRST SECOND, with the same corpora")
        )
        assert again.read_text("utf-8") == printed, format_


def test_show_prints_the_lines_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = tmp_path / "pairs.jsonl"
    assert main(["compare", *CORPORA, "--resume", str(lines)]) == 0
    first = capsys.readouterr().out.replace(" ".join(CORPORA), UNKNOWN)
    assert main(["show", str(lines)]) == 0
    again = capsys.readouterr().out
    assert again.splitlines()[2:12] == first.splitlines()[2:12]


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
    stored = Comparison.from_dict(parsed(result))
    assert str(stored) == str(result)
    assert render(stored.tables()) == render(result.tables())
    assert render([stored.score_table()], "csv") == render([result.score_table()], "csv")


def test_a_result_is_sent_to_another_process() -> None:
    pair, corpora = compare(*MAPS), compare_corpora(*CORPORA)
    assert pickle.loads(pickle.dumps(pair)) == pair
    assert pickle.loads(pickle.dumps(corpora)) == corpora


def test_the_model_of_sentences_need_not_be_there() -> None:
    result = compare(*MAPS, meaning=lambda texts: [[len(text), 1.0] for text in texts])
    assert Comparison.from_dict(parsed(result)).signature == result.signature
    corpora = compare_corpora(*CORPORA, meaning=lambda texts: [[len(text), 1.0] for text in texts])
    assert CorpusComparison.from_dict(parsed(corpora)).signature == corpora.signature


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
        (lambda it: it.pop("aifgraph"), "no result of a comparison"),
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
        Comparison.from_dict(damaged)
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
        Comparison.load(file)


def test_damaged_corpus_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = parsed(compare_corpora(*CORPORA))
    for change, said in (
        (_set("pairs", 0, "names", ["one"]), "names"),
        (_set("pairs", 0, "calculations", 7), "calculations"),
    ):
        damaged = json.loads(json.dumps(whole))
        change(damaged)
        with pytest.raises(FormatError) as caught:
            CorpusComparison.from_dict(damaged)
        assert said in str(caught.value)
        (tmp_path / "c.json").write_text(json.dumps(damaged), "utf-8")
        assert main(["show", str(tmp_path / "c.json")]) == 2
        assert capsys.readouterr().err.startswith(f"aifgraph: {tmp_path / 'c.json'}")


def test_results_of_a_check_are_no_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", MAPS[0], "--format", "json", "-o", str(tmp_path / "check.json")])
    capsys.readouterr()
    assert main(["show", str(tmp_path / "check.json")]) == 2
    assert "the result of a check" in capsys.readouterr().err


def test_hashes_are_in_the_signature_by_option() -> None:
    assert "|in:" not in compare(*MAPS).signature
    result = compare(*MAPS, hashes=True)
    assert f"|in:{result.input_hashes[0]}.{result.input_hashes[1]}|" in result.signature
    assert Options.parse(result.signature) == result.options
    with_text = compare(*MAPS, first_text="Another text.", hashes=True)
    assert with_text.input_hashes[0] != result.input_hashes[0]
