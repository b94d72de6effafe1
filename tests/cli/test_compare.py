"""``aifgraph compare`` as a user calls it: results in every format, and one clear line for every bad input."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.stats.scores import SCORES


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of ``aifgraph compare``."""
    code = main(["compare", *map(str, arguments)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.fixture
def pair(fixtures: Path) -> tuple[Path, Path]:
    return fixtures / "debate" / "first.json", fixtures / "debate" / "second.json"


def test_json_has_the_promised_keys(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *pair, "--format", "json")
    result = json.loads(out)
    assert code == 0
    assert result["aifgraph"] == aifgraph.__version__
    assert result["signature"].startswith("CASS|")
    for side in ("first", "second"):
        assert result[side].keys() >= {"source", "text", "propositions", "locutions", "units", "placed"}
    for layer in ("propositions", "locutions"):
        found = result["alignment"][layer]
        assert found["classes"] == len(found["pairs"])
        assert found["matched"] == sum(bool(each["first"] and each["second"]) for each in found["pairs"])
        assert all(each.keys() == {"first", "second", "similarity", "by", "because"} for each in found["pairs"])
    for each in result["calculations"].values():
        assert each.keys() >= {"applicable", "items", "labels", "matrix", *SCORES}
        assert each["labels"][-1] == "none"
        if each["applicable"]:
            assert sum(map(sum, each["matrix"])) >= each["items"]
        else:
            assert all(each[score] is None for score in SCORES)
            assert each["reason"]
    assert result["segmentation"].keys() >= {"mode", "S", "B", "Pk", "WindowDiff", "masses"}
    assert result["cass"].keys() == result["mean"].keys() == SCORES.keys()
    assert result["layers"].keys() == {"propositional", "dialogical"}
    assert result["warnings"] == []


@pytest.mark.parametrize("format_", ["text", "csv", "markdown", "latex"])
def test_every_format_shows_the_headline_number(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str], format_: str
) -> None:
    code, out, _ = run(capsys, *pair, "--format", format_)
    kappa = aifgraph.compare(*map(aifgraph.load, pair)).cass["kappa"]
    assert code == 0
    assert (str(kappa) if format_ == "csv" else f"{kappa:.3f}") in out


def test_corpora_pair_by_name_and_list_what_is_alone(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, fixtures / "debates" / "ann", fixtures / "debates" / "ben", "--format", "json")
    result = json.loads(out)
    assert code == 0
    assert [each["name"] for each in result["pairs"]] == ["nodeset1", "nodeset2", "nodeset3"]
    assert result["unpaired"] == {"first": ["nodeset4"], "second": ["nodeset5"]}
    assert result["failed"] == []
    kappas = [each["cass"]["kappa"] for each in result["pairs"]]
    assert result["macro"]["mean_of_cass"]["kappa"] == pytest.approx(sum(kappas) / 3, abs=1e-12)
    assert result["micro"]["calculations"]["propositional_relations"]["items"] == sum(
        each["calculations"]["propositional_relations"]["items"] for each in result["pairs"]
    )


def test_one_bad_map_is_listed_and_does_not_stop_the_others(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("nodeset1", "nodeset2"):
        (tmp_path / f"{name}.json").write_bytes((fixtures / "debates" / "ann" / f"{name}.json").read_bytes())
    (tmp_path / "nodeset2.json").write_text('{"nodes": [{"nodeID"', "utf-8")
    code, out, err = run(capsys, tmp_path, fixtures / "debates" / "ben", "--format", "json")
    result = json.loads(out)
    assert code == 2
    assert [each["name"] for each in result["pairs"]] == ["nodeset1"]
    assert [each["name"] for each in result["failed"]] == ["nodeset2"]
    assert "line 1" in err


def test_standard_input(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stdin:
        buffer = io.BytesIO(pair[0].read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin())
    code, out, _ = run(capsys, "-", pair[1], "--only", "cass")
    assert code == 0
    assert "kappa" in out


def test_output_is_whole_or_not_there(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "result.json"
    assert run(capsys, *pair, "--format", "json", "-o", target)[0] == 0
    assert json.loads(target.read_text("utf-8"))["cass"]
    assert [each.name for each in tmp_path.iterdir()] == ["result.json"]
    code, _, err = run(capsys, *pair, "-o", tmp_path / "missing" / "x.txt")
    assert code == 2
    assert "missing" in err


#: What is wrong with a map, and how it is said, has its tests with the formats.
BAD = {"truncated.json": b'{"nodes": [{"nodeID": "1"', "binary.json": bytes(range(256)) * 4}


@pytest.mark.parametrize("name", BAD)
def test_bad_maps(name: str, pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(BAD[name])
    for arguments in ((tmp_path / name, pair[0]), (pair[0], tmp_path / name)):
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert name in err
        assert "Traceback" not in err


def test_bad_usage(pair: tuple[Path, Path], fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("first\tsecond\nnodeset1.json\tnowhere.json\n", "utf-8")
    corpora = fixtures / "debates" / "ann", fixtures / "debates" / "ben"
    for arguments, word in (
        ((pair[0], tmp_path / "none.json"), "none.json"),
        ((pair[0], corpora[0]), "single map"),
        ((corpora[0], pair[0]), "single map"),
        ((*corpora, "--pairs", pairs), "nowhere.json"),
        ((*corpora, "--pairs", tmp_path / "none.tsv"), "none.tsv"),
        ((*pair, "--min-overlap", "3"), "0 to 1"),
        ((*pair, "--min-similarity", "x"), "min-similarity"),
        ((*pair, "--calculations", "PR+XX"), "XX"),
        ((*pair, "--relations", "RA+YA"), "YA"),
        ((*pair, "--first-text", tmp_path / "none.txt"), "none.txt"),
        ((pair[0],), "SECOND"),
    ):
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, ""), arguments
        assert word in err
        assert err.count("\n") == 1


def test_what_is_mended_is_warned_of(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = {
        "nodes": [{"nodeID": 1, "type": "I", "text": None}, {"nodeID": "1", "type": "I", "text": "other"}],
        "edges": [{"fromID": 1, "toID": 9}, {"fromID": 1, "toID": 1}],
    }
    path = tmp_path / "repaired.json"
    path.write_text(json.dumps(broken), "utf-8")
    code, _, err = run(capsys, path, pair[1])
    assert code == 0
    for words in ("node 1 has no text", "node 1 is given twice", "edge 1 → 9", "from node 1 to itself"):
        assert words in err
