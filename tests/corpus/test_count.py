"""What is counted, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus_files import a_map, make_folder

from aifgraph.cli import main
from aifgraph.corpus import Corpus, open_corpus

DIALOGUE = {
    "nodes": [
        {"nodeID": "1", "type": "L", "text": "Ann: Masks help"},
        {"nodeID": "2", "type": "L", "text": "Bob: They filter"},
        {"nodeID": "3", "type": "I", "text": "Masks help"},
        {"nodeID": "4", "type": "I", "text": "They filter"},
        {"nodeID": "5", "type": "YA", "text": "Asserting", "scheme": "Asserting", "schemeID": "74"},
        {"nodeID": "6", "type": "YA", "text": "Asserting", "scheme": "Asserting", "schemeID": "74"},
        {"nodeID": "7", "type": "TA", "text": "Default Transition", "scheme": "Default Transition", "schemeID": "82"},
        {"nodeID": "8", "type": "RA", "text": "Default Inference", "scheme": "Default Inference", "schemeID": "72"},
        {"nodeID": "9", "type": "YA", "text": "YA", "scheme": "Arguing", "schemeID": "80"},
        {"nodeID": "10", "type": "L", "text": "Coder: Ann: Masks help"},
    ],
    "edges": [{"fromID": pair[0], "toID": pair[1]} for pair in "15 53 26 64 17 72 48 83 79 98".split()],  # noqa: SIM905
    "locutions": [],
}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    files = {
        "a.json": json.dumps(DIALOGUE),
        "b.json": json.dumps(a_map("one two three")),
        "b.txt": "One, two, three. <br>And four more words.",
        "c.json": "{",
    }
    return open_corpus(make_folder(tmp_path / "corpus", files))


def test_the_counts(corpus: Corpus) -> None:
    stats = corpus.counts()
    assert (stats.maps, stats.with_text, stats.edges, stats.analyst_locutions) == (2, 1, 10, 1)
    assert stats.nodes == {"L": 3, "I": 3, "YA": 3, "TA": 1, "RA": 1}
    assert stats.illocutions == {"Asserting": 2, "Arguing": 1}
    assert stats.schemes == {("RA", "Default Inference"): 1}
    assert stats.speakers == {"Ann": 1, "Bob": 1}
    # a: the words said (masks help, they filter); b: those of its text
    assert stats.lengths == {"words": [4, 7], "nodes": [10, 1], "locutions": [2, 0], "propositions": [2, 1]}
    assert stats.to_dict()["words"] == 11
    assert [name for name, _ in stats.failed] == ["c"]
    assert stats.illocutions_by_speaker == {("Ann", "Asserting"): 1, ("Bob", "Asserting"): 1, ("Bob", "Arguing"): 1}
    tables = {table.title: table for table in stats.tables()}
    assert tables["Per map"].rows[0] == ("words", 4, 5.5, 5.5, 7, 11)
    assert tables["Illocutions"].rows[0] == ("Asserting", 2, pytest.approx(200 / 3))
    assert [len(table.rows) for table in stats.tables(most=1) if table.title == "Speakers"] == [1]
    assert stats.exchanges == {("Bob", "replies to", "Ann"): 1, ("Bob", "supports", "Ann"): 1}


def test_the_command(corpus: Corpus, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["show", str(corpus.path)]) == 2  # one map cannot be read
    shown = capsys.readouterr()
    assert "Asserting" in shown.out
    assert "c.json" in shown.err
    (corpus.path / "c.json").unlink()
    assert main(["show", str(corpus.path), "-o", str(tmp_path / "stats.json")]) == 0
    assert json.loads((tmp_path / "stats.json").read_text())["words"] == 11


@pytest.mark.slow
@pytest.mark.data
def test_real_corpora(shared_data: Path) -> None:
    stats = open_corpus(shared_data / "us2016").counts()
    assert (stats.maps, stats.failed) == (84, [])
    files = [json.loads(path.read_text()) for path in sorted((shared_data / "us2016").glob("*.json"))]
    for kind in ("I", "RA", "YA", "TA"):
        ids = [{str(node["nodeID"]) for node in file["nodes"] if node["type"] == kind} for file in files]
        assert stats.nodes[kind] == sum(map(len, ids))
