"""The record that a conversion leaves beside its output, and what ``stats`` reads from it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from aifgraph import GraphBuilder, convert, open_corpus
from aifgraph.cli import main
from aifgraph.corpus.writer import write_maps
from aifgraph.version import __version__


def record(path: Path) -> dict[str, Any]:
    document = json.loads(path.read_text("utf-8"))
    assert isinstance(document, dict)
    return document


def test_a_data_set_leaves_its_record_in_the_folder(fixtures: Path, tmp_path: Path) -> None:
    source, out = str(fixtures / "datasets/cdcp"), tmp_path / "maps"
    assert main(["convert", "--dataset", "cdcp", source, str(out)]) == 0
    left = record(out / "conversion.json")
    assert (left["source"], left["dataset"], left["format"]) == ("cdcp", "cdcp", "aif")
    kinds = {"testimony": 1, "fact": 1, "policy": 2, "reference": 1, "value": 2}
    of_kinds = {f"propositions: {kind}": number for kind, number in kinds.items()}
    assert left["counts_in"] == {"documents": 2, "propositions": 7, "reasons": 4, "evidences": 2, **of_kinds}
    assert left["counts_out"] == {"maps": 2, "edges": 9, "I": 7, "RA": 4}
    assert left["problems"] == {"cycle": 1, "dangling": 1}
    assert left["versions"]["aifgraph"] == __version__
    # It is no map of the corpus, and nothing is said of it.
    corpus = open_corpus(out)
    assert corpus.names == ("00001", "00002")
    assert corpus.notices == ()


@pytest.mark.parametrize("name", ["maps.jsonl", "maps.zip", "maps.nq"])
def test_a_file_of_maps_has_it_beside_it(name: str, fixtures: Path, tmp_path: Path) -> None:
    convert(fixtures / "debates/ann", tmp_path / name, to=None if name != "maps.zip" else "dot")
    left = record(tmp_path / f"{name}.conversion.json")
    assert left["source"] == "ann"
    assert left["counts_in"]["maps"] == left["counts_out"]["maps"] == 4
    assert bool(left["losses"]) == (name == "maps.zip")
    assert open_corpus(tmp_path / name).names if name != "maps.nq" else True


def test_what_the_writer_filled_in_is_not_lost(fixtures: Path, tmp_path: Path) -> None:
    convert(fixtures / "debates/ann", tmp_path / "maps.zip", to="ova3")
    left = record(tmp_path / "maps.zip.conversion.json")
    assert left["counts_out"]["positions computed"] == left["counts_in"]["I"] + sum(
        left["counts_in"][kind] for kind in ("L", "RA", "CA", "YA", "TA")
    )
    assert "positions computed" not in left["losses"]


def test_one_map_leaves_none_and_a_failure_neither(fixtures: Path, tmp_path: Path) -> None:
    convert(fixtures / "aif/masks.json", tmp_path / "masks.dot")
    assert (
        main(["convert", "--dataset", "ruarg", str(fixtures / "datasets/cdcp/00001.txt"), str(tmp_path / "o.zip")]) == 2
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["masks.dot"]


def test_a_map_of_that_name_in_json_lines_is_a_map(tmp_path: Path) -> None:
    build = GraphBuilder(name="conversion")
    build.proposition("Masks help")
    write_maps([build.graph()], tmp_path / "maps.jsonl")
    assert open_corpus(tmp_path / "maps.jsonl").names == ("conversion",)


def test_stats_reads_a_data_statement(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "maps"
    assert main(["convert", "--dataset", "iac1", str(fixtures / "datasets/iac1"), str(out)]) == 0
    capsys.readouterr()
    assert main(["stats", str(out), "--format", "json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    conversion = counts["conversion"]
    assert conversion["title"] == "Internet Argument Corpus 1"
    assert (conversion["counts_in"]["posts"], conversion["counts_in"]["words of quotes"]) == (11, 22)
    assert main(["stats", str(out)]) == 0
    assert "words of quotes" in capsys.readouterr().out
    shutil.rmtree(out)


def test_functions_undercuts_and_distinct_texts_are_counted(tmp_path: Path) -> None:
    build = GraphBuilder(name="a")
    claim, reason, doubt = (build.proposition(text) for text in ("Masks help", "They filter", "Not these"))
    support = build.inference([reason], claim, "elaboration")
    build.conflict(doubt, support)
    build.conflict(doubt, claim, "Default Conflict")
    graph = build.graph()
    write_maps([graph, graph.with_name("b")], tmp_path / "maps")
    stats = open_corpus(tmp_path / "maps").stats()
    assert stats.functions == {("RA", "elaboration"): 2}
    assert (stats.undercuts, stats.texts, stats.maps) == (2, 1, 2)
    assert "Functions" in [table.title for table in stats.tables()]


@pytest.mark.parametrize("content", ["{", "[]", '{"nodes": []}'])
def test_what_is_no_record_is_said(
    content: str, fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(fixtures / "debates/ann", tmp_path / "ann")
    (tmp_path / "ann/conversion.json").write_text(content, "utf-8")
    assert main(["stats", str(tmp_path / "ann")]) == 0
    shown = capsys.readouterr()
    assert "no record of a conversion" in shown.err
    assert "Conversion" not in shown.out


def test_packing_copies_it(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maps, packed, again = tmp_path / "maps", tmp_path / "maps.zip", tmp_path / "again"
    assert main(["convert", "--dataset", "cdcp", str(fixtures / "datasets/cdcp"), str(maps)]) == 0
    assert main(["pack", str(maps), "-o", str(packed)]) == 0
    assert main(["pack", str(packed), "-o", str(again)]) == 0
    assert record(tmp_path / "maps.zip.conversion.json") == record(again / "conversion.json")
    assert open_corpus(packed).names == open_corpus(again).names
    # Of several corpora it would be that of one.
    assert main(["pack", str(maps), str(fixtures / "debates/ann"), "-o", str(tmp_path / "both.zip")]) == 0
    assert not (tmp_path / "both.zip.conversion.json").exists()


def test_counts_have_the_record_and_the_number_of_texts(fixtures: Path, tmp_path: Path) -> None:
    convert(fixtures / "debates/ann", tmp_path / "out")
    stats = open_corpus(tmp_path / "out").stats()
    assert stats.conversion is not None
    assert stats.conversion.source == "ann"
    assert stats.texts == stats.to_dict()["distinct_texts"] == 4
    (tmp_path / "out/conversion.json").write_text("{", "utf-8")
    assert open_corpus(tmp_path / "out").stats().conversion is None
