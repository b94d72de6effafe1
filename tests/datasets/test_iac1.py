"""IAC 1: pieces of posts, links, annotations and thresholds."""

from __future__ import annotations

import csv
import html
import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aifgraph import ArgumentGraph, load
from aifgraph.datasets import open_dataset
from aifgraph.errors import FormatError, InputError, OptionError


@pytest.fixture
def folder(fixtures: Path) -> Path:
    return fixtures / "datasets" / "iac1"


@pytest.fixture
def thread(folder: Path) -> ArgumentGraph:
    return next(iter(open_dataset("iac1", folder)))


def said(graph: ArgumentGraph) -> list[str]:
    return [node.text for node in graph.locutions]


def links(graph: ArgumentGraph, kind: str) -> list[tuple[str, str]]:
    return [
        (graph.predecessors(node)[0].text, graph.successors(node)[0].text)
        for node in graph.transitions
        if node.record["iac"]["link"] == kind
    ]


def test_posts_are_read_as_quotes_and_own_words(thread: ArgumentGraph) -> None:
    assert said(thread) == [
        "ann: Masks help in crowded rooms.",
        "ann: Masks help in crowded rooms.",
        "bob: No, they only make people careless. \n\n And they are dear.",
        "bob: they only make people careless.",
        "cleo: Right, I saw it.",
        "fred: from elsewhere",
        "cleo: Fine.",
        "dan: Nobody answers me.",
    ]
    own = next(node for node in thread.propositions if node.text.startswith("No, "))
    assert own.record["iac"] == {"post": 102, "start": 32, "end": 89, "timestamp": 1182344760.0}
    speaker = thread.speaker_of(own)
    assert speaker.name == "bob"
    assert thread.records_of(thread.locution_of(own))[0].start == "2007-06-20 13:06:00"


def test_transitions_follow_parents_quotes_and_responses(thread: ArgumentGraph) -> None:
    bob = "bob: No, they only make people careless. \n\n And they are dear."
    assert links(thread, "parent") == [
        ("ann: Masks help in crowded rooms.", bob),
        (bob, "cleo: Right, I saw it."),
    ]
    assert links(thread, "quote") == [
        ("ann: Masks help in crowded rooms.", "ann: Masks help in crowded rooms."),
        (bob, "bob: they only make people careless."),
    ]
    assert links(thread, "response") == [
        ("ann: Masks help in crowded rooms.", bob),
        ("bob: they only make people careless.", "cleo: Right, I saw it."),
        ("fred: from elsewhere", "cleo: Fine."),
    ]


def test_annotations_become_relations_anchored_in_the_response(thread: ArgumentGraph) -> None:
    (conflict,), (support,) = thread.conflicts, thread.inferences
    assert [node.text for node in thread.conclusions_of(conflict)] == ["Masks help in crowded rooms."]
    assert [act.text for act in thread.acts_on(conflict)] == ["Disagreeing"]
    assert [act.text for act in thread.acts_on(support)] == ["Arguing"]
    assert conflict.record["iac"] == {"key": "(1, 0)", "agreement": -2.5, "sarcasm": 0.5}
    kept = thread.meta.aif["iac"]
    assert kept["topic"] == "public health"
    assert [row["key"] for row in kept["annotations"]] == ["(1, 0)", "(1, 1)", "(1, 2)"]
    assert [worker["worker_id"] for worker in kept["annotations"][0]["workers"]] == ["w1", "w2"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"CA": 1, "RA": 1}),
        ({"threshold": 0}, {"CA": 1, "RA": 1}),
        ({"threshold": 2}, {"CA": 1}),
        ({"agree": 1.5, "disagree": -3}, {"RA": 1}),
        ({"agree": 1.6, "disagree": -3}, {}),
    ],
)
def test_thresholds_decide(folder: Path, options: dict[str, Any], expected: dict[str, int]) -> None:
    graph = next(iter(open_dataset("iac1", folder, **options)))
    assert dict(Counter(node.type for node in graph.relations)) == expected


