from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from aifgraph import GraphBuilder, dump
from aifgraph.cli import main

QUERIES = Path(__file__).parents[2] / "docs" / "queries"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two maps: in one Ann contradicts herself, in the other an inference is undercut and a question is left open."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    build = GraphBuilder()
    ann = build.participant("Ann", id="7")
    said = [build.locution(f"Ann: {text}", speaker=ann) for text in ("Masks help", "Masks are useless")]
    claims = [build.proposition(text) for text in ("Masks help", "Masks are useless")]
    for each, claim in zip(said, claims, strict=True):
        build.illocution(each, claim, "Asserting")
    build.conflict(claims[1], claims[0])
    dump(build.graph(), folder / "one.json", format="aif")
    build = GraphBuilder()
    for _ in range(100):
        build.node("I", "filler")  # ids that the first map does not have
    claim, reason, doubt = (build.proposition(text) for text in ("Shops open", "It is May", "May is closed season"))
    build.conflict(doubt, build.inference([reason], claim))
    question = build.locution("Bob: Do they?")
    build.illocution(question, claim, "Pure Questioning")
    graph = build.graph()
    dump(graph, folder / "two.json", format="aif")
    return folder


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    assert main(["query", *arguments, "--format", "csv"]) == 0
    return list(csv.reader(io.StringIO(capsys.readouterr().out)))[1:]


EXPECTED = {
    "undercuts": [["urn:aifgraph:map:two", "Shops open", "May is closed season"]],
    "self-contradiction": [["urn:aifgraph:map:one", "7", "Masks are useless", "Masks help"]],
    "most-attacked": [["Masks help", "1"]],
    "unanswered-questions": [["urn:aifgraph:map:two", "Bob: Do they?"]],
    "schemes": [["(none)", "1", "1.0"]],
}


def test_every_query_has_its_answer_here() -> None:
    assert {path.stem for path in QUERIES.glob("*.rq")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_worked_queries(name: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(QUERIES / f"{name}.rq")
    assert rows(capsys, str(corpus), file) == EXPECTED[name]
    pytest.importorskip("oxrdflib")
    store = ["--store", str(tmp_path / "store")]
    for _ in range(2):
        assert rows(capsys, str(corpus), file, *store) == EXPECTED[name]


def test_a_store_follows_its_corpus(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("oxrdflib")
    query = tmp_path / "maps.rq"
    query.write_text("SELECT ?map WHERE { ?map a ag:Map } ORDER BY ?map")
    store = ["--store", str(tmp_path / "store")]
    assert len(rows(capsys, str(corpus), str(query), *store)) == 2
    (corpus / "two.json").unlink()
    assert rows(capsys, str(corpus), str(query), *store) == [["urn:aifgraph:map:one"]]


def test_ask_and_construct(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    query = tmp_path / "q.rq"
    query.write_text("ASK { ?x a aif:PA-node }")
    assert main(["query", str(corpus), str(query)]) == 1
    assert capsys.readouterr().out == "no\n"
    query.write_text("CONSTRUCT { ?x a aif:CA-node } WHERE { ?x a aif:CA-node }")
    assert main(["query", str(corpus), str(query)]) == 0
    assert "aif:CA-node" in capsys.readouterr().out


def test_bad_usage(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    query = tmp_path / "q.rq"
    query.write_text("SELEKT ?x")
    assert main(["query", str(corpus), str(query)]) == 2
    assert main(["query", str(corpus), str(tmp_path / "none.rq")]) == 2
    assert main(["query", str(tmp_path / "none"), str(query)]) == 2
    query.write_text("ASK {}")
    (corpus / "bad.json").write_text("{")
    assert main(["query", str(corpus), str(query)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 4
    assert "Traceback" not in err
