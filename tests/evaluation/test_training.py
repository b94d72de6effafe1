"""Training data of a corpus, and predictions made maps again."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from aifgraph import GraphBuilder
from aifgraph.cli import main
from aifgraph.corpus import open_corpus
from aifgraph.errors import OptionError
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.training.data import read_training_data, training_data, write_training_data
from aifgraph.evaluation.training.predictions import Predictions
from aifgraph.evaluation.training.rows import Negatives, RowOptions, Task
from aifgraph.formats import dumps

DEBATES = Path(__file__).resolve().parents[2] / "fixtures" / "debates"
ANN = DEBATES / "ann"
SUFFIXES = [".csv", ".jsonl", ".jsonl.gz", ".parquet", ""]


def exported(tmp_path: Path, task: Task, suffix: str = ".csv", negatives: Negatives = "all") -> Path:
    path = tmp_path / f"rows{suffix}"
    write_training_data(training_data(open_corpus(ANN), RowOptions(task, negatives)), path)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("task", ["relations", "illocutions"])
def test_gold_labels_put_back_agree_with_gold(task: Task, suffix: str, tmp_path: Path) -> None:
    if suffix in ("", ".parquet"):
        pytest.importorskip("pyarrow")
    system = tmp_path / "system"
    path = exported(tmp_path, task, suffix)
    assert main(["import-predictions", str(path), str(ANN), "--label", "label", "-o", str(system)]) == 0
    macro = compare_corpora(ANN, system).macro
    layer = "propositional" if task == "relations" else "dialogical"
    assert macro.pairs == 4
    assert set(macro.over[layer].cass.values()) == {1.0}


@pytest.mark.parametrize(("suffix", "label"), [(".csv", "tag"), (".jsonl", "tags"), (".parquet", "tags")])
def test_gold_tags_put_back_cut_the_same(suffix: str, label: str, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    predictions = Predictions(exported(tmp_path, "segmentation", suffix), label)
    assert predictions.task == "segmentation"
    gold = open_corpus(ANN)
    maps = list(predictions.maps(gold))
    assert [graph.name for graph in maps] == list(gold.names)
    assert compare_corpora([entry.load() for entry in gold], maps).macro.S == 1


def test_other_labels_do_not_agree(tmp_path: Path) -> None:
    path = exported(tmp_path, "relations")
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "predicted"])
        writer.writeheader()
        writer.writerows({**row, "predicted": "CA" if row["label"] == "RA" else "none"} for row in rows)
    assert main(["import-predictions", str(path), str(ANN), "-o", str(tmp_path / "system.zip")]) == 0
    macro = compare_corpora(ANN, tmp_path / "system.zip").macro
    assert macro.over["propositional"].cass["f1"] == 0


@pytest.mark.parametrize(
    ("negatives", "window", "expected"), [(0, 3, 0), (1, 3, 7), ("all", 3, 26), ("near", 1, 12), (1000, 3, 26)]
)
def test_negatives(negatives: int | str, window: int, expected: int) -> None:
    options = RowOptions("relations", negatives, window)
    data = training_data(open_corpus(ANN), options, splits={"train": 1})
    labels = [row["label"] for row in data.of_split()]
    assert len(labels) - labels.count("none") == 6
    assert labels.count("none") == expected
    near = [abs(int(row["distance"])) for row in data.of_split()]
    assert negatives != "near" or set(near) == {1}


@pytest.mark.parametrize("seed", range(5))
def test_pairs_are_sampled_in_the_training_split_alone(seed: int) -> None:
    gold = open_corpus(ANN)
    data = training_data(gold, RowOptions("relations", 0, seed=seed), splits={"train": 0.5, "test": 0.5})
    for name, rows in data.rows.items():
        count = len(gold[name].load().propositions)
        labels = [row["label"] for row in rows]
        if data.splits[name] == "test":
            assert len(labels) == count * (count - 1)
        else:
            assert "none" not in labels


def test_near_pairs_are_chosen_without_a_look_at_relations(tmp_path: Path) -> None:
    build = GraphBuilder()
    first, *_, last = (build.proposition(text) for text in ("one", "two", "three", "four"))
    build.inference([last], first)
    (tmp_path / "map.json").write_text(dumps(build.graph(), format="aif"), encoding="utf-8")
    data = training_data(tmp_path, RowOptions("relations", "near", window=2))
    assert len(list(data.of_split())) == 10
    assert data.distant == 1
    assert "1 pair with a relation is more than 2 propositions apart, and in no row" in data.tables()[0].note


@pytest.mark.parametrize(
    ("negatives", "split"), [(0, "train"), (1, "train"), (1, ""), (1, "validation"), ("near", ""), ("all", "")]
)
def test_predictions_on_sampled_pairs_are_refused(
    negatives: Negatives, split: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, system = exported(tmp_path, "relations", ".jsonl", negatives), tmp_path / "system.zip"
    of_split = ["--split", split] if split else []
    code = main(["import-predictions", str(path), str(ANN), "--label", "label", "-o", str(system), *of_split])
    sampled = isinstance(negatives, int) and split != "validation"
    error = capsys.readouterr().err
    assert code == (2 if sampled else 0)
    assert system.exists() != sampled
    assert ("a sample of the others" in error and "--negatives all" in error) == sampled


def test_a_split_that_came_out_empty_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["export", str(ANN), "--task", "relations", "-o", str(tmp_path / "rows.csv")]
    splits = "train=0.8,validation=0.1,test=0.1"
    assert main([*command, "--splits", splits]) == 0
    assert "split test: no map is in it: the corpus has 4 maps with rows" in capsys.readouterr().err
    assert main([*command, "--splits", "train=0.5,test=0.5"]) == 0
    assert "no map is in it" not in capsys.readouterr().err


def test_a_relation_on_a_relation_is_counted_and_in_no_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build = GraphBuilder()
    claim, reason, doubt = (build.proposition(text) for text in ("Masks help", "They filter", "Not all of them"))
    build.conflict(doubt, build.inference([reason], claim))
    (tmp_path / "map.json").write_text(dumps(build.graph(), format="aif"), encoding="utf-8")
    data = training_data(tmp_path, RowOptions("relations", negatives="all"))
    assert data.undercuts == 1
    assert {row["label"] for row in data.of_split()} == {"RA", "none"}
    assert main(["export", str(tmp_path), "--task", "relations", "-o", str(tmp_path / "rows.csv")]) == 0
    assert "1 relation bears on a relation: it is in no row" in capsys.readouterr().out


def test_a_text_is_in_one_split_only(tmp_path: Path) -> None:
    """Each text is in the corpus five times under other names."""
    for copy in range(5):
        for number in (1, 2, 3, 4):
            for suffix in (".json", ".txt"):
                shutil.copy(ANN / f"nodeset{number}{suffix}", tmp_path / f"copy{copy}of{number}{suffix}")
    for seed in range(5):
        splits = {"train": 0.5, "test": 0.5}
        data = training_data(open_corpus(tmp_path), RowOptions("illocutions", seed=seed), splits=splits)
        of_text: dict[str, set[str]] = {}
        for name, split in data.splits.items():
            of_text.setdefault(name[-1], set()).add(split)
        assert all(len(splits_of) == 1 for splits_of in of_text.values())
        assert sorted(data.split_names) == ["test", "train"]


def test_the_seed_decides() -> None:
    corpus = open_corpus(ANN)
    same = [list(training_data(corpus, RowOptions("relations", 3, seed=4)).of_split()) for _ in range(2)]
    other = list(training_data(corpus, RowOptions("relations", 3, seed=5)).of_split())
    assert same[0] == same[1] != other


def test_tokens_begin_and_go_on() -> None:
    row = next(training_data(open_corpus(ANN), RowOptions("segmentation")).of_split())
    tokens, tags = row["tokens"], row["tags"]
    assert isinstance(tokens, list)
    assert isinstance(tags, list)
    assert len(tokens) == len(tags)
    graph = open_corpus(ANN)[str(row["map"])].load()
    assert tags.count("B") == len(graph.locutions)


def test_a_folder_is_laid_out_as_datasets_reads_it(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    folder = exported(tmp_path, "relations", "")
    assert (folder / "data" / "train-00000-of-00001.parquet").is_file()
    assert "data/train-*" in (folder / "README.md").read_text("utf-8")
    assert len(read_training_data(folder)) == 32
    with pytest.raises(Exception, match="not empty"):
        exported(tmp_path, "relations", "")


def test_counts_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["export", str(ANN), "--task", "relations", "-o", str(tmp_path / "rows.csv")]
    assert main([*command, "--splits", "train=0.75,test=0.25"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["train", "test", "all"]
    counts = {name: list(map(int, numbers)) for name, *numbers in lines[3:]}
    assert counts["maps"] == [3, 1, 4]
    assert counts["rows"][2] == len((tmp_path / "rows.csv").read_text("utf-8").splitlines()) - 1
    assert counts["rows"][2] == counts["none"][2] + counts["RA"][2] + counts["CA"][2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--negatives", "some"], "negatives is 'some'"),
        (["--negatives", "-1"], "negatives is -1"),
        (["--negatives", "near", "--window", "0"], "a window of 0"),
        (["--splits", "train=0.5"], "do not add up to 1"),
        (["--splits", "one=0.5,two=0.5"], "no split is called 'train'"),
        (["--splits", "train"], "splits is 'train'"),
        (["--splits", "../x=1"], "a split called '../x'"),
    ],
)
def test_refused_exports(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.csv"
    assert main(["export", str(ANN), "--task", "relations", "-o", str(path), *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not path.exists()


def test_an_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no format of training data"):
        exported(tmp_path, "relations", ".xlsx")


def _row(**changes: str) -> str:
    row = {"map": "nodeset1", "split": "train", "first_id": "", "second_id": "", "predicted": "RA"}
    ids = [node.id for node in open_corpus(ANN)["nodeset1"].load().propositions]
    return json.dumps({**row, "first_id": ids[0], "second_id": ids[1], **changes}) + "\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "there are no rows"),
        ("[1]\n", "no JSON object"),
        ('{"map": "nodeset1"}\n', "columns are those of no task"),
        (_row(map="nodeset77"), "1 map not in the corpus: nodeset77"),
        (_row(first_id="none"), "there is no proposition none"),
        (_row(predicted="XX"), "no relation is called 'XX'"),
        (_row() + _row(predicted="CA"), "two labels for the pair"),
        (_row().replace("predicted", "guess"), "no column 'predicted'"),
        ('{"map": "nodeset1", "illocution_id": "0", "predicted": "Asserting"}\n', "there is no illocution 0"),
        ('{"map": "nodeset1", "starts": [0], "ends": [1], "predicted": ["X"]}\n', "no tag is called 'X'"),
        ('{"map": "nodeset1", "starts": [0], "ends": [10000000], "predicted": ["B"]}\n', "a token at 0"),
        ('{"map": "nodeset1", "starts": [0], "ends": [1, 2], "predicted": ["B"]}\n', "of one length"),
    ],
)
def test_refused_predictions(content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, system = tmp_path / "predicted.jsonl", tmp_path / "system"
    path.write_text(content, encoding="utf-8")
    assert main(["import-predictions", str(path), str(ANN), "-o", str(system)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not system.exists()


def test_an_unknown_illocution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = exported(tmp_path, "illocutions", ".jsonl")
    path.write_text(path.read_text("utf-8").replace('"label": "Asserting"', '"label": "Shouting"'), encoding="utf-8")
    assert main(["import-predictions", str(path), str(ANN), "--label", "label", "-o", str(tmp_path / "s")]) == 2
    assert "no illocution is called 'Shouting'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("suffix", "content"), [(".parquet", b"PAR1 no"), (".csv", b"a,b\n1\n"), (".csv", b"\xff\xfe\x00")]
)
def test_broken_files(suffix: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(content)
    assert main(["import-predictions", str(path), str(ANN), "-o", str(tmp_path / "s")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_progress_ends_at_the_number_of_maps_although_one_failed(tmp_path: Path) -> None:
    for name in ("nodeset1", "nodeset2"):
        (tmp_path / f"{name}.json").write_bytes((DEBATES / "ann" / f"{name}.json").read_bytes())
    (tmp_path / "nodeset3.json").write_text("broken", encoding="utf-8")
    steps: list[tuple[int, int]] = []
    data = training_data(tmp_path, RowOptions("relations"), progress=lambda done, total: steps.append((done, total)))
    assert [name for name, _ in data.failed] == ["nodeset3"]
    assert steps == [(1, 3), (2, 3), (3, 3)]