@pytest.mark.parametrize("bad", [{"threshold": 1, "agree": 1}, {"agree": -2, "disagree": 2}, {"threshold": 6}])
def test_thresholds_that_do_not_go_together_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        open_dataset("iac1", ".", **bad)


LEFT_OUT = "annotations left out, as nothing in this copy says which quote and response they are about"


def test_what_cannot_be_placed_is_left_out_and_counted(folder: Path) -> None:
    reading = open_dataset("iac1", folder, threshold=0)
    texts = [node.text for graph in reading for node in graph.propositions]
    assert not [text for text in texts if "not in this copy" in text]
    assert reading.counts[LEFT_OUT] == 1


def test_without_qr_meta_only_a_lone_pair_is_joined(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "iac1")
    (tmp_path / "iac1/annotations/mechanical_turk/qr_meta.csv").unlink()
    reading = open_dataset("iac1", tmp_path / "iac1", threshold=0)
    list(reading)
    assert reading.counts[LEFT_OUT] == 3
    assert reading.counts["without annotations/mechanical_turk/qr_meta.csv"] == 1


def test_damage_is_listed_with_its_place(folder: Path) -> None:
    reading = open_dataset("iac1", folder)
    graphs = list(reading)
    assert [graph.name for graph in graphs] == ["11", "12", "14", "15"]
    assert reading.problems.counts == {
        "duplicate": 2,
        "number": 1,
        "range": 2,
        "post": 1,
        "dangling": 1,
        "cycle": 1,
        "json": 1,
    }
    shown = [str(problem) for problem in reading.problems]
    turk = "annotations/mechanical_turk/qr_averages.csv"
    assert f"{turk}, line 6: the key (2, 0) is given twice; the later row is skipped" in shown
    assert f"{turk}, line 7: agreement is 'much', not a number; the row is skipped" in shown
    assert "discussions/11.json: post 104: its parent 999 is not there" in shown
    assert any(problem.startswith("discussions/13.json, line 2: not JSON") for problem in shown)
    # One link of the circle is left out, the other two stand.
    assert len(graphs[1].transitions) == 2


def test_half_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "discussions").mkdir()
    whole = r'[[[1, null, "ann", "A \ud83d\ude00 smile", {}, null, null, 1.0]], {}, {}]'
    (tmp_path / "discussions" / "1.json").write_text(whole)
    (tmp_path / "discussions" / "2.json").write_text(whole.replace(r"\ude00", ""))
    reading = open_dataset("iac1", tmp_path)
    assert [graph.propositions[0].text for graph in reading] == ["A 😀 smile", "A \ufffd smile"]
    assert reading.problems.counts == {"encoding": 1}


def test_strict_and_the_wrong_folder(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="line 6"):
        list(open_dataset("iac1", folder, strict=True))
    with pytest.raises(InputError, match="there is no folder discussions/"):
        list(open_dataset("iac1", tmp_path))


@pytest.mark.data
def test_it_agrees_with_the_conversion_of_aifdb(shared_data: Path) -> None:
    """Types of annotated pairs, placed or not, against the relations of AIFdb's own maps, at AIFdb's threshold."""
    reading = open_dataset("iac1", shared_data / "iac-v1", threshold=0)
    ours = {
        graph.name: Counter(filter(None, (reading.relation(row.get("agreement")) for row in _annotations(graph))))
        for graph in reading
    }
    with (shared_data / "iac-v1" / "nodesets.tsv").open(encoding="utf-8", newline="") as file:
        joined = list(csv.DictReader(file, delimiter="\t"))
    same: list[bool] = []
    single: list[bool] = []
    relations = 0
    for row in joined:
        theirs = Counter(n.type for n in load(shared_data / "iac-aif" / row["nodeset"]).relations)
        mine = ours[row["discussion_id"]]
        same.append(mine == theirs)
        relations += (mine & theirs).total()
        if row["n_quote_response"] == "1":
            single.append(same[-1])
    assert len(ours) == len(same) == 150
    assert (sum(single), len(single)) == (54, 57)
    assert sum(same) == 123
    assert (relations, sum(count.total() for count in ours.values())) == (507, 537)


