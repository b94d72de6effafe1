"""What every data set promises, whole or damaged; tables and documents: labels, places and rows as they are."""

import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph import ArgumentGraph, compare, dumps, loads, read_dataset, validate
from aifgraph.corpus import write_corpus
from aifgraph.datasets import READERS, Log
from aifgraph.datasets.dataset import MAX_LINE, number_in, read_csv, read_tsv
from aifgraph.datasets.ruarg import COLUMNS
from aifgraph.errors import (
    AifgraphError,
    FormatError,
    InputError,
    LimitError,
    NoSuchFileError,
    NotFoundError,
    OptionError,
)
from documents import DATA, FIXTURES, read
from fuzz.mutate import mutated
from strategies import LONG

#: Where the fixture of a data set is, if not in the folder of its name below ``fixtures/datasets``.
PLACES = {
    "iac2": "datasets/iac2/small.sql",
    "sciarg": "datasets/sciarg-abstracts/two.tsv",
    "ruarg": "datasets/ruarg/train.tsv",
    "arct": "datasets/arct/full.txt",
    "essays": "brat",
    "abstrct": "brat",
}


@pytest.fixture(params=sorted(READERS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(name: str) -> Path:
    return FIXTURES / PLACES.get(name, f"datasets/{name}")


@pytest.fixture
def graphs(name: str, place: Path) -> list[ArgumentGraph]:
    return read(name, place)[0]


def errors_in(graph: ArgumentGraph) -> list[object]:
    return [finding for finding in validate(graph) if finding.level == "error"]


def test_maps_come_one_by_one_and_the_same_again(name: str, place: Path, graphs: list[ArgumentGraph]) -> None:
    log = Log()
    maps = read_dataset(name, place, log=log)
    assert isinstance(maps, Iterator)
    assert next(maps) == graphs[0]
    assert log.counts["maps"] == 1
    assert [graphs[0], *maps] == graphs
    assert len({graph.name for graph in graphs}) == len(graphs)
    assert [graph.name for graph in graphs if errors_in(graph)] == []
    assert log.counts["maps"] == len(graphs)
    assert len(log.problems) == log.problem_counts.total()


def test_maps_survive_a_file_with_all_they_keep(graphs: list[ArgumentGraph]) -> None:
    for graph in graphs:
        again = loads(dumps(graph, format="aif"))
        assert [(node.id, node.type, node.text) for node in again] == [(n.id, n.type, n.text) for n in graph]
        ends = [(edge.source, edge.target) for edge in graph.edges]
        assert [(edge.source, edge.target) for edge in again.edges] == ends
        assert {**again.meta.aif, **graph.meta.aif} == again.meta.aif
        assert all(again[node.id].extra.items() >= node.extra.items() for node in graph)


def test_wrong_arguments_and_places(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        read_dataset(name, tmp_path / "nowhere")
    with pytest.raises(TypeError):
        read_dataset(name, tmp_path, color="red")
    with pytest.raises(InputError) as error:
        read(name, tmp_path)
    assert str(tmp_path) in str(error.value)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("iac1", {"agree": -2, "disagree": 2}),
        ("iac2", {"agree": 6}),
        ("sciarg", {"functions": "some"}),
        ("essays", {"major": "some"}),
        ("aurc", {"annotator": "some"}),
    ],
)
def test_options_out_of_their_range(name: str, option: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        read(name, tmp_path, **option)


@pytest.mark.parametrize(
    ("name", "place", "line"),
    [
        ("ruarg", "ruarg/damaged.tsv", 2),
        ("aurc", "aurc", 3),
        ("sciarg", "sciarg-abstracts/damaged.tsv", 7),
        ("iac1", "iac1", 6),
    ],
)
def test_a_strict_log_stops_at_the_first_problem(name: str, place: str, line: int) -> None:
    _, log = read(name, DATA / place)
    with pytest.raises(FormatError) as error:
        read(name, DATA / place, strict=True)
    first = log.problems[0]
    assert str(error.value) == str(first)
    assert f", line {line}:" in str(first)


@pytest.mark.parametrize("seed", range(25 if LONG else 4))
def test_damage_is_told(name: str, place: Path, seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{name} {seed}")
    target = tmp_path / place.name
    if place.is_dir():
        shutil.copytree(place, target)
    else:
        shutil.copy(place, target)
    victim = rng.choice(sorted(path for path in [target, *target.rglob("*")] if path.is_file()))
    victim.write_bytes(mutated(rng, victim.read_bytes()))
    try:
        graphs, _ = read(name, target)
    except AifgraphError:
        return
    assert [graph.name for graph in graphs if errors_in(graph)] == []
    assert write_corpus(graphs, tmp_path / "out.jsonl").written == len(graphs)


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "kind"),
    [
        ("iac1", "annotations/topic.csv", '11," ""public health"""', '12,"gun control\n11,public health', "csv"),
        ("iac1", "annotations/mechanical_turk/qr_meta.csv", '"(1, 1)"', '"(1, 0)"', "duplicate"),
        ("iac1", "ranges/url/15.json", None, "{}", "shape"),
        ("iac1", "discussions/12.json", None, "null", "shape"),
        ("iac1", "ranges/quotes/11.json", '"quote_id": 101', '"quote_id": "101"', "range"),
        ("aurc", "AURC_DATA.tsv", "Helmets save", "Helmets, save", "text"),
        ("aurc", "AURC_DATA.tsv", "lives, but they are hot.", "", "text"),
        ("aurc", "AURC_DATA.tsv", "('false', '(0,18);(24,12);', 'pro;con;')", "", "cell"),
        ("aurc", "AURC_DATA.tsv", "ff02", "ff01", "duplicate"),
        ("aurc", "AURC_DOMAIN_SPLITS.tsv", "ff02", "ff01", "duplicate"),
        ("cdcp", "00001.ann.json", '"reasons"', '"reason"', "relation"),
    ],
)
def test_what_cannot_be_used_is_a_problem(
    name: str, file: str, old: str | None, new: str, kind: str, tmp_path: Path
) -> None:
    changed = shutil.copytree(DATA / name, tmp_path / name) / file
    text = changed.read_text("utf-8")
    changed.write_text(new if old is None else text.replace(old, new, 1), "utf-8")
    before, after = (read(name, folder)[1].problem_counts for folder in (DATA / name, tmp_path / name))
    assert after - before == {kind: 1}


UNIX = pytest.mark.skipif(os.name == "nt", reason="links and modes of Unix")


@UNIX
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("iac1", "annotations/topic.csv"),
        ("iac1", "annotations"),
        ("iac1", "ranges"),
        ("iac1", "ranges/quotes/11.json"),
        ("iac1", "discussions"),
        ("aurc", "AURC_DATA.tsv"),
        ("aurc", "AURC_DOMAIN_SPLITS.tsv"),
        ("microtexts", "multilayer/corpus/txt"),
        ("microtexts", "part1"),
        ("cdcp", "00001.ann.json"),
        ("essays", "essay.txt"),
    ],
)
def test_links_and_pipes_are_as_if_they_were_not_there(name: str, place: str, tmp_path: Path) -> None:
    def outcome() -> tuple[list[ArgumentGraph], bool]:
        log, maps = Log(), list[ArgumentGraph]()
        with suppress(InputError):
            maps += read_dataset(name, folder, log=log)
        return maps, "link" in log.problem_counts

    folder = shutil.copytree(FIXTURES / "brat" if name == "essays" else DATA / name, tmp_path / name)
    (folder / place).rename(tmp_path / "elsewhere")
    without, _ = outcome()
    (folder / place).symlink_to(tmp_path / "elsewhere")
    assert outcome() == (without, True)
    (folder / place).unlink()
    os.mkfifo(folder / place)
    assert outcome() == (without, False)


