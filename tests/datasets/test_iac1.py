"""IAC 1: pieces of posts, links, annotations and their limits."""

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
from dataset_reading import read

from aifgraph import ArgumentGraph, load
from aifgraph.datasets.iac import relation_type


@pytest.fixture
def maps(data: Path) -> dict[str, ArgumentGraph]:
    return {graph.name: graph for graph in read("iac1", data / "iac1")[0]}


@pytest.fixture
def thread(maps: dict[str, ArgumentGraph]) -> ArgumentGraph:
    return maps["11"]


def links(graph: ArgumentGraph, kind: str) -> list[tuple[str, str]]:
    return [
        (graph.predecessors(node)[0].text, graph.successors(node)[0].text)
        for node in graph.transitions
        if node.extra["iac"]["link"] == kind
    ]


def test_posts_are_read_as_quotes_and_own_words(thread: ArgumentGraph) -> None:
    assert [node.text for node in thread.locutions] == [
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
    date = "2007-06-20 13:06:00"
    assert own.extra["iac"] == {"post_id": 102, "start": 32, "end": 89, "creation_date": date}
    assert thread.speaker_of(own).name == "bob"
    assert thread.records_of(thread.locution_of(own))[0].start == date


def test_transitions_follow_parents_quotes_and_responses(thread: ArgumentGraph) -> None:
    ann, bob = "ann: Masks help in crowded rooms.", "bob: No, they only make people careless. \n\n And they are dear."
    assert links(thread, "parent") == [(ann, bob), (bob, "cleo: Right, I saw it.")]
    assert links(thread, "quote") == [(ann, ann), (bob, "bob: they only make people careless.")]
    assert links(thread, "response") == [
        (ann, bob),
        ("bob: they only make people careless.", "cleo: Right, I saw it."),
        ("fred: from elsewhere", "cleo: Fine."),
    ]


def test_annotations_become_relations_anchored_in_the_response(thread: ArgumentGraph) -> None:
    (conflict,), (support,) = thread.conflicts, thread.inferences
    assert [node.text for node in thread.conclusions_of(conflict)] == ["Masks help in crowded rooms."]
    assert [act.text for act in thread.illocutions_of(conflict)] == ["Disagreeing"]
    assert [act.text for act in thread.illocutions_of(support)] == ["Arguing"]
    assert conflict.extra["iac"] == {"page_id": 1, "tab_number": 0, "agreement": -2.5, "sarcasm": 0.5}
    kept = thread.meta.aif["iac"]
    assert kept["topic"] == "public health"
    assert [(row["page_id"], row["tab_number"]) for row in kept["annotations"]] == [(1, 0), (1, 1), (1, 2)]
    assert [worker["worker_id"] for worker in kept["annotations"][0]["workers"]] == ["w1", "w2"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"CA": 1, "RA": 1}),
        ({"agree": 0, "disagree": 0}, {"CA": 1, "RA": 1}),
        ({"agree": 2, "disagree": -2}, {"CA": 1}),
        ({"agree": 1.5, "disagree": -3}, {"RA": 1}),
        ({"agree": 1.6, "disagree": -3}, {}),
    ],
)
def test_limits_of_agreement_decide(data: Path, options: dict[str, Any], expected: dict[str, int]) -> None:
    (graph, *_), log = read("iac1", data / "iac1", **options)
    assert dict(Counter(node.type for node in graph.relations)) == expected
    outcomes = [number for name, number in log.counts.items() if name.startswith("annotations ")]
    assert sum(outcomes) == log.counts["annotations"] == 5


def test_without_qr_meta_only_a_lone_pair_is_joined(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data / "iac1", tmp_path / "iac1")
    (tmp_path / "iac1/annotations/mechanical_turk/qr_meta.csv").unlink()
    _, log = read("iac1", tmp_path / "iac1")
    assert sum(number for name, number in log.counts.items() if name.startswith("annotations left out")) == 3
    assert log.counts["without mechanical_turk/qr_meta.csv"] == 1


def test_damage_is_listed_with_its_place(data: Path) -> None:
    graphs, log = read("iac1", data / "iac1")
    assert [graph.name for graph in graphs] == ["11", "12", "14", "15"]
    expected = {"duplicate": 2, "number": 1, "range": 2, "post": 1, "dangling": 1, "cycle": 1, "json": 1}
    assert log.problem_counts == expected
    places = {problem.place.removeprefix(f"{data}/iac1/") for problem in log.problems}
    turk = "annotations/mechanical_turk/qr_averages.csv"
    assert {f"{turk}, line 6", f"{turk}, line 7", "discussions/11.json", "discussions/13.json, line 2"} <= places
    # One link of the circle is left out, the other two stand.
    assert len(graphs[1].transitions) == 2


