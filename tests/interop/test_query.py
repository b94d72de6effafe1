from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from aifgraph import GraphBuilder, dump
from aifgraph.cli import main
from aifgraph.rdf import shipped_queries

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two maps: in one Ann contradicts herself, in the other an inference and the conflict that undercuts it are
    undercut, and a question is left open."""
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
    undercut = build.conflict(doubt, build.inference([reason], claim))
    build.conflict(build.proposition("It is never closed"), undercut)
    question = build.locution("Bob: Do they?")
    build.illocution(question, claim, "Pure Questioning")
    graph = build.graph()
    dump(graph, folder / "two.json", format="aif")
    return folder


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    assert main(["query", *arguments, "--format", "csv"]) == 0
    return list(csv.reader(io.StringIO(capsys.readouterr().out)))[1:]


EXPECTED = {
    "undercuts": [
        ["corpus", "two", "conflict", "Shops open", "It is never closed"],
        ["corpus", "two", "inference", "Shops open", "May is closed season"],
    ],
    "self-contradiction": [["corpus", "one", "Ann", "Masks are useless", "Masks help"]],
    "most-attacked": [["corpus", "one", "Masks help", "1"]],
    "unanswered-questions": [["corpus", "two", "Bob: Do they?"]],
    "schemes": [["Default Inference", "1", "1.0"]],
}


def test_every_query_has_its_answer_here() -> None:
    assert shipped_queries().keys() == EXPECTED.keys()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_worked_queries(name: str, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rows(capsys, str(corpus), name) == EXPECTED[name]


def test_what_a_data_set_says_is_asked_for_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Roles are triples of their own, and so is who speaks, whether by a record or by the text."""
    role = "SELECT DISTINCT ?role { ?n a aif:I-node ; f:role ?role } ORDER BY ?role"
    micro = str(FIXTURES / "microtexts" / "masks.xml")
    assert rows(capsys, micro, role) == [["opp"], ["pro"]]
    speaker = "SELECT DISTINCT ?who { ?l a aif:L-node ; ag:speaker ?who } ORDER BY ?who"
    build = GraphBuilder()
    build.locution("Masks help", speaker=build.participant("Ann", "Lee"))
    build.locution("Bob: No")
    dump(build.graph(), tmp_path / "map.json", format="xaif")
    assert rows(capsys, str(tmp_path / "map.json"), speaker) == [["Ann Lee"], ["Bob"]]


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


CONFLICTS = "SELECT (COUNT(?ca) AS ?n) WHERE { ?ca a aif:CA-node }"


def test_a_query_is_a_file_a_text_or_standard_input(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "q.rq").write_text(CONFLICTS)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CONFLICTS.encode()), "utf-8"))
    for query in (str(tmp_path / "q.rq"), CONFLICTS, "-"):
        assert rows(capsys, str(corpus), query) == [["3"]]
    assert rows(capsys, str(corpus), "undercuts") == EXPECTED["undercuts"]
    assert main(["query", str(corpus), "nosuch"]) == 2


def test_maps_with_the_same_ids_stay_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "same"
    folder.mkdir()
    build = GraphBuilder()
    build.conflict(build.proposition("a"), build.proposition("b"))
    for number in range(5):
        dump(build.graph(), folder / f"{number}.json", format="aif")
    assert rows(capsys, str(folder), CONFLICTS) == [["5"]]