@UNIX
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("iac1", "discussions/11.json"),
        ("iac1", "discussions"),
        ("iac1", "ranges/quotes"),
        ("iac1", "annotations/topic.csv"),
        ("aurc", "AURC_DATA.tsv"),
        ("ruarg", "train.tsv"),
        ("microtexts", "part1"),
        ("microtexts", "part1/corpus/en/micro_x001.xml"),
        ("cdcp", "00001.ann.json"),
    ],
)
def test_what_may_not_be_read_is_named(name: str, place: str, tmp_path: Path) -> None:
    folder = shutil.copytree(DATA / name, tmp_path / name)
    (folder / place).chmod(0)
    if os.access(folder / place, os.R_OK):
        pytest.skip("root may read all")
    try:
        found = read(name, folder / place if name == "ruarg" else folder)[1].problems
    except InputError as error:
        found = [error]
    (folder / place).chmod(0o700)
    assert str(folder / place) in [str(error.where) for error in found]


def kinds(graph: ArgumentGraph) -> dict[str, int]:
    return dict(Counter(node.type for node in graph))


def test_ruarg_makes_relations_of_premises_and_acts_of_stances() -> None:
    (first, second, third), log = read("ruarg", DATA / "ruarg" / "train.tsv")
    assert kinds(first) == {"L": 1, "YA": 1, "I": 2, "RA": 1}
    claims = [node.text for node in first.conclusions_of(first.inferences[0])]
    assert claims == ["Wearing masks is beneficial for society."]
    # masks: against without premise; quarantine: other, so the claim stands alone.
    assert kinds(second) == {"L": 1, "YA": 2, "I": 3}
    assert [act.text for act in second.illocutions] == ["Asserting", "Disagreeing"]
    # quarantine: for without premise; vaccines: for, with a premise against.
    assert kinds(third) == {"L": 1, "YA": 2, "I": 3, "CA": 1}
    assert log.counts == {
        "maps": 3,
        "with stance 2": 3,
        "with stance 1": 1,
        "with stance 0": 1,
        "with premise 2": 1,
        "with premise 1": 3,
        "with premise 0": 1,
    }
    assert not log.problems


