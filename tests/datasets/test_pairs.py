"""Tables of pairs, ArgKP and args.me: two texts, and what the one is to the other."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from aifgraph.cli import main
from aifgraph.datasets import argsme, open_dataset
from aifgraph.errors import InputError, OptionError
from aifgraph.graph import ArgumentGraph


def relations(graph: ArgumentGraph) -> list[tuple[str, str, str]]:
    return [
        (node.type, graph.premises_of(node)[0].text, graph.conclusions_of(node)[0].text) for node in graph.relations
    ]


COLUMNS = {"source": "premise", "target": "claim", "label": "relation", "by": "topic"}


def test_a_map_of_labels_makes_relations(fixtures: Path) -> None:
    table = fixtures / "datasets/pairs/pairs.csv"
    reading = open_dataset("pairs", table, labels="1=RA, 2=CA, 0=none", **COLUMNS)
    masks, bikes = reading
    assert (masks.name, bikes.name) == ("masks", "bikes")
    assert relations(masks) == [
        ("RA", "They filter, mostly.", "Masks help"),
        ("CA", "Nobody wears them", "Masks help"),
    ]
    assert masks.inferences[0].record["pairs"] == {"topic": "masks", "relation": "1", "annotators": "3"}
    # What is not related keeps its label and both texts.
    (unrelated,) = masks.meta.aif["pairs"]["unrelated"]
    assert unrelated["relation"] == "0"
    assert masks[unrelated["source"]].text == "Spring is early"
    assert reading.counts["unrelated pairs"] == 1
    assert [str(problem) for problem in reading.problems] == [
        "pairs.csv, line 6: both texts of the pair are the same",
        "pairs.csv, line 7: a text of the pair is empty",
        "pairs.csv, line 8: the label 'perhaps' is none of 1, 2, 0; give --labels perhaps=… (RA, CA, MA or none)",
    ]


def test_words_need_no_map_of_labels(fixtures: Path) -> None:
    (graph,) = open_dataset("pairs", fixtures / "datasets/pairs/words.tsv")
    assert [node.type for node in graph.relations] == ["RA", "CA"]
    assert [node.text for node in graph.propositions][-1] == "Spring is early"


@pytest.mark.parametrize("labels", ["1", "1=YA", "1=RA,1=CA", "1=RA,,0=none"])
def test_a_map_of_labels_that_is_none(labels: str, fixtures: Path) -> None:
    with pytest.raises(OptionError, match="in the map of labels"):
        open_dataset("pairs", fixtures / "datasets/pairs/words.tsv", labels=labels)


def test_labels_on_the_command_line(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, out = str(fixtures / "datasets/pairs/pairs.csv"), str(tmp_path / "out")
    columns = [word for name, column in COLUMNS.items() for word in ("--set", f"{name}={column}")]
    line = ["convert", "--dataset", "pairs", table, out, *columns]
    assert main([*line, "--labels", "1=RA,2=CA,0=none"]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.stem in ("bikes", "masks"))
    assert "1 unrelated pair" in capsys.readouterr().err
    assert main(["convert", "--dataset", "pairs", table, out]) == 2
    assert "--set source=COLUMN,target=COLUMN,label=COLUMN" in capsys.readouterr().err
    assert main(["convert", "--dataset", "ruarg", table, out, "--labels", "1=RA"]) == 2
    assert "--labels has an effect only with --dataset pairs or --dataset argkp" in capsys.readouterr().err


def test_argkp_from_its_three_tables(fixtures: Path) -> None:
    reading = open_dataset("argkp", fixtures / "datasets/argkp")
    (graph,) = reading
    topic, protects, harms = "We should ban phosphates", "A ban protects water", "A ban harms farming"
    saves, lose = "A ban would save the lakes, and cheaply.", "Farmers would lose their fields."
    assert relations(graph) == [
        ("MA", saves, protects),
        ("MA", lose, harms),
        ("RA", saves, topic),
        ("RA", protects, topic),
        ("CA", lose, topic),
        ("CA", harms, topic),
        ("RA", "Somebody said so.", topic),
    ]
    assert [entry["label"] for entry in graph.meta.aif["argkp"]["unrelated"]] == ["0"]
    assert reading.counts["texts without a pair"] == 1
    assert [problem.code for problem in reading.problems] == ["dangling"]


def test_argkp_from_its_one_table(fixtures: Path, tmp_path: Path) -> None:
    table = fixtures / "datasets/argkp/ArgKP_dataset.csv"
    (graph,) = open_dataset("argkp", table)
    assert [node.type for node in graph.relations] == ["MA", "RA", "RA", "RA"]
    (supports,) = open_dataset("argkp", table, labels="1=RA,0=none")
    assert [node.type for node in supports.relations] == ["RA", "RA", "RA", "RA"]
    shutil.copy(fixtures / "datasets/argkp/labels_train.csv", tmp_path)
    with pytest.raises(InputError, match=r"there is no arguments_train\.csv"):
        list(open_dataset("argkp", tmp_path))


def test_args_me_has_a_map_a_page(fixtures: Path) -> None:
    reading = open_dataset("argsme", fixtures / "datasets/argsme/args-me.json")
    trams, cats = reading
    assert trams.name == "aa11-2019-04-18T11_00_00Z"
    assert relations(trams) == [
        ("RA", "They carry more people.", "Trams are better than buses"),
        ("CA", "Rails cost too much; “cheap” is relative.", "Trams are better than buses"),
    ]
    assert trams.meta.aif["argsme"]["context"]["discussionTitle"] == "Trams or buses"
    entry = trams.conflicts[0].record["argsme"]
    assert entry["id"] == "aa11-2019-04-18T11:00:00Z-00001-000"
    assert entry["context"] == {
        "previousArgumentInSourceId": "aa11-2019-04-18T11:00:00Z-00000-000",
        "nextArgumentInSourceId": "",
    }
    assert [node.text for node in cats.propositions] == ["Cats are fine", "They purr."]
    assert {str(problem) for problem in reading.problems} == {
        "args-me.json: argument 3: premise 0 has no text, or no stance PRO or CON",
        "args-me.json: argument 4 is not an object with id, conclusion and premises; it is skipped",
    }


def test_args_me_as_lines_packed_and_in_pieces(fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = fixtures / "datasets/argsme/args-me.json"
    whole = list(open_dataset("argsme", source))
    arguments = json.loads(source.read_text("utf-8"))["arguments"]
    lines = "".join(json.dumps(each) + "\n" for each in arguments)
    (tmp_path / "args-me.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    assert list(open_dataset("argsme", tmp_path)) == whole
    monkeypatch.setattr(argsme, "_PIECE", 7)
    monkeypatch.setattr(argsme, "_HEAD", 20)
    assert list(open_dataset("argsme", source)) == whole


def test_a_list_that_breaks_off_is_read_up_to_there(fixtures: Path, tmp_path: Path) -> None:
    data = (fixtures / "datasets/argsme/args-me.json").read_bytes()
    (tmp_path / "cut.json").write_bytes(data[: data.index(b"bb22")])
    reading = open_dataset("argsme", tmp_path / "cut.json")
    assert len(list(reading)) == 1
    assert [str(problem) for problem in reading.problems] == [
        "cut.json: argument 3 is damaged; what follows it is not read"
    ]


def test_a_folder_may_be_called_as_its_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pairs").mkdir()
    Path("pairs/table.csv").write_text("source,target,label\nMasks filter,Masks help,support\n", "utf-8")
    assert len(list(open_dataset("pairs", "pairs"))) == 1