def test_half_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "discussions").mkdir()
    whole = r'[[[1, null, "ann", "A \ud83d\ude00 smile", {}, null, null, 1.0]], {}, {}]'
    (tmp_path / "discussions" / "1.json").write_text(whole)
    (tmp_path / "discussions" / "2.json").write_text(whole.replace(r"\ude00", ""))
    graphs, log = read("iac1", tmp_path)
    assert [graph.propositions[0].text for graph in graphs] == ["A 😀 smile", "A \ufffd smile"]
    assert log.problem_counts == {"encoding": 1}


def test_no_speaker_is_invented(maps: dict[str, ArgumentGraph]) -> None:
    graph = maps["15"]
    assert [speaker.name for speaker in graph.speakers] == ["ann", "unknown", "bob"]
    quote = graph.propositions[1]
    assert quote.text == "Sex: 2: the sum — all of it."
    assert graph.locution_of(quote).text == f"unknown: {quote.text}"
    assert quote.extra["iac"]["unknown_author"] == "a friend"


def test_places_are_those_of_the_file_and_spans_those_of_the_text(maps: dict[str, ArgumentGraph], data: Path) -> None:
    published = {post[0]: post[3] for post in json.loads((data / "iac1/discussions/15.json").read_text("utf-8"))[0]}
    graph = maps["15"]
    source = graph.meta.source
    assert "&#" not in source.text
    assert [source.text[span.start : span.end] for span in source.spans] == [node.text for node in graph.propositions]
    for node in graph.propositions:
        entry = node.extra["iac"]
        assert html.unescape(published[entry["post_id"]][entry["start"] : entry["end"]]) == node.text


def test_markup_stands_with_the_words_that_it_marks(maps: dict[str, ArgumentGraph]) -> None:
    link, none, bold = (node.extra["iac"].get("markup", []) for node in maps["15"].propositions)
    assert link == [{"start": 38, "end": 58, "type": "url", "url": "http://example.org/a"}]
    assert none == []
    assert [(each["type"], each["category"]) for each in bold] == [("presentation", "bold")]
    document = maps["15"].meta.aif["iac"]
    assert (document["old_discussion_id"], document["title"]) == ("4141", "Sums")


@pytest.mark.data
def test_it_agrees_with_the_conversion_of_aifdb(shared_data: Path) -> None:
    """Types of annotated pairs, placed or not, against the relations of AIFdb's own maps, at AIFdb's limits."""
    graphs, _ = read("iac1", shared_data / "iac-v1", agree=0, disagree=0)
    ours = {graph.name: Counter(filter(None, map(relation, graph.meta.aif["iac"]["annotations"]))) for graph in graphs}
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
    assert (sum(single), len(single), sum(same)) == (54, 57, 123)
    assert (relations, sum(count.total() for count in ours.values())) == (507, 537)


def relation(annotation: dict[str, Any]) -> str | None:
    return relation_type(annotation.get("agreement"), 0, 0)


@pytest.mark.data
def test_the_published_threads_keep_their_markup_and_have_no_invented_speakers(shared_data: Path) -> None:
    root = shared_data / "iac-v1"
    given = [mark for kind in ("url", "presentation", "other_markup") for mark in entries(root / "ranges" / kind)]
    authors = {"unknown"}
    for file in (root / "discussions").glob("*.json"):
        authors |= {post[2] for post in json.loads(file.read_text("utf-8"))[0]}
    authors |= {quote[1][2]["author"] for quote in entries(root / "ranges/quotes") if "author" in quote[1][2]}
    kept = 0
    for graph in read("iac1", root)[0]:
        kept += sum(len(node.extra["iac"].get("markup", [])) for node in graph.propositions)
        assert {speaker.name for speaker in graph.speakers} <= {author.strip() for author in authors}
        assert not [node.text for node in graph if re.search(r"&#\d+;", node.text)]
    assert kept == len(given) == 1503


def entries(folder: Path) -> list[Any]:
    return [entry for file in folder.glob("*.json") for entry in json.loads(file.read_text("utf-8"))]