def test_ruarg_reads_texts_without_the_quotes_of_csv(tmp_path: Path) -> None:
    head = (DATA / "ruarg" / "train.tsv").read_text("utf-8").splitlines()[0]
    table = head + '\n1\t"the ""second"" wave"\t2\t1\t-1\t-1\t-1\t-1\n2\t"so" they say\t2\t1\t-1\t-1\t-1\t-1\n'
    (tmp_path / "in.tsv").write_text(table, "utf-8")
    graphs, _ = read("ruarg", tmp_path / "in.tsv")
    said = [graph.locutions[0].text for graph in graphs]
    assert said == ['unknown: the "second" wave', 'unknown: "so" they say']
    assert graphs[0].meta.source.text == 'the "second" wave'
    assert graphs[0].meta.aif["ruarg"]["row"]["text"] == '"the ""second"" wave"'


def test_ruarg_lists_what_is_damaged() -> None:
    graphs, log = read("ruarg", DATA / "ruarg" / "damaged.tsv")
    assert [graph.name for graph in graphs] == ["1", "1-2", "4"]
    assert [str(problem.where)[-1] for problem in log.problems] == ["2", "3", "4", "5"]
    assert log.problem_counts == {"label": 1, "width": 1, "duplicate": 1, "encoding": 1}
    assert graphs[2].locutions[0].text == "unknown: naïve"


def test_the_wrong_table_and_a_folder_of_several() -> None:
    with pytest.raises(FormatError, match="text_id"):
        read("ruarg", DATA / "arct" / "full.txt")
    with pytest.raises(InputError) as error:
        read("ruarg", DATA / "ruarg")
    assert error.value.remedy == "damaged.tsv, train.tsv"


def test_arct_links_reason_and_warrant() -> None:
    (first, second), _ = read("arct", DATA / "arct" / "full.txt")
    assert kinds(first) == {"I": 4, "RA": 1}
    premises = [node.text for node in first.premises_of(first.inferences[0])]
    assert premises == ["Stairs keep people moving.", "stairs are healthy"]
    assert [edge.extra["arct"]["role"] for edge in first.edges] == ["reason", "warrant", "claim"]
    alone = [node.text for node in second if not second.successors(node) and not second.predecessors(node)]
    assert alone == ["noise is fun"]


def test_arct_takes_labels_from_a_file_of_their_own(tmp_path: Path) -> None:
    (without,), log = read("arct", DATA / "arct" / "data.txt")
    assert len(without.premises_of(without.inferences[0])) == 1
    assert log.counts["instances without label"] == 1
    (graph,), log = read("arct", DATA / "arct" / "data.txt", labels=DATA / "arct" / "labels.txt")
    assert [node.text for node in graph.premises_of(graph.inferences[0])][1] == "stairs are dull"
    assert log.problem_counts == {"duplicate": 1, "label": 1}
    assert [str(problem.where)[-1] for problem in log.problems] == ["4", "5"]
    (tmp_path / "labels.txt").write_text("b1 0\nb2 1\n", "utf-8")
    _, log = read("arct", DATA / "arct" / "data.txt", labels=tmp_path / "labels.txt")
    assert log.counts["labels of other instances"] == 2


