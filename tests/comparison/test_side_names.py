"""What the two sides are called: names that are given, else what tells the paths apart; hashes are shortened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.comparison.sides import told_apart
from aifgraph.errors import OptionError

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ANN, BEN = FIXTURES / "debates" / "ann", FIXTURES / "debates" / "ben"


@pytest.mark.parametrize(
    ("first", "second"),
    [("gold/a.json", "system/a.json"), ("x/gold/a.json", "a.json"), ("a", "a"), ("", ""), ("a\\b.json", "c\\b.json")],
)
def test_names_differ_and_swapping_swaps_them(first: str, second: str) -> None:
    one, other = told_apart(first, second)
    assert one != other
    if first != second:
        assert told_apart(second, first) == (other, one)


def test_compare_and_differences_take_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = next(path.name for path in sorted(ANN.glob("*.json")) if (BEN / path.name).is_file())
    pair = [str(ANN / name), str(BEN / name)]
    assert main(["compare", *pair]) == 0
    shown = capsys.readouterr().out
    assert f"ann/{name}" in shown
    assert f"ben/{name}" in shown
    assert main(["compare", *pair, "--names", "Amara", "Boris", "--format", "json"]) == 0
    assert [json.loads(capsys.readouterr().out)[side]["name"] for side in ("first",)] == ["Amara"]
    page = tmp_path / "page.html"
    assert main(["compare", *pair, "--names", "Amara", "Boris", "--format", "html", "-o", str(page)]) == 0
    assert "<title>Amara and Boris –" in page.read_text(encoding="utf-8")
    assert main(["differences", *pair, "--names", "Amara", "Boris"]) == 0
    assert "Amara" in capsys.readouterr().out
    assert main(["compare", *pair, "--names", "Amara", " Amara "]) == 2
    assert "give two different names" in capsys.readouterr().err


def test_names_change_no_number() -> None:
    graph = aifgraph.load(FIXTURES / "debate" / "first.json")
    result = aifgraph.compare(graph, graph)
    named = result.named("Ann", "Ben")
    assert named.names == ("Ann", "Ben")
    assert (named.cass, named.signature) == (result.cass, result.signature)
    with pytest.raises(OptionError):
        result.named("", "Ben")


def test_a_speaker_that_is_a_hash_is_shortened_for_people_and_whole_for_machines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    who = "c5d5c0ab645492b2e1bb677d96555e24"
    build = aifgraph.GraphBuilder()
    for text in ("Masks help everyone", "They filter the air"):
        said = build.locution(f"{who}: {text}")
        build.node("I", text, id=f"i{said}")
        build.node("YA", "Asserting", id=f"y{said}")
        build.edge(said, f"y{said}")
        build.edge(f"y{said}", f"i{said}")
    path, other = tmp_path / "a.json", tmp_path / "b.json"
    aifgraph.dump(build.graph(), path)
    data = json.loads(path.read_text(encoding="utf-8"))
    next(node for node in data["nodes"] if node["type"] == "YA")["text"] = "Challenging"
    other.write_text(json.dumps(data), encoding="utf-8")
    for command in (["stats", str(path)], ["differences", str(path), str(other)]):
        assert main(command) == 0
        shown = capsys.readouterr().out
        assert who not in shown
        assert "c5d5c0…" in shown
    page = aifgraph.compare(aifgraph.load(path), aifgraph.load(other)).to_html()
    visible = page.partition('id="data"')[0]
    assert who not in visible
    assert "c5d5c0…" in visible
    assert main(["stats", str(path), "--format", "json"]) == 0
    assert who in capsys.readouterr().out


def test_show_and_stats_count_the_same_schemes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    relations = [("RA", "Default Inference"), ("RA", "because"), ("CA", "RA"), ("RA", "Argument from Expert Opinion")]
    nodes = [{"nodeID": str(at), "type": kind, "text": text} for at, (kind, text) in enumerate(relations)]
    path.write_text(json.dumps({"nodes": nodes, "edges": []}), encoding="utf-8")
    counts = []
    for command in ("show", "stats"):
        assert main([command, str(path), "--format", "json"]) == 0
        counts.append(json.loads(capsys.readouterr().out))
    in_stats = {(row["type"], row["scheme"]): row["nodes"] for row in counts[1]["schemes"]}
    assert in_stats == {
        ("RA", "Default Inference"): 1,
        ("RA", "none"): 1,
        ("CA", "none"): 1,
        ("RA", "ExpertOpinion"): 1,
    }
    assert main(["show", str(path)]) == 0
    told = capsys.readouterr().out.partition("Schemes")[2].partition("Illocutions")[0]
    for (kind, name), number in in_stats.items():
        assert [kind, *name.split(), str(number)] in [line.split() for line in told.splitlines()]
