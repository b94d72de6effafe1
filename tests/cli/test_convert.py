"""``convert`` and ``formats``: files, corpora, data sets, what is lost, and what is refused."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.errors import InputError, OptionError
from aifgraph.formats.registry import formats_table, names


def test_a_file(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "masks.json"
    assert main(["convert", str(fixtures / "microtexts" / "masks.xml"), str(target)]) == 0
    assert capsys.readouterr().err == ""
    graph = aifgraph.load(target)
    assert graph.meta.form == "aif"
    assert graph["a3"].record["role"] == "opp"
    assert "span" in (tmp_path / "masks.txt").read_text("utf-8")


def test_losses_are_said(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(fixtures / "aif" / "masks.json"), str(tmp_path / "m.ann")]) == 0
    said = capsys.readouterr().err
    assert "1 locution, 1 illocution, 1 conflict" not in said  # in the order of the report
    assert "1 conflict" in said
    assert "1 locution" in said
    report = aifgraph.convert(fixtures / "aif" / "masks.json", tmp_path / "m.ann")
    assert report.counts["conflicts"] == 1


def test_to_standard_output(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(fixtures / "aif" / "masks.json"), "-", "--to", "mermaid"]) == 0
    assert capsys.readouterr().out.startswith("flowchart BT\n")


def test_a_corpus(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "maps"
    (source / "sub").mkdir(parents=True)
    for name in ("masks.xml", "masks.txt"):
        shutil.copy(fixtures / "microtexts" / name, source / "sub" / name)
    shutil.copy(fixtures / "aif" / "masks.json", source / "plain.json")
    (source / "broken.json").write_text('{"nodes": [', "utf-8")
    assert main(["convert", str(source), str(tmp_path / "out"), "--to", "xaif"]) == 2
    said = capsys.readouterr().err
    assert "broken.json" in said
    assert "2 maps written" in said
    assert aifgraph.load(tmp_path / "out" / "sub" / "masks.json").inferences
    assert (tmp_path / "out" / "plain.json").is_file()
    with pytest.raises(InputError, match=r"broken\.json.*other 2 maps are written"):
        aifgraph.convert(source, tmp_path / "again", to="aif")


def test_archives_and_lines(fixtures: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "maps.zip", "w") as archive:
        archive.write(fixtures / "aif" / "masks.json", "maps/one.json")
        archive.write(fixtures / "xaif" / "masks.json", "maps/two.json")
    assert main(["convert", str(tmp_path / "maps.zip"), str(tmp_path / "maps.jsonl")]) == 0
    lines = (tmp_path / "maps.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["one", "two"]
    assert main(["convert", str(tmp_path / "maps.jsonl"), str(tmp_path / "dots"), "--to", "dot"]) == 0
    assert sorted(path.name for path in (tmp_path / "dots").glob("*.dot")) == ["one.dot", "two.dot"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{f}/aif", "out", "--to", "kialo"], "only read"),
        (["{f}/aif/masks.json", "{t}/map.what"], "no format is written as .what"),
        (["{f}/aif/masks.json", "{t}/map.json", "--to", "nonsense"], "there is no format 'nonsense'"),
        (["{f}/aif/masks.json", "{t}/map.json", "--from", "mermaid"], "only written"),
        (["{f}/aif/masks.json", "{t}/map.json", "--strict"], "--strict has an effect only with --dataset"),
    ],
)
def test_refusals(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    filled = [part.replace("{f}", str(fixtures)).replace("{t}", str(tmp_path)) for part in arguments]
    assert main(["convert", *filled]) == 2
    assert message in capsys.readouterr().err


def test_a_file_is_no_folder(fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("here")
    with pytest.raises(OptionError, match="a file where a folder is needed"):
        aifgraph.convert(fixtures / "aif", tmp_path / "out", to="aif")


def test_formats_lists_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in listed} == set(names())
    assert len(formats_table().rows) == len(names())


@pytest.mark.parametrize("name", ["ova2", "kialo"])
def test_a_format_that_is_only_read_is_refused(
    name: str, fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = fixtures / "aif" / "masks.json", tmp_path / "out.json"
    assert main(["convert", str(source), str(target), "--to", name]) == 2
    assert f"the format {name} is only read" in capsys.readouterr().err
    assert not target.exists()
    with pytest.raises(OptionError, match="only read"):
        aifgraph.dumps(aifgraph.load(source), format=name)


@pytest.fixture
def data(fixtures: Path) -> Path:
    return fixtures / "datasets"


def convert(*arguments: object) -> int:
    return main(["convert", "--dataset", *map(str, arguments)])


def test_a_data_set_becomes_a_folder_of_maps(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert("ruarg", data / "ruarg/train.tsv", tmp_path / "maps") == 0
    assert sorted(path.name for path in (tmp_path / "maps").iterdir())[:2] == ["1.json", "1.txt"]
    assert capsys.readouterr().out == ""


def test_annotators_compare(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert("sciarg-abstracts", data / "sciarg-abstracts/two.tsv", tmp_path / "s") == 0
    assert main(["compare", str(tmp_path / "s/ann"), str(tmp_path / "s/bob")]) == 0
    assert "1 pair of 1 text" in capsys.readouterr().out


def test_damage_is_told_and_not_fatal(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert("iac1", data / "iac1", tmp_path / "m.zip", "--threshold", "0", "--propositions-only") == 0
    err = capsys.readouterr().err
    assert "qr_averages.csv, line 6: the key (2, 0) is given twice" in err
    assert "aifgraph: 1 annotation left out, as nothing in this copy says which quote and response" in err
    assert convert("iac1", data / "iac1", tmp_path / "n.zip", "--strict") == 2
    assert not (tmp_path / "n.zip").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("iac", "IN"), "there is no 'iac'; did you mean 'iac1' or 'iac2'?"),
        (("pairs", "--source", "premise", "IN"), "did you mean --set source=premise?"),
        (("pairs", "fixtures/datasets/pairs/pairs.csv"), "--set source=COLUMN,target=COLUMN,label=COLUMN"),
        (("pairs", "--columns", "premise,claim", "IN"), "--set source=COLUMN,target=COLUMN,label=COLUMN"),
        (("sciarg", "--threshold", "1", "IN"), "--threshold has an effect only with --dataset iac1"),
        (("sciarg-abstracts", "--set", "color=red", "IN"), "sciarg-abstracts has annotator, functions"),
        (("iac1", "--set", "agree=much", "IN"), "'much' is no number"),
        (("iac1", "IN"), "no such file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(tmp_path / "nowhere") if each == "IN" else each for each in arguments]
    assert convert(*given, tmp_path / "out") == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_another_conversion_is_not_mixed_with_one(
    data: Path, fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "maps"
    assert convert("cdcp", data / "cdcp", out) == convert("cdcp", data / "cdcp", out) == 0
    before = sorted(path.name for path in out.iterdir())
    for others in (["--dataset", "ruarg", str(data / "ruarg/train.tsv")], [str(fixtures / "debates/ann"), "--to=dot"]):
        capsys.readouterr()
        assert main(["convert", *others, str(out)]) == 2
        assert "holds the conversion of cdcp into aif; name a new folder" in capsys.readouterr().err
    assert sorted(path.name for path in out.iterdir()) == before


def test_what_the_files_hold_and_what_was_written_is_said(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert convert("essays", fixtures / "brat", tmp_path / "maps") == 0
    said = capsys.readouterr().err.splitlines()
    assert "aifgraph: relations: supports 1, attacks 1" in said
    assert "aifgraph: stances: For 1, Against 1" in said
    assert "aifgraph: relations made of stances, one a major claim: RA 2, CA 2" in said
    assert said[-1] == "aifgraph: 1 map written: I 5, RA 3, CA 3, MA 1"


def test_a_data_set_is_named_with_its_option(data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["convert", "cdcp", str(data / "cdcp"), str(tmp_path / "out")]) == 2
    assert "did you mean --dataset cdcp?" in capsys.readouterr().err
    assert main(["convert", "cdcp", str(tmp_path / "out.zip")]) == 2
    assert "aifgraph convert --dataset cdcp FOLDER OUT" in capsys.readouterr().err
    assert main(["convert", str(data / "cdcp"), str(tmp_path / "out"), "--to", "aif"]) == 2
    said = capsys.readouterr().err
    assert "--dataset cdcp" in said
    assert "00001.ann" not in said  # not each of its files
