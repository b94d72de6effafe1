"""IAC 1: pieces of posts, links, annotations and their limits. IAC 2: posts, quotes, links and relations of a dump, and
damaged rows."""

import csv
import gzip
import html
import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import ArgumentGraph, GraphBuilder, dump, load
from aifgraph.corpus import CorpusCounts
from aifgraph.datasets import Log
from aifgraph.datasets.iac2 import Columns, read_dump, relation_type
from aifgraph.errors import AifgraphError, FormatError, InputError
from documents import DATA, read


@pytest.fixture
def maps() -> dict[str, ArgumentGraph]:
    return {graph.name: graph for graph in read("iac1", DATA / "iac1")[0]}


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
    place = {"post_id": 102, "parent_post_id": 101, "start": 32, "end": 89}
    assert own.extra["iac"] == {**place, "creation_date": date}
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
def test_limits_of_agreement_decide(options: dict[str, Any], expected: dict[str, int]) -> None:
    (graph, *_), log = read("iac1", DATA / "iac1", **options)
    assert dict(Counter(node.type for node in graph.relations)) == expected
    outcomes = [number for name, number in log.counts.items() if name.startswith("annotations ")]
    assert sum(outcomes) == log.counts["annotations"] == 5
    assert {count for name, count in log.counts.items() if name.startswith("without ")} == {1}


def test_damage_is_listed_with_its_place() -> None:
    graphs, log = read("iac1", DATA / "iac1")
    assert [graph.name for graph in graphs] == ["11", "12", "14", "15"]
    expected = {"duplicate": 2, "number": 1, "range": 2, "post": 1, "dangling": 1, "cycle": 1, "json": 1}
    assert log.problem_counts == expected
    places = {str(problem.where).removeprefix(f"{DATA}/iac1/") for problem in log.problems}
    turk = "annotations/mechanical_turk/qr_averages.csv"
    assert {f"{turk}, line 6", f"{turk}, line 7", "discussions/11.json", "discussions/13.json, line 2"} <= places
    # One link of the circle is left out, the other two stand.
    assert len(graphs[1].transitions) == 2


def test_folders_of_ranges_that_are_missing_are_counted(tmp_path: Path) -> None:
    folder = shutil.copytree(DATA / "iac1", tmp_path / "iac1")
    (folder / "ranges/quotes").rename(folder / "ranges/Quotation")
    assert read("iac1", folder)[1].counts["without ranges/quotes"] == 1


def test_no_speaker_is_invented(maps: dict[str, ArgumentGraph]) -> None:
    graph = maps["15"]
    assert [speaker.name for speaker in graph.speakers] == ["ann", "unknown", "bob"]
    quote = graph.propositions[1]
    assert quote.text == "Sex: 2: the sum — all of it."
    assert graph.locution_of(quote).text == f"unknown: {quote.text}"
    assert quote.extra["iac"]["unknown_author"] == "a friend"


def test_places_are_those_of_the_file_and_spans_those_of_the_text(maps: dict[str, ArgumentGraph]) -> None:
    published = {post[0]: post[3] for post in json.loads((DATA / "iac1/discussions/15.json").read_text("utf-8"))[0]}
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


def test_a_post_replies_once_and_its_quotes_are_quotes(thread: ArgumentGraph) -> None:
    counts = CorpusCounts()
    counts.add(thread)
    exchanges = {(speaker, verb, other): n for (speaker, verb, other), n in counts.exchanges.items()}
    assert {key: n for key, n in exchanges.items() if key[1] in ("replies to", "quotes")} == {
        ("bob", "replies to", "ann"): 1,
        ("cleo", "replies to", "bob"): 1,
        ("bob", "quotes", "ann"): 1,
        ("cleo", "quotes", "bob"): 1,
    }


def nodeset(*pairs: tuple[str, str, str]) -> ArgumentGraph:
    """Make a map as AIFdb has it, of (relation, quote, response)."""
    build = GraphBuilder()
    for relation, quote, response in pairs:
        build.relation(relation, [build.proposition(response)], build.proposition(quote))
    return build.graph()


@pytest.fixture
def without_meta(tmp_path: Path) -> Path:
    """Two discussions of two pairs each; one has one annotation, the other two."""
    folder = tmp_path / "iac"
    for name in ("discussions", "ranges/quotes", "annotations/mechanical_turk"):
        (folder / name).mkdir(parents=True)
    for number in (1, 2):
        text = f"Masks help {number}. No, they do not. They are dear {number}. So what?"
        posts = [
            [10, None, "ann", text[:13] + text[30:47], {}, None, None, 0],
            [11, None, "bob", text, {}, 10, None, 0],
        ]
        quotes = [[11, [0, 13, {"quote_id": 10}]], [11, [31, 47, {"quote_id": 10}]]]
        (folder / f"discussions/{number}.json").write_text(json.dumps([posts, {}, {}]), "utf-8")
        (folder / f"ranges/quotes/{number}.json").write_text(json.dumps(quotes), "utf-8")
    rows = ['"(1, 0)",1,-2', '"(2, 0)",2,2', '"(2, 1)",2,-3']
    averages = folder / "annotations/mechanical_turk/qr_averages.csv"
    averages.write_text("\n".join(["key,discussion_id,agreement", *rows]) + "\n", "utf-8")
    return folder


