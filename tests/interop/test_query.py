from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from aifgraph import GraphBuilder, dump
from aifgraph.cli import main

QUERIES = Path(__file__).parents[2] / "docs" / "queries"


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
    assert {path.stem for path in QUERIES.glob("*.rq")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_worked_queries(name: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(QUERIES / f"{name}.rq")
    assert rows(capsys, str(corpus), file) == EXPECTED[name]
    pytest.importorskip("oxrdflib")
    store = str(tmp_path / "store")
    assert main(["store", "add", store, str(corpus)]) == 0
    capsys.readouterr()
    assert rows(capsys, "--store", store, file) == EXPECTED[name]


def test_what_a_data_set_says_is_asked_for_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Topic, stance and role are triples of their own, and so is who speaks, whether by a record or by the text."""
    fixtures = QUERIES.parents[1] / "fixtures"
    stance = "SELECT ?topic ?stance { ?map f:arggraph.topic_id ?topic ; f:arggraph.stance ?stance }"
    role = "SELECT DISTINCT ?role { ?n a aif:I-node ; f:role ?role } ORDER BY ?role"
    micro = str(fixtures / "microtexts" / "masks.xml")
    assert rows(capsys, micro, stance) == [["masks_on_trains", "pro"]]
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
    assert "most-attacked" in capsys.readouterr().err


def test_maps_with_the_same_ids_stay_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "same"
    folder.mkdir()
    build = GraphBuilder()
    build.conflict(build.proposition("a"), build.proposition("b"))
    for number in range(5):
        dump(build.graph(), folder / f"{number}.json", format="aif")
    assert rows(capsys, str(folder), CONFLICTS) == [["5"]]


def test_what_several_maps_share_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "aifdb"
    folder.mkdir()
    node = {"nodeID": "17940", "text": "a", "type": "I", "timestamp": "2012-05-01 10:00:00"}
    for name in ("one", "two"):
        (folder / f"{name}.json").write_text(json.dumps({"nodes": [node], "edges": []}))
    assert main(["query", str(folder), "SELECT ?n WHERE { ?n a aif:I-node }"]) == 0
    assert "nodes that are in several maps: 1" in capsys.readouterr().err
    assert main(["query", str(folder), "SELECT ?n WHERE { GRAPH ?map { ?n a aif:I-node } }"]) == 0
    assert capsys.readouterr().err == ""


def test_a_map_that_is_added_again_replaces_the_one_of_its_name(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("oxrdflib")
    other = tmp_path / "other"
    other.mkdir()
    (other / "one.json").write_text((corpus / "one.json").read_text())
    store = str(tmp_path / "store")
    assert main(["store", "add", store, str(corpus), str(other)]) == 0
    assert capsys.readouterr().out == "corpus: 2 maps added\nother: 1 map added\n"
    assert rows(capsys, "--store", store, CONFLICTS) == [["4"]]
    build = GraphBuilder()
    claim = build.proposition("a")
    for text in "bcd":
        build.conflict(build.proposition(text), claim)
    dump(build.graph(), other / "one.json", format="aif")
    assert main(["store", "add", store, str(other)]) == 0
    capsys.readouterr()
    assert rows(capsys, "--store", store, CONFLICTS) == [["6"]]
    assert main(["store", "list", store, "--format", "csv"]) == 0
    assert list(csv.reader(io.StringIO(capsys.readouterr().out)))[1:] == [["corpus", "2"], ["other", "1"]]
    assert main(["store", "remove", store, "corpus"]) == 0
    capsys.readouterr()
    assert rows(capsys, "--store", store, CONFLICTS) == [["3"]]


def test_nothing_to_ask_is_said(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("oxrdflib")
    (tmp_path / "empty").mkdir()
    (tmp_path / "store").mkdir()
    for arguments in (
        ["query", str(tmp_path / "empty"), CONFLICTS],
        ["query", "--store", str(tmp_path / "store"), CONFLICTS],
        ["query", CONFLICTS],
        ["query", str(corpus), CONFLICTS, "--store", str(tmp_path / "store")],
        ["store", "add", str(tmp_path / "new"), str(tmp_path / "empty")],
        ["store", "list", str(tmp_path / "none")],
        ["store", "add", str(corpus), str(corpus)],
        ["store", "remove", str(tmp_path / "store"), "corpus"],
    ):
        assert main(arguments) == 2, arguments
        assert len(capsys.readouterr().err.splitlines()) == 1, arguments
    assert sorted(path.name for path in corpus.iterdir()) == ["one.json", "two.json"], "no database among the maps"
    assert not (tmp_path / "none").exists()


def test_a_file_of_several_maps_is_a_corpus(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(corpus), str(tmp_path / "both.trig")]) == 0
    capsys.readouterr()
    assert rows(capsys, str(tmp_path / "both.trig"), CONFLICTS) == [["3"]]


@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_no_deprecation_warning_comes_out(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(corpus), "undercuts"]) == 0
    assert main(["convert", str(corpus), str(tmp_path / "out.nq")]) == 0
    assert main(["show", str(tmp_path / "out.nq")]) == 0


def test_what_was_added_is_in_tables_of_the_store_and_not_left_to_who_opens_it_next(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    assert main(["store", "add", str(store), str(corpus)]) == 0
    # Oxigraph replays its log on opening, which takes ten times as long as writing tables. An empty store has one.
    assert len(list(store.glob("*.sst"))) > 1
    capsys.readouterr()
    assert rows(capsys, "--store", str(store), CONFLICTS) == [["3"]]


def test_a_name_that_no_map_has_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    for query, said in {
        "SELECT ?x { ?x a aif:RA_node }": "no map has aif:RA_node; did you mean aif:RA-node?",
        "SELECT (COUNT(?x) AS ?n) { ?x aif:hasPremis ?y }": "no map has aif:hasPremis; did you mean aif:hasPremise?",
        "SELECT ?x { ?x a aif:PA-node; aif:fulfils aif:ExpertOpinion_Scheme }": "",
        "most-attacked": "",
    }.items():
        assert main(["query", "fixtures/debates/ann", query]) == 0
        told = [line for line in capsys.readouterr().err.splitlines() if "no map has" in line]
        assert told == ([f"aifgraph: warning: {said}"] if said else [])
