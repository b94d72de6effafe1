"""RuArg, ARCT and AURC: labels as relations, and the rows as they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import ArgumentGraph, dumps, loads
from aifgraph.datasets import open_dataset
from aifgraph.datasets.aurc import segments_in
from aifgraph.datasets.ruarg import COLUMNS
from aifgraph.errors import FormatError, InputError


@pytest.fixture
def data(fixtures: Path) -> Path:
    return fixtures / "datasets"


def kinds(graph: ArgumentGraph) -> dict[str, int]:
    return dict(Counter(node.type for node in graph))


def test_ruarg_makes_relations_of_premises_and_acts_of_stances(data: Path) -> None:
    reading = open_dataset("ruarg", data / "ruarg" / "train.tsv")
    first, second, third = reading
    assert kinds(first) == {"L": 1, "YA": 1, "I": 2, "RA": 1}
    assert [node.text for node in first.conclusions_of(first.inferences[0])] == [
        "Wearing masks is beneficial for society."
    ]
    # masks: against without premise; quarantine: other, so the claim stands alone.
    assert kinds(second) == {"L": 1, "YA": 2, "I": 3}
    assert [act.text for act in second.illocutions] == ["Asserting", "Disagreeing"]
    # quarantine: for without premise; vaccines: for, with a premise against.
    assert kinds(third) == {"L": 1, "YA": 2, "I": 3, "CA": 1}
    assert reading.counts["stance and premise of opposite polarity"] == 1
    assert len(reading.problems) == 0


def test_ruarg_reads_texts_without_the_quotes_of_csv(data: Path, tmp_path: Path) -> None:
    head = (data / "ruarg" / "train.tsv").read_text("utf-8").splitlines()[0]
    table = head + '\n1\t"the ""second"" wave"\t2\t1\t-1\t-1\t-1\t-1\n2\t"so" they say\t2\t1\t-1\t-1\t-1\t-1\n'
    (tmp_path / "in.tsv").write_text(table, "utf-8")
    graphs = list(open_dataset("ruarg", tmp_path / "in.tsv"))
    assert [graph.locutions[0].text for graph in graphs] == [
        'unknown: the "second" wave',
        'unknown: "so" they say',
    ]
    assert graphs[0].meta.source.text == 'the "second" wave'
    assert graphs[0].meta.aif["ruarg"]["row"]["text"] == '"the ""second"" wave"'


@pytest.mark.slow
@pytest.mark.data
def test_the_quotes_of_the_whole_ruarg(shared_data: Path) -> None:
    path = shared_data / "ruarg2022" / "train_full.tsv"
    graphs = list(open_dataset("ruarg", path))
    quoted = [graph for graph in graphs if graph.meta.aif["ruarg"]["row"]["text"].startswith('"')]
    assert len(quoted) == 280
    assert not [graph for graph in quoted if '""' in graph.locutions[0].text and '""""' not in str(graph.meta.aif)]


def test_ruarg_says_what_is_damaged(data: Path) -> None:
    reading = open_dataset("ruarg", data / "ruarg" / "damaged.tsv")
    graphs = list(reading)
    assert [graph.name for graph in graphs] == ["1", "1-2", "4"]
    assert [str(problem).split(": ", 1)[0] for problem in reading.problems] == [
        "damaged.tsv, line 2",
        "damaged.tsv, line 3",
        "damaged.tsv, line 4",
        "damaged.tsv, line 5",
    ]
    assert reading.problems.counts == {"label": 1, "width": 1, "duplicate": 1, "encoding": 1}
    assert graphs[2].locutions[0].text == "unknown: naïve"


@pytest.mark.parametrize(
    ("name", "file", "place"),
    [
        ("ruarg", "ruarg/damaged.tsv", "line 2"),
        ("aurc", "aurc", "line 3"),
        ("sciarg-abstracts", "sciarg-abstracts/damaged.tsv", "line 7"),
    ],
)
def test_strict_stops_at_the_first_damage(data: Path, name: str, file: str, place: str) -> None:
    with pytest.raises(FormatError, match=place):
        list(open_dataset(name, data / file, strict=True))


def test_a_table_of_another_kind_names_the_columns_it_lacks(data: Path) -> None:
    with pytest.raises(FormatError, match=r"expected the columns text_id, text, masks_stance.*found id, warrant0"):
        list(open_dataset("ruarg", data / "arct" / "full.txt"))


def test_a_folder_of_several_tables_names_them(data: Path) -> None:
    with pytest.raises(InputError, match=r"holds 2 tables; give one of damaged.tsv, train.tsv"):
        list(open_dataset("ruarg", data / "ruarg"))