def test_aifdb_places_the_only_annotation_of_a_discussion_and_lists_the_others(
    without_meta: Path, tmp_path: Path
) -> None:
    aifdb, listed = tmp_path / "aifdb", tmp_path / "candidates.tsv"
    aifdb.mkdir()
    dump(nodeset(("CA", "They are dear 1.", "So what?")), aifdb / "nodeset1.json")
    both = ("RA", "Masks help 2.", "No, they do not."), ("CA", "They are dear 2.", "So what?")
    dump(nodeset(*both), aifdb / "nodeset2.json")
    (aifdb / "nodeset3.json").write_text("{", "utf-8")
    graphs, log = read("iac1", without_meta)
    assert [len(graph.relations) for graph in graphs] == [0, 0]
    (first, second), log = read("iac1", without_meta, aifdb=aifdb, candidates=listed)
    (conflict,) = first.relations
    assert [node.text for node in first.conclusions_of(conflict)] == ["They are dear 1."]
    assert conflict.extra["iac"]["agreement"] == -2
    assert not second.relations
    assert log.counts["placed by AIFdb's nodesets"] == 1
    assert log.counts["of them with candidates in AIFdb's nodesets"] == 2
    assert log.problem_counts == {"nodeset": 1}
    head, *rows = (line.split("\t") for line in listed.read_text("utf-8").splitlines())
    assert head[:2] == ["discussion_id", "key"]
    assert [(row[0], row[1], row[6]) for row in rows] == [
        ("2", key, quote) for key in ("(2, 0)", "(2, 1)") for quote in ("Masks help 2.", "They are dear 2.")
    ]
    with pytest.raises(InputError):  # the file may be one that is read
        read("iac1", without_meta, aifdb=aifdb, candidates=listed)


def test_a_nodeset_may_have_more_of_a_text_than_the_discussion(without_meta: Path, tmp_path: Path) -> None:
    aifdb, listed = tmp_path / "aifdb", tmp_path / "candidates.tsv"
    aifdb.mkdir()
    pairs = ("RA", "Masks help 1.", "No, they do not."), ("CA", "Really: they are dear 1.", "So what?")
    dump(nodeset(*pairs), aifdb / "nodeset1.json")
    read("iac1", without_meta, aifdb=aifdb, candidates=listed)
    rows = [line.split("\t") for line in listed.read_text("utf-8").splitlines()[1:]]
    assert [row[6] for row in rows if row[0] == "1"] == ["Masks help 1.", "They are dear 1."]


def test_a_folder_that_holds_no_nodeset_is_refused(without_meta: Path, tmp_path: Path) -> None:
    for options in ({"aifdb": tmp_path / "none"}, {"aifdb": without_meta / "ranges"}, {"candidates": tmp_path / "x"}):
        with pytest.raises(AifgraphError):
            read("iac1", without_meta, **options)


TEXT = {"text": Columns(("text_id",), ("text",))}
CREATE = "CREATE TABLE `text` (\n  `text_id` int,\n  `text` longtext\n);\n"


SMALL = DATA / "iac2" / "small.sql"


def test_posts_quotes_and_responses() -> None:
    (first, _), log = read("iac2", SMALL)
    assert first.locutions[1].text == "bob; (the) 'great': They don't \"help\" (at all), they're a burden \\o/"
    assert [node.type for node in first.relations] == ["CA", "RA", "MA"]
    acts = [act.text for node in first.relations for act in first.illocutions_of(node)]
    assert acts == ["Disagreeing", "Arguing", "Restating"]
    links = [node.extra["iac"]["link"] for node in first.transitions]
    assert links == ["parent", "parent", "parent", "response", "quote"]
    quote = next(node for node in first.propositions if node.text == "Masks help")
    assert quote.extra["iac"]["source_end"] == 10
    assert quote.extra["iac"]["source_post_id"] == 1
    assert first.meta.aif["iac"]["title"] == "Masks?"
    source = first.meta.source
    texts = {node.id: node.text for node in first.propositions}
    assert [source.text[span.start : span.end] for span in source.spans] == [
        texts[span.node_id] for span in source.spans
    ]
    assert log.counts["posts whose parent is marked as missing"] == 1