def _annotations(graph: ArgumentGraph) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = graph.meta.aif["iac"]["annotations"]
    return rows


@pytest.fixture
def sums(folder: Path) -> ArgumentGraph:
    """A thread with character references, and a quote of nobody known that begins as if someone spoke."""
    return {graph.name: graph for graph in open_dataset("iac1", folder)}["15"]


def test_no_speaker_is_invented(sums: ArgumentGraph) -> None:
    assert [speaker.name for speaker in sums.speakers] == ["ann", "unknown", "bob"]
    quote = sums.propositions[1]
    assert quote.text == "Sex: 2: the sum — all of it."
    assert sums.locution_of(quote).text == "unknown: Sex: 2: the sum — all of it."
    assert quote.record["iac"]["quote"]["unknown_author"] == "a friend"


def test_character_references_are_characters_and_offsets_those_of_the_file(sums: ArgumentGraph, folder: Path) -> None:
    published = json.loads((folder / "discussions/15.json").read_text("utf-8"))[0]
    source = sums.meta.source
    assert "&#" not in source.text
    assert [source.text[span.start : span.end] for span in source.spans] == [node.text for node in sums.propositions]
    for node in sums.propositions:
        entry = node.record["iac"]
        (post,) = [each for each in published if each[0] == entry["post"]]
        assert html.unescape(post[3][entry["start"] : entry["end"]]) == node.text


def test_markup_stands_with_the_words_that_it_marks(sums: ArgumentGraph, folder: Path) -> None:
    link, none, bold = (node.record["iac"].get("markup", []) for node in sums.propositions)
    assert link == [{"start": 38, "end": 58, "kind": "url", "url": "http://example.org/a"}]
    assert none == []
    assert [(each["kind"], each["category"]) for each in bold] == [("presentation", "bold")]
    reading = open_dataset("iac1", folder)
    list(reading)
    assert reading.counts["ranges of markup in posts that are not there"] == 1
    assert sums.meta.aif["iac"]["old_discussion_id"] == "4141"
    assert sums.meta.aif["iac"]["metadata"]["title"] == "Sums"


@pytest.mark.parametrize("options", [{}, {"threshold": 0}])
def test_the_summary_adds_up(folder: Path, options: dict[str, Any]) -> None:
    reading = open_dataset("iac1", folder, **options)
    list(reading)
    counts = reading.counts
    outcomes = {name: number for name, number in counts.items() if name.startswith("annotations ")}
    joined = [name for name in outcomes if name.startswith("annotations joined")]
    assert sum(number for name, number in outcomes.items() if name not in joined) == counts["annotations"] == 5


@pytest.mark.data
def test_the_published_threads_keep_their_markup_and_have_no_invented_speakers(shared_data: Path) -> None:
    root = shared_data / "iac-v1"
    given = [range_ for kind in ("url", "presentation", "other_markup") for range_ in _ranges(root / "ranges" / kind)]
    authors = {"unknown"}
    for file in (root / "discussions").glob("*.json"):
        authors |= {post[2] for post in json.loads(file.read_text("utf-8"))[0]}
    authors |= {range_[1][2]["author"] for range_ in _ranges(root / "ranges/quotes") if "author" in range_[1][2]}
    kept = 0
    for graph in open_dataset("iac1", root):
        kept += sum(len(node.record["iac"].get("markup", [])) for node in graph.propositions)
        assert {speaker.name for speaker in graph.speakers} <= {author.strip() for author in authors}
        assert not [node.text for node in graph if re.search(r"&#\d+;", node.text)]
    assert kept == len(given) == 1503


def _ranges(folder: Path) -> list[Any]:
    return [entry for file in folder.glob("*.json") for entry in json.loads(file.read_text("utf-8"))]
