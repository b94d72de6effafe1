"""IAC 2: posts, quotes, links and relations of a dump, and damaged rows."""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import process_time

import pytest
from dataset_reading import read
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.datasets import Log
from aifgraph.datasets.sql_dump import Table, read_dump
from aifgraph.errors import FormatError, InputError

TEXT = {"text": Table(("text_id",), ("text",))}
CREATE = "CREATE TABLE `text` (\n  `text_id` int,\n  `text` longtext\n);\n"


@pytest.fixture
def small(data: Path) -> Path:
    return data / "iac2" / "small.sql"


def test_posts_quotes_and_responses(small: Path) -> None:
    (first, _), log = read("iac2", small)
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
    assert log.counts["posts whose parent is marked as missing"] == 1


def test_damage_is_listed(small: Path) -> None:
    (_, circle), log = read("iac2", small)
    assert log.problem_counts == {
        "row": 1,  # (2,'2010') inside a row: the row before it is lost
        "width": 1,
        "duplicate": 1,
        "dangling": 3,  # a parent, and the text of two posts
        "cycle": 1,
        "columns": 1,
    }
    assert all(problem.line for problem in log.problems)
    assert len(circle.relations) == 1


def test_markup_stands_with_its_text(small: Path) -> None:
    (first, _), _ = read("iac2", small)
    marks = {node.text.split()[0]: node.extra["iac"].get("markup", []) for node in first.propositions}
    assert marks["They"] == [
        {"start": 0, "end": 9, "type": "bold"},
        {"start": 12, "end": 16, "type": "link", "attributes": '{"href": "http://example.org/"}'},
    ]
    assert [mark["type"] for mark in marks["Masks"]] == ["italic"]


def test_gzip_is_known_by_its_content(small: Path, tmp_path: Path) -> None:
    packed = tmp_path / "small.dump"
    packed.write_bytes(gzip.compress(small.read_bytes()))
    assert read("iac2", packed)[0] == read("iac2", small)[0]
    packed.write_bytes(packed.read_bytes()[:-40])
    with pytest.raises(FormatError):
        read("iac2", packed)


def test_missing_tables(small: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.sql").write_text(small.read_text("utf-8").replace("INTO `text`", "INTO `other`"), "utf-8")
    with pytest.raises(InputError, match="`text`"):
        read("iac2", tmp_path / "cut.sql")
    (tmp_path / "no.sql").write_text("nothing\n")
    with pytest.raises(FormatError):
        read("iac2", tmp_path / "no.sql")


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
def test_odd_numbers_are_no_crash(number: str, small: Path, tmp_path: Path) -> None:
    table = small.read_text("utf-8")
    for at, wanted in enumerate(("(7,1,1,", "(11,'Masks")):
        path = tmp_path / f"{at}.sql"
        path.write_text(table.replace(wanted, wanted.replace("1", number, 1)), "utf-8")
        assert read("iac2", path)[0]


@pytest.mark.parametrize("piece", ["CREATE TABLE `", "INSERT INTO `text` VALUES ", "(1,'a\\'", "((", "(1,'a'),", "'"])
def test_reading_takes_time_in_proportion_to_the_file(piece: str, tmp_path: Path) -> None:
    times = []
    for size in (20_000, 80_000):
        path = tmp_path / f"{size}.sql"
        path.write_text(f"{CREATE}INSERT INTO `text` VALUES {piece * size};\n", "utf-8")
        start = process_time()
        assert sum(1 for _ in read_dump(path, TEXT, Log())) in (0, size)
        times.append(process_time() - start)
    assert times[1] < 12 * times[0] + 0.2


@pytest.mark.slow
def test_no_room_for_the_tables(tmp_path: Path) -> None:
    rows = "".join(f"INSERT INTO `text` VALUES ({number},'{'word ' * 400}');\n" for number in range(3000))
    (tmp_path / "large.sql").write_text(CREATE + rows, "utf-8")
    code = "import sys\nfrom aifgraph.cli import main\nsys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-B", "-c", code, "convert", "--dataset", "iac2", "large.sql", "out.jsonl"]
    limit = (resource.RLIMIT_FSIZE, (2000, 2000))
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=lambda: resource.setrlimit(*limit)
    )
    assert done.returncode == 2
    assert "no room for temporary files" in done.stderr


@pytest.mark.slow
@pytest.mark.data
def test_the_published_dump(shared_data: Path) -> None:
    graphs, log = read("iac2", shared_data / "iac-v2" / "createdebate.sql.gz", strict=True)
    relations = Counter(node.type for graph in graphs for node in graph.relations)
    assert relations == {"CA": 1703, "RA": 226, "MA": 129}
    assert (log.counts["disputed"], log.counts["supported"], log.counts["clarified"]) == (1703, 226, 129)
    posts = [node for graph in graphs for node in graph.propositions if "points" in node.extra["iac"]]
    assert len(posts) == log.counts["posts"] == 3051
    assert len(graphs) == log.counts["maps"] == 63
    marks = [mark for graph in graphs for node in graph.propositions for mark in node.extra["iac"].get("markup", [])]
    about = [mark for graph in graphs for mark in graph.meta.aif["iac"].get("description_markup", [])]
    assert len(marks) + len(about) == 569


def test_annotations_of_4forums_relate_a_post_to_its_quote(data: Path) -> None:
    (graph,), log = read("iac2", data / "iac2" / "fourforums.sql", strict=True)
    (conflict,) = graph.relations
    assert [node.text for node in graph.premises_of(conflict)] == ["Not at all."]
    assert [node.extra["iac"]["text_offset"] for node in graph.conclusions_of(conflict)] == [0]
    assert conflict.extra["iac"]["agreement"] == -3.5
    assert conflict.extra["iac"]["sarcasm_yes"] == 0.5
    assert [act.text for act in graph.illocutions_of(conflict)] == ["Disagreeing"]
    # One lies between the limits, one is of a quote that is not there.
    assert log.counts["annotations without a relation"] == 1
    assert log.counts["annotations that could not be joined"] == 1
    (lower,), _ = read("iac2", data / "iac2" / "fourforums.sql", agree=0, disagree=0)
    assert sorted(node.type for node in lower.relations) == ["CA", "RA"]