def test_damage_of_a_dump_is_listed() -> None:
    (_, circle), log = read("iac2", SMALL)
    assert log.problem_counts == {
        "row": 1,  # (2,'2010') inside a row: the row before it is lost
        "width": 1,
        "duplicate": 1,
        "dangling": 3,  # a parent, and the text of two posts
        "cycle": 1,
        "columns": 1,
    }
    assert all(re.search(r", line \d+$", str(problem.where)) for problem in log.problems)
    assert len(circle.relations) == 1


def test_markup_of_a_dump_stands_with_its_text() -> None:
    (first, _), _ = read("iac2", SMALL)
    marks = {node.text.split()[0]: node.extra["iac"].get("markup", []) for node in first.propositions}
    assert marks["They"] == [
        {"start": 0, "end": 9, "type": "bold"},
        {"start": 12, "end": 16, "type": "link", "attributes": '{"href": "http://example.org/"}'},
    ]
    assert [mark["type"] for mark in marks["Masks"]] == ["italic"]


def test_gzip_is_known_by_its_content(tmp_path: Path) -> None:
    packed = tmp_path / "small.dump"
    packed.write_bytes(gzip.compress(SMALL.read_bytes()))
    assert read("iac2", packed)[0] == read("iac2", SMALL)[0]
    packed.write_bytes(packed.read_bytes()[:-40])
    with pytest.raises(FormatError):
        read("iac2", packed)


def escaped(text: str) -> str:
    for plain, code in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\0", "\\0"), ("\r", "\\r"), ("\x1a", "\\Z")):
        text = text.replace(plain, code)
    return f"'{text}'"


texts = st.one_of(
    st.none(),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.sampled_from(["'),('\\", "\t", "a\t", "\\N", "\n"]),
)


@given(
    rows=st.lists(st.tuples(st.integers(-9, 9), texts), min_size=1, max_size=8),
    between=st.sampled_from([",", ",\n", ", "]),
)
def test_any_text_survives_a_dump(
    rows: list[tuple[int, str | None]], between: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("dump") / "d.sql"
    values = between.join(f"({number},{'NULL' if text is None else escaped(text)})" for number, text in rows)
    path.write_bytes(f"{CREATE}INSERT INTO `text` VALUES {values};\n".encode())
    log = Log()
    assert [(row.values["text_id"], row.values["text"]) for row in read_dump(path, TEXT, log)] == rows
    assert not log.problems


@pytest.mark.parametrize("number", ["9" * 5000, "1e999", "-", "0x10", "1.5", "99999999999999999999"])
def test_odd_numbers_are_no_crash(number: str, tmp_path: Path) -> None:
    table = SMALL.read_text("utf-8")
    for at, wanted in enumerate(("(7,1,1,", "(11,'Masks")):
        path = tmp_path / f"{at}.sql"
        path.write_text(table.replace(wanted, wanted.replace("1", number, 1)), "utf-8")
        assert read("iac2", path)[0]


@pytest.mark.parametrize("columns", [["text_id", "TEXT_ID"], ["text_id", *(f"c{n}" for n in range(3000))]])
def test_columns_that_a_database_has_not(columns: list[str], tmp_path: Path) -> None:
    values = ",".join("1" for _ in columns)
    (tmp_path / "d.sql").write_text(f"INSERT INTO text ({','.join(columns)}) VALUES ({values});\n")
    with pytest.raises(FormatError, match="line 1"):
        read("iac2", tmp_path / "d.sql")


def test_annotations_of_4forums_relate_a_post_to_its_quote() -> None:
    (graph,), log = read("iac2", DATA / "iac2" / "fourforums.sql", strict=True)
    (conflict,) = graph.relations
    assert [node.text for node in graph.premises_of(conflict)] == ["Not at all."]
    assert [node.extra["iac"]["text_offset"] for node in graph.conclusions_of(conflict)] == [0]
    assert conflict.extra["iac"]["agreement"] == -3.5
    assert conflict.extra["iac"]["sarcasm_yes"] == 0.5
    assert [act.text for act in graph.illocutions_of(conflict)] == ["Disagreeing"]
    # One lies between the limits, one is of a quote that is not there.
    assert log.counts["annotations without a relation"] == 1
    assert log.counts["annotations that could not be joined"] == 1
    (lower,), _ = read("iac2", DATA / "iac2" / "fourforums.sql", agree=0, disagree=0)
    assert sorted(node.type for node in lower.relations) == ["CA", "RA"]


@pytest.mark.slow
@pytest.mark.data
def test_it_agrees_with_the_conversion_of_aifdb(shared_data: Path) -> None:
    """Types of annotated pairs, placed or not, against the relations of AIFdb's own maps, at AIFdb's limits."""
    graphs, _ = read("iac1", shared_data / "iac-v1", agree=0, disagree=0)
    ours = {}
    for graph in graphs:
        types = (relation_type(row.get("agreement"), 0, 0) for row in graph.meta.aif["iac"]["annotations"])
        ours[graph.name] = Counter(filter(None, types))
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
