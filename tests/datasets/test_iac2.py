"""IAC 2: the dump's rows, the same as tables, links and relations, and damaged rows."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.datasets import open_dataset
from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.iac.iac2_files import dump_rows
from aifgraph.errors import FormatError, InputError


@pytest.fixture
def folder(fixtures: Path) -> Path:
    return fixtures / "datasets" / "iac2"


def test_posts_quotes_and_responses(folder: Path) -> None:
    reading = open_dataset("iac2", folder / "small.sql")
    first, _ = reading
    assert [node.text for node in first.locutions][1] == (
        "bob; (the) 'great': They don't \"help\" (at all), they're a burden \\o/"
    )
    assert [node.text for node in first.relations] == ["Default Conflict", "Default Inference", "Default Rephrase"]
    assert [act.text for node in first.relations for act in first.acts_on(node)] == [
        "Disagreeing",
        "Arguing",
        "Restating",
    ]
    links = [node.record["iac"]["link"] for node in first.transitions]
    assert links == ["parent", "parent", "parent", "response", "quote"]
    quote = next(node for node in first.propositions if node.text == "Masks help")
    assert quote.record["iac"]["source_end"] == "10"
    assert first.meta.aif["iac"]["title"] == "Masks?"


def test_damage_is_listed(folder: Path) -> None:
    reading = open_dataset("iac2", folder / "small.sql")
    _, circle = reading
    assert reading.problems.counts == {
        "row": 1,  # (2,'2010') inside a row: the row before it is lost
        "width": 1,
        "duplicate": 1,
        "dangling": 3,  # a parent, and the text of two posts
        "cycle": 1,
        "columns": 1,
    }
    assert all("small.sql, line " in str(problem) for problem in reading.problems)
    assert reading.counts["posts whose parent is marked as missing"] == 1
    assert len(circle.relations) == 1


def test_gzip_is_known_by_its_content(folder: Path, tmp_path: Path) -> None:
    packed = tmp_path / "small.dump"
    packed.write_bytes(gzip.compress((folder / "small.sql").read_bytes()))
    assert list(open_dataset("iac2", packed)) == list(open_dataset("iac2", folder / "small.sql"))
    packed.write_bytes(packed.read_bytes()[:-40])
    with pytest.raises(FormatError, match="cannot be read to its end"):
        list(open_dataset("iac2", packed))


def test_missing_tables_are_named(folder: Path, tmp_path: Path) -> None:
    text = (folder / "small.sql").read_text("utf-8").replace("INTO `text`", "INTO `other`")
    (tmp_path / "cut.sql").write_text(text, "utf-8")
    with pytest.raises(InputError, match="no rows of the tables `text`"):
        list(open_dataset("iac2", tmp_path / "cut.sql"))
    (tmp_path / "no.sql").write_text("nothing\n")
    with pytest.raises(FormatError, match="no CREATE TABLE"):
        list(open_dataset("iac2", tmp_path / "no.sql"))


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
    create = "CREATE TABLE `text` (\n  `text_id` int,\n  `text` longtext\n);\n"
    path.write_bytes(f"{create}INSERT INTO `text` VALUES {values};\n".encode())
    problems = Problems()
    found = [(row.values["text_id"], row.values["text"]) for row in dump_rows(path, {"text"}, problems)]
    assert found == [(str(number), text) for number, text in rows]
    assert len(problems) == 0


@pytest.mark.slow
@pytest.mark.data
def test_the_published_dump(shared_data: Path) -> None:
    reading = open_dataset("iac2", shared_data / "iac-v2" / "createdebate.sql.gz", strict=True)
    relations: Counter[str] = Counter()
    posts = 0
    for graph in reading:
        relations.update(node.type for node in graph.relations)
        posts += sum("points" in node.record["iac"] for node in graph.propositions)
    assert posts == reading.counts["posts"] == 3051
    assert relations == {"CA": 1703, "RA": 226, "MA": 129}
    assert reading.counts["maps"] == 63
    assert (reading.counts["disputed"], reading.counts["supported"], reading.counts["clarified"]) == (1703, 226, 129)


FORUM = r"""
CREATE TABLE `post` (
  `discussion_id` int,
  `post_id` int,
  `author_id` int,
  `creation_date` datetime,
  `parent_post_id` int,
  `parent_missing` int,
  `text_id` int
);
INSERT INTO `post` VALUES (1,1,1,'2005-01-01 00:00:00',NULL,0,1),(1,2,2,'2005-01-01 00:01:00',1,0,2);
INSERT INTO `post` VALUES (1,3,1,'2005-01-01 00:02:00',2,0,3);
CREATE TABLE `text` (
  `text_id` int,
  `text` longtext
);
INSERT INTO `text` VALUES
(1,'Trams are loud.'),
(2,'Not at all.'),
(3,'Some are.'),
(4,'Trams are loud.'),
(5,'Not at all.');
CREATE TABLE `quote` (
  `discussion_id` int,
  `post_id` int,
  `quote_index` int,
  `text_offset` int,
  `text_id` int,
  `source_discussion_id` int,
  `source_post_id` int
);
INSERT INTO `quote` VALUES (1,2,0,0,4,1,1),(1,3,0,0,5,1,2);
CREATE TABLE `mturk_2010_qr_entry` (
  `page_id` int,
  `tab_number` int,
  `discussion_id` int,
  `post_id` int,
  `quote_index` int
);
INSERT INTO `mturk_2010_qr_entry` VALUES (7,0,1,2,0),(7,1,1,3,0),(7,2,1,9,0);
CREATE TABLE `mturk_2010_qr_task1_average_response` (
  `page_id` int,
  `tab_number` int,
  `num_annots` int,
  `disagree_agree` double,
  `sarcasm_yes` double
);
INSERT INTO `mturk_2010_qr_task1_average_response` VALUES (7,0,6,-3.5,0.5),(7,1,6,0.5,NULL),(7,2,6,4,0);
"""


def test_annotations_of_4forums_relate_a_post_to_its_quote(tmp_path: Path) -> None:
    (tmp_path / "fourforums.sql").write_text(FORUM, "utf-8")
    reading = open_dataset("iac2", tmp_path / "fourforums.sql", strict=True)
    (graph,) = reading
    (conflict,) = graph.relations
    assert [node.text for node in graph.premises_of(conflict)] == ["Not at all."]
    assert [node.record["iac"]["text_offset"] for node in graph.conclusions_of(conflict)] == ["0"]
    assert conflict.record["iac"]["disagree_agree"] == "-3.5"
    assert [act.text for act in graph.acts_on(conflict)] == ["Disagreeing"]
    # Between the thresholds, and of a quote that is not there.
    assert reading.counts["annotations joined"] == 2
    assert reading.counts["annotations without a relation"] == 1
    assert reading.counts["annotations that could not be joined"] == 1
    lower = next(iter(open_dataset("iac2", tmp_path / "fourforums.sql", threshold=0)))
    assert sorted(node.type for node in lower.relations) == ["CA", "RA"]


def test_markup_stands_with_its_text(folder: Path) -> None:
    reading = open_dataset("iac2", folder / "small.sql")
    first = next(iter(reading))
    marked = {
        node.text.split()[0]: node.record["iac"]["markup"]
        for node in first.propositions
        if "markup" in node.record["iac"]
    }
    assert marked["They"] == [
        {"markup_start": "0", "markup_end": "9", "type": "bold"},
        {"markup_start": "12", "markup_end": "16", "type": "link", "attributes": '{"href": "http://example.org/"}'},
    ]
    assert [mark["type"] for mark in marked["Masks"]] == ["italic"]
    assert reading.counts["marks in texts"] == 4


@pytest.mark.data
def test_the_published_dump_keeps_all_marks(shared_data: Path) -> None:
    reading = open_dataset("iac2", shared_data / "iac-v2/createdebate.sql.gz")
    entries = [(node.record["iac"], graph.meta.aif["iac"]) for graph in reading for node in graph.propositions]
    about = {document["discussion_id"]: len(document.get("description_markup", [])) for _, document in entries}
    assert sum(len(entry.get("markup", [])) for entry, _ in entries) + sum(about.values()) == 569
    assert reading.counts["marks in texts"] == 569