def test_aurc_keeps_spans_and_says_where_words_are_missing() -> None:
    (first, second), log = read("aurc", DATA / "aurc")
    assert kinds(first) == {"I": 3, "L": 2, "YA": 2, "RA": 1, "CA": 1}
    texts = [node.text for node in first.propositions]
    assert texts == ["helmets should be supported", "Helmets save lives", "they are hot"]
    assert [(span.start, span.end) for span in first.meta.source.spans] == [(0, 18), (24, 36)]
    assert second.propositions[1].text == "[sentence ff02, characters 5 to 25: text not in this copy]"
    # One cell that is no tuple, one span that goes beyond the sentence.
    assert log.problem_counts == {"cell": 1, "span": 1}
    assert {str(problem.where)[-1] for problem in log.problems} == {"3"}


def test_aurc_has_a_corpus_for_each_worker() -> None:
    names = [graph.name for graph in read("aurc", DATA / "aurc", annotator="each")[0]]
    assert Counter(name.split("/")[0] for name in names) == {"ANNOTATOR_00": 2, "ANNOTATOR_01": 1, "ANNOTATOR_02": 2}
    one = [graph.name for graph in read("aurc", DATA / "aurc", annotator="ANNOTATOR_01")[0]]
    assert one == ["ff02"]


cells = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), max_size=12)
labels = st.sampled_from(["2", "1", "0", "-1", "", "x"])


def test_hostile_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, log = tmp_path / "in.csv", Log()
    path.write_bytes(b'\xef\xbb\xbfid,text\n1,"two\nlines"\n2,"not closed\n')
    assert [(row.line, row.cells["text"]) for row in read_csv(path, log, ("id",))] == [(3, "two\nlines")]
    assert log.problem_counts == {"csv": 1}
    for content, error in (
        (b"", InputError),
        (b"id,id\n", FormatError),
        (b"text\n", FormatError),
        (b"\n \n", InputError),
    ):
        path.write_bytes(content)
        with pytest.raises(error):
            list(read_csv(path, log, ("id",)))
    with pytest.raises(NoSuchFileError):
        list(read_tsv(tmp_path / "none", log, ()))
    with pytest.raises(InputError):
        list(read_tsv(tmp_path, log, ()))
    path.write_bytes(b"id\n" + b"x" * 100)
    monkeypatch.setattr("aifgraph.datasets.dataset.MAX_LINE", 50)
    with pytest.raises(LimitError):
        list(read_tsv(path, log, ("id",)))
    assert MAX_LINE == 1 << 27
    for cell in ("nan", "1e999", "much"):
        with pytest.raises(ValueError, match=cell if cell != "much" else "float"):
            number_in(cell)