def test_arct_links_reason_and_warrant(data: Path) -> None:
    first, second = open_dataset("arct", data / "arct" / "full.txt")
    assert kinds(first) == {"I": 4, "RA": 1}
    assert [node.text for node in first.premises_of(first.inferences[0])] == [
        "Stairs keep people moving.",
        "stairs are healthy",
    ]
    assert [edge.record.get("role") for edge in first.edges] == ["reason", "warrant", "claim"]
    alone = [node.text for node in second if not second.successors(node) and not second.predecessors(node)]
    assert alone == ["noise is fun"]


def test_arct_takes_labels_from_a_file_of_their_own(data: Path) -> None:
    without = list(open_dataset("arct", data / "arct" / "data.txt"))
    assert [len(graph.premises_of(graph.inferences[0])) for graph in without] == [1]
    reading = open_dataset("arct", data / "arct" / "data.txt", labels=data / "arct" / "labels.txt")
    (graph,) = reading
    assert [node.text for node in graph.premises_of(graph.inferences[0])][1] == "stairs are dull"
    assert [(problem.code, problem.line) for problem in reading.problems] == [("duplicate", 4), ("label", 5)]


def test_aurc_keeps_spans_and_says_where_words_are_missing(data: Path) -> None:
    reading = open_dataset("aurc", data / "aurc")
    first, second = reading
    assert kinds(first) == {"I": 3, "L": 2, "YA": 2, "RA": 1, "CA": 1}
    assert [node.text for node in first.propositions] == [
        "helmets should be supported",
        "Helmets save lives",
        "they are hot",
    ]
    assert first.meta.source.spans is not None
    assert [(span.start, span.end) for span in first.meta.source.spans] == [(0, 18), (24, 36)]
    assert second.propositions[1].text == "[sentence ff02, characters 5 to 25: text not in this copy]"
    # One cell that is no tuple, one span that goes beyond the sentence.
    assert [(problem.code, problem.line) for problem in reading.problems] == [("cell", 3), ("span", 3)]
    assert reading.counts["without AURC_SENTENCE_LEVEL_STANCE.tsv"] == 1


def test_aurc_gives_every_worker_a_corpus(data: Path) -> None:
    names = [graph.name for graph in open_dataset("aurc", data / "aurc", annotator="each")]
    assert names == [
        "ANNOTATOR_00/ff01",
        "ANNOTATOR_02/ff01",
        "ANNOTATOR_00/ff02",
        "ANNOTATOR_01/ff02",
        "ANNOTATOR_02/ff02",
    ]


@pytest.mark.parametrize(
    "cell", ["", "('false', '(1,2);', 'pro')x", "('false', '(1,2);(3,4);', 'pro;')", "('false', '(1,2);', 'maybe;')"]
)
def test_damaged_cells_are_no_segments(cell: str) -> None:
    with pytest.raises(ValueError, match=r"tuple|fit"):
        segments_in(cell)


cells = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), max_size=12)
labels = st.sampled_from(["2", "1", "0", "-1", "", "x"])


@given(rows=st.lists(st.tuples(cells.filter(bool), cells, *([labels] * 6)), min_size=1, max_size=6))
def test_maps_hold_their_rows_unchanged(rows: list[tuple[str, ...]], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("ruarg")
    (folder / "in.tsv").write_bytes("".join("\t".join(row) + "\n" for row in (COLUMNS, *rows)).encode())
    graphs = [loads(dumps(graph)) for graph in open_dataset("ruarg", folder / "in.tsv")]
    assert [tuple(graph.meta.aif["ruarg"]["row"].values()) for graph in graphs] == rows


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("ruarg", "ruarg2022/train_excerpt.tsv"),
        ("ruarg", "ruarg2022/test-no_labels.tsv"),
        ("arct", "semeval2018-task12/arct/dev-full.txt"),
        ("arct", "semeval2018-task12/arct/dev-only-data.txt"),
        ("arct", "semeval2018-task12/arct/train-w-swap-full.txt"),
    ],
)
def test_the_published_tables_are_whole(shared_data: Path, name: str, file: str) -> None:
    reading = open_dataset(name, shared_data / file, strict=True)
    lines = [line for line in (shared_data / file).read_text("utf-8").split("\n")[1:] if line.strip()]
    assert ["\t".join(graph.meta.aif[name]["row"].values()) for graph in reading] == [
        line.rstrip("\r") for line in lines
    ]


@pytest.mark.slow
@pytest.mark.data
def test_the_published_aurc_has_three_damaged_cells(shared_data: Path) -> None:
    reading = open_dataset("aurc", shared_data / "aurc8")
    assert len(list(reading)) == 8000
    assert reading.problems.counts == {"cell": 3}
