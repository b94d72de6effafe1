"""Which data set a path is, and what errors say to do about it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aifgraph.cli import main
from aifgraph.datasets import open_dataset
from aifgraph.datasets.layouts import recognised
from aifgraph.errors import InputError


@pytest.mark.parametrize(
    ("place", "dataset", "at"),
    [
        ("datasets/iac1", "iac1", "datasets/iac1"),
        ("datasets/iac1/discussions", "iac1", "datasets/iac1"),
        ("datasets/iac1/ranges/quotes", "iac1", "datasets/iac1"),
        ("datasets/iac2/small.sql", "iac2", "datasets/iac2/small.sql"),
        ("datasets/microtexts/part1/corpus", "microtexts", "datasets/microtexts/part1/corpus/en"),
        ("datasets/cdcp", "cdcp", "datasets/cdcp"),
        ("datasets/cdcp/00001.ann.json", "cdcp", "datasets/cdcp/00001.ann.json"),
        ("datasets/argkp", "argkp", "datasets/argkp"),
        ("datasets/argsme/args-me.json", "argsme", "datasets/argsme/args-me.json"),
        ("datasets/aurc", "aurc", "datasets/aurc"),
        ("datasets/ruarg/train.tsv", "ruarg", "datasets/ruarg/train.tsv"),
        ("datasets/sciarg-abstracts", "sciarg-abstracts", "datasets/sciarg-abstracts"),
        ("brat", "essays", "brat"),
    ],
)
def test_a_layout_is_known_by_its_names_and_headers(place: str, dataset: str, at: str, fixtures: Path) -> None:
    assert recognised(fixtures / place) == (dataset, fixtures / at)


@pytest.mark.parametrize("place", ["debates/ann", "aif/masks.json", "nowhere"])
def test_maps_are_no_data_set(place: str, fixtures: Path) -> None:
    assert recognised(fixtures / place) is None


def test_the_wrong_folder_says_the_right_one(fixtures: Path) -> None:
    iac1 = fixtures / "datasets/iac1"
    for name, given, remedy in [
        ("iac1", iac1 / "annotations", f"give --dataset iac1 {iac1}"),
        ("microtexts", fixtures / "datasets/cdcp", f"give --dataset cdcp {fixtures / 'datasets/cdcp'}"),
    ]:
        with pytest.raises(InputError) as error:
            list(open_dataset(name, given))
        assert error.value.remedy == remedy


@pytest.mark.parametrize(
    ("place", "dataset"), [("cdcp", "cdcp"), ("iac1/discussions", "iac1"), ("iac2/small.sql", "iac2")]
)
def test_a_data_set_given_as_maps_is_named(
    place: str, dataset: str, fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = str(fixtures / "datasets" / place)
    assert main(["convert", source, str(tmp_path / "out") + "/", "--to", "xaif"]) == 2
    assert f"aifgraph convert --dataset {dataset} " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_file_of_a_data_set_given_as_a_map_is_named(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(next((fixtures / "datasets" / "cdcp").glob("*.ann.json")))
    for command in (["show", file], ["check", file], ["compare", file, file], ["differences", file, file]):
        assert main(command) == 2, command
        out = capsys.readouterr()
        assert "aifgraph convert --dataset cdcp " in out.err + out.out, command


def test_of_several_data_sets_below_a_folder_only_the_wanted_one_is_named(fixtures: Path, tmp_path: Path) -> None:
    for each in ("iac1", "cdcp"):
        shutil.copytree(fixtures / "datasets" / each, tmp_path / each)
    for name, remedy in (("iac1", f"give --dataset iac1 {tmp_path / 'iac1'}"), ("essays", "")):
        with pytest.raises(InputError) as error:
            list(open_dataset(name, tmp_path))
        assert remedy in str(error.value)
        assert ("--dataset" in str(error.value)) is bool(remedy)


def test_brat_is_a_name_of_the_essays(fixtures: Path, tmp_path: Path) -> None:
    assert main(["convert", "--dataset", "brat", str(fixtures / "brat"), str(tmp_path / "out.zip")]) == 0


def test_a_store_is_no_corpus(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "qt30.store"
    store.mkdir()
    for name in ("CURRENT", "MANIFEST-000005", "000004.log"):
        (store / name).write_bytes(b"x")
    other = str(fixtures / "debates" / "ann")
    for command in (["stats"], ["check"], ["show"], ["compare", other], ["evaluate", other], ["sample", "--number=1"]):
        assert main([*command, str(store)]) == 2, command
        out = capsys.readouterr()
        assert f"aifgraph query --store {store} QUERY" in out.err + out.out, command
    shutil.rmtree(store)