@given(rows=st.lists(st.tuples(cells.filter(bool), cells, *([labels] * 6)), min_size=1, max_size=6))
def test_maps_hold_their_rows_unchanged(rows: list[tuple[str, ...]], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("ruarg")
    (folder / "in.tsv").write_bytes("".join("\t".join(row) + "\n" for row in (COLUMNS, *rows)).encode())
    graphs = [loads(dumps(graph)) for graph in read("ruarg", folder / "in.tsv")[0]]
    assert [tuple(graph.meta.aif["ruarg"]["row"].values()) for graph in graphs] == rows


def relations(graph: ArgumentGraph) -> list[tuple[str, str, list[str], str]]:
    return [
        (node.type, node.text, [premise.id for premise in graph.premises_of(node)], graph.conclusions_of(node)[0].id)
        for node in graph.relations
    ]


def words_of_spans(graph: ArgumentGraph) -> list[str]:
    source = graph.meta.source
    return [source.text[span.start : span.end] for span in source.spans]


def test_microtexts_are_named_after_their_part() -> None:
    (layer, part), log = read("microtexts", DATA / "microtexts")
    assert (layer.name, part.name) == ("multilayer/arg/micro_x001", "part1/en/micro_x001")
    assert part.meta.aif["arggraph"]["stance"] == "pro"
    assert part["a3"].extra["role"] == "opp"
    assert layer.meta.source.origin == "given"
    assert [Path(str(problem.where)).name for problem in log.problems] == ["micro_x002.xml"]
    # One text in two segmentations is one graph.
    assert compare(part, layer).cass["kappa"] == 1.0


def test_sciarg_has_a_corpus_for_each_annotator() -> None:
    (ann, bob), _ = read("sciarg", DATA / "sciarg-abstracts/two.tsv")
    assert (ann.name, bob.name) == ("ann/d1", "bob/d1")
    assert [(node.type, node.text) for node in ann.relations] == [
        ("RA", "info-required"),
        ("RA", "Default Inference"),
        ("CA", "Default Conflict"),
    ]
    assert [node.text for node in ann.conclusions_of(ann.conflicts[0])] == ["They follow sugar."]
    assert words_of_spans(ann) == [node.text for node in ann.propositions]
    assert compare(ann, bob).segmentation.S == 1.0  # the units are the same
    support, _ = read("sciarg", DATA / "sciarg-abstracts/two.tsv", functions="support")
    assert [len(graph.relations) for graph in support] == [2, 3]


def test_sciarg_documents_may_stand_in_pieces_and_functions_in_capitals(tmp_path: Path) -> None:
    head, *rows = (DATA / "sciarg-abstracts/two.tsv").read_text("utf-8").replace("attack", "Attack ").splitlines()
    (tmp_path / "in.tsv").write_text("\n".join([head, *rows[::2], *rows[1::2]]) + "\n", "utf-8")
    graphs, log = read("sciarg", tmp_path / "in.tsv", strict=True)
    assert [graph.name for graph in graphs] == ["ann/d1", "bob/d1"]
    assert [sorted(node.type for node in graph.relations) for graph in graphs] == [["CA", "RA", "RA"]] * 2
    assert log.counts["attack relations"] == 2


def test_sciarg_trees_that_are_none() -> None:
    (graph,), log = read("sciarg", DATA / "sciarg-abstracts" / "damaged.tsv")
    assert graph.relations == ()
    assert log.problem_counts == {"width": 1, "duplicate": 1, "cycle": 2, "dangling": 1}


def test_a_partial_attack_is_kept_as_such(tmp_path: Path) -> None:
    ann = "T1\tClaim 0 10\tPain fell.\nT2\tPremise 11 35\tSurvival did not change.\n"
    ann += "R1\tPartial-Attack Arg1:T2 Arg2:T1\t\n"
    (tmp_path / "123.txt").write_text("Pain fell. Survival did not change.", "utf-8")
    (tmp_path / "123.ann").write_text(ann, "utf-8")
    (graph,), _ = read("abstrct", tmp_path)
    (conflict,) = graph.conflicts
    assert conflict.extra["relation"] == "Partial-Attack"
    assert "R1\tPartial-Attack Arg1:T2 Arg2:T1" in dumps(graph, format="brat")


def test_cdcp_tells_reasons_from_evidence() -> None:
    (graph, _), log = read("cdcp", DATA / "cdcp")
    assert relations(graph) == [
        ("RA", "Reason", ["p0", "p1"], "p2"),
        ("RA", "Reason", ["p3"], "p2"),
        ("RA", "Evidence", ["p0"], "p4"),
    ]
    types = [node.extra["cdcp"]["type"] for node in graph.propositions]
    assert types == ["testimony", "fact", "policy", "reference", "value"]
    assert graph["p3"].extra["cdcp"]["url"] == "http://example.org/rule"
    assert words_of_spans(graph) == [node.text for node in graph.propositions]
    assert log.problem_counts == {"cycle": 1, "dangling": 1}
    assert {Path(str(problem.where)).name for problem in log.problems} == {"00002.ann.json"}


@pytest.mark.data
def test_the_published_cdcp(shared_data: Path) -> None:
    graphs, _ = read("cdcp", shared_data / "cdcp", strict=True)
    assert len(graphs) == 250
    assert sum(len(graph.propositions) for graph in graphs) == 1617
    texts = [node.text for graph in graphs for node in graph.inferences]
    assert (texts.count("Reason"), texts.count("Evidence")) == (369, 18)
    assert all(words_of_spans(graph) == [node.text for node in graph.propositions] for graph in graphs)
